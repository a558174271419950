#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --save-state and --load-state: going on where a run left off.

load helper

# The first three of the eight even rows, and the state behind them.
begin()
{
	even | head -c 48 >first
	even | tail -c 80 >rest
	draws '2 3 1' -V 4 --save-state s "$@" first
}

# forge FILE OLD NEW: a state that says something else, with a right sum.
forge()
{
	python "$here/forge.py" "$@"
}

# resumed POLICY CASES: random runs cut at random places.
resumed()
{
	# shellcheck disable=SC2086 # the emulator is words
	python "$here/resumed.py" "$1" "$2" 1 $TOKPICK_EMULATOR "$TOKPICK" ||
	    fail 'a run that was cut went on otherwise'
}

# The folder holds these names and nothing else.
check_folder()
{
	[[ $(cd "$1" && shopt -s dotglob nullglob && echo *) == "$2" ]] ||
	    fail "wanted $2 in $1:" "$(ls -A "$1")"
}

# --- Going on --------------------------------------------------------------

@test "a run goes on as if it had not been cut" {
	begin
	draws '2 2 1 0 2' --load-state s rest
}

@test "the state of the whole is the state of its parts" {
	begin
	draws '2 2 1 0 2' --load-state s --save-state s rest
	even >in
	draws "$even_ids" -V 4 --save-state whole in
	check_same s whole
}

@test "nothing changes where there are no more rows" {
	begin
	draws '' --load-state s --save-state again </dev/null
	check_same s again
}

@test "golem goes on wherever a run was cut" {
	resumed golem 60
}

@test "strict goes on wherever a run was cut" {
	resumed strict 25
}

@test "llama.cpp goes on wherever a run was cut" {
	resumed llama.cpp 60
	resumed llama.cpp-2026-07 10
	resumed llama.cpp-2026-05 10
}

@test "mirostat goes on from a bound that is no number" {
	local steep=(-V 16 --policy llama.cpp --mirostat 2 --mirostat-ent 2
	    --mirostat-lr 3e38)
	head -c 384 /dev/zero >in
	tokpick "${steep[@]}" in in >whole
	tokpick "${steep[@]}" --save-state s in >first
	grep -qx 'sampler mirostat-mu nan' s
	tokpick --load-state s in >rest
	cat first rest | check_same - whole
}

@test "a state of other rows is no other state: types may change" {
	begin
	rows -d f16 -n 5 '0 0 0 0' >half
	draws '2 2 1 0 2' --load-state s -d f16 half
}

@test "a random seed is kept as the number it was" {
	even | head -c 48 >first
	even | tail -c 80 >rest
	for policy in golem strict llama.cpp; do
		try --policy $policy -V 4 -s random --save-state s first
		check_status 0
		seed=$(sed -n 's/^tokpick: seed //p' err)
		cp out one
		try --load-state s -s "$seed" rest
		check_status 0
		check_silence
		cat one out >both
		even >in
		try --policy $policy -V 4 -s "$seed" in
		check_same out both
	done
}

@test "a story goes on" {
	prompt=$(<"$data/story-1.prompt")
	zstd -dcq "$data/story-1.f32.zst" >in
	# 100 rows of 512 floats
	head -c 204800 in >first
	tail -c +204801 in >rest
	try -V 512 -s 7 --prompt "$prompt" --repeat-penalty 1.1 \
	    --save-state s first
	check_status 0
	cp out one
	try --load-state s rest
	check_status 0
	cat one out >both
	try -V 512 -s 7 --prompt "$prompt" --repeat-penalty 1.1 in
	check_same out both
}

# --- Numbers that go on ----------------------------------------------------

@test "rows are numbered on" {
	begin
	breaks '2' 'row 5: logit of token 1 is NaN*' --load-state s \
	    < <(rows '0 0 0 0' '0 nan 0 0')
	breaks '2' '*: row 5 ends after 4 of 16 bytes*' --load-state s \
	    < <(rows '0 0 0 0' '0')
	printf '%s\n' 0 >ids
	breaks '2' '--history: 1 ids are recorded, row 5 has none*' \
	    --load-state s --history ids rest
}

