#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --draws: several draws from each row's distribution.

load helper

# A Python program, standard input, that can import generators.py.
reckon()
{
	{
		echo "import sys; sys.path.insert(0, '$here')"
		cat
	} | python -B - "$@"
}

# The state of the generator that a summary has.
state_of()
{
	sed 's/.*"rng_state":"\([0-9a-f]*\)".*/\1/' "$1"
}

# noise V N SEED: rows of normal logits.
noise()
{
	python - "$@" <<-'END'
		import array, random, sys
		vocab, rows, seed = map(int, sys.argv[1:])
		r = random.Random(seed)
		sys.stdout.buffer.write(array.array(
		    "f", [r.gauss(0, 2) for _ in range(rows * vocab)]))
	END
}

@test "the draws of a row are on its line, blanks between" {
	even >in
	try -V 4 --draws 4 -n 2 in
	check_status 0
	check_silence
	check_out '2 3 1 2\n2 1 0 2\n'
	try -V 4 --draws 3 -n 2 in
	check_out '2 3 1\n2 2 1\n'
	try -V 4 --draws 8 -n 1 in
	check_out "$even_ids\n"
}

@test "one draw is the default" {
	even >in
	draws "$even_ids" -V 4 --draws 1 in
	draws "$even_ids" -V 4 in
}

@test "from rows that are the same it does not matter which row has a draw" {
	noise 50 1 1 >row
	for _ in {1..24}; do cat row; done >in
	for policy in golem strict llama.cpp llama.cpp-2026-07; do
		try --policy $policy -V 50 in
		check_status 0
		paste -sd ' ' <out >single
		for n in 2 3 8 24; do
			try --policy $policy -V 50 --draws $n \
			    -n $((24 / n)) in
			check_status 0
			(($(wc -l <out) == 24 / n))
			paste -sd ' ' <out >several
			check_same single several
		done
	done
}

@test "i32 has them one after the other" {
	even >in
	try -V 4 --draws 4 -n 2 -o i32 in
	check_status 0
	check_out '\02\0\0\0\03\0\0\0\01\0\0\0\02\0\0\0'`
	    `'\02\0\0\0\01\0\0\0\0\0\0\0\02\0\0\0'
	rows "$(printf '0*300') 9" >in
	try -V 301 --draws 2 --greedy -o i32 in
	check_out '\054\01\0\0\054\01\0\0'
}

@test "jsonl has them all, each with what was random about it" {
	even >in
	try -V 4 --draws 3 -n 2 -o jsonl in
	check_status 0
	python - <<-'END' || fail 'wrong draws'
		import json
		lines = [json.loads(line) for line in open("out")]
		assert [[d["id"] for d in x["draws"]] for x in lines] == [
		    [2, 3, 1], [2, 2, 1]]
		units = [d["u"] for x in lines for d in x["draws"]]
		assert [int(4 * u) for u in units] == [2, 3, 1, 2, 2, 1]
		for x in lines:
		    for d in x["draws"]:
		        assert set(d) == {"id", "p", "u", "interval"}, d
		        assert d["p"] == 0.25
		        start = d["id"] / 4
		        assert d["interval"] == [start, start + 0.25]
		    for key in x["draws"][0]:
		        assert x[key] == x["draws"][0][key]
	END
}

@test "without --draws jsonl has no list of them" {
	even >in
	try -V 4 -n 1 -o jsonl in
	[[ $(<out) != *draws* ]] || fail 'wanted no draws'
	try -V 4 -n 1 --draws 1 -o jsonl in
	[[ $(<out) != *draws* ]] || fail 'wanted no draws'
}

@test "strict: the draws are those of SplitMix64, one after the other" {
	noise 40 30 2 >in
	for options in '' '--top-k 5' '--top-k 1'; do
		# shellcheck disable=SC2086 # the options are words
		try --policy strict -s 77 -V 40 --draws 25 --summary summary \
		    $options in
		check_status 0
		reckon "${options#--top-k }" <<-'END' || fail 'other draws'
			import array
			from generators import SplitMix64, fall, ranked, softmax
			k = int(sys.argv[1] or 40)
			rows = array.array("f", open("in", "rb").read())
			lines = [line.split(" ") for line in
			         open("out").read().splitlines()]
			assert len(lines) == 30
			g = SplitMix64(77)
			for i, line in enumerate(lines):
			    row = rows[40 * i:40 * i + 40]
			    order = sorted(ranked(row)[:k])
			    p = softmax(row, order) if k > 1 else [1.0]
			    want = [fall(order, p, g.unit())
			            for _ in range(25)]
			    assert line == [str(j) for j in want], (i, want)
			text = open("summary").read()
			assert f'"rng_state":"{g.text()}"' in text, g.text()
		END
	done
}

