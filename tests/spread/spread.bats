#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# scripts/spread on this machine: the jobs, their names, ranges, going on.

load helper

# declines GLOB [ARGUMENT]...: spread says such a line, and runs nothing.
declines()
{
	local message=$1
	shift
	spread "$@"
	check_status 2
	# shellcheck disable=SC2053 # a glob
	[[ $(<err) == "spread: "$message ]] ||
	    fail "wanted a line like: $message"
	[[ ! -e spread.out ]] || fail 'spread made its folder'
}

# ranges SETTING...: the ranges of a recording, put together, are what one run
# draws by the same words.
ranges()
{
	echo "$*" >settings
	rm -rf ranges
	spread --settings settings --rows 100 --out ranges story-1.f32
	check_status 0
	(($(find ranges -name '*.out' | wc -l) > 1))
	tokpick "$@" story-1.f32 >want
	cat ranges/story-1.f32.1.*.out | check_same want -
}

@test "each line of the settings is run on each recording" {
	needs parallel
	spread --settings settings story-1.f32 story-*.zst
	check_status 0
	check_ids ''
	check_results spread.out story-1.f32 story-*.zst
	[[ ! -s err ]] || fail 'spread said something'
}

@test "names and settings may have blanks, quotes and what shells look for" {
	needs parallel
	name="it's \$HOME; \`a\` *{1}\"b"
	mv story-1.f32 "$name"
	echo "-V 512 -l \"414-inf\" --summary 'a  \$(b)'\\''s {}'" >settings
	spread --settings settings -- "$name"
	check_status 0
	tokpick -V 512 -l 414-inf "$name" |
	    check_same - "spread.out/$name.1.out"
	[[ -s "a  \$(b)'s {}" ]]
}

@test "what tokpick says is kept beside its ids" {
	needs parallel
	echo '-V 512 --seed random' >settings
	spread --settings settings story-1.f32
	check_status 0
	grep '^tokpick: .*seed' spread.out/story-1.f32.1.err
}

@test "a job that fails is told, and run again by the same command" {
	needs parallel
	echo 'case $* in *"-s 2"*-2.f32*) echo alas >&2; exit 3 ;; esac' \
	    >before
	spread --settings settings story-1.f32 story-*.zst
	check_status 1
	[[ $(<err) == "spread: not done, "*" spread.out/jobs: 6; "* ]]
	grep -x ' *1 alas' err
	[[ ! -e spread.out/story-2.f32.zst.4.out ]]
	grep alas spread.out/story-2.f32.zst.4.part.err
	echo 'echo "$*" >>ran' >before
	spread --settings settings story-1.f32 story-*.zst
	check_status 0
	check_results spread.out story-1.f32 story-*.zst
	(($(wc -l <ran) == 1))
}

@test "when spread is killed, the same command does the rest, and only that" {
	needs parallel setsid
	mkfifo blocked
	cat >before <<-'END'
		echo "$*" >>ran
		if (($(wc -l <ran) > 4)); then
			"$TOKPICK" "$@" | head -n 100
			echo $$ >blocked
			exec sleep 1000
		fi
	END
	PARALLEL=-j1 setsid "$here/../../scripts/spread" \
	    --tokpick "$PWD/tokpick" --settings settings \
	    story-1.f32 story-*.zst 3>&- &
	leader=$!
	read -r job <blocked
	kill -KILL -- -$leader "$job"
	wait $leader || true
	[[ -s spread.out/joblog ]]
	(($(wc -l <ran) == 5))
	echo 'echo "$*" >>ran' >before
	spread --settings settings story-1.f32 story-*.zst
	check_status 0
	check_results spread.out story-1.f32 story-*.zst
	(($(wc -l <ran) == 10)) # 4 done, the one cut off, and 5
	(($(sort -u ran | wc -l) == 9))
	spread --settings settings story-1.f32 story-*.zst
	check_status 0
	(($(wc -l <ran) == 10))
}

@test "a recording that is cut off on a machine is not drawn from" {
	needs parallel
	spread --settings settings --list story-1.f32
	cut -f 2 out | head -n 1 >command
	sh command >ids
	check_same ids <(alone 2 story-1.f32)
	truncate -s -2048 story-1.f32
	run -1 sh command
	[[ $output == *" on $(uname -n) story-1.f32 has not 524288 bytes" ]]
	rm story-1.f32
	run -1 sh command
}

