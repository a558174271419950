#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# No memory, and system calls that fail: what `make torture` once found.

load helper

# The shims are built once for each file.
setup_file()
{
	local shim fault=$BATS_TEST_DIRNAME/../fault
	PYTHON=$(python3 -c 'import sys; print(sys.executable)')
	export PYTHON
	for shim in memory calls; do
		cc -std=c17 -O1 -fPIC -shared -o "$BATS_FILE_TMPDIR/$shim.so" \
		    "$fault/$shim.c" -ldl || return
	done
}

# under SHIM NUMBER MODE [ARGUMENT]...: that call fails, and of the shim calls
# it is $call, by $kind.  The file log says "fault" if it came to that.
under()
{
	local shim=$BATS_FILE_TMPDIR/$1.so number=$2 mode=$3
	shift 3
	rm -f log
	status=0
	timeout 60 env LD_PRELOAD="$shim" FAULT_LOG=log FAULT_AT="$number" \
	    FAULT_MODE="$mode" FAULT_CALL="${call-}" FAULT_KIND="${kind-}" \
	    "$TOKPICK" "$@" >out 2>err || status=$?
}

# Under an emulator, a sanitizer or another C library there is nothing to
# preload.
setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	exec </dev/null
	even >in
	under memory 1 on -V 4 in
	[[ -z $TOKPICK_EMULATOR && $(<err) == 'tokpick: '*memory ]] ||
	    skip 'the shims have no hold on this build'
}

@test "wherever memory ends, it is told, and the summary written" {
	local n
	for ((n = 1; ; n++)); do
		rm -f summary
		under memory "$n" on -V 4 --summary summary in
		grep -q fault log || break
		check_status 1
		check_message '*annot allocate memory*'
		check_ids ''
		[[ ! -s summary ]] || check_json summary 'stop="error"'
	done
	((n > 5))
	check_ids "$even_ids"
}

@test "wherever memory ends, what a file is isn't guessed" {
	local n
	for ((n = 1; ; n++)); do
		under memory "$n" on --info -V 4 in
		grep -q fault log || break
		check_status 1
		check_message '*annot allocate memory*'
	done
	((n > 5))
	grep -q '^rows  *8$' out
}

@test "interrupted calls change nothing, on the way to any file" {
	call=read,pread,write,poll,open,fsync kind=4
	for ((n = 1; n < 9; n++)); do
		under calls "$n" storm -V 4 --summary summary \
		    --save-state state --report report in
		check_status 0
		check_silence
		check_ids "$even_ids"
		grep -q fault log
		[[ -s state && -s report && -s summary ]]
	done
}

@test "where a closed descriptor can't be held open nothing is done" {
	call=open kind=24
	under calls 1 once -V 4 in <&-
	check_status 1
	check_silence
	check_ids ''
	grep -q fault log
}

@test "an output that takes nothing is an error, and not waited for" {
	call=write kind=+0
	under calls 1 on -V 4 --save-state state in
	check_status 1
	check_message 'standard output: *'
	check_ids ''
	[[ ! -e state ]] || fail 'the state is ahead of the ids'
}
