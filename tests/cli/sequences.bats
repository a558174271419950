#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --batch and --sequence-rows: each sequence is as if it were alone.

load helper

# Rows of 512 floats.
bytes=2048

recording()
{
	zstd -dcq "$data/story-1.f32.zst" >in
	zstd -dcq "$data/story-2.f32.zst" >second
}

# every B K: of B sequences that take turns, the rows of sequence K.
every()
{
	python -c '
import sys
batch, which, size = map(int, sys.argv[1:])
rows = open("in", "rb").read()
for at in range(which * size, len(rows), batch * size):
    sys.stdout.buffer.write(rows[at:at + size])' "$@" $bytes
}

# of K: the ids in the lines of sequence K.
of()
{
	sed -n "s/^$1 //p" out
}

@test "of sequences that take turns each draws what it draws alone" {
	recording
	for policy in golem strict llama.cpp; do
		set -- --policy $policy -V 512 -s 3 --temp 1.5
		[ $policy = strict ] ||
		    set -- "$@" --repeat-penalty 1.2 --top-k 0 --prompt 5,9
		tokpick "$@" --batch 3 in >out
		for k in 0 1 2; do
			every 3 $k | tokpick "$@" >want
			of $k | cmp - want
		done
		[ "$(cut -d' ' -f1 out | head -n 5 | paste -sd' ')" = '0 1 2 0 1' ]
	done
}

@test "of sequences one after the other, too" {
	recording
	cat second >>in
	set -- -V 512 -s 3 --temp 1.5 --repeat-penalty 1.2 --repeat-last-n -1
	tokpick "$@" --sequence-rows 256 in >out
	tokpick "$@" second >want
	of 1 | cmp - want
	head -c $((256 * bytes)) in | tokpick "$@" >want
	of 0 | cmp - want
}

@test "stages remember nothing of another sequence" {
	recording
	cat in in >twice
	for stage in '--mirostat 2' '--xtc-probability 0.5 --xtc-threshold 0.01' \
	    '--dry-multiplier 0.8' \
	    '--adaptive-target 0.3 --samplers top_k;adaptive_p'; do
		# shellcheck disable=SC2086 # words
		tokpick --policy llama.cpp -V 512 -s 3 $stage \
		    --sequence-rows 256 twice >out
		of 0 >want
		of 1 | cmp - want
	done
}

@test "a grammar begins anew with each sequence" {
	rows -n 4 '0 9 0 0' >in
	printf 'x\na\nb\nc\n' >pieces
	try -V 4 --greedy --sequence-rows 2 --pieces pieces \
	    --grammar 'root ::= "a" "b"' in
	[ "$status" -eq 0 ]
	[ "$(paste -sd, out)" = '0 1,0 2,1 1,1 2' ]
}

@test "a sequence that has stopped is passed over, the others go on" {
	rows '9 0 0' '0 0 9' '9 0 0' '0 9 0' '9 0 0' 'nan 9 0' >in
	try -V 3 --greedy --batch 2 --eos 2 in
	[ "$status" -eq 0 ]
	[ "$(paste -sd, out)" = '0 0,1 2,0 0,0 0' ]
	try -V 3 --greedy --sequence-rows 3 -n 1 in
	[ "$status" -eq 0 ]
	[ "$(paste -sd, out)" = '0 0,1 1' ]
}

@test "the run stops when all that take turns have" {
	rows -n 8 '9 0 0' >in
	try -V 3 --greedy --batch 2 -n 2 in --summary summary
	[ "$(wc -l <out)" -eq 4 ]
	grep -q '"rows":4,"tokens":4,.*"stop":"token-limit".*' summary
	grep -q '"sequences":2' summary
	run -1 grep rng_state summary
}

@test "recorded ids and masks are by row, whatever the sequence" {
	rows -n 4 '3 2 1' >in
	echo '0 1 2 0' >ids
	printf '\6\0\0\0\7\0\0\0\6\0\0\0\7\0\0\0' >mask
	try -V 3 --greedy --batch 2 --mask mask --expect ids in
	[ "$status" -eq 1 ]
	[ "$(paste -sd, out)" = '0 1,1 0,0 1,1 0' ]
	grep -q '1 of 4 agree' err
	try -V 3 --greedy --batch 2 --repeat-penalty 9 --history ids in
	[ "$(paste -sd, out)" = '0 0,1 0,0 1,1 0' ]
}

@test "with --stream row the number of the sequence counts" {
	rows -n 8 '0 0 0 0 0 0 0 0' >in
	tokpick -V 8 --no-defaults --stream row --sequence-rows 4 in >out
	of 0 >first
	tokpick -V 8 --no-defaults --stream row in | head -n 4 | cmp - first
	of 1 >second
	run -1 cmp -s second first
}

@test "a trace tells the sequence, and what came before in it" {
	rows -n 4 '9 0 0' >in
	tokpick -V 3 --greedy --batch 2 --prompt 1 -o jsonl in >out
	[ "$(grep -o '^{"row":[0-9]*,"seq":[0-9]*' out | paste -sd,)" = \
	    '{"row":1,"seq":0,{"row":2,"seq":1,{"row":3,"seq":0,{"row":4,"seq":1' ]
	[ "$(grep -o '"prefix":[0-9]*' out | paste -sd,)" = \
	    '"prefix":1,"prefix":1,"prefix":2,"prefix":2' ]
}

@test "what belongs to one conversation is refused" {
	rows -n 4 '9 0 0' >in
	for more in '--save-state s' '-o text --pieces in' '-o i32' \
	    '--exec true' '--sequence-rows 2'; do
		# shellcheck disable=SC2086 # words
		try -V 3 --batch 2 $more in
		[ "$status" -eq 2 ]
		grep -q -e '--batch\|which of them\|would not be read' err
	done
}

@test "more sequences than memory holds fail with a message" {
	# A sanitizer does not even start within this.
	(ulimit -v 400000; tokpick --version) >/dev/null 2>&1 ||
	    skip 'this build needs more address space than the test leaves'
	status=0
	(ulimit -v 400000; tokpick -V 1 --batch 100000000 --summary s) \
	    </dev/null >out 2>err || status=$?
	check_status 1
	check_ids ''
	check_message '*100000000 sequences*memory*'
}

@test "sequences have numbers up to 2^32 - 1, and one more is refused" {
	truncate -s 8589934596 in # a hole; f16 of 0
	try -V 1 -d f16 --sequence-rows 1 --rows 4294967295: in
	check_status 1
	check_message 'row 4294967297: it would be of sequence 4294967296, *'
	[ "$(<out)" = $'4294967294 0\n4294967295 0' ]
}

@test "rows have numbers above 2^32" {
	truncate -s 8589934596 in
	try -V 1 -d f16 --rows 4294967296: -o jsonl in
	check_status 0
	[ "$(grep -o '"row":[0-9]*' out | tr '\n' ' ')" = \
	    '"row":4294967296 "row":4294967297 "row":4294967298 ' ]
}
