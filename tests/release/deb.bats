#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# scripts/package-deb: a Debian package of the commit.  Without the tools that
# make and check one (scripts/install-deps package) the tests are skipped.

load ../cli/helper

top=$BATS_TEST_DIRNAME/../..

needs()
{
	local tool
	for tool; do
		command -v "$tool" >/dev/null || skip "no $tool here"
	done
}

# The package is built once for all tests.
setup_file()
{
	if command -v dpkg-buildpackage && command -v dh; then
		"$top/scripts/package-deb" "$BATS_FILE_TMPDIR"
	fi
}

setup()
{
	needs dpkg-buildpackage dh
	cd "$BATS_TEST_TMPDIR" || return
	deb=$(echo "$BATS_FILE_TMPDIR"/tokpick_*.deb)
}

@test "the package is the same bytes each time, in any environment" {
	(umask 077 && CFLAGS=-O0 BUILD=elsewhere TZ=Asia/Tokyo LC_ALL=fr_FR \
	    "$top/scripts/package-deb" again) >out
	check_same "$deb" again/*.deb
	check_out "$(basename "$deb")\n"
}

@test "the package has its documents in their places, and asks for libzstd" {
	dpkg-deb -x "$deb" tree
	gzip -dc tree/usr/share/man/man1/tokpick.1.gz |
	    check_same - "$top/man/tokpick.1"
	gzip -dc tree/usr/share/doc/tokpick/changelog.gz |
	    check_same - "$top/NEWS"
	gzip -dc tree/usr/share/doc/tokpick/changelog.Debian.gz |
	    grep -F "$(git -C "$top" rev-parse HEAD)"
	grep '^License: Expat' tree/usr/share/doc/tokpick/copyright
	tokpick --completions bash | check_same - \
	    tree/usr/share/bash-completion/completions/tokpick
	dpkg-deb -f "$deb" Depends | grep 'libzstd1 (>= '
}

@test "lintian has no errors and no warnings" {
	needs lintian
	lintian --allow-root --fail-on error,warning "$deb" >out 2>&1 ||
	    fail 'lintian says'
}

# This machine's release of Debian and where it comes from, as apt knows them.
debian()
{
	apt-get indextargets 'Created-By: Packages' 'Origin: Debian' \
	    --format "\$(RELEASE) \$(REPO_URI)" | grep -v '^[a-z]*-' | head -n 1
}

# A small Debian in the folder root.
bootstrap()
{
	needs debootstrap unshare
	((EUID == 0)) || skip 'debootstrap wants root'
	read -r -a release <<<"$(debian)"
	[[ -n ${release[*]} ]] || skip 'this is no Debian'
	unshare --mount debootstrap --variant=minbase "${release[0]}" root \
	    "${release[1]}" >debootstrap.log 2>&1 ||
	    skip "debootstrap cannot run: $(tail -n 1 debootstrap.log)"
}

# All that is in it but what packages are known, as long lists.
list_root()
{
	(cd root && find . -xdev \( -path ./var/lib/dpkg -o -path ./var/log \
	    -o -path ./var/cache -o -path ./var/lib/apt \) -prune -o \
	    ! -type d -printf '%p %m %s %l\n' | sort)
}

@test "a fresh Debian installs it, runs it and removes it without a trace" {
	bootstrap
	cp "$deb" root/tokpick.deb
	list_root >before
	chroot root apt-get -q install -y /tokpick.deb
	chroot root tokpick --version
	tokpick -V 512 -s 1 "$data/story-1.f32.zst" >want
	chroot root tokpick -V 512 -s 1 <"$data/story-1.f32.zst" >got
	check_same want got
	(($(wc -l <got) == 256))
	chroot root dpkg --verify tokpick >out
	check_out ''
	chroot root apt-get -q purge -y tokpick
	list_root | check_same before -
}
