#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --policy strict: the textbook sampler, and what it refuses.

load helper

vectors=$here/../vectors

# A Python program, standard input, that can import generators.py.
reckon()
{
	{
		echo "import sys; sys.path.insert(0, '$here')"
		cat
	} | python -B - "$@"
}

state()
{
	sed 's/.*"rng_state":"\([0-9a-f]*\)".*/\1/' summary
}

# The state of SplitMix64 that began with a seed after so many numbers.
state_after()
{
	python -c '
import sys
seed, n = map(int, sys.argv[1:])
print(f"{(seed + n * 0x9e3779b97f4a7c15) % 2**64:016x}")' "$@"
}

# strict [ARGUMENT]...: four values a row, in 64 bits.
strict()
{
	try --policy strict -V 4 -d f64 "$@"
}

# ill ROWS STATUS IDS MESSAGE [ARGUMENT]...
ill()
{
	strict "${@:5}" "$1"
	check_status "$2"
	check_message "$4"
	check_ids "$3"
}

# --- The vectors of what is refused ----------------------------------------

# judge_case ARGS EXPECTED: the last run ended as the case says, with
# everything in its message that the case knows.
judge_case()
{
	local ids=${2%%ERROR*} value row
	ids=${ids% }
	row=$(($(wc -w <<<"$ids") + 1))
	value=${2##*value: }
	value=${value% \}}
	case $2 in
	*NonFiniteLogit*)
		check_status 1
		[[ $2 =~ token_id:\ ([0-9]+), ]]
		[[ $value != inf ]] || value=+inf
		check_message \
		    "row $row: logit of token ${BASH_REMATCH[1]} is $value: *"
		;;
	*InvalidTemperature*)
		[[ $1 =~ --temp\ ([^ ]+) ]]
		check_status 2
		check_message "--temp: *${BASH_REMATCH[1]}*"
		;;
	*InvalidTopK*)
		[[ $2 =~ top_k:\ ([0-9]+),\ vocabulary_size:\ ([0-9]+) ]]
		check_status 2
		check_message \
		    "--top-k: ${BASH_REMATCH[1]}: *1 to ${BASH_REMATCH[2]}"
		;;
	*)
		fail "an error that the test does not know: $2"
		;;
	esac || return
	check_ids "$ids"
}

@test "each case of strict-errors.tsv: ids before it, status, facts" {
	cases=0
	{
		read -r
		while IFS=$'\t' read -r name rows args expected; do
			# shellcheck disable=SC2086 # words
			try $args "$vectors/$rows"
			judge_case "$args" "$expected" ||
			    fail "$name: $expected"
			cases=$((cases + 1))
		done
	} <"$vectors/strict-errors.tsv"
	((cases == 13)) || fail "$cases cases"
}

# --- What is checked, and in which order -----------------------------------

@test "logits come first, then the temperature, then k" {
	rows -d f64 '0 1 nan 2' >bad
	rows -d f64 '0 1 1 2' >good
	ill bad 1 '' 'row 1: *token 2 *' --temp 0 --top-k 9
	ill bad 1 '' 'row 1: *token 2 *' --temp -1
	ill bad 1 '' 'row 1: *token 2 *' --top-k 0
	ill bad 1 '' 'row 1: *token 2 *' --greedy --top-k 9
	ill good 2 '' '--temp: 0: *' --temp 0 --top-k 9
	ill good 2 '' '--temp: -1: *' --temp -1 --top-k 0
	ill good 2 '' '--top-k: 9: *1 to 4' --top-k 9
	ill good 2 '' '--top-k: 0: *1 to 4' --top-k 0
	ill good 2 '' '--top-k: -1: *1 to 4' --top-k -1
	ill good 2 '' '--top-k: 5: *1 to 4' --top-k 5 --greedy
}

@test "of several bad logits the lowest id is told" {
	rows -d f64 'inf nan -inf 0' >in
	ill in 1 '' 'row 1: logit of token 0 is +inf: *'
	rows -d f64 '0 -inf inf nan' >in
	ill in 1 '' 'row 1: logit of token 1 is -inf: *'
	rows -d f64 '0 0 0 nan' >in
	ill in 1 '' 'row 1: logit of token 3 is NaN: *'
}

@test "a -inf that k would leave out is refused, and with --greedy" {
	rows -d f64 '3 2 1 -inf' >in
	ill in 1 '' 'row 1: logit of token 3 is -inf: *' --top-k 1
	ill in 1 '' 'row 1: logit of token 3 is -inf: *' --greedy
}

@test "with --greedy a temperature does not matter" {
	rows -d f64 '0 1 1 2' >in
	for temp in 0 -1 1e-300 7; do
		draws 3 --policy strict -V 4 -d f64 --greedy --temp $temp in
	done
}

@test "a temperature that is no finite number is refused" {
	for temp in nan inf -inf 1e999 warm; do
		refuses "--temp: *$temp*" --policy strict -V 4 --temp $temp
	done
}

