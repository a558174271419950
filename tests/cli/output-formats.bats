#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --output ids, i32 and text; --pieces.

load helper

@test "ids are decimal, one a line, and the default" {
	rows '0*99999 9' '9 0*99999' '0*10 9 0*99989' >in
	try -V 100000 in
	check_out '99999\n0\n10\n'
	try -V 100000 -o ids in
	check_out '99999\n0\n10\n'
}

@test "i32 are four bytes each, little-endian" {
	rows '0*99999 9' '9 0*99999' '0*258 9 0*99741' >in
	try -V 100000 -o i32 in
	check_status 0
	check_silence
	check_out '\x9f\x86\x01\0\0\0\0\0\x02\x01\0\0'
	try -V 100000 --output=i32 in
	check_out '\x9f\x86\x01\0\0\0\0\0\x02\x01\0\0'
}

@test "i32 and ids tell the same story" {
	tokpick -V 512 "$data/story-1.f32.zst" >ids
	tokpick -V 512 -o i32 "$data/story-1.f32.zst" >i32
	od -An -v -td4 -w4 i32 | tr -d ' ' >ids.i32
	(($(wc -l <ids) == 256))
	check_same ids ids.i32
}

@test "text is the pieces' bytes, end to end and nothing else" {
	rows '9 0 0 0' '0 0 9 0' '0 9 0 0' '0 0 0 9' >in
	printf 'one\n two\n\nthree four\n' >pieces
	try -V 4 --greedy -o text --pieces pieces in
	check_status 0
	check_silence
	check_out 'one twothree four'
}

@test "text is what the ids stand for" {
	tokpick -V 512 "$data/story-1.f32.zst" >ids
	tokpick -V 512 -o text --pieces "$data/story.pieces.txt" \
	    "$data/story-1.f32.zst" >text
	while read -r id; do
		piece=$(sed -n "$((id + 1))p" "$data/story.pieces.txt")
		printf '%b' "$piece"
	done <ids >expected
	(($(wc -c <text) > 256))
	check_same expected text
}

@test "a piece may hold \\\\ \\n \\r \\t and any byte as \\xNN" {
	printf '%s\n' 'a\\b' '\n' '\r\t' '\x00\xff\xaB\xC3' '\\x41' >pieces
	rows '9 0 0 0 0' '0 9 0 0 0' '0 0 9 0 0' '0 0 0 9 0' '0 0 0 0 9' >in
	try -V 5 --greedy -o text --pieces pieces in
	check_status 0
	check_out 'a\\b\n\r\t\x00\xff\xab\xc3\\x41'
}

@test "a piece may be any UTF-8, blanks, or long" {
	long=$(printf 'x%.0s' {1..100000})
	printf '%s\n' ' é→🙂 ' $'\t' "$long" >pieces
	rows '9 0 0' '0 9 0' '0 0 9' '9 0 0' >in
	try -V 3 --greedy -o text --pieces pieces in
	check_status 0
	printf '%s' ' é→🙂 ' $'\t' "$long" ' é→🙂 ' | check_same - out
}

@test "the last piece may lack its line end" {
	printf 'a\nb' >pieces
	try -V 2 --greedy -o text --pieces pieces < <(rows '0 9' '9 0')
	check_status 0
	check_out ba
}

@test "a carriage return before a line end belongs to the piece" {
	printf 'a\r\nb\n' >pieces
	try -V 2 --greedy -o text --pieces pieces < <(rows '9 0' '0 9')
	check_out 'a\rb'
}

@test "text without pieces is refused, with what to give" {
	refuses '--output text: *--pieces FILE*--gguf FILE' -V 4 -o text </dev/null
}

@test "an id without a piece fails, after the text before it" {
	printf 'a\nb\n' >pieces
	try -V 4 --greedy -o text --pieces pieces \
	    < <(rows '0 9 0 0' '9 0 0 0' '0 0 0 9' '9 0 0 0')
	check_status 1
	check_message 'row 3: token 3 has no piece*'
	check_out ba
}

@test "fewer or more pieces than the vocabulary are no harm in themselves" {
	printf 'a\nb\n' >pieces
	try -V 4 --greedy -o text --pieces pieces < <(rows '0 9 0 0')
	check_status 0
	check_out b
	try -V 1 --greedy -o text --pieces pieces < <(rows 0)
	check_status 0
	check_out a
}

@test "a backslash before anything else is refused, with its line" {
	for bad in '\' '\q' '\x' '\x4' '\x4g' '\xg4' '\N' '\0'; do
		printf 'fine\n%s\nfine\n' "$bad" >pieces
		breaks '' 'pieces: line 2: *' \
		    -V 4 -o text --pieces pieces </dev/null
	done
}

@test "pieces that can't be read fail, even where none is printed" {
	breaks '' 'missing: *' -V 4 --pieces missing </dev/null
	breaks '' '.: *directory*' -V 4 -o text --pieces . </dev/null
	: >pieces
	breaks '' 'pieces: *' -V 4 -o text --pieces pieces </dev/null
}

@test "--pieces - is refused: standard input is for rows" {
	refuses '*standard input is for rows*' -V 4 --pieces - </dev/null
}

@test "--pieces may be a FIFO" {
	mkfifo fifo
	printf 'a\nb\n' >fifo 3>&- &
	try -V 2 --greedy -o text --pieces fifo < <(rows '0 9')
	check_status 0
	check_out b
}

@test "pieces do not change the ids" {
	even >in
	printf 'a\nb\nc\nd\n' >pieces
	draws "$even_ids" -V 4 --pieces pieces in
}

@test "i32 on a terminal is refused, ids are not" {
	even >in
	try_under tty-out -V 4 -o i32 in
	check_status 2
	check_ids ''
	check_message 'standard output is a terminal: *i32*'
	try_under tty-out -V 4 in
	check_status 0
	tr -d '\r' <out >ids
	mv ids out
	check_ids "$even_ids"
}

@test "--output takes no other word" {
	refuses "--output: 'json' is none of *ids*i32*text*" -V 4 -o json
	refuses "--output: '' *" -V 4 -o ''
}
