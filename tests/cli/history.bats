#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --history: recorded ids join the window in place of those drawn.

load helper

# The story, its ids and its prompt, with names of their own.
story()
{
	zstd -dcq "$data/story-1.f32.zst" >in
	cp "$data/story-1.ids" ids
	prompt=$(<"$data/story-1.prompt")
}

# The row of the story with that number, from 1, alone.
row()
{
	tail -c +$((2048 * ($1 - 1) + 1)) in | head -c 2048
}

state_of()
{
	sed 's/.*"rng_state":"\([0-9a-f]*\)".*/\1/' "$1"
}

# Some rows of the story, each drawn from by itself: its prompt is all that
# was before it, the generator the one that the rows before it leave.
check_rows_alone()
{
	local n context
	try -V 512 --prompt "$prompt" --history ids "$@" in
	check_status 0
	check_silence
	(($(wc -l <out) == 256))
	cp out whole
	for n in 1 2 3 64 65 100 255 256; do
		context=$prompt,$(head -n $((n - 1)) ids | paste -sd ,)
		head -n $((n - 1)) ids >before
		head -c $((2048 * (n - 1))) in |
		    tokpick -V 512 --prompt "$prompt" --history before "$@" \
		        --summary summary >/dev/null
		row "$n" >row
		try -V 512 --prompt "$context" "$@" \
		    --rng-state "$(state_of summary)" row
		check_status 0
		[[ $(<out) == "$(sed -n "${n}p" whole)" ]] ||
		    fail "row $n is another, with $*"
	done
}

# The recorded ids make a difference.
check_history_matters()
{
	try -V 512 --prompt "$prompt" "$@" in
	! cmp -s out whole || fail "they made no difference, with $*"
}

@test "golem: a story's penalties are those of the story, not of the draws" {
	story
	set -- -s 3 --repeat-penalty 1.5 --presence-penalty 0.5 --temp 1.2
	check_rows_alone "$@"
	check_history_matters "$@"
}

@test "golem: so they are with a window on everything" {
	story
	set -- --repeat-last-n -1 --frequency-penalty 0.7
	check_rows_alone "$@"
	check_history_matters "$@"
}

@test "golem: so they are with a short window, and greedy" {
	story
	set -- --greedy --repeat-last-n 5 --presence-penalty 4
	check_rows_alone "$@"
	check_history_matters "$@"
}

@test "llama.cpp: so they are, and what dry looks back on" {
	story
	set -- --policy llama.cpp --dry-multiplier 2 --dry-allowed-length 0 \
	    --repeat-penalty 1.3
	check_rows_alone "$@"
	check_history_matters "$@"
}

@test "without penalties it makes no difference" {
	story
	for policy in golem strict llama.cpp; do
		try --policy $policy -V 512 in
		cp out free
		try --policy $policy -V 512 --history ids in
		check_status 0
		check_same free out
	done
}

@test "the recorded id is seen, the drawn one is not" {
	rows -n 4 '3 2 1 0' >in
	with='-V 4 --greedy --presence-penalty 9'
	echo 3 2 1 0 >recorded
	# shellcheck disable=SC2086 # words
	{
		draws '0 0 0 0' $with --history recorded in
		draws '0 1 2 3' $with in
		echo 0 0 1 3 >recorded
		draws '0 1 1 2' $with --history recorded in
	}
}

@test "recorded ids stand behind the prompt" {
	rows -n 3 '3 2 1 0' >in
	echo 1 3 0 >recorded
	draws '1 2 2' -V 4 --greedy --presence-penalty 9 --prompt 0 \
	    --history recorded in
	# A window of one holds the newest alone.
	draws '1 0 0' -V 4 --greedy --presence-penalty 9 --prompt 0 \
	    --repeat-last-n 1 --history recorded in
	try -V 4 --prompt 0,0 --history recorded --summary summary in
	check_json summary prompt=2 tokens=3
}

@test "a window on everything holds each recorded id" {
	python -c 'print(0, *[1] * 199)' >recorded
	rows -n 200 '2 0 1' >in
	with='-V 3 --greedy --presence-penalty 9 --history recorded in'
	# shellcheck disable=SC2086 # words
	{
		try --repeat-last-n -1 $with
		check_status 0
		[[ $(uniq out | paste -sd ' ') == '0 2' ]] ||
		    fail 'wanted 0, then 2 only'
		# The last of 64 that holds the first of them is row 65.
		try $with
		[[ $(uniq -c out | xargs) == '1 0 64 2 135 0' ]] ||
		    fail 'wanted 0, 64 times 2, and 0 again'
	}
}

