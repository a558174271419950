#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --policy llama.cpp: its settings, their defaults and ends, orders of stages,
# what is refused, and what the three rule sets differ in.  What each stage
# does to the bit is in the vectors and in unit/test_pairs.c.

load helper

# The ids of the story go to a file; its prompt is repeated, for dry.
story()
{
	local to=$1 prompt
	shift
	prompt=$(<"$data/story-1.prompt")
	[[ -e rows ]] || zstd -dcq "$data/story-1.f32.zst" >rows
	tokpick -q --policy llama.cpp -V 512 --prompt "$prompt,$prompt" "$@" \
	    rows >"$to" && (($(wc -l <"$to") == 256))
}

# The two files differ.
check_differ()
{
	! cmp -s "$1" "$2" || fail "wanted $1 and $2 to differ: ${*:3}"
}

# llama IDS [ARGUMENT]...: these are drawn, without a word.
llama()
{
	draws "$1" --policy llama.cpp "${@:2}"
}

state()
{
	sed 's/.*"rng_state":"\([0-9a-f]*\)".*/\1/' summary
}

# --- Defaults and values that are off --------------------------------------

# CONTEXT | OPTION | DEFAULT | OTHER
defaults='
| seed | 0 | 1
| temp | 0.8 | 1.1
--temp 2 --top-p 1 --min-p 0 | top-k | 40 | 64
--temp 2 | top-p | 0.95 | 0.5
--temp 2 | min-p | 0.05 | 0.5
--temp 2 | min-keep | 0 | 30
--temp 2 | typical | 1 | 0.3
--temp 2 --top-k 0 | top-nsigma | -1 | 0.5
--temp 2 | xtc-probability | 0 | 0.9
--temp 2 --xtc-probability 0.9 | xtc-threshold | 0.1 | 0.3
| dynatemp-range | 0 | 0.7
--dynatemp-range 0.7 | dynatemp-exp | 1 | 3
--repeat-penalty 1.5 | repeat-last-n | 64 | 8
| repeat-penalty | 1 | 1.5
| frequency-penalty | 0 | 1
| presence-penalty | 0 | 1
| dry-multiplier | 0 | 3
--dry-multiplier 0.5 --dry-allowed-length 0 | dry-base | 1.75 | 50
--dry-multiplier 3 | dry-allowed-length | 2 | 0
--dry-multiplier 3 --dry-allowed-length 0 | dry-penalty-last-n | 64 | 8
| mirostat | 0 | 2
--mirostat 2 | mirostat-lr | 0.1 | 0.9
--mirostat 2 | mirostat-ent | 5 | 2
--samplers adaptive_p | adaptive-target | -1 | 0.3
--samplers adaptive_p --adaptive-target 0.3 | adaptive-decay | 0.9 | 0.1
--temp 2 | draws | 1 | 2
'

@test "each default is the value that it is said to be" {
	cases=0
	while IFS='|' read -r context option default other; do
		[[ -n $option ]] || continue
		option=${option// /}
		# shellcheck disable=SC2086 # the context is words
		{
			story left $context
			story given $context --"$option" "${default// /}"
			story other $context --"$option" "${other// /}"
		}
		cmp left given || fail "--$option ${default// /} is no default"
		check_differ left other "--$option ${other// /}"
		cases=$((cases + 1))
	done <<<"$defaults"
	((cases == 26))
}

@test "the default list of stages" {
	all='penalties;dry;top_n_sigma;top_k;typ_p;top_p;min_p;xtc;temperature'
	with='--temp 1.5 --repeat-penalty 1.1 --dry-multiplier 1 --typical 0.9
	    --top-nsigma 3 --xtc-probability 0.3 --dynatemp-range 0.3'
	# shellcheck disable=SC2086 # words
	{
		story left $with
		story given $with --samplers "$all"
		check_same left given
		story given $with --sampler-seq edskypmxt
		check_same left given
		story other $with --samplers "$(tr ';' '\n' <<<"$all" | tac |
		    paste -sd ';')"
		check_differ left other
	}
}

