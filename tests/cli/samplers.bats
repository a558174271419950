#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --samplers: which stages run, and in which order.

load helper

@test "the five stages in their order are the default" {
	tokpick -V 512 -s 3 --repeat-penalty 1.3 --temp 0.8 \
	    "$data/story-1.f32.zst" >a
	tokpick -V 512 -s 3 --repeat-penalty 1.3 --temp 0.8 \
	    --samplers 'penalties;top_k;top_p;min_p;temperature' \
	    "$data/story-1.f32.zst" >b
	(($(wc -l <a) == 256))
	check_same a b
}

@test "a stage that is not named does not run" {
	halves >in
	draws "$halves_ids" -V 4 --samplers 'top_p;min_p;temperature' in
	hundred >in
	draws '43 52 22 40 43 26 12 39' -V 100 --samplers top_k in
	draws "$hundred_ids" -V 100 --samplers 'min_p;temperature' in
	rows -n 3 '1 0' >in
	try -V 2 --greedy --samplers top_k --presence-penalty 9 in
	check_status 0
	check_ids '0 0 0'
}

@test "an empty list runs no stage: the plain softmax" {
	draws "$hundred_ids" -V 100 --samplers '' < <(hundred)
	draws "$halves_ids" -V 4 --samplers '' < <(halves)
}

@test "a named stage runs with the value given" {
	halves >in
	draws "$halves_best_2" -V 4 --samplers top_k --top-k 2 in
	draws "$halves_best_2" -V 4 --samplers top_p --top-p 0.6 in
	draws "$halves_best_2" -V 4 --samplers min_p --min-p 0.4 in
	draws '0 1 0 0 0 0 0 0' -V 4 --samplers temperature --temp 0.5 in
	draws '0 1' -V 2 --greedy --samplers penalties --presence-penalty 9 \
	    < <(rows -n 2 '1 0')
}

@test "the order counts: temperature before top-p flattens what it sees" {
	halves >in
	draws '1 1 0 1 1 0 0 1' -V 4 --top-p 0.7 --temp 100 \
	    --samplers 'top_p;temperature' in
	draws '2 2 1 1 2 1 0 1' -V 4 --top-p 0.7 --temp 100 \
	    --samplers 'temperature;top_p' in
}

@test "the order counts: penalties after top-k find only what it kept" {
	rows '3 2' >in
	with='-V 2 --greedy --top-k 1 --presence-penalty 9 --prompt 0'
	# shellcheck disable=SC2086 # words
	{
		draws 1 $with --samplers 'penalties;top_k' in
		draws 0 $with --samplers 'top_k;penalties' in
	}
}

@test "penalties after top-k rank anew what it kept" {
	draws 1 -V 3 --greedy --top-k 2 --presence-penalty 1.5 --prompt 0 \
	    --samplers 'top_k;penalties' < <(rows '3 2 1.9')
}

@test "llama.cpp's other spellings are known" {
	halves >in
	draws "$halves_best_2" -V 4 --samplers top-k --top-k 2 in
	draws "$halves_best_2" -V 4 --samplers top-p --top-p 0.6 in
	draws "$halves_best_2" -V 4 --samplers nucleus --top-p 0.6 in
	draws "$halves_best_2" -V 4 --samplers min-p --min-p 0.4 in
	draws '0 1 0 0 0 0 0 0' -V 4 --samplers temp --temp 0.5 in
}

@test "a ; at the end is no harm" {
	draws "$halves_best_2" -V 4 --samplers 'top_k;' --top-k 2 < <(halves)
}

@test "a stage may come twice" {
	draws "$halves_best_1" -V 4 --samplers 'top_p;top_k;top_p' --top-p 0.6 \
	    --top-k 3 < <(halves)
}

@test "an unknown stage is refused, and the known ones are named" {
	for name in top_q TOP_K dry mirostat top_ k 'top_k '; do
		refuses "--samplers: '$name' *penalties*top_k*temperature*" \
		    -V 4 --samplers "top_k;$name"
	done
	refuses "--samplers: '' *" -V 4 --samplers ';'
	refuses "--samplers: '' *" -V 4 --samplers 'top_k;;top_p'
	refuses "--samplers: 'top_k,top_p' *" -V 4 --samplers 'top_k,top_p'
}

@test "an option whose stage is left out is warned of" {
	halves >in
	try -V 4 --samplers top_k --top-p 0.1 in
	check_status 0
	check_message '--top-p *no effect*'
	check_ids "$halves_ids"
	try -V 4 --samplers top_p --presence-penalty 1 --temp 2 in
	check_status 0
	check_says '--presence-penalty *no effect*'
	check_says '--temp *no effect*'
	draws "$halves_ids" -q -V 4 --samplers top_k --top-p 0.1 in
}

@test "--temp 0 without the temperature stage is not greedy" {
	try -V 4 --samplers top_k --temp 0 < <(halves)
	check_status 0
	check_ids "$halves_ids"
}

@test "--min-keep holds whatever the order" {
	halves >in
	for order in 'top_k;top_p' 'top_p;top_k' 'min_p;top_k'; do
		draws "$halves_best_2" -V 4 -q --samplers "$order" --top-k 1 \
		    --top-p 0.1 --min-p 1 --min-keep 2 in
	done
}
