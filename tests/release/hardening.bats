#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# scripts/check-hardening: the binary as it is built by default has every
# protection that the compiler has.

load ../cli/helper

top=$BATS_TEST_DIRNAME/../..

setup()
{
	command -v readelf >/dev/null || skip 'no readelf here'
	cd "$BATS_TEST_TMPDIR" || return
}

@test "the binary is hardened as well as its compiler can" {
	run -0 "$top/scripts/check-hardening" "$TOKPICK"
	[[ ${#lines[@]} == 10 && ${lines[*]} == *'ok: stack protector'* ]]
}

@test "each protection that a binary lacks is told" {
	echo 'int main(void) { return 0; }' >soft.c
	cc -O0 -fno-stack-protector -no-pie -z norelro -z execstack \
	    -Wl,-rpath,/nowhere soft.c -o soft
	run -1 "$top/scripts/check-hardening" ./soft
	for what in position-independent relocations 'stack protector' \
	    'C library' 'no executable stack' 'no search path'; do
		[[ $output == *"missing: $what"* ]] || fail "$what" "$output"
	done
}

@test "what is no program is no hardened one" {
	echo text >file
	run ! "$top/scripts/check-hardening" file
	run ! "$top/scripts/check-hardening" missing
	run -2 "$top/scripts/check-hardening"
}
