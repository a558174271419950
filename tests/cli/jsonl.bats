#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --output jsonl: every field of a trace.

load helper

# The traces of the rows in the file `in` are what trace.py works out.
traces()
{
	try -o jsonl "$@" in
	check_status 0
	check_silence
	python "$here/trace.py" in out "$@" || fail "options: $*"
}

# adds_up TEMP [OPTION]...: the traces of the story agree with themselves,
# and their masses with TEMP, if there is one; see trace-sums.py.
adds_up()
{
	local temp=$1
	shift
	try -V 512 -o jsonl --top 512 "$@" in
	check_status 0
	check_silence
	# shellcheck disable=SC2086 # there may be none
	python "$here/trace-sums.py" in out 512 $temp || fail "options: $*"
}

story()
{
	zstd -dcq "$data/story-1.f32.zst" | head -c "$((${1:-256} * 2048))" >in
}

# strict takes the same rows, widened.
story_wide()
{
	story "$@"
	python -c 'import array, sys
a = array.array("f", sys.stdin.buffer.read())
array.array("d", a).tofile(sys.stdout.buffer)' <in >wide
	mv wide in
}

# noise V N SEED: rows of any kind, ties and -inf among them.
noise()
{
	python - "$@" >in <<-'END'
		import array, math, random, sys
		vocab, rows, seed = map(int, sys.argv[1:])
		r = random.Random(seed)
		def value(kind):
		    return [lambda: r.gauss(0, 3),
		            lambda: float(r.randint(-2, 2)),
		            lambda: r.choice([r.gauss(0, 2), -math.inf]),
		            lambda: r.choice([0.0, -0.0, 1e-40, -1e-45]),
		            lambda: r.gauss(0, 1) * 10 ** r.randint(-5, 5)][kind]()
		for row in range(rows):
		    a = [value(row % 5) for _ in range(vocab)]
		    a[r.randrange(vocab)] = 1.0
		    sys.stdout.buffer.write(array.array("f", a).tobytes())
	END
}

# masks V N SEED: for each of N rows, of V tokens, about half are allowed.
masks()
{
	python - "$@" >mask <<-'END'
		import random, sys
		vocab, rows, seed = map(int, sys.argv[1:])
		r = random.Random(seed)
		for _ in range(rows):
		    bits = r.getrandbits(vocab) | 1 << r.randrange(vocab)
		    size = (vocab + 31) // 32 * 4
		    sys.stdout.buffer.write(bits.to_bytes(size, "little"))
	END
}

@test "a line has these fields in this order" {
	rows '1 2 0' >in
	try -V 3 -o jsonl --no-defaults --top-k 2 --prompt 0,0 in
	check_out '{"row":1,"id":1,"logit":2,"p":0.7310585975646973,"logprob":'`
	    `'-0.31326166161784674,"rank":1,"u":0.6818068355711984,"interval'`
	    `'":[0,0.7310585975646973],"kept":{"penalties":3,"top_k":2,"top_'`
	    `'p":2,"min_p":2,"temperature":2},"entropy":0.5822030992894509,"'`
	    `'retained_mass":0.9099694268296195,"removed_mass":0.09003057317'`
	    `'038046,"prefix":2}\n'
}

@test "golem: the defaults" {
	story
	traces -V 512
	traces -V 512 --top 5
	traces -V 512 --top 1000 --temp 1.8
}

@test "golem: every cut, and what it removed" {
	story
	traces -V 512 --no-defaults --top 600
	traces -V 512 --no-defaults --top-k 7 --top 12
	traces -V 512 --no-defaults --top-p 0.8 --temp 2 --top 100
	traces -V 512 --no-defaults --min-p 0.02 --temp 0.5 --top 100
	traces -V 512 --top-k 5 --top-p 0.5 --min-p 0.4 --min-keep 3 --top 9
}

