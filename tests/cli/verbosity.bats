#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# -v, -q, and what is said on standard error.

load helper

@test "nothing is said where all is well" {
	draws "$even_ids" -V 4 < <(even)
}

@test "-v says more, and draws the same" {
	even >raw
	even | zstd -cq >packed
	for option in -v --verbose; do
		try "$option" -V 4 -n 12 raw packed
		check_status 0
		check_says '*raw*raw*'
		check_says '*packed*zstd*'
		check_says '*12 rows*12 tokens*token-limit*'
		head -n 8 out >first
		mv first out
		check_ids "$even_ids"
	done
}

@test "-q leaves out all but errors" {
	rows '0 0 0 0' '0 0 0 nan' >in
	for option in -q --quiet; do
		try "$option" -V 4 --seed random --samplers top_k --temp 2 in
		check_status 1
		check_message 'row 2: logit of token 3 is NaN*'
	done
	refuses '--temp: *' -q -V 4 --temp x
}

@test "-v and -q exclude each other" {
	refuses '--verbose and --quiet*' -V 4 -v -q
	refuses '--verbose and --quiet*' -V 4 -qv
}

@test "messages go to standard error, each line in tokpick's name" {
	try -v -V 4 --seed random missing
	check_status 1
	check_ids ''
	check_says 'seed *'
	check_says 'missing: *'
}

@test "no file name or argument can drive the terminal" {
	name=$'a\x1b[31m\x07\nb\x7f'
	breaks '' 'a\\x1b\[31m\\x07\\x0ab\\x7f: *' -V 4 "$name"
	refuses '--temp: '"'"'\\x1b\[1m'"' *" -V 4 --temp $'\x1b[1m'
	refuses '--\\x1b\[1m: *' $'--\x1b[1m'
	refuses '-\\x1b: *' $'-\x1b'
}

@test "bytes that are no UTF-8 are shown in hex, UTF-8 as it is" {
	breaks '' 'a\\xff\\xc3(\\xed\\xa0\\x80: *' \
	    -V 4 $'a\xff\xc3(\xed\xa0\x80'
	breaks '' 'é→🙂: *' -V 4 é→🙂
}

@test "a name of any length is no harm" {
	long=$(printf 'x%.0s' {1..5000})
	breaks '' 'xxx*' -V 4 "$long"
	refuses '--xxx*' "--$long"
	refuses '--temp: *xxx*' -V 4 --temp "$long"
	refuses '--samplers: *xxx*' -V 4 --samplers "$long"
	refuses '--eos: *xxx*' -V 4 --eos "$long"
	refuses '--output: *xxx*' -V 4 --output "$long"
}
