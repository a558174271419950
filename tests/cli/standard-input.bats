#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Standard input, whatever it is.

load helper

@test "rows come through a pipe" {
	draws "$even_ids" -V 4 < <(even)
}

@test "rows come from a regular file on standard input" {
	even >in
	draws "$even_ids" -V 4 <in
}

@test "a file on standard input is read from where it stands" {
	rows '9 0' '0 9' '9 0' >in
	exec {fd}<in
	dd bs=8 count=1 status=none <&"$fd" >skipped
	draws '1 0' -V 2 <&"$fd"
}

@test "zstd is recognised where the file stands, not where it begins" {
	{ printf 'seven b'; rows '0 9' '9 0' | zstd -cq; } >in
	exec {fd}<in
	dd bs=7 count=1 status=none <&"$fd" >skipped
	draws '1 0' -V 2 <&"$fd"
}

@test "rows come through a FIFO" {
	mkfifo fifo
	even >fifo 3>&- &
	draws "$even_ids" -V 4 <fifo
}

@test "rows come through a pipe that does not block" {
	try_under nonblock-in -V 4 < <(even)
	check_status 0
	check_silence
	check_ids "$even_ids"
}

@test "zstd comes through a pipe that does not block" {
	try_under nonblock-in -V 4 < <(even | zstd -cq)
	check_status 0
	check_silence
	check_ids "$even_ids"
}

@test "/dev/null holds no rows: no ids, and all is well" {
	draws '' -V 4 </dev/null
}

@test "an empty pipe and an empty file hold no rows either" {
	draws '' -V 4 < <(:)
	: >in
	draws '' -V 4 <in
}

@test "a terminal is refused, with what to do instead" {
	try_under tty-in -V 4
	check_status 2
	check_ids ''
	check_message 'standard input is a terminal: *pipe*'
}

@test "a terminal named as FILE is refused too" {
	try_under tty-in -V 4 @TERMINAL@
	check_status 2
	check_ids ''
	check_message '/dev/* is a terminal: *'
}

@test "a standard input that was closed can't be read" {
	breaks '' 'standard input: *' -V 4 <&-
}

@test "a directory on standard input can't be read" {
	breaks '' 'standard input: *directory*' -V 4 <.
}
