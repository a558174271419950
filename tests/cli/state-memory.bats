#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What a sampler remembers from row to row, as a state file has it.

load helper

# saved OPTION...: a state of llama.cpp behind three rows; more are to come.
saved()
{
	rows -n 3 '0 1 2 0.5' >first
	rows -n 5 '0 1 2 0.5' >rest
	tokpick --policy llama.cpp -V 4 "$@" --save-state good first >ignored
}

# value NAME: what the state says of it.
value()
{
	sed -n "s/^sampler $1 //p" good
}

# forged NAME VALUE: the state s, which says that instead.
forged()
{
	cp good s
	python "$here/forge.py" s "sampler $1 $(value "$1")" "sampler $1 $2"
}

# is_no NAME VALUE MESSAGE: a state that says so is refused, by its line.
is_no()
{
	forged "$1" "$2"
	breaks '' "s: line *: sampler $1: $3" --load-state s rest
}

@test "what is no state of the generator is refused" {
	saved
	is_no rng "mt19937x$(value rng | cut -c9-)" \
	    "'mt19937*' is no state of mt19937*"
	is_no rng 'mt19937x' "'mt19937x' is no state of mt19937*"
	is_no rng 'mt19937 12' "'mt19937 12' is no state of mt19937*"
	is_no rng 'pcg-dxsm 12' "'pcg-dxsm 12' is no state of mt19937*"
}

@test "mirostat's bound is a number" {
	saved --mirostat 2
	for wrong in x 1x '1 ' '1 2' nano; do
		is_no mirostat-mu "$wrong" "'$wrong' is not a number"
	done
}

@test "adaptive_p's sums are two numbers" {
	saved --samplers adaptive_p --adaptive-target 0.5
	for wrong in x 1 '1 ' '1 x' '1 2x' '1 2 3' '1x 2' 'nano 1'; do
		is_no adaptive-sums "$wrong" "'$wrong' is not two numbers"
	done
}

@test "dry's ids are ids, with a blank between them" {
	saved --dry-multiplier 1
	for wrong in x -1 '1 x' '1 -1' 2147483648 '1 ' 1,2 '1  2' '1 :'; do
		is_no dry "$wrong" "'*' is no id of 0 to 2147483647"
	done
	forged dry '1 2147483647'
	try --load-state s rest
	check_status 0
}

# first_p: the probabilities in the first row behind the state s.
first_p()
{
	head -c 16 rest >row
	tokpick --load-state s -o jsonl --top 4 row | python -c '
import json
print(sorted(c["p"] for c in json.loads(input())["candidates"]))'
}

@test "adaptive_p aims at its target where it remembers nothing" {
	saved --samplers adaptive_p --adaptive-target 0.5
	forged adaptive-sums '2 4'
	first_p >half
	forged adaptive-sums '0 0'
	first_p >none
	check_same half none
	forged adaptive-sums '3 4'
	first_p >more
	run -1 cmp -s half more
}

@test "a seed that is forced starts the generators, and nothing else, anew" {
	saved --mirostat 2 -s 3
	rows -n 5 '0 1 2 0.5' >rest
	tokpick --load-state good --force-settings -s 5 -n 0 \
	    --save-state s rest
	[[ $(value mirostat-mu) == "$(sed -n 's/^sampler mirostat-mu //p' s)" ]]
	[[ $(value rng) != "$(sed -n 's/^sampler rng //p' s)" ]]
}
