#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# How options are written, and what is said of wrong ones.

load helper

@test "--name VALUE and --name=VALUE are the same" {
	halves >in
	draws "$halves_best_2" --vocab 4 --top-k 2 in
	draws "$halves_best_2" --vocab=4 --top-k=2 in
}

@test "letters may be joined, and have their value behind them" {
	halves >in
	draws 1 -qn1 -V4 in
	draws 1 -q -n 1 -V 4 in
}

@test "a value may begin with a minus" {
	draws "$halves_ids" -V 4 --top-k -1 -n -1 < <(halves)
}

@test "the last of several values holds" {
	draws "$halves_best_2" -V 7 -V 4 --top-k 1 --top-k 2 < <(halves)
}

@test "a long option may be cut short where that is clear" {
	draws "$halves_best_2" --voc 4 --top-k 2 < <(halves)
}

@test "where it is not, the message names those it may be" {
	refuses '--top-: which of *--top-k*, --top-p*[?]' -V 4 --top- 2
	refuses '--top-: which of *--top-k*, --top-p*[?]' -V 4 --top-=2
	refuses '--ver: which of --verbose, --version[?]' --ver
	refuses '--repeat: which of --repeat-last-n, --repeat-penalty[?]' \
	    --repeat
}

@test "of an unknown long option the nearest one is named" {
	while read -r wrong right; do
		refuses "--$wrong: no such option; did you mean --${right}[?]" \
		    -V 4 "--$wrong"
		refuses "--$wrong: no such option; did you mean --${right}[?]" \
		    -V 4 "--$wrong=1"
	done <<-'END'
		tmep temp
		tepm temp
		topk top-k
		top_p top-p
		vocabs vocab
		seeed seed
		ctx_size ctx-size
		logit-bais logit-bias
		repeat-pennalty repeat-penalty
		frequency_penalty frequency-penalty
		samplres samplers
		sumary summary
		outputs output
		hepl help
		verison version
	END
}

@test "of one that is near none, --help is" {
	refuses '--zzzzzz: no such option; tokpick --help *' -V 4 --zzzzzz
	refuses '--flux-capacitor: no such option; tokpick --help *' \
	    --flux-capacitor 2
}

@test "of an unknown letter, -h is" {
	refuses '-z: no such option; tokpick -h *' -V 4 -z
	refuses '-z: no such option; tokpick -h *' -vz
	refuses '-V: wants an argument, N' -V
	refuses '-1: no such option; *' -1
}

@test "a missing argument is told, by its name" {
	refuses '--vocab: wants an argument, N' --vocab
	refuses '--pieces: wants an argument, FILE' -V 4 --pieces
	refuses '-o: wants an argument, FORMAT' -V 4 -o
	refuses '-s: wants an argument, N' -V 4 -qs
}

@test "an argument to an option that takes none is told" {
	refuses '--greedy: takes no argument' -V 4 --greedy=yes
	refuses '--quiet: takes no argument' -V 4 --quiet=
	refuses '--no-defaults: takes no argument' --no-def=1
}

@test "--policy golem is the default" {
	halves >in
	draws "$halves_ids" -V 4 --policy golem in
	refuses "--policy: 'gollem' is none of *golem*" -V 4 --policy gollem
}

@test "a wrong option is told before any file is opened" {
	even >in
	refuses '--top-k: *' -V 4 in --top-k x
	refuses '--top-k: *' -V 4 --top-k x missing
	try -V 4 --top-k x --summary summary in
	[[ ! -e summary ]]
}
