#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The ids do not depend on how the input comes.

load helper

# The recordings, with settings that let what was drawn before matter.
settings=(-V 512 -s 7 --temp 1.5 --top-p 1 --repeat-penalty 1.1
    --repeat-last-n 32)

draw()
{
	tokpick "${settings[@]}" "$@"
}

# Enough rows to tell, all of them, and not all the same.
check_many()
{
	(($(wc -l <"$1") == $2)) || fail "$(wc -l <"$1") ids, not $2"
	(($(sort -u "$1" | wc -l) > $2 / 16)) || fail 'too few different ids'
}

@test "zstd and raw give the same ids" {
	for story in story-1 story-2; do
		zstd -dcq "$data/$story.f32.zst" >raw
		draw "$data/$story.f32.zst" >a
		draw raw >b
		check_many a "$(($(stat -c %s raw) / 2048))"
		check_same a b
	done
}

@test "a file, the file as standard input and a pipe give the same ids" {
	zstd -dcq "$data/story-1.f32.zst" >raw
	for file in raw "$data/story-1.f32.zst"; do
		draw "$file" >a
		draw <"$file" >b
		draw < <(cat "$file") >c
		check_many a 256
		check_same a b
		check_same a c
	done
}

@test "raw rows read byte by byte give the same ids" {
	zstd -dcq "$data/story-1.f32.zst" >raw
	head -c $((8 * 2048)) raw >some
	draw some >a
	check_many a 8
	draw < <(feed 1 some) >b
	check_same a b
}

@test "zstd read byte by byte gives the same ids" {
	zstd -dcq "$data/story-1.f32.zst" | head -c $((8 * 2048)) |
	    zstd -cq >some.zst
	draw some.zst >a
	check_many a 8
	draw < <(feed 1 some.zst) >b
	check_same a b
}

@test "reads of 3, 5, 4095, 4097 and 65535 bytes give the same ids" {
	zstd -dcq "$data/story-1.f32.zst" >raw
	draw raw >a
	check_many a 256
	for size in 4095 4097 65535; do
		draw < <(feed "$size" raw) >b
		check_same a b
		draw < <(feed "$size" "$data/story-1.f32.zst") >b
		check_same a b
	done
	head -c $((16 * 2048)) raw >some
	head -n 16 a >first
	for size in 3 5; do
		draw < <(feed "$size" some) >b
		check_same first b
	done
}

@test "reads of a mebibyte give the same ids" {
	for _ in {1..5}; do zstd -dcq "$data/story-1.f32.zst"; done >raw
	draw raw >a
	check_many a $((5 * 256))
	draw < <(feed 1048576 raw) >b
	check_same a b
	zstd -q raw
	draw < <(feed 1048576 raw.zst) >b
	check_same a b
}

@test "reads of random sizes give the same ids" {
	zstd -dcq "$data/story-1.f32.zst" >raw
	draw raw >a
	check_many a 256
	for seed in 1 2 3; do
		draw < <(feed "random:$seed" raw) >b
		check_same a b
		draw < <(feed "random:$seed" "$data/story-1.f32.zst") >b
		check_same a b
	done
}

@test "FILEs cut anywhere give the same ids" {
	zstd -dcq "$data/story-1.f32.zst" >raw
	split -b 33333 raw part.
	draw raw >a
	check_many a 256
	draw part.* >b
	check_same a b
	for part in part.*; do
		zstd -q "$part"
	done
	draw part.*.zst >b
	check_same a b
}

@test "rows of other number formats are cut as freely" {
	rows -d f16 -n 200 '0.5 -1.75 1.25 0 2' >half
	tokpick -V 5 -d f16 half >a
	(($(wc -l <a) == 200))
	for size in 1 7 1000; do
		tokpick -V 5 -d f16 < <(feed "$size" half) >b
		check_same a b
	done
}

@test "a recording draws what golem draws from it" {
	# The first case of tests/vectors/golem-real.tsv.
	prompt=$(<"$data/story-1.prompt")
	vectors=$here/../vectors/golem-real.tsv
	want=$(awk -F '\t' '$1 == "story-1-defaults" { print $4 }' "$vectors")
	draws "$want" -V 512 -s 1 --prompt "$prompt" "$data/story-1.f32.zst"
	(($(wc -l <out) == 256))
}
