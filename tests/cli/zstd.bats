#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# zstd input: frames, windows, and when it is looked for.

load helper

@test "a zstd frame is taken off, by FILE and by pipe" {
	even | zstd -cq >in.zst
	draws "$even_ids" -V 4 in.zst
	draws "$even_ids" -V 4 < <(cat in.zst)
}

@test "every level and kind of frame is read" {
	even >in
	for option in -1 -19 --fast=5 --no-check --no-content-size \
	    --long=27; do
		zstd -cq "$option" in >in.zst
		draws "$even_ids" -V 4 in.zst
	done
}

@test "frames end to end are one stream" {
	rows '9 0 0 0' '0 9 0 0' | zstd -cq >in.zst
	rows '0 0 9 0' '0 0 0 9' | zstd -cq >>in.zst
	draws '0 1 2 3' -V 4 in.zst
}

@test "rows span frames" {
	even >in
	{
		head -c 5 in | zstd -cq
		tail -c +6 in | head -c 30 | zstd -cq
		tail -c +36 in | zstd -cq
	} >in.zst
	draws "$even_ids" -V 4 in.zst
}

@test "a stream may be many small frames, empty ones among them" {
	even >in
	for ((i = 1; i <= 128; i += 3)); do
		tail -c "+$i" in | head -c 3 | zstd -cq
		((i % 4)) || zstd -cq </dev/null
	done >in.zst
	draws "$even_ids" -V 4 in.zst
}

@test "an empty frame holds no rows" {
	draws '' -V 4 < <(zstd -cq </dev/null)
}

@test "skippable frames are passed over, first, between and last" {
	even >in
	{
		printf '\x50\x2a\x4d\x18\x03\x00\x00\x00abc'
		head -c 20 in | zstd -cq
		printf '\x57\x2a\x4d\x18\x00\x00\x00\x00'
		tail -c +21 in | zstd -cq
		printf '\x5f\x2a\x4d\x18\x05\x00\x00\x00\x28\xb5\x2f\xfd!'
	} >in.zst
	draws "$even_ids" -V 4 in.zst
}

@test "all sixteen kinds of skippable frame are known" {
	for digit in {0..9} a b c d e f; do
		printf '\x5'"$digit"'\x2a\x4d\x18\x01\x00\x00\x00!'
	done >in.zst
	draws '' -V 4 in.zst
	even | zstd -cq >>in.zst
	draws "$even_ids" -V 4 in.zst
}

@test "a row that begins like zstd is a row with --input raw" {
	rows -d f32 '0xfd2fb528 1 2 0' >in # the magic is -1.46e37
	breaks '' '* zstd frame at byte 0 *' -V 4 in
	draws 2 -V 4 --input raw --greedy in
}

@test "a row that begins like a skippable frame is a row with --input raw" {
	rows '0x184d2a50 -1 -2 -3' >in # 2.65e-24
	breaks '' '* zstd frame at byte 0 *' -V 4 in
	draws 0 -V 4 --input raw --greedy in
}

@test "--input zstd reads zstd" {
	draws "$even_ids" -V 4 --input zstd < <(even | zstd -cq)
}

@test "--input zstd refuses what is not, and says what reads it" {
	even >in
	breaks '' 'in: no zstd frame begins at byte 0: *--input raw*' \
	    -V 4 --input zstd in
}

@test "--input zstd takes an empty input for no rows" {
	draws '' -V 4 --input zstd </dev/null
}

@test "--input auto is the default" {
	draws "$even_ids" -V 4 --input auto < <(even)
	draws "$even_ids" -V 4 --input auto < <(even | zstd -cq)
}

@test "--input takes no other word" {
	refuses "--input: 'gzip' *auto*raw*zstd*" -V 4 --input gzip
}

@test "a window of 2^27 is taken, as the zstd tool takes it" {
	draws 3 -V 4 < <(z_header 88; z_last '0 0 0 99')
}

@test "a larger window is refused, and the message names the one needed" {
	{ z_header 90; z_last '0 0 0 99'; } >in.zst
	breaks '' 'in.zst: * byte 0 * 2^28 *--max-window 28' -V 4 in.zst
}

@test "--max-window lets it in" {
	draws 3 -V 4 --max-window 28 < <(z_header 90; z_last '0 0 0 99')
}

@test "--max-window shuts out what is larger" {
	{ z_header 58; z_last '0 0 0 99'; } >in.zst # 2^21
	draws 3 -V 4 --max-window 21 in.zst
	breaks '' '* 2^21 *above 2^20*--max-window 21' \
	    -V 4 --max-window 20 in.zst
}

@test "a window between two powers needs the higher one" {
	# 2^28 and an eighth
	breaks '' '*--max-window 29' -V 4 < <(z_header 91; z_last '0 0 0 99')
}

@test "a window that libzstd does not take is refused without advice" {
	# 2^41
	breaks '' '* window of 2^41 bytes, more than *' \
	    -V 4 --max-window 31 < <(z_header f8; z_last '0 0 0 99')
}

@test "the rows before a frame with too large a window are drawn" {
	{
		z_header; z_last '0 0 99 0'
		z_header 90; z_last '0 0 0 99'
	} >in.zst
	breaks 2 'in.zst: * at byte 25 *--max-window 28' -V 4 in.zst
}

@test "a frame that claims a content of 2^40 bytes takes no memory for it" {
	# A single segment, an 8-byte content size; then a stored block.
	{
		printf '\x28\xb5\x2f\xfd\xe0\x00\x00\x00\x00\x00\x01\x00\x00'
		z_last '0 0 0 99'
	} >in.zst
	breaks '' '* 2^40 *' -V 4 in.zst
}

@test "--max-window is from 10 to 31" {
	for value in 9 32 -1; do
		refuses "--max-window: $value is out of range: 10 to 31" \
		    -V 4 --max-window "$value"
	done
	draws '' -V 4 --max-window 10 </dev/null
}