# OPTION VALUES-THAT-ARE-OFF | ONE-THAT-IS-ON | STAGE | CONTEXT
off='
top-nsigma 0 -1 -0.5 | 1 | top_n_sigma
top-k 0 -1 -9223372036854775808 | 600 | top_k
typical 1 1.5 1e30 | 0.999999 | typ_p
top-p 1 1.5 1e30 | 0.999999 | top_p
min-p 0 -1 -1e30 | 0.5 | min_p
xtc-probability 0 -1 | 1 | xtc
xtc-threshold 0.51 1 | 0.1 | xtc | --xtc-probability 1
dynatemp-range 0 -1 | 0.5 | temperature | --temp 1
temp 1 | 0.9 | temperature
'

# A stage that sorted would change which ids are drawn.
@test "a stage at a value that is off is as if it were not there" {
	cases=0
	story none --samplers ''
	while IFS='|' read -r values on stage context; do
		read -r option values <<<"$values"
		[[ -n $option ]] || continue
		stage=${stage// /}
		for value in $values; do
			# shellcheck disable=SC2086 # the context is words
			story off --samplers "$stage" $context \
			    --"$option=$value"
			cmp none off || fail "--$option $value is not off"
			cases=$((cases + 1))
		done
		# shellcheck disable=SC2086
		story on --samplers "$stage" $context --"$option=${on// /}"
		check_differ none on "--$option $on"
	done <<<"$off"
	((cases == 22))
}

# VALUES-THAT-ARE-OFF | THE-SAME-ON
off_penalties='
--repeat-penalty 1.5 --repeat-last-n 0 | --repeat-penalty 1.5
--repeat-penalty 1.5 --repeat-last-n -1 | --repeat-penalty 1.5
--frequency-penalty 1 --repeat-last-n -5 | --frequency-penalty 1
--repeat-penalty 1 --frequency-penalty 0 --presence-penalty 0 |
    --presence-penalty 1
--dry-multiplier 0 --dry-allowed-length 0 |
    --dry-multiplier 3 --dry-allowed-length 0
--dry-multiplier 3 --dry-penalty-last-n 0 | --dry-multiplier 3
'

@test "penalties and dry have values that are off" {
	story none --temp 1.2
	cases=0
	while IFS='|' read -r values on; do
		[[ -n $values ]] || continue
		# shellcheck disable=SC2086 # words
		story off --temp 1.2 $values
		cmp none off || fail "$values is not off"
		# shellcheck disable=SC2086
		story on --temp 1.2 $on
		check_differ none on "$on"
		cases=$((cases + 1))
	done <<<"${off_penalties//|$'\n'/|}"
	((cases == 6))
}

@test "a dry base below 1 is the default" {
	set -- --dry-multiplier 0.5 --dry-allowed-length 0
	story left "$@"
	for base in 0.99 0 -3 -1e30; do
		story given "$@" --dry-base=$base
		check_same left given
	done
	story other "$@" --dry-base 50
	check_differ left other
}

@test "an adaptive decay above 0.99 is 0.99" {
	set -- --samplers adaptive_p --adaptive-target 0.3
	story most "$@" --adaptive-decay 0.99
	story one "$@" --adaptive-decay 1
	check_same most one
	story less "$@" --adaptive-decay 0.98
	check_differ most less
	refuses '--adaptive-decay: 1.01 is out of range: *' \
	    --policy llama.cpp -V 4 --adaptive-decay 1.01
}

@test "--no-defaults is the softmax of the row" {
	story none --samplers ''
	story off --no-defaults
	check_same none off
	story left --no-defaults --top-k 5
	story given --samplers 'top_k;temperature' --temp 1 --top-k 5
	check_same left given
	check_differ none left
}

@test "a temperature of 0 or less draws the highest logit, by a number" {
	rows -n 4 '1 3 3 2' >in
	llama '1 1 1 1' -V 4 --greedy in
	for temp in 0 -0.5 -1e30; do
		llama '1 1 1 1' -V 4 --temp=$temp --top-k 0 --top-p 1 in
		try --policy llama.cpp -V 4 -n 1 --temp=$temp -o jsonl in
		check_json out u=0.5928446165166826 p=1 id=1
	done
}

@test "with a range it counts as 0, too" {
	story zero --temp 0 --dynatemp-range 2
	for temp in -0.1 -1 -9; do
		story below --temp=$temp --dynatemp-range 2
		check_same zero below
	done
	story other --temp 0.1 --dynatemp-range 2
	check_differ zero other
}

@test "a logit of -inf is never drawn, whatever a temperature comes to" {
	rows -n 20 '0 -200 -inf 0 -inf' >in
	for options in '--dynatemp-exp -1' '--dynatemp-exp=-1e30' \
	    '--dynatemp-exp 0' '--dynatemp-exp 1e30' \
	    '--dynatemp-range 3e38'; do
		# shellcheck disable=SC2086 # the options are words
		try --policy llama.cpp -V 5 --no-defaults --temp 1 \
		    --dynatemp-range 1 $options in
		check_status 0
		! grep -x -e 2 -e 4 out || fail "drew a -inf with $options"
	done
	# All of the probability is one token's: its entropy is 0.
	rows -n 20 '0 -200 -inf' >in
	try --policy llama.cpp -V 3 --no-defaults --temp 1 \
	    --dynatemp-range 1 --dynatemp-exp -1 in
	check_status 0
	! grep -x 2 out || fail 'drew a -inf where the entropy is 0'
}

# --- The list of stages ----------------------------------------------------

# Settings under which each stage does something.
all_on='--temp 1.5 --repeat-penalty 1.2 --dry-multiplier 2
    --dry-allowed-length 1 --top-nsigma 0.5 --top-k 9 --typical 0.7 --top-p 0.8
    --min-p 0.1 --xtc-probability 0.9 --adaptive-target 0.3'

@test "each stage has a name, a letter, and other spellings" {
	cases=0
	story none --samplers ''
	while read -r letter name aliases; do
		# shellcheck disable=SC2086 # words
		{
			story named $all_on --samplers "$name"
			check_differ none named "$name"
			story lettered $all_on --sampler-seq "$letter"
			check_same named lettered
			for alias in $aliases; do
				story other $all_on --samplers "$alias"
				check_same named other
				cases=$((cases + 1))
			done
		}
	done <<-'END'
		e penalties
		d dry
		s top_n_sigma top-n-sigma
		k top_k top-k
		y typ_p typical typical-p typ-p typ
		p top_p top-p nucleus
		m min_p min-p
		x xtc
		t temperature temp
		a adaptive_p adaptive-p
	END
	((cases == 11))
}

@test "stages may be repeated, by name and by letter" {
	story one --samplers temperature --temp 0.25
	story two --samplers 'temperature;temp' --temp 0.5
	check_same one two
	story two --sampler-seq tt --temp 0.5
	check_same one two
	story other --sampler-seq ttt --temp 0.5
	check_differ one other
	story other --sampler-seq t --temp 0.5
	check_differ one other
	# A nucleus of a nucleus.
	story one --sampler-seq p --top-p 0.5
	story two --sampler-seq pp --top-p 0.5
	check_differ one two
	# Each xtc tosses a coin.
	story one --sampler-seq x --xtc-probability 0.5
	story two --sampler-seq xx --xtc-probability 0.5
	check_differ one two
}

@test "the order counts" {
	story one --sampler-seq tp --temp 3 --top-p 0.5
	story two --sampler-seq pt --temp 3 --top-p 0.5
	check_differ one two
	story one --sampler-seq km --top-k 5 --min-p 0.1
	story two --sampler-seq mk --top-k 5 --min-p 0.1
	check_same one two
}

@test "an unknown name is refused, with those that are known" {
	for name in top_q TOP_K mirostat 'top_k ' 'top_k top_p' softmax; do
		refuses "--samplers: '$name' *llama.cpp*penalties*dry*"`
		    `"top_n_sigma*top_k*typ_p*top_p*min_p*xtc*temperature*"`
		    `"adaptive_p" --policy llama.cpp -V 4 \
		    --samplers "top_k;$name"
	done
	refuses "--samplers: '' *" --policy llama.cpp -V 4 --samplers ';'
}

@test "an unknown letter is refused, with those that are known" {
	for letter in q E ';' ' ' 0; do
		refuses "--sampler-seq: '$letter' *e penalties*d dry*"`
		    `"s top_n_sigma*k top_k*y typ_p*p top_p*m min_p*x xtc*"`
		    `"t temperature*a adaptive_p" \
		    --policy llama.cpp -V 4 --sampler-seq "kp$letter"
	done
}

@test "an empty list runs no stage" {
	story none --no-defaults
	story names --samplers ''
	story letters --sampler-seq ''
	check_same none names
	check_same none letters
}

@test "an option whose stage is left out is warned of" {
	even >in
	try --policy llama.cpp -V 4 --sampler-seq k --typical 0.5 \
	    --dry-multiplier 2 in
	check_status 0
	check_says '--typical *no effect*typ_p*'
	check_says '--dry-multiplier *no effect*dry*'
	try --policy llama.cpp -V 4 --adaptive-target 0.5 in
	check_message '--adaptive-target *no effect*adaptive_p*'
	tokpick --policy llama.cpp -V 4 in >plain
	try -q --policy llama.cpp -V 4 --adaptive-target 0.5 in
	check_silence
	check_same plain out
}

@test "adaptive_p runs last wherever it stands, once" {
	set -- --adaptive-target 0.3 --temp 1.5 --top-k 20 --top-p 0.9
	story last --samplers 'top_k;top_p;temperature;adaptive_p' "$@"
	for list in 'adaptive_p;top_k;top_p;temperature' \
	    'top_k;adaptive_p;top_p;temperature' \
	    'adaptive-p;top_k;adaptive_p;top_p;temperature;adaptive_p'; do
		story other --samplers "$list" "$@"
		check_same last other
	done
	story other --samplers 'top_k;top_p;temperature' "$@"
	check_differ last other
	for letters in kpta akpt kapt; do
		story other --sampler-seq $letters "$@"
		check_same last other
	done
}

@test "adaptive_p with a target below 0 draws from what is left" {
	set -- --temp 1.5 --top-k 20
	story off --samplers 'top_k;temperature;adaptive_p' "$@" \
	    --adaptive-target -1
	story other --samplers 'top_k;temperature;adaptive_p' "$@" \
	    --adaptive-target -0.001 --adaptive-decay 0.2
	check_same off other
	story plain --samplers 'top_k;temperature' "$@"
	# The draw is another, by the same numbers: most ids are the same.
	same=$(paste off plain | awk '$1 == $2' | wc -l)
	((same > 250)) || fail "$same are the same"
	story on --samplers 'top_k;temperature;adaptive_p' "$@" \
	    --adaptive-target 0
	check_differ off on
}

# --- Mirostat --------------------------------------------------------------

@test "mirostat takes the temperature, and no other stage" {
	for version in 1 2; do
		story plain --mirostat $version
		# shellcheck disable=SC2086 # words
		story other $all_on --temp 0.8 --mirostat $version
		check_same plain other
		story other --mirostat $version --samplers 'top_k;min_p'
		check_same plain other
		story other --mirostat $version --sampler-seq a
		check_same plain other
		story other --mirostat $version --dynatemp-range 0.5
		check_same plain other
		story other --mirostat $version --temp 1.6
		check_differ plain other
		story other --mirostat $version -l 411-inf
		check_differ plain other
	done
	story one --mirostat 1
	check_differ one plain
}

@test "mirostat warns of what it ignores, unless -q" {
	even >in
	tokpick --policy llama.cpp -V 4 --mirostat 2 in >plain
	ignored()
	{
		try --policy llama.cpp -V 4 --mirostat 2 "$@" in
		check_status 0
		check_same plain out
		check_says "$1 *no effect*--mirostat*"
		try -q --policy llama.cpp -V 4 --mirostat 2 "$@" in
		check_silence
		check_same plain out
	}
	ignored --top-k 1
	ignored --min-p 1
	ignored --repeat-penalty 2
	ignored --xtc-probability 1
	ignored --samplers 'top_k;temperature'
	ignored --sampler-seq kt
	ignored --dynatemp-range 0.5
}

@test "mirostat is 0, 1 or 2" {
	for value in 3 -1 1.5 x; do
		refuses '--mirostat: *' --policy llama.cpp -V 4 \
		    --mirostat=$value
	done
}

# --- Bias, ends, seeds -----------------------------------------------------

@test "--ignore-eos bans what --eos names" {
	rows -n 4 '9 5 3 1' >in
	llama '0' -V 4 --eos 0 --greedy in
	llama '1 1 1 1' -V 4 --eos 0 --ignore-eos --greedy in
	llama '3 3 3 3' -V 4 --eos 0,1 --eos 2 --ignore-eos --greedy in
	llama '3 3 3 3' -V 4 --ignore-eos --eos 0,1 --eos 2 --greedy \
	    -l 2+99 in
	story banned -l 411-inf -l 432-inf --temp 2
	story ignored --eos 411 --eos 432 --ignore-eos --temp 2
	check_same banned ignored
	story plain --temp 2
	check_differ plain banned
	draws '1 1 1 1' -V 4 --eos 0 --ignore-eos --greedy \
	    < <(rows -n 4 '9 5 3 1')
}

@test "--ignore-eos may ban every token" {
	rows '1 2' >in
	breaks '' 'row 1: *' --policy llama.cpp -V 2 --eos 0,1 --ignore-eos in
}

@test "the bias of a token is added as often as it is given" {
	rows '1 0 0' >in
	llama 0 -V 3 --greedy -l 1+0.6 in
	llama 1 -V 3 --greedy -l 1+0.6 -l 1+0.6 in
}

@test "a seed has 32 bits, and the last of them is no seed" {
	even >in
	try --policy llama.cpp -V 4 -s 4294967294 in
	check_status 0
	(($(wc -l <out) == 8))
	for policy in llama.cpp llama.cpp-2026-07 llama.cpp-2026-05; do
		for seed in 4294967295 4294967296 18446744073709551615; do
			refuses "--seed: $seed: *4294967294*--seed random*" \
			    --policy $policy -V 4 -s $seed in
		done
	done
	refuses "--seed: '-1' *random*" --policy llama.cpp -V 4 -s -1 in
	try -V 4 -s 4294967295 in
	check_status 0
	try --policy strict -V 4 -s 18446744073709551615 in
	check_status 0
}

@test "--seed random takes a seed that can be given again" {
	even >in
	for _ in {1..20}; do
		try --policy llama.cpp -V 4 -s random in
		check_status 0
		seed=$(sed -n 's/^tokpick: seed //p' err)
		((seed >= 0 && seed < 4294967295)) || fail "seed $seed"
		cp out random
		draws "$(paste -sd ' ' random)" --policy llama.cpp -V 4 \
		    -s "$seed" in
	done
}

@test "seeds that begin alike in C++ begin alike here" {
	rows '0*1000' >in
	for pair in 0:592 1:997 42:796; do
		llama "${pair#*:}" -V 1000 --no-defaults -s "${pair%:*}" in
	done
}

# --- What is refused -------------------------------------------------------

# The options of the group that is llama.cpp's own.
own()
{
	tokpick --help | awk '
	    /^[A-Z]/ { group = $0 }
	    group ~ /--policy llama.cpp/ && /^  (-.,|   ) --/ {
	        sub(/^  (-.,|   ) --/, "", $0)
	        sub(/ .*/, "", $0)
	        print }'
}

@test "its options are refused by the others, with who takes them" {
	own >list
	(($(wc -l <list) == 18)) || fail "$(wc -l <list) options"
	for policy in golem strict; do
		for option in $(<list); do
			value=1
			[[ $option != sampler-seq ]] || value=k
			refuses "--$option: *$policy policy*llama.cpp"`
			    `"*llama.cpp-2026-07*llama.cpp-2026-05*" \
			    --policy $policy -V 4 "--$option" $value
		done
	done
	# Without --policy it is golem.
	refuses '--typical: *golem policy*' -V 4 --typical 1
}

@test "its options are taken by all three rule sets" {
	even >in
	for policy in llama.cpp llama.cpp-2026-07 llama.cpp-2026-05; do
		tokpick --policy $policy -V 4 in >plain
		for option in $(own); do
			case $option in
			sampler-seq) value=edskypmxt ;;
			dry-sequence-breaker) value=none ;;
			adaptive-target | top-nsigma) value=-1 ;;
			mirostat | *-probability | *-range) value=0 ;;
			*) value=1 ;;
			esac
			try -q --policy $policy -V 4 "--$option=$value" in
			check_status 0
			check_silence
			check_same plain out
		done
	done
}

