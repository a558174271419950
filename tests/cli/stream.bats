#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --stream row: a row's random numbers depend on the seed and the row alone.

load helper

recording()
{
	zstd -dcq "$data/story-1.f32.zst" >in
}

# after N: the rows but the first N, of 512 floats each.
after()
{
	tail -c +$(($1 * 2048 + 1)) in
}

@test "a range of rows draws what the whole run draws there" {
	recording
	for policy in golem strict llama.cpp; do
		set -- --policy $policy -V 512 -s 9 --temp 2 --stream row
		[ $policy = strict ] || set -- "$@" --top-k 0
		tokpick "$@" in >whole
		for n in 1 7 100; do
			tail -n +$((n + 1)) whole >want
			after $n | tokpick "$@" --row-base $((n + 1)) >out
			cmp out want
		done
		# It is no matter of course.
		after 7 | tokpick "$@" >other
		tail -n +8 whole >want
		run -1 cmp -s other want
	done
}

@test "the coin of xtc is tossed for each row by itself" {
	recording
	set -- --policy llama.cpp -V 512 -s 9 --temp 2 --stream row \
	    --xtc-probability 0.5 --xtc-threshold 0.01 -o jsonl
	tokpick "$@" in >whole
	after 50 | tokpick "$@" --row-base 51 >out
	for file in whole out; do
		grep -o '^{"row":[0-9]*\|"coin":[0-9.e-]*' $file >$file.coins
	done
	cmp out.coins <(grep -A 999 -x '{"row":51' whole.coins)
}

@test "of several draws the first is that of one" {
	recording
	set -- -V 512 -s 9 --temp 2 --top-k 0 --stream row
	tokpick "$@" in >one
	tokpick "$@" --draws 3 in >three
	cut -d' ' -f1 three | cmp - one
	cut -d' ' -f2 three >two
	run -1 cmp -s two one
	cut -d' ' -f3 three >last
	run -1 cmp -s two last
}

@test "another seed draws others" {
	recording
	set -- -V 512 --temp 2 --top-k 0 --stream row
	tokpick "$@" -s 1 in >one
	tokpick "$@" -s 2 in >two
	run -1 cmp -s one two
}

@test "rows are numbered from --row-base" {
	rows '1 2' 'nan 0' >in
	try -V 2 --row-base 1000 in -o jsonl
	[ "$status" -eq 1 ]
	grep -q '^{"row":1000,' out
	grep -q 'row 1001: logit of token 0 is NaN' err
	try -V 2 --row-base 0 in
	[ "$status" -eq 2 ]
}

@test "a saved state goes on with the numbers of the rows" {
	recording
	set -- -V 512 -s 9 --temp 2 --top-k 0 --stream row --row-base 5
	tokpick "$@" in >whole
	tokpick "$@" -n 20 --save-state state in >out
	after 20 | tokpick --load-state state >>out
	cmp out whole
}

@test "--rng-state has no meaning there" {
	rows '1 2' >in
	try -V 2 --stream row --rng-state 0 in
	[ "$status" -eq 2 ]
	grep -q -e '--stream row' err
}
