#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --rng-state, and the state that --summary reports: where the random numbers
# were left they go on.

load helper

# A Python program, standard input, that can import generators.py.
reckon()
{
	{
		echo "import sys; sys.path.insert(0, '$here')"
		cat
	} | python -B - "$@"
}

# initial GENERATOR SEED [UNITS]: its state after so many units.
initial()
{
	reckon "$@" <<-'END'
		import generators
		g = getattr(generators, sys.argv[1])(int(sys.argv[2]))
		for _ in range(int(sys.argv[3]) if len(sys.argv) > 3 else 0):
		    g.unit()
		print(g.text())
	END
}

# The state that the summary has.
state()
{
	sed 's/.*"rng_state":"\([0-9a-f]*\)".*/\1/' summary
}

policies='golem strict llama.cpp llama.cpp-2026-07 llama.cpp-2026-05'

generator_of()
{
	case $1 in
	golem) echo PCG ;;
	strict) echo SplitMix64 ;;
	*) echo MT19937 ;;
	esac
}

digits_of()
{
	case $1 in
	golem) echo 32 ;;
	strict) echo 16 ;;
	*) echo 5000 ;;
	esac
}

@test "a run that is cut goes on from the state of its summary" {
	zstd -dcq "$data/story-1.f32.zst" >in
	for policy in $policies; do
		set -- --policy "$policy" -V 512 --temp 1.5
		try "$@" -s 9 in
		check_status 0
		cp out whole
		for n in 1 7 100 255; do
			head -c $((2048 * n)) in >first
			tail -c +$((2048 * n + 1)) in >rest
			try "$@" -s 9 --summary summary first
			cp out parts
			# The seed is another: it counts for nothing.
			try "$@" -s 10 --rng-state "$(state)" rest
			check_status 0
			check_silence
			cat out >>parts
			check_same whole parts
		done
	done
}

@test "the summary of the second run is that of the whole" {
	even >in
	even | head -c 48 >first
	even | tail -c 80 >rest
	for policy in $policies; do
		set -- --policy "$policy" -V 4
		try "$@" --summary summary in
		whole=$(state)
		try "$@" --summary summary first
		part=$(state)
		[[ $part != "$whole" ]] || fail 'wanted the state to move'
		try "$@" --rng-state "$part" --summary summary rest
		[[ $(state) == "$whole" ]] || fail 'wanted the whole state'
	done
}

@test "states are those of the generators, as their definitions have them" {
	even >in
	for policy in $policies; do
		generator=$(generator_of "$policy")
		for seed in 0 1 42 4294967294; do
			try --policy "$policy" -V 4 -s $seed --summary summary \
			    /dev/null
			[[ $(state) == "$(initial "$generator" $seed)" ]] ||
			    fail "$policy: seed $seed"
		done
		try --policy "$policy" -V 4 -s 42 --summary summary in
		[[ $(state) == "$(initial "$generator" 42 8)" ]] ||
		    fail "$policy: 8 draws"
		(($(state | tr -d '\n' | wc -c) == $(digits_of "$policy")))
	done
}

@test "golem's and strict's largest seeds make their states" {
	max=18446744073709551615
	try -V 4 -s $max --summary summary /dev/null
	[[ $(state) == ffffffffffffffff61c8864680b583ea ]]
	try --policy strict -V 4 -s $max --summary summary /dev/null
	[[ $(state) == ffffffffffffffff ]]
}

@test "mt19937's state is one that Python's own mt19937 goes on from" {
	even >in
	tokpick --policy llama.cpp -V 4 -s 7 in | tail -n 3 >rest
	try --policy llama.cpp -V 4 -s 7 -n 5 --summary summary in
	state | python -c '
import random, sys
text = sys.stdin.read().strip()
words = [int(text[i:i + 8], 16) for i in range(0, 5000, 8)]
r = random.Random()
r.setstate((3, tuple(words), None))
for _ in range(3):
    low, high = r.getrandbits(32), r.getrandbits(32)
    print(4 * (low + (high << 32)) >> 64)' >expected
	check_same expected rest
}

@test "a state is where the numbers start, whatever the seed" {
	even >in
	for policy in $policies; do
		generator=$(generator_of "$policy")
		tokpick --policy "$policy" -V 4 -s 42 in >seeded
		for seed in 0 7 random; do
			try --policy "$policy" -q -V 4 -s $seed \
			    --rng-state "$(initial "$generator" 42)" in
			check_status 0
			check_same seeded out
		done
	done
}

@test "of several states the last holds" {
	even >in
	draws "$even_ids" -V 4 --rng-state "$(initial PCG 3)" \
	    --rng-state "$(initial PCG 0)" in
}

@test "capital digits are digits" {
	even >in
	draws "$even_ids" -V 4 \
	    --rng-state "$(initial PCG 0 | tr a-f A-F)" in
	tokpick --policy llama.cpp -V 4 -s 5 in >seeded
	try --policy llama.cpp -V 4 \
	    --rng-state "$(initial MT19937 5 | tr a-f A-F)" in
	check_status 0
	check_same seeded out
}