@test "traces go on" {
	even >in
	for policy in golem strict llama.cpp; do
		begin_as=(--policy "$policy" -V 4 --prompt '0,1' -o jsonl --top 2)
		try "${begin_as[@]}" in
		check_status 0
		cp out whole
		head -c 48 in >first
		try "${begin_as[@]}" --save-state s first
		check_status 0
		cp out one
		try --load-state s -o jsonl --top 2 < <(tail -c 80 in)
		check_status 0
		cat one out >both
		check_same both whole
	done
}

@test "the next row is inspected as it will be drawn from" {
	begin --prompt 0,1
	cp s before
	try --load-state s --inspect -o jsonl rest
	check_status 0
	head -n 1 out >next
	check_json next row=4 prefix=5
	check_same s before
}

@test "a closed loop is gone on with by hand" {
	rows '0 0 0 0' >row
	draws '2 3 1' -V 4 --prompt 0 -n 3 --save-state s \
	    --exec 'while read -r ids; do cat row; done'
	draws '2 2 1 0 2' --load-state s < <(even | tail -c 80)
}

@test "the summary counts the rows of the run and the tokens of all" {
	begin --prompt 0,1
	draws '2 2 1 0 2' --load-state s --summary sum rest
	check_json sum rows=5 tokens=8 prompt=2 vocab=4 \
	    settings.policy='"golem"'
	try -V 4 --prompt 0,1 --summary whole first rest
	check_json whole rows=8 tokens=8 prompt=2
	diff <(grep -o '"rng_state":"[0-9a-f]*"' sum) \
	    <(grep -o '"rng_state":"[0-9a-f]*"' whole)
}

@test "-n counts the tokens of all runs" {
	begin
	draws '2' --load-state s -n 4 rest
	draws '2 2' --load-state s -n 5 rest
	draws '' --load-state s -n 3 --summary sum rest
	check_json sum stop='"token-limit"' rows=0 tokens=3
	draws '' --load-state s -n 0 rest
}

@test "-c counts the prompt and the tokens of all runs" {
	begin --prompt 0,1
	draws '2' --load-state s -c 5 rest
	draws '2 2' --load-state s -c 6 rest
	draws '' --load-state s -c 4 --summary sum rest
	check_json sum stop='"context-limit"' rows=0
	refuses "--ctx-size: the prompt's 2 ids do not fit a context of 1" \
	    --load-state s -c 1 rest
}

@test "after an end token a run can go on" {
	even >in
	draws '2 3 1' -V 4 --eos 1 --save-state s in
	draws '2 2 1' --load-state s --eos 1 < <(even | tail -c 80)
}

@test "--history, --mask and --expect begin with the next row" {
	even >in
	echo 0 0 0 0 0 0 0 0 >ids
	printf '\x0f\0\0\0%.0s' 1 2 3 4 5 6 >masks
	printf '\x03\0\0\0%.0s' 7 8 >>masks
	options=(-V 4 --presence-penalty 2)
	try "${options[@]}" --history ids --mask masks in
	check_status 0
	cp out whole
	head -c 48 in >first
	tail -c 80 in >rest
	echo 0 0 0 >ids-1
	echo 0 0 0 0 0 >ids-2
	head -c 12 masks >masks-1
	tail -c 20 masks >masks-2
	try "${options[@]}" --history ids-1 --mask masks-1 --save-state s first
	check_status 0
	cp out one
	try --load-state s --history ids-2 --mask masks-2 rest
	check_status 0
	cat one out >both
	check_same both whole
	tail -n 5 whole >want
	try --load-state s --history ids-2 --mask masks-2 --expect want rest
	check_status 0
	check_silence
}

# --- What ends a run -------------------------------------------------------

@test "after a bad row the state is the one before it" {
	breaks '2 3 1' 'row 4: *' -V 4 --save-state s \
	    < <(rows -n 3 '0 0 0 0'; rows '0 0 0 inf')
	draws '2 2 1 0 2' --load-state s < <(even | tail -c 80)
}

@test "a token without a piece leaves the random numbers where they were" {
	printf '%s\n' a b c >pieces
	even >in
	try -V 4 -o text --pieces pieces --save-state s in
	check_status 1
	check_message 'row 2: token 3 has no piece*'
	check_out c
	draws '3 1 2 2 1 0 2' --load-state s < <(even | tail -c 112)
}

