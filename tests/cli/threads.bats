#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The ids do not depend on the number of threads, whatever the input is.

load helper

# What was drawn before matters, so that no row can be out of its turn.
settings=(-V 512 -s 7 --temp 1.5 --top-p 1 --repeat-penalty 1.1
    --repeat-last-n 32)

# Rows of the recordings, in a file that is large enough to be read ahead.
many()
{
	local i
	for ((i = 0; i < 10; i++)); do
		# shellcheck disable=SC2154 # of the helper
		zstd -dcq "$data/story-$((i % 2 + 1)).f32.zst"
	done
}

# The ids of `many` without threads, and that they are many.
want()
{
	many >raw
	tokpick "${settings[@]}" -j 1 raw >want
	(($(wc -l <want) == $(stat -c %s raw) / 2048)) || fail 'too few ids'
	(($(sort -u want | wc -l) > 50)) || fail 'too few different ids'
}

# same_ids FILE...: they give the ids that are wanted, with any number of
# threads.
same_ids()
{
	local j
	for j in 1 2 3 8; do
		tokpick "${settings[@]}" -j "$j" "$@" >got
		check_same want got
	done
	tokpick "${settings[@]}" "$@" >got
	check_same want got
}

# The window is small, so that rows which come again are not left out.
pack()
{
	zstd -cq --zstd=wlog=17 "$@"
}
export -f pack

# frames SIZE FILE [OPTION]...: the file as zstd frames of so many bytes.
frames()
{
	local size=$1 file=$2
	shift 2
	SHELL=$BASH split -b "$size" --filter="pack $*" "$file"
}

# The file is read ahead only if it is as large as this.
check_large()
{
	(($(stat -c %s "$1") > 1048576)) || fail "$1 is too small to tell"
}

@test "a raw file gives the same ids, named or as standard input" {
	want
	same_ids raw
	for j in 1 2 8; do
		tokpick "${settings[@]}" -j "$j" <raw >got
		check_same want got
	done
}

@test "a pipe gives the same ids" {
	want
	for j in 1 2 8; do
		tokpick "${settings[@]}" -j "$j" < <(cat raw) >got
		check_same want got
	done
	for j in 2 8; do
		tokpick "${settings[@]}" -j "$j" < <(feed random:1 raw) >got
		check_same want got
	done
}

@test "several FILEs cut at odd places give the same ids" {
	want
	split -b 1234567 raw part.
	same_ids part.*
}

@test "a zstd file of one frame gives the same ids" {
	want
	pack raw >all.zst
	check_large all.zst
	same_ids all.zst
}

@test "a zstd file of many frames gives the same ids, wherever they end" {
	want
	for size in 2048 100000 1000001; do
		frames "$size" raw --check >frames.zst
		check_large frames.zst
		same_ids frames.zst
	done
}

@test "raw and zstd FILEs, a FIFO among them, give the same ids" {
	want
	split -b 1234567 raw part.
	frames 300000 part.ab --no-check >part.ab.zst
	check_large part.ab.zst
	mkfifo fifo
	for j in 1 2 8; do
		cat part.ac >fifo 3>&- &
		tokpick "${settings[@]}" -j "$j" part.aa part.ab.zst fifo \
		    part.ad part.ae >got
		check_same want got
	done
}

@test "other types of number give the same ids" {
	many | head -c 1048576 >raw
	rows -d f16 -n 80000 '0.5 -1.75 1.25 0 2 3 1 2' >half
	for file in 'f16 half' 'bf16 raw' 'f64 raw'; do
		read -r type name <<<"$file"
		try -V 16 -d "$type" -j 1 "$name"
		mv out want
		for j in 2 8; do
			try -V 16 -d "$type" -j "$j" "$name"
			check_same want out
		done
	done
}

@test "a fault in the middle of a frame costs nothing before it" {
	many >raw
	frames 500000 raw --check >good.zst
	size=$(($(stat -c %s good.zst) * 3 / 4))
	head -c "$size" good.zst >cut.zst
	{
		cat cut.zst
		printf wrong
		tail -c "+$((size + 6))" good.zst
	} >bad.zst
	check_large cut.zst
	for file in cut bad; do
		try "${settings[@]}" -j 1 "$file.zst"
		check_status 1
		mv out want
		message=$(sed 's/near byte.*//' err)
		[[ -n $message ]]
		(($(wc -l <want) > 1000))
		for j in 2 3 8; do
			try "${settings[@]}" -j "$j" "$file.zst"
			check_status 1
			check_same want out
			[[ $(sed 's/near byte.*//' err) == "$message" ]]
		done
	done
}

@test "a partial row at the end is told as ever" {
	many | head -c 1500000 >raw
	try "${settings[@]}" -j 1 raw
	check_status 1
	mv out want
	mv err told
	for j in 2 8; do
		try "${settings[@]}" -j "$j" raw
		check_status 1
		check_same want out
		check_same told err
	done
}

@test "a stop rule ends the reading of a file, and of a pipe without an end" {
	want
	frames 300000 raw >frames.zst
	for j in 1 2 8; do
		for file in raw frames.zst; do
			tokpick "${settings[@]}" -j "$j" -n 9 "$file" >got
			head -n 9 want | check_same - got
		done
		timeout 60 "$TOKPICK" "${settings[@]}" -j "$j" -n 9 \
		    < <(cat raw; exec sleep 60) >got
		head -n 9 want | check_same - got
	done
}

@test "what a file was not read of is left to who reads on" {
	want
	exec {fd}<raw
	tokpick "${settings[@]}" -j 2 <&"$fd" >got
	check_same want got
	[[ -z $(head -c 1 <&"$fd") ]] || fail 'the file is not at its end'
}

@test "a number of threads is at least 1 and at most 256" {
	refuses '*threads*' -V 4 -j 0
	refuses '*threads*' -V 4 --threads 257
	refuses '*threads*' -V 4 -j two
	# shellcheck disable=SC2154 # of the helper
	draws "$even_ids" -V 4 -j 256 < <(even)
}
