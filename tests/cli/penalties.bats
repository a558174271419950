#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Penalties, and the window they look back on.

load helper

@test "--presence-penalty is subtracted from what was seen" {
	draws '0 1' -V 2 --greedy --presence-penalty 2 < <(rows -n 2 '1 0')
}

@test "--presence-penalty is subtracted once, however often it was seen" {
	rows '1 0' >in
	draws 0 -V 2 --greedy --presence-penalty 0.9 --prompt 0,0,0 in
	draws 1 -V 2 --greedy --presence-penalty 1.1 --prompt 0 in
}

@test "--frequency-penalty is subtracted for each time it was seen" {
	draws '0 0 0 1 0 1 0' -V 2 --greedy --frequency-penalty 0.4 \
	    < <(rows -n 7 '1 0')
}

@test "--repeat-penalty divides what is above 0" {
	rows '4 3' >in
	draws 0 -V 2 --greedy --repeat-penalty 1.3 --prompt 0 in
	draws 1 -V 2 --greedy --repeat-penalty 1.4 --prompt 0 in
	draws 1 -V 2 --greedy --repeat-penalty 1.4 --prompt 0,0,0 in
}

@test "--repeat-penalty multiplies what is not above 0" {
	rows '-1 -1.5' >in
	draws 0 -V 2 --greedy --repeat-penalty 1.4 --prompt 0 in
	draws 1 -V 2 --greedy --repeat-penalty 1.6 --prompt 0 in
}

@test "penalties may raise a logit too" {
	rows '1 0.5' >in
	draws 1 -V 2 --greedy --repeat-penalty 0.4 --prompt 1 in
	draws 1 -V 2 --greedy --presence-penalty -0.6 --prompt 1 in
	draws 1 -V 2 --greedy --frequency-penalty -0.3 --prompt 1,1 in
	draws 0 -V 2 --greedy --frequency-penalty -0.3 --prompt 1 in
}

@test "a raised token is found below the --top-k of the row" {
	rows '9*70 1' >in
	draws 70 -V 71 --top-k 1 --presence-penalty -9 --prompt 70 in
}

@test "a lowered token leaves its place in the --top-k to another" {
	rows -n 4 '5 4 3 2' >in
	draws '0 1 2 3' -V 4 --top-k 1 --presence-penalty 9 in
}

@test "each penalty has a value that is off, and it is the default" {
	rows -n 4 '1 0.999 0 0' >in
	draws '0 0 0 0' -V 4 --greedy in
	draws '0 0 0 0' -V 4 --greedy --presence-penalty 0 in
	draws '0 0 0 0' -V 4 --greedy --frequency-penalty 0 in
	draws '0 0 0 0' -V 4 --greedy --repeat-penalty 1 in
	draws '0 0 0 0' -V 4 --greedy --repeat-penalty 0 in
	draws '0 1 0 0' -V 4 --greedy --repeat-penalty 1.01 in
}

@test "--no-defaults leaves penalties off until one is given" {
	rows -n 3 '1 0' >in
	draws '0 0 0' -V 2 --no-defaults --greedy in
	draws '0 1 0' -V 2 --no-defaults --greedy --presence-penalty 2 in
}

@test "--repeat-last-n is how far they look back" {
	rows -n 7 '3 2 1 0' >in
	with='-V 4 --greedy --presence-penalty 10'
	# shellcheck disable=SC2086 # words
	{
		draws '0 1 0 1 0 1 0' $with --repeat-last-n 1 in
		draws '0 1 2 0 1 2 0' $with --repeat-last-n 2 in
		draws '0 1 2 3 0 1 2' $with --repeat-last-n 3 in
	}
}

@test "--repeat-last-n 0 turns the penalties off" {
	draws '0 0 0' -V 2 --greedy --presence-penalty 9 --repeat-last-n 0 \
	    --repeat-penalty 9 --frequency-penalty 9 --prompt 0 \
	    < <(rows -n 3 '1 0')
}

@test "--repeat-last-n below 0 looks back on everything" {
	prompt=0$(printf ',1%.0s' {1..3000})
	rows '2 0 1' >in
	for n in -1 -2 -9223372036854775808; do
		draws 2 -V 3 --greedy --presence-penalty 9 \
		    --repeat-last-n "$n" --prompt "$prompt" in
	done
	draws 0 -V 3 --greedy --presence-penalty 9 \
	    --repeat-last-n 3000 --prompt "$prompt" in
	draws 2 -V 3 --greedy --presence-penalty 9 \
	    --repeat-last-n 3001 --prompt "$prompt" in
}

@test "--repeat-last-n is 64 where it is not given" {
	prompt=0$(printf ',9%.0s' {1..63})
	rows '1 0' >in
	draws 1 -V 2 --greedy --presence-penalty 9 --prompt "$prompt" in
	draws 0 -V 2 --greedy --presence-penalty 9 --prompt "$prompt,9" in
}

@test "a token leaves the window as often as it entered" {
	rows '1 0' >in
	with='-V 2 --greedy --frequency-penalty 0.4 --repeat-last-n 4'
	# shellcheck disable=SC2086 # words
	{
		draws 1 $with --prompt 0,0,0,9 in
		draws 0 $with --prompt 0,0,0,9,9 in
		draws 1 $with --prompt 0,0,0,9,0 in
	}
}

@test "what is drawn joins the window behind the prompt, greedy or not" {
	draws '1 0 1 0' -V 2 --presence-penalty 99 --repeat-last-n 1 \
	    --prompt 0 < <(rows -n 4 '0 0')
	draws '1 0 1 0' -V 2 --presence-penalty 99 --repeat-last-n 1 \
	    --greedy --prompt 0 < <(rows -n 4 '0 0')
}

@test "--repeat-penalty is not below 0" {
	refuses '--repeat-penalty: -0.5 is out of range: 0 to *' \
	    -V 2 --repeat-penalty -0.5
}

@test "penalties that make a logit NaN fail, and name row and token" {
	# -3e38 * 2 is -inf; and -inf - -inf is NaN
	breaks '' 'row 1: *token 0 *NaN*' -V 2 --greedy --prompt 0,0,0 \
	    --repeat-penalty 2 --frequency-penalty -3e38 \
	    < <(rows '-3e38 0')
}
