#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Files that tell what their rows are: npy, safetensors, logits.

load helper

corpus=$here/../corpus

header()
{
	python "$here/headers.py" "$@"
}

# The rows of a story four times, more than are read in one go.
stories()
{
	for _ in 1 2 3 4; do
		zstd -dcq "$data/story-1.f32.zst"
	done
}

# check_as_raw HEADER...: behind such a header they are the same rows, of which
# the options in the list `as` are true.
check_as_raw()
{
	{
		header "$@"
		stories
	} >file
	zstd -qc file >packed
	stories >rows
	tokpick -V 512 "${as[@]}" rows >want
	(($(wc -l <want) == 1024))
	for threads in 1 2 5; do
		for name in file packed; do
			tokpick -j "$threads" "$name" >out
			check_same want out
			tokpick -j "$threads" <"$name" >out
			check_same want out
		done
	done
	tokpick < <(cat file) >out
	check_same want out
	tokpick < <(cat packed) >out
	check_same want out
}

@test "an npy file is its rows" {
	check_as_raw npy '<f4' 1024 512
}

@test "sequences are looked at one after the other" {
	try --inspect -o table "$here/../corpus/npy/good-sequences.npy"
	check_status 0
	check_silence
	(($(grep -c '^row [1-6] ' out) == 6)) || fail 'not six rows'
	try -o jsonl "$here/../corpus/npy/good-sequences.npy"
	check_status 0
	(($(grep -c '"seq":1' out) == 3)) || fail 'not three rows'
}

@test "so is one of several sequences" {
	as=(--sequence-rows 256)
	check_as_raw npy '<f4' 4 256 512
}

@test "a tensor is its rows, wherever it lies" {
	check_as_raw safetensors F32 0 1024 512
	check_as_raw safetensors F32 700001 1024 512
}

@test "a fault before the tensor is told" {
	{
		header safetensors F32 700001 4 4 | head -c 1000 | zstd -qc
		echo no frame
	} >file
	breaks '' 'file: no zstd frame begins at byte *' file
}

@test "-V and -d may say what the file says" {
	draws '1 2 3' --greedy -V 4 -d f16 "$corpus/npy/good-f2.npy"
	draws '1 2 3' --greedy -V 4 "$corpus/npy/good-f8.npy"
}

@test "-V and -d may not say something else" {
	refuses '*good-f4.npy: rows of 4 values, where --vocab is 5*' \
	    -V 5 "$corpus/npy/good-f4.npy"
	refuses '*good-f4.npy: values of the type f32, where --dtype is f16*' \
	    -d f16 "$corpus/npy/good-f4.npy"
	refuses '*good-even.logits: *codes of 16 bits, where --dtype is f32*' \
	    -d f32 "$corpus/logits/good-even.logits"
}

@test "files of one kind of rows are one stream, whatever their formats" {
	zstd -qc "$corpus/npy/good-f4.npy" >packed
	rows '0 9 0 0' >raw
	draws '1 2 3 1 1 2 3 1 2 3' --greedy "$corpus/npy/good-f4.npy" raw \
	    "$corpus/safetensors/good-f32.safetensors" - <packed
	draws '1 1 2 3' --greedy -V 4 raw packed
}

@test "a file of other rows is refused in its turn" {
	cp "$corpus/npy/good-f4.npy" "$corpus/npy/good-f8.npy" .
	breaks '1 2 3' \
	    'good-f8.npy: rows of 4 values, f64, where 4, f32, are read' \
	    --greedy good-f4.npy good-f8.npy
	header npy '<f4' 1 5 >five.npy
	breaks '1 2 3' 'five.npy: rows of 5 values, f32, where 4, f32, *' \
	    --greedy good-f4.npy five.npy
}

@test "a raw file does not begin a row that another format ends" {
	rows '0 9' >half
	breaks '' '*good-f4.npy: its rows can not begin inside row 1, *' \
	    --greedy -V 4 half "$corpus/npy/good-f4.npy"
}

@test "--input names the format" {
	local npy=$corpus/npy/good-f4.npy
	cp "$npy" .
	draws '1 2 3' --greedy --input npy good-f4.npy
	draws '1 2 3' --greedy --input npy "$corpus/npy/good-zstd.npy.zst"
	draws '1 2 3' --greedy --input logits "$corpus/logits/good-odd.logits"
	draws '1 2 3' --greedy --input safetensors \
	    "$corpus/safetensors/good-f32.safetensors"
	breaks '' 'good-f4.npy: this is no logits file' \
	    --input logits good-f4.npy
	breaks '' 'good-f4.npy: this is no safetensors file' \
	    --input safetensors good-f4.npy
	even >raw
	breaks '' 'raw: this is no npy file' --input npy raw
	: >empty
	breaks '' 'empty: the file ends after 0 bytes*' --input npy empty
}

@test "with --input raw a header is values, with zstd so is one inside" {
	try --greedy -V 4 --input raw "$corpus/npy/good-f4.npy"
	check_status 0
	(($(wc -l <out) == 11))
	zstd -qc "$corpus/npy/good-f4.npy" >packed
	try --greedy -V 4 --input zstd packed
	check_status 0
	(($(wc -l <out) == 11))
}

@test "raw rows need -V, which is told when they have come" {
	even >raw
	refuses 'raw rows carry no length: give --vocab N*' raw
}

