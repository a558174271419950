#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --inspect, and tables.
# shellcheck disable=SC2030,SC2031 # each test is a process of its own

load helper

# Nothing of the surroundings but what a test sets.  (LC_ALL, since Python
# sets LC_CTYPE for its children where it finds no locale.)
setup()
{
	cd "$BATS_TEST_TMPDIR" || return
	unset COLUMNS LC_CTYPE LANG NO_COLOR
	export LC_ALL=C TERM=xterm
}

chapter()
{
	rows -d f64 '0 1 1 2' >in
}

strict()
{
	try -V 4 -d f64 --policy strict "$@" in
	check_status 0
	check_silence
}

story()
{
	zstd -dcq "$data/story-1.f32.zst" | head -c "$((${1:-256} * 2048))" >in
}

# has_line TEXT: a line of the output is this, however many blanks it has
# where the text has one.
has_line()
{
	tr -s ' ' <out | sed 's/^ //' | grep -qxF -e "$1" ||
	    fail "wanted the line: $1"
}

# lacks PATTERN: no line of the output is like this.  (A `!` fails no test.)
lacks()
{
	if grep -q -e "$1" out; then fail "wanted no line like: $1"; fi
}

# A table was drawn, without a word.
check_table()
{
	check_status 0
	check_silence
	grep -q '^rank\|^ *rank' out || fail 'wanted a table'
}

# widest FILE: the columns of its longest line, by Python's idea of widths.
widest()
{
	python - "$1" <<-'END'
		import sys, unicodedata
		def width(c):
		    if unicodedata.category(c) in ("Mn", "Me"):
		        return 0
		    return 2 if unicodedata.east_asian_width(c) in "WF" else 1
		with open(sys.argv[1], encoding="utf-8", newline="\n") as file:
		    print(max(sum(map(width, x.rstrip("\n"))) for x in file))
	END
}

@test "the chapter's distributions, to twelve digits" {
	chapter
	strict --inspect -o table --temp 0.5
	bar=#######################
	has_line "1 3 2.0000 0.775803492574 0.775803492574 $bar"
	has_line '2 1 1.0000 0.104993585404 0.880797077978 ###'
	has_line '3 2 1.0000 0.104993585404 0.985790663381 ###'
	has_line '4 0 0.0000 0.014209336619 1.000000000000'
	strict --inspect -o table --temp 1
	grep -q ' 0\.072329488129 ' out
	(($(grep -c ' 0\.196611933241 ' out) == 2))
	grep -q ' 0\.534446645389 ' out
	strict --inspect -o table --temp 2
	grep -q ' 0\.142536956597 ' out
	(($(grep -c ' 0\.235003712202 ' out) == 2))
	grep -q ' 0\.387455619000 ' out
}

@test "the chapter's distributions beside each other" {
	chapter
	strict --inspect -o table --temp 0.5,1,2
	has_line 'rank id logit temp 0.5 temp 1 temp 2'
	has_line '1 3 2.0000 0.775803492574 0.534446645389 0.387455619000'
	has_line '2 1 1.0000 0.104993585404 0.196611933241 0.235003712202'
	has_line '3 2 1.0000 0.104993585404 0.196611933241 0.235003712202'
	has_line '4 0 0.0000 0.014209336619 0.072329488129 0.142536956597'
	grep -q '^temp 0\.5  entropy 0\.730667710174  kept 4 of 4  ret' out
}

@test "the chapter's distributions in JSON" {
	chapter
	strict --inspect --temp 0.5,1,2
	python - <<-'END'
		import json
		want = [
		    "0.014209336619 0.104993585404 0.104993585404 0.775803492574",
		    "0.072329488129 0.196611933241 0.196611933241 0.534446645389",
		    "0.142536956597 0.235003712202 0.235003712202 0.387455619000",
		]
		temps = json.load(open("out"))["temps"]
		assert [t["temp"] for t in temps] == [0.5, 1, 2]
		for temp, line in zip(temps, want):
		    p = {c["id"]: c["p"] for c in temp["candidates"]}
		    found = " ".join(f"{p[i]:.12f}" for i in range(4))
		    assert found == line, found
	END
}

