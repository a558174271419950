#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --expect: draws compared with recorded ids, as cmp compares files.

load helper

# record ID...: the recorded ids.
record()
{
	printf '%s\n' "$@" >recorded
}

# differs IDS MESSAGE [ARGUMENT]...: these are drawn, all of them, and then a
# difference is told.
differs()
{
	breaks "$1" "--expect: $2" "${@:3}" --expect recorded
}

@test "all agree: exit 0, and not a word" {
	even >in
	record 2 3 1 2 2 1 0 2
	draws "$even_ids" -V 4 --expect recorded in
	zstd -dcq "$data/story-1.f32.zst" >in
	for options in '' '--policy strict' '--policy llama.cpp' --greedy; do
		# shellcheck disable=SC2086 # the options are words
		tokpick -V 512 -s 5 $options in >recorded
		# shellcheck disable=SC2086
		try -V 512 -s 5 $options --expect recorded in
		check_status 0
		check_silence
		check_same recorded out
	done
}

@test "-v counts those that agree" {
	even >in
	record 2 3 1 2 2 1 0 2
	try -v -V 4 --expect recorded in
	check_status 0
	check_says '--expect: all 8 agree'
}

@test "one differs: exit 1, all ids written, and what is known of both" {
	even >in
	record 2 3 3 2 2 1 0 2
	differs "$even_ids" 'row 3: drew 1 (p 0.25, rank 2) by the random'`
	    `' number 0.35*, recorded is 3 (p 0.25, rank 4); 7 of 8 agree' \
	    -V 4 in
}

@test "the first of several differences is told, and all are counted" {
	even >in
	record 2 0 1 2 1 1 0 0
	differs "$even_ids" 'row 2: drew 3 *, recorded is 0 *; 5 of 8 agree' \
	    -V 4 in
	record 0 0 0 0 0 0 1 0
	differs "$even_ids" 'row 1: drew 2 *, recorded is 0 *; 0 of 8 agree' \
	    -V 4 in
	record 2 3 1 2 2 1 0 1
	differs "$even_ids" 'row 8: drew 2 *, recorded is 1 *; 7 of 8 agree' \
	    -V 4 in
}

@test "probabilities are those that were drawn by, ranks those of the row" {
	# Of 1/2, 1/4, 1/8 and 1/8 the best two are kept, so 2/3 and 1/3.
	halves >in
	record 0 1 0 0 1 0 0 0
	differs "$halves_best_2" 'row 1: drew 1 (p 0.333333, rank 2) by *,'`
	    `' recorded is 0 (p 0.666667, rank 1); 7 of 8 agree' \
	    -V 4 --top-k 2 in
	record 2 1 0 0 1 0 0 0
	differs "$halves_best_2" 'row 1: drew 1 (p 0.333333, rank 2) by *,'`
	    `' recorded is 2 (p 0, rank 3); 7 of 8 agree' -V 4 --top-k 2 in
}

@test "so they are for strict and llama.cpp" {
	halves | head -c 16 >in
	tokpick --policy strict -V 4 --top-k 2 -o jsonl in >line
	[[ $(<line) == *'"id":1,'* && $(<line) == *'"u":0.8833108082136426,'* ]]
	record 0
	differs 1 'row 1: drew 1 (p 0.333333, rank 2) by the random number'`
	    `' 0.883310808, recorded is 0 (p 0.666667, rank 1); 0 of 1 agree' \
	    --policy strict -V 4 --top-k 2 in
	record 3
	differs 0 'row 1: drew 0 (p 0.666667, rank 1) by the random number'`
	    `' 0.592844617, recorded is 3 (p 0, rank 4); 0 of 1 agree' \
	    --policy llama.cpp -V 4 --temp 1 --top-k 2 --top-p 1 in
}

@test "penalties do not change a rank" {
	rows '3 2 1' >in
	record 0
	differs 1 'row 1: drew 1 (p 1, rank 2) by no random number,'`
	    `' recorded is 0 (p 0, rank 1); 0 of 1 agree' -V 3 --greedy \
	    --presence-penalty 9 --prompt 0 in
}

@test "greedy and single candidates are drawn by no random number" {
	rows '3 2 1' >in
	record 2
	for options in --greedy '--top-k 1' '--temp 0'; do
		# shellcheck disable=SC2086 # the options are words
		differs 0 'row 1: drew 0 (p 1, rank 1) by no random number,'`
		    `' recorded is 2 (p 0, rank 3); 0 of 1 agree' \
		    -V 3 $options in
	done
	differs 0 'row 1: drew 0 (p 1, rank 1) by the random number *' \
	    -V 3 --policy strict --top-k 1 in
	differs 0 'row 1: drew 0 (p 1, rank 1) by the random number *' \
	    -V 3 --policy llama.cpp --top-k 1 in
	differs 0 'row 1: drew 0 (p 1, rank 1) by no random number*' \
	    -V 3 --policy llama.cpp-2026-07 --top-k 1 in
}

@test "too few recorded ids: exit 1, and both numbers" {
	even >in
	record 2 3 1
	differs "$even_ids" '*recorded *3 *8 rows*3 *agree' -V 4 in
	: >recorded
	differs "$even_ids" '*recorded *0 *8 rows*' -V 4 in
	# That they are too few does not end the run.
	record 2 3 1
	differs '2 3 1 2' '*3 *4 rows*' -V 4 -n 4 in
}

