#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# llama.cpp's dry: what it looks back on, and what breaks a repetition, as ids
# and as texts.

load helper

# llama IDS [ARGUMENT]...: these are drawn, without a word.
llama()
{
	draws "$1" --policy llama.cpp "${@:2}"
}

# What the settings of a run are, with the breakers among them, a saved state
# tells.
breakers()
{
	sed -n 's/^setting dry-breaker //p' "$1"
}

# The breakers that the file `pieces` makes of texts, whose escapes are those
# of a pieces file: worked out here, one a line, those of the first text
# first, by ascending id, shorter heads first.
worked_out()
{
	python - "$@" <<-'END'
		import re, sys

		def plain(line):
		    out = re.sub(rb"\\(x[0-9a-fA-F]{2}|.)", lambda m: {
		        b"n": b"\n", b"r": b"\r", b"t": b"\t", b"\\": b"\\",
		    }.get(m[1]) or bytes([int(m[1][1:], 16)]), line)
		    return out

		def tokens(rest):
		    out = []
		    while rest and len(out) < 20:
		        fits = [(-len(p), i) for i, p in enumerate(pieces)
		                if p and rest.startswith(p)]
		        if not fits:
		            return None
		        length, token = min(fits)
		        out.append(token)
		        rest = rest[-length:]
		    return out

		lines = open("pieces", "rb").read().split(b"\n")
		pieces = [plain(line) for line in lines[:-1]]
		for text in sys.argv[1:]:
		    text = plain(text.encode())[:40]
		    for i, piece in enumerate(pieces):
		        if text in piece:
		            print(i)
		            continue
		        for k in range(1, min(len(text) - 1, len(piece)) + 1):
		            if not piece.endswith(text[:k]):
		                continue
		            tail = tokens(text[k:])
		            if tail is not None:
		                print(i, *tail, sep=",")
	END
}

# makes [TEXT]...: the breakers of these texts are those worked out for the
# file `pieces`.
makes()
{
	local options=() text
	for text; do
		options+=(--dry-sequence-breaker "$text")
	done
	tokpick --policy llama.cpp -V 4 --pieces pieces --dry-multiplier 1 \
	    "${options[@]}" --save-state state </dev/null ||
	    fail "no state with $*" || return
	breakers state | sort >found
	worked_out "$@" | sort >expected
	cmp expected found || fail "other breakers than expected for $*:" \
	    "$(diff expected found | head -n 20)"
}

story_pieces()
{
	cp "$data/story.pieces.txt" pieces
}

usual=('\n' ':' '"' '*')

# --- Ids ------------------------------------------------------------------

@test "dry keeps a repetition from going on" {
	rows '0 0 0 1 0.5' >in
	set -- -V 5 --greedy --dry-multiplier 5
	llama 3 "$@" in
	llama 3 "$@" --prompt 3,1,2 in
	llama 4 "$@" --prompt 1,2,3,1,2 in
	llama 3 "$@" --prompt 1,2,3,1,2 --dry-allowed-length 3 in
	llama 4 "$@" --prompt 0,1,2,3,0,1,2 --dry-allowed-length 3 in
	llama 3 "$@" --prompt 1,2,3,1,2 --dry-penalty-last-n 4 in
	llama 4 "$@" --prompt 1,2,3,1,2 --dry-penalty-last-n 5 in
	# Multiplier times base to the 0th, then to the first power.
	set -- -V 5 --greedy --dry-multiplier 0.4
	llama 3 "$@" --prompt 1,2,3,1,2 in
	llama 3 "$@" --prompt 0,1,2,3,0,1,2 --dry-base 1.2 in
	llama 4 "$@" --prompt 0,1,2,3,0,1,2 --dry-base 1.3 in
}

@test "--dry-breaker: a sequence of ids, head first, stops the looking back" {
	rows '0 0 0 1 0.5' >in
	set -- -V 5 --greedy --dry-multiplier 5 --prompt 1,2,3,1,2
	llama 4 "$@" in
	for ids in 2 1 1,2 3,1,2 3,1 '3 1'; do
		llama 3 "$@" --dry-breaker "$ids" in
	done
	for ids in 2,1 0 4 3,2 2,3 1,1 0,1,2 9 2,9; do
		llama 4 "$@" --dry-breaker "$ids" in
	done
	# Two are two, not one of two ids.
	llama 4 "$@" --dry-breaker 2,0 --dry-breaker 0,2 in
	llama 3 "$@" --dry-breaker 0 --dry-breaker 1,2 in
	# What breaks alone is not penalised itself.
	llama 3 "$@" --dry-breaker 3 in
	llama 4 "$@" --dry-breaker 3,0 in
	echo '1 2' >ids
	llama 3 "$@" --dry-breaker @ids in
}

