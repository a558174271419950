#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# make dist: the source archive of a commit.

load ../cli/helper

top=$BATS_TEST_DIRNAME/../..

# A clone without history, where make dist may leave its file.
clone()
{
	git clone -q --depth 1 "file://$(realpath "$top")" "$1"
}

@test "the source archive is the same bytes whoever makes it" {
	clone one
	clone other
	git -C other config tar.umask 0077
	touch -d '2001-01-01' other/Makefile
	make -s -C one dist
	(umask 077 && make -s -C other dist)
	cmp one/tokpick-*.tar.gz other/tokpick-*.tar.gz
}

@test "the source archive has all tracked files, in a folder of its own name" {
	clone one
	make -s -C one dist
	tar -tzf one/tokpick-*.tar.gz | grep -v '/$' | sort >got
	folder=$(basename one/tokpick-*.tar.gz .tar.gz)
	git -C one ls-files | sed "s|^|$folder/|" | sort | check_same - got
}

@test "make dist fails where there is no commit to make it of" {
	clone one
	rm -rf one/.git
	run ! env GIT_CEILING_DIRECTORIES="$PWD" make -s -C one dist
	[[ ! -e $(echo one/tokpick-*.tar.gz) ]]
}
