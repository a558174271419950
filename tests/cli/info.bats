#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --info: what each file is.

load helper

corpus=$here/../corpus

# says LINE...: these are among the lines that were written.
says()
{
	for line; do
		grep -qxe "$line" out || fail "no line: $line"
	done
}

@test "an npy file tells what it is" {
	cp "$corpus/npy/good-sequences.npy" .
	try --info good-sequences.npy
	check_status 0
	check_silence
	says 'file  *"good-sequences.npy"' 'format  *npy 1.0' 'type  *f32' \
	    'vocabulary  *4' 'rows  *6' 'sequences  *2' 'rows of each  *3' \
	    'size  *224 bytes' 'unpacked size  *224 bytes'
}

@test "raw rows are counted if it is told how long they are" {
	even >raw
	try --info raw
	check_status 0
	says 'format  *raw' 'vocabulary  *not known' 'rows  *not known' \
	    'size  *128 bytes'
	try --info -V 4 raw
	says 'vocabulary  *4' 'rows  *8' 'sequences  *not known'
	try --info -V 4 -d f16 raw
	says 'type  *f16' 'rows  *16'
}

@test "it is known how long a compressed file is without compression" {
	even | zstd -qc >packed
	try --info -V 4 packed
	check_status 0
	says 'format  *raw in zstd' 'rows  *8' \
	    "size  *$(stat -c %s packed) bytes" 'unpacked size  *128 bytes'
	cp "$corpus/logits/good-frames.logits.zst" .
	try --info good-frames.logits.zst
	says 'format  *logits in zstd' 'type  *codes of 16 bits' 'rows  *3' \
	    'sequences  *1' 'unpacked size  *100 bytes'
}

@test "of what is behind a packed tensor nothing is known" {
	zstd -qc "$corpus/safetensors/good-before-others.safetensors" >packed
	try --info packed
	check_status 0
	says 'format  *safetensors in zstd' 'unpacked size  *not known'
}

@test "what can't be written is an error" {
	[[ -c /dev/full ]] || skip 'no /dev/full here'
	even >raw
	status=0
	# More than is kept before it is written.
	mapfile -t files < <(yes raw | head -n 1000)
	tokpick --info -V 4 "${files[@]}" >/dev/full 2>err || status=$?
	check_status 1
	check_message 'standard output: *space*'
}

@test "a pipe tells all but its size" {
	try --info < <(cat "$corpus/npy/good-f8.npy")
	check_status 0
	says 'file  *"standard input"' 'type  *f64' 'rows  *3' \
	    'size  *not known' 'unpacked size  *224 bytes'
}

@test "several files are told one after the other" {
	even >raw
	try --info -V 4 raw "$corpus/npy/good-f4.npy" \
	    "$corpus/safetensors/good-f16.safetensors"
	check_status 0
	[[ $(sed -n 's/^format  *//p' out | paste -sd ,) == \
	    'raw,npy 1.0,safetensors' ]] || fail formats
}

@test "with -o jsonl it is JSON" {
	try --info -o jsonl "$corpus/npy/good-zstd.npy.zst"
	check_status 0
	check_json out 'format="npy"' version=1 zstd=true 'type="f32"' vocab=4 \
	    rows=3 rows_missing=0 sequences=null rows_of_each=null \
	    unpacked_size=176 "size=$(stat -c %s "$corpus/npy/good-zstd.npy.zst")"
	try --info -o jsonl < <(even)
	check_json out 'file="standard input"' 'format="raw"' version=null \
	    zstd=false vocab=null rows=null rows_missing=null size=null \
	    unpacked_size=128
}

@test "what is missing is told, and an error" {
	try --info "$corpus/logits/bad-cut.logits"
	check_status 1
	check_message '*bad-cut.logits: the file is cut off: *'
	says 'rows  *1' 'rows missing  *2'
	try --info -o jsonl < <(cat "$corpus/npy/bad-cut.npy")
	check_status 1
	check_json out rows=1 rows_missing=2
}

@test "what is no good is an error" {
	try --info "$corpus/npy/bad-twice.npy"
	check_status 1
	check_message '*byte 36*'
	breaks '' 'missing: *' --info missing
	refuses '--info: the rows of --exec are raw*' -V 4 --exec cat --info
}
