#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --grammar: what is drawn stays inside, and no more is changed than must be.

load helper

# Eight tokens: 0 ends a text.
pieces()
{
	printf '%s\n' '' a b ab c . '\xc3' '\xa9' >pieces
}

# inside GRAMMAR ROW... -- OPTION...: draw from the rows, each a text of eight
# logits, inside the grammar; the highest allowed one is drawn.
inside()
{
	local grammar=$1 list=()
	shift
	while (($# > 0)) && [[ $1 != -- ]]; do
		list+=("$1")
		shift
	done
	shift $(($# > 0 ? 1 : 0))
	pieces
	rows "${list[@]}" >in
	try -V 8 --greedy --pieces pieces --eos 0 --grammar "$grammar" "$@" in
}

@test "a token outside the grammar gives way to the best one inside" {
	inside 'root ::= "ab" "c"' '9 1 2 0 8 0 0 0' '9 0 2 1 8 7 0 0' \
	    '0 0 2 0 1 0 0 0' '0 9 9 9 9 9 9 9'
	[ "$status" -eq 0 ]
	[ "$(paste -sd' ' out)" = '1 2 4 0' ]
}

@test "a token of several characters is taken whole or not at all" {
	inside 'root ::= "ab"' '0 1 0 9 0 0 0 0'
	[ "$(cat out)" = 3 ]
	inside 'root ::= "ac"' '0 1 0 9 0 0 0 0'
	[ "$(cat out)" = 1 ]
}

@test "a text ends where it may, and nowhere else" {
	inside 'root ::= "a"+' '9 1 0 0 0 0 0 0' '9 1 0 0 0 0 0 0'
	[ "$status" -eq 0 ]
	[ "$(paste -sd' ' out)" = '1 0' ]
}

@test "a character may be cut between tokens" {
	inside 'root ::= "\u00e9" "a"' '9 9 9 9 9 9 1 2' '9 9 9 9 9 9 9 1' \
	    '9 1 9 9 9 9 9 9'
	[ "$status" -eq 0 ]
	[ "$(paste -sd' ' out)" = '6 7 1' ]
}

# -inf times 0 is no number, and the refused token is in the window.
@test "a trace costs no draw, whatever penalties make of what is refused" {
	set -- 'root ::= "b"' '0 9 1 0 0 0 0 0' -- --policy llama.cpp \
	    --prompt 1 --repeat-penalty 0 --frequency-penalty -1
	inside "$@"
	[ "$status" -eq 0 ]
	[ "$(cat out)" = 2 ]
	inside "$@" -o table
	[ "$status" -eq 0 ]
	inside "$@" -o jsonl
	check_json out id=2 retained_mass=1 removed_mass=0
}

# Of token 1, which the mask refuses as well, they make inf - inf.
@test "penalties cost no draw of another token" {
	printf '\xfd\0\0\0' >mask
	inside 'root ::= "b"' '0 9 1 5 0 0 0 0' -- --mask mask --prompt 1,1 \
	    -l 1+3e38 --repeat-penalty 0.001 --frequency-penalty 3e38
	[ "$status" -eq 0 ]
	[ "$(cat out)" = 2 ]
}

@test "what is inside is drawn as if there were no grammar" {
	zstd -dcq "$data/story-1.f32.zst" >in
	for policy in golem strict llama.cpp; do
		tokpick -V 512 --policy $policy -s 5 in >without
		try -V 512 --policy $policy -s 5 in --grammar 'root ::= .*' \
		    --pieces "$data/story.pieces.txt"
		[ "$status" -eq 0 ]
		cmp out without
	done
}

@test "a mask holds for both draws" {
	printf '\14\0\0\0' >mask
	inside 'root ::= [ac]+ | "b"' '0 5 4 9 3 0 0 0' -- --mask mask
	[ "$status" -eq 0 ]
	[ "$(cat out)" = 2 ]
}

@test "penalties and biases count in the second draw" {
	inside 'root ::= [abc]+' '0 5 4 0 3 9 9 9' '0 5 4 0 3 9 9 9' \
	    '0 5 4 0 3 9 9 9' -- --repeat-penalty 3
	[ "$(paste -sd' ' out)" = '1 2 4' ]
	inside 'root ::= [abc]+' '9 5 4 0 3 9 9 9' -- -l 1-inf
	[ "$(cat out)" = 2 ]
}

@test "a token that the row bans comes only where nothing else may" {
	inside 'root ::= [bc] "b"' '0 5 -inf 0 -3 0 0 0' '0 5 -inf 0 4 0 0 0'
	[ "$(paste -sd' ' out)" = '4 2' ]
	# A ban of one's own is not lifted, nor the row's under another policy.
	for second in '0 5 1 0 4 0 0 0' '0 5 -inf 0 4 0 0 0'; do
		inside 'root ::= [bc] "b"' '0 5 -inf 0 -3 0 0 0' "$second" \
		    -- -l 2-inf
		[ "$status" -eq 1 ]
		[ "$(paste -sd' ' out)" = 4 ]
	done
	inside 'root ::= [bc] "b"' '0 5 -inf 0 -3 0 0 0' \
	    '0 5 -inf 0 4 0 0 0' -- --policy llama.cpp
	[ "$status" -eq 1 ]
	[ "$(paste -sd' ' out)" = 4 ]
}

@test "a dead end is an error that names the row, after what was drawn" {
	inside 'root ::= "a" "x"' '9 1 0 0 0 0 0 0' '9 1 0 0 0 0 0 0'
	[ "$status" -eq 1 ]
	[ "$(cat out)" = 1 ]
	grep -q 'row 2: no token .* inside the grammar' err
	grep -q -e '--dead-end' err
}

@test "a dead end may end the text" {
	inside 'root ::= "a" "x"' '9 1 0 0 0 0 0 0' '9 1 0 0 0 0 0 0' \
	    -- --dead-end stop --summary summary
	[ "$status" -eq 0 ]
	[ "$(cat out)" = 1 ]
	grep -q '"rows":2,"tokens":1,.*"stop":"dead-end"' summary
	# The first of several draws from a row meets it for all.
	inside 'root ::= "a" "x"' '9 1 0 0 0 0 0 0' '9 1 0 0 0 0 0 0' \
	    -- --dead-end stop --draws 3
	[ "$status" -eq 0 ]
	[ "$(cat out)" = '1 1 1' ]
}

@test "a run that ended so is compared and replayed with its own ids" {
	set -- 'root ::= "a" "x"' '9 1 0 0 0 0 0 0' '9 1 0 0 0 0 0 0' \
	    -- --dead-end stop
	inside "$@"
	cp out ids
	inside "$@" --expect ids
	[ "$status" -eq 0 ]
	inside "$@" --history ids
	[ "$status" -eq 0 ]
	cmp out ids
}

@test "a dead end may be drawn past, and the grammar waits there" {
	inside 'root ::= "a" "x" | "b"' '0 9 1 0 0 0 0 0' '0 1 0 9 0 0 0 0' \
	    '0 1 0 9 0 0 0 0' -- --dead-end draw
	[ "$status" -eq 0 ]
	[ "$(paste -sd' ' out)" = '1 3 3' ]
}

@test "without an end token a text that is complete comes to a dead end" {
	pieces
	rows '0 9 0 0 0 0 0 0' '0 9 0 0 0 0 0 0' >in
	try -V 8 --greedy --pieces pieces --grammar 'root ::= "a"' in
	[ "$status" -eq 1 ]
	[ "$(cat out)" = 1 ]
}

@test "ids without a piece are never inside" {
	printf '%s\n' '' a >pieces
	rows '0 1 9 9' >in
	try -V 4 --greedy --pieces pieces --grammar 'root ::= .' in
	[ "$status" -eq 0 ]
	[ "$(cat out)" = 1 ]
}

@test "the prompt is no part of the text" {
	inside 'root ::= "ab"' '9 0 9 1 9 9 9 9' -- --prompt 4,4
	[ "$(cat out)" = 3 ]
}

@test "a recorded token moves the grammar on; one outside is an error" {
	printf '1\n2\n' >history
	inside 'root ::= "ab" | "bc"' '9 1 5 0 0 0 0 0' '9 9 1 0 9 0 0 0' \
	    -- --history history
	[ "$status" -eq 0 ]
	[ "$(paste -sd' ' out)" = '2 2' ]
	printf '4\n2\n' >history
	inside 'root ::= "ab"' '9 1 5 0 0 0 0 0' '9 9 1 0 9 0 0 0' \
	    -- --history history
	[ "$status" -eq 1 ]
	grep -q 'row 1: the recorded token 4 is outside the grammar' err
}

@test "several draws of a row are each made inside" {
	pieces
	rows '3 3 3 3 3 3 3 3' >in
	try -V 8 --pieces pieces --grammar 'root ::= [bc]' --draws 200 in
	[ "$status" -eq 0 ]
	[ "$(tr ' ' '\n' <out | sort | uniq -c | awk '{ print $2 }' |
	    paste -sd' ')" = '2 4' ]
}

@test "a trace tells what was refused, and what the second draw was from" {
	inside 'root ::= [bc]' '1 5 3 0 2 0 0 0' -- -o jsonl --top 4
	[ "$status" -eq 0 ]
	run -0 python -c '
import json
row = json.loads(open("out").read())
print(row["id"], row["refused"]["id"], row["refused"]["piece"],
    row["refused"]["u"], row["p"])
print([(c["id"], c["removed"]) for c in row["candidates"]])'
	[ "${lines[0]}" = '2 1 a None 1' ]
	[ "${lines[1]}" = "[(2, None), (4, 'greedy')]" ]
	inside 'root ::= [bc]' '1 0 3 0 2 0 0 0' -- -o jsonl
	run -1 grep refused out
	inside 'root ::= "a" "x"' '0 9 0 0 0 0 0 0' '0 1 0 9 0 0 0 0' -- \
	    -o jsonl --dead-end draw
	[ "$(grep -o '"dead_end":[a-z]*' out)" = '"dead_end":true' ]
	[ "$(grep -c '"row":2.*dead_end' out)" = 1 ]
}

@test "a table tells what was refused, and what is outside" {
	inside 'root ::= "b" "x"' '1 5 3 0 2 0 0 0' '0 1 0 9 0 0 0 0' -- \
	    -o table --dead-end draw
	[ "$status" -eq 0 ]
	grep -q '  drawn 2 for 1 outside the grammar$' out
	grep -q '  drawn 3 outside the grammar$' out
}

@test "the pieces may be those of a model" {
	python "$here/gguf.py" 'tokens:string[]=e a b' eos:u32=0 >m
	rows '9 1 2' '1 9 9' >in
	draws '2 0' --gguf m --greedy --grammar 'root ::= "b"' in
}

@test "two draws of a row use two random numbers, and a trace has both" {
	pieces
	rows '4 4 4 4 4 4 4 4' >in
	tokpick -V 8 --no-defaults --draws 2 in -o jsonl >free
	try -V 8 --no-defaults --pieces pieces --grammar 'root ::= "c"' in \
	    -o jsonl
	run -0 python -c '
import json
free, row = (json.loads(open(name).read()) for name in ("free", "out"))
print(row["id"], free["u"] == row["refused"]["u"], row["u"])'
	[ "$output" = '4 True None' ]
}

@test "--inspect shows what is inside the grammar" {
	inside 'root ::= [bc]' '1 5 3 0 2 0 0 0' -- --inspect -o jsonl --top 3
	[ "$status" -eq 0 ]
	run -0 python -c '
import json
row = json.loads(open("out").read())
print([(c["id"], c["removed"]) for c in row["candidates"]])'
	[ "$output" = "[(2, None), (4, 'greedy')]" ]
}

@test "--inspect meets a dead end as a draw does" {
	inside 'root ::= "x"' '9 1 5 0 0 0 0 0' -- --inspect
	[ "$status" -eq 1 ]
	[ ! -s out ]
	grep -q 'row 1: no token that can be drawn is inside the grammar' err
	inside 'root ::= "x"' '9 1 5 0 0 0 0 0' \
	    -- --inspect --dead-end stop --summary summary
	[ "$status" -eq 0 ]
	[ ! -s out ]
	grep -q '"stop":"dead-end"' summary
	inside 'root ::= "x"' '9 1 5 0 0 0 0 0' -- --inspect --dead-end draw
	[ "$status" -eq 0 ]
	[ "$(wc -l <out)" = 1 ]
}

@test "a saved state goes on inside the grammar" {
	zstd -dcq "$data/story-1.f32.zst" >rows
	set -- -V 512 -s 3 --pieces "$data/story.pieces.txt" \
	    --grammar 'root ::= ([a-z]+ " ")+ "end"'
	tokpick "$@" -n 40 rows >whole
	for cut in 1 2 7 39; do
		tokpick "$@" -n $cut --save-state state rows >out
		tail -c +$((cut * 2048 + 1)) rows >rest
		tokpick --load-state state --pieces "$data/story.pieces.txt" \
		    --grammar 'root ::= ([a-z]+ " ")+ "end"' -n 40 rest >>out
		cmp out whole
	done
}

@test "a state is not gone on with inside another grammar, or in none" {
	zstd -dcq "$data/story-1.f32.zst" >rows
	set -- --pieces "$data/story.pieces.txt"
	tokpick -V 512 "$@" --grammar 'root ::= [a-z ]+' -n 5 \
	    --save-state state rows >out
	try --load-state state "$@" --grammar 'root ::= [a-z. ]+' rows
	[ "$status" -eq 2 ]
	grep -q 'another grammar' err
	try --load-state state "$@" rows
	[ "$status" -eq 2 ]
	grep -q "was saved inside a grammar: give it again" err
	tokpick -V 512 -n 5 --save-state state rows >out
	try --load-state state "$@" --grammar 'root ::= [a-z ]+' rows
	[ "$status" -eq 2 ]
	grep -q "was not saved inside a grammar" err
	try --load-state state "$@" --grammar 'root ::= [a-z ]+' -n 9 \
	    --force-settings rows
	[ "$status" -eq 0 ]
}

@test "a row that fails leaves the grammar where it was" {
	pieces
	rows '9 1 0 0 0 0 0 0' 'nan 1 0 0 0 0 0 0' >in
	try -V 8 --greedy --pieces pieces --eos 0 --save-state state \
	    --grammar 'root ::= "ab"' in
	[ "$status" -eq 1 ]
	rows '9 9 0 9 9 9 9 9' >rest
	try --load-state state --pieces pieces --eos 0 \
	    --grammar 'root ::= "ab"' rest
	[ "$status" -eq 0 ]
	[ "$(cat out)" = 2 ]
}

@test "the model of a closed loop is told tokens inside the grammar" {
	pieces
	rows '9 1 2 0 8 0 0 0' >row
	try -V 8 --greedy --pieces pieces --eos 0 --prompt 5 --exec \
	    'while read -r line; do echo "$line" >>told; cat row; done' \
	    --grammar 'root ::= "ab" "c"'
	[ "$status" -eq 0 ]
	[ "$(paste -sd' ' out)" = '1 2 4 0' ]
	[ "$(paste -sd' ' told)" = '5 1 2 4' ]
}

@test "a grammar is read from a file, and may begin with another rule" {
	echo 'root ::= "a"
other ::= "c"' >grammar
	pieces
	rows '9 1 0 0 0 0 0 0' >in
	try -V 8 --greedy --pieces pieces --grammar-file grammar in
	[ "$(cat out)" = 1 ]
	try -V 8 --greedy --pieces pieces --grammar-file grammar \
	    --grammar-root other in
	[ "$(cat out)" = 4 ]
}

@test "a bad grammar is a wrong command line, and its place is shown" {
	inside 'root ::= "a' '9 1 0 0 0 0 0 0'
	[ "$status" -eq 2 ]
	grep -q '^tokpick: --grammar: line 1, column ' err
	[ ! -s out ]
	printf 'root ::= "a"\n  "b"' >grammar
	try -V 8 --pieces pieces --grammar-file grammar in
	[ "$status" -eq 2 ]
	grep -q '^tokpick: grammar: line 2, column 3: ' err
	try -V 8 --pieces pieces --grammar-file missing in
	[ "$status" -eq 1 ]
	grep -q 'missing: No such file' err
}

@test "a grammar needs pieces, and there is one" {
	rows '1 2' >in
	try -V 2 --grammar 'root ::= "a"' in
	[ "$status" -eq 2 ]
	grep -q -e '--pieces' err
	printf 'a\nb\n' >pieces
	try -V 2 --pieces pieces --grammar 'root ::= "a"' --json-schema true in
	[ "$status" -eq 2 ]
	refuses '--grammar-root: a JSON Schema has no named rules' -V 2 \
	    --pieces pieces --json-schema true --grammar-root x in
	for alone in '--grammar-root x' '--dead-end stop'; do
		# shellcheck disable=SC2086 # two words
		try -V 2 $alone in
		[ "$status" -eq 0 ]
		grep -q "^tokpick: ${alone% *} has no effect" err
	done
}

@test "JSON inside a schema is drawn, from a text and from a file" {
	schema='{"type": "object", "properties": {"a": {"type": "boolean"}},
	    "required": ["a"]}'
	pieces=$here/../vectors/constrained/pieces-a.txt
	echo "$schema" >schema
	for argument in "$schema" @schema; do
		try -V 138 --no-defaults --pieces "$pieces" --eos 0 -s 4 \
		    -o text --json-schema "$argument" -n 100 /dev/zero
		[ "$status" -eq 0 ]
		python -m json.tool out >pretty
		grep -q -E '^ +"a": (true|false)$' pretty
	done
	try -V 138 --pieces "$pieces" --json-schema '{"format": "date"}' \
	    /dev/zero
	[ "$status" -eq 2 ]
	grep -q "format" err
}