@test "golem: penalties, biases and bans" {
	story 64
	traces -V 512 --repeat-penalty 1.4 --frequency-penalty 0.3 \
	    --presence-penalty 0.2 --prompt 1,2,2,411,999 --temp 2 --top 80
	traces -V 512 --repeat-penalty 0.5 --repeat-last-n 5 --top 10 --temp 3
	traces -V 512 -l 411-inf -l 410+3 -l 410+2.5 -l 500-2 --top 10 --temp 2
}

@test "golem: stages in any order, and more than once" {
	story 64
	traces -V 512 --samplers 'top_k;penalties;temperature;top_p' \
	    --repeat-penalty 1.3 --temp 1.5 --top 70
	traces -V 512 --samplers 'temperature;penalties;top_k;top_k;penalties' \
	    --frequency-penalty 0.5 --temp 0.7 --top 70
	traces -V 512 --samplers 'min_p;temperature;top_p;temperature;min_p' \
	    --min-p 0.01 --temp 2 --top 70
	traces -V 512 --samplers '' --top 3
}

@test "a stage that runs twice has a name of its own each time" {
	rows '3 2 1 0' >in
	try -V 4 -o jsonl --samplers 'top_k;temperature;top_k' --top-k 3 in
	[[ $(<out) == *'"kept":{"top_k":3,"temperature":3,"top_k#2":3}'* ]] ||
	    fail 'wanted top_k#2'
	try -V 4 -o jsonl --samplers 'min_p;temperature;min_p' --min-p 0.1 \
	    --temp 0.5 --top 4 in
	[[ $(<out) == *'"id":2,"logit":1,"p":0,"removed":"min_p#2"'* ]] ||
	    fail 'wanted the second min_p to remove 2'
	[[ $(<out) == *'"id":3,"logit":0,"p":0,"removed":"min_p"'* ]] ||
	    fail 'wanted the first min_p to remove 3'
}

@test "greedy draws without a random number from one candidate" {
	story 64
	traces -V 512 --greedy --top 3
	traces -V 512 --temp 0 --repeat-penalty 1.5
	traces -V 512 --greedy --samplers 'top_k;penalties' --top 70 \
	    --presence-penalty 2
	rows '1 3 2' >in
	try -V 3 -o jsonl --greedy --top 2 in
	check_json out id=1 p=1 logprob=0 u=null 'interval=[0,1]' entropy=0 \
	    kept.top_k=3 kept.greedy=1
	[[ $(<out) == *'"id":2,"logit":2,"p":0,"removed":"greedy"'* ]] ||
	    fail 'wanted greedy to remove 2'
}

@test "one candidate left is drawn without a random number" {
	rows '1 3 2' '0 0 9' >in
	traces -V 3 --top-k 1 --top 3
	try -V 3 -o jsonl --top-k 1 -n 1 in
	check_json out id=1 p=1 logprob=0 u=null 'interval=[0,1]' entropy=0
}

@test "rows of any kind, and masks" {
	noise 33 50 1
	traces -V 33 --top 40
	traces -V 33 --no-defaults --temp 3 --top 40
	masks 33 50 2
	traces -V 33 --mask mask --top 40
	traces -V 33 --mask mask --repeat-penalty 1.2 -l 5+2 --top 7 --temp 2
	noise 1 5 3
	traces -V 1 --top 1
}

@test "what JSON has no number for is null" {
	rows '0 -inf 1' >in
	traces -V 3 --no-defaults --top 3
	[[ $(<out) == *'{"id":1,"logit":null,"p":0,"removed":null}'* ]] ||
	    fail 'wanted the logit null'
}

@test "a temperature that makes logits overflow is its limit" {
	rows '3e30 1 3e30 2' >in
	traces -V 4 --no-defaults --temp 1e-30 --top 4
	check_json out p=0.5 retained_mass=1 removed_mass=0
}

@test "strict: all that is traced" {
	story_wide
	traces -V 512 -d f64 --policy strict --top-k 20 --top 25
	traces -V 512 -d f64 --policy strict --temp 2.5
	traces -V 512 -d f64 --policy strict --top-k 1 --temp 0.1 --top 2
	traces -V 512 -d f64 --policy strict --greedy --top 3
	traces -V 512 -d f64 --policy strict --greedy --temp 2
	masks 512 256 4
	traces -V 512 -d f64 --policy strict --mask mask --top-k 9 --top 20
}

