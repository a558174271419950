#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --gguf: a model file gives the vocabulary, pieces, ends and settings.

load helper

# model WORD...: write a file; see gguf.py.
model()
{
	# shellcheck disable=SC2154 # the helper's
	python "$here/gguf.py" "$@"
}

# Five tokens, the last of which ends a text.
small=(model:string=llama 'tokens:string[]=<unk> \u2581a \u2581b <0x0A> </s>'
    'types:i32[]=2 1 1 6 3')

# pick ID...: rows of five whose highest logit is that id's.
pick()
{
	local id row words=()
	for id; do
		row=(0 0 0 0 0)
		row[id]=9
		words+=("${row[*]}")
	done
	rows "${words[@]}"
}

# --- The vocabulary --------------------------------------------------------

@test "the model tells how long a row is" {
	model "${small[@]}" >m
	pick 1 2 3 >in
	draws '1 2 3' --gguf m --greedy in
}

@test "rows wider than the vocabulary are drawn from up to it" {
	model "${small[@]}" >m
	rows '1 2 3 4 0 9 9' '9 0 0 0 0 nan inf' >in
	for policy in golem strict llama.cpp; do
		draws '3 0' --policy $policy --gguf m -V 7 --greedy in
	done
	try --gguf m -V 7 --greedy -v in
	check_says 'm: 5 tokens: ids 5 to 6 are never drawn'
	try --gguf m -V 7 -o jsonl --top 9 --top-k 0 --summary s in
	check_status 0
	python - <<-'END' || fail 'ids past the limit are seen'
		import json
		for line in open("out"):
		    ids = [c["id"] for c in json.loads(line)["candidates"]]
		    assert sorted(ids) == [0, 1, 2, 3, 4], ids
	END
	check_json s vocab=7 limit_ids=5
}

@test "rows narrower than the vocabulary are as -V says" {
	model "${small[@]}" >m
	rows '1 2' '2 1' >in
	draws '1 0' --gguf m -V 2 --greedy in
	try --gguf m -V 2 --greedy -v in
	check_says 'm: 5 tokens, of which rows have the first 2'
	# The end that such rows can't have is none.
	for policy in golem strict llama.cpp; do
		try --policy $policy --gguf m -V 2 in
		check_status 0
	done
	draws '1 0' --gguf m -V 2 --greedy --ignore-eos in
}

@test "--limit-ids is such a limit, without a model" {
	rows '0 0 0 0 9 nan' '0 1 0 0 9 inf' >in
	for policy in golem strict llama.cpp; do
		draws '0 1' --policy $policy -V 6 --limit-ids 4 --greedy in
	done
	breaks '' 'row 1: logit of token 5 is NaN*' -V 6 --limit-ids 6 in
	breaks '' 'row 1: logit of token 5 is NaN*' -V 6 --limit-ids 7 in
	refuses '--limit-ids: 0 is out of range: 1 to 2147483647' -V 6 \
	    --limit-ids 0 in
	refuses 'the logit bias of token 4 *0 to 3' -V 6 --limit-ids 4 \
	    -l 4+1 in
}

@test "ids past the limit don't count in any sum" {
	rows -n 8 '0 0 0 0' >narrow
	rows -n 8 '0 0 0 0 5 5 5 5 5' >wide
	for policy in golem strict llama.cpp; do
		try --policy $policy --temp 1 -V 4 -o jsonl --top 4 narrow
		check_status 0
		cp out expected
		try --policy $policy --temp 1 -V 9 --limit-ids 4 -o jsonl \
		    --top 4 wide
		check_status 0
		check_same expected out
	done
}

@test "the smaller of two limits holds" {
	model "${small[@]}" >m
	rows '0 1 2 3 4 5 6' >in
	draws 2 --gguf m -V 7 --limit-ids 3 --greedy in
	draws 4 --gguf m -V 7 --limit-ids 6 --greedy --eos 6 in
	draws 2 --gguf m -V 7 --limit-ids 3 -o ids --greedy in
}

@test "masks are as wide as the rows, whatever the limit" {
	model "${small[@]}" >m
	rows -n 2 '5 4 3 2 1 0*30' >in
	printf '\x0a\0\0\0\0\0\0\0\x08\0\0\0\0\0\0\0' >mask
	draws '1 3' --gguf m -V 35 --mask mask --greedy in
	printf '\0\0\0\0\x01\0\0\0' >mask
	breaks '' 'row 1: *mask*' --gguf m -V 35 --mask mask --greedy in
}

