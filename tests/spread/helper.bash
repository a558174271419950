# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# What the tests of scripts/spread load: recordings, settings, one machine's
# results to compare with.

load ../cli/helper

needs()
{
	local tool
	for tool; do
		command -v "$tool" >/dev/null || skip "no $tool here"
	done
}

setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	exec </dev/null
	cp "$data"/story-*.f32.zst .
	zstd -dq story-1.f32.zst
	cat >settings <<-'END'
		# each as one finds it
		-V 512 -s 1

		-V 512 -s 2 --temp 0.7 --repeat-penalty 1.2
		-V 512 --seed=3 --samplers 'top_k;temperature' --top-k 5
	END
	# A tokpick that does first what may stand in the file before.
	cat >tokpick <<-END
		#!/bin/bash
		TOKPICK='$TOKPICK'
		[[ ! -e $PWD/before ]] || . '$PWD/before'
		exec $TOKPICK_EMULATOR "\$TOKPICK" "\$@"
	END
	chmod +x tokpick
}

# spread [ARGUMENT]...: like try, for scripts/spread and this tokpick.
# shellcheck disable=SC2034 # status is for the checks
spread()
{
	status=0
	"$here/../../scripts/spread" --tokpick "$BATS_TEST_TMPDIR/tokpick" \
	    "$@" >out 2>err || status=$?
}

# What one machine draws by line $1 of the settings from recording $2.
alone()
{
	local words
	eval "words=($(sed -n "$1 p" settings))"
	tokpick "${words[@]}" "$2"
}

# check_results DIR RECORDING...: there is a result for each line of the
# settings and each recording, what one machine draws, and nothing else.
check_results()
{
	local dir=$1 line recording jobs=0
	shift
	for recording; do
		for line in 2 4 5; do
			alone $line "$recording" |
			    cmp - "$dir/$recording.$line.out"
			jobs=$((jobs + 1))
		done
	done
	(($(find "$dir" -type f -name '*.out' | wc -l) == jobs))
	[[ -z $(find "$dir" -name '*.part*') ]] ||
	    fail "left in $dir:" "$(ls "$dir")"
}
