#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --logit-bias: adding to the logits of some tokens.

load helper

@test "ID+B raises a token, ID-B lowers one" {
	rows '1 0' >in
	draws 0 -V 2 --greedy in
	draws 1 -V 2 --greedy -l 1+1.5 in
	draws 1 -V 2 --greedy --logit-bias 0-1.5 in
	draws 1 -V 2 --greedy --logit-bias=0-1.5e0 in
	draws 0 -V 2 --greedy -l 1+0.5 in
	draws 0 -V 2 --greedy -l 0-0.5 in
}

@test "it changes the odds by as much" {
	# ln 2 more makes an even choice one of 2 to 1.
	draws '1 1 0 0 1 0 0 0' -V 2 --no-defaults -l 0+0.6931472 \
	    < <(rows -n 8 '0 0')
}

@test "several biases are all added, on one token too" {
	rows '1 0 0' >in
	draws 2 -V 3 --greedy -l 1+1.5 -l 2+1.6 in
	draws 1 -V 3 --greedy -l 1+0.6 -l 1+0.6 in
	draws 0 -V 3 --greedy -l 1+1.6 -l 1-0.8 in
}

@test "a bias of 0 changes nothing" {
	draws "$even_ids" -V 4 -l 1+0 -l 2-0 < <(even)
}

@test "ID-inf bans a token" {
	rows -n 50 '5 0 0' >in
	draws "$(printf '0 %.0s' {1..49})0" -V 3 in
	try -V 3 --no-defaults -l 0-inf in
	check_status 0
	check_seen '1 2'
}

@test "a ban outweighs what else is added" {
	draws 1 -V 2 --greedy -l 0+100 -l 0-inf -l 0+100 < <(rows '5 0')
}

@test "bans leave what is not banned" {
	draws '2 2 2' -V 4 -l 0-inf -l 1-inf -l 3-inf < <(rows -n 3 '9 9 -9 9')
}

@test "where all tokens are banned the row fails" {
	breaks '' 'row 1: no * to draw*' -V 2 -l 0-inf -l 1-inf \
	    < <(rows '1 1')
	breaks '0' 'row 2: no * to draw*' -V 2 -l 1-inf \
	    < <(rows '0 0' '-inf 0')
}

@test "a raised token is found below the --top-k of the row" {
	draws 70 -V 100 --top-k 1 -l 70+1 < <(rows '0*100')
	draws 99 -V 100 --top-k 1 -l 99+1e6 < <(rows '0*99 -999')
}

@test "a lowered token leaves its place in the --top-k to another" {
	# An even choice between 1 and 3.
	draws '3 3 1 3 3 1 1 3' -V 5 --top-k 2 -l 0-1 -l 2-1 \
	    < <(rows -n 8 '0 0 0 0 0')
}

@test "biases are added before penalties" {
	# -1 + 2 is above 0, so it is divided by 4, not multiplied.
	draws 0 -V 2 --greedy -l 0+2 --repeat-penalty 4 --prompt 0 \
	    < <(rows '-1 -1')
}

@test "@FILE has one bias a line" {
	rows -n 8 '9 0 0 9' >in
	printf '0-inf\n3-inf\n' >biases
	draws '2 2 1 2 2 1 1 2' -V 4 -l @biases in
	printf '0-inf\r\n\r\n\n3-inf' >biases
	draws '2 2 1 2 2 1 1 2' -V 4 --logit-bias=@biases in
	: >biases
	draws '3 3 0 3 3 0 0 3' -V 4 -l @biases in
}

@test "@FILE and others are all added" {
	rows '5 0 0 0' >in
	printf '0-1\n1+2\n' >a
	printf '1+2\n2+1\n' >b
	draws 0 -V 4 --greedy -l @a in
	draws 0 -V 4 --greedy -l @a -l @b in # 4 and 4
	draws 1 -V 4 --greedy -l @a -l @b -l 1+0.1 in
}

@test "many biases are taken" {
	for ((i = 0; i < 1000; i++)); do echo "$i-inf"; done >biases
	draws '1000 1000' -V 1001 -l @biases < <(rows -n 2 '0*1001')
}

@test "a token outside the vocabulary is refused, with the range" {
	refuses '*token 4 *ids are 0 to 3' -V 4 -l 4+1
	refuses '*token 2147483647 *ids are 0 to 3' -V 4 -l 0+1 -l 2147483647-1
	printf '0+1\n9-inf\n' >biases
	refuses '*token 9 *ids are 0 to 3' -V 4 -l @biases
}

@test "what is no bias is refused, and named" {
	for bias in '' 1 x x+1 +1 -1+1 1=2 1:2 ' 1+2' '1 +2' 1.5+2; do
		refuses "--logit-bias: '$bias' is no bias: ID+B or ID-B *" \
		    -V 4 -l "$bias"
	done
	for number in + - +x +1x ++1 --1 +-1 '+ 1' '+1 ' +nan -nan; do
		refuses '--logit-bias: *' -V 4 -l "1$number"
	done
}

@test "a bias that is not finite is refused, but for -inf" {
	refuses '--logit-bias: *inf*' -V 4 -l 1+inf
	refuses '--logit-bias: *1e39*' -V 4 -l 1+1e39
	refuses '--logit-bias: *1e39*' -V 4 -l 1-1e39
}

@test "an id that is no id is refused" {
	refuses '--logit-bias: 2147483648 is out of range: 0 to 2147483647' \
	    -V 4 -l 2147483648+1
	refuses '--logit-bias: 99999999999999999999 *' \
	    -V 4 -l 99999999999999999999-inf
}

@test "a bad line in a file is refused with the file's name" {
	printf '0+1\n1 2\n' >biases
	refuses "*biases: *'1 2' is no bias*" -V 4 -l @biases
	printf '0+1\n1+x\n' >biases
	refuses "*biases: *'+x' is not a number" -V 4 -l @biases
}

@test "a file that can't be read fails" {
	breaks '' '--logit-bias: missing: *' -V 4 -l @missing
	breaks '' '--logit-bias: .: *directory*' -V 4 -l @.
	refuses '--logit-bias: *standard input is for rows*' -V 4 -l @-
}

@test "biases that make a logit NaN fail, and name row and token" {
	breaks '' 'row 1: *token 0 *NaN*' -V 2 -l 0+3e38 -l 0+3e38 -l 0-inf \
	    < <(rows '3e38 0')
}
