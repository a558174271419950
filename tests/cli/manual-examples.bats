#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Every example of the manual prints what the manual says.
#
# In its section EXAMPLES, between .Bd and .Ed, a line "$ command", which goes
# on after a \ or | at its end, is followed by what the command prints, on
# standard output and standard error.  One shell runs the commands of a block.

load helper

manual=$BATS_TEST_DIRNAME/../../man/tokpick.1

# For each block the commands and what they print: 1.cmd, 1.want, 2.cmd ...
extract()
{
	awk '
		/^\.Sh / { inside = /EXAMPLES/ }
		!inside { next }
		/^\.Bd/ { shown = 1; n++; printf "" >(n ".want"); next }
		/^\.Ed/ { shown = 0; goes_on = 0; next }
		!shown { next }
		{
			gsub(/\\e/, "\\")
			gsub(/\\-/, "-")
			gsub(/\\&/, "")
		}
		/^\$ / || goes_on {
			sub(/^\$ /, "")
			print >(n ".cmd")
			goes_on = /[\\|]$/
			next
		}
		{ print >(n ".want") }' "$manual"
}

# What the examples find around them: the source, and tokpick in PATH.
surround()
{
	mkdir bin top
	ln -s "$BATS_TEST_DIRNAME/.." top/tests
	cat >bin/tokpick <<-'END'
		#!/bin/sh
		exec $TOKPICK_EMULATOR "$TOKPICK" "$@"
	END
	chmod +x bin/tokpick
	PATH=$PWD/bin:$PATH
}

@test "the examples of the manual print what it says" {
	local n=0 wrong=0
	surround
	extract
	while [[ -e $((n + 1)).cmd ]]; do
		n=$((n + 1))
		(cd top && TMPDIR=$PWD sh ../$n.cmd) >$n.got 2>&1 </dev/null || true
		cmp -s $n.want $n.got && continue
		wrong=$((wrong + 1))
		cat $n.cmd
		diff $n.want $n.got || true
	done
	((n >= 8))
	((wrong == 0))
}

@test "every example of the manual is found" {
	extract
	set -- ./*.cmd
	(($# == $(sed -n '/^.Sh EXAMPLES/,/^.Sh DIAG/p' "$manual" |
	    grep -c '^\.Bd -literal')))
}