@test "--dry-breaker without ids is refused" {
	for ids in '' ' ' ','; do
		refuses '--dry-breaker: *' --policy llama.cpp -V 4 \
		    --dry-breaker "$ids"
	done
	refuses '--dry-breaker: *' --policy llama.cpp -V 4 --dry-breaker a
	refuses '--dry-breaker: *' --policy llama.cpp -V 4 --dry-breaker -1
}

@test "--dry-penalty-last-n -1 is 32768 where there is no --ctx-size" {
	rows '0 0 0 1 0.5' >in
	python -c 'print(1, 2, 3, *[i % 7919 + 9 for i in range(32763)],
	    1, 2)' >prompt
	set -- -V 5 --greedy --dry-multiplier 5 --dry-penalty-last-n -1
	llama 4 "$@" --prompt @prompt in
	echo 0 >>prompt
	tr '\n' ' ' <prompt | sed 's/ 1 2 0/ 9 1 2/' >longer
	llama 3 "$@" --prompt @longer in
	llama 4 "$@" --prompt @longer -c 32769 in
	refuses '--dry-penalty-last-n: -2 *' --policy llama.cpp -V 4 \
	    --dry-penalty-last-n -2
}

@test "dry looks at what joined, not at what was drawn beside it" {
	rows -n 3 '0 0 0 1 0.5' >in
	set -- -V 5 --greedy --dry-multiplier 5 --prompt 1,2,3
	echo 1 2 0 >recorded
	llama '3 3 4' "$@" --history recorded in
	llama '3 3 3' "$@" --dry-allowed-length 2 --dry-breaker 3 in
}

# --- Breakers as texts -----------------------------------------------------

@test "a token whose piece contains the text breaks alone" {
	printf '%s\n' a b ab bab c >pieces
	makes b
	[[ $(paste -sd ' ' found) == '1 2 3' ]]
	makes ab
	[[ $(paste -sd ' ' found) == '0,1 2 3' ]]
}

@test "a token that ends with a beginning of the text is a head" {
	printf '%s\n' x xa a ab bc b c bcd >pieces
	makes abc
	# The tail is the longest pieces that fit: bc, or c behind ab.
	[[ $(paste -sd ' ' found) == '1,4 2,4 3,6' ]]
	makes aab
	# aa is no piece; behind a comes ab, and behind aa would come b.
	[[ $(paste -sd ' ' found) == '1,3 2,3' ]]
}

@test "a piece may end with more than one beginning of the text" {
	printf '%s\n' aa a b >pieces
	makes aab
	[[ $(paste -sd ' ' found) == '0,1,2 0,2 1,1,2' ]]
	makes aaab
}

@test "where no piece fits the rest there is no breaker" {
	printf '%s\n' a b x >pieces
	makes abz
	[[ ! -s found ]]
	makes xab
	[[ $(paste -sd ' ' found) == 2,0,1 ]]
}

@test "of equal pieces the lowest id stands for the rest" {
	printf '%s\n' a bc bc b c >pieces
	makes abc
	[[ $(paste -sd ' ' found) == 0,1 ]]
}

@test "an empty piece is part of nothing" {
	printf '%s\n' '' a '' b >pieces
	makes ab
	[[ $(paste -sd ' ' found) == 1,3 ]]
}

@test "a tail has at most 20 tokens, and a text 40 bytes" {
	printf '%s\n' x a b >pieces
	makes xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
	[[ $(tr , '\n' <found | wc -l) == 21 ]]
	# Behind 40 bytes nothing counts, not even what no piece fits.
	printf '%s\n' x a xaa >pieces
	text=$(printf 'xaa%.0s' {1..13})x
	makes "$text"
	cp found short
	makes "${text}zzzz"
	check_same short found
	[[ -s found ]]
	makes "${text::39}z"
	[[ ! -s found ]]
}

@test "any text over the pieces of the story" {
	story_pieces
	makes ' the'
	makes '. '
	makes ' friend' 'Once upon a time' ' The end.'
	makes 'd' 'ed' 'the'
	makes ' ' 'x' ', and'
	(($(wc -l <found) > 50))
	makes 'é' '“'
}