@test "what uses no random number leaves the state" {
	rows -n 3 '9 0 0' >in
	for policy in $policies; do
		before=$(initial "$(generator_of "$policy")" 5)
		try --policy "$policy" -V 3 --greedy --rng-state "$before" \
		    --summary summary in
		check_status 0
		[[ $(state) == "$before" ]] || fail "$policy: greedy"
		try --policy "$policy" -V 3 --inspect --rng-state "$before" \
		    --summary summary in
		check_status 0
		[[ $(state) == "$before" ]] || fail "$policy: --inspect"
		try --policy "$policy" -V 3 -n 0 --rng-state "$before" \
		    --summary summary in
		check_status 0
		[[ $(state) == "$before" ]] || fail "$policy: -n 0"
	done
}

@test "a failing row leaves the state before it" {
	rows '0 0 0' '0 0 0' '0 nan 0' '0 0 0' >in
	for policy in $policies; do
		try --policy "$policy" -V 3 -s 6 --summary summary in
		check_status 1
		[[ $(state) == \
		    "$(initial "$(generator_of "$policy")" 6 2)" ]] ||
		    fail "$policy: wanted the state after two draws"
	done
}

@test "a token without a piece leaves the state before it" {
	rows -n 4 '0*4' >in
	printf 'a\nb\nc\n' >pieces
	for policy in $policies; do
		generator=$(generator_of "$policy")
		tokpick --policy "$policy" -V 4 -s 1 in >ids
		n=$(awk '$1 == 3 { print NR - 1; exit }' ids)
		try --policy "$policy" -V 4 -s 1 -o text --pieces pieces \
		    --summary summary in
		check_status 1
		check_message "row $((n + 1)): token 3 has no piece*"
		[[ $(state) == "$(initial "$generator" 1 "$n")" ]] ||
		    fail "$policy: wanted the state after $n draws"
	done
}

@test "xtc's coin has a generator of its own, that the seed starts" {
	zstd -dcq "$data/story-1.f32.zst" | head -c 20480 >in
	set -- --policy llama.cpp -V 512 --no-defaults --xtc-probability 0.5 \
	    -o jsonl
	try "$@" -s 3 in
	grep -o '"coin":[0-9.e-]*' out >coins
	(($(wc -l <coins) == 10))
	try "$@" -s 3 --rng-state "$(initial MT19937 8)" in
	grep -o '"coin":[0-9.e-]*' out >same
	check_same coins same
	try "$@" -s 8 in
	grep -o '"coin":[0-9.e-]*' out >others
	! cmp -s coins others || fail 'wanted other coins'
}

@test "a wrong number of digits is refused, with the right one" {
	for policy in $policies; do
		right=$(initial "$(generator_of "$policy")" 0)
		digits=$(digits_of "$policy")
		for wrong in '' 0 "${right}0" "${right:1}" "$right$right" \
		    "0x${right:2}" " ${right:1}" "${right:1} " \
		    "${right:1}g" "-${right:1}" "+${right:1}"; do
			try --policy "$policy" -V 4 --rng-state="$wrong" \
			    /dev/null
			check_status 2
			[[ $(wc -l <err) == 1 && $(<err) == 'tokpick: '* &&
			    $(<err) == *--rng-state* &&
			    $(<err) == *"$digits hexadecimal digits"* ]] ||
			    fail "$policy: ${wrong:0:40}"
		done
	done
}

@test "a state of another generator is refused, by the name of ours" {
	refuses '--rng-state: *pcg-dxsm: 32 *' -V 4 \
	    --rng-state "$(initial SplitMix64 1)" /dev/null
	refuses '--rng-state: *splitmix64: 16 *' -V 4 --policy strict \
	    --rng-state "$(initial PCG 1)" /dev/null
	refuses '--rng-state: *mt19937: 5000 *' -V 4 --policy llama.cpp \
	    --rng-state "$(initial PCG 1)" /dev/null
}

@test "mt19937 has used up no more words than there are" {
	right=$(initial MT19937 1)
	for used in 00000000 00000001 0000026f 00000270; do
		try --policy llama.cpp -V 4 --rng-state "${right:0:4992}$used" \
		    /dev/null
		check_status 0
	done
	for used in 00000271 00000300 7fffffff ffffffff; do
		try --policy llama.cpp -V 4 --rng-state "${right:0:4992}$used" \
		    /dev/null
		check_status 2
		check_message '--rng-state: *'
	done
}

@test "a number of 0 draws the first token that can be drawn" {
	rows '-inf 0 -inf 0' >in
	zeros=$(printf '%04992d%08d' 0 0)
	for stages in temperature min_p; do
		draws 1 --policy llama.cpp --samplers $stages -V 4 \
		    --rng-state "$zeros" in
	done
}

@test "a state of the right length that is no state is told as what it is" {
	right=$(initial MT19937 1)
	try --policy llama.cpp -V 4 --rng-state "${right:0:4992}00000271" \
	    /dev/null
	check_status 2
	[[ $(<err) == *' 624'* ]] || fail 'wanted to know of at most 624 words'
	(($(wc -c <err) < 1000)) || fail 'wanted a message one can read'
}
