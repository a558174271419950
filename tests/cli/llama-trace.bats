#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --output jsonl under --policy llama.cpp: what each stage keeps, and what
# steers the draws from row to row.

load helper

# noise V N SEED [SIGMA]: rows of normal logits.
noise()
{
	python - "$@" >in <<-'END'
		import array, random, sys
		vocab, rows, seed = map(int, sys.argv[1:4])
		sigma = float((sys.argv[4:] or [2])[0])
		r = random.Random(seed)
		array.array("f", [r.gauss(0, sigma) for _ in range(
		    rows * vocab)]).tofile(sys.stdout.buffer)
	END
}

# The traces of the rows in the file `in` are what llama_trace.py works out.
traces()
{
	try -q --policy llama.cpp -o jsonl "$@" in
	check_status 0
	python "$here/llama_trace.py" in out "$@" || fail "options: $*"
}

# What the traces say of a key of the state, a line for each row that has it.
told()
{
	grep -o "\"state\":{[^}]*}" out | grep -o "\"$1\":[^,}]*" | cut -d: -f2
}

cuts='top_n_sigma;top_k;typ_p;top_p;min_p;xtc;temperature'

@test "kept has the stages in their order, with what each leaves" {
	noise 60 40 1
	traces -V 60 --samplers "$cuts"
	traces -V 60 --samplers "$cuts" --top-k 20 --typical 0.9 --top-p 0.9 \
	    --min-p 0.1 --xtc-probability 0.5 --xtc-threshold 0.05 \
	    --top-nsigma 2 --temp 1.3
	traces -V 60 --samplers 'temperature;xtc;min_p;top_p;typ_p;top_k' \
	    --top-k 9 --typical 0.9 --top-p 0.95 --min-p 0.02 \
	    --xtc-probability 0.9 --temp 1.7
}

@test "a stage that runs twice has a name of its own each time" {
	noise 60 20 2
	traces -V 60 --samplers 'top_p;temperature;top_p;temperature;top_p' \
	    --top-p 0.8 --temp 1.5
	[[ $(head -n 1 out) == *'"top_p#3":'* ]]
	traces -V 60 --samplers 'xtc;xtc;min_p;min_p' --xtc-probability 0.7 \
	    --xtc-threshold 0.03
}

@test "candidates have the stage that removed them" {
	noise 60 20 14
	traces -V 60 --top 60 --samplers "$cuts" --top-k 30 --typical 0.9 \
	    --top-p 0.9 --min-p 0.1 --xtc-probability 0.5 \
	    --xtc-threshold 0.05 --temp 1.3
	traces -V 60 --top 60 --samplers 'typ_p;xtc;typ_p' --typical 0.7 \
	    --xtc-probability 0.5 --xtc-threshold 0.05
	traces -V 60 --top 60 --samplers 'min_p;top_n_sigma;top_p' \
	    --min-p 0.001 --top-nsigma 1.5 --top-p 0.99
	traces -V 60 --top 60 --mirostat 2 --mirostat-ent 2
	traces -V 60 --top 60 --samplers 'top_p;adaptive_p' \
	    --adaptive-target 0.3
}

@test "what top_n_sigma cuts off stays in the list" {
	noise 60 20 3
	traces -V 60 --samplers top_n_sigma --top-nsigma 1
	grep -q '"kept":{"top_n_sigma":60}' out
	traces -V 60 --samplers 'top_n_sigma;min_p' --top-nsigma 1 \
	    --min-p 1e-30
	! grep -q '"min_p":60' out || fail 'wanted min_p to remove them'
}

@test "--min-keep holds for typ_p, top_p, min_p and xtc, not for top_k" {
	noise 60 20 4
	for list in typ_p top_p min_p xtc top_k "$cuts"; do
		traces -V 60 --samplers "$list" --typical 0.1 --top-p 0.1 \
		    --min-p 0.5 --xtc-probability 1 --xtc-threshold 0.001 \
		    --top-k 5 --min-keep 12
	done
	traces -V 60 --samplers top_k --top-k 5 --min-keep 12
	grep -q '"kept":{"top_k":5}' out
}

@test "nothing is told of a state where nothing steers" {
	noise 20 10 5
	traces -V 20 --samplers "$cuts"
	try --policy llama.cpp -V 20 -o jsonl in
	! grep -q '"state"' out || fail 'wanted no state'
}

@test "coin: xtc's toss, from a generator of its own" {
	noise 30 30 6
	traces -V 30 --samplers xtc --xtc-probability 0.4 \
	    --xtc-threshold 0.05 --seed 9
	(($(told coin | wc -l) == 30))
	(($(told coin | sort -u | wc -l) == 30))
	# No toss for one candidate, nor where the stage is off.
	traces -V 30 --samplers 'top_k;xtc' --top-k 1 --xtc-probability 0.4
	[[ -z $(told coin) ]]
	traces -V 30 --samplers xtc --xtc-probability 0.4 --xtc-threshold 0.6
	[[ -z $(told coin) ]]
	# In some rows one is left, and the coins go on behind them.
	noise 30 60 7 5
	traces -V 30 --samplers 'min_p;xtc' --min-p 0.3 --xtc-probability 0.4
	n=$(told coin | wc -l)
	((n > 5 && n < 60)) || fail "$n coins"
}