@test "a model without tokens leaves the length open" {
	model general.name:string=empty eos:u32=3 >m
	even >in
	refuses '--gguf: m has no tokenizer.ggml.tokens: give --vocab N' \
	    --gguf m in
	refuses '--output text: m has no tokenizer.ggml.tokens: *--pieces FILE' \
	    --gguf m -V 4 -o text in
	draws '2 3' --gguf m -V 4 in
	try --gguf m --show-model
	check_status 0
	grep -q '^tokens *0$' out
}

# --- Pieces ----------------------------------------------------------------

@test "text is the pieces' bytes, and control tokens print nothing" {
	model "${small[@]}" >m
	pick 0 1 3 2 4 >in
	try --gguf m --greedy -o text --eos 9 in
	check_status 0
	check_silence
	check_out '<unk> a\n b'
}

@test "a control token's piece is its text in traces" {
	model "${small[@]}" >m
	pick 4 >in
	try --gguf m --greedy -o jsonl in
	check_status 0
	check_json out id=4 'piece="</s>"'
	try --gguf m --greedy -o table in
	grep -q '"</s>"' out
}

@test "byte BPE is undone" {
	model model:string=gpt2 \
	    'tokens:string[]=a \u0120b \u010a \u00e2\u0124\u00ac <|end|>' \
	    'types:i32[]=1 1 1 1 3' >m
	pick 0 1 2 3 >in
	try --gguf m --greedy -o text in
	check_status 0
	check_out 'a b\n\xe2\x82\xac'
}

@test "--pieces goes before the model's" {
	model "${small[@]}" >m
	printf '%s\n' A B C D E >pieces
	pick 1 4 >in
	try --gguf m --pieces pieces --greedy -o text in
	check_status 0
	check_out 'BE'
}

@test "a model without tokens has no pieces" {
	model model:string=llama >m
	pick 1 >in
	refuses '--output text: m has no tokenizer.ggml.tokens: *' \
	    --gguf m -V 5 -o text in
	refuses 'a grammar: m has no tokenizer.ggml.tokens: *' \
	    --gguf m -V 5 --grammar 'root ::= "a"' in
	draws 1 --gguf m -V 5 --greedy in
}

@test "a tokenizer that is not known is told of" {
	model model:string=odd 'tokens:string[]=\u2581a b' >m
	rows '9 0' >in
	try --gguf m --greedy -o text -v in
	check_status 0
	check_out '▁a'
	check_says "tokenizer 'odd' is not known: *"
	try --gguf m --greedy -o text in
	check_silence
}

@test "sequence breakers find the model's pieces" {
	model "${small[@]}" >m
	rows -n 5 '0 3 2.9 0 0' >in
	try --gguf m --policy llama.cpp --greedy --dry-multiplier 5 \
	    --dry-allowed-length 1 in
	cp out without
	try --gguf m --policy llama.cpp --greedy --dry-multiplier 5 \
	    --dry-allowed-length 1 --dry-sequence-breaker ' a' in
	check_status 0
	check_silence
	! cmp -s out without || fail 'the breaker broke nothing'
	refuses '--dry-sequence-breaker: *--pieces or --gguf*' -V 5 \
	    --policy llama.cpp --dry-sequence-breaker a in
}

# --- Ends ------------------------------------------------------------------

@test "the model's ends stop a run" {
	model "${small[@]}" eos:u32=2 >m
	pick 1 4 1 >in
	draws '1 4' --gguf m --greedy in
	pick 1 2 1 >in
	draws '1 2' --gguf m --greedy in
	try --gguf m --greedy --summary s in
	check_json s 'stop="eos"'
}

@test "--eos stands in place of the model's ends" {
	model "${small[@]}" eos:u32=2 >m
	pick 2 4 3 1 >in
	draws '2 4 3' --gguf m --greedy --eos 3 in
}

@test "--ignore-eos bans the model's ends" {
	model "${small[@]}" eos:u32=2 >m
	rows -n 3 '0 1 9 0 9' >in
	draws '1 1 1' --gguf m --greedy --ignore-eos in
	draws '2' --gguf m --greedy in
}

@test "an end outside the vocabulary is an error" {
	model "${small[@]}" eot:u32=5 >m
	breaks '' 'm: byte *: tokenizer.ggml.eot_token_id: token 5 *0 to 4' \
	    --gguf m /dev/null
}

