#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --exec: the closed loop with a model that is a child process.

load helper
load model

# --- What is sent ----------------------------------------------------------

@test "the first line is the whole prompt, the others what was drawn" {
	echo '7 3 1 4 1 5 9' >ids
	draws '1 4 1' -V 10 --greedy --prompt 2,7,3 -n 3 \
	    --exec 'model -l log 10 ids'
	check_lines log '2 7 3' 1 4
}

@test "with --exec-prefix new too" {
	echo '7 3 1 4 1 5 9' >ids
	draws '1 4 1' -V 10 --greedy --prompt 2,7,3 -n 3 --exec-prefix new \
	    --exec 'model -l log 10 ids'
	check_lines log '2 7 3' 1 4
}

@test "with --exec-prefix full each line is the whole context" {
	echo '7 3 1 4 1 5 9' >ids
	draws '1 4 1' -V 10 --greedy --prompt 2,7,3 -n 3 --exec-prefix full \
	    --exec 'model -f -l log 10 ids'
	check_lines log '2 7 3' '2 7 3 1' '2 7 3 1 4'
}

@test "an empty prompt is an empty line" {
	echo '0 4 1' >ids
	draws '0 4' -V 5 --greedy -n 2 --exec 'model -l log 5 ids'
	check_lines log '' 0
}

@test "an empty prompt is an empty line with --exec-prefix full" {
	echo '0 4 1' >ids
	draws '0 4 1' -V 5 --greedy -n 3 --exec-prefix full \
	    --exec 'model -f -l log 5 ids'
	check_lines log '' 0 '0 4'
}

@test "a prompt id outside the vocabulary is the model's to judge" {
	echo '4294 1' >ids
	draws 1 -V 2 --greedy --prompt 4294 -n 1 --exec 'model -l log 2 ids'
	check_lines log 4294
}

@test "the largest id goes through" {
	draws 0 -V 2 --greedy --prompt 2147483647,0 -n 1 \
	    --exec 'model -l log 2'
	check_lines log '2147483647 0'
}

@test "the loop draws what the same rows give from a file" {
	draws "$even_ids" -V 4 -n 8 --exec 'model 4'
}

@test "CMD is the shell's: it may be a pipeline, with quotes and variables" {
	echo '0 4 4' >'my ids'
	file='my ids' draws '4 4' -V 5 --greedy --prompt 0 -n 2 \
	    --exec 'cat | model 5 "$file" | cat'
}

# --- The same by hand ------------------------------------------------------

@test "two FIFOs by hand make the same loop" {
	tokpick -V 512 -s 7 --prompt 1,403 -n 60 --repeat-penalty 1.2 \
	    --exec 'model 512 $data/story-1.ids $data/story-2.ids' >loop
	(($(sort -u loop | wc -l) > 20))
	mkfifo ids rows
	# shellcheck disable=SC2154
	model 512 "$data"/story-1.ids "$data"/story-2.ids <ids >rows \
	    2>broken 3>&- &
	{
		echo 1 403
		tokpick -V 512 -s 7 --prompt 1,403 -n 60 \
		    --repeat-penalty 1.2 rows
	} | tee hand >ids
	check_same <(tail -n +2 hand) loop
	wait
}

# --- Stop rules ------------------------------------------------------------

@test "prompt 0, a context of 2, a model that prefers 4: 4 4, two calls" {
	echo '0 4 4' >ids
	draws '4 4' -V 5 --greedy --prompt 0 -c 2 --exec 'model 5 ids' \
	    --summary summary
	check_json summary 'tokens=2' 'rows=2' 'model_calls=2' \
	    'stop="context-limit"'
}

@test "with --eos 4: one 4, one call" {
	echo '0 4 4' >ids
	draws 4 -V 5 --greedy --prompt 0 -c 2 --eos 4 --exec 'model 5 ids' \
	    --summary summary
	check_json summary 'tokens=1' 'rows=1' 'model_calls=1' 'stop="eos"'
}

@test "-n counts the tokens, not the prompt" {
	echo '0 4 4' >ids
	draws '4 4 4' -V 5 --greedy --prompt 0,0 -n 3 --exec 'model 5 ids' \
	    --summary summary
	check_json summary 'prompt=2' 'model_calls=3' 'stop="token-limit"'
}

@test "-n 0 makes no call" {
	draws '' -V 5 --prompt 0 -n 0 --exec 'model -l log 5' \
	    --summary summary
	check_json summary 'model_calls=0' 'rows=0' 'stop="token-limit"'
	[[ ! -s log ]]
}

