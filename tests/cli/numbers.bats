#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Numbers on the command line: taken whole, within range, or refused.

load helper

whole='vocab max-window top-k repeat-last-n min-keep predict ctx-size'
real='temp top-p min-p repeat-penalty frequency-penalty presence-penalty'

@test "what is no whole number is refused, and named" {
	for option in $whole; do
		for word in x 1x x1 1.5 1e3 0x10 nan inf -inf 1,2 -- - + ' 1' \
		    '1 ' $'1\n' ''; do
			refuses "--$option: '*' is not a whole number" \
			    -V 4 "--$option=$word"
		done
		refuses "--$option: '1x' is not a whole number" \
		    -V 4 "--$option" 1x
	done
}

@test "what is no number is refused, and named" {
	for option in $real; do
		for word in x 1x x1 1.5.2 1e -- - + . ' 1' '1 ' $'1\n' ''; do
			refuses "--$option: '*' is not a number" \
			    -V 4 "--$option=$word"
		done
		refuses "--$option: '1x' is not a number" -V 4 "--$option" 1x
	done
}

@test "NaN and infinity are refused, and what is as large" {
	for option in $real; do
		for word in nan NaN -nan 'nan(1)' inf -inf infinity 1e39 -1e39 \
		    1e999; do
			refuses "--$option: $word is not a finite *" \
			    -V 4 "--$option=$word"
		done
	done
}

@test "whole numbers beyond 64 bits are refused" {
	for option in $whole; do
		for word in 9223372036854775808 -9223372036854775809 \
		    99999999999999999999999; do
			refuses "--$option: $word is out of range: *" \
			    -V 4 "--$option=$word"
		done
	done
}

@test "what is out of range is refused with option, value and range" {
	all='-9223372036854775808 to 9223372036854775807'
	while read -r option value low high; do
		refuses "--$option: $value is out of range: $low to $high" \
		    -V 4 "--$option=$value"
	done <<-'END'
		vocab 0 1 2147483647
		vocab 2147483648 1 2147483647
		max-window 9 10 31
		max-window 32 10 31
		min-keep -1 0 2147483647
		min-keep 2147483648 0 2147483647
		predict -2 -1 9007199254740992
		predict 9007199254740994 -1 9007199254740992
		ctx-size -1 0 9007199254740992
	END
	for value in -9223372036854775809 9223372036854775808; do
		for option in top-k repeat-last-n; do
			refuses "--$option: $value is out of range: $all" \
			    -V 4 "--$option=$value"
		done
	done
}

@test "fractions out of range are refused with option, value and range" {
	refuses '--min-p: 1.5 is out of range: * to 1' -V 4 --min-p 1.5
	refuses '--min-p: 1.000001 is out of range: * to 1' \
	    -V 4 --min-p 1.000001
	refuses '--repeat-penalty: -0.1 is out of range: 0 to *' \
	    -V 4 --repeat-penalty -0.1
}

# The golden vectors have golem draw so (golem-16-p-neg).
@test "a top-p below 0 keeps the best alone" {
	rows '1 3 2 0' >in
	draws '1' -V 4 --top-p -0.1 in
}

@test "the ends of each range are taken" {
	for setting in max-window=10 min-keep=0 min-keep=2147483647 \
	    predict=-1 predict=9007199254740992 ctx-size=0 \
	    ctx-size=9007199254740992 top-k=9223372036854775807 \
	    top-k=-9223372036854775808 repeat-last-n=9223372036854775807 \
	    repeat-last-n=-9223372036854775808 min-p=1 min-p=0 top-p=0 \
	    top-p=1 repeat-penalty=0 temp=3.4e38 temp=-3.4e38 \
	    frequency-penalty=-3e38 presence-penalty=3e38; do
		draws '2 3' -V 4 --samplers '' -q "--$setting" \
		    < <(rows -n 2 '0 0 0 0')
	done
}

@test "numbers are written as C writes them" {
	halves >in
	draws "$halves_best_2" -V +4 --top-k 002 in
	draws '0 1 0 0 0 0 0 0' -V 4 --temp .5 in
	draws '0 1 0 0 0 0 0 0' -V 4 --temp 5e-1 in
	draws '0 1 0 0 0 0 0 0' -V 4 --temp +0.50 in
	draws '0 1 0 0 0 0 0 0' -V 4 --temp 0x1p-1 in
}

@test "fractions are rounded to 32 bits once" {
	# A little above 1 + 2^-24.  The nearest double is just that, and the
	# nearest float to it 1; the nearest float to this is 1 + 2^-23.
	draws 1 -V 2 --greedy -l 0+1 -l 1+1.00000005960464477539062500001 \
	    < <(rows '0 0')
	draws 0 -V 2 --greedy -l 0+1 -l 1+1.00000005960464477539062499999 \
	    < <(rows '0 0')
}
