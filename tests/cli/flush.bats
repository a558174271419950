#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# When the output is written: at once in a loop, rarely in bulk.

load helper

# Long enough for any machine: it only ends a test whose answer never comes.
patience=60

# A failed test may leave one that waits for ever.
teardown()
{
	[[ -z ${pid:-} ]] || kill "$pid" 2>/dev/null || :
}

# Start tokpick between two FIFOs: what goes to $to is its standard input,
# what it writes comes from $from.
converse()
{
	mkfifo to from
	tokpick "$@" <to >from 2>err 3>&- &
	pid=$!
	exec {to}>to {from}<from
}

# The next id comes now, though nothing more was sent.
answers()
{
	local id
	IFS= read -r -t "$patience" -u "$from" id || fail "no id, but $1 is due"
	[[ $id == "$1" ]] || fail "the id is $id, not $1"
}

# The input ends, and with it all is well.
ends()
{
	local rest
	exec {to}>&-
	! IFS= read -r -t "$patience" -u "$from" rest || fail "more: $rest"
	wait "$pid"
	check_silence
}

@test "each raw row is answered before the next one is sent" {
	rows '0 0 0 0' >row
	converse -V 4
	for id in $even_ids; do
		cat row >&"$to"
		answers "$id"
	done
	ends
}

@test "each row of a zstd stream that is flushed after it is answered" {
	z_block '0 0 0 0' >block
	converse -V 4
	z_header >&"$to"
	for id in 2 3 1 2 2; do
		cat block >&"$to"
		answers "$id"
	done
	z_last '0 0 0 0' >&"$to"
	answers 1
	ends
}

@test "each row that is a zstd frame of its own is answered" {
	rows '0 0 0 0' | zstd -cq >frame
	converse -V 4
	for id in $even_ids; do
		cat frame >&"$to"
		answers "$id"
	done
	ends
}

@test "several rows that come at once are all answered" {
	rows -n 3 '0 0 0 0' >three
	converse -V 4
	cat three >&"$to"
	answers 2
	answers 3
	answers 1
	cat three >&"$to"
	answers 2
	answers 2
	answers 1
	ends
}

@test "a row is answered though the next one has begun" {
	even >in
	converse -V 4
	head -c 21 in >&"$to"
	answers 2
	tail -c +22 in | head -c 13 >&"$to"
	answers 3
	tail -c +35 in >&"$to"
	for id in 1 2 2 1 0 2; do answers "$id"; done
	ends
}

@test "a row larger than a pipe holds is answered" {
	rows '0*50000 9' >row
	converse -V 50001 --greedy
	cat row >&"$to"
	answers 50000
	cat row >&"$to"
	answers 50000
	ends
}

@test "text and i32 are written as promptly" {
	printf 'one\ntwo\n' >pieces
	rows '0 9' >row
	converse -V 2 -o text --pieces pieces
	cat row >&"$to"
	IFS= read -r -t "$patience" -u "$from" -N 3 piece
	[[ $piece == two ]]
	ends
	rm to from
	converse -V 2 -o i32
	cat row >&"$to"
	timeout "$patience" dd bs=4 count=1 status=none <&"$from" >out
	check_out '\x01\0\0\0'
	ends
}

@test "a loop: a model that is told each id draws the next row for it" {
	for i in {0..4}; do
		rows "0*$(((i + 2) % 5)) 9 0*5" | head -c 20 >"after$i"
	done
	mkfifo rows ids
	{
		exec {ids}<ids
		cat after0
		while read -r id <&"$ids"; do cat "after$id"; done
	} >rows 3>&- &
	tokpick -V 5 --greedy -n 12 <rows | tee ids >out
	check_ids '2 4 1 3 0 2 4 1 3 0 2 4'
}

@test "the ids of one FILE are written before a FIFO is waited for" {
	rows '0 0 0 0' >first
	mkfifo second from
	tokpick -V 4 first second >from 2>err 3>&- &
	pid=$!
	exec {from}<from
	answers 2
	exec {to}>second
	cat first >&"$to"
	answers 3
	ends
}

@test "a stop rule ends a conversation at once" {
	rows '0 0 0 0' >row
	converse -V 4 -n 2
	cat row >&"$to"
	answers 2
	cat row >&"$to"
	answers 3
	wait "$pid" # though its input is still open
	check_silence
}

@test "a bad row is told at once, after the ids before it" {
	rows '0 0 0 0' '0 0 0 nan' >two
	converse -V 4
	cat two >&"$to"
	answers 2
	status=0
	wait "$pid" || status=$?
	check_status 1
	check_message 'row 2: *'
}

# The sizes of the writes, for a thousand ids and more.
check_writes()
{
	check_status 0
	[[ $(paste -sd ' ' out) == "$1" ]] ||
	    fail "the writes were: $(paste -sd ' ' out)"
}

@test "the ids of a file are written in few large pieces" {
	rows -n 40000 '0 0 0 9' >in
	try_under writes -V 4 --greedy in
	check_writes '65536 14464'
	try_under writes -V 4 --greedy <in
	check_writes '65536 14464'
}

@test "the ids of a zstd file are, too" {
	rows -n 40000 '0 0 0 9' | zstd -cq >in
	try_under writes -V 4 --greedy in
	check_writes '65536 14464'
}

@test "the ids of rows that wait in a pipe are written at once" {
	exec {fd}< <(rows -n 4000 '0 0 0 9') # less than a pipe holds
	wait $!
	try_under writes -V 4 --greedy <&"$fd"
	check_writes 8000
}
