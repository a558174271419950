#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# No output goes over what is still to be read.

load helper

@test "a summary over the rows is refused, and the rows are still there" {
	rows '1 0' '0 1' >in
	cp in kept
	refuses '--summary: in is the file of the rows too*' \
	    -V 2 --summary in in
	check_same in kept
	refuses '--summary: in is the file of the rows too*' \
	    -V 2 --summary in <in
	check_same in kept
	ln in other
	refuses '--summary: other is the file of the rows too*' \
	    -V 2 --summary other in
	check_same in kept
}

@test "a state over the rows is refused, and the rows are still there" {
	rows '1 0' '0 1' >in
	cp in kept
	refuses '--save-state: in is the file of the rows too*' \
	    -V 2 --save-state in in
	check_same in kept
}

@test "an output over a list that is read is refused" {
	rows '1 0' '0 1' >in
	printf '0\n1\n' >ids
	cp ids kept
	for option in expect history; do
		refuses "--summary: ids is the file of --$option too*" \
		    -V 2 --summary ids "--$option" ids in
		check_same ids kept
	done
	refuses '--save-state: ids is the file of --prompt too*' \
	    -V 2 --save-state ids --prompt @ids in
	check_same ids kept
	printf '0+1\n' >biases
	refuses '--summary: ./biases is the file of --logit-bias too*' \
	    -V 2 --summary ./biases --logit-bias 1+2 --logit-bias @biases in
	printf '1\n' >ends
	refuses '--report: ends is the file of --eos too*' \
	    -V 2 --report ends --eos 1 --eos @ends in
	refuses '--save-state: ids is the file of --dry-breaker too*' \
	    -V 2 --policy llama.cpp --dry-breaker @ids --save-state ids in
	[[ $(<biases) == 0+1 ]]
}

@test "the summary and the state are two files" {
	rows '1 0' >in
	refuses '--summary: new is the file of --save-state too*' \
	    -V 2 --summary new --save-state new in
	[[ ! -e new ]]
}

@test "a state may replace the one that was loaded" {
	rows '1 0' '0 1' >in
	head -c 8 in >first
	tail -c 8 in >rest
	try -V 2 --greedy --save-state s first
	check_status 0
	try --load-state s --save-state s rest
	check_status 0
	check_ids '1'
}

@test "a resumed run takes the type of rows that the state was made with" {
	rows -d f16 '1 0' '0 1' >in
	head -c 4 in >first
	tail -c 4 in >rest
	try -V 2 -d f16 --greedy --save-state s first
	check_status 0
	try --load-state s rest
	check_status 0
	check_ids '1'
}