@test "dynamic_temp: the temperature within its range" {
	noise 30 30 8
	traces -V 30 --samplers temperature --dynatemp-range 0.5
	(($(told dynamic_temp | sort -u | wc -l) == 30))
	traces -V 30 --samplers temperature --dynatemp-range 2 \
	    --dynatemp-exp 2.5
	traces -V 30 --samplers 'top_k;min_p;temperature;top_p' \
	    --dynatemp-range 0.7 --temp 1 --top-p 0.8
}

@test "dynamic_temp: of one candidate none is worked out" {
	rows '3 2.9 2.8 2.7' >in
	try --policy llama.cpp -V 4 -o jsonl --samplers 'top_k;temperature' \
	    --top-k 1 --temp 1 --dynatemp-range 0.5 in
	check_status 0
	temp=$(told dynamic_temp)
	[[ -z $temp || $temp == 1 ]] || fail "a temperature of $temp"
	# Nor where the stage is not in the list.
	try -q --policy llama.cpp -V 4 -o jsonl --samplers top_k --temp 1 \
	    --dynatemp-range 0.5 in
	check_status 0
	[[ -z $(told dynamic_temp) ]] || fail 'wanted none'
}

@test "mu: mirostat's bound, as it was for the row" {
	noise 200 60 9
	for version in 1 2; do
		traces -V 200 --mirostat $version
		traces -V 200 --mirostat $version --mirostat-ent 3 \
		    --mirostat-lr 0.7 --temp 1.5
		(($(told mu | wc -l) == 60))
		[[ $(told mu | head -n 1) == 6 ]]
		grep -q '"kept":{"temperature":200,"mirostat":' out
	done
}

@test "weighted and weight: adaptive_p's sums, as they were for the row" {
	noise 40 60 10
	traces -V 40 --samplers adaptive_p --adaptive-target 0.3
	(($(told weighted | wc -l) == 60))
	[[ $(told weight | head -n 1) == @(10|10.0000*|9.99999*) ]]
	traces -V 40 --samplers 'adaptive_p;min_p;temperature' \
	    --adaptive-target 0.6 --adaptive-decay 0.5 --min-p 0.02 --temp 1.3
	traces -V 40 --samplers 'top_k;adaptive_p' --top-k 1 \
	    --adaptive-target 0
	traces -V 40 --samplers 'top_p;adaptive_p' --adaptive-target -1
	[[ -z $(told weighted) ]]
}

@test "several of them at once" {
	noise 40 40 11
	traces -V 40 --samplers 'xtc;temperature;adaptive_p' \
	    --xtc-probability 0.5 --xtc-threshold 0.05 --dynatemp-range 0.5 \
	    --adaptive-target 0.2 --seed 4
	grep -q '"state":{"dynamic_temp":[^,]*,"coin":[^,]*,"weighted":[^,]*,'`
	    `'"weight":[^,]*}' out
}

@test "greedy draws are steered by nothing" {
	noise 20 5 12
	for options in '--mirostat 2' '--dynatemp-range 0.5' \
	    '--samplers adaptive_p --adaptive-target 0.3'; do
		# shellcheck disable=SC2086 # the options are words
		try -q --policy llama.cpp -V 20 -o jsonl --greedy $options in
		check_status 0
		! grep -q '"state"' out || fail "wanted no state: $options"
	done
}

@test "greedy draws the highest logit that the stages leave" {
	# The first is the least typical.
	rows '3 2.9 2.8 2.7' >in
	draws 1 --policy llama.cpp -V 4 --samplers typ_p --typical 0.2 in
	for list in typ_p 'typ_p;top_k' 'typ_p;xtc'; do
		draws 1 -q --policy llama.cpp -V 4 --samplers "$list" \
		    --typical 0.2 --greedy in
	done
}

@test "tracing changes no id" {
	noise 40 60 13
	for options in '' "--samplers $cuts --xtc-probability 0.5 --temp 2" \
	    '--mirostat 1' '--mirostat 2' '--dynatemp-range 0.7' \
	    '--samplers top_k;adaptive_p --adaptive-target 0.3' \
	    '--repeat-penalty 1.3 --dry-multiplier 2' '--greedy'; do
		# shellcheck disable=SC2086 # the options are words
		tokpick --policy llama.cpp -V 40 $options in >ids
		# shellcheck disable=SC2086
		tokpick --policy llama.cpp -V 40 $options -o jsonl --top 3 in |
		    sed 's/^{"row":[0-9]*,"id":\([0-9]*\),.*/\1/' >traced
		check_same ids traced
		(($(wc -l <ids) == 60))
	done
}
