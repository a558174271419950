# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# What every test file loads: a scratch directory, tokpick, rows, checks.
#
# TOKPICK names the binary (build/tokpick if it is not set), TOKPICK_EMULATOR
# what to run it under.

bats_require_minimum_version 1.5.0

here=$BATS_TEST_DIRNAME
# shellcheck disable=SC2034 # for the tests
data=$here/../data
: "${TOKPICK:=$here/../../build/tokpick}"
[[ $TOKPICK == /* ]] || TOKPICK=$PWD/$TOKPICK
export TOKPICK TOKPICK_EMULATOR=${TOKPICK_EMULATOR:-}
unset POSIXLY_CORRECT

# What python3 is may be a script that looks for it: asked once for each file.
setup_file()
{
	PYTHON=$(python3 -c 'import sys; print(sys.executable)')
	export PYTHON
}

# Each test runs in a directory of its own, and waits for nobody's typing.
setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	exec </dev/null
}

# --- Running ---------------------------------------------------------------

tokpick()
{
	$TOKPICK_EMULATOR "$TOKPICK" "$@"
}

# Run tokpick: the files out and err get what it wrote, $status how it ended.
try()
{
	status=0
	tokpick "$@" >out 2>err || status=$?
}

python()
{
	"$PYTHON" -I -S "$@"
}

# The same in unusual surroundings, which under.py describes.
try_under()
{
	local mode=$1
	shift
	status=0
	# shellcheck disable=SC2086 # the emulator is words
	python "$here/under.py" "$mode" $TOKPICK_EMULATOR "$TOKPICK" "$@" \
	    >out 2>err || status=$?
}

# The options of --help, sorted, one a line: letter (or -) and long name.
list_options()
{
	tokpick --help |
	    sed -n 's/^  \(-.,\|   \) --\([a-z-]*\).*/\1 \2/p' |
	    sed 's/^-\(.\),/\1/; s/^   /-/' | sort
}

# --- Input -----------------------------------------------------------------

# rows [-d DTYPE] [-n TIMES] ROW...: see rows.py.
rows()
{
	python "$here/rows.py" "$@"
}

# feed CUT FILE: write the file to a pipe in pieces; see feed.py.
feed()
{
	python "$here/feed.py" "$@"
}

# Eight rows of four equal logits.  A draw from one is int(4 * unit), and
# the units are those of the generator: for seed 0, .68 .82 .35 .64 .67 .41
# .20 .62.  So these are the ids.
even()
{
	rows -n 8 '0 0 0 0'
}
# shellcheck disable=SC2034 # for the tests
even_ids='2 3 1 2 2 1 0 2'

# Eight rows of the probabilities 1/2, 1/4, 1/8 and 1/8.
halves()
{
	rows -n 8 '0.6931471824645996 0 -0.6931471824645996*2'
}
# shellcheck disable=SC2034 # for the tests
halves_ids='1 2 0 1 1 0 0 1' \
    halves_best_3='1 1 0 1 1 0 0 1' \
    halves_best_2='1 1 0 0 1 0 0 0' \
    halves_best_1='0 0 0 0 0 0 0 0'

# Eight rows of a hundred equal logits.
hundred()
{
	rows -n 8 '0*100'
}
# shellcheck disable=SC2034 # for the tests
hundred_ids='68 82 35 63 67 40 19 61'

# A zstd frame by hand, of stored blocks that are one row of 16 bytes each:
# its header with a window of 2^21 (or another descriptor byte, in hex), a
# block, the last block.  It is what a compressor writes that is flushed
# after every row.
z_header()
{
	printf '\x28\xb5\x2f\xfd\x00%b' "\\x${1:-58}"
}

z_block()
{
	printf '\x80\x00\x00'
	rows "$1"
}

z_last()
{
	printf '\x81\x00\x00'
	rows "$1"
}

# --- Checks ----------------------------------------------------------------

fail()
{
	printf '%s\n' "$@"
	[[ ! -e out ]] || { echo 'standard output:'; head -c 2000 out; }
	[[ ! -e err ]] || { echo 'standard error:'; head -c 2000 err; }
	return 1
}

check_status()
{
	[[ $status == "$1" ]] || fail "status $status instead of $1"
}

# The output is these ids (words), one a line, and nothing else.
check_ids()
{
	local want=''
	# shellcheck disable=SC2086 # the ids are words
	[[ -z $1 ]] || want=$(printf '%s\n' $1; echo .)
	printf '%s' "${want%.}" | cmp -s - out || fail "wanted the ids: $1"
}

# The output is these bytes; backslash escapes as in printf.
check_out()
{
	printf '%b' "$1" | cmp -s - out || fail "wanted: $1"
}

# The ids that occur in the output are these, in ascending order.
check_seen()
{
	[[ $(sort -nu out | paste -sd ' ') == "$1" ]] ||
	    fail "wanted these to occur: $1"
}

# Nothing was said.
check_silence()
{
	[[ ! -s err ]] || fail 'wanted nothing on standard error'
}

# One line was said, and it is tokpick's and like this glob.
check_message()
{
	local lines
	mapfile -t lines <err
	((${#lines[@]} == 1)) || fail "wanted one line, like: $1" || return
	# shellcheck disable=SC2053 # a glob
	[[ ${lines[0]} == "tokpick: "$1 ]] || fail "wanted a line like: $1"
}

# One of the lines said is like this glob, and all are tokpick's.
check_says()
{
	local line found=no
	while IFS= read -r line; do
		[[ $line == 'tokpick: '* ]] ||
		    fail "not said in tokpick's name: $line" || return
		# shellcheck disable=SC2053 # a glob
		[[ $line != "tokpick: "$1 ]] || found=yes
	done <err
	[[ $found == yes ]] || fail "wanted a line like: $1"
}

check_same()
{
	cmp "$1" "$2" || fail "$1 and $2 differ"
}

# draws IDS [ARGUMENT]...: these are drawn, without a word.
draws()
{
	local ids=$1
	shift
	try "$@"
	check_status 0
	check_silence
	check_ids "$ids"
}

# breaks IDS MESSAGE [ARGUMENT]...: after these ids the input or the system
# fails with a message like that.
breaks()
{
	local ids=$1 message=$2
	shift 2
	try "$@"
	check_status 1
	check_message "$message"
	check_ids "$ids"
}

# refuses MESSAGE [ARGUMENT]...: the command line is wrong, and is told so
# before anything is written.
refuses()
{
	local message=$1
	shift
	try "$@"
	check_status 2
	check_message "$message"
	check_ids ''
}

# check_json FILE [KEY=VALUE]...: the file is one JSON object on one line,
# and has these values, in JSON; a dot leads into an object.
check_json()
{
	python - "$@" <<-'END' || fail "wrong JSON in $1:" "$(<"$1")"
		import json, sys
		text = open(sys.argv[1], encoding="utf-8").read()
		assert text.count("\n") == 1 and text.endswith("\n"), "one line"
		top = json.loads(text)
		assert isinstance(top, dict), "an object"
		for pair in sys.argv[2:]:
		    path, want = pair.split("=", 1)
		    value = top
		    for key in path.split("."):
		        value = value[key]
		    assert value == json.loads(want), f"{path} is {value!r}"
	END
}