# --- Settings --------------------------------------------------------------

settings=(sampling.sequence:string='top_k;dry;odd;temperature'
    sampling.top_k:i32=3 sampling.top_p:f32=0.9 sampling.min_p:f32=0.1
    sampling.temp:f32=0.7 sampling.xtc_probability:f32=0.3
    sampling.xtc_threshold:f32=0.2 sampling.penalty_last_n:i32=9
    sampling.penalty_repeat:f32=1.25 sampling.mirostat_tau:f32=4
    sampling.mirostat_eta:f32=0.2)

@test "the model's settings stand where the command line says nothing" {
	model "${small[@]}" "${settings[@]}" >m
	try --gguf m --policy llama.cpp --summary s /dev/null
	check_status 0
	check_silence
	check_json s settings.top_k=3 settings.top_p=0.9 settings.min_p=0.1 \
	    settings.temp=0.7 settings.xtc_probability=0.3 \
	    settings.xtc_threshold=0.2 settings.repeat_last_n=9 \
	    settings.repeat_penalty=1.25 settings.mirostat_ent=4 \
	    settings.mirostat_lr=0.2 \
	    'settings.samplers=["top_k","dry","temperature"]'
	try --gguf m --policy llama.cpp --summary s --top-k 4 --temp 2 \
	    --samplers min_p /dev/null
	check_json s settings.top_k=4 settings.temp=2 settings.min_p=0.1 \
	    'settings.samplers=["min_p"]'
	try --gguf m --policy llama.cpp --summary s --sampler-seq kt /dev/null
	check_json s 'settings.samplers=["top_k","temperature"]'
	model "${small[@]}" sampling.mirostat:i32=2 >m
	try --gguf m --policy llama.cpp --summary s /dev/null
	check_json s 'settings.finish="mirostat"'
}

@test "--no-defaults leaves the model's settings out, too" {
	model "${small[@]}" "${settings[@]}" >m
	try --gguf m --no-defaults --summary s /dev/null
	check_json s settings.top_k=0 settings.temp=1 settings.top_p=1
	even >in
	try -V 4 --no-defaults in
	cp out expected
	try --gguf m -V 4 --no-defaults in
	check_same expected out
}

@test "what the policy does not have is left out, and told of under -v" {
	model "${small[@]}" "${settings[@]}" >m
	try --gguf m --summary s /dev/null
	check_status 0
	check_silence
	check_json s 'settings.samplers=["top_k","temperature"]' \
	    settings.top_k=3
	try --gguf m -v /dev/null
	check_says "m: general.sampling.sequence: the golem policy has no stage 'dry': left out"
	check_says "m: general.sampling.sequence: the golem policy has no stage 'odd': left out"
	check_says 'm: general.sampling.xtc_probability: the golem policy has no such setting: left out'
	model "${small[@]}" "sampling.sequence:string=top_k;$(
	    printf 'xy%.0s' {1..30})" >long
	try --gguf long -v /dev/null
	check_says "long: *the golem policy has no stage '$(
	    printf 'xy%.0s' {1..20})': left out"
	try --gguf m --policy strict -v --summary s /dev/null
	check_says 'm: general.sampling.top_p: the strict policy has no such setting: left out'
	check_json s settings.top_k=3
}

@test "a float of the model reaches the option as it is" {
	model "${small[@]}" sampling.temp:f32=0.1 >m
	try --gguf m --policy strict --summary s /dev/null
	check_json s settings.temp=0.10000000149011612
	try --gguf m --summary s --save-state state /dev/null
	check_json s settings.temp=0.1
	grep -qx 'setting temp 0.1' state
}

@test "a value out of range is told with file and key" {
	model "${small[@]}" sampling.min_p:f32=1.5 >m
	breaks '' 'm: byte *: general.sampling.min_p: 1.5 is out of range: *' \
	    --gguf m /dev/null
	# One that is not used is not looked at.
	try --gguf m --min-p 0.5 /dev/null
	check_status 0
	try --gguf m --policy strict /dev/null
	check_status 0
	model "${small[@]}" sampling.top_k:f32=1.5 >m
	breaks '' "m: byte *: general.sampling.top_k: '1.5' is not a whole *" \
	    --gguf m /dev/null
	model "${small[@]}" sampling.mirostat:u32=7 >m
	breaks '' 'm: byte *: general.sampling.mirostat: 7 is out of range*' \
	    --gguf m --policy llama.cpp /dev/null
	# Not the first that the model says.
	model "${small[@]}" sampling.top_k:u32=3 sampling.top_p:f32=0.5 \
	    sampling.temp:f32=0.5 sampling.penalty_repeat:f32=-3 >m
	breaks '' 'm: byte *: general.sampling.penalty_repeat: -3 is out of *' \
	    --gguf m /dev/null
	model "${small[@]}" sampling.temp:f64=1e300 \
	    sampling.penalty_repeat:f32=1.5 >m
	breaks '' 'm: byte *: general.sampling.temp: 1*32-bit number' \
	    --gguf m /dev/null
}