@test "after a failing comparison the state is saved" {
	even >in
	echo 9 9 9 9 9 9 9 9 >other
	try -V 4 --expect other --save-state s in
	check_status 1
	try -V 4 --save-state whole in
	check_same s whole
}

@test "output that cannot be written leaves the old state" {
	[[ -e /dev/full ]] || skip 'needs /dev/full'
	begin
	cp s old
	status=0
	tokpick --load-state s --save-state s rest >/dev/full 2>err || status=$?
	check_status 1
	check_message 'standard output: *'
	check_same s old
}

@test "a wrong command line leaves the old state" {
	begin
	cp s old
	try --load-state s --save-state s --top-p x rest
	check_status 2
	try --load-state s --save-state s --top-p 0.5 rest
	check_status 2
	try --load-state s --save-state s --force-settings --policy strict \
	    --temp 0 rest
	check_status 2
	check_same s old
}

@test "a file that is not there leaves the old state" {
	begin
	cp s old
	breaks '' 'nowhere: *' --load-state s --save-state s --mask nowhere rest
	check_same s old
}

# --- Settings --------------------------------------------------------------

# A setting, what to give instead, and both values as the message has them.
settings='
vocab 5 5 4
seed 8 8 7
temp .5 0.5 0.9
top-k 3 3 2
top-p 0.9 0.9 0.8
min-p 0.01 0.01 0.02
repeat-last-n 32 32 16
repeat-penalty 1.5 1.5 1.25
frequency-penalty -1 -1 0.5
presence-penalty 2e0 2 0.25
logit-bias 1+2 1+2 1+0.5,2-inf
min-keep 2 2 1
samplers top_k;penalties top_k;penalties penalties;top_k;min_p
draws 2 2 1
'

fixed=(-V 4 -s 7 --temp 0.9 --top-k 2 --top-p 0.8 --min-p 0.02
    --repeat-last-n 16 --repeat-penalty 1.25 --frequency-penalty 0.5
    --presence-penalty 0.25 --logit-bias 1+0.5 -l 2-inf --min-keep 1
    --samplers 'penalties;top_k;min_p' --draws 1)

@test "a setting that is not the state's is refused by name" {
	even >in
	try -q "${fixed[@]}" --save-state s in
	check_status 0
	while read -r name value here there; do
		[[ -n $name ]] || continue
		refuses "--$name: $here here, $there in s: leave it out to go \
on with that, or change it with --force-settings" \
		    -q --load-state s "--$name" "$value" in
	done <<<"$settings"
	refuses '--greedy: yes here, no in s: *' -q --load-state s --greedy in
	refuses '--policy: strict here, golem in s: *' \
	    --load-state s --policy strict in
}

@test "settings of llama.cpp that are not the state's are refused by name" {
	even >in
	try -V 4 --policy llama.cpp --save-state s in
	check_status 0
	while read -r name value here there; do
		[[ -n $name ]] || continue
		refuses "--$name: $here here, $there in s: *" \
		    -q --load-state s "--$name" "$value" in
	done <<-'END'
	typical 0.5 0.5 1
	top-nsigma 1 1 -1
	xtc-probability 0.5 0.5 0
	xtc-threshold 0.2 0.2 0.1
	dynatemp-range 0.5 0.5 0
	dynatemp-exp 2 2 1
	dry-multiplier 0.8 0.8 0
	dry-base 2 2 1.75
	dry-allowed-length 3 3 2
	dry-penalty-last-n -1 32768 64
	dry-breaker 1,2 1,2 none
	mirostat-lr 0.2 0.2 0.1
	mirostat-ent 4 4 5
	adaptive-target 0.5 0.5 -1
	adaptive-decay 0.5 0.5 0.9
	policy llama.cpp-2026-05 llama.cpp-2026-05 llama.cpp
	END
}

@test "no stages at all are a value too" {
	even >in
	try -V 4 --samplers '' --save-state s in
	refuses "--samplers: top_k here, '' in s: *" \
	    -q --load-state s --samplers top_k in
	try -V 4 --save-state s in
	refuses "--samplers: '' here, penalties;top_k;* in s: *" \
	    -q --load-state s --samplers '' in
}

