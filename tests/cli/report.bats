#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --report: a page with the numbers of the traces, safe whatever it shows.

load helper

report()
{
	python "$here/report.py" "$@" || fail "report.py $1"
}

# story [ARGUMENT]...: draw from a recording.
story()
{
	try -V 512 --prompt "@$data/story-1.prompt" \
	    --pieces "$data/story.pieces.txt" "$@" "$data/story-1.f32.zst"
}

# So many rows of seven values each.
many()
{
	python - "$1" <<-'END'
		import random, struct, sys
		chance = random.Random(1)
		for _ in range(int(sys.argv[1])):
		    row = [chance.gauss(0, 2) for _ in range(7)]
		    sys.stdout.buffer.write(struct.pack("<7f", *row))
	END
}

@test "the numbers are those of the traces, under each policy" {
	for policy in golem strict llama.cpp llama.cpp-2026-05; do
		story --policy $policy -o jsonl --report page
		check_status 0
		check_silence
		report numbers page out
		report markup page
	done
	story --policy llama.cpp --mirostat 2 -o jsonl --report page
	report numbers page out
	story --greedy -o jsonl --report page
	report numbers page out
}

@test "many rows are thinned to points that say of how many they are" {
	for rows in 1 2 1000 1001 2001 10001 12345; do
		many $rows >in
		try -V 7 -o jsonl --report page in
		check_status 0
		report numbers page out
	done
	grep -q 'each stands for 16 rows, the last one for 9\.' page ||
	    fail 'the page must tell how rows became points'
	grep -q 'Of 12345 tokens the first 5000 and the last 5000' page ||
	    fail 'the page must tell which tokens it has'
	grep -q '>2345 tokens are left out here<' page ||
	    fail 'the page must tell where tokens are missing'
}

@test "as many rows as fill their points exactly have no last one" {
	many 2000 >in
	try -V 7 -o jsonl --report page in
	check_status 0
	report numbers page out
	grep -q 'each stands for 2 rows\. The line' page ||
	    fail 'the page must tell how rows became points'
}

@test "a title names three inputs, and counts the others" {
	for name in a b c d; do even >$name; done
	try -V 4 --report page a
	grep -q '<h1>tokpick: 8 rows of a</h1>' page || fail 'one'
	try -V 4 --report page a b c
	grep -q '<h1>tokpick: 24 rows of a, b, c</h1>' page || fail 'three'
	try -V 4 --report page a b c d
	grep -q '<h1>tokpick: 32 rows of a, b, c and 1 more</h1>' page ||
	    fail 'four'
}

@test "steps are told by what they removed, if there are any" {
	many 9 >in
	try -V 7 -o jsonl --report page --samplers 'top_k;top_p' --top-k 6 \
	    --top-p 0.3 in
	report numbers page out
	run -1 grep 'Nothing was removed by' page
	[ "$(grep -c '<figure class="small">' page)" = 2 ]
	try -V 7 -o jsonl --report page --samplers 'top_k;top_p' --top-k 7 \
	    --top-p 0.3 in
	grep -q '<p>Nothing was removed by top_k\.</p>' page
	[ "$(grep -c '<figure class="small">' page)" = 1 ]
	try -V 7 -o jsonl --report page --samplers '' in
	report numbers page out
	report markup page
	run -1 grep 'Candidates left' page
}

@test "a tick that would touch the top has no label" {
	# The axis of the first chart of a step: the labels from the bottom.
	labels()
	{
		many 84 | head -c $((12 * $1 * 4)) >in
		try -V "$1" --report page --samplers top_k --top-k 2 in
		check_status 0
		sed -n '/<figure class="small">/,/<svg/p' page |
		    sed -n 's/<[^>]*>/ /g; /%/!s/  */ /g; / [0-9]/p' |
		    paste -sd ' '
	}
	[ "$(labels 7)" = ' 1 7 ' ] || fail "$(labels 7)"
	[ "$(labels 12)" = ' 1 12 ' ] || fail "$(labels 12)"
	[ "$(labels 49)" = ' 1 10 49 ' ] || fail "$(labels 49)"
}

@test "what was recorded is compared, and differences are told" {
	story --seed 9 --temp 1.2 --expect "$data/story-1.ids" -o jsonl \
	    --report page
	check_status 1
	report numbers page out "$data/story-1.ids"
	agreed=$(sed 's/.*; \(.* agree\)/\1/' err)
	[[ $agreed == *' of 256 agree' ]] || fail 'no verdict'
	grep -qF "<dd>${agreed% agree}</dd>" page ||
	    fail "the page must tell that $agreed"
	# As many ids as are there are compared, and no more.
	head -n 10 "$data/story-1.ids" >ten
	story --expect ten -o jsonl --report page
	report numbers page out ten
}

