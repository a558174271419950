#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --summary: what was done, as a JSON object.

load helper

stops()
{
	local reason=$1
	shift
	try -V 4 --summary summary "$@"
	check_json summary "stop=\"$reason\""
}

@test "--summary FILE is one JSON object, and nothing else changes" {
	even >in
	draws "$even_ids" -V 4 --summary summary in
	check_json summary
	python3 -m json.tool summary >/dev/null
}

@test "it counts rows, tokens and the prompt" {
	even >in
	draws '2 3 1' -V 4 -n 3 --prompt 1,3 --summary summary in
	check_json summary rows=3 tokens=3 prompt=2 vocab=4
	draws "$even_ids" -V 4 --summary summary in
	check_json summary rows=8 tokens=8 prompt=0 vocab=4
	draws '' -V 4 --summary summary </dev/null
	check_json summary rows=0 tokens=0
}

@test "it tells why the run stopped" {
	even >in
	stops end-of-input in
	stops token-limit -n 3 in
	stops token-limit -n 0 in
	stops eos --eos 1 in
	stops context-limit -c 3 in
	stops error < <(rows '0 0')
}

@test "it has the error's text, and counts what was done before it" {
	even >in
	rows '0 0 0 nan' >>in
	try -V 4 --summary summary in
	check_status 1
	check_message 'row 9: *'
	message=$(sed 's/^tokpick: //' err)
	check_json summary 'stop="error"' "error=\"$message\"" tokens=8
}

@test "without an error it has none" {
	draws "$even_ids" -V 4 --summary summary < <(even)
	[[ $(<summary) != *'"error"'* ]]
}

@test "it has the seed, to the last of its 64 bits" {
	try -V 4 -s 18446744073709551615 --summary summary </dev/null
	check_json summary seed=18446744073709551615
	try -V 4 --summary summary </dev/null
	check_json summary seed=0
}

@test "it has the generator and its state" {
	even >in
	try -V 4 -s 1 -n 0 --summary summary in
	# The seed, and it xor 0x9e3779b97f4a7c15.
	check_json summary 'generator="pcg-dxsm"' \
	    'rng_state="00000000000000019e3779b97f4a7c14"'
	try -V 4 -s 1 -n 2 --summary two in
	try -V 4 -s 1 --greedy --summary greedy in
	check_json greedy 'rng_state="00000000000000019e3779b97f4a7c14"'
	! grep -q 00000000000000019e3779b97f4a7c14 two
}

@test "it has the settings, the defaults" {
	samplers='["penalties","top_k","top_p","min_p","temperature"]'
	try -V 4 --summary summary </dev/null
	check_json summary 'settings.policy="golem"' settings.greedy=false \
	    settings.temp=1 settings.top_k=64 settings.top_p=0.95 \
	    settings.min_p=0.05 settings.min_keep=0 \
	    settings.repeat_last_n=64 settings.repeat_penalty=1 \
	    settings.frequency_penalty=0 settings.presence_penalty=0 \
	    settings.samplers="$samplers" \
	    settings.logit_bias=[]
}

@test "it has the settings, as given" {
	samplers='["temperature","penalties","top_k","top_p","min_p"]'
	try -V 4 --summary summary --greedy --temp 0.7 --top-k -3 --top-p 0.8 \
	    --min-p 0.1 --min-keep 5 --repeat-last-n -1 --repeat-penalty 1.1 \
	    --frequency-penalty -0.5 --presence-penalty 1e-3 \
	    --samplers 'temp;penalties;top-k;nucleus;min-p' \
	    -l 2-inf -l 1+0.3 -l 1-2 </dev/null
	check_json summary settings.greedy=true settings.temp=0.7 \
	    settings.top_k=-3 settings.top_p=0.8 settings.min_p=0.1 \
	    settings.min_keep=5 settings.repeat_last_n=-1 \
	    settings.repeat_penalty=1.1 settings.frequency_penalty=-0.5 \
	    settings.presence_penalty=0.001 \
	    settings.samplers="$samplers" \
	    'settings.logit_bias=[[1,0.3],[1,-2],[2,"-inf"]]'
}

@test "it has the settings that --no-defaults leaves" {
	try -V 4 --no-defaults --summary summary </dev/null
	check_json summary settings.temp=1 settings.top_k=0 settings.top_p=1 \
	    settings.min_p=0 settings.repeat_penalty=1 settings.greedy=false
}

@test "--summary - is standard error, after all else" {
	even >in
	try -V 4 --summary - in
	check_status 0
	check_ids "$even_ids"
	check_json err rows=8
	try -q -V 4 --summary - in
	check_json err rows=8
}

@test "it is written anew, over what was in the file" {
	seq 10000 >summary
	try -V 4 --summary summary </dev/null
	check_json summary rows=0
}

@test "a file name that is no UTF-8, and has quotes, makes no bad JSON" {
	name=$'a\xff"\\\n\x1b'
	rows '0 0' >"$name"
	try -V 4 --summary summary "$name"
	check_status 1
	check_json summary 'stop="error"'
}

@test "a summary that can't be opened fails before anything is read" {
	even >in
	breaks '' '--summary: missing/summary: *' \
	    -V 4 --summary missing/summary in
	breaks '' '--summary: .: *directory*' -V 4 --summary . in
}

@test "a summary that can't be written fails, after the ids" {
	[[ -c /dev/full ]] || skip 'no /dev/full here'
	even >in
	breaks "$even_ids" '*/dev/full: *space*' -V 4 --summary /dev/full in
	# More than is kept before it is written.
	yes 1+0 | head -n 20000 >biases
	breaks "$even_ids" '*/dev/full: *space*' \
	    -V 4 --logit-bias @biases --summary /dev/full in
	status=0
	tokpick -V 4 --summary - in >out 2>/dev/full || status=$?
	check_status 1
	check_ids "$even_ids"
}

@test "where the run fails too, that is what the message says" {
	[[ -c /dev/full ]] || skip 'no /dev/full here'
	breaks '' 'row 1: *' -V 4 --summary /dev/full < <(rows '0 0 0 nan')
}

@test "a wrong command line leaves no summary" {
	try -V 4 --summary summary --top-k x
	check_status 2
	[[ ! -e summary ]]
}
