#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Files that can not be read.

load helper

@test "a FILE that is missing is named" {
	breaks '' 'missing: No such file*' -V 4 missing
}

@test "a path through a file is named" {
	: >file
	breaks '' 'file/rows: Not a directory' -V 4 file/rows
}

@test "a FILE that is a directory is named" {
	mkdir folder
	breaks '' 'folder: Is a directory' -V 4 folder
}

@test "a FILE with an empty name is missing" {
	breaks '' "'': No such file*" -V 4 ''
}

@test "a FILE that may not be read is named" {
	((UID != 0)) || skip 'root may read everything'
	even >secret
	chmod 0 secret
	breaks '' 'secret: Permission denied' -V 4 secret
}

@test "the FILEs before one that is missing are drawn from" {
	even >in
	breaks "$even_ids" 'missing: No such file*' -V 4 in missing
	breaks "$even_ids" 'missing: No such file*' -V 4 in missing in
	breaks "$even_ids" '.: Is a directory' -V 4 in .
}

@test "a row that a missing FILE would have ended is not drawn" {
	rows '0 0 0 0' '0 0' >in
	breaks 2 'missing: No such file*' -V 4 in missing
}
