#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --vocab, and rows that do not add up.

load helper

@test "without --vocab the message says to give it" {
	refuses 'raw rows carry no length: give --vocab N*' < <(even)
	refuses 'raw rows carry no length: give --vocab N*' </dev/null
}

@test "-V and --vocab are the same" {
	even >in
	draws "$even_ids" -V4 in
	draws "$even_ids" --vocab 4 in
	draws "$even_ids" --vocab=4 in
}

@test "a vocabulary of 1 has one choice" {
	draws '0 0 0' -V 1 < <(rows '5 -3 0')
}

@test "a vocabulary is 1 to 2147483647" {
	for value in 0 -1 2147483648 99999999999999999999; do
		refuses "--vocab: $value is out of range: 1 to 2147483647" \
		    -V "$value" </dev/null
	done
}

@test "the largest vocabulary is no usage error" {
	try --vocab 2147483647 --version # takes no memory for it
	check_status 0
}

@test "a vocabulary that memory does not hold fails with a message" {
	# A sanitizer does not even start within this.
	(ulimit -v 400000; tokpick --version) >/dev/null 2>&1 ||
	    skip 'this build needs more address space than the test leaves'
	status=0
	(ulimit -v 400000; tokpick -V 2147483647) </dev/null >out 2>err ||
	    status=$?
	check_status 1
	check_ids ''
	check_message '*memory*'
}

@test "a last row that is cut off fails, after the ids before it" {
	rows '9 0 0 0' '0 9 0 0' '0 0' >in
	breaks '0 1' 'in: row 3 ends after 8 of 16 bytes, at byte 40 *' \
	    -V 4 --greedy in
}

@test "one byte too many is a partial row, and so is one too few" {
	rows '9 0' '0 9' >in
	head -c 15 in >less
	{ cat in; echo; } >longer
	breaks '0' 'less: row 2 ends after 7 of 8 bytes*' -V 2 --greedy less
	breaks '0 1' 'longer: row 3 ends after 1 of 8 bytes*' \
	    -V 2 --greedy longer
}

@test "where --vocab leaves a partial row, sizes that would not are named" {
	rows '0*30' >in
	breaks '0 0 0 0' \
	    'in: row 5 *--vocab 7 *sizes that divide the input: 6, 5, 10*' \
	    -V 7 --greedy in
}

@test "the right size is among the few that are named" {
	rows -n 3 '0*500' >in
	breaks '0 0' '*: 500, *' -V 512 --greedy in
	breaks '0 0 0' '*: 500, *' -V 499 --greedy in
}

@test "the sizes are in values, whatever the format" {
	rows -d f16 '0*30' >in
	breaks '0 0 0 0' '*: 6, 5, 10*' -V 7 -d f16 --greedy in
	rows -d f64 '0*30' >in
	breaks '0 0 0 0' '*: 6, 5, 10*' -V 7 -d f64 --greedy in
}

@test "no size is named when no size fits, half a value being left" {
	{ rows '0*4'; printf xx; } >in
	breaks '0' 'in: row 2 ends after 2 of 16 bytes*' -V 4 --greedy in
	[[ $(<err) != *'sizes that divide'* ]]
}

@test "a partial row in zstd is told in bytes of rows" {
	rows '9 0 0 0' '0 0' | zstd -cq >in
	breaks '0' \
	    'in: row 2 ends after 8 of 16 bytes, at byte 24 of all rows*' \
	    -V 4 --greedy in
}

@test "a partial row on standard input is told of too" {
	breaks '' 'standard input: row 1 ends after 1 of 16 bytes*' \
	    -V 4 < <(printf x)
}

@test "a partial row is told of the last FILE, for rows span FILEs" {
	rows '9 0 0 0' '0 0' >a
	rows 0 >b
	breaks '0' 'b: row 2 ends after 12 of 16 bytes, at byte 28 *' \
	    -V 4 --greedy a b
}
