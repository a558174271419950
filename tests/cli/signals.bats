#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Signals that end a run: between two rows, with all that is done written.

load helper
load model

# Five of eight rows come, and no more until the run has ended.
five_rows()
{
	mkfifo fifo
	{ even | head -c 80; exec sleep 60; } >fifo 3>&- &
	feeder=$!
}

# The run with these arguments dies of the signal that it is sent once it has
# written ids, and has written those of all rows that came.
dies_of()
{
	local signal=$1 number=$2
	shift 2
	ulimit -c 0
	five_rows
	try_alone -s "$signal" -f out -- -V 4 --summary summary "$@" fifo
	kill "$feeder"
	check_status $((128 + number))
	check_silence
	check_ids '2 3 1 2 2'
	check_json summary 'tokens=5' 'stop="error"'
}

@test "SIGTERM ends a run that waits for rows" {
	dies_of TERM 15
}

@test "SIGINT ends it, and SIGHUP and SIGQUIT" {
	dies_of INT 2
	rm fifo
	dies_of HUP 1
	rm fifo
	dies_of QUIT 3
}

@test "the state that is saved then is the one behind the ids written" {
	dies_of TERM 15 --save-state s
	even | tail -c 48 >rest
	draws '1 0 2' --load-state s rest
}

@test "a run that is sent one in the middle of its rows stops between two" {
	local n
	try_alone -s TERM -f out -- -V 4 --save-state s /dev/zero
	check_status 143
	check_silence
	mv out before
	n=$(wc -l <before)
	tokpick -V 4 -n $((n + 8)) /dev/zero >whole
	even | tokpick --load-state s >after
	cat before after | check_same - whole
}

# One of these runs in the background, and is named by $!.
endless()
{
	# shellcheck disable=SC2086 # the emulator is words
	exec $TOKPICK_EMULATOR "$TOKPICK" -V 4 --save-state s /dev/zero
}

# It has filled its pipe when it sleeps.
wait_for_sleep()
{
	until [[ $(awk '/^State/ { print $2 }' "/proc/$1/status") == S ]]; do
		sleep 0.01
	done
}

@test "a slow reader gets whole lines" {
	mkfifo pipe
	endless >pipe 2>err 3>&- &
	exec 4<pipe
	wait_for_sleep $!
	kill -TERM $!
	sleep 0.1
	timeout 60 cat <&4 >out
	status=0
	wait $! || status=$?
	check_status 143
	tokpick -V 4 -n "$(wc -l <out)" /dev/zero | check_same - out
	[[ -e s ]] || fail 'no state'
}

@test "a reader that stands still is not waited for, nor a state saved" {
	mkfifo pipe
	endless >pipe 2>err 3>&- &
	exec 4<pipe
	wait_for_sleep $!
	kill -TERM $!
	status=0
	wait $! || status=$?
	check_status 143
	[[ ! -e s ]] || fail 'the state is ahead of the ids'
}

@test "a run that waits for a FIFO to be opened is ended" {
	mkfifo fifo
	try_alone -s TERM -f err -- -V 4 --seed random fifo
	check_status 143
	check_message 'seed *'
}
