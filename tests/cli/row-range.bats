#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --rows: some of the rows alone.

load helper

# Eight rows; the best token of each is its number, counted from 0.
steps()
{
	rows '9 0*7' '0 9 0*6' '0 0 9 0*5' '0*3 9 0*4' '0*4 9 0*3' '0*5 9 0 0' \
	    '0*6 9 0' '0*7 9'
}

@test "rows are counted from 1, and both ends are in the range" {
	steps >in
	draws '2 3 4' -V 8 --greedy --rows 3:5 in
	draws '0 1' -V 8 --greedy --rows :2 in
	draws '6 7' -V 8 --greedy --rows 7: in
	draws '3' -V 8 --greedy --rows 4 in
	draws '3' -V 8 --greedy --rows 4:4 in
	draws '0 1 2 3 4 5 6 7' -V 8 --greedy --rows 1:1000 in
}

@test "nothing is passed over where nothing is drawn" {
	steps >in
	draws '' -V 8 -n 0 --rows 3: in
	draws '' -V 8 -n 0 --rows 30: in
}

@test "masks that can't be passed over are an error" {
	steps >in
	printf '\xff\0\0\0' >mask
	breaks '' '--mask: mask ends after 0 of the 4 bytes *for row 3: *' \
	    -V 8 --rows 3: --mask mask in
	zstd -qc mask | head -c 8 >cut
	breaks '' 'cut: *' -V 8 --rows 3: --mask cut in
}

@test "the range is the same however the rows come" {
	steps >in
	zstd -qc in >packed
	head -c 40 in >a
	tail -c +41 in | head -c 70 | zstd -qc >b
	tail -c +111 in >c
	{
		python "$here/headers.py" npy '<f4' 8 8
		cat in
	} >in.npy
	for range in 1:3 2:4 4:7 8:; do
		tokpick -V 8 --greedy in >all
		sed -n "${range/:/,}$([[ $range != *: ]] || echo \$)p" all >want
		for input in in packed in.npy 'a b c'; do
			# shellcheck disable=SC2086 # files are words
			tokpick -V 8 --greedy --rows "$range" $input >out
			check_same want out
			# shellcheck disable=SC2086
			cat $input >one
			[[ $input != a* ]] || continue
			tokpick -V 8 --greedy --rows "$range" <one >out
			check_same want out
			tokpick -V 8 --greedy --rows "$range" < <(cat one) >out
			check_same want out
		done
	done
}

@test "large files are read ahead from the range on" {
	for _ in 1 2 3 4; do
		zstd -dcq "$data/story-1.f32.zst"
	done >in
	{
		python "$here/headers.py" safetensors F32 12345 1024 512
		cat in
	} >file
	zstd -qc file >packed
	tokpick -V 512 --greedy in | sed -n 601,700p >want
	for input in in file packed; do
		for threads in 1 3; do
			tokpick -V 512 --greedy -j "$threads" --rows 601:700 \
			    "$input" >out
			check_same want out
		done
	done
}

@test "rows keep their numbers" {
	steps >in
	try -V 8 --greedy -o jsonl --rows 3:4 in
	check_status 0
	[[ $(grep -o '"row":[0-9]*' out | paste -sd ' ') == \
	    '"row":3 "row":4' ]] || fail numbers
	rows '9 0' '0 nan' >bad
	breaks '' 'row 2: *' -V 2 --greedy --rows 2 bad
}

@test "rows outside the range are not looked at" {
	rows '0 nan' '9 0' '0 9' 'nan 0' >in
	draws '0 1' -V 2 --greedy --rows 2:3 in
	draws '0 1' -V 2 --greedy --rows 2:3 < <(cat in)
}

@test "part of a row behind the range is no error" {
	{
		rows '9 0' '0 9'
		printf abc
	} >in
	draws '0 1' -V 2 --greedy --rows 1:2 in
	breaks '0 1' 'in: row 3 ends after 3 of 8 bytes*' \
	    -V 2 --greedy --rows 1: in
}

@test "a range that begins behind the last row is an error" {
	steps >in
	for range in 9: 10:12 1000000000000: 18446744073709551615:; do
		breaks '' '*: the input ends after 8 rows, before the first of --rows' \
		    -V 8 --rows "$range" in
		breaks '' '*: the input ends after 8 rows, *' -V 8 --rows "$range" \
		    < <(cat in)
	done
	draws '7' -V 8 --greedy --rows 8:9 in
	# At a byte that is 2^64.
	rows -n 2 '0*4096' >in
	breaks '' '*: the input ends after 2 rows, before the first of --rows' \
	    -V 4096 --rows 1125899906842625: in
}

@test "a fault in what is passed over is told" {
	{
		steps | head -c 32 | zstd -qc
		echo no frame
	} >in
	breaks '' 'in: no zstd frame begins at byte *' -V 8 --rows 3: in
	steps >in
	breaks '' 'missing: *' -V 8 --rows 3: missing
	breaks '' 'missing: *' -V 8 --rows 3: --mask missing in
}

