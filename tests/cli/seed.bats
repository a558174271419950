#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --seed: where the random numbers start.

load helper

@test "the seed is 0 where none is given" {
	even >in
	draws "$even_ids" -V 4 in
	draws "$even_ids" -V 4 -s 0 in
	draws "$even_ids" -V 4 --seed=0 in
}

@test "another seed draws other ids" {
	even >in
	draws '0 3 3 2 2 1 3 2' -V 4 -s 1 in
	draws '0 3 1 2 2 0 3 0' -V 4 --seed 7 in
}

@test "all 64 bits of a seed count" {
	even >in
	draws '0 3 2 2 1 3 3 3' -V 4 -s 4294967296 in
	draws '3 1 2 0 0 2 2 3' -V 4 -s 18446744073709551615 in
}

@test "the last of several seeds holds" {
	draws '0 3 3 2 2 1 3 2' -V 4 -s 5 -s random -s 1 < <(even)
}

@test "--seed random tells the seed it took, and that seed draws the same" {
	rows -n 64 '0 0 0 0' >in
	try -V 4 --seed random in
	check_status 0
	check_message 'seed [0-9]*'
	mv out first
	seed=$(sed 's/.* //' err)
	[[ $seed =~ ^[0-9]+$ ]]
	tokpick -V 4 -s "$seed" in >again
	check_same first again
}

@test "--seed random takes another seed each time" {
	rows -n 64 '0 0 0 0' >in
	try -V 4 --seed random in
	mv out first
	mv err first.err
	try -V 4 --seed random in
	! cmp -s first out || fail 'the same ids twice'
	! cmp -s first.err err || fail 'the same seed twice'
}

@test "--seed random is told in the summary too, and there with -q" {
	rows -n 64 '0 0 0 0' >in
	try -V 4 --seed random -q --summary summary in
	check_status 0
	check_silence
	mv out first
	seed=$(sed 's/.*"seed":\([0-9]*\).*/\1/' summary)
	tokpick -V 4 -s "$seed" in >again
	check_same first again
}

@test "what is no seed is refused, with what is one" {
	right="0 to 18446744073709551615, or 'random'"
	for value in 18446744073709551616 99999999999999999999999 -1 -0 \
	    1x x '' ' 1' '1 ' 1.5 1e3 0x10 nan inf RANDOM randomly; do
		refuses "--seed: '$value' is no seed: $right" \
		    -V 4 --seed="$value"
		refuses "--seed: '$value' is no seed: $right" -V 4 -s "$value"
	done
}
