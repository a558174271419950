# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# What the tests of --exec share: a model, and ways to run tokpick with it.
# It is loaded behind helper.bash.
# shellcheck disable=SC2154,SC2034 # names of the helper's

# The model is built once for each file; scripts of CMD find it in PATH.
setup_file()
{
	PYTHON=$(python3 -c 'import sys; print(sys.executable)')
	PATH=$BATS_FILE_TMPDIR:$PATH
	export PYTHON PATH data
	"${MODEL_CC:-cc}" -std=c17 -O1 -D_POSIX_C_SOURCE=200809L \
	    -o "$BATS_FILE_TMPDIR/model" "$here/../model/bigram.c"
}

# A loop that hangs is to fail.
tokpick()
{
	# shellcheck disable=SC2086 # the emulator is words
	timeout -k 5 60 $TOKPICK_EMULATOR "$TOKPICK" "$@"
}

# As try, and status 97 if a process is left; options for alone.py stand
# before --.
try_alone()
{
	local -a options=()
	while [[ $1 != -- ]]; do
		options+=("$1")
		shift
	done
	shift
	status=0
	# shellcheck disable=SC2086 # the emulator is words
	timeout 60 "$PYTHON" -I -S "$here/alone.py" "${options[@]}" -- \
	    $TOKPICK_EMULATOR "$TOKPICK" "$@" >out 2>err || status=$?
}

# As try, and for each line that comes out a line goes to a FIFO, seen.1 and
# on, as long as someone reads it.  (With one FIFO for all, who opens it again
# may find the last writer about to leave.)
try_seen()
{
	local line n=0
	status=0
	tokpick "$@" 2>err 3>&- | while read -r line; do
		echo "$line" >>out
		n=$((n + 1))
		timeout 60 bash -c 'echo "$1" >"$2"' - "$line" seen.$n
	done || status=$?
}

# check_lines FILE [LINE]...: the file has these lines.
check_lines()
{
	local file=$1
	shift
	printf '%s\n' "$@" | cmp -s - "$file" ||
	    fail "$file has:" "$(head -c 2000 "$file")"
}