@test "the ids are the same with a report and without" {
	for policy in golem strict llama.cpp; do
		story --policy $policy --temp 1.5
		mv out plain
		story --policy $policy --temp 1.5 --report page
		check_same plain out
	done
}

@test "the tokens are shown as they are, and none is markup" {
	cat >pieces <<-'END'
		</script><script>alert(1)</script>
		<b onclick='x'>&amp;
		"'>
		\n\n
		\xff\x00\x1b[31m
		é 
		]]>--><!--
	END
	even >"<img src=x onerror=alert(1)>"
	try -V 7 --pieces pieces --report page <(rows '50 0*6' '0 50 0*5' \
	    '0 0 50 0*4' '0*3 50 0*3' '0*4 50 0 0' '0*5 50 0' '0*6 50')
	check_status 0
	report markup page
	report tokens page >shown
	python - <<-'END' || fail 'other tokens' "$(<shown)"
		import json
		assert json.load(open("shown")) == [
		    "</script><script>alert(1)</script>",
		    "<b onclick='x'>&amp;", "\"'>", "\n\n",
		    "\\xff\\x00\\x1b[31m", "é ", "]]>--><!--"]
	END
	try -V 4 --report page "<img src=x onerror=alert(1)>"
	check_status 0
	report markup page
	grep -q '<h1>.*&lt;img src=x onerror=alert(1)&gt;</h1>' page ||
	    fail 'the name of the file must be told'
}

@test "without pieces the ids are shown" {
	try -V 4 --report page < <(even)
	report tokens page >shown
	[[ $(<shown) == '["2", "3", "1", "2", "2", "1", "0", "2"]' ]] ||
	    fail "$(<shown)"
	report markup page
}

@test "an id that has no piece is shown in its place" {
	printf 'a\nb\n' >pieces
	try -V 4 --pieces pieces --report page < <(even)
	report tokens page >shown
	[[ $(<shown) == '["2", "3", "b", "2", "2", "b", "a", "2"]' ]] ||
	    fail "$(<shown)"
}

@test "of several draws the first is told" {
	try -V 4 --draws 3 -o jsonl --report page < <(even)
	check_status 0
	report numbers page out
}

@test "of a closed loop the command is told" {
	even | head -c 16 >row
	try -V 4 -n 2 -o jsonl --report page --exec \
	    'while read -r line; do cat row; done'
	check_status 0
	report numbers page out
	report markup page
	grep -q 'while read -r line; do cat row; done' page
}

@test "rows are numbered on from a state" {
	even >in
	try -V 4 --save-state state in
	try -V 4 --load-state state -o jsonl --report page in
	check_status 0
	grep -q '"row":9,' out
	report numbers page out
}

@test "a run that fails leaves a page that says so" {
	rows '0 0 0 0' '0 0 0 0' '0 nan 0 0' >in
	try -V 4 -o jsonl --report page in
	check_status 1
	report numbers page out
	report markup page
	grep -q 'row 3: logit of token 1 is NaN' page || fail 'no reason'
	try -V 4 --report page </dev/null
	check_status 0
	grep -q 'Nothing was drawn' page || fail 'no word'
	report markup page
}

@test "a page that can't be written is refused before anything is drawn" {
	even >in
	breaks '' 'no/page*' -V 4 --report no/page in
	breaks '' '/dev/null is no regular file*' -V 4 --report /dev/null in
	refuses '--report: -*' -V 4 --report - in
	refuses '--report: --inspect *' -V 4 --inspect --report page in
	[[ ! -e page ]] || fail 'a page was written'
}

@test "a page over another file of the run is refused" {
	even >in
	cp in kept
	refuses '--report: in is the file of the rows too*' \
	    -V 4 --report in in
	check_same in kept
	refuses '--summary: page is the file of --report too*' \
	    -V 4 --report page --summary page in
	refuses '--report: page is the file of --save-state too*' \
	    -V 4 --report page --save-state page in
	try -V 4 --save-state state in
	refuses '--report: state is the file of --load-state too*' \
	    -V 4 --report state --load-state state in
}

@test "text has contrast enough in light and dark" {
	try -V 4 --report page < <(even)
	report contrast page
}