@test "values that are no numbers of theirs are refused" {
	for option in $(own); do
		case $option in
		sampler-seq | dry-sequence-breaker) continue ;; # texts
		esac
		for value in x nan inf 1e99 ''; do
			refuses "--$option: *" --policy llama.cpp -V 4 \
			    "--$option=$value"
		done
	done
}

# --- What the rule sets differ in ------------------------------------------

@test "a draw from one token uses a random number in the newest rules" {
	rows -n 3 '9 1 1' >in
	for policy in llama.cpp llama.cpp-2026-07 llama.cpp-2026-05; do
		try --policy $policy -V 3 --summary summary /dev/null
		before=$(state)
		try --policy $policy -V 3 --top-k 1 --summary summary in
		check_ids '0 0 0'
		if [[ $policy == llama.cpp ]]; then
			[[ $(state) != "$before" ]] || fail 'wanted it to move'
			[[ $(state) == *00000006 ]] || fail 'wanted 6 words'
		else
			[[ $(state) == "$before" ]] || fail "$policy: it moved"
		fi
		# Two candidates take one in any of them.
		try --policy $policy -V 3 --no-defaults --top-k 2 \
		    --summary summary in
		[[ $(state) == *00000006 ]] || fail "$policy: wanted 6 words"
	done
}