@test "-n 0 reports a failing model all the same" {
	breaks '' '--exec: the model exited with status 3' -V 5 -n 0 \
	    --exec 'exit 3'
}

@test "a prompt that fills the context still yields one token" {
	draws 0 -V 5 --greedy --prompt 0,1 -c 2 --exec 'model 5'
}

@test "a summary without --exec has no model_calls" {
	even | tokpick -V 4 --summary summary >out
	run ! grep model_calls summary
}

# --- The rest of tokpick in a loop ----------------------------------------

@test "--history: the recorded id is what the model is told" {
	printf '%s\n' 3 1 2 >recorded
	draws '0 0 0' -V 4 --greedy --prompt 3 -n 3 --history recorded \
	    --exec 'model -l log 4'
	check_lines log 3 3 1
}

@test "--history that ends before the loop is an error that says so" {
	printf '%s\n' 3 1 >recorded
	breaks '0 0' '--history: 2 ids are recorded, row 3 has none*' -V 4 \
	    --greedy -n 3 --history recorded --exec 'model 4'
}

@test "--expect compares the loop with recorded ids" {
	tr ' ' '\n' <<<"$even_ids" >good
	draws "$even_ids" -V 4 -n 8 --expect good --exec 'model 4'
	sed '3s/.*/0/' good >bad
	breaks "$even_ids" '--expect: row 3: *' -V 4 -n 8 --expect bad \
	    --exec 'model 4'
}

@test "--draws: the first draw of a row is the one that is sent" {
	try -V 4 -n 2 --draws 4 --exec 'model -l log 4'
	check_status 0
	check_out '2 3 1 2\n2 1 0 2\n'
	check_lines log '' 2
}

@test "--mask is read in step with the model's rows" {
	echo '0 4 4' >ids
	printf '\x0f\0\0\0\x10\0\0\0' >mask
	draws '0 4' -V 5 --greedy --prompt 0 -n 2 --mask mask \
	    --exec 'model -l log 5 ids'
	check_lines log 0 0
}

@test "masks may come on standard input, which the model does not get" {
	rows '0 0 0 0' >row
	printf '\4\0\0\0\1\0\0\0' >masks
	try -V 4 -n 2 --mask - --exec \
	    'while read -r line; do cat row; done' <masks
	check_status 0
	check_ids '2 0'
}

@test "the strict policy draws in a loop" {
	echo '0 4 4' >ids
	draws '4 4' -V 5 --policy strict --greedy --prompt 0 -c 2 \
	    --exec 'model 5 ids'
}

@test "rows of another type than f32" {
	rows -d f16 '0 0 9' >row
	draws '2 2' -V 3 -d f16 --greedy -n 2 \
	    --exec 'while read line; do cat row; done'
}

@test "--inspect shows the distribution behind the prompt: one call" {
	echo '0 4 4' >ids
	try -V 5 --prompt 0 --inspect -o jsonl --exec 'model -l log 5 ids' \
	    --summary summary
	check_status 0
	check_lines log 0
	check_json summary 'model_calls=1' 'tokens=0' 'stop="end-of-input"'
}

# --- In time ---------------------------------------------------------------

# Both tests hang if the id that is read here waits in tokpick's buffer.

check_seen_ids()
{
	check_status 0
	check_silence
	check_ids "$*"
}

@test "an id is written before its row's successor is waited for" {
	rows '0 9' >row
	mkfifo seen.1 seen.2
	try_seen -V 2 -n 2 --exec 'read l; cat row
	    read l; read s <seen.1; cat row
	    read l; read s <seen.2'
	check_seen_ids 1 1
}

@test "the last id is written before the model's end is waited for" {
	rows '0 9' >row
	mkfifo seen.1
	try_seen -V 2 -n 1 --exec 'read l; cat row; read l; read s <seen.1'
	check_seen_ids 1
}

# --- Sizes -----------------------------------------------------------------

@test "a prompt of 100,000 ids" {
	echo '77777 4' >ids
	seq 77777 177776 | shuf -n 99999 --random-source=/dev/zero >prompt
	echo 77777 >>prompt
	draws '4 0' -V 5 --greedy --prompt @prompt -n 2 \
	    --exec 'model -l log 5 ids'
	check_lines log "$(paste -sd ' ' prompt)" 4
}

