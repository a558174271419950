#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Memory is taken for a row or two, and not for each.

load helper

# peak ARGUMENT...: set $peak to the most memory that takes, in KiB.
peak()
{
	try_under peak -V 262144 --greedy "$@"
	check_status 0
	peak=$(<out)
}

# More rows of a mebibyte take no more memory, but for what is by chance.
check_growth()
{
	local few=$1 many=$2
	((many < few + 2048)) || fail "$few KiB, then $many KiB"
}

# No exponent is odd, and so none is that of a NaN; and zstd finds little.
setup_rows()
{
	head -c $((64 << 20)) /dev/urandom | LC_ALL=C tr '\200-\377' '\0-\177' \
	    >many
	head -c $((16 << 20)) many >few
}

@test "a file takes no more memory for more rows" {
	setup_rows
	for j in 1 2; do
		peak -j "$j" few
		few=$peak
		peak -j "$j" many
		check_growth "$few" "$peak"
	done
}

@test "a pipe takes no more memory for more rows" {
	setup_rows
	peak < <(cat few)
	few=$peak
	peak < <(cat many)
	check_growth "$few" "$peak"
}

@test "zstd takes no more memory for more rows" {
	setup_rows
	for file in few many; do
		zstd -q "$file"
		split -b 4M --filter='zstd -cq' "$file" >"$file.frames"
	done
	for kind in zst frames; do
		peak -j 2 "few.$kind"
		few=$peak
		peak -j 2 "many.$kind"
		check_growth "$few" "$peak"
	done
}