@test "-n 0 reads nothing where -V is given" {
	draws '' -V 4 -n 0 missing
}

@test "--tensor names one of several" {
	local two=$corpus/safetensors/good-named.safetensors
	draws '3 2 1' --greedy --tensor first "$two"
	draws '1 2 3' --greedy --tensor second "$two"
	breaks '' "*no tensor has that name: --tensor names one of 'first' 'second'" \
	    --tensor third "$two"
	breaks '' "*no tensor has that name*" --tensor '' "$two"
}

@test "rows of a file with a header are wider than a model's vocabulary" {
	{
		header npy '<f4' 2 6
		rows '0 1 2 3 4 5' '5 4 3 2 1 0'
	} >six.npy
	draws '4 0' --greedy --gguf "$here/../fuzz/corpus/gguf/spm" six.npy
}

@test "strict takes them too" {
	draws '1 2 3' --policy strict --top-k 1 "$corpus/npy/good-f8.npy"
	draws '1 2 3' --policy strict --top-k 1 --floor keep \
	    "$corpus/logits/good-odd.logits"
}

# Log-probabilities -9, -8, -7 and -1.
@test "--floor keeps the lowest value, or masks it" {
	header logits 4 4 0,1,2,3 0,1,2,8 >file
	for floor in mask keep; do
		try --no-defaults --inspect -o jsonl --top 4 --floor "$floor" file
		check_status 0
		[[ $floor == mask ]] && lowest=null || lowest=-9
		[[ $(grep -o '"logit":[^,]*' out | paste -sd ' ') == \
		    '"logit":-1 "logit":-7 "logit":-8 "logit":'$lowest ]] ||
		    fail "$floor"
	done
	tokpick --inspect -o jsonl file >out
	tokpick --inspect -o jsonl --floor mask file | cmp - out
}

# The rows are for the tokens 2 3 and 0, behind five times 0; a token that was
# seen is out.
@test "the tokens of a logits file join the window" {
	header logits 8 4 0,0,0,0,0,2,3,0 1,9,2,3 1,3,9,2 2,1,3,9 >file
	local once=(--greedy --presence-penalty 100 --repeat-last-n -1)
	draws '1 1 1' "${once[@]}" file
	[[ $(tokpick "${once[@]}" file file | paste -sd ,) == \
	    '0 1,0 1,0 1,1 1,1 1,1 1' ]] || fail 'each file has its own'
	draws '1 2 3' "${once[@]}" --history none file
	echo 3 3 0 >ids
	draws '1 2 2' "${once[@]}" --history ids file
}

@test "each chunk begins with its own tokens, and nothing of another" {
	{
		header logits 4 4 3,2,1,0,0,1,2,3 1,2,3,9 1,2,3,9
	} >file
	try --greedy --presence-penalty 100 file
	check_status 0
	[[ $(paste -sd, out) == '0 0,1 3' ]] || fail
	try --greedy --presence-penalty 100 --prompt 0 file
	[[ $(paste -sd, out) == '0 3,1 3' ]] || fail
	for more in '--save-state s' '--report r' '-o i32'; do
		# shellcheck disable=SC2086 # words
		try $more file
		check_status 2
	done
}

@test "several files of one chunk are as many sequences" {
	header logits 4 4 3,2,1,0 1,2,3,9 >first
	header logits 4 4 0,1,2,3 1,2,3,9 >second
	try --greedy --presence-penalty 100 first second
	[[ $(paste -sd, out) == '0 0,1 3' ]] || fail
	try --greedy --presence-penalty 100 first
	[[ $(paste -sd, out) == 0 ]] || fail
}

@test "a recorded token outside the grammar is an error" {
	printf '%s\n' a b c d >pieces
	header logits 4 4 0,1,2,3 1,9,2,3 >file
	breaks '' 'row 1: the recorded token 3 is outside the grammar' --greedy \
	    --pieces pieces --grammar 'root ::= "b" "c"' file
	draws 1 --greedy --pieces pieces --grammar 'root ::= "b" "c"' \
	    --history none file
}

# --- What is read before it is known what it is ------------------------------

# Long enough for any machine: it only ends a test whose answer never comes.
patience=60

teardown()
{
	[[ -z ${pid:-} ]] || kill "$pid" 2>/dev/null || :
}

@test "a short raw row is answered though it could begin a header" {
	local row
	for row in '0' '0 0' '0x00000100 1'; do
		rm -f to from
		mkfifo to from
		tokpick -V "$(wc -w <<<"$row")" --greedy <to >from 3>&- &
		pid=$!
		exec {to}>to {from}<from
		rows "$row" >&"$to"
		IFS= read -r -t "$patience" -u "$from" _ || fail "no id: $row"
		exec {to}>&- {from}<&-
		wait "$pid"
	done
}

@test "a packed tensor is read to the end of its frame, where damage shows" {
	zstd -cq --check "$corpus/safetensors/good-f32.safetensors" >good
	draws '1 2 3' --greedy good
	head -c -1 good >in
	breaks '1 2 3' 'in: the zstd frame at byte 0 ends early*' --greedy in
	try --info in
	check_status 1
	check_message 'in: the zstd frame at byte 0 ends early*'
	{ cat good; echo junk; } >in
	breaks '1 2 3' 'in: no zstd frame begins at byte *' --greedy in
}
