#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Rows that nothing can be drawn from.

load helper

@test "NaN fails, with its row, its token and its value" {
	rows '9 0 0' '0 9 0' '0 0 nan' '9 0 0' >in
	breaks '0 1' 'row 3: logit of token 2 is NaN*' -V 3 --greedy in
}

@test "a NaN with a sign, or with other bits, is NaN" {
	for bits in 0x7f800001 0xffc00000 0xff800001 0x7fffffff; do
		breaks '' 'row 1: logit of token 1 is NaN*' \
		    -V 2 < <(rows "0 $bits")
	done
}

@test "+inf fails, with its row, its token and its value" {
	rows '9 0 0' 'inf 0 0' >in
	breaks '0' 'row 2: logit of token 0 is +inf*' -V 3 in
}

@test "-inf is a token that is never drawn" {
	rows -n 100 '-inf 0 -inf 0 -inf' >in
	try -V 5 --no-defaults in
	check_status 0
	check_silence
	check_seen '1 3'
	draws 3 -V 5 < <(rows '-inf -inf -inf -99 -inf')
}

@test "a row of nothing but -inf fails" {
	rows '9 0 0' '-inf -inf -inf' '9 0 0' >in
	breaks '0' 'row 2: no logit is finite*' -V 3 --greedy in
	breaks '' 'row 1: no logit is finite*' -V 1 < <(rows -inf)
}

@test "a bad value is found wherever it stands, and whatever is kept" {
	local id settings
	for id in 0 1 2 63 64 65 127 128 129; do
		rows "9*$id nan 8*$((129 - id))" >in
		for settings in --greedy --top-k={0,1,2,129,130}; do
			breaks '' "row 1: logit of token $id is NaN*" \
			    -V 130 "$settings" in
		done
	done
}

@test "of several bad values the first in the row is named" {
	breaks '' 'row 1: logit of token 1 is NaN*' -V 3 < <(rows '0 nan inf')
	breaks '' 'row 1: logit of token 1 is +inf*' -V 3 < <(rows '0 inf nan')
}

@test "what is far below the cut is looked at too" {
	breaks '' 'row 1: logit of token 99 is NaN*' \
	    -V 100 --greedy < <(rows '99 0*98 nan')
}

@test "a ban does not excuse a NaN" {
	breaks '' 'row 1: logit of token 1 is NaN*' \
	    -V 2 -l 1-inf < <(rows '0 nan')
}

@test "the rows after a stop are not looked at" {
	draws '0' -V 2 -n 1 < <(rows '99 0' 'nan nan')
}

@test "rows are counted through all FILEs" {
	rows '9 0' '9 0' >a
	rows '9 0' 'nan 0' >b
	breaks '0 0 0' 'row 4: logit of token 0 is NaN*' -V 2 --greedy a b
}

@test "the ids before a bad row are written in every format" {
	rows '0 9 0' 'nan 0 0' >in
	printf 'a\nb\nc\n' >pieces
	try -V 3 -o i32 in
	check_status 1
	check_message 'row 2: *'
	check_out '\x01\0\0\0'
	try -V 3 -o text --pieces pieces in
	check_status 1
	check_message 'row 2: *'
	check_out b
}

@test "logits far apart, and at the ends of f32, are drawn from" {
	draws '1' -V 3 < <(rows '-3e38 3e38 0')
	for bits in 0x7f7fffff 0xff7fffff; do
		# The units for seed 255 begin .06 .96 .55 .24.
		draws '0 1 1 0' -V 2 --no-defaults -s 255 \
		    < <(rows -n 4 "$bits $bits")
	done
}