@test "the smallest and the largest temperatures are taken" {
	rows -d f64 '2 2 1 0' >in
	for temp in 4.9e-324 2.2250738585072014e-308 1e-300; do
		strict --temp $temp -o jsonl in
		check_status 0
		check_json out 'support=[0,1]' 'retained=[0,1,2,3]' p=0.5
	done
	strict --temp 1.7976931348623157e308 -o jsonl in
	check_status 0
	check_json out 'support=[0,1,2,3]' p=0.25
}

@test "logits at the ends of what a float64 holds" {
	rows -d f64 '1.7976931348623157e308 -1.7976931348623157e308 0 1' >in
	strict -o jsonl in
	check_status 0
	check_json out id=0 'support=[0]' p=1
	strict --temp 1e308 -o jsonl in
	check_status 0
	check_json out 'support=[0,1,2,3]'
	strict --temp 0.5 -o jsonl in
	check_json out id=0 'support=[0]' p=1
}

@test "-0 is 0: the lower id is first" {
	rows -d f64 '-0 0 -0 -1' >in
	strict --greedy in
	check_ids 0
	strict --top-k 2 -o jsonl in
	check_json out 'retained=[0,1]'
}

# --- Errors move nothing ---------------------------------------------------

@test "a row that is refused moves nothing" {
	rows -d f64 '0 0 0 0' '0 1 2 3' '0 1 -inf 0' '0 0 0 0' >in
	strict -s 5 --summary summary in
	check_status 1
	check_message 'row 3: *'
	(($(wc -l <out) == 2)) || fail 'wanted the ids before it'
	[[ $(state) == "$(state_after 5 2)" ]] || fail 'the state moved'
	check_json summary tokens=2 'stop="error"'
	for options in '--temp 0' '--top-k 9'; do
		# shellcheck disable=SC2086 # the options are words
		strict -s 5 --summary summary $options in
		check_status 2
		check_ids ''
		[[ $(state) == "$(state_after 5 0)" ]] || fail 'it moved'
	done
}

@test "behind a row that is refused draws go on as if it were not there" {
	rows -d f64 '0 0 0 0' >one
	rows -d f64 '0 0 0 0' '0 nan 0 0' >two
	for _ in 1 2 3; do cat one; done >rest
	strict -s 8 --save-state s two
	check_status 1
	cp out parts
	try --load-state s -d f64 rest
	check_status 0
	cat out >>parts
	cat one rest >whole
	strict -s 8 whole
	check_same out parts
}

# --- Options ---------------------------------------------------------------

# Those that decide what is drawn, and strict does not have.
foreign()
{
	tokpick --help | awk '
	    /^[A-Z]/ { group = $0 }
	    group ~ /^What is drawn from/ && /^  (-.,|   ) --/ {
	        sub(/^  (-.,|   ) --/, "", $0)
	        sub(/ .*/, "", $0)
	        print }' |
	    grep -v -x -E 'policy|seed|stream|rng-state|temp|greedy|top-k|mask|draws' |
	    grep -v -x no-defaults
}

@test "no option but its own is taken, and those that take it are named" {
	even >in
	foreign >list
	(($(wc -l <list) > 25)) || fail "only $(wc -l <list) options"
	for option in $(<list); do
		case $option in
		ignore-eos) value='' ;;
		samplers) value='=top_k' ;;
		sampler-seq) value='=k' ;;
		logit-bias) value='=1+1' ;;
		*) value='=1' ;;
		esac
		refuses "--$option: *strict*llama.cpp*" --policy strict -V 4 \
		    "--$option$value" in
	done
}

@test "there are no stages that --no-defaults could turn off" {
	even >in
	refuses '--no-defaults: *strict*golem*llama.cpp*' --policy strict \
	    -V 4 --no-defaults in
}

@test "its own options are taken" {
	even >in
	tokpick --policy strict -V 4 in >plain
	try --policy strict -V 4 --seed 0 --temp 1 --top-k 4 --draws 1 in
	check_status 0
	check_silence
	check_same plain out
	try --policy strict -V 4 -s 1 in
	! cmp -s plain out || fail 'the seed made no difference'
}

@test "k is all of the row where it is not given" {
	zstd -dcq "$data/story-1.f32.zst" >in
	tokpick --policy strict -V 512 --temp 3 --top-k 512 in >all
	try --policy strict -V 512 --temp 3 in
	check_status 0
	check_same all out
	try --policy strict -V 512 --temp 3 --top-k 64 in
	! cmp -s all out || fail 'k made no difference'
}

# --- Rows of other types ---------------------------------------------------

