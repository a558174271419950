#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# How far it is: on a terminal, with --progress, when SIGUSR1 asks.

load helper

# A failed test may leave one that waits for ever.
teardown()
{
	[[ -z ${pid:-} ]] || kill -KILL "$pid" 2>/dev/null || :
}

# Write to a FIFO eight rows, eight more when it is time for a line, and the
# end a second later.  It begins when tokpick opens the FIFO, and so after
# tokpick's clock does.
slowly()
{
	rm -f fifo
	mkfifo fifo
	{
		even
		sleep 1.1
		even
		sleep 1.1
		"$@"
	} 3>&- >fifo &
}

# Run on a terminal that is standard error alone; lines gets what was drawn,
# one line after another.
on_terminal()
{
	slowly even
	try_under tty-err "$@" fifo
	check_status 0
	tr '\r' '\n' <out >lines
}

# Wait for a file with something in it.
until_written()
{
	local i
	for ((i = 0; i < 600; i++)); do
		[[ ! -s $1 ]] || return 0
		sleep 0.1
	done
	fail "nothing in $1"
}

# Ask until it has said so many lines: a signal that comes just before it
# begins to wait is answered when it is done waiting.
ask_until()
{
	local i
	for ((i = 0; i < 100; i++)); do
		kill -USR1 "$pid"
		sleep 0.2
		(($(wc -l <err) < $1)) || return 0
	done
	fail "no line $1"
}

@test "a terminal shows it after a second, and nothing stays" {
	on_terminal -V 4 -n 100
	grep -q '^16 rows, 16%, 0:[0-9]* left, [0-9.]* rows/s, .* B/s *$' \
	    lines || fail 'no progress'
	[[ $(tail -c 1 out) == $'\r' ]] || fail 'the cursor is inside a line'
	[[ $(tail -n 1 lines) =~ ^\ +$ ]] || fail 'a line stays'
}

@test "a message takes the place of the line" {
	slowly printf x
	try_under tty-err -V 4 fifo
	check_status 1
	tr '\r' '\n' <out | grep -A 9 '^16 rows' >lines
	grep -q '^ *$' lines || fail 'the line stays'
	grep -q '^tokpick: fifo: row 17 ends' lines ||
	    fail 'no message'
}

@test "a line is shorter than the terminal is wide" {
	COLUMNS=20 on_terminal -V 4 -n 100
	grep -q '^16 rows, 16%$' lines || fail 'no progress'
	! grep -q '.\{20\}' lines || fail 'a long line'
}

@test "with --progress a line stays on a terminal, too" {
	on_terminal -V 4 -n 100 --progress
	grep -q '^16 rows, 16%, ' lines || fail 'no progress'
	grep -q '^tokpick: 24 rows, 24%, ' lines || fail 'no line stays'
}

@test "where there is no job control there is no background" {
	# A terminal that is not the session's.
	cat >job <<-'END'
		import os, pty, subprocess, sys
		master, terminal = pty.openpty()
		child = subprocess.Popen(sys.argv[1:], stderr=terminal,
		                         start_new_session=True)
		os.close(terminal)
		text = b""
		try:
		    while part := os.read(master, 4096):
		        text += part
		except OSError:  # the other end was closed
		    pass
		open("shown", "wb").write(text)
		sys.exit(child.wait())
	END
	slowly even
	# shellcheck disable=SC2086 # the emulator is words
	python job $TOKPICK_EMULATOR "$TOKPICK" -V 4 -n 100 fifo >out
	tr '\r' '\n' <shown | grep -q '^16 rows, 16%, ' || fail 'no progress'
}

@test "where it is no terminal lines are told as it goes, and at the end" {
	slowly even
	try -V 4 -n 100 --progress fifo
	check_status 0
	check_says '16 rows, 16%, *'
	check_says '24 rows, 24%, *'
}

@test "in the background nothing is told at the end either" {
	cat >job <<-'END'
		import os, subprocess, sys
		sys.exit(subprocess.call(sys.argv[1:], preexec_fn=os.setpgrp))
	END
	even >in
	status=0
	# shellcheck disable=SC2086 # the emulator is words
	python "$here/under.py" tty-err "$PYTHON" job $TOKPICK_EMULATOR \
	    "$TOKPICK" -V 4 --progress in >out || status=$?
	check_status 0
	check_out ''
}