@test "a mistake that is not the state's is told as any other" {
	begin
	refuses '--rows: *' --load-state s --rows 0 rest
}

@test "with --force-settings the command line has its way" {
	even >in
	try -q "${fixed[@]}" --save-state s in
	while read -r name value here there; do
		[[ -n $name && $name != vocab ]] || continue
		try -q --load-state s --force-settings "--$name" "$value" \
		    --save-state new in
		check_status 0
		[[ $(sed -n "s/^setting $name //p" new | paste -sd,) == \
		    "$here" ]] || fail "$name is not $here"
		diff <(grep -v "^setting $name " s | grep '^setting ') \
		    <(grep -v "^setting $name " new | grep '^setting ') ||
		    fail "more than $name changed"
	done <<<"$settings"
}

@test "every setting given again says nothing new" {
	even >in
	try -q "${fixed[@]}" --save-state s in
	try -q --load-state s in
	cp out want
	try -q "${fixed[@]}" --load-state s in
	check_status 0
	check_same out want
}

@test "a state holds each setting that decides ids, and no other" {
	even >in
	try -q "${fixed[@]}" --save-state s -d f32 -n 9 --eos 3 in
	[[ $(sed -n 's/^setting \([^ ]*\).*/\1/p' s | paste -sd ' ') == \
'vocab dtype row-base policy seed stream temp greedy top-k top-p min-p repeat-last-n repeat-penalty '\
'frequency-penalty presence-penalty logit-bias logit-bias min-keep samplers '\
'draws dead-end' ]] || fail "$(<s)"
	try -V 4 --policy strict --save-state s in
	[[ $(sed -n 's/^setting //p' s | paste -sd,) == \
	    'vocab 4,dtype f32,row-base 1,policy strict,seed 0,stream run,temp 1,greedy no,draws 1,dead-end error' ]] ||
	    fail "$(<s)"
}

@test "what a value is counts, not how it is written" {
	even >in
	printf '2-inf\n1+5e-1\n' >biases
	try -q "${fixed[@]}" --save-state s in
	try -q --load-state s --temp 9e-1 --top-k +2 --top-p .80000001 \
	    -l @biases --samplers 'penalties;top-k;min-p' in
	check_status 0
}

@test "biases out of a file are in the state" {
	even >in
	printf '0-inf\n1-inf\n3-inf\n' >biases
	draws '2 2 2 2 2 2 2 2' -V 4 -l @biases --save-state s in
	rm biases
	draws '2 2 2 2 2 2 2 2' --load-state s in
}

@test "--no-defaults goes on as what it means" {
	even >in
	try -V 4 --no-defaults --save-state s in
	grep -qx 'setting top-k 0' s
	try --load-state s in
	cp out want
	try --load-state s --no-defaults in
	check_status 0
	check_same out want
	try -V 4 --save-state s in
	refuses '--top-k: 0 here, 64 in s: *' --load-state s --no-defaults in
}

@test "--no-defaults is for the settings that the policy has" {
	begin --no-defaults
	forge s 'setting draws' 'setting typical'
	breaks '' 's: line 20: typical: the policy has no such setting' \
	    --load-state s --no-defaults rest
}

@test "--temp 0 is greedy for as long as it is 0" {
	even >in
	draws '0 0 0 0 0 0 0 0' -V 4 --temp 0 --save-state s in
	draws '0 0 0 0 0 0 0 0' --load-state s in
	draws "$even_ids" --load-state s --force-settings --temp 1 in
}

@test "the bans of --ignore-eos are in the state" {
	even >in
	options=(-l 0-inf --eos 1 --eos 2 --ignore-eos)
	draws '3 3 3 3 3 3 3 3' -V 4 "${options[@]}" --save-state s in
	draws '3 3 3 3 3 3 3 3' --load-state s in
	draws '3 3 3 3 3 3 3 3' --load-state s "${options[@]}" in
	refuses '--logit-bias: 1-inf here, 0-inf,1-inf,2-inf in s: *' \
	    --load-state s --ignore-eos --eos 1 in
}

