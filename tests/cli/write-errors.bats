#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Output that can not be written.

load helper

full()
{
	[[ -c /dev/full ]] || skip 'no /dev/full here'
	status=0
	tokpick "$@" >/dev/full 2>err || status=$?
}

closed()
{
	status=0
	tokpick "$@" >&- 2>err || status=$?
}

# What comes out of standard output goes to head, which leaves at once.
deserted()
{
	# shellcheck disable=SC2086 # the emulator is words
	python "$here/under.py" "$1" $TOKPICK_EMULATOR "$TOKPICK" \
	    -V 4 --greedy </dev/zero 2>err | head -n 1 >out
	status=${PIPESTATUS[0]}
}

@test "a full disk is told, whatever the format" {
	even >in
	printf 'a\nb\nc\nd\n' >pieces
	for format in ids i32 text; do
		full -V 4 --pieces pieces -o "$format" in
		check_status 1
		check_message 'standard output: *space*'
	done
}

@test "a full disk is told in the middle of a long output" {
	full -V 4 --greedy -n 100000 /dev/zero
	check_status 1
	check_message 'standard output: *space*'
}

@test "a full disk is told in the middle of a long output of any kind" {
	head -c 400000 /dev/zero >in
	printf 'xx\n' >pieces
	rows -n 4000 '0' >few
	for more in '-o i32 in' '-o text in' '--batch 2 in' '-o jsonl few' \
	    '--sweep settings in' '--draws 9 in'; do
		printf '%s\n' --greedy '-s 1' >settings
		# shellcheck disable=SC2086 # words
		full -V 1 --pieces pieces $more
		check_status 1
		check_message 'standard output: *space*'
	done
}

@test "a full disk is told by the summary" {
	even >in
	full -V 4 --summary summary in
	check_status 1
	check_json summary 'stop="error"'
}

@test "where a row is bad too, that is told" {
	rows '0 0 0 0' 'nan 0 0 0' >in
	full -V 4 in
	check_status 1
	check_message 'row 2: *'
}

@test "--help, -h, --version and completions tell of a full disk" {
	for option in --help -h --version --completions=bash \
	    --completions=zsh --completions=fish; do
		full "$option"
		check_status 1
		check_message 'standard output: *space*'
	done
}

@test "a closed standard output is told" {
	even >in
	closed -V 4 in
	check_status 1
	check_message 'standard output: *'
}

@test "--help, -h, --version and completions tell of a closed one" {
	for option in --help -h --version --completions=bash; do
		closed "$option"
		check_status 1
		check_message 'standard output: *'
	done
}

@test "with standard output closed no file gets the ids in its place" {
	even >in
	cp in before
	closed -V 4 --summary summary in
	check_status 1
	check_json summary 'stop="error"'
	check_same before in
}

@test "with standard error closed no file gets the message in its place" {
	rows '0 0 0 0' 'nan 0 0 0' >in
	cp in before
	status=0
	tokpick -V 4 --summary summary in >out 2>&- || status=$?
	check_status 1
	check_ids 2
	check_json summary 'stop="error"'
	check_same before in
}

@test "a closed standard error changes no status" {
	even >in
	status=0
	tokpick -V 4 in >out 2>&- || status=$?
	check_status 0
	check_ids "$even_ids"
	tokpick -V 4 --seed random in >out 2>&-
	tokpick -v -V 4 in >out 2>&-
	check_ids "$even_ids"
	tokpick -V 0 >out 2>&- || status=$?
	check_status 2
}

@test "a full disk behind standard error changes no status" {
	[[ -c /dev/full ]] || skip 'no /dev/full here'
	even >in
	status=0
	tokpick -v -V 4 in >out 2>/dev/full || status=$?
	check_status 0
	check_ids "$even_ids"
}

@test "with all three closed it fails as it should" {
	even >in
	status=0
	tokpick -V 4 in <&- >&- 2>&- || status=$?
	check_status 1
	status=0
	tokpick -V x <&- >&- 2>&- || status=$?
	check_status 2
}

@test "with standard input closed a FILE is read all the same" {
	even >in
	draws "$even_ids" -V 4 in <&-
}

@test "a reader that leaves ends it by SIGPIPE, as any filter" {
	deserted sigpipe
	check_status 141
	check_silence
	check_ids 0
}

@test "where SIGPIPE is ignored a reader that leaves is an error" {
	deserted nosigpipe
	check_status 1
	check_message 'standard output: the reader is gone*'
	check_ids 0
}

@test "a pipe that does not block loses nothing" {
	tokpick -V 4 -n 60000 /dev/zero >all
	try_under nonblock-out -V 4 -n 60000 /dev/zero
	check_status 0
	check_silence
	(($(wc -l <all) == 60000))
	check_same all out
}