@test "an id that the vocabulary does not have takes its place" {
	rows -n 3 '3 2 1' >in
	echo 0 99 2147483647 >recorded
	draws '0 1 1' -V 3 --greedy --presence-penalty 9 --history recorded in
	draws '0 1 0' -V 3 --greedy --presence-penalty 9 --repeat-last-n 1 \
	    --history recorded in
}

@test "stop rules go by what is written" {
	even >in
	echo 3 3 3 3 3 3 3 3 >recorded
	try -V 4 --eos 1 --history recorded --summary summary in
	check_status 0
	check_ids '2 3 1'
	check_json summary 'stop="eos"' tokens=3
	echo 1 1 1 1 1 1 1 1 >recorded
	draws '2 3 1 2 2 1 0' -V 4 --eos 0 --history recorded in
}

@test "blanks, lines and commas stand between recorded ids" {
	rows -n 4 '3 2 1 0' >in
	printf '3,2\t1\r\n\n 0\n' >recorded
	draws '0 0 0 0' -V 4 --greedy --presence-penalty 9 \
	    --history recorded in
}

@test "a file that is too short fails before its row is drawn" {
	even >in
	echo 0 0 0 >recorded
	breaks '2 3 1' '--history: 3 ids are recorded, row 4 has none*' \
	    -V 4 --history recorded in
	: >recorded
	breaks '' '--history: 0 ids are recorded, row 1 has none*' \
	    -V 4 --history recorded in
	draws '' -V 4 --history recorded </dev/null
}

@test "a row that has no recorded id moves nothing on" {
	even >in
	echo 0 0 0 >recorded
	try -V 4 --history recorded --summary short in
	check_status 1
	try -V 4 -n 3 --summary three in
	[[ $(state_of short) == "$(state_of three)" ]] ||
	    fail 'wanted the state after three rows'
	check_json short tokens=3
}

@test "a file that is too long fails at the end" {
	even >in
	echo 0 0 0 0 0 0 0 0 0 >recorded
	breaks "$even_ids" \
	    '--history: 9 ids are recorded, the input has 8 rows*' \
	    -V 4 --history recorded in
	breaks '' '--history: 9 ids are recorded, the input has 0 rows*' \
	    -V 4 --history recorded </dev/null
}

@test "a file that is too long is well where a stop rule ends the run" {
	even >in
	echo 0 0 0 0 0 0 0 0 0 >recorded
	draws '2 3' -V 4 -n 2 --history recorded in
	draws "$even_ids" -V 4 -n 8 --history recorded in
	draws '2 3 1' -V 4 --eos 1 --history recorded in
	draws '2 3 1' -V 4 -c 2 --history recorded in
	draws '' -V 4 -n 0 --history recorded in
	breaks "$even_ids" '--history: 9 *8 rows*' -V 4 -n 9 \
	    --history recorded in
}

@test "a bad row is told, not what is left of the recording" {
	rows '0 1' '0 nan' '0 1' >in
	echo 0 0 0 >recorded
	try -V 2 --history recorded in
	check_status 1
	check_message 'row 2: *NaN*'
}

@test "a file that can't be read, or is no list of ids, is told by its name" {
	even >in
	try -V 4 --history missing in
	check_status 1
	check_message '--history: missing: *'
	check_ids ''
	for text in 'one' '1 -2' '1.5' 2147483648 '0x10' '1;2'; do
		echo "$text" >recorded
		try -V 4 --history recorded in
		check_status 2
		check_message '*recorded*'
		check_ids ''
	done
	refuses '--history: -: standard input is for rows*' \
	    -V 4 --history - <in
}

@test "the name stands without @" {
	even | head -c 16 >in
	echo 3 >@list
	draws 2 -V 4 --history @list in
}

@test "replaying a recording: --history and --expect are the same file" {
	story
	set -- -V 512 -s 11 --prompt "$prompt" --repeat-penalty 1.2
	try "$@" in
	check_status 0
	cp out recorded
	try "$@" --history recorded --expect recorded in
	check_status 0
	check_silence
	check_same recorded out
	# With another id in it the rows behind it see that one.
	awk 'NR == 40 { $1 = ($1 + 1) % 512 } { print }' recorded >other
	try "$@" --history other in
	check_status 0
	head -n 40 recorded | cmp - <(head -n 40 out) ||
	    fail 'wanted the first 40'
}