@test "strict: what was retained and what may be drawn of it" {
	rows -d f64 '2 2 1' >in
	try -V 3 -d f64 --policy strict --temp 2.2250738585072014e-308 \
	    --top-k 3 -o jsonl in
	check_json out 'retained=[0,1,2]' 'support=[0,1]' p=0.5
}

@test "the fixture of strict" {
	rows -d f64 -n 8 '0 1 1 2' >in
	traces -V 4 -d f64 --policy strict --top-k 3 --seed 36
	python - <<-'END'
		import json
		lines = [json.loads(line) for line in open("out")]
		assert [x["id"] for x in lines] == [3, 2, 2, 2, 3, 3, 3, 3]
		u = [f"{x['u']:.12f}" for x in lines[:2]]
		assert u == ["0.912888894097", "0.338833394523"], u
	END
}

@test "each part of the mass is as exact as the other" {
	rows -d f64 '0 -100 -101' >in
	try -V 3 -d f64 --policy strict --top-k 1 -o jsonl in
	python - <<-'END'
		import json, math
		line = json.load(open("out"))
		want = math.exp(-100) + math.exp(-101)
		assert line["retained_mass"] == 1
		assert abs(line["removed_mass"] / want - 1) < 1e-14
	END
	rows '0 -80 -81' >in
	try -V 3 --top-k 1 -o jsonl in
	python - <<-'END'
		import json, math
		want = math.exp(-80) + math.exp(-81)
		found = json.load(open("out"))["removed_mass"]
		assert abs(found / want - 1) < 1e-14, found
	END
}

@test "llama.cpp: traces agree with themselves" {
	story 60
	for rules in llama.cpp llama.cpp-2026-07 llama.cpp-2026-05; do
		adds_up 0.8 --policy $rules
		adds_up 2 --policy $rules --temp 2 --top-nsigma 1
		adds_up '' --policy $rules --greedy
	done
}

@test "llama.cpp: lists that no stage ranked are shown by rank" {
	story 60
	adds_up 1 --policy llama.cpp --no-defaults
	adds_up 2 --policy llama.cpp --temp 2 --typical 0.9
	adds_up 2 --policy llama.cpp --temp 2 --min-p 0.1 \
	    --samplers 'min_p;temperature'
	adds_up 2 --policy llama.cpp --temp 2 --typical 0.8 --min-p 0.1 \
	    --samplers 'temperature;min_p;typ_p;top_p'
	rows '0 1 3 2' >in
	try -V 4 --policy llama.cpp --no-defaults --top 2 -o jsonl in
	[[ $(<out) == *'"candidates":[{"id":2,'*'},{"id":3,'*'}]}' ]] ||
	    fail 'wanted 2 and 3'
}

@test "llama.cpp: what goes from the top or ends the chain is traced" {
	story 60
	adds_up 2 --policy llama.cpp --temp 2 --xtc-probability 0.7 \
	    --xtc-threshold 0.05
	adds_up 1 --policy llama.cpp --temp 1 --mirostat 1
	adds_up 1 --policy llama.cpp --temp 1 --mirostat 2
	grep -q '"mirostat":' out
	adds_up '' --policy llama.cpp --adaptive-target 0.3 \
	    --samplers 'min_p;adaptive_p' --min-p 0.001
	adds_up '' --policy llama.cpp --adaptive-target 0.3 \
	    --samplers 'top_k;adaptive_p'
	adds_up '' --policy llama.cpp --temp 1 --dynatemp-range 0.5
	adds_up '' --policy llama.cpp --temp 1 --repeat-penalty 1.3 \
	    --dry-multiplier 0.8 --frequency-penalty 0.1
}

