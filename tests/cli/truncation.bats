#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --top-k, --top-p, --min-p, --min-keep, and --no-defaults.

load helper

@test "without truncation all of these rows is drawn from" {
	draws "$halves_ids" -V 4 < <(halves)
}

@test "--top-k keeps the K highest" {
	halves >in
	draws "$halves_best_1" -V 4 --top-k 1 in
	draws "$halves_best_2" -V 4 --top-k 2 in
	draws "$halves_best_3" -V 4 --top-k 3 in
	draws "$halves_ids" -V 4 --top-k 4 in
}

@test "--top-k takes the lower ids of equal logits, and no more than K" {
	# int(10 * unit)
	draws '6 8 3 6 6 4 1 6' -V 100 --no-defaults --top-k 10 < <(hundred)
}

@test "--top-k of 0, below 0 or above the vocabulary keeps all" {
	hundred >in
	for k in 0 -1 -9223372036854775808 100 101 9223372036854775807; do
		draws "$hundred_ids" -V 100 --top-k "$k" --top-p 1 in
	done
}

@test "--top-k is 64 where it is not given" {
	hundred >in
	draws '43 52 22 40 43 26 12 39' -V 100 --top-p 1 in
	draws '43 52 22 40 43 26 12 39' -V 100 --top-p 1 --top-k 64 in
}

@test "--top-p keeps the likeliest until they reach P" {
	halves >in
	draws "$halves_best_1" -V 4 --top-p 0.4 in
	draws "$halves_best_2" -V 4 --top-p 0.6 in
	draws "$halves_best_3" -V 4 --top-p 0.8 in
	draws "$halves_ids" -V 4 --top-p 0.9 in
}

@test "--top-p 0 keeps the best" {
	draws "$halves_best_1" -V 4 --top-p 0 < <(halves)
}

@test "--top-p of 1 or more keeps all" {
	hundred >in
	for p in 1 1.5 1e30; do
		draws "$hundred_ids" -V 100 --top-k 0 --top-p "$p" in
	done
}

@test "--top-p is 0.95 where it is not given" {
	hundred >in
	# 61 of the 64 are 0.953.
	draws '41 50 21 38 41 24 12 37' -V 100 in
	draws '41 50 21 38 41 24 12 37' -V 100 --top-p 0.95 in
}

@test "--min-p keeps what is at least P times as likely as the best" {
	halves >in
	draws "$halves_best_1" -V 4 --min-p 0.6 in
	draws "$halves_best_2" -V 4 --min-p 0.4 in
	draws "$halves_ids" -V 4 --min-p 0.2 in
}

@test "--min-p 1 keeps what is as likely as the best" {
	# A fair choice between 0 and 2.
	draws '2 2 0 2 2 0 0 2' -V 3 --min-p 1 < <(rows -n 8 '1 0 1')
}

@test "--min-p of 0 or less keeps all" {
	rows -n 300 '0 -3.1' >in
	for p in 0 -0.5 -1e30; do
		try -V 2 --top-p 1 --min-p "$p" in
		check_status 0
		check_seen '0 1'
	done
}

@test "--min-p is 0.05 where it is not given" {
	rows -n 300 '0 -2.9 -3.1' >in # e^-2.9 is 0.055, e^-3.1 0.045
	try -V 3 --top-p 1 in
	check_seen '0 1'
	try -V 3 --top-p 1 --min-p 0.05 in
	check_seen '0 1'
	try -V 3 --top-p 1 --min-p 0.04 in
	check_seen '0 1 2'
	try -V 3 --top-p 1 --min-p 0.06 in
	check_seen '0'
}

@test "no truncation leaves fewer than --min-keep" {
	halves >in
	for cut in --top-k=1 --top-p=0.4 --min-p=0.6; do
		draws "$halves_best_1" -V 4 "$cut" in
		draws "$halves_best_1" -V 4 "$cut" --min-keep 1 in
		draws "$halves_best_2" -V 4 "$cut" --min-keep 2 in
		draws "$halves_best_3" -V 4 "$cut" --min-keep 3 in
		draws "$halves_ids" -V 4 "$cut" --min-keep 9 in
	done
}

@test "--min-keep 0 is off, and the default" {
	draws "$halves_best_1" -V 4 --top-k 1 --min-keep 0 < <(halves)
}

@test "--min-keep adds nothing where more is kept" {
	draws "$halves_best_3" -V 4 --top-k 3 --min-keep 2 < <(halves)
}

@test "--no-defaults draws from the plain softmax" {
	draws "$hundred_ids" -V 100 --no-defaults < <(hundred)
	rows -n 3000 '0 -4' >in # p of the second: 0.018
	try -V 2 --no-defaults in
	check_seen '0 1'
}

@test "after --no-defaults an option turns its stage on, and no other" {
	hundred >in
	draws '6 8 3 6 6 4 1 6' -V 100 --no-defaults --top-k 10 in
	draws '6 8 3 6 6 4 1 6' -V 100 --top-k 10 --no-defaults in
	draws '21 25 10 19 20 12 6 19' -V 100 --no-defaults --top-p 0.3 in
	halves >in
	draws "$halves_best_2" -V 4 --no-defaults --min-p 0.4 in
	draws '2 3 0 2 2 1 0 1' -V 4 --no-defaults --temp 2 in
	draws '0 1' -V 2 --no-defaults --greedy --presence-penalty 3 \
	    < <(rows -n 2 '1 0')
}

@test "--no-defaults keeps --min-keep off and obeys it" {
	halves >in
	draws "$halves_best_1" -V 4 --no-defaults --top-k 1 in
	draws "$halves_best_2" -V 4 --no-defaults --top-k 1 --min-keep 2 in
}

# The bits of a row whose probabilities, added up in the order of the ids,
# come to other floats than golem's, which are added up in rank order.
@test "without a top-k the sums still run in rank order" {
	printf '\x26\x1b\xa2\xbf\x58\xd0\x24\xbf\x9e\x92\xfe\xbe\0\0\0\0' >in
	for k in 0 4; do
		try -V 4 --no-defaults --top-p 0.414019793 --top-k "$k" \
		    -o jsonl in
		check_status 0
		[[ $(<out) == *'"top_p":1,'* ]] || fail "--top-k $k"
	done
}