@test "what suits the options and not the policy is told so, too" {
	rows -d f64 '1 2 3 4 5' >in
	model "${small[@]}" sampling.top_k:i32=6 >m
	breaks '' 'm: byte *: general.sampling.top_k: 6: the strict *1 to 5' \
	    --policy strict --gguf m -d f64 in
	model "${small[@]}" sampling.temp:f32=0 >m
	breaks '' 'm: byte *: general.sampling.temp: 0: the strict *' \
	    --policy strict --gguf m -d f64 in
	refuses '--temp: 0: the strict *' --policy strict --gguf m --temp 0 \
	    -d f64 in
}

@test "an option without effect is told what takes it" {
	model "${small[@]}" sampling.sequence:string=top_k >m
	try --gguf m --temp 2 /dev/null
	check_status 0
	check_message '--temp has no effect: --gguf leaves out temperature'
	model "${small[@]}" sampling.mirostat:i32=1 >m
	try --gguf m --policy llama.cpp --top-k 2 /dev/null
	check_status 0
	check_message '--top-k has no effect: --gguf leaves out top_k'
}

# --- States ----------------------------------------------------------------

@test "a state goes before the model, and keeps what came from it" {
	model "${small[@]}" sampling.top_k:i32=2 sampling.temp:f32=3 >m
	rows -n 8 '0 0 0 0 -9 5 5' >in
	try --gguf m -V 7 -s 3 in
	check_status 0
	cp out expected
	head -c $((3 * 28)) in >first
	tail -c +$((3 * 28 + 1)) in >rest
	try --gguf m -V 7 -s 3 --save-state state first
	check_status 0
	cp out both
	for option in 'setting top-k 2' 'setting temp 3' 'setting limit-ids 5' \
	    'setting vocab 7'; do
		grep -qx "$option" state || fail "no $option"
	done
	cp state saved
	try --load-state state rest
	check_status 0
	cat out >>both
	check_same expected both
	model "${small[@]}" sampling.top_k:i32=9 >other
	try --load-state saved --gguf other rest
	check_status 0
	check_silence
	cat out >all
	tail -n +4 expected | cmp - all
}

@test "a state that is gone on with needs a model as large" {
	model "${small[@]}" >m
	try --gguf m -V 7 --save-state state /dev/null
	check_status 0
	model model:string=llama 'tokens:string[]=a b' >other
	refuses '--gguf: other has 2 tokens, and state was saved with 5: *' \
	    --gguf other --load-state state /dev/null
	try --gguf other --load-state state --force-settings /dev/null
	check_status 0
	# The same where the rows say how long they are, and the state doesn't.
	python "$here/forge.py" state 'setting vocab 7\n' ''
	{
		python "$here/headers.py" npy '<f4' 1 7
		rows '0 0 0 9 0 0 0'
	} >seven.npy
	refuses '--gguf: other has 2 tokens, and state was saved with 5: *' \
	    --gguf other --load-state state seven.npy
	try --gguf m --load-state state --greedy --force-settings seven.npy
	check_ids 3
}

# --- Where the file comes from ---------------------------------------------

@test "a pipe will do, and only the metadata is read" {
	model "${small[@]}" >m
	pick 1 2 >in
	mkfifo fifo
	cat m >fifo 3>&- &
	draws '1 2' --gguf fifo --greedy in
	{ cat m; yes; } 2>/dev/null >fifo 3>&- &
	draws '1 2' --gguf fifo --greedy in
	draws '1 2' --gguf - --greedy in <m
	draws '1 2' --gguf - --greedy in < <(feed 1 m)
	refuses '--gguf: -: the rows are on standard input; name a file' \
	    --gguf - <m
	refuses '--gguf: -: the rows are on standard input; name a file' \
	    --gguf - in - <m
	refuses '--gguf: -: the masks are on standard input; name a file' \
	    --gguf - --mask - in <m
}