@test "what the chapter's k removes" {
	chapter
	strict --inspect -o table --top-k 3
	has_line 'retained mass 0.927670511871'
	grep -q '^row 1  entropy 0\.975327829166  kept 3 of 4 (top_k 3)$' out
	has_line '4 0 0.0000 0.000000000000 1.000000000000 top_k'
	strict --inspect --top-k 3
	python - <<-'END'
		import json
		line = json.load(open("out"))
		assert line["retained"] == [3, 1, 2]
		assert f"{line['retained_mass']:.12f}" == "0.927670511871"
		assert f"{line['removed_mass']:.12f}" == "0.072329488129"
		assert line["candidates"][3]["removed"] == "top_k"
	END
}

@test "a probability that underflows stays retained" {
	rows -d f64 '2 2 1' >in
	try -V 3 -d f64 --policy strict --inspect --top-k 3 \
	    --temp 2.2250738585072014e-308 in
	check_json out 'retained=[0,1,2]' 'support=[0,1]'
	python - <<-'END'
		import json
		line = json.load(open("out"))
		assert [c["p"] for c in line["candidates"]] == [0.5, 0.5, 0]
		assert all(c["removed"] is None for c in line["candidates"])
	END
	try -V 3 -d f64 --policy strict --inspect --top-k 3 -o table \
	    --temp 2.2250738585072014e-308,1 in
	has_line 'rank id logit 2.22507e-308 temp 1'
	has_line '3 2 1.0000 0.000000000000 0.155362403497 ######'
}

@test "looking draws nothing and moves nothing on" {
	story 20
	for format in jsonl table; do
		tokpick -V 512 --inspect -o $format --repeat-penalty 2 \
		    --summary summary in >out
		check_json summary tokens=0 rows=20 'stop="end-of-input"' \
		    'rng_state="00000000000000009e3779b97f4a7c15"'
	done
	tokpick -V 512 --inspect --repeat-penalty 2 in >all
	tail -c 2048 in >last
	tokpick -V 512 --inspect --repeat-penalty 2 last >out
	tail -n 1 all | sed 's/"row":20/"row":1/' | cmp - out
}

@test "so many rows are looked at as tokens may be drawn" {
	story 20
	try -V 512 --inspect -n 3 --summary summary in
	(($(wc -l <out) == 3))
	check_json summary rows=3 tokens=0 'stop="token-limit"'
}

@test "a row that is no good is told of behind those that are" {
	rows '0 1' '0 nan' '1 0' >in
	try -V 2 --inspect --no-defaults in
	check_status 1
	check_message 'row 2: logit of token 1 is NaN*'
	check_json out row=1
}

@test "the format is table on a terminal and jsonl elsewhere" {
	chapter
	try_under tty-out -V 4 -d f64 --policy strict --inspect in
	grep -q '^.*row 1.*  entropy ' out
	try -V 4 -d f64 --policy strict --inspect in
	check_json out row=1
}

@test "another format is refused, and so is --top with one" {
	chapter
	for format in ids i32 text; do
		refuses '--*: *table *jsonl, not '$format -V 4 --inspect \
		    -o $format --pieces /dev/null in
		refuses '--top: *table *jsonl, not '$format -V 4 --top 3 \
		    -o $format --pieces /dev/null in
	done
}

@test "recorded ids before the rows that are shown join the window" {
	rows '0 1' '1 0' '0 0' >in
	printf '%s\n' 1 1 0 >ids
	refuses '--history: --inspect draws nothing*' -V 2 --inspect \
	    --history ids in
	try -V 2 --inspect --rows 3 --history ids in
	check_json out row=3 prefix=2
}

@test "twenty candidates are shown, or as many as --top says" {
	story 1
	try -V 512 --inspect -o table --no-defaults in
	(($(wc -l <out) == 2 + 20 + 1))
	try -V 512 --inspect -o table --no-defaults --top 3 in
	(($(wc -l <out) == 2 + 3 + 1))
	try -V 512 --inspect -o table --no-defaults --top 600 in
	(($(wc -l <out) == 2 + 512 + 1))
	try -V 512 --inspect in
	[[ $(grep -o '"removed":' out | wc -l) == 20 ]]
}