@test "a prompt of 100,000 ids, sent whole each time" {
	echo '9 4 4' >ids
	yes 123456789 | head -n 99999 >prompt
	echo 9 >>prompt
	draws '4 4 4' -V 5 --greedy --prompt @prompt -n 3 \
	    --exec-prefix full --exec 'model -f -l log 5 ids'
	[[ $(tail -n 1 log | wc -w) == 100002 ]]
}

@test "rows of 1 MiB" {
	echo '0 262143 77777' >ids
	draws '262143 77777 0' -V 262144 --greedy --prompt 0 -n 3 \
	    --exec 'model 262144 ids'
}

@test "rows of 1 MiB in a trickle" {
	echo '0 262143 77777' >ids
	draws '262143 77777' -V 262144 --greedy --prompt 0 -n 2 \
	    --exec 'model -m trickle 262144 ids'
}

@test "a prompt of 100,000 ids and rows of 1 MiB" {
	echo '9 262143 77777' >ids
	yes 123456789 | head -n 99999 >prompt
	echo 9 >>prompt
	draws '262143 77777' -V 262144 --greedy --prompt @prompt -n 2 \
	    --exec 'model 262144 ids'
}

@test "a row of 1 MiB that is written before the line of 1 MB is read" {
	yes 123456789 | head -n 100000 >prompt
	draws '0 0' -V 262144 --greedy --prompt @prompt -n 2 \
	    --exec-prefix full --exec 'model -f -m early -l log 262144'
	[[ $(head -n 1 log | wc -w) == 100000 ]]
}

@test "a model that says much on standard error" {
	try -V 4 -n 2 --exec 'model -m noise 4'
	check_status 0
	check_ids '2 3'
	(($(wc -c <err) == 2 * 1024 * 1024))
}

# --- Models that fail ------------------------------------------------------

@test "a command that is not found" {
	try -V 4 --exec 'exec ./no-such-command'
	check_status 1
	grep -q '^tokpick: --exec: .*line 1; the model exited with status 127$' \
	    err || fail 'not said'
}

@test "a model that exits at once" {
	breaks '' '--exec: *line 1; the model exited with status 0' -V 4 \
	    --exec :
}

@test "a model that exits instead of answering" {
	breaks '2 3' '--exec: *line 3; the model exited with status 7' -V 4 \
	    --exec 'exec model -m exit -s 7 -a 3 4'
}

@test "a model that dies of a signal" {
	breaks '2 3' '--exec: *line 3; the model was killed by signal 9 (*)' \
	    -V 4 --exec 'exec model -m kill -s 9 -a 3 4'
}

@test "a model that exits inside a row" {
	breaks '2 3' \
	    '--exec: row 3 ends after 15 of 16 *; the model exited with status 5' \
	    -V 4 --exec 'model -m cut -s 5 -a 3 4'
}

@test "a model that exits with 0 inside a row" {
	breaks '' '--exec: row 1 ends after 15 of 16 bytes*with status 0' \
	    -V 4 --exec 'model -m cut 4'
}

@test "a model that stops inside a row, and waits for the next line" {
	breaks 2 '--exec: *line 2 is short of a row*--vocab*' \
	    -V 4 --exec 'model -m short -a 2 4'
}

@test "a model that closes its output" {
	breaks 2 '--exec: the model*s output ended*line 2' -V 4 \
	    --exec 'exec model -m shut -a 2 4'
}

@test "a model that closes its input" {
	breaks 2 '--exec: the model has closed its input: line 2 can*' -V 4 \
	    --exec 'exec model -m close 4'
}

@test "a row and a byte" {
	breaks 2 '--exec: more came from the model than one row a line: *' \
	    -V 4 -n 1 --exec 'model -m byte 4'
}

@test "two rows for the only line" {
	breaks 2 '--exec: more came from the model than one row a line: *' \
	    -V 4 -n 1 --exec 'model -m twice 4'
}

# The row too many may be taken for the answer to the next line, but at the
# end there is one left.
@test "two rows for one line of several" {
	try -V 4 -n 5 --exec 'model -m twice -a 3 4'
	check_status 1
	check_message '--exec: more came from the model than one row a line: *'
	head -n 3 out | cmp - <(printf '%s\n' 2 3 1)
}

@test "a byte behind the end" {
	breaks '2 3' '--exec: more came from the model than one row a line: *' \
	    -V 4 -n 2 --exec 'model -m late 4'
}