@test "sizes are suggested for an input of any length" {
	truncate -s 4T in || skip 'the file system has no such large files'
	breaks '' 'in: row 314146179365 ends after 8 of 14 bytes*; sizes that divide the input: 8, 4, 16, 2, 32, 1' \
	    -V 7 -d f16 --rows 314146179365: in
}

@test "what is no range is refused" {
	for range in '' : x 1-2 1:2:3 '1 :2' ' 1' 1.5 -1:3; do
		refuses "--rows: '$range' is no range: *" -V 4 --rows "$range"
	done
	for range in 0:2 0 0: 3:2 1:0; do
		refuses "--rows: $range: the rows are counted from 1*" \
		    -V 4 --rows "$range"
	done
	refuses '--rows: the rows of --exec are raw*' -V 4 --exec cat --rows 1:2
}

@test "recorded ids, expected ones and masks are those of the rows" {
	steps >in
	echo 0 1 2 3 4 5 6 7 >ids
	python -c 'import sys
for bits in 1, 1, 255, 255, 1, 255, 255, 255:
    sys.stdout.buffer.write(bits.to_bytes(4, "little"))' >masks
	draws '2 3 0 5' -V 8 --greedy --rows 3:6 --mask masks in
	draws '2 3 4' -V 8 --greedy --rows 3:5 --expect ids --history ids in
	echo 0 1 2 9 4 >other
	try -V 8 --greedy --rows 3:5 --expect other in
	check_status 1
	check_message '--expect: row 4: drew 3 *, recorded is 9*2 of 3 agree'
	breaks '2 3' '--history: 4 ids are recorded, row 5 has none*' \
	    -V 8 --greedy --rows 3:5 --history <(echo 0 1 2 3) in
	breaks '6 7' '--history: 9 ids are recorded, the input has 8 rows*' \
	    -V 8 --greedy --rows 7: --history <(echo 0 1 2 3 4 5 6 7 7) in
}

# What is in the window at row 5 is the same as without --rows.
@test "ids recorded before the range join the window" {
	local story=(-V 512 --repeat-penalty 2 --repeat-last-n -1
	    --history "$data/story-1.ids" --prompt "@$data/story-1.prompt")
	tokpick "${story[@]}" -o jsonl --greedy "$data/story-1.f32.zst" |
	    sed -n 101,110p | sed 's/"prefix":[0-9]*//' >want
	tokpick "${story[@]}" -o jsonl --greedy --rows 101:110 \
	    "$data/story-1.f32.zst" | sed 's/"prefix":[0-9]*//' >out
	check_same want out
	tokpick "${story[@]}" --inspect --top 3 -o jsonl --rows 101 \
	    "$data/story-1.f32.zst" >out
	(($(wc -l <out) == 1))
}

@test "with --stream row the draws are those of a whole run" {
	tokpick -V 512 --stream row "$data/story-1.f32.zst" | sed -n 31,50p >want
	tokpick -V 512 --stream row --rows 31:50 --history "$data/story-1.ids" \
	    "$data/story-1.f32.zst" >out
	check_same want out
}

# With a penalty that bans, each of four equal rows draws another id.
@test "rows of several sequences keep their place in them" {
	rows -n 12 '4 3 2 1' >in
	echo 0 1 2 0 1 2 0 1 2 0 1 2 >ids
	local once=(-V 4 --greedy --presence-penalty 100 --history ids
	    -o jsonl)
	for how in '--sequence-rows 3' '--batch 4' '--batch 2'; do
		# shellcheck disable=SC2086 # options are words
		tokpick "${once[@]}" $how in | sed 's/"prefix":[0-9]*//' >all
		for range in 2:12 5:8 6:7 7:; do
			sed -n "${range/:/,}$([[ $range != *: ]] || echo \$)p" \
			    all >want
			# shellcheck disable=SC2086
			tokpick "${once[@]}" $how --rows "$range" in |
			    sed 's/"prefix":[0-9]*//' >out
			check_same want out
		done
	done
}

@test "rows are counted from 1 whatever --row-base says" {
	steps >in
	try -V 8 --greedy -o jsonl --row-base 101 --rows 3:4 in
	check_status 0
	[[ $(grep -o '"row":[0-9]*' out | paste -sd ' ') == \
	    '"row":103 "row":104' ]] || fail numbers
}

@test "the end of the range is a reason to stop" {
	steps >in
	draws '2 3' -V 8 --greedy --rows 3:4 --summary summary in
	check_json summary 'stop="last-row"' rows=2 tokens=2
	draws '7' -V 8 --greedy --rows 8: --summary summary in
	check_json summary 'stop="end-of-input"' rows=1
}

@test "a saved state goes on behind the range" {
	even >in
	tokpick -V 4 --rows :3 --save-state s in >a
	tokpick --load-state s --rows 4: -o jsonl in >b
	[[ $(paste -sd ' ' a) == "${even_ids:0:5}" ]] || fail "$(<a)"
	[[ $(grep -o '"id":[0-9]*' b | cut -d : -f 2 | paste -sd ' ') == \
	    "${even_ids:6}" ]] || fail "$(<b)"
	grep -q '"row":4,' b
}