@test "each row has its table, and an empty line behind it" {
	rows '0 1' '1 0' >in
	try -V 2 --inspect -o table --no-defaults in
	sed -n '/^row/p; /^$/p' out | sed 's/  .*//' >lines
	[[ $(paste -sd , lines) == 'row 1,,row 2,' ]]
}

@test "the id that was drawn is marked" {
	rows '0 1 1 2' >in
	try -V 4 -o table --no-defaults --seed 1 in
	check_status 0
	id=$(tokpick -V 4 --no-defaults --seed 1 in)
	[[ $(grep -c '^>' out) == 1 ]] || fail 'one line is marked'
	grep '^>' out | tr -s ' ' | grep -q "^> [1-4] $id " || fail "not $id"
	grep -q "drawn $id by 0\.[0-9]\{12\}\$" out
	try -V 4 -o table --greedy in
	grep '^>' out | tr -s ' ' | grep -q '^> 1 3 '
	grep -q 'drawn 3$' out
}

@test "the id that was drawn is shown where the list ends before it" {
	even >in
	try -V 4 -o table --top 2 -n 2 in
	# The first of these rows draws 2, the second 3.
	[[ $(grep -c '^\.\.\.$' out) == 2 ]]
	bar=#####################
	has_line "> 3 2 0.0000 0.250000000000 0.750000000000 $bar"
	has_line "> 4 3 0.0000 0.250000000000 1.000000000000 $bar"
}

@test "of several draws the table has the count" {
	even >in
	ids=$(tokpick -V 4 --draws 100 -n 1 in | tr ' ' '\n')
	try -V 4 -o table --draws 100 -n 1 in
	for id in 0 1 2 3; do
		n=$(grep -cx $id <<<"$ids")
		sum=$(printf %.12f $(((id + 1) * 25))e-2)
		has_line "$n $((id + 1)) $id 0.0000 0.250000000000 $sum $(
		    )###################"
	done
	try -V 4 -o table --draws 100 -n 1 --top 1 in
	n=$(grep -cvx 0 <<<"$ids")
	has_line "... $n of 100 draws are of others"
}

@test "rank is the place among the row's own logits" {
	rows '0 1 2 3' >in
	try -V 4 --inspect -o table --no-defaults -l 0+9 in
	sed -n '3,6p' out | tr -s ' ' | cut -d ' ' -f 2 | paste -sd ' ' >ranks
	[[ $(<ranks) == '4 1 2 3' ]]
}

@test "what the mask forbids is marked as such" {
	rows '0 1 2 3' >in
	printf '\x07\0\0\0' >mask
	try -V 4 --inspect -o table --no-defaults --mask mask in
	sed -n '6p' out | tr -s ' ' |
	    grep -q '^ 1 3 3\.0000 0\.000000000000 [01]\.[0-9]* mask$'
}

@test "where all that is shown was removed the bars are empty" {
	rows '1 0.9' >in
	COLUMNS=100 try -V 2 --inspect -o table --no-defaults --temp 0.1,10 \
	    --prompt 0 --samplers 'temperature;penalties;top_k' --top-k 1 \
	    --top 1 --presence-penalty 0.5 in
	check_table
	has_line '1 0 1.0000 1.000000000000 #################### top_k'
}

@test "bars are as long as the probabilities" {
	# 4/7, 2/7 and 1/7.
	rows '1.3862943611198906 0.6931471805599453 0' >in
	COLUMNS=96 try -V 3 --inspect -o table --no-defaults in
	grep -o '#*$' out | sed '/^$/d' | awk '{print length}' |
	    paste -sd ' ' >bars
	read -r full half quarter <bars
	((full > 20 && half == (full + 1) / 2))
	((quarter >= full / 4 && quarter <= full / 4 + 1))
	[[ $(widest out) == 96 ]]
}

