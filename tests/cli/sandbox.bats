#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What tokpick may still do once all is open.

load helper

# This binary is in its sandbox: sanitizers have none, emulators and kernels
# may have none.  It says what there is not.
need()
{
	try -v -V 4 /dev/null
	[[ -z $TOKPICK_EMULATOR ]] || skip 'an emulator has no sandbox'
	! grep -q "sandbox: left out of\|sandbox: $1: not in this build" err ||
	    skip 'none in this build'
	[[ -r /proc/self/status ]] || skip 'no /proc here'
	[[ $1 != Landlock ]] || has_landlock || skip 'the kernel has no Landlock'
}

# The same, and it is in force.
need_forced()
{
	need "$1"
	[[ -z ${TOKPICK_RECORDS-} ]] || skip 'what records gives nothing up'
}

has_landlock()
{
	# In this version of the system call there is no more than a number.
	python -c 'import ctypes, sys
call = ctypes.CDLL(None).syscall
sys.exit(call(444, None, ctypes.c_size_t(0), 1) < 1)'
}

# begin [ARGUMENT]...: run tokpick in the background, as $pid, and wait until
# it waits for the FIFO named `fifo`, which is then open as $gate.
begin()
{
	"$TOKPICK" "$@" >out 2>err 3>&- &
	pid=$!
	exec {gate}>fifo
}

# Let it have the rows that are on standard input, and end.
end()
{
	cat >&"$gate"
	exec {gate}>&-
	status=0
	wait "$pid" || status=$?
}

# Each of its threads, if a filter is in force and whether rights may grow.
confinement()
{
	sed -n 's/^\(NoNewPrivs\|Seccomp\):\t//p' "/proc/$1/task/"*/status |
	    paste -sd ' '
}

# A moment, but not for ever: until the command is true.
eventually()
{
	local i
	for ((i = 0; i < 500; i++)); do
		! "$@" || return 0
		sleep 0.02
	done
	fail "not in 10 seconds: $*"
}

@test "while it waits for rows, system calls are filtered" {
	need_forced seccomp
	mkfifo fifo
	begin -V 4 fifo
	[[ $(confinement "$pid") == '1 2' ]]
	end < <(even)
	check_status 0
	check_silence
	check_ids "$even_ids"
}

@test "threads that read ahead are held to it" {
	need_forced seccomp
	truncate -s 200M large
	mkfifo fifo
	"$TOKPICK" -V 100 -n 200000 -j 3 large >fifo 3>&- &
	pid=$!
	exec {gate}<fifo
	several()
	{
		[[ $(confinement "$pid") == '1 2 1 2'* ]]
	}
	eventually several
	cat <&"$gate" >got
	wait "$pid"
	(($(wc -l <got) == 200000))
}

@test "what was not named can't be opened: a FILE that was put in place" {
	need_forced Landlock
	mkfifo fifo
	even >in
	even >replaced
	begin -V 4 fifo in replaced
	even >new
	mv new replaced
	end </dev/null
	check_status 1
	check_message 'replaced: Permission denied'
	check_ids "$even_ids"
}

@test "FILEs are opened by whatever name: links, /dev/fd, a folder above" {
	mkdir -p folder/deep
	rows '0 9' >folder/in
	ln -s ../in folder/deep/link
	draws '1 1 1 0' -V 2 folder/deep/link <(rows '0 9') folder/deep/../in \
	    /dev/stdin < <(rows '9 0')
	draws '1 0' -V 2 folder/in /dev/fd/0 <<<"$(printf 'aaaabbb')"
}

@test "a FILE that is made while another is read is opened" {
	mkfifo fifo
	begin -V 2 fifo later
	rows '9 0' >later
	end < <(rows '0 9')
	check_status 0
	check_silence
	check_ids '1 0'
}

@test "a state and a report are written in their folders, through links" {
	mkdir states reports
	even >in
	touch states/real
	ln -s states/real s
	draws "$even_ids" -V 4 --save-state s --report reports/r in
	[[ -L s ]]
	grep -q '^rows 8' states/real
	grep -q html reports/r
	[[ $(ls -A states reports | paste -sd ' ') == 'reports: r  states: real' ]]
	[[ $(stat -c %a states/real) == 600 ]]
}

@test "the model is not held to it" {
	need seccomp
	rows '0 9' >row
	cat >model <<-'END'
		while read -r ids; do
			cat row
			grep Seccomp: /proc/self/status >confined
			date >"file.$ids"
		done
	END
	draws '1 1' -V 2 --greedy -n 2 --exec 'sh model'
	[[ -s file.1 && $(<confined) == *0 ]]
}

@test "nothing is tried that is refused" {
	command -v strace >/dev/null || skip 'no strace here'
	need_forced seccomp
	even >in
	for arguments in 'in in' '-j 3 --progress in' \
	    '--save-state s --report r --summary q in'; do
		# shellcheck disable=SC2086 # words
		strace -f -qq -o trace "$TOKPICK" -V 4 $arguments >out 2>err
		grep -q '^[0-9]* *seccomp(' trace
		run -1 grep -E 'EPERM|EACCES' trace
	done
}

@test "where the system refuses it goes on, and says so only with -v" {
	command -v strace >/dev/null || skip 'no strace here'
	need seccomp
	need Landlock
	even >in
	refused()
	{
		strace -f -qq -o trace -e "inject=$1:error=$2" \
		    "$TOKPICK" "${@:3}" in >out 2>err
		status=$?
		check_status 0
		check_ids "$even_ids"
	}
	refused landlock_create_ruleset,seccomp EPERM -V 4
	check_silence
	refused landlock_create_ruleset,seccomp ENOSYS -V 4 -v
	check_says 'sandbox: Landlock: *'
	check_says 'sandbox: seccomp: *'
	# Without that the two are not asked for.
	refused prctl EINVAL -V 4 -v
	check_says 'sandbox: no_new_privs: *'
	[[ $(<trace) != *seccomp* && $(<err) != *Landlock* ]]
}

@test "no more of the environment is read than the manual lists" {
	grep -rhoE 'getenv\("[A-Z_]*"' "$here/../../src" | grep -o '[A-Z_]*"' |
	    grep -o '[A-Z_]*' >read
	printf '%s\n' POSIXLY_CORRECT >>read
	# Names out of a list, and what only tests are built with.
	[[ $(grep -rhE 'getenv\([^"]' "$here/../../src") == *variables* ]]
	sed -n '/^\.Sh ENVIRONMENT/,/^\.Sh EXIT/p' "$here/../../man/tokpick.1" |
	    grep -oE '\.(It )?Ev .*' | grep -oE '[A-Z_]{4,}' >listed
	for name in $(<read); do
		[[ $name == TOKPICK_WITHOUT ]] || grep -qx "$name" listed ||
		    fail "$name is read and not in the manual"
	done
}
