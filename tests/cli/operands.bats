#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# FILE operands: one stream of rows, as with cat.

load helper

@test "a FILE is read in place of standard input" {
	even >in
	rows '0 0 0 nan' >other
	draws "$even_ids" -V 4 in <other
}

@test "- is standard input" {
	draws "$even_ids" -V 4 - < <(even)
}

@test "./- is a file" {
	even >-
	draws "$even_ids" -V 4 ./- </dev/null
}

@test "several FILEs are one stream of rows, in the order given" {
	rows '9 0 0 0' '0 9 0 0' >a
	rows '0 0 9 0' >b
	draws '0 1 2' -V 4 a b
	draws '2 0 1' -V 4 b a
}

@test "the random numbers go on from FILE to FILE" {
	rows -n 3 '0 0 0 0' >a
	rows -n 5 '0 0 0 0' >b
	draws "$even_ids" -V 4 a b
}

@test "- stands between FILEs where it is put" {
	rows '9 0 0 0' >a
	rows '0 0 9 0' >b
	draws '0 1 2' -V 4 a - b < <(rows '0 9 0 0')
}

@test "a second - finds nothing more" {
	rows '9 0' >a
	draws '1 0' -V 2 - a - < <(rows '0 9')
}

@test "raw and zstd FILEs mix" {
	rows '9 0 0 0' >a
	rows '0 9 0 0' | zstd -cq >b.zst
	rows '0 0 9 0' >c
	rows '0 0 0 9' | zstd -cq >d.zst
	draws '0 1 2 3' -V 4 a b.zst c d.zst
	draws '3 2 1 0' -V 4 d.zst c b.zst a
	draws '1 0 3' -V 4 b.zst a - < <(cat d.zst)
}

@test "the compression is seen in the bytes, not in the name" {
	rows '0 9 0 0' | zstd -cq >raw
	rows '0 0 9 0' >packed.zst
	draws '1 2' -V 4 raw packed.zst
}

@test "a row may span raw FILEs" {
	even >in
	head -c 25 in >a
	tail -c +26 in >b
	draws "$even_ids" -V 4 a b
}

@test "a row may span a raw and a zstd FILE, and back" {
	even >in
	head -c 21 in >a
	tail -c +22 in | head -c 50 | zstd -cq >b
	tail -c +72 in >c
	draws "$even_ids" -V 4 a b c
}

@test "a row may be made of FILEs of a byte each" {
	rows '0 0 0 9' >in
	for i in {1..16}; do
		tail -c "+$i" in | head -c 1 >"byte$i"
	done
	draws 3 -V 4 byte{1..16}
}

@test "empty FILEs among others change nothing" {
	: >empty
	zstd -cq empty >empty.zst
	even >in
	draws "$even_ids" -V 4 empty in empty.zst /dev/null
	draws '' -V 4 empty empty.zst
}

@test "a FILE may be a FIFO" {
	mkfifo fifo
	rows '0 9 0 0' >a
	rows '0 0 9 0' >fifo 3>&- &
	draws '1 2' -V 4 a fifo
}

@test "a FILE is opened when its turn comes, and not when none comes" {
	even >in
	draws '2 3' -V 4 -n 2 in missing
}

@test "-- ends the options" {
	even >-V
	draws "$even_ids" -V 4 -- -V
}