@test "bars are of blocks where the locale is UTF-8" {
	rows '1.3862943611198906 0.6931471805599453 0' >in
	export COLUMNS=81
	for variable in LC_ALL LC_CTYPE LANG; do
		unset LC_ALL
		export $variable=C.UTF-8
		try -V 3 --inspect -o table --no-defaults in
		unset $variable
		check_table
		lacks '#'
		[[ $(widest out) == 81 ]]
		# 24 columns; half of them; a quarter.
		[[ $(LC_ALL=C.UTF-8 grep -o '█*$' out | tr -d '\n') == "$(
		    printf '█%.0s' {1..42})" ]]
	done
	# Of 25 columns a quarter is six and a quarter.
	export COLUMNS=82
	LC_ALL=C.UTF-8 try -V 3 --inspect -o table --no-defaults in
	grep -q ' ████████████▌$' out
	grep -q ' ██████▎$' out
	# A third, 200 eighths long, is 67 when rounded.
	rows '1.0986122886681098 0' >third
	LC_ALL=C.UTF-8 try -V 2 --inspect -o table --no-defaults third
	grep -q ' ████████▍$' out
	LC_ALL=C LANG=C.UTF-8 try -V 3 --inspect -o table --no-defaults in
	grep -q '##$' out
	lacks '█'
}

@test "lines fit from 40 to 200 columns" {
	story 3
	cp "$data/story.pieces.txt" pieces
	for columns in 40 41 47 53 60 66 72 79 80 81 92 99 100 120 160 200; do
		export COLUMNS=$columns
		for options in '' '--pieces pieces' '--temp 0.5,1,2' \
		    '--pieces pieces --temp 0.25,0.5,1,2,4'; do
			# shellcheck disable=SC2086 # the options are words
			LC_ALL=C.UTF-8 try -V 512 --inspect -o table \
			    --no-defaults $options in
			check_status 0
			(($(widest out) <= columns)) ||
			    fail "$columns columns are exceeded"
			lacks ' $'
			(($(grep -c '0\.[0-9]\{12\}' out) >= 60))
		done
		LC_ALL=C.UTF-8 try -V 512 -o table --temp 2 --top 3 \
		    --pieces pieces in
		(($(widest out) <= columns)) || fail "$columns, with draws"
	done
}

@test "what is too much for the width is left out" {
	story 1
	cp "$data/story.pieces.txt" pieces
	heads()
	{
		COLUMNS=$1 try -V 512 --inspect -o table --pieces pieces in
		grep '^rank' out | tr -s ' '
	}
	[[ $(heads 100) == 'rank id piece logit probability cumul. removed' ]]
	[[ $(heads 80) == 'rank id piece logit probability cumul. removed' ]]
	[[ $(heads 66) == 'rank id piece logit probability removed' ]]
	[[ $(heads 56) == 'rank id piece probability removed' ]]
	[[ $(heads 40) == 'rank id piece probability' ]]
}

@test "pieces are shown on one line, and cut" {
	rows '5 4 3 2 1 0' >in
	printf '%s\n' 'a\nb\xff' 'a very long piece' '日本' 'é' '\\"' >pieces
	COLUMNS=70 LC_ALL=C.UTF-8 try -V 6 --inspect -o table --no-defaults \
	    --pieces pieces in
	sed '1,/^rank/d' out >lines
	LC_ALL=C.UTF-8 sed 's/^ *[1-6]  *[0-5] \(.\{14\}\).*/\1/' lines >cells
	[[ $(sed -n 1p cells) == '"a\nb\xff"    ' ]]
	[[ $(sed -n 2p cells) == '"a very long …' ]]
	[[ $(sed -n 3p cells) == '"日本"      '* ]]
	[[ $(sed -n 4p cells) == '"é"           ' ]]
	[[ $(sed -n 5p cells) == '"\\\""        ' ]]
	[[ $(sed -n 6p cells) == '              ' ]]
	try -V 6 --inspect -o table --no-defaults --pieces pieces in
	grep -q ' "a very long ~ ' out
	grep -q ' "\\xe6\\x97\\xa5~ ' out
	LC_ALL=C lacks '[^ -~]'
}

@test "wide characters and marks leave the columns in line" {
	rows '5 4 3 2 1 0' >in
	printf '%s\n' '日本語日本語日本語' 'नमस्ते' '😀' 'ệ̂' '́x' 'plain' >pieces
	LC_ALL=C.UTF-8 try -V 6 --inspect -o table --no-defaults --pieces pieces in
	sed -n '3,8p' out | sed 's/\( [01]\.[0-9]\{12\}\).*/\1/' >lines
	check_table
	[[ $(wc -l <lines) == 6 ]]
	split -l 1 lines line.
	for line in line.*; do
		[[ $(widest "$line") == $(widest lines) ]] || fail "$line"
	done
}

@test "without pieces there is no column for them" {
	story 1
	try -V 512 --inspect -o table in
	check_table
	lacks piece
}

# Colours begin with an escape.
on_terminal()
{
	try_under tty-out -V 4 -d f64 --policy strict --top-k 3 -o table in
	check_status 0
	grep -q 'rank' out
}

@test "colour is for terminals, if nothing speaks against it" {
	chapter
	on_terminal
	grep -q $'^\e\\[1mrow 1\e\\[0m' out
	grep -q $'^\e\\[1m> .*\e\\[36m *#' out
	grep -q $'^\e\\[2m .*top_k\e\\[0m' out
	try -V 4 -d f64 --policy strict -o table in
	check_table
	lacks $'\e'
	NO_COLOR=1 on_terminal
	lacks $'\e'
	NO_COLOR='' on_terminal
	lacks $'\e'
	TERM=dumb on_terminal
	lacks $'\e'
}

@test "colour changes nothing but colour" {
	chapter
	COLUMNS=80 on_terminal
	sed $'s/\e\\[[0-9]*m//g; s/\r$//' out >plain
	try -V 4 -d f64 --policy strict --top-k 3 -o table in
	check_table
	check_same plain out
}

@test "temperatures that do not fit stand below each other" {
	story 1
	COLUMNS=60 try -V 512 --inspect -o table --temp 1,2,3,4,5,6,7 in
	(($(widest out) <= 60))
	for temp in 1 2 3 4 5 6 7; do
		(($(grep -c "^rank .* temp $temp\\b" out) == 1)) ||
		    fail "temperature $temp"
	done
	(($(grep -c '^rank ' out) == 3))
}

@test "beside each other, what removed a candidate stands in its place" {
	rows '3 2 1 0' >in
	try -V 4 --inspect -o table --temp 0,1 --no-defaults --top-k 3 in
	has_line '2 1 2.0000 greedy 0.244728475809 ######'
	has_line '4 3 0.0000 greedy top_k'
	# Twelve logits, of which temperature 0 leaves one above -inf.  The
	# others are then ranked by id, and some that come first so were cut
	# off before anything was listed where temperature is 1.
	rows '1 1 -1 3 0 2 3 2 3 1 0 2' >in
	try -V 12 --policy llama.cpp --inspect -o table --temp 0,1 --top 10 \
	    --samplers 'temperature;top_k;top_p' --top-k 4 --top-p 0.3 in
	check_table
	has_line '12 2 -1.0000 top_p top_k'
	run -1 grep '0\.000000000000 *$' out
}

@test "a candidate is found where temperatures rank it differently" {
	rows '1 0.9' >in
	try -V 2 --inspect -o table --no-defaults --temp 0.1,10 --prompt 0 \
	    --samplers 'temperature;penalties' --presence-penalty 0.5 in
	# 9.5 and 9; -0.4 and 0.09.
	grep -q '^   1  0     1\.0000 0\.6224593[0-9]* #* *0\.379893' out
	grep -q '^   2  1     0\.9000 0\.3775406[0-9]* #* *0\.620106' out
}

@test "a table that can't be written is an error" {
	story
	status=0
	tokpick -V 512 --inspect -o table in >/dev/full 2>err || status=$?
	check_status 1
	check_message 'standard output: *'
}

@test "logits of any size keep their column" {
	rows '-inf 3e38 -3e38 9999.4 -12345' >in
	try -V 5 --inspect -o table --no-defaults in
	check_status 0
	has_line '2 3 9999.4004 0.000000000000 1.000000000000'
	has_line '3 4 -1.23e+04 0.000000000000 1.000000000000'
	has_line '4 2 -3.00e+38 0.000000000000 1.000000000000'
	has_line '5 0 -inf 0.000000000000 1.000000000000'
}
