#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# -h, --help and --version.

load helper

# Options that it has in any case.
options='vocab dtype input max-window pieces
    policy seed temp greedy no-defaults top-k top-p min-p repeat-last-n
    repeat-penalty frequency-penalty presence-penalty logit-bias min-keep
    samplers
    prompt predict eos ctx-size
    output summary verbose quiet completions help version'

@test "-h is one screen of 24 lines and 80 columns" {
	try -h
	check_status 0
	check_silence
	(($(wc -l <out) <= 24)) || fail "$(wc -l <out) lines"
	(($(wc -L <out) <= 80)) || fail "$(wc -L <out) columns"
	grep -q '^usage: tokpick' out
	grep -q -e --vocab out
	grep -q -e '--help' out
}

@test "--help fits 80 columns" {
	try --help
	check_status 0
	check_silence
	(($(wc -L <out) <= 80)) || fail "$(wc -L <out) columns"
}

@test "--help has every option, once" {
	list_options >listed
	sed 's/^. //' listed | sort >names
	# shellcheck disable=SC2086 # words
	printf '%s\n' $options | sort >wanted
	[[ -z $(comm -23 wanted names) ]] ||
	    fail "missing: $(comm -23 wanted names)"
	[[ -z $(uniq -d names) ]] || fail "twice: $(uniq -d names)"
}

@test "--help has the letters of those that have one" {
	list_options >listed
	for pair in V:vocab d:dtype s:seed l:logit-bias n:predict c:ctx-size \
	    o:output v:verbose q:quiet h:help; do
		grep -qx "${pair%:*} ${pair#*:}" listed || fail "no $pair"
	done
}

# check_group TITLE OPTION...: these are among the options under that title.
check_group()
{
	local title=$1 option
	shift
	tokpick --help | sed -n "/^$title:\$/,/^\$/p" >group
	for option; do
		grep -q "^  \(-.,\|   \) --$option\( \|\$\)" group ||
		    fail "no --$option under $title"
	done
}

@test "--help has them in groups" {
	check_group Input vocab dtype input max-window pieces
	check_group 'What is drawn from' policy seed temp greedy no-defaults \
	    top-k top-p min-p repeat-last-n repeat-penalty \
	    frequency-penalty presence-penalty logit-bias min-keep samplers
	check_group 'The conversation' prompt predict eos ctx-size
	check_group Output output summary verbose quiet help version
}

@test "what --help shows with an argument takes one, the rest take none" {
	list_options >listed
	try --help
	mv out help
	while read -r _ option; do
		if grep -q "^  \(-.,\|   \) --$option [^ ]" help; then
			refuses "--$option: wants an argument, *" "--$option"
		else
			refuses "--$option: takes no argument" "--$option=1"
		fi
	done <listed
}

@test "the defaults that --help shows are what is taken" {
	try --help
	# A default ends an option's text, which may take several lines.
	awk '/^  (-.,|   ) --/ && match($0, /--[a-z-]+/) {
		option = substr($0, RSTART, RLENGTH)
	}
	option && match($0, /\[[^]]*\]$/) {
		print option "=" substr($0, RSTART + 1, RLENGTH - 2)
		option = ""
	}' out >defaults
	for known in --top-k=64 --top-p=0.95 --seed=0 --dtype=f32; do
		grep -qxe "$known" defaults || fail "no $known: $(<defaults)"
	done
	# This one is refused where --exec is not.
	mapfile -t given < <(grep -v '^--exec-prefix=' defaults)
	tokpick -V 512 "$data/story-1.f32.zst" >a
	tokpick -V 512 "${given[@]}" "$data/story-1.f32.zst" >b
	check_same a b
}

@test "-h shows the main options, as --help does" {
	try -h
	sed -n 's/^  \(-.,\|   \) --\([a-z-]*\).*/\1 \2/p' out | sort >brief
	try --help
	sed -n 's/^  \(-.,\|   \) --\([a-z-]*\).*/\1 \2/p' out | sort >all
	[[ -z $(comm -23 brief all) ]] || fail "$(comm -23 brief all)"
	for option in vocab seed temp top-k output help; do
		grep -q " $option\$" brief || fail "no --$option"
	done
}

@test "help is given whatever else is there, and no input is read" {
	try -V 4 --help missing < <(rows nan)
	check_status 0
	grep -q '^Input:$' out
	try -hV 4
	check_status 0
	grep -q '^usage: ' out
}

@test "--version is one line: the name and the version" {
	try --version
	check_status 0
	check_silence
	(($(wc -l <out) == 1))
	grep -qx 'tokpick [0-9][0-9]*\.[0-9][0-9]*\.[0-9][0-9]*' out
}