@test "other policies agree with themselves too" {
	story 60
	adds_up 2 --temp 2
	adds_up 2 --temp 2 --policy strict --top-k 100
	adds_up 1 --samplers 'min_p;top_p' --min-p 0.001
}

@test "several draws from one row" {
	story 64
	traces -V 512 --draws 7 --temp 3 --top 4
	story_wide 64
	traces -V 512 -d f64 --policy strict --draws 3 --temp 2 --top-k 9
	rows '0 0' >in
	traces -V 2 --draws 100
	traces -V 2 --draws 2
}

@test "prefix counts the prompt and the ids that joined" {
	noise 16 9 5
	traces -V 16 --prompt 3,4,5 --repeat-penalty 1.3
	echo 1 2 3 1 2 3 1 2 3 >recorded
	traces -V 16 --prompt 3,4,5 --history recorded --presence-penalty 2
}

@test "--inspect: the distribution without a draw" {
	story 32
	traces -V 512 --inspect
	traces -V 512 --inspect --top 0
	traces -V 512 --inspect --top 70 --prompt 411,432 --repeat-penalty 2
	traces -V 512 --inspect --greedy --top 2
	story_wide 32
	traces -V 512 -d f64 --policy strict --inspect --top-k 30
}

@test "--inspect: temperatures beside each other" {
	story 32
	traces -V 512 --inspect --temp 0.5,1,2
	traces -V 512 --inspect --temp 0,1,-1,0.25 --top 3
	traces -V 512 --inspect --temp 1,3 --top 9 \
	    --samplers 'temperature;top_p;top_k'
	story_wide 32
	traces -V 512 -d f64 --policy strict --inspect --top-k 30 \
	    --temp 0.5,1e-300,1e300
}

@test "pieces stand beside ids" {
	story 32
	cp "$data/story.pieces.txt" pieces
	traces -V 512 --pieces pieces --top 30 --temp 2
}

@test "no byte of a piece is lost" {
	rows '3 2 1 0 0' >in
	# shellcheck disable=SC1003 # a backslash it is
	printf '%s\n' 'caf\xc3\xa9\n' '\xff\x00"\\' '' '\xed\xa0\x80' >pieces
	traces -V 5 --pieces pieces --no-defaults --top 5
	try -V 5 --pieces pieces --inspect --top 5 in
	[[ $(<out) == *'"piece":"café\u000a","logit"'* ]] || fail 'id 0'
	[[ $(<out) == *'"bytes":[255,0,34,92],"logit"'* ]] || fail 'id 1'
	[[ $(<out) == *'"id":2,"piece":"","logit"'* ]] || fail 'id 2'
	[[ $(<out) == *'"bytes":[237,160,128],"logit"'* ]] || fail 'id 3'
	[[ $(<out) == *'"id":4,"logit"'* ]] || fail 'id 4 has no piece'
}

@test "tracing changes no id" {
	story
	for options in '' '--temp 2 --repeat-penalty 1.3' '--no-defaults' \
	    '--samplers top_k;penalties;temperature --presence-penalty 1' \
	    '--policy strict --temp 3' '--greedy' '--policy llama.cpp' \
	    '--policy llama.cpp --mirostat 2' '--samplers min_p' \
	    '--policy llama.cpp --adaptive-target 0.4'; do
		# shellcheck disable=SC2086 # the options are words
		tokpick -V 512 $options in >ids
		# shellcheck disable=SC2086
		tokpick -V 512 $options -o jsonl --top 3 in |
		    sed 's/^{"row":[0-9]*,"id":\([0-9]*\),.*/\1/' >traced
		check_same ids traced
		(($(wc -l <ids) == 256))
	done
}

@test "the rows before a bad one are traced" {
	rows '0 1' '0 nan' >in
	try -V 2 -o jsonl in
	check_status 1
	check_message 'row 2: *'
	check_json out row=1
}

@test "traces that can't be written are an error" {
	story
	status=0
	tokpick -V 512 -o jsonl in >/dev/full 2>err || status=$?
	check_status 1
	check_message 'standard output: *'
}