@test "golem: the draws are those of PCG, one after the other" {
	noise 40 30 3 >in
	for k in 40 5 1; do
		try -s 78 -V 40 --draws 25 --summary summary --no-defaults \
		    --top-k $k in
		check_status 0
		reckon $k <<-'END' || fail 'other draws'
			import array
			from generators import PCG, fall, ranked, softmax
			k = int(sys.argv[1])
			rows = array.array("f", open("in", "rb").read())
			lines = [line.split(" ") for line in
			         open("out").read().splitlines()]
			assert len(lines) == 30
			g = PCG(78)
			for i, line in enumerate(lines):
			    row = rows[40 * i:40 * i + 40]
			    order = ranked(row)[:k]
			    p = softmax(row, order)
			    want = order * 25
			    if k > 1:
			        want = [fall(order, p, g.unit())
			                for _ in range(25)]
			    assert line == [str(j) for j in want], (i, want)
			text = open("summary").read()
			assert f'"rng_state":"{g.text()}"' in text, g.text()
		END
	done
}

@test "llama.cpp: the draws are those of mt19937, one after the other" {
	noise 40 30 4 >in
	for k in 40 5 1; do
		try --policy llama.cpp -s 79 -V 40 --draws 25 \
		    --summary summary --no-defaults --top-k $k in
		check_status 0
		reckon $k <<-'END' || fail 'other draws'
			import array
			from generators import MT19937, fall, ranked, softmax
			k = int(sys.argv[1])
			rows = array.array("f", open("in", "rb").read())
			lines = [line.split(" ") for line in
			         open("out").read().splitlines()]
			assert len(lines) == 30
			g = MT19937(79)
			for i, line in enumerate(lines):
			    row = rows[40 * i:40 * i + 40]
			    order = ranked(row)[:k]
			    p = softmax(row, order)
			    want = [fall(order, p, g.unit())
			            for _ in range(25)]
			    assert line == [str(j) for j in want], (i, want)
			text = open("summary").read()
			assert f'"rng_state":"{g.text()}"' in text, g.text()
		END
	done
}

@test "the first draw joins the window, and the others do not" {
	rows -n 3 '0*64' >in
	# Of the last 2 ids none is drawn again.
	for policy in golem llama.cpp; do
		try --policy $policy -V 64 --draws 40 --no-defaults \
		    --presence-penalty 1000 --repeat-last-n 2 in
		check_status 0
		awk '{ for (i = 1; i <= NF; i++) seen[NR, $i] = 1
		       first[NR] = $1 }
		     END { exit seen[2, first[1]] || seen[3, first[1]] ||
		         seen[3, first[2]] }' out || fail 'a first was repeated'
		# Nothing else was kept from being repeated.
		awk 'NR == 1 { for (i = 2; i <= NF; i++) other[$i] = 1 }
		     NR == 2 { for (i = 1; i <= NF; i++) again += other[$i] }
		     END { exit again == 0 }' out || fail 'all was new'
	done
}

@test "a row counts as one token, however often it is drawn from" {
	even >in
	try -V 4 --draws 5 --prompt 1,1 -c 4 --summary summary in
	check_status 0
	(($(wc -l <out) == 3)) || fail 'wanted 3 lines'
	check_json summary tokens=3 rows=3 'stop="context-limit"'
	try -V 4 --draws 5 -n 4 --summary summary -o jsonl in
	check_json summary tokens=4 rows=4 'stop="token-limit"'
	[[ $(sed 's/.*"prefix":\([0-9]*\).*/\1/' out | paste -sd ' ') == \
	    '0 1 2 3' ]] || fail 'wanted the prefixes 0 1 2 3'
}