@test "on a pipe a file that is cut off is an error, too" {
	model "${small[@]}" 'x:f64[100000]=1' >m
	try --gguf - in < <(cat m)
	check_status 1
	check_message 'standard input: byte *: x: *cut off or damaged'
	try --gguf m in
	check_status 1
	check_message 'm: byte *: x: 100000 items can'"'"'t be in the 8 bytes*'
	model 'x:string=a text that is passed over' >m
	try --gguf - in < <(head -c -1 m)
	check_status 1
	check_message 'standard input: byte *: x: 26 bytes are wanted and *after 25*'
}

@test "on a pipe what no file can hold is an error, too" {
	model 'x:u64[4611686018427387904]=' >m
	try --gguf - in < <(cat m)
	check_status 1
	check_message 'standard input: byte *: x: 4611686018427387904 items are more than a file can hold'
	model 'tokens:string[2147483648]=' >m
	try --gguf - in < <(cat m)
	check_status 1
	check_message '*: tokenizer.ggml.tokens: 2147483648 tokens: 1 to 2147483647 are wanted'
}

@test "the model is not written over" {
	model "${small[@]}" >m
	refuses '--summary: m is the file of --gguf too: *' --gguf m \
	    --summary m /dev/null
	refuses '--save-state: m is the file of --gguf too: *' --gguf m \
	    --save-state m /dev/null
}

@test "other formats are refused by name" {
	model --big "${small[@]}" >m
	breaks '' 'm: byte 4: the file is byte-swapped (big-endian): *' \
	    --gguf m /dev/null
	model --version 1 "${small[@]}" >m
	breaks '' 'm: byte 4: version 1 of GGUF: 2 or 3 is wanted' --gguf m \
	    /dev/null
	model --version 2 "${small[@]}" >m
	draws '' --gguf m /dev/null
	breaks '' '/dev/null: byte 0: 4 bytes are wanted and *' \
	    --gguf /dev/null /dev/null
	breaks '' 'none: *' --gguf none /dev/null
}

@test "a small file that claims much gets little memory" {
	# A sanitizer does not even start within this.
	(ulimit -v 400000; tokpick --version) >/dev/null 2>&1 ||
	    skip 'this build needs more memory by itself'
	for claim in 'tokens:string[2147483647]=' 'types:i32[4294967295]=' \
	    'x:u8[9223372036854775807]='; do
		model "$claim" >m
		status=0
		(ulimit -v 400000; tokpick --gguf - -V 4 m) < <(cat m) \
		    >out 2>err || status=$?
		check_status 1
		check_message 'standard input: byte *cut off or damaged'
	done
}

# --- --show-model ----------------------------------------------------------

@test "--show-model prints what was understood" {
	model general.architecture:string=llama 'general.name:string=A\n"B"' \
	    "${small[@]}" eos:u32=1 "${settings[@]}" >m
	LC_ALL=C try --show-model --gguf m
	check_status 0
	check_silence
	sed 's/  */ /g' out >table
	cat >expected <<-END
		file "m"
		GGUF version 3
		keys 17
		bytes read $(wc -c <m)
		architecture "llama"
		name "A\\n\\"B\\""
		tokenizer "llama"
		tokens 5
		 normal 2
		 unknown 1
		 control 1
		 byte 1
		end of text 1 "\\xe2\\x96\\x81a"
		end of text 4 "</s>"
		sampling.sequence "top_k;dry;odd;temperature"
		sampling.top_k 3
		sampling.top_p 0.9
		sampling.min_p 0.1
		sampling.xtc_probability 0.3
		sampling.xtc_threshold 0.2
		sampling.temp 0.7
		sampling.penalty_last_n 9
		sampling.penalty_repeat 1.25
		sampling.mirostat_tau 4
		sampling.mirostat_eta 0.2
	END
	diff expected table
	try --gguf m --show-model -V 3 no-rows
	check_status 0
	try --gguf - --show-model <m
	check_status 0
	grep -q 'A\\n' out
}

@test "--show-model needs a model, and somewhere to print" {
	refuses '--show-model: name the model with --gguf FILE' --show-model
	model "${small[@]}" >m
	status=0
	tokpick --gguf m --show-model >/dev/full 2>err || status=$?
	check_status 1
	check_message 'standard output: *'
}
