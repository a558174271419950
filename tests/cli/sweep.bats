#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --sweep and --grid: each setting draws what a run with it draws.

load helper

recording()
{
	zstd -dcq "$data/story-1.f32.zst" >in
}

# check_columns OPTION...: each column is what its line of the file `settings`
# draws by itself.
check_columns()
{
	local column=0 line
	tokpick -V 512 "$@" --sweep settings in >out
	while read -r line; do
		column=$((column + 1))
		# shellcheck disable=SC2086 # words
		tokpick -V 512 "$@" $line in >want
		cut -d' ' -f$column out | cmp - want
	done < <(grep -v '^ *#\|^ *$' settings)
	[ $column -gt 3 ]
}

@test "each column is what its setting draws alone" {
	recording
	cat >settings <<-'END'
	--temp 0.7
	# not this
	--temp 0.7 --top-p 0.5 -s 9

	--top-k 3 --repeat-penalty 1.3 --repeat-last-n -1
	   --no-defaults
	--greedy
	--top-k 0 --min-p 0.2 -l 383-inf -l 5+2
	--top-k 300 --frequency-penalty 0.5
	--stream row -s 4
	END
	check_columns -s 7 --prompt 9,9
	check_columns -s 7 --logit-bias 10+4 --temp 2
}

@test "settings may be of several policies" {
	recording
	cat >settings <<-'END'
	--policy llama.cpp
	--policy golem --temp 2
	--policy llama.cpp-2026-05 --mirostat 2
	--policy llama.cpp --xtc-probability 0.5 --dry-multiplier 1
	END
	check_columns -s 3
}

@test "each stops at texts, the usual ones or its own, as a run alone does" {
	recording
	cat >settings <<-'END'
	--dry-sequence-breaker e
	--dry-sequence-breaker none
	--dry-sequence-breaker th
	--temp 0.5
	END
	check_columns --policy llama.cpp --dry-multiplier 2 \
	    --dry-allowed-length 0 --pieces "$data/story.pieces.txt"
	check_columns --policy llama.cpp --dry-multiplier 2 \
	    --dry-sequence-breaker e --pieces "$data/story.pieces.txt"
	refuses '*dry-sequence-breaker: a text needs --pieces*' \
	    -V 512 --policy llama.cpp --dry-multiplier 2 --sweep settings in
}

@test "a mask is for all settings" {
	recording
	refuses '*--mask is for the whole run, not for one setting of it' \
	    -V 512 --grid mask=in in
}

@test "the textbook sweeps, too" {
	recording
	printf '%s\n' '--temp 0.5' '--temp 2' '--top-k 9' '--seed 4' >settings
	check_columns --policy strict
}

@test "inside a grammar and under a mask each goes its own way" {
	recording
	printf '%s\n' '--temp 0.5' '--temp 2' '--top-k 9' '--seed 4' >settings
	check_columns --pieces "$data/story.pieces.txt" \
	    --grammar 'root ::= [a-zA-Z ,.]+' --top-p 1
	# Of the few best that are known once for all not enough may be allowed.
	printf '%s\n' '--top-k 9' '--top-k 2' --greedy '--top-k 5 -s 4' >settings
	check_columns --pieces "$data/story.pieces.txt" \
	    --grammar 'root ::= [a-z ]+' --top-p 1 --min-p 0 --temp 9
	python -c '
import sys
sys.stdout.buffer.write((b"\xf5" * 64) * 256)' >mask
	check_columns --mask mask
}

@test "a grid is every combination, the last option changing fastest" {
	recording
	tokpick -V 512 --grid 'temp=0.5,2;seed=3:5' in >out
	for temp in 0.5 2; do
		for seed in 3 4 5; do
			echo "--temp $temp --seed $seed"
		done
	done >settings
	tokpick -V 512 --sweep settings in >want
	cmp out want
	[ "$(head -n 1 out | wc -w)" -eq 6 ]
}