@test "--sampler-seq is --samplers" {
	even >in
	try -V 4 --policy llama.cpp --sampler-seq kt --save-state s in
	check_status 0
	grep -qx 'setting samplers top_k;temperature' s
	try --load-state s in
	cp out want
	for option in '--sampler-seq=kt' '--samplers=top_k;temperature'; do
		try --load-state s "$option" in
		check_status 0
		check_same out want
	done
	refuses '--samplers: temperature here, top_k;temperature in s: *' \
	    --load-state s --sampler-seq t in
}

@test "the breakers that the pieces told are in the state" {
	even >in
	printf '%s\n' 'a' ':' 'b\n' '"' >pieces
	options=(--pieces pieces --dry-multiplier 1)
	try -V 4 --policy llama.cpp "${options[@]}" --save-state s in
	check_status 0
	[[ $(sed -n 's/^setting dry-breaker //p' s | sort | paste -sd ' ') == \
	    '1 2 3' ]] || fail "$(grep -a dry s)"
	try --load-state s in
	check_status 0
	cp out want
	try --load-state s "${options[@]}" in
	check_status 0
	check_same out want
	try --load-state s --dry-sequence-breaker '\n' \
	    --dry-sequence-breaker ':' --dry-sequence-breaker '"' \
	    "${options[@]}" in
	check_status 0
	refuses '--dry-breaker: 1 here, * in s: *' --load-state s \
	    --dry-sequence-breaker ':' "${options[@]}" in
	refuses '--dry-breaker: none here, * in s: *' --load-state s \
	    --dry-sequence-breaker none "${options[@]}" in
}

@test "dry looks back as far as in the first run, whatever the context" {
	even >in
	options=(--dry-multiplier 1 --dry-penalty-last-n -1)
	try -V 4 --policy llama.cpp "${options[@]}" -c 20 --save-state s in
	check_status 0
	grep -qx 'setting dry-penalty-last-n 20' s
	try --load-state s -c 30 in
	check_status 0
	refuses '--dry-penalty-last-n: 30 here, 20 in s: *' \
	    --load-state s "${options[@]}" -c 30 in
}

@test "the end of a long list is left out of the message" {
	even >in
	try -q -V 4 --save-state s in
	bans=()
	for ((i = 0; i < 40; i++)); do bans+=(-l 1-inf); done
	refuses '--logit-bias: 1-inf,1-inf,*... here, none in s: *' \
	    --load-state s "${bans[@]}" in
}

# --- What goes with a state ------------------------------------------------

@test "a prompt is refused: it is part of the state" {
	begin
	refuses '--prompt: the prompt is part of *' --load-state s --prompt 1 \
	    rest
}

@test "--force-settings wants a state" {
	refuses '--force-settings: *there is no --load-state' -V 4 \
	    --force-settings </dev/null
}

@test "a state is a file with a name" {
	refuses '--save-state: -: *' -V 4 --save-state - </dev/null
	refuses '*standard input is for rows*' --load-state - </dev/null
}

@test "what draws nothing saves nothing" {
	refuses '--save-state: --inspect draws nothing*' -V 4 --inspect \
	    -o jsonl --save-state s </dev/null
}

@test "a model cannot be told of a conversation that is not there" {
	begin
	refuses '--exec: a state does not hold the whole conversation*' \
	    --load-state s --exec cat
}

@test "--rng-state against that of the state is refused unless forced" {
	begin
	state=$(sed -n 's/^sampler rng pcg-dxsm //p' s)
	draws '2 2 1 0 2' --load-state s --rng-state "${state^^}" rest
	refuses "--rng-state: 12 here, $state in s: *" --load-state s \
	    --rng-state 12 rest
	other=0000000000000000${state:16}
	refuses "--rng-state: $other here, $state in s: *" --load-state s \
	    --rng-state "$other" rest
	try --load-state s --rng-state "$other" --force-settings rest
	check_status 0
	cp out want
	try -V 4 --rng-state "$other" rest
	check_same out want
}

@test "another seed, forced, starts the random numbers anew" {
	begin
	tokpick -V 4 -s 7 --save-state t first >ignored
	refuses '--seed: 0 here, 7 in t: *' --load-state t -s 0 rest
	draws '2 3 1 2 2' --load-state t -s 0 --force-settings rest
	# The same seed says nothing new.
	draws '2 2 1 0 2' --load-state s -s 0 --force-settings rest
}

