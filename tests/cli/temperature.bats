#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --temp and --greedy.

load helper

@test "--temp divides the logits" {
	halves >in
	draws '2 3 0 2 2 1 0 1' -V 4 --temp 2 in
	draws '0 1 0 0 0 0 0 0' -V 4 --temp 0.5 in
}

@test "--temp 1 changes nothing, and is the default" {
	halves >in
	draws "$halves_ids" -V 4 in
	draws "$halves_ids" -V 4 --temp 1 in
}

@test "a high --temp draws evenly from what is kept" {
	draws "$even_ids" -V 4 --temp 1e6 < <(halves)
}

@test "--temp does not change what is kept" {
	# Of the tempered probabilities --top-p 0.6 would keep three.
	draws "$halves_best_2" -V 4 --top-p 0.6 < <(halves)
	try -V 4 --top-p 0.6 --temp 100 < <(halves)
	check_seen '0 1'
}

@test "a --temp of 0 or less draws the highest logit" {
	rows '0 1 2 3' '3 2 1 0' '0 2 2 1' >in
	for temp in 0 -0 -1 -1e30; do
		draws '3 0 1' -V 4 --temp "$temp" in
	done
}

@test "--greedy draws the highest logit, the lower id of equal ones" {
	draws '3 0 1' -V 4 --greedy < <(rows '0 1 2 3' '3 2 1 0' '0 2 2 1')
}

@test "--greedy and --temp 0 draw the same" {
	story=$data/story-1.f32.zst
	tokpick -V 512 --greedy --repeat-penalty 1.2 "$story" >a
	tokpick -V 512 --temp 0 --repeat-penalty 1.2 "$story" >b
	(($(sort -u a | wc -l) > 20))
	check_same a b
}

@test "--greedy wins over --temp" {
	draws '1 1 1 1' -V 2 --greedy --temp 100 < <(rows -n 4 '0 0.1')
}

@test "greedy draws are the same for every seed" {
	story=$data/story-1.f32.zst
	tokpick -V 512 --greedy -s 1 "$story" >a
	tokpick -V 512 --greedy -s 2 "$story" >b
	check_same a b
}

@test "greedy draws use no random number" {
	even >in
	state() { grep -o '"rng_state":"[0-9a-f]*"' "$1"; }
	tokpick -V 4 -n 0 --summary before in
	for greedy in --greedy --temp=0; do
		tokpick -V 4 "$greedy" --summary after in >ids
		[[ $(state before) == "$(state after)" ]]
	done
	tokpick -V 4 --summary after in >ids
	[[ $(state before) != "$(state after)" ]]
}

@test "a row with one choice uses no random number" {
	# The third row is drawn as if it came second.
	draws '2 1 3' -V 4 < <(rows '0 0 0 0' '-inf 0 -inf -inf' '0 0 0 0')
}

@test "where --temp is so small that logits overflow, the best are even" {
	rows -n 8 '1 1 1 1 0' >in
	draws "$even_ids" -V 5 --temp 1e-45 in
	draws "$even_ids" -V 5 --temp 1e-40 in
	draws '0 0' -V 2 --temp 1e-40 --top-p 1 < <(rows -n 2 '-1 -2')
}