@test "a setting that has stopped leaves a mark" {
	rows -n 3 '9 8.9 0' >in
	printf '%s\n' '--greedy' '--greedy -l 1+1' >settings
	try -V 3 --eos 1 --sweep settings in
	[ "$status" -eq 0 ]
	[ "$(paste -sd, out)" = '0 1,0 -,0 -' ]
	tokpick -V 3 --eos 1 --sweep settings in -o jsonl >out
	[ "$(grep -o '"row":[0-9],"setting":[0-9]' out | paste -sd' ')" = \
	    '"row":1,"setting":1 "row":1,"setting":2 "row":2,"setting":1 "row":3,"setting":1' ]
}

@test "sequences and settings go together" {
	recording
	tokpick -V 512 --grid 'seed=1:4' --sequence-rows 128 in >out
	for seed in 1 2 3 4; do
		tail -c +$((128 * 2048 + 1)) in | tokpick -V 512 -s $seed >want
		sed -n 's/^1 //p' out | cut -d' ' -f$seed | cmp - want
	done
}

@test "the summary's figures are those of the traces" {
	recording
	printf '%s\n' '--temp 0.5' '--temp 2 -s 3' '--top-k 5' '--greedy' >settings
	try -V 512 --sweep settings --expect "$data/story-1.ids" \
	    --sweep-summary in
	[ "$status" -eq 0 ]
	cp out table
	tokpick -V 512 --sweep settings -o jsonl in >traces
	python - "$data/story-1.ids" <<-'END'
	import json, sys
	ids = [int(word) for word in open(sys.argv[1]).read().split()]
	heading, *lines = open("table").read().splitlines()
	rows = [json.loads(line) for line in open("traces")]
	columns = heading.split("\t")
	settings = open("settings").read().splitlines()
	assert len(lines) == len(settings) == 4
	for number, line in enumerate(lines, 1):
	    of = [r for r in rows if r["setting"] == number]
	    n = len(of)
	    got = dict(zip(columns, line.split("\t")))
	    def near(name, value, digits):
	        assert abs(float(got[name]) - value) < 2 * 10 ** -digits, (name, value)
	    assert got["setting"] == str(number) and got["rows"] == str(n)
	    assert got["options"] == settings[number - 1]
	    assert got["distinct"] == str(len({r["id"] for r in of}))
	    near("agreement", sum(r["id"] == ids[r["row"] - 1] for r in of) / n, 6)
	    near("entropy", sum(r["entropy"] for r in of) / n, 6)
	    near("logprob", sum(r["logprob"] for r in of) / n, 6)
	    near("kept", sum(min(r["kept"].values()) for r in of) / n, 3)
	END
}

@test "a mistake is told by its line" {
	rows '1 2' >in
	printf -- '--temp 1\n\n--temp x\n' >settings
	try -V 2 --sweep settings in
	[ "$status" -eq 2 ]
	grep -q "^tokpick: settings: line 3: --temp: 'x' is not a number" err
	for line in '--output text' 'in' '--draws 2' '--policy strict' \
	    '--seed random' '--pieces in' '--tmep 1' '-s' \
	    '--rng-state 00000000000000000000000000000000'; do
		echo "$line" >settings
		try -V 2 --sweep settings in
		[ "$status" -eq 2 ]
		grep -q '^tokpick: settings: line 1: ' err
	done
	try -V 2 --grid seed=1:2 --sweep-summary missing
	[ "$status" -eq 1 ]
	[ ! -s out ]
	: >settings
	try -V 2 --sweep settings in
	[ "$status" -eq 2 ]
	try -V 2 --sweep missing in
	[ "$status" -eq 1 ]
	printf -- '--temp 1\n\0\n--temp x\n' >settings
	try -V 2 --sweep settings in
	[ "$status" -eq 1 ]
	grep -q '^tokpick: settings: .* NUL byte at 9' err
}