@test "ranges of a recording are together what one run draws" {
	needs parallel
	ranges -V 512 --greedy
	ranges --vocab=512 --temp 0 --policy llama.cpp -o i32
	ranges -V512 -l 414-inf --top-k 0 --temp=0
	ranges -V 512 -d f64 --greedy -q
	ranges -V 512 --greedy -j1
}

@test "ranges are named by their first rows, in order, and the last is short" {
	needs parallel
	ranges -V 512 --greedy
	(cd ranges && wc -l *.out | head -n 3 | sed 's/^ *//') >out
	check_out '100 story-1.f32.1.0000000001.out
100 story-1.f32.1.0000000101.out
56 story-1.f32.1.0000000201.out
'
}

@test "ranges with a random number for each row are what one run draws" {
	needs parallel
	tokpick --help | grep -q -e --stream || skip 'no --stream yet'
	ranges -V 512 --stream row -s 7
	ranges -V 512 --stream=row --policy llama.cpp --xtc-probability 0.5
}

@test "where the number of a row is in its draw, tokpick cuts out the range" {
	echo '-V 512 --stream row -s 7' >settings
	spread --list --settings settings --rows 100 story-1.f32
	check_status 0
	grep -o -e '--rows .*' out >got
	printf -- "--rows %s -- 'story-1.f32'\n" 1:100 101:200 201:256 |
	    check_same - got
}

@test "what looks back on other rows is not cut into ranges" {
	local option
	for option in '--repeat-penalty 1.2' '--policy llama.cpp --mirostat 2' \
	    '-n 5' '--eos 3' '--dry-multiplier 1' '--mask m' '--pres=1'; do
		echo "-V 512 --greedy $option" >settings
		declines 'settings:1: -* may look at other rows*' \
		    --settings settings --rows 9 story-1.f32
	done
}

@test "draws that use a generator's next number are not cut into ranges" {
	local option
	for option in '' '--temp 0.5' '--greedy --xtc-probability 1' \
	    '--temp 0 --temp 1' '--temp 0 --dynatemp-range 1'; do
		echo "-V 512 $option" >settings
		declines 'settings:1: *other random numbers*--stream row*' \
		    --settings settings --rows 9 story-1.f32
	done
}

@test "a range needs to know how long a row is, and one seed for all" {
	echo '--greedy' >settings
	declines 'settings:1: --rows wants --vocab N' \
	    --settings settings --rows 9 story-1.f32
	echo '-V 512 --stream row --seed=random' >settings
	declines 'settings:1: --seed random differs*' \
	    --settings settings --rows 9 story-1.f32
}

@test "what can't be put together is not cut into ranges" {
	echo '-V 512 --greedy -o jsonl' >settings
	declines 'settings:1: *-o ids or -o i32' \
	    --settings settings --rows 9 story-1.f32
	echo '-V 512 --greedy' >settings
	declines 'story-1.f32.zst: is compressed*' \
	    --settings settings --rows 9 story-1.f32.zst
	echo '-V 500 --greedy' >settings
	declines 'story-1.f32: 524288 bytes are no whole number of rows*' \
	    --settings settings --rows 9 story-1.f32
}

@test "a folder with results of other jobs is left alone" {
	needs parallel
	spread --settings settings story-1.f32
	echo '-V 512 -s 9' >>settings
	spread --settings settings story-1.f32
	check_status 2
	grep -q 'has results of other jobs' err
}

@test "another program by the name of parallel is not taken for GNU's" {
	mkdir bin
	printf '#!/bin/sh\necho moreutils\n' >bin/parallel
	chmod +x bin/parallel
	PATH=$PWD/bin:$PATH spread --settings settings story-1.f32
	check_status 2
	grep -q 'needs GNU parallel' err
}

@test "two recordings of one name are refused" {
	mkdir other
	cp story-1.f32 other
	declines 'story-1.f32: two recordings have this name' \
	    --settings settings story-1.f32 other/story-1.f32
}

@test "mistakes on the command line are told, and nothing is run" {
	declines 'which settings?*' story-1.f32
	declines 'which recordings?*' --settings settings
	declines 'nowhere: no such file' --settings settings nowhere
	declines 'nowhere: no such file' --settings nowhere story-1.f32
	declines "--rows: '0' is no number*" \
	    --settings settings --rows 0 story-1.f32
	declines "--rows: 'x' is no number*" \
	    --settings settings --rows x story-1.f32
	declines '--bogus: no such option*' --bogus
	declines '--out: wants an argument' --out
	echo "-V 512 'open" >settings
	declines '*settings:1: a quote is not closed' \
	    --settings settings story-1.f32
}
