#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --prompt: ids that are in the conversation already.

load helper

# Greedy, with a penalty on all that was seen: the first id of 0 to 4 that
# the prompt does not have.
first_unseen()
{
	draws "$1" -V 5 --greedy --presence-penalty 99 --prompt "$2" \
	    < <(rows '5 4 3 2 1')
}

@test "--prompt is a list of ids with commas between" {
	first_unseen 0 1,2,3
	first_unseen 2 0,1,3
	first_unseen 4 0,1,2,3
	first_unseen 1 0
}

@test "blanks of any kind may stand between the ids" {
	first_unseen 3 '0 1 2'
	first_unseen 3 $' 0,\t1 ,\n 2, '
}

@test "an empty prompt has no ids" {
	first_unseen 0 ''
}

@test "--prompt @FILE reads them from a file" {
	printf '0,1\n2\t3\r\n' >ids
	first_unseen 4 @ids
	printf '0' >ids
	first_unseen 1 @ids
	: >ids
	first_unseen 0 @ids
}

@test "--prompt @FILE reads what tokpick has written" {
	rows '0 9 0 0 0' '9 0 0 0 0' '0 0 9 0 0' >in
	tokpick -V 5 --greedy in >ids
	first_unseen 3 @ids
}

@test "--prompt @FILE may be a FIFO" {
	mkfifo fifo
	echo 0 1 >fifo 3>&- &
	first_unseen 2 @fifo
}

@test "the last --prompt holds" {
	draws 0 -V 2 --greedy --presence-penalty 9 --prompt 0 --prompt 1 \
	    < <(rows '1 0')
}

@test "an id outside the vocabulary takes its place, and that is all" {
	first_unseen 1 0,5,2147483647
	draws 0 -V 2 --greedy --presence-penalty 9 --repeat-last-n 1 \
	    --prompt 0,77 < <(rows '1 0')
}

@test "a long prompt is read whole" {
	seq 10 30000 >ids
	echo 0 >>ids
	draws 1 -V 2 --greedy --presence-penalty 9 --prompt @ids < <(rows '1 0')
	{ echo 0; seq 10 30000; } >ids
	draws 1 -V 2 --greedy --presence-penalty 9 --prompt @ids \
	    --repeat-last-n -1 < <(rows '1 0')
}

@test "what is no id is refused, and named" {
	for id in x -1 1.5 0x1 1e3 1x nan '1;2' 2147483648 \
	    99999999999999999999; do
		refuses "--prompt: *$id*" -V 5 --prompt "0,$id,1"
	done
}

@test "what is no id in a file is refused with the file's name" {
	echo '0 1 two' >ids
	refuses "*ids: 'two' *" -V 5 --prompt @ids
}

@test "a file that is missing, or a directory, or not text, fails" {
	breaks '' '--prompt: missing: *' -V 5 --prompt @missing
	breaks '' '--prompt: .: *directory*' -V 5 --prompt @.
	breaks '' "--prompt: '': *" -V 5 --prompt @
	printf '1\0' >nul
	breaks '' '--prompt: nul: *' -V 5 --prompt @nul
}

@test "--prompt @- is refused: standard input is for rows" {
	refuses '--prompt: *standard input is for rows*' -V 5 --prompt @- \
	    < <(echo 1)
}