@test "the first draw is the one that may end the run" {
	even >in
	# 2 3 1 2 / 2 1 0 2: 3 is never first, 1 neither.
	try -V 4 --draws 4 --eos 3 --eos 1 -n 2 --summary summary in
	check_status 0
	check_out '2 3 1 2\n2 1 0 2\n'
	check_json summary 'stop="token-limit"'
	try -V 4 --draws 4 --eos 2 --summary summary in
	check_out '2 3 1 2\n'
	check_json summary 'stop="eos"'
}

@test "--expect compares the first draw" {
	even >in
	echo 2 2 >recorded
	try -V 4 --draws 4 -n 2 --expect recorded in
	check_status 0
	check_silence
	echo 2 3 >recorded
	try -V 4 --draws 4 -n 2 --expect recorded in
	check_status 1
	check_message '--expect: row 2: drew 2 *recorded is 3 *1 of 2 agree'
}

@test "--history is for the window, whatever the draws are" {
	rows -n 3 '0*64' >in
	echo 11 22 33 >recorded
	try -V 64 --draws 90 --no-defaults --presence-penalty 1000 \
	    --history recorded in
	check_status 0
	awk '{ for (i = 1; i <= NF; i++) seen[NR, $i] = 1 }
	     END { exit !seen[1, 22] || seen[2, 11] || seen[3, 11] ||
	         seen[3, 22] }' out || fail 'wanted 11 and 22 to be banned'
}

@test "greedy draws are all the same and use no random number" {
	rows -n 2 '1 3 2' >in
	for policy in golem strict llama.cpp; do
		try --policy $policy -V 3 --greedy --draws 3 \
		    --summary summary in
		check_status 0
		check_out '1 1 1\n1 1 1\n'
		state_of summary >after
		try --policy $policy -V 3 --summary summary -n 0 in
		state_of summary >before
		check_same before after
	done
	try -V 3 --temp 0 --draws 3 in
	check_out '1 1 1\n1 1 1\n'
}

@test "a stage's memory moves by the first draw alone" {
	noise 30 20 5 >in
	for version in 1 2; do
		try --policy llama.cpp -V 30 --draws 5 --mirostat $version \
		    --mirostat-ent 3 --mirostat-lr 0.5 -o jsonl in
		check_status 0
		python - <<-'END' || fail 'mu moved otherwise'
			import json, math
			lines = [json.loads(line) for line in open("out")]
			assert len(lines) == 20
			mu = 6.0
			for x in lines:
			    assert abs(x["state"]["mu"] - mu) < 1e-4, (x, mu)
			    assert len(x["draws"]) == 5
			    mu -= 0.5 * (-math.log2(x["draws"][0]["p"]) - 3)
			assert any(x["draws"][0]["id"] != x["draws"][1]["id"]
			           for x in lines)
		END
	done
	try --policy llama.cpp -V 30 --draws 5 --xtc-probability 0.5 \
	    --xtc-threshold 0.05 -o jsonl in
	check_status 0
	reckon <<-'END' || fail 'the coin was tossed otherwise'
		import json
		from generators import MT19937, single
		g = MT19937(0)
		for line in open("out"):
		    coin = json.loads(line)["state"]["coin"]
		    assert single(coin) == g.unit_float()
	END
}

@test "a state that is saved in between goes on" {
	noise 30 20 6 >in
	for policy in golem strict llama.cpp; do
		try --policy $policy -V 30 --draws 3 in
		cp out whole
		head -c 840 in >first
		tail -c +841 in >rest
		try --policy $policy -V 30 --draws 3 --save-state s first
		cp out parts
		try --load-state s rest
		check_status 0
		cat out >>parts
		check_same whole parts
	done
}

@test "the text of several draws is refused" {
	even >in
	cp "$data/story.pieces.txt" pieces
	refuses '--draws: *text*' -V 4 --draws 2 -o text --pieces pieces in
	try -V 4 --draws 1 -n 1 -o text --pieces pieces in
	check_status 0
}

@test "what is no number of draws is refused" {
	refuses '--draws: 0 is out of range: 1 to 2147483647' -V 4 --draws 0
	refuses '--draws: -1 is out of range: *' -V 4 --draws -1
	refuses '--draws: 2147483648 is out of range: *' \
	    -V 4 --draws 2147483648
	refuses "--draws: 'many' *" -V 4 --draws many
	refuses "--draws: '1.5' *" -V 4 --draws 1.5
}
