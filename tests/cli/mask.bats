#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --mask: only what the masks allow is drawn.

load helper

# Long enough for any machine: it only ends a test whose answer never comes.
patience=60

# A failed test may leave one that waits for ever.
teardown()
{
	[[ -z ${pid:-} ]] || kill "$pid" 2>/dev/null || :
}

# allow V LIST...: a mask for each LIST of ids, commas between; - is none.
allow()
{
	python - "$@" <<-'END'
		import sys
		vocab = int(sys.argv[1])
		for ids in sys.argv[2:]:
		    bits = sum(1 << int(i) for i in ids.split(",") if i != "-")
		    size = (vocab + 31) // 32 * 4
		    sys.stdout.buffer.write(bits.to_bytes(size, "little"))
	END
}

# some V N SEED: N masks of V tokens, each of which allows about half.
some()
{
	python - "$@" <<-'END'
		import random, sys
		vocab, rows, seed = map(int, sys.argv[1:])
		r = random.Random(seed)
		for _ in range(rows):
		    bits = r.getrandbits(vocab) | 1 << r.randrange(vocab)
		    size = (vocab + 31) // 32 * 4
		    sys.stdout.buffer.write(bits.to_bytes(size, "little"))
	END
}

# deny V <ROWS: the rows with -inf where the file `mask` forbids.
deny()
{
	python -c '
import array, math, sys
vocab = int(sys.argv[1])
rows = array.array("f", sys.stdin.buffer.read())
mask = open("mask", "rb").read()
size = (vocab + 31) // 32 * 4
for i in range(len(rows)):
    row, token = divmod(i, vocab)
    if not mask[row * size + token // 8] >> token % 8 & 1:
        rows[i] = -math.inf
sys.stdout.buffer.write(rows.tobytes())' "$@"
}

# check_allowed V: each id in the output is one that its row's mask allows,
# and not all are the same.
check_allowed()
{
	python - "$@" <<-'END' || fail 'wanted ids that the masks allow'
		import sys
		vocab = int(sys.argv[1])
		size = (vocab + 31) // 32 * 4
		mask = open("mask", "rb").read()
		ids = [int(line) for line in open("out")]
		assert len(ids) == len(mask) // size > 0, len(ids)
		assert len(set(ids)) > 5, set(ids)
		for row, i in enumerate(ids):
		    assert mask[row * size + i // 8] >> i % 8 & 1, (row, i)
	END
}

story()
{
	zstd -dcq "$data/story-1.f32.zst" >in
	some 512 256 "${1:-1}" >mask
}

policies='golem strict llama.cpp llama.cpp-2026-07 llama.cpp-2026-05'

# --- What a mask is --------------------------------------------------------

@test "a bit allows a token, the lowest the first" {
	even | head -c 64 >in
	printf '\x01\0\0\0\x08\0\0\0\x02\0\0\0\x04\0\0\0' >mask
	for policy in $policies; do
		draws '0 3 1 2' --policy "$policy" -V 4 --mask mask in
	done
}

@test "a mask has as many words as it takes" {
	rows -n 7 '0*70' >in
	allow 70 0 31 32 63 64 69 7 >mask
	[[ $(wc -c <mask) == 84 ]]
	for policy in $policies; do
		draws '0 31 32 63 64 69 7' --policy "$policy" -V 70 \
		    --mask mask in
	done
	for vocab in 1 31 32 33 64 65; do
		rows -n 2 "0*$vocab" >in
		allow "$vocab" $((vocab - 1)) 0 >mask
		draws "$((vocab - 1)) 0" -V "$vocab" --mask mask in
	done
}

@test "bits behind the last token mean nothing" {
	rows -n 2 '0*33' >in
	# Row 1: token 5 and all 31 behind the last; row 2: only those.
	printf '\x20\0\0\0\xfe\xff\xff\xff\0\0\0\0\xfe\xff\xff\xff' >mask
	for policy in $policies; do
		breaks 5 'row 2: *mask*' --policy "$policy" -V 33 \
		    --mask mask in
	done
}

@test "masks are read in step with the rows" {
	story
	try -V 512 --mask mask in
	check_status 0
	cp out whole
	# 100 masks of 64 bytes and rows of 2048.
	head -c 6400 mask >first
	head -c 204800 in >rows
	try -V 512 --mask first rows
	check_status 0
	head -n 100 whole | cmp - out || fail 'wanted the first 100'
}

@test "masks behind the last row are not asked for" {
	even >in
	allow 4 0 1 2 3 0 1 2 3 - - >mask
	draws '0 1 2 3 0 1 2 3' -V 4 --mask mask in
	draws '0 1 2' -V 4 -n 3 --mask mask in
}

@test "a mask that allows all changes nothing" {
	story
	head -c "$(wc -c <mask)" /dev/zero | tr '\0' '\377' >all
	for policy in $policies; do
		try --policy "$policy" --temp 1.5 -V 512 --mask all in
		check_status 0
		cp out masked
		try --policy "$policy" --temp 1.5 -V 512 in
		check_same masked out
	done
}

# --- Where it is read from -------------------------------------------------

@test "masks may be compressed, in one frame or in many" {
	story
	try -V 512 --mask mask in
	check_status 0
	cp out raw
	zstd -q mask
	try -V 512 --mask mask.zst in
	check_status 0
	check_same raw out
	# Frames that end inside masks, and one to be passed over.
	{
		head -c 1001 mask | zstd -q
		printf '\x53\x2a\x4d\x18\x05\0\0\0hello'
		tail -c +1002 mask | zstd -q
	} >frames
	try -V 512 --mask frames in
	check_status 0
	check_same raw out
}

@test "rows and masks may each be compressed or not" {
	story
	try -V 512 --mask mask in
	cp out raw
	zstd -q mask in
	for rows in in in.zst; do
		for mask in mask mask.zst; do
			try -V 512 --mask $mask <$rows
			check_status 0
			check_same raw out
		done
	done
}

@test "masks may come from a FIFO" {
	story
	try -V 512 --mask mask in
	cp out file
	mkfifo fifo
	cat mask >fifo &
	pid=$!
	try -V 512 --mask fifo in
	check_status 0
	check_same file out
	zstd -cq mask >fifo &
	pid=$!
	try -V 512 --mask fifo in
	check_status 0
	check_same file out
}

@test "masks that trickle in are put together" {
	story
	try -V 512 --mask mask in
	cp out file
	mkfifo fifo
	feed 7 mask >fifo &
	pid=$!
	try -V 512 --mask fifo in
	check_status 0
	check_same file out
}

@test "an id is written before the next mask is waited for" {
	even >in
	mkfifo fifo from
	tokpick -V 4 --mask fifo in >from 2>err 3>&- &
	pid=$!
	exec {from}<from {to}>fifo
	for id in 3 1 0; do
		allow 4 "$id" >&"$to"
		IFS= read -r -t "$patience" -u "$from" got ||
		    fail "no id, but $id is due"
		[[ $got == "$id" ]] || fail "the id is $got, not $id"
	done
	exec {to}>&-
	status=0
	wait "$pid" || status=$?
	check_status 1
	check_message '--mask: fifo ends * row 4*'
}

@test "a window larger than --max-window is refused for masks too" {
	rows '0*128' >in
	{
		z_header
		z_last '0x00000010 0*3'
	} >mask
	draws 4 -V 128 --mask mask in
	draws 4 -V 128 --mask mask --max-window 21 in
	breaks '' 'mask: *21*' -V 128 --mask mask --max-window 20 in
}

@test "a file that can't be read is an error, and named" {
	even >in
	breaks '' '*missing*' -V 4 --mask missing in
	mkdir folder
	breaks '' '*folder*' -V 4 --mask folder in
}

@test "masks may come on standard input, and rows from a file" {
	even >in
	try -V 4 --mask - in < <(allow 4 0 1 2 3 0 1 2 3)
	check_status 0
	check_ids '0 1 2 3 0 1 2 3'
	# The sandbox lets no file be opened for them.
	try -V 4 --mask - < <(allow 4 0) in
	check_status 1
	check_ids 0
}

@test "masks and rows can't both be standard input" {
	even >in
	{
		allow 4 0
		even
	} >both
	refuses '*--mask*standard input*' -V 4 --mask - <both
	refuses '*--mask*standard input*' -V 4 --mask - - <both
}

# --- Masks that end early --------------------------------------------------

@test "masks that end before the rows are an error, told by the row" {
	even >in
	allow 4 0 1 2 >mask
	breaks '0 1 2' '--mask: mask ends *row 4*' -V 4 --mask mask in
	zstd -q mask
	breaks '0 1 2' '--mask: mask.zst ends *row 4*' -V 4 --mask mask.zst in
	: >empty
	breaks '' '--mask: empty ends *row 1*' -V 4 --mask empty in
}

@test "a mask that is cut off is an error, told by its bytes" {
	rows -n 4 '0*70' >in
	allow 70 69 2 5 7 >mask
	head -c 35 mask >cut
	breaks '69 2' '--mask: cut ends after 11 of the 12 bytes *row 3*' \
	    -V 70 --mask cut in
	head -c 25 mask | zstd -q >cut.zst
	breaks '69 2' '--mask: cut.zst ends after 1 of the 12 bytes *row 3*' \
	    -V 70 --mask cut.zst in
}

@test "a compressed mask that is cut off or damaged is an error" {
	story
	zstd -q mask
	head -c 2000 mask.zst >cut
	try -V 512 --mask cut in
	check_status 1
	check_message 'cut: *'
	# A wrong checksum, before masks that are still wanted.
	head -c 6400 mask | zstd -q >bad
	printf '\0\0\0\0' | dd of=bad bs=1 conv=notrunc status=none \
	    seek=$(($(wc -c <bad) - 4))
	tail -c +6401 mask | zstd -q >>bad
	try -V 512 --mask bad in
	check_status 1
	check_message 'bad: *checksum*'
	(($(wc -l <out) == 100)) || fail 'wanted what was drawn before'
}

@test "a row that has no mask moves nothing on" {
	even >in
	allow 4 0,1,2,3 0,1,2,3 >mask
	try -V 4 --mask mask --summary short in
	check_status 1
	try -V 4 -n 2 --mask mask --summary two in
	check_status 0
	for file in short two; do
		sed 's/.*"rng_state":"\([0-9a-f]*\)".*/\1/' $file >$file.rng
	done
	check_same short.rng two.rng
	check_json short tokens=2 'stop="error"'
}

# --- What is drawn ---------------------------------------------------------

@test "what is masked is never drawn" {
	for policy in $policies; do
		story 3
		try --policy "$policy" -s 5 --temp 2 -V 512 --mask mask in
		check_status 0
		check_silence
		check_allowed 512
		try --policy "$policy" -s 5 --temp 2 -V 512 --top-k 7 \
		    --mask mask in
		check_status 0
		check_allowed 512
		try --policy "$policy" --greedy -V 512 --mask mask in
		check_status 0
		check_allowed 512
	done
}

@test "golem draws as from rows of -inf where the mask forbids" {
	story 4
	deny 512 <in >denied
	for options in '' '-s 9 --temp 2' '--top-k 0 --top-p 1 --min-p 0' \
	    '--no-defaults --temp 3' '--greedy' '--top-k 3 --temp 4' \
	    '--repeat-penalty 1.3 --prompt 411,432 --temp 1.5' \
	    '-l 411+5 -l 32-inf --temp 2' '--min-keep 9 --top-p 0.1 --temp 9' \
	    '--samplers temperature;top_p;top_k --temp 2'; do
		# shellcheck disable=SC2086 # the options are words
		try $options -V 512 --mask mask in
		check_status 0
		cp out masked
		# shellcheck disable=SC2086
		try $options -V 512 denied
		check_status 0
		(($(wc -l <out) == 256))
		check_same masked out
	done
}

@test "llama.cpp draws as from rows of -inf where the mask forbids" {
	story 5
	deny 512 <in >denied
	for options in '' '-s 9 --temp 2' '--top-k 0 --top-p 1 --min-p 0' \
	    '--greedy' '--mirostat 1' '--mirostat 2' '--typical 0.5' \
	    '--top-k 0 --top-nsigma 1.5' '--dynatemp-range 0.5' \
	    '--xtc-probability 0.5 --xtc-threshold 0.05 --temp 2' \
	    '--samplers top_k;adaptive_p --adaptive-target 0.3' \
	    '--dry-multiplier 1 --repeat-penalty 1.2 --prompt 411,432,411' \
	    '--policy llama.cpp-2026-05 --top-k 0 --top-nsigma 2'; do
		# shellcheck disable=SC2086 # the options are words
		try --policy llama.cpp $options -V 512 --mask mask in
		check_status 0
		cp out masked
		# shellcheck disable=SC2086
		try --policy llama.cpp $options -V 512 denied
		check_status 0
		(($(wc -l <out) == 256))
		check_same masked out
	done
}

# A row without what the mask forbids is one that strict can draw from, and
# ids keep their order in it.
@test "strict draws as from rows without what the mask forbids" {
	python - <<-'END'
		import array, random
		r = random.Random(6)
		rows, left, mask, ids = (open(name, "wb") for name in
		                         ("in", "left", "mask", "ids"))
		for row in range(200):
		    logits = [r.choice([r.gauss(0, 3), float(r.randint(-2, 2))])
		              for _ in range(45)]
		    allowed = sorted(r.sample(range(45), 20))
		    bits = sum(1 << i for i in allowed)
		    rows.write(array.array("d", logits).tobytes())
		    left.write(array.array(
		        "d", [logits[i] for i in allowed]).tobytes())
		    mask.write(bits.to_bytes(8, "little"))
		    ids.write((" ".join(map(str, allowed)) + "\n").encode())
	END
	for options in '' '--temp 0.3' '--temp 3' '--top-k 1' '--top-k 5' \
	    '--top-k 19 --temp 2' '--top-k 20' '--greedy'; do
		# shellcheck disable=SC2086 # the options are words
		try --policy strict $options -V 20 -d f64 left
		check_status 0
		awk 'NR == FNR { ids[NR] = $0; next }
		    { split(ids[FNR], id, " "); print id[$1 + 1] }' \
		    ids out >expected
		# shellcheck disable=SC2086
		try --policy strict $options -V 45 -d f64 --mask mask in
		check_status 0
		(($(wc -l <out) == 200))
		check_same expected out
	done
}

@test "strict: the k best are those of the allowed" {
	rows -d f64 '5 4 3 2 1' >in
	allow 5 2,3,4 >mask
	try --policy strict -V 5 -d f64 --top-k 2 --mask mask -o jsonl in
	check_status 0
	check_json out 'retained=[2,3]' 'support=[2,3]' kept.top_k=2 \
	    p=0.2689414213699951 id=3
	try --policy strict -V 5 -d f64 --mask mask -o jsonl in
	check_json out 'retained=[2,3,4]' 'support=[2,3,4]' kept.top_k=3
	try --policy strict -V 5 -d f64 --top-k 5 --mask mask -o jsonl in
	check_json out 'retained=[2,3,4]' 'support=[2,3,4]' kept.top_k=3
	# What underflows to 0 is retained, and not in the support.
	rows -d f64 '9e9 1 3 2 -9e9' >in
	try --policy strict -V 5 -d f64 --top-k 3 --mask mask -o jsonl in
	check_json out 'retained=[2,3,4]' 'support=[2,3]'
	try --policy strict -V 5 -d f64 --top-k 6 --mask mask in
	check_status 2
	check_message '--top-k: 6: *1 to 5*'
}

@test "strict: a mask moves no random number" {
	even >in
	allow 4 1 0,1,2,3 2 3 0 1 2 3 >mask
	try --policy strict -V 4 --mask mask --summary a in
	try --policy strict -V 4 --summary b in
	for file in a b; do
		sed 's/.*"rng_state":"\([0-9a-f]*\)".*/\1/' $file >$file.rng
	done
	check_same a.rng b.rng
}

@test "golem's top-k counts among the allowed" {
	rows -n 2 '9 8 7 6 5' >in
	allow 5 2,4 3,4 >mask
	draws '2 3' -V 5 --top-k 1 --mask mask in
	draws '2 3' -V 5 --policy llama.cpp --top-k 1 --mask mask in
}

# --- Rows that can't be drawn from -----------------------------------------

@test "a mask that allows nothing is an error, told by the row" {
	even >in
	allow 4 3 1 - 2 0 0 0 0 >mask
	for policy in $policies; do
		breaks '3 1' 'row 3: *mask*' --policy "$policy" -V 4 \
		    --mask mask in
		breaks '3 1' 'row 3: *mask*' --policy "$policy" --greedy \
		    -V 4 --mask mask in
	done
}

@test "a mask that allows nothing but -inf is an error" {
	rows '1 2 3' '1 -inf 2' >in
	allow 3 1 1 >mask
	for policy in golem llama.cpp; do
		breaks 1 'row 2: *mask*' --policy "$policy" -V 3 \
		    --mask mask in
	done
}

@test "a bad logit is an error where the mask forbids it, too" {
	rows '0 0 0' '0 nan 0' >nan
	rows '0 0 0' '0 0 inf' >inf
	rows '0 0 0' '-inf 0 0' >ninf
	allow 3 0 2 >mask
	for policy in $policies; do
		breaks 0 'row 2: *token 1 *NaN*' --policy "$policy" -V 3 \
		    --mask mask nan
		breaks 0 'row 2: *token 1 *NaN*' --policy "$policy" -V 3 \
		    --greedy --mask mask nan
	done
	allow 3 0 1 >mask
	for policy in $policies; do
		breaks 0 'row 2: *token 2 *inf*' --policy "$policy" -V 3 \
		    --mask mask inf
	done
	draws '0 1' -V 3 --mask mask ninf
	breaks 0 'row 2: *token 0 *-inf*' --policy strict -V 3 --mask mask ninf
}

# --- Beside other options --------------------------------------------------

@test "all draws from a row are of what its mask allows" {
	rows -n 2 '0*40' >in
	allow 40 7,39 3 >mask
	try -V 40 --draws 50 --mask mask in
	check_status 0
	[[ $(head -n 1 out | tr ' ' '\n' | sort -n | uniq | paste -sd ' ') \
	    == '7 39' ]] || fail 'wanted 7 and 39'
	[[ $(tail -n 1 out | tr ' ' '\n' | sort | uniq -c) == *'50 3' ]] ||
	    fail 'wanted 3 alone'
}

@test "--inspect shows each row with its mask" {
	rows -n 2 '2 1 0' >in
	allow 3 0,2 1 >mask
	for policy in golem strict llama.cpp; do
		try --policy $policy --temp 1 --top-k 3 -V 3 --inspect \
		    --mask mask in
		check_status 0
		python - $policy <<-'END' || fail "wrong candidates: $policy"
			import json, sys
			want = [[(0, 0.880797, None), (2, 0.119203, None),
			         (1, 0, "mask")],
			        [(1, 1, None), (0, 0, "mask"), (2, 0, "mask")]]
			lines = [json.loads(line) for line in open("out")]
			assert [x["row"] for x in lines] == [1, 2]
			for x, rows in zip(lines, want):
			    found = [(c["id"], round(c["p"], 6), c["removed"])
			             for c in x["candidates"]]
			    if sys.argv[1] == "strict":  # lists no others
			        rows = [r for r in rows if r[2] is None]
			    assert found == rows, found
		END
	done
	rows -n 3 '2 1 0' >in
	try -V 3 --inspect --mask mask in
	check_status 1
	check_message '--mask: mask ends *row 3*'
	(($(wc -l <out) == 2)) || fail 'wanted the rows before'
}

@test "what a mask forbids is still in the window" {
	rows -n 3 '3 2 1' >in
	allow 3 0,1,2 1,2 0,1,2 >mask
	draws '0 1 2' -V 3 --greedy --presence-penalty 9 --mask mask in
}

# A block of eight bytes FF, and one of a type that there is not.
@test "the masks before a bad block of zstd are all there" {
	{
		z_header
		printf '\x42\0\0\xff\x06\0\0'
	} >mask
	rows -n 3 '1 2' >in
	breaks '1 1' '*mask* is corrupt*' -V 2 --greedy --mask mask in
}