@test "narrower types are made as wide, exactly" {
	python - <<-'END'
		import array, random, struct
		r = random.Random(3)
		types = {"f32": "<f", "f16": "<e"}
		for name, code in types.items():
		    values = [struct.unpack(code, struct.pack(
		        code, r.gauss(0, 3)))[0] for _ in range(100 * 20)]
		    with open(name, "wb") as file:
		        for value in values:
		            file.write(struct.pack(code, value))
		    with open(name + ".wide", "wb") as file:
		        array.array("d", values).tofile(file)
		bf16 = [struct.pack("<f", r.gauss(0, 3))[2:]
		        for _ in range(2000)]
		open("bf16", "wb").write(b"".join(bf16))
		wide = [struct.unpack("<f", b"\0\0" + b)[0] for b in bf16]
		array.array("d", wide).tofile(open("bf16.wide", "wb"))
	END
	for type in f32 f16 bf16; do
		for temp in 0.3 1 3; do
			tokpick --policy strict -V 20 -d f64 --temp $temp \
			    -o jsonl $type.wide >wide
			try --policy strict -V 20 -d $type --temp $temp \
			    -o jsonl $type
			check_status 0
			(($(wc -l <out) == 100))
			check_same wide out
		done
	done
}

@test "float64 is not rounded to float32" {
	# The logits are one apart in the 53rd bit.
	rows -d f64 '0x3ff0000000000000 0x3ff0000000000001 0 0' >in
	strict --greedy in
	check_ids 1
	strict --top-k 2 -o jsonl in
	check_json out 'retained=[1,0]'
}

# --- Random numbers --------------------------------------------------------

@test "greedy draws no random number" {
	even >in
	try --policy strict -V 4 -s 5 --greedy --summary summary in
	check_status 0
	check_ids '0 0 0 0 0 0 0 0'
	[[ $(state) == "$(state_after 5 0)" ]] || fail 'the state moved'
	try --policy strict -V 4 -n 1 --greedy -o jsonl in
	check_json out u=null 'interval=[0,1]' p=1
}

@test "k = 1 draws one, and so does a row with one choice" {
	even >in
	try --policy strict -V 4 -s 5 --top-k 1 --summary summary in
	check_status 0
	check_ids '0 0 0 0 0 0 0 0'
	[[ $(state) == "$(state_after 5 8)" ]] || fail 'wanted 8 numbers'
	try --policy strict -V 1 -s 5 --summary summary in
	check_status 0
	[[ $(state) == "$(state_after 5 32)" ]] || fail 'wanted 32 numbers'
	rows -n 3 '0 9e9' >in
	try --policy strict -V 2 -s 5 --summary summary in
	check_ids '1 1 1'
	[[ $(state) == "$(state_after 5 3)" ]] || fail 'wanted 3 numbers'
	try --policy strict -V 2 -n 1 --top-k 1 -o jsonl in
	check_json out u=0.8833108082136426 'interval=[0,1]' p=1
}

@test "each row draws one" {
	even >in
	try --policy strict -V 4 -s 5 --summary summary in
	[[ $(state) == "$(state_after 5 8)" ]] || fail 'wanted 8 numbers'
}

# --- The rules -------------------------------------------------------------

# Worked out here from the rules of the manual, in Python's floats.
@test "random rows draw what the textbook draws" {
	reckon <<-'END'
		import array, random
		r = random.Random(4)
		with open("in", "wb") as file:
		    for row in range(400):
		        array.array("d", [
		            r.choice([r.gauss(0, 3), float(r.randint(-2, 2)),
		                      r.gauss(0, 1) * 10.0**r.randint(-9, 3)])
		            for _ in range(25)]).tofile(file)
	END
	for options in '25 1' '25 0.37' '7 1' '7 2.5' '2 0.01' '24 90' '1 1'; do
		read -r k temp <<<"$options"
		try --policy strict -V 25 -d f64 -s 6 --top-k "$k" \
		    --temp "$temp" in
		check_status 0
		reckon "$k" "$temp" <<-'END' || fail "k and temp: $options"
			import array, math
			from generators import SplitMix64, ranked
			k, temp = int(sys.argv[1]), float(sys.argv[2])
			rows = array.array("d", open("in", "rb").read())
			out = [int(line) for line in open("out")]
			g = SplitMix64(6)
			assert len(out) == 400

			def weight(logit, best):
			    if temp < 1:
			        return math.exp((logit - best) / temp)
			    return math.exp(logit / temp - best / temp)

			def draw(row):
			    kept = ranked(row)[:k]
			    best = row[kept[0]]
			    w = {i: weight(row[i], best) for i in kept}
			    w[kept[0]] = 1.0
			    s = c = 0.0
			    for i in kept:
			        y = w[i] - c
			        t = s + y
			        c = (t - s) - y
			        s = t
			    p = {i: w[i] / s for i in kept if w[i] / s > 0}
			    u, start = g.unit(), 0.0
			    for i in sorted(p):
			        end = min(start + p[i], 1.0)
			        if i == max(p) or u < end:
			            return i
			        start = end

			for i, drawn in enumerate(out):
			    want = draw(rows[25 * i:25 * i + 25])
			    assert drawn == want, (i, drawn, want)
			assert k == 1 or len(set(out)) > 10
		END
	done
}