@test "bytes without end from a model that never reads" {
	try -V 4 --greedy -n 1000 --exec 'exec cat /dev/zero'
	check_status 1
	check_message '--exec: more came from the model than one row a line: *'
	check_ids 0
}

@test "a row from a model that never reads its line" {
	yes 123456789 | head -n 100000 >prompt
	breaks 0 '--exec: the model answered line 1 and has not read it*' \
	    -V 4 --greedy --prompt @prompt --exec 'exec model -m deaf 4'
}

@test "a row from a model that exits with its line unread" {
	yes 123456789 | head -n 100000 >prompt
	rows '0 9' >row
	breaks 1 '--exec: the model answered line 1 and has not read it*' \
	    -V 2 -n 1 --prompt @prompt --exec 'cat row'
}

@test "a failing status at the end is reported, all ids being written" {
	breaks '2 3' '--exec: the model exited with status 9' -V 4 -n 2 \
	    --exec 'model -m status -s 9 4'
}

@test "a failing end is in the summary" {
	try -V 4 -n 2 --exec 'model -m status -s 9 4' --summary summary
	check_status 1
	check_json summary 'stop="error"' 'tokens=2' 'model_calls=2' \
	    'error="--exec: the model exited with status 9"'
}

@test "a bad row of the model's is an error as in a file" {
	rows '0 9' '0 nan' >both
	{ head -c 8 >first; cat >second; } <both
	breaks 1 'row 2: *token 1 *NaN*' -V 2 \
	    --exec 'read l; cat first; read l; cat second; read l'
}

@test "a model learns its status even if SIGCHLD is ignored around us" {
	try_alone -i CHLD -- -V 4 -n 1 --exec 'exec model -m status -s 9 4'
	check_status 1
	check_message '--exec: the model exited with status 9'
}

# --- The command line ------------------------------------------------------

@test "FILE operands are refused" {
	refuses '--exec: *CMD*rows*' -V 4 --exec 'touch ran' rows
	refuses '--exec: *CMD*' -V 4 --exec 'touch ran' -
	[[ ! -e ran ]]
}

@test "--input is refused" {
	refuses '--input: *--exec*' -V 4 --exec 'touch ran' --input raw
	[[ ! -e ran ]]
}

@test "--vocab is needed" {
	refuses '*--vocab*' --exec 'touch ran'
	[[ ! -e ran ]]
}

@test "--exec-prefix without --exec is refused" {
	refuses '--exec-prefix: *--exec*' -V 4 --exec-prefix full </dev/null
}

@test "--exec-prefix is new or full" {
	refuses "--exec-prefix: 'old' *new*full*" -V 4 --exec-prefix old \
	    --exec :
}

@test "a prompt longer than the context is refused before the model runs" {
	refuses '--ctx-size: *' -V 4 -c 2 --prompt 1,2,3 --exec 'touch ran'
	[[ ! -e ran ]]
}

@test "strict: an empty prompt is refused in a loop, and only there" {
	refuses '--exec: *strict*--prompt*' -V 4 --policy strict \
	    --exec 'touch ran'
	[[ ! -e ran ]]
	draws '0' -V 2 --policy strict --greedy < <(rows '9 0')
}

@test "strict: a prompt id outside the vocabulary is refused" {
	refuses '--prompt: token 4 *0 to 3' -V 4 --policy strict \
	    --prompt 3,4,5 --exec 'touch ran'
	refuses '--prompt: token 4 *0 to 3' -V 4 --policy strict \
	    --prompt 3,4,5 </dev/null
	[[ ! -e ran ]]
}

@test "strict: an --eos id outside the vocabulary is refused" {
	refuses '--eos: token 4 *0 to 3' -V 4 --policy strict --prompt 3 \
	    --eos 4 --exec 'touch ran'
	refuses '--eos: token 4 *0 to 3' -V 4 --policy strict --eos 4 \
	    </dev/null
	[[ ! -e ran ]]
}

@test "golem takes ids outside the vocabulary in both places" {
	draws "$even_ids" -V 4 --prompt 9 --eos 9 < <(even)
}

@test "a model that reads no further, and answers all the same, is told of" {
	even >in
	yes 0 | head -n 200000 >long # more than a pipe holds
	try -V 4 -n 1 --prompt @long \
	    --exec 'exec <&-; sleep 0.3; head -c 16 in'
	check_status 1
	check_message '--exec: the model answered line 1 and has not read it *'
}
