#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --predict, --eos, --ctx-size: when to stop.

load helper

@test "the end of the input stops" {
	draws "$even_ids" -V 4 < <(even)
}

@test "-n N stops after N tokens" {
	even >in
	draws '2 3 1' -V 4 -n 3 in
	draws '2' -V 4 --predict 1 in
	draws "$even_ids" -V 4 -n 8 in
	draws "$even_ids" -V 4 -n 9 in
}

@test "-n -1 is no limit, and the default" {
	draws "$even_ids" -V 4 -n -1 < <(even)
}

@test "-n 0 draws nothing and reads nothing" {
	draws '' -V 4 -n 0 < <(rows '0 0 0 nan')
	draws '' -V 4 -n 0 missing
}

@test "-n is -1 or more" {
	refuses '--predict: -2 is out of range: -1 to *' -V 4 -n -2
}

@test "what stands behind a stop is not an error" {
	draws 2 -V 4 -n 1 < <(rows '0 0 0 0'; echo cut)
}

@test "a producer that never ends is left" {
	draws '0 0 0' -V 4 --greedy -n 3 </dev/zero
}

@test "--eos stops after that token, which is written" {
	even >in
	draws '2 3 1' -V 4 --eos 1 in
	draws '2' -V 4 --eos 2 in
	draws '2 3 1 2 2 1 0' -V 4 --eos=0 in
}

@test "--eos may be repeated: any of them stops" {
	even >in
	draws '2 3 1' -V 4 --eos 0 --eos 1 in
	draws '2 3 1' -V 4 --eos 1 --eos 0 in
	draws '2 3' -V 4 --eos 0 --eos 1 --eos 3 in
}

@test "an --eos that never comes stops nothing" {
	even >in
	draws '2 3 1' -V 4 -n 3 --eos 0 in
	draws "$even_ids" -V 4 --eos 77 in
}

@test "an --eos in the prompt stops nothing" {
	draws '2 3 1' -V 4 --prompt 1,1 --eos 1 < <(even)
}

@test "--eos is an id" {
	for value in x -1 1.5 2147483648 1x; do
		refuses "--eos: *$value*" -V 4 --eos "$value" </dev/null
	done
	refuses '--eos: *' -V 4 --eos '' </dev/null
}

@test "--ctx-size stops when prompt and tokens pass N" {
	even >in
	draws '2 3 1 2' -V 4 --ctx-size 3 in
	draws '2 3' -V 4 --ctx-size 2 --prompt 0 in
	draws '2 3 1' -V 4 -c 5 --prompt 0,1,2 in
}

@test "a prompt that just fits still yields one token" {
	even >in
	draws 2 -V 4 -c 3 --prompt 0,1,2 in
	draws 2 -V 4 -c 1 --prompt 0 in
}

@test "a prompt that does not fit is refused" {
	even >in
	refuses "--ctx-size: *3 ids *2" -V 4 -c 2 --prompt 0,1,2 in
}

@test "ids outside the vocabulary take their place in the context" {
	draws 2 -V 4 -c 3 --prompt 7,8,9 < <(even)
}

@test "--ctx-size 0 is no limit, and the default" {
	draws "$even_ids" -V 4 -c 0 --prompt 0,1,2 < <(even)
}

@test "--ctx-size is 0 or more" {
	refuses '--ctx-size: -1 is out of range: 0 to *' -V 4 -c -1
}

@test "the rule that comes first stops" {
	even >in
	draws '2 3' -V 4 -n 2 --eos 1 -c 9 in
	draws '2 3 1' -V 4 -n 4 --eos 1 -c 9 in
	draws '2 3' -V 4 -n 4 --eos 1 -c 1 in
}
