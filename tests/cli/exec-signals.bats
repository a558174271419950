#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --exec: however it ends, the model ends too, and no process is left.

load helper
load model

# The loop that is sent the signal while its model thinks about line 3 dies
# of it, having written what was drawn.
dies_of()
{
	local signal=$1 number=$2 cmd=$3
	shift 3
	ulimit -c 0
	try_alone "$@" -s "$signal" -f thinking -- -V 4 --summary summary \
	    --exec "$cmd"
	check_status $((128 + number))
	check_ids '2 3'
	check_json summary 'tokens=2' 'model_calls=3' 'stop="error"'
}

# The loop fails, with a message like that, and leaves nobody.
fails_alone()
{
	local message=$1
	shift
	try_alone -- "$@"
	check_status 1
	check_message "$message"
}

# --- Signals ---------------------------------------------------------------

@test "SIGINT ends both" {
	dies_of INT 2 'exec model -m think -a 3 4'
	check_silence
}

@test "SIGTERM ends both" {
	dies_of TERM 15 'exec model -m think -a 3 4'
	check_silence
}

@test "SIGHUP ends both" {
	dies_of HUP 1 'exec model -m think -a 3 4'
	check_silence
}

@test "SIGQUIT ends both" {
	dies_of QUIT 3 'exec model -m think -a 3 4'
	check_silence
}

@test "a signal ends all of a pipeline" {
	dies_of INT 2 'cat | model -m think -a 3 4 | cat' -w
}

@test "the model is sent the same signal" {
	dies_of INT 2 'trap "echo INT >told; exit" INT
	    exec 3<&0; model -m think -a 3 4 <&3 & wait' -w
	[[ $(<told) == INT ]]
	rm told thinking
	dies_of TERM 15 'trap "echo TERM >told; exit" TERM
	    exec 3<&0; model -m think -a 3 4 <&3 & wait' -w
	[[ $(<told) == TERM ]]
}

@test "a model that ignores signals and the end of its input is killed" {
	dies_of INT 2 'exec model -m stubborn -a 3 4'
	check_silence
}

@test "a signal while a long line is being sent" {
	yes 123456789 | head -n 100000 >prompt
	try_alone -s TERM -f thinking -- -V 4 --prompt @prompt \
	    --exec 'echo >thinking; exec sleep 1000'
	check_status 143
	check_silence
	check_ids ''
}

@test "a signal while the model's end is waited for" {
	try_alone -s INT -f thinking -- -V 4 -n 2 \
	    --exec 'model 4; exec >&-; sleep 0.2; echo >thinking; exec sleep 1000'
	check_status 130
	check_silence
	check_ids '2 3'
}

@test "a signal that was ignored around us stays ignored" {
	try_alone -i INT -- -V 4 -n 8 \
	    --exec 'kill -INT $PPID; exec model 4'
	check_status 0
	check_silence
	check_ids "$even_ids"
}

# --- Standard output -------------------------------------------------------

@test "SIGPIPE is died of, without a word, and the model reaped" {
	# shellcheck disable=SC2016 # for the inner shell
	timeout 60 "$PYTHON" -I -S "$here/alone.py" -- bash -c '
	    $TOKPICK_EMULATOR "$TOKPICK" -V 4 --exec "exec model 4" 2>err | head -n 8 >out
	    echo "${PIPESTATUS[0]}" >status'
	check_ids "$even_ids"
	check_silence
	[[ $(<status) == 141 ]]
}

@test "with SIGPIPE ignored a lost reader is an error, and the model reaped" {
	# shellcheck disable=SC2016 # for the inner shell
	timeout 60 "$PYTHON" -I -S "$here/alone.py" -i PIPE -- bash -c '
	    $TOKPICK_EMULATOR "$TOKPICK" -V 4 --exec "exec model 4 2>/dev/null" 2>err | head -n 8 >out
	    echo "${PIPESTATUS[0]}" >status'
	check_ids "$even_ids"
	check_message 'standard output: the reader is gone before the end'
	[[ $(<status) == 1 ]]
}

@test "a full disk is an error, and the model reaped" {
	status=0
	timeout 60 "$PYTHON" -I -S "$here/alone.py" -- $TOKPICK_EMULATOR "$TOKPICK" -V 4 \
	    --exec 'exec model -m stay 4' >/dev/full 2>err || status=$?
	: >out
	check_status 1
	check_message 'standard output: No space left on device'
}

# --- No process is left ----------------------------------------------------

@test "nobody is left after a stop rule" {
	try_alone -- -V 4 -n 8 --exec 'model 4 | cat'
	check_status 0
	check_silence
	check_ids "$even_ids"
}

@test "nobody is left when the model exits early" {
	fails_alone '--exec: *with status 3' -V 4 \
	    --exec 'exec model -m exit -a 3 -s 3 4'
}

@test "nobody is left when the model closes its output and stays" {
	fails_alone '--exec: *output ended*' -V 4 \
	    --exec 'exec model -m shut -a 3 4'
}

@test "nobody is left when the model says too much and stays" {
	fails_alone '--exec: more came *' -V 4 -n 1 \
	    --exec 'exec model -m byte 4'
}

@test "nobody is left of an endless writer" {
	fails_alone '--exec: more came *' -V 4 -n 1000 --exec 'exec cat /dev/zero'
}

@test "nobody is left after a bad row, and a model that stays is ended" {
	rows '0 nan' >row
	fails_alone 'row 1: *NaN*' -V 2 \
	    --exec 'read l; cat row; exec sleep 1000'
}

@test "what the model has in the background is ended when the loop fails" {
	rows '0 nan' >row
	try_alone -w -- -V 2 \
	    --exec 'read l; cat row; sleep 1000 & exit'
	check_status 1
	check_message 'row 1: *NaN*'
}

@test "nobody is left when a mask can't be opened" {
	fails_alone 'missing: *' -V 4 --mask missing --exec 'exec model 4'
}

@test "the model has standard input, output and error, and no more" {
	rows '0 9' >row
	try_alone -- -V 2 -n 1 --summary summary --exec '
	    read l; cat row; fd=0; while [ $fd -lt 100 ]; do
	    [ ! -e /proc/$$/fd/$fd ] || echo $fd >&2; fd=$((fd + 1)); done'
	check_status 0
	check_ids 1
	check_same err <(printf '%s\n' 0 1 2)
}