@test "another policy, forced, draws with its own generator" {
	begin
	try --load-state s --policy strict --force-settings --top-k 4 rest
	check_status 0
	cp out want
	try -V 4 --policy strict --top-k 4 rest
	check_same out want
	try -v --load-state s --policy strict --force-settings --top-k 4 rest
	check_says '--policy: strict from here on; it was golem'
	check_says '--top-k: 4 from here on; it was 64'
}

@test "another policy, forced, rounds the state's numbers as it does its own" {
	even >rest
	try -V 4 --policy strict --temp 1.23456789012345 --save-state s rest
	grep -qx 'setting temp 1.23456789012345' s
	try --load-state s --policy golem --force-settings --save-state t rest
	check_status 0
	check_silence
	grep -qx 'setting temp 1.2345679' t
}

@test "the window can be made smaller, and larger as far as ids are known" {
	even >in
	try -q -V 4 --repeat-last-n 5 --save-state s in
	tail -n 3 out | paste -sd ' ' >last
	try -q --load-state s --repeat-last-n 3 --force-settings \
	    --save-state t </dev/null
	[[ $(sed -n 's/^ids //p' t) == "$(<last)" ]] || fail "$(<t)"
	try -q --load-state s --repeat-last-n -1 --force-settings \
	    --save-state t </dev/null
	grep -q '^window counts' t
	refuses '--repeat-last-n: 5: t counts the ids of the whole *' \
	    --load-state t --repeat-last-n 5 --force-settings in
	try -q --load-state t --repeat-last-n 0 --force-settings \
	    --save-state t </dev/null
	check_status 0
	grep -qx 'window ids 0' t
}

@test "ids that the vocabulary has no more are not counted" {
	even >in
	try -V 4 --repeat-last-n -1 --repeat-penalty 2 --save-state s in
	grep -q '^counts .*3:1$' s
	rows '0 0 0' >in
	try -q --load-state s -V 3 --force-settings --save-state t in
	check_status 0
	grep -q '^counts 0:[0-9]* 1:[0-9]* 2:[0-9]*$' t || fail "$(<t)"
}

# --- Damage ----------------------------------------------------------------

@test "a file that is no state is refused" {
	begin
	breaks '' 'first: line 1: no state of tokpick: *' --load-state first \
	    rest
	breaks '' 'nowhere: *' --load-state nowhere rest
	: >empty
	breaks '' 'empty: line 1: no state of tokpick: *' --load-state empty rest
	mkdir d
	breaks '' 'd: *' --load-state d rest
}

@test "a state of another format is refused" {
	begin
	forge s 'tokpick state 1' 'tokpick state 2'
	breaks '' "s: line 1: a state in format '2': this tokpick reads \
format 1" --load-state s rest
}

@test "a damaged state is refused" {
	begin
	sed 's/^rows 3/rows 4/' s >changed
	breaks '' "changed: line 28: the checksum of the lines is *" \
	    --load-state changed rest
	head -n 20 s >short
	breaks '' "short: line 21: the file is cut off*" --load-state short rest
}

@test "settings that tokpick would not write are refused by their line" {
	begin
	cp s good
	while IFS='|' read -r old new message; do
		cp good s
		forge s "$old" "$new"
		breaks '' "s: line $message" --load-state s rest
	done <<-'END'
	setting seed|setting sead|7: sead: no setting that this tokpick knows
	setting draws|setting eos|20: eos: no setting that this tokpick knows
	setting draws 1|setting draws 1\nsetting draws 1|21: draws: for the second time
	setting draws 1|setting policy golem|20: policy: for the second time
	setting policy golem|setting policy gopher|6: policy: --policy: 'gopher' is none of *
	setting policy golem|setting policy strict|12: top-p: the policy has no such setting
	setting draws|setting typical|20: typical: the policy has no such setting
	setting top-p 0.95|setting top-p abc|12: top-p: --top-p: 'abc' is not a number
	setting top-p 0.95|setting top-p 0.950|12: top-p is '0.950', which would be written '0.95': the file was changed
	setting top-k 64|setting top-k |11: top-k: --top-k: '' is not a whole number
	setting temp 1|setting temp x|9: temp: 'x' is not a number
	setting temp 1|setting temp 1,2|9: temp: 1,2: several are for --inspect
	setting greedy no|setting greedy maybe|10: greedy is 'maybe', which would be written 'yes': the file was changed
	setting seed 0|setting seed random|7: seed: a state names a number
	setting draws 1|setting draws 1\nsetting logit-bias @first|21: logit-bias: a state names no other file
	setting draws 1|setting draws 1\nsetting logit-bias 1*2|21: logit-bias: '1*2' is no bias*
	setting samplers penalties;|setting samplers pennants;|19: samplers: 'pennants' is no stage*
	sampler rng pcg-dxsm|sampler rng mt19937|22: sampler rng: 'mt19937 * is no state of pcg-dxsm, *
	sampler rng|sampler coin x\nsampler rng|22: a sampler with these settings has no 'coin'
	END
	cp good s
	forge s 'setting policy golem\n' ''
	breaks '' "s: there is no line 'setting policy'" --load-state s rest
	cp good s
	forge s 'sampler rng' 'sampler dry'
	for more in '' '--rng-state 00000000000000000000000000000000'; do
		# shellcheck disable=SC2086 # words
		breaks '' "s: there is no line 'sampler rng'" --load-state s \
		    $more rest
	done
}