@test "a discrete draw from one token uses none in any rules" {
	rows -n 3 '9 1 1' >in
	for policy in llama.cpp llama.cpp-2026-07 llama.cpp-2026-05; do
		for options in '--samplers top_k;adaptive_p --top-k 1' \
		    '--mirostat 2 --mirostat-ent 0' \
		    '--mirostat 1 --mirostat-ent 0' \
		    '--samplers top_k;adaptive_p --top-k 1 --adaptive-target 1'
		do
			# shellcheck disable=SC2086 # the options are words
			try --policy $policy -V 3 $options \
			    --summary summary in
			check_ids '0 0 0'
			[[ $(state) == *00000270 ]] || fail "$policy: it moved"
		done
	done
}

@test "top_n_sigma sorts in the oldest rules, and only there" {
	set -- --samplers top_n_sigma --top-nsigma 1.5
	story newest "$@"
	story july "$@" --policy llama.cpp-2026-07
	story may "$@" --policy llama.cpp-2026-05
	check_differ july may
	# With two candidates and more there is no other difference.
	check_same newest july
	# It is a sort behind it that makes the difference.
	story sorted --samplers 'top_n_sigma;top_k' --top-nsigma 1.5 \
	    --top-k 512 --policy llama.cpp-2026-07
	check_same sorted may
	# Off, it does not sort.
	story july --samplers top_n_sigma --policy llama.cpp-2026-07
	story may --samplers top_n_sigma --policy llama.cpp-2026-05
	check_same july may
}

@test "the rule sets have names, and no others are known" {
	even >in
	for name in llama llama.cpp-2026-06 LLAMA.CPP llama.cpp-2026-7; do
		refuses "--policy: '$name' *llama.cpp*llama.cpp-2026-07*"`
		    `'llama.cpp-2026-05*' --policy "$name" -V 4 in
	done
	for policy in llama.cpp llama.cpp-2026-07 llama.cpp-2026-05; do
		try --policy $policy -V 4 --summary summary in
		check_json summary "settings.policy=\"$policy\"" \
		    'generator="mt19937"'
	done
}