@test "too many recorded ids: exit 1, and both numbers" {
	even >in
	record 2 3 1 2 2 1 0 2 0
	differs "$even_ids" '*recorded *9 *8 rows*8 *agree' -V 4 in
	differs '' '*9 *0 rows*' -V 4 /dev/null
}

@test "where one differs, that is told, not the numbers" {
	even >in
	record 2 0 1
	differs "$even_ids" 'row 2: *; 2 of 3 agree' -V 4 in
	record 2 0 1 2 2 1 0 2 0
	differs "$even_ids" 'row 2: *; 7 of 8 agree' -V 4 in
}

@test "after a stop rule recorded ids may be left" {
	even >in
	record 2 3 1 2 2 1 0 2
	draws '2 3' -V 4 -n 2 --expect recorded in
	draws '2 3 1' -V 4 --eos 1 --expect recorded in
	draws '2 3 1' -V 4 -c 2 --expect recorded in
	draws '' -V 4 -n 0 --expect recorded in
	draws "$even_ids" -V 4 -n 8 --expect recorded in
	record 2 0 1 2 2 1 0 2
	differs '2 3' 'row 2: *; 1 of 2 agree' -V 4 -n 2 in
}

@test "without rows and without ids there is nothing to differ" {
	: >recorded
	draws '' -V 4 --expect recorded /dev/null
}

@test "an id outside the vocabulary differs from all, and is told as that" {
	even | head -c 32 >in
	record 2 4
	differs '2 3' 'row 2: drew 3 *, recorded is 4 *; 1 of 2 agree' -V 4 in
	[[ $(<err) == *'4 '*'outside the vocabulary'* ]] ||
	    fail 'wanted to know that 4 is outside the vocabulary'
	record 2 2147483647
	differs '2 3' \
	    'row 2: drew 3 *, recorded is 2147483647 *; 1 of 2 agree' -V 4 in
}

@test "-q says it too: it is an error" {
	even >in
	record 2 3 3 2 2 1 0 2
	differs "$even_ids" 'row 3: *; 7 of 8 agree' -q -V 4 in
	record 2 3 1
	differs "$even_ids" '*3 *8 rows*' -q -V 4 in
}

@test "the ids on standard output are those drawn, in every format" {
	even | head -c 32 >in
	record 2 0
	cp "$data/story.pieces.txt" pieces
	try -V 4 -o i32 --expect recorded in
	check_status 1
	check_message '--expect: row 2: *'
	check_out '\02\0\0\0\03\0\0\0'
	printf 'a\nb\nc\nd\n' >pieces
	try -V 4 -o text --pieces pieces --expect recorded in
	check_status 1
	check_out cd
	try -V 4 -o jsonl --expect recorded in
	check_status 1
	check_message '--expect: row 2: drew 3 (p 0.25, rank 4) by *'
	(($(wc -l <out) == 2)) || fail 'wanted two lines'
}

@test "the window is that of the draws, unless --history is given" {
	rows -n 3 '3 2 1' >in
	with='-V 3 --greedy --presence-penalty 9'
	record 0 0 0
	# shellcheck disable=SC2086 # words
	{
		differs '0 1 2' 'row 2: *; 1 of 3 agree' $with in
		differs '0 1 1' 'row 2: drew 1 *; 1 of 3 agree' $with \
		    --history recorded in
		record 0 1 1
		differs '0 1 2' 'row 3: drew 2 *; 2 of 3 agree' $with in
	}
}

@test "a difference is in the summary" {
	even >in
	record 2 3 3 2 2 1 0 2
	try -V 4 --expect recorded --summary summary in
	check_status 1
	check_json summary tokens=8 rows=8 'stop="error"'
	[[ $(<summary) == *'"error":"--expect: row 3: '* ]] ||
	    fail 'wanted the difference in the summary'
	record 2 3 1 2 2 1 0 2
	try -V 4 --expect recorded --summary summary in
	check_status 0
	check_json summary 'stop="end-of-input"'
}

@test "a bad row is told, not the difference before it" {
	rows '0 1' '0 nan' >in
	record 0 0
	tokpick -V 2 -n 1 in >first
	record $((1 - $(<first))) 0
	try -V 2 --expect recorded in
	check_status 1
	check_message 'row 2: *NaN*'
	check_same first out
}

@test "--inspect draws nothing that could be compared" {
	even >in
	record 2 3 1 2 2 1 0 2
	refuses '*' -V 4 --inspect --expect recorded in
	[[ $(<err) == *--expect* && $(<err) == *--inspect* ]] ||
	    fail 'wanted both options in the message'
}

@test "a file that can't be read, or is no list of ids, is told by its name" {
	even >in
	try -V 4 --expect missing in
	check_status 1
	check_message '--expect: missing: *'
	check_ids ''
	for text in one '1 -2' 1.5 2147483648; do
		echo "$text" >recorded
		try -V 4 --expect recorded in
		check_status 2
		check_message '*recorded*'
		check_ids ''
	done
	refuses '--expect: -: standard input is for rows*' -V 4 --expect - <in
}

@test "blanks, lines and commas stand between recorded ids" {
	even >in
	printf '2,3\t1\r\n\n2 2,1, 0 2' >recorded
	draws "$even_ids" -V 4 --expect recorded in
}
