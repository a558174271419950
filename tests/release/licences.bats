#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Every tracked file says what its licence is, but for a list of exceptions.

load ../cli/helper

top=$BATS_TEST_DIRNAME/../..
line='SPDX-License-Identifier: MIT'

list_exceptions()
{
	grep -v '^#' "$here/no-licence-line"
}

# Is file $1 an exception?
excepted()
{
	local glob
	while read -r glob; do
		# shellcheck disable=SC2053 # a glob
		[[ $1 != $glob ]] || return 0
	done < <(list_exceptions)
	return 1
}

@test "every file has a licence line or is a known exception" {
	local file without=''
	cd "$top"
	git ls-files -co --exclude-standard >"$BATS_TEST_TMPDIR/files"
	while read -r file; do
		excepted "$file" || grep -q -F "$line" "$file" ||
		    without+=" $file"
	done <"$BATS_TEST_TMPDIR/files"
	[[ -s $BATS_TEST_TMPDIR/files ]] || fail 'no files'
	[[ -z $without ]] || fail "without a line '$line':$without"
}

@test "every exception is needed" {
	local glob
	cd "$top"
	while read -r glob; do
		[[ -n $(git ls-files -co --exclude-standard -- "$glob") ]] ||
		    fail "no file is like $glob"
		[[ -z $(git ls-files -z -- "$glob" |
		    xargs -0 grep -l -F "$line" --) ]] ||
		    fail "a file like $glob has a licence line"
	done < <(list_exceptions)
}

@test "the licence that the lines name is the one in LICENSE" {
	[[ $(head -n 1 "$top/LICENSE") == 'MIT License' ]]
}
