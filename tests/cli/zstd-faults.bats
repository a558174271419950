#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# zstd input that is cut off, corrupt or followed by garbage.

load helper

three_rows()
{
	z_header
	z_block '9 0 0 0'
	z_block '0 9 0 0'
	z_last '0 0 9 0'
}

@test "a frame cut off anywhere fails, after the rows before the cut" {
	local ids=(0 1 2) size whole
	three_rows >all
	for ((size = 4; size < 63; size++)); do
		head -c "$size" all >in
		whole=$((size < 6 ? 0 : (size - 6) / 19))
		breaks "${ids[*]:0:whole}" \
		    "in: * at byte 0 ends early, at byte $size: *cut off" \
		    --greedy -V 4 in
	done
	draws '0 1 2' --greedy -V 4 all
}

@test "a compressed frame cut off in the middle serves what came before" {
	head -c 200000 "$data/story-1.f32.zst" >in
	tokpick -V 512 "$data/story-1.f32.zst" >whole
	try -V 512 in
	check_status 1
	check_message 'in: * ends early, at byte 200000: *'
	((count = $(wc -l <out)))
	((count >= 90 && count < 256)) || fail "$count ids of half the file"
	head -n "$count" whole | check_same - out
}

@test "a second frame that is cut off is named by where it begins" {
	three_rows >in
	three_rows | head -c 30 >>in
	breaks '0 1 2 0' \
	    'in: the zstd frame at byte 63 ends early, at byte 93:*' \
	    --greedy -V 4 in
}

@test "a skippable frame that is cut off fails" {
	three_rows >in
	printf '\x50\x2a\x4d\x18\x09\x00\x00\x00abc' >>in
	breaks '0 1 2' \
	    'in: the zstd frame at byte 63 ends early, at byte 74:*' \
	    --greedy -V 4 in
}

@test "a frame that ends inside a row leaves a partial row" {
	{ z_header; printf '\x61\x00\x00'; head -c 12 /dev/zero; } >in
	breaks '' 'in: row 1 ends after 12 of 16 bytes*' -V 4 in
}

@test "a wrong checksum fails, after the rows" {
	rows '9 0 0 0' '0 9 0 0' | zstd -cq --check >in
	draws '0 1' --greedy -V 4 in
	size=$(stat -c %s in)
	last=$(tail -c 1 in | od -An -tu1)
	head -c $((size - 1)) in >bad
	# shellcheck disable=SC2059 # made to be a format
	printf "\\x$(printf %02x $((last ^ 1)))" >>bad
	breaks '0 1' 'bad: the zstd frame at byte 0 *checksum*' \
	    --greedy -V 4 bad
}

@test "a corrupt block fails, after the rows before it" {
	{
		z_header
		z_block '9 0 0 0'
		z_block '0 9 0 0'
		printf '\x87\x00\x00' # a block of the reserved type
		rows '0 0 9 0'
	} >in
	breaks '0 1' 'in: the zstd frame at byte 0 is corrupt near byte 44: *' \
	    --greedy -V 4 in
}

@test "a flipped bit in a block or in the checksum is found, wherever" {
	even | zstd -cq --check >good
	size=$(stat -c %s good)
	for ((at = 6; at < size; at++)); do # behind the header
		byte=$(od -An -tu1 -j "$at" -N 1 good)
		head -c "$at" good >bad
		# shellcheck disable=SC2059 # made to be a format
		printf "\\x$(printf %02x $((byte ^ 16)))" >>bad
		tail -c "+$((at + 2))" good >>bad
		try -V 4 bad
		check_status 1
		check_message 'bad: *'
	done
}

@test "garbage after the last frame is named by its offset" {
	three_rows >in
	printf 'garbage' >>in
	breaks '0 1 2' 'in: no zstd frame begins at byte 63: *garbage*' \
	    --greedy -V 4 in
}

@test "one byte of garbage, or three, is garbage too" {
	three_rows >all
	for garbage in x '\0' '\x28\xb5\x2f'; do
		{ cat all; printf '%b' "$garbage"; } >in
		breaks '0 1 2' 'in: * byte 63*' --greedy -V 4 in
	done
}

@test "raw rows behind a zstd frame in one FILE are garbage" {
	{ three_rows; rows '0 0 0 9'; } >in
	breaks '0 1 2' 'in: no zstd frame begins at byte 63:*' --greedy -V 4 in
}

@test "garbage behind frames on standard input is named likewise" {
	breaks '0 1 2' 'standard input: no zstd frame begins at byte 63:*' \
	    --greedy -V 4 < <(three_rows; echo garbage)
}

@test "a frame that needs a dictionary says so" {
	printf '\x28\xb5\x2f\xfd\x01\x58\x07' >in # dictionary 7
	z_last '0 0 0 9' >>in
	breaks '' 'in: the zstd frame at byte 0 needs a dictionary*' -V 4 in
}

@test "a header with a reserved bit set is corrupt" {
	printf '\x28\xb5\x2f\xfd\x08\x58' >in
	z_last '0 0 0 9' >>in
	breaks '' 'in: the zstd frame at byte 0 *' -V 4 in
}

@test "the fault of a later FILE is named with that FILE" {
	three_rows >a
	three_rows | head -c 40 >b
	breaks '0 1 2 0' 'b: the zstd frame at byte 0 ends early*' \
	    --greedy -V 4 a b
}

# libzstd takes such a block where it is given the whole frame at once.
@test "a block above its frame's bound is corrupt, whoever reads ahead" {
	head -c 524288 /dev/zero >zeros
	for block in '\x68\x03\0\x80\0' '\0\x03\0\x08\0'; do # 2^20, 2^16
		{
			zstd -cq1 zeros
			printf '\x50\x2a\x4d\x18\0\0\x10\0' # passed over
			cat zeros zeros
			printf '\x28\xb5\x2f\xfd\0%b' "$block"
		} >in
		for threads in 1 4; do
			try -V 4096 -j "$threads" in
			check_status 1
			check_message 'in: the zstd frame at byte *'
			[[ $(wc -l <out) == 32 ]] || fail "$(wc -l <out) rows"
		done
	done
}
