#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The manual and --help have the same options.

load helper

manual=$BATS_TEST_DIRNAME/../../man/tokpick.1

# What an option's entry in the manual begins with, a line each: letter (or
# -) and long name.
explained()
{
	awk '/^\.It Fl/ {
		letter = "-"
		for (i = 3; i <= NF; i++) {
			if ($i ~ /^[A-Za-z]$/ && $(i - 1) == "Fl")
				letter = $i
			if ($i ~ /^-[a-z]/)
				print letter, substr($i, 2)
		}
	}' "$manual" | sort
}

@test "every option of --help is explained in the manual, and no other" {
	list_options >help
	(($(wc -l <help) > 25))
	explained >entries
	diff help entries
}

@test "the manual has the letters of --help" {
	list_options | grep -v '^-' >help
	(($(wc -l <help) >= 10))
	explained | grep -v '^-' >entries
	diff help entries
}

@test "the keys of the summary are in the manual" {
	tokpick -V 4 --summary summary </dev/null
	python -c '
import json
top = json.load(open("summary"))
print("\n".join([*top, *top["settings"]]))' >keys
	(($(wc -l <keys) > 15))
	while read -r key; do
		grep -q "\<$key\>" "$manual" || fail "the manual lacks $key"
	done <keys
}

@test "the reasons to stop are in the manual" {
	for reason in end-of-input last-row eos token-limit context-limit error; do
		grep -q -e "\<$reason\>" "$manual" ||
		    fail "the manual lacks $reason"
	done
}