@test "nothing is shown with -q or --no-progress" {
	for option in -q --no-progress; do
		on_terminal -V 4 "$option"
		check_out ''
	done
}

@test "nothing is shown in the background" {
	# A process group that is not the terminal's.
	cat >job <<-'END'
		import os, subprocess, sys
		sys.exit(subprocess.call(sys.argv[1:], preexec_fn=os.setpgrp))
	END
	slowly even
	status=0
	# shellcheck disable=SC2086 # the emulator is words
	python "$here/under.py" tty-err "$PYTHON" job $TOKPICK_EMULATOR \
	    "$TOKPICK" -V 4 fifo >out || status=$?
	check_status 0
	check_out ''
}

@test "nothing is shown where the output is on that terminal too" {
	slowly true
	status=0
	cat >job <<-'END'
		$TOKPICK_EMULATOR "$TOKPICK" -V 4 fifo >/dev/tty
	END
	python "$here/under.py" tty-err bash -c "$(<job)" >out || status=$?
	check_status 0
	tr -d '\r' <out >ids
	mv ids out
	check_ids "$even_ids $(tail -n 8 out | paste -sd ' ')"
}

@test "without a terminal nothing is shown unless it is asked for" {
	slowly true
	try -V 4 fifo
	check_status 0
	check_silence
}

@test "--progress leaves a line at the end, and the ids are the same" {
	even >in
	try -V 4 --progress in
	check_status 0
	check_ids "$even_ids"
	check_message '8 rows, 100%, * rows/s, * ?B/s'
	refuses '--progress and --no-progress*' -V 4 --progress --no-progress
	try -q -V 4 --progress in
	check_ids "$even_ids"
	check_message '8 rows, 100%, *'
}

@test "of files that are compressed the part is told too" {
	even | zstd -q >in.zst
	even >in
	try -V 4 --progress in.zst in
	check_status 0
	check_message '16 rows, 100%, *'
	try -V 4 --progress <in.zst
	check_message '8 rows, 100%, *'
	try -V 4 --progress in - < <(even)
	check_message '16 rows, * rows/s, *'
	! grep -q % err || fail 'a pipe has no known end'
}

@test "of limited tokens the part is told" {
	try -V 4 --progress -n 4 < <(even)
	check_message '4 rows, 100%, *'
}

@test "SIGUSR1 gets a line while a pipe is waited for, and kills nobody" {
	mkfifo fifo
	: >err
	$TOKPICK_EMULATOR "$TOKPICK" -q -V 4 <fifo >out 2>err &
	pid=$!
	exec {to}>fifo
	even >&"$to"
	# It is ready when it has drawn.
	until_written out
	ask_until 1
	ask_until 2
	even >&"$to"
	exec {to}>&-
	wait "$pid"
	pid=
	check_ids "$even_ids $(tail -n 8 out | paste -sd ' ')"
	while read -r line; do
		[[ $line == 'tokpick: 8 rows, '*' rows/s, '*'B/s' ]] ||
		    fail "a line: $line"
	done <err
}

@test "a SIGUSR1 that is ignored around us stays so" {
	even >in
	for ignored in '' '-i USR1'; do
		# shellcheck disable=SC2086 # words
		"$PYTHON" -I -S "$here/alone.py" $ignored -- \
		    $TOKPICK_EMULATOR "$TOKPICK" -V 4 -n 2 --greedy --exec \
		    'read line; kill -USR1 $PPID; head -c 16 in; read line
		    head -c 16 in; cat >all' >out 2>err
		check_ids '0 0'
		# It is told before the first row or before the second.
		[[ -n $ignored ]] || check_message '[01] row*'
	done
	check_silence
}

@test "SIGUSR1 gets a line while a model is waited for" {
	: >err
	mkfifo go
	rows '0 0 0 0' >row
	$TOKPICK_EMULATOR "$TOKPICK" -V 4 -n 1 --exec \
	    'read line; echo yes >started; cat go row; cat >/dev/null' \
	    >out 2>err &
	pid=$!
	exec {go}>go
	until_written started
	ask_until 1
	exec {go}>&-
	wait "$pid"
	pid=
	check_ids 2
	check_says '0 rows'
}
