#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --completions: for bash, zsh and fish.

load helper

list_long_options()
{
	list_options | sed 's/^. /--/' | sort
}

# Complete the last of these words as bash would, one candidate a line.
complete_in_bash()
{
	tokpick --completions bash >tokpick.bash
	bash --norc --noprofile -c '
		. ./tokpick.bash
		compopt() { :; } # it works in a completion only
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		_tokpick
		printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}

# What a shell makes of the keys, its terminal's escapes taken off.
type_in()
{
	python "$here/keys.py" "$@" | tr -d '\r' |
	    sed 's/\x1b\[[?0-9;]*[a-zA-Z]//g'
}

needs()
{
	command -v "$1" >/dev/null || skip "no $1 here"
}

@test "--completions wants one of the three shells" {
	refuses "--completions: 'csh' is none of *bash*zsh*fish*" \
	    --completions csh
	refuses '--completions: wants an argument, SHELL' --completions
}

@test "bash takes the script, and ties it to tokpick" {
	tokpick --completions bash >tokpick.bash
	bash -n tokpick.bash
	bash --norc --noprofile -c '. ./tokpick.bash; complete -p tokpick' >out
	check_out 'complete -F _tokpick tokpick\n'
}

@test "bash completes every option" {
	complete_in_bash tokpick -- | sort >offered
	list_long_options | check_same - offered
	(($(wc -l <offered) > 25))
}

@test "bash completes the beginning of an option" {
	complete_in_bash tokpick -V 4 --top >out
	sort out | check_same - <(list_long_options | grep '^--top')
	grep -qxe --top-k out
	grep -qxe --top-p out
	complete_in_bash tokpick --zz >out
	check_out '\n'
}

@test "bash completes the words that an option takes" {
	complete_in_bash tokpick --dtype '' >out
	check_out 'f32\nf64\nf16\nbf16\n'
	complete_in_bash tokpick -d f1 >out
	check_out 'f16\n'
	complete_in_bash tokpick --dtype = f >out # as bash cuts --dtype=f
	check_out 'f32\nf64\nf16\n'
	complete_in_bash tokpick --dtype = >out
	check_out 'f32\nf64\nf16\nbf16\n'
	complete_in_bash tokpick --output te >out
	check_out 'text\n'
	complete_in_bash tokpick --input z >out
	check_out 'zstd\n'
	complete_in_bash tokpick --completions '' >out
	check_out 'bash\nzsh\nfish\n'
}

@test "bash completes file names where files are wanted" {
	: >story.zst
	: >stars
	complete_in_bash tokpick -V 4 sto >out
	check_out 'story.zst\n'
	complete_in_bash tokpick --pieces sto >out
	check_out 'story.zst\n'
	complete_in_bash tokpick --prompt @sto >out
	check_out '@story.zst\n'
	complete_in_bash tokpick --logit-bias = @sta >out
	check_out '@stars\n'
	complete_in_bash tokpick --top-k s >out
	check_out '\n'
}

@test "bash completes at its prompt" {
	tokpick --completions bash >tokpick.bash
	cat >keys <<-'END'
		. ./tokpick.bash
		tokpick --no-def\t\x01echo got\x20
		tokpick --dtype=b\t\x01echo got\x20
	END
	type_in bash --norc --noprofile -i <keys >shown
	grep -q '^got tokpick --no-defaults' shown
	grep -q '^got tokpick --dtype=bf16' shown
}

@test "zsh takes the script, and it lists every option" {
	needs zsh
	tokpick --completions zsh >_tokpick
	zsh -n _tokpick
	zsh -f -c '_arguments() { print -rl -- "$@" }; . ./_tokpick' >specs
	sed -n 's/^\*\(--[a-z-]*\).*/\1/p' specs | sort >offered
	list_long_options | check_same - offered
	grep -q '^\*-V\[.*\]:vocab:' specs
}

@test "zsh completes at its prompt" {
	needs zsh
	tokpick --completions zsh >_tokpick
	: >story.zst
	cat >keys <<-'END'
		bindkey -e; fpath=($PWD $fpath)
		autoload -Uz compinit; compinit -u -D
		tokpick --no-def\t\x01echo got\x20
		tokpick --dtype=b\t\x01echo got\x20
		tokpick --pieces=sto\t\x01echo got\x20
		tokpick --prompt @sto\t\x01echo got\x20
		tokpick -V 4 sto\t\x01echo got\x20
	END
	type_in zsh -f -i <keys >shown
	grep -q '^got tokpick --no-defaults' shown
	grep -q '^got tokpick --dtype=bf16' shown
	grep -q '^got tokpick --pieces=story.zst' shown
	grep -q '^got tokpick --prompt @story.zst' shown
	grep -q '^got tokpick -V 4 story.zst' shown
}

@test "fish takes the script, and completes every option" {
	needs fish
	tokpick --completions fish >tokpick.fish
	fish -n tokpick.fish
	export HOME=$PWD
	fish -N -c 'source tokpick.fish; complete -C "tokpick --"' |
	    cut -f 1 | sort >offered
	list_long_options | check_same - offered
}

@test "fish completes the words that an option takes" {
	needs fish
	tokpick --completions fish >tokpick.fish
	export HOME=$PWD
	fish -N -c 'source tokpick.fish; complete -C "tokpick --dtype "' |
	    cut -f 1 | sort >out
	check_out 'bf16\nf16\nf32\nf64\n'
	fish -N -c 'source tokpick.fish; complete -C "tokpick -o id"' |
	    cut -f 1 >out
	check_out 'ids\n'
}

# Where words are offered to a fuzzer, none is missing either.
@test "the fuzzer of command lines knows every option" {
	sed -n 's/^"\(--[a-z-]*\)\\x0a"$/\1/p' "$here/../fuzz/cli.dict" |
	    sort | check_same - <(list_long_options)
}
