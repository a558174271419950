#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What is drawn inside the grammars that come with tokpick is what they say.

load helper

grammars=$here/../../scripts/grammars
pieces=$here/../vectors/constrained/pieces-a.txt

# Texts for each grammar; a slow build may do with fewer.
texts=${TOKPICK_TEXTS:-1000}

# write_texts NAME: draw texts from logits that are all the same, each with a
# seed of its own, into the files text.N.  Each ends by an end token: the
# grammar alone has led it to where that is allowed.
write_texts()
{
	local seed
	for ((seed = 0; seed < texts; seed++)); do
		tokpick -V 138 --no-defaults -s "$seed" --pieces "$pieces" \
		    --grammar-file "$grammars/$1" --eos 0 -n 5000 -o text \
		    --summary summary.$seed /dev/zero >text.$seed
	done
	[[ $(grep -l '"stop":"eos"' summary.* | wc -l) -eq $texts ]]
}

@test "json.gbnf: every text is JSON" {
	write_texts json.gbnf
	run -0 python -c '
import glob, json
texts = [open(name, encoding="utf-8").read() for name in glob.glob("text.*")]
for text in texts:
    json.loads(text)
print(len(texts), len(set(texts)) > len(texts) / 4)'
	[ "$output" = "$texts True" ]
}

@test "json-lines.gbnf: every line is an object" {
	write_texts json-lines.gbnf
	cat text.* >lines
	run -0 python -m json.tool --json-lines lines pretty
	[ "$(tail -qc 1 text.* | grep -c '^$')" -eq "$texts" ]
	[ "$(wc -l <lines)" -ge "$texts" ]
	run -1 grep -v '^{' lines
}

@test "date.gbnf: every text is a date that there is" {
	write_texts date.gbnf
	for text in text.*; do
		cat "$text"
		echo
	done >dates
	[ "$(wc -l <dates)" -eq "$texts" ]
	date -u -f dates +%Y-%m-%d >again
	cmp dates again
}

@test "arithmetic.gbnf: bc works every text out" {
	write_texts arithmetic.gbnf
	for text in text.*; do
		cat "$text"
	done >sums
	[ "$(wc -l <sums)" -eq "$texts" ]
	BC_LINE_LENGTH=0 bc <sums >results 2>errors
	[ ! -s errors ]
	[ "$(grep -c -x -E -e '-?[0-9]+' results)" -eq "$texts" ]
}

@test "choice.gbnf: every text is one of the list, and each of it is drawn" {
	write_texts choice.gbnf
	for text in text.*; do
		cat "$text"
		echo
	done | LC_ALL=C sort -u >choices
	printf '%s\n' maybe no 'no answer' yes >list
	cmp choices list
}
