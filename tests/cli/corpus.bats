#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Samples of what other tools write, as tests/corpus/README.md has them.

load helper

corpus=$here/../corpus

# The lines of a table: file, options, ids, what is said; quotes taken off.
table()
{
	sed -n "/^## $1\//,/^## /"'s/^| `//p' "$corpus/README.md" | tr -d '`'
}

# check_sample FILE IDS SAYS: the last run drew and said that.
check_sample()
{
	# Several sequences have their numbers before the ids.
	sed -i 's/^[0-9]* //' out
	check_ids "$2" || fail "$1" || return
	if [[ -z $3 ]]; then
		[[ $status == 0 && ! -s err ]] || fail "$1"
	else
		[[ $status == 1 ]] || fail "$1: status $status" || return
		check_message "*$3*" || fail "$1"
	fi
}

# A file, standard input that can be sought in, and a pipe, which gives a byte
# at a time too.
check_table()
{
	local file options ids says what checked=0
	while IFS='|' read -r file options ids says what; do
		read -r file <<<"$file"
		read -r ids <<<"$ids"
		read -r says <<<"$says"
		[[ -n $what ]] || fail "$file is not explained"
		local path=$corpus/$1/$file
		try --greedy $options "$path"
		check_sample "$file" "$ids" "$says"
		try --greedy $options <"$path"
		check_sample "$file" "$ids" "$says"
		try --greedy $options < <(cat "$path")
		check_sample "$file" "$ids" "$says"
		# Who feeds wants all to be read.
		if [[ -z $says && $file != *before-others* ]]; then
			try --greedy $options < <(feed 1 "$path")
			check_sample "$file" "$ids" "$says"
		fi
		((++checked))
	done < <(table "$1")
	[[ $(table "$1" | sed 's/ *|.*//' | sort) == \
	    "$(find "$corpus/$1" -type f -printf '%f\n' | sort)" ]] ||
	    fail "some of $1 are not in the table"
	((checked > 0))
}

@test "samples of npy are read, or refused, as they should be" {
	check_table npy
}

@test "samples of safetensors are read, or refused, as they should be" {
	check_table safetensors
}

@test "samples of logits are read, or refused, as they should be" {
	check_table logits
}

# Rows come to nothing, but those before are as they were.
@test "a good sample cut off anywhere gives a prefix of its ids" {
	local size n
	for path in "$corpus"/{npy/good-f4.npy,logits/good-odd.logits} \
	    "$corpus"/safetensors/good-f32.safetensors; do
		tokpick --greedy "$path" >whole
		size=$(stat -c %s "$path")
		for ((n = 9; n < size; n += 7)); do
			try --greedy < <(head -c "$n" "$path")
			check_status 1
			head -c "$(stat -c %s out)" whole | cmp - out ||
			    fail "$path cut off after $n bytes"
		done
	done
}
