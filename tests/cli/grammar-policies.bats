#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Grammars beside what policies and stages do: bans, penalties, mirostat.

load helper

# Sixteen tokens, a to p.
letters()
{
	printf '%s\n' a b c d e f g h i j k l m n o p >pieces
}

# inside GRAMMAR ROW... -- OPTION...: draw from the rows, each of them texts
# of up to sixteen logits, the rest -9, inside the grammar.
inside()
{
	local grammar=$1 list=()
	shift
	while [[ $1 != -- ]]; do
		read -ra logits <<<"$1"
		list+=("$1 -9*$((16 - ${#logits[@]}))")
		shift
	done
	shift
	letters
	rows "${list[@]}" >in
	try -V 16 --pieces pieces --grammar "$grammar" "$@" in
}

@test "the textbook may meet a dead end" {
	inside 'root ::= "c" "x"' '9 8 3' '9 8 3' -- --policy strict --greedy
	check_status 1
	check_ids 2
	check_message 'row 2: no token * inside the grammar*'
	inside 'root ::= "c" "x"' '9 8 3' '7 8 3' '9 1 2' \
	    -- --policy strict --greedy --dead-end draw
	check_status 0
	check_ids '2 1 0'
}

# listed: the ids of the trace in the file out.
listed()
{
	python -c '
import json
print(*(c["id"] for c in json.load(open("out"))["candidates"]))'
}

@test "the textbook is inspected inside a grammar" {
	inside 'root ::= [bdf]' '9 8 7 6 5 4' -- --policy strict --inspect \
	    -o jsonl --top 3
	check_status 0
	[[ $(listed) == '1 3 5' ]]
	inside 'root ::= "x"' '9 8 7 6 5 4' -- --policy strict --inspect \
	    -o jsonl --top 3 --dead-end draw
	[[ $(listed) == '0 1 2' ]]
}

@test "a trace of a dead end is of the draw without a grammar" {
	inside 'root ::= "x"' '9 8 7 6 5 4' -- --greedy --dead-end draw \
	    -o jsonl --top 3
	check_status 0
	[[ $(listed) == '0 1 2' ]]
	python -c '
import json
row = json.load(open("out"))
assert row["id"] == 0 and "refused" not in row, row
assert 0.99 < row["retained_mass"] + row["removed_mass"] < 1.01, row'
}

# The few best are asked first, but none that is banned, by whomever.
@test "where few are left, tokens that the row bans are asked for, too" {
	local none='-inf -inf -inf -inf -inf -inf -inf -inf'
	inside 'root ::= "f"' "9 8 $none -inf -inf -inf -inf -inf -inf" -- \
	    --greedy
	check_status 0
	check_ids 5
	inside 'root ::= "f"' "9 8 $none -inf -inf -inf -inf -inf -inf" -- \
	    --greedy --policy llama.cpp
	check_status 1
	check_ids ''
	inside 'root ::= [cd]' "9 8 $none -inf -inf -inf -inf -inf -inf" -- \
	    --greedy -l 2-inf
	check_status 0
	check_ids 3
}

@test "biases of other tokens, and other biases, are no ban of a banned one" {
	inside 'root ::= [ce]' '9 8 -inf 7 -inf' -- --greedy -l 0-inf -l 4+1
	check_status 0
	check_ids 2
	inside 'root ::= [ce]' '9 8 -inf 7 -inf' -- --greedy -l 0-inf -l 4+1 \
	    -l 2-inf
	check_ids 4
	inside 'root ::= [ce]' '9 8 -inf 7 -inf' -- --greedy -l 2-inf -l 4+1 \
	    -l 4-inf
	check_status 1
}

# mu: what mirostat's bound is in the saved state.
mu()
{
	sed -n 's/^sampler mirostat-mu //p' state
}

@test "a refused draw moves mirostat's bound, and so does the next one" {
	for version in 1 2; do
		inside 'root ::= [c-p]' '5 4 3 2 2 2 2 2' -- \
		    --policy llama.cpp --mirostat $version -s 3 \
		    --mirostat-ent 4 --mirostat-lr 0.25 \
		    -o jsonl --save-state state
		check_status 0
		python - "$(mu)" <<-'END'
		import json, sys, math
		row, bound = json.load(open("out")), 8.0
		for p in (row["refused"]["p"], row["p"]):
		    bound -= 0.25 * (-math.log2(p) - 4)
		assert abs(bound - float(sys.argv[1])) < 1e-5, (bound, row)
		END
	done
}

# Of the one token that is allowed: its probability is 1 in the second draw.
@test "adaptive_p remembers the draw that was taken" {
	inside 'root ::= "c"' '5 4 3' -- --policy llama.cpp \
	    --samplers adaptive_p --adaptive-target 0.5 --adaptive-decay 0.5 \
	    --save-state state
	check_status 0
	check_ids 2
	grep -qx 'sampler adaptive-sums 1.5 2' state
}

@test "where all is greedy mirostat's bound stays" {
	inside 'root ::= "c"' '5 4 3' -- --policy llama.cpp --mirostat 2 \
	    --mirostat-ent 4 --greedy --save-state state
	check_status 0
	check_ids 2
	[[ $(mu) == 8 ]]
}

# NaN is 3e38 over 0.1 less twice 3e38; of token c, in either draw.
@test "penalties that come to no number are told where they count" {
	local huge=(--prompt '2,2' --repeat-last-n 9 --repeat-penalty 0.1
	    --frequency-penalty 3e38)
	letters
	printf '\13\0\0\0' >mask # a, b, d
	for policy in golem llama.cpp; do
		inside 'root ::= [cd]' '9 8 3e38 7' -- --greedy \
		    --policy $policy "${huge[@]}"
		check_status 1
		check_message 'row 1: biases and penalties * token 2 NaN*'
		inside 'root ::= [cd]' '9 8 3e38 7' -- --greedy \
		    --policy $policy "${huge[@]}" --mask mask
		check_status 0
		check_ids 3
	done
	# Behind a top-k that keeps it from the first draw.
	huge=(--prompt '2,2' --repeat-last-n 9 --repeat-penalty 1e38
	    --frequency-penalty -3e38 --policy llama.cpp --top-k 2
	    --samplers 'top_k;penalties')
	inside 'root ::= .' '9 8 -9 7' -- "${huge[@]}"
	check_status 0
	inside 'root ::= [de]' '9 8 -9 7' -- "${huge[@]}"
	check_status 0
	check_ids 3
	inside 'root ::= "c"' '9 8 -9 7' -- "${huge[@]}"
	check_status 1
	check_message 'row 1: biases and penalties * token 2 NaN*'
}