@test "a setting that the state is too old to have is the default" {
	begin
	forge s 'setting min-keep 0\n' ''
	draws '2 2 1 0 2' --load-state s rest
	draws '2 2 1 0 2' --load-state s --min-keep 0 --force-settings rest
}

# --- Files -----------------------------------------------------------------

@test "a state that grows too large for its file leaves the old one" {
	[[ -z ${TOKPICK_RECORDS-} ]] || skip 'what records writes more than that'
	mkdir d
	even | head -c 16 >in
	tokpick -V 4 --save-state d/s in >ignored
	cp d/s old
	seq 0 999 >prompt
	run_small()
	{
		ulimit -f 2
		try -V 4 --repeat-last-n 5000 --prompt @prompt "$@" in
	}
	(
		run_small --save-state d/s
		check_status 1
		check_message 'd/s: File too large' && check_ids 2
	)
	check_same d/s old
	check_folder d s
	(
		run_small --save-state d/new
		check_status 1
	)
	check_folder d s
}

@test "where a state cannot be written is told before a row is read" {
	mkdir d
	mkfifo fifo
	even >in
	for place in nowhere/s d d/ nowhere/ '' in/s fifo /dev/null; do
		breaks '' '*' -V 4 --save-state "$place" in
	done
	breaks '' '/dev/null is no regular file: it would be replaced by one' \
	    -V 4 --save-state /dev/null in
	breaks '' 'nowhere/s: the folder nowhere: No such file*' \
	    -V 4 --save-state nowhere/s in
	[[ -c /dev/null ]]
	check_folder d ''
}

@test "a folder that takes no new files is told before a row is read" {
	[[ -z ${TOKPICK_RECORDS-} ]] || skip 'what records writes into others'
	mkdir d
	even >in
	as=()
	if [[ $(id -u) == 0 ]]; then # to whom every folder is open
		as=(setpriv --reuid=65534 --clear-groups)
		chmod 777 . || return
		"${as[@]}" cat in >ignored 2>&1 && "${as[@]}" "$TOKPICK" \
		    --version >said 2>&1 && (($(wc -l <said) == 1)) ||
		    skip 'nobody else may run tokpick here, or record it'
	fi
	chmod 555 d
	status=0
	# shellcheck disable=SC2086 # the emulator is words
	"${as[@]}" $TOKPICK_EMULATOR "$TOKPICK" -V 4 --save-state d/s in \
	    >out 2>err || status=$?
	check_status 1
	check_message 'd/s: the folder d: Permission denied'
	check_ids ''
}

@test "through a symbolic link the file it leads to is replaced" {
	begin
	mkdir d
	mv s d/s
	ln -s d/s s
	draws '2 2 1 0 2' --load-state s --save-state s rest
	[[ -L s ]]
	grep -qx 'tokens 8' d/s
	check_folder d s
	ln -s nowhere t
	breaks '' 't is a symbolic link that leads nowhere' -V 4 \
	    --save-state t rest
}

@test "a state is for its owner to read" {
	begin
	[[ $(stat -c %a s) == 600 ]]
}