@test "a line has 256 words, and no more" {
	rows '1 2' >in
	printf -- '-l 0+1 %.0s' {1..128} >settings
	draws 0 -V 2 --greedy --sweep settings in
	printf ' --greedy' >>settings
	refuses 'settings: line 1: more than 256 words' -V 2 --sweep settings in
}

@test "a file has so many lines, and no more" {
	rows '1 2' >in
	head -c 1048575 /dev/zero | tr '\0' '\n' >settings
	printf -- --greedy >>settings
	draws 1 -V 2 --sweep settings in
	echo >>settings
	refuses 'settings: more than 1048576 settings' -V 2 --sweep settings in
}

@test "a grid that is none is refused" {
	rows '1 2' >in
	many=$(printf 'temp=1;%.0s' {1..16})
	for grid in '' temp temp= =1 'temp=1;' 'seed=5:1' 'seed=1:9999999999' \
	    'seed=1:2000;temp=1:2000' 'temp=1,x' 'what=1' 'seed=:1' 'seed=1:' \
	    'seed=1:00000000000000000000000002' "${many}temp=1" \
	    'seed=00000000000000000000000001:2'; do
		try -V 2 --grid "$grid" in
		[ "$status" -eq 2 ]
		grep -q '^tokpick: --grid: ' err
	done
	try -V 2 --grid "${many%;}" in
	[ "$status" -eq 0 ]
}

@test "a grid that would not fit into memory is refused" {
	rows '1 2' >in
	long=$(head -c 100000 /dev/zero | tr '\0' 1)
	refuses '--grid: its settings take more than *' \
	    -V 2 --grid "temp=$long;seed=1:3000" in
}

@test "a model is read once for all settings, and has its say in each" {
	python "$here/gguf.py" 'tokens:string[]=a b c d' eos:u32=3 \
	    sampling.top_k:u32=1 >m
	rows '1 0 0 2' '2 1 0 1' '0 0 0 9' >in
	printf '%s\n' '--temp 0.5' '--temp 2 -l 3-9' >settings
	for from in m -; do
		try --gguf $from --sweep settings in <m
		check_status 0
		check_silence
		check_out '3 0\n- 0\n- 0\n'
	done
}

@test "an option without effect is told of once" {
	rows '1 2' >in
	try -V 2 --grid seed=1:9 --dead-end stop in
	check_status 0
	check_message '--dead-end has no effect*'
}

@test "a summary of no rows has none, and no means" {
	try -V 2 --grid 'seed=1,2' --sweep-summary /dev/null
	check_status 0
	[ "$(cut -f1,2,4,5,7,8 out | tail -n 2 | paste -sd, | tr '\t' ' ')" = \
	    '1 0 0.000000 0.000 0.000000 --seed 1,2 0 0.000000 0.000 0.000000 --seed 2' ]
}

@test "what belongs to one conversation is refused" {
	rows '1 2' >in
	for more in '--save-state s' '--inspect' '-o table' '--draws 2' \
	    '--summary s' '--sweep settings'; do
		# shellcheck disable=SC2086 # words
		try -V 2 --grid seed=1:2 $more in
		[ "$status" -eq 2 ]
	done
	try -V 2 --sweep-summary in
	[ "$status" -eq 2 ]
}

@test "a summary of settings that can't be written is an error" {
	[[ -c /dev/full ]] || skip 'no /dev/full here'
	rows '1 2' >in
	status=0
	# More than is kept before it is written.
	tokpick -V 2 --grid seed=1:2000 --sweep-summary in \
	    >/dev/full 2>err || status=$?
	[ "$status" -eq 1 ]
	check_message 'standard output: *space*'
}

@test "a bad row ends it, after the lines before" {
	rows '1 2' 'nan 2' >in
	try -V 2 --greedy --grid seed=1:3 in
	[ "$status" -eq 1 ]
	[ "$(cat out)" = '1 1 1' ]
	grep -q 'row 2: logit of token 0 is NaN' err
}