@test "escapes are those of a pieces file" {
	printf '%s\n' '\n' 'a' '\\' '\t' '\r' '\xff' 'n' 'A' '\x00' >pieces
	makes '\n'
	[[ $(<found) == 0 ]]
	makes '\\'
	[[ $(<found) == 2 ]]
	makes '\t' '\r' '\xff' '\x41'
	[[ $(paste -sd ' ' found) == '3 4 5 7' ]]
	makes '\x00'
	[[ $(<found) == 8 ]]
	makes 'a\\n'
	[[ $(<found) == 1,2,6 ]]
}

@test "what is no escape is refused" {
	story_pieces
	for text in '\' '\q' '\x' '\x4' '\xg0' 'a\' 'a\0'; do
		refuses '--dry-sequence-breaker: *' --policy llama.cpp -V 512 \
		    --pieces pieces --dry-sequence-breaker "$text"
	done
}

@test "an empty text is refused" {
	story_pieces
	refuses '--dry-sequence-breaker: *' --policy llama.cpp -V 512 \
	    --pieces pieces --dry-sequence-breaker ''
}

@test "with pieces newline, colon, quote and star are the default" {
	story_pieces
	try --policy llama.cpp -V 512 --pieces pieces --dry-multiplier 1 \
	    --save-state state /dev/null
	check_status 0
	breakers state | sort >found
	worked_out "${usual[@]}" | sort >expected
	[[ -s expected ]]
	check_same expected found
}

@test "the first text replaces the defaults, the others are added" {
	story_pieces
	makes x
	cp found one
	makes x y
	cp found two
	! cmp -s one two || fail 'y was not added'
	makes x "${usual[@]}"
	(($(wc -l <found) > $(wc -l <one)))
}

@test "none empties them" {
	story_pieces
	try --policy llama.cpp -V 4 --pieces pieces --dry-multiplier 1 \
	    --dry-sequence-breaker none --save-state state /dev/null
	check_status 0
	[[ -z $(breakers state) ]]
	try --policy llama.cpp -V 4 --pieces pieces --dry-multiplier 1 \
	    --dry-sequence-breaker none --dry-sequence-breaker x \
	    --save-state state /dev/null
	breakers state | sort >found
	worked_out x | sort >expected
	check_same expected found
}

@test "ids and texts add up, and ids keep the default texts away" {
	story_pieces
	set -- --policy llama.cpp -V 512 --pieces pieces --dry-multiplier 1
	try "$@" --dry-breaker 7,8 --save-state state /dev/null
	check_status 0
	[[ $(breakers state) == 7,8 ]]
	try "$@" --dry-breaker 7,8 --dry-sequence-breaker x \
	    --save-state state /dev/null
	check_status 0
	{
		echo 7,8
		worked_out x
	} | sort >expected
	breakers state | sort >found
	check_same expected found
}

@test "without pieces there are no defaults, and texts are refused" {
	try --policy llama.cpp -V 512 --dry-multiplier 1 \
	    --save-state state /dev/null
	check_status 0
	[[ -z $(breakers state) ]]
	refuses '--dry-sequence-breaker: *--pieces*--dry-breaker*' \
	    --policy llama.cpp -V 512 --dry-sequence-breaker x
	refuses '--dry-sequence-breaker: *' --policy llama.cpp -V 512 \
	    --dry-sequence-breaker none --dry-sequence-breaker x
	try --policy llama.cpp -V 512 --dry-sequence-breaker none /dev/null
	check_status 0
}

@test "texts draw what their ids draw" {
	story_pieces
	zstd -dcq "$data/story-1.f32.zst" >in
	prompt=$(<"$data/story-1.prompt")
	set -- --policy llama.cpp -V 512 --prompt "$prompt,$prompt,$prompt" \
	    --dry-multiplier 3 --dry-allowed-length 1
	tokpick "$@" in >none
	# Of four texts, as texts, as ids, and as what is the default.
	tokpick "$@" --pieces pieces in >left
	options=()
	for text in "${usual[@]}"; do
		options+=(--dry-sequence-breaker "$text")
	done
	try "$@" --pieces pieces "${options[@]}" in
	check_status 0
	check_same left out
	options=()
	for ids in $(worked_out "${usual[@]}"); do
		options+=(--dry-breaker "$ids")
	done
	try "$@" "${options[@]}" in
	check_status 0
	check_same left out
	try "$@" --pieces pieces --dry-sequence-breaker none in
	check_same none out
	# And of others, which break at every word.
	try "$@" --pieces pieces --dry-sequence-breaker ' ' in
	check_status 0
	! cmp -s none out || fail 'the breakers made no difference'
	cp out texts
	options=()
	for ids in $(worked_out ' '); do
		options+=(--dry-breaker "$ids")
	done
	try "$@" "${options[@]}" in
	check_same texts out
}
