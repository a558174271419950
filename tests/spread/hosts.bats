#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# scripts/spread over two hosts with sshd, each a network namespace.

load helper

# on_two_hosts: run bash commands from standard input beside anna and bert.
on_two_hosts()
{
	cat >commands
	mkdir hosts
	export here BATS_TEST_TMPDIR
	export -f spread
	"$here/two-hosts" hosts bash -eu commands 3>&-
}

setup_file()
{
	if unshare --net --mount --pid --fork --mount-proc true; then
		export CAN_UNSHARE=yes
	fi
}

needs_hosts()
{
	needs parallel ip sshd ssh-keygen rsync
	((EUID == 0)) || skip 'hosts want root'
	[[ ${CAN_UNSHARE:-} == yes ]] || skip 'no network namespaces here'
}

# How many jobs of the log ended well on host $1?
done_on()
{
	awk -v host="$1" '$2 ~ host && $7 == 0 { n++ } END { print n + 0 }' \
	    spread.out/joblog
}

# In the way of tokpick: bert is cut off in the middle of its second job.
bert_goes_down()
{
	cat >before <<-'END'
		uname -n >>ran
		if [[ $(tail -n 1 ran) == bert ]] && (($(grep -c bert ran) > 1))
		then
			"$TOKPICK" "$@" | head -n 100
			sleep 0.2
			ip link set eth0 down
			exec sleep 1000
		fi
	END
}

@test "two hosts draw what one machine does" {
	needs_hosts
	on_two_hosts <<-'END'
		spread --hosts 2/anna,2/bert --settings settings \
		    story-1.f32 story-*.zst
		cat err
		exit $status
	END
	check_results spread.out story-1.f32 story-*.zst
	(($(done_on anna) > 0 && $(done_on bert) > 0))
}

@test "ranges drawn on two hosts are together what one machine draws" {
	needs_hosts
	echo '-V 512 --greedy -o i32' >settings
	on_two_hosts <<-'END'
		spread --hosts 2/anna,2/bert --settings settings --rows 32 \
		    story-1.f32
		exit $status
	END
	alone 1 story-1.f32 >want
	cat spread.out/story-1.f32.1.*.out | check_same want -
	(($(done_on anna) + $(done_on bert) == 8))
}

@test "when a host is lost half-way, the other does its jobs" {
	needs_hosts
	bert_goes_down
	on_two_hosts <<-'END'
		spread --hosts 1/anna,1/bert --settings settings \
		    story-1.f32 story-*.zst
		cat err
		exit $status
	END
	check_results spread.out story-1.f32 story-*.zst
	(($(done_on bert) == 1 && $(done_on anna) == 8))
	(($(grep -c bert ran) == 2))
}

@test "when all hosts are lost, the same command goes on by the log" {
	needs_hosts
	bert_goes_down
	on_two_hosts <<-'END'
		spread --hosts 1/bert --settings settings story-1.f32
		[[ $status == 1 ]]
		ls spread.out >first
		spread --hosts 2/anna,2/bert --settings settings story-1.f32
		cat err
		exit $status
	END
	(($(grep -c 'out$' first) == 1))
	check_results spread.out story-1.f32
	(($(done_on bert) == 1 && $(done_on anna) == 2))
}

@test "a host without the recordings is brought them" {
	needs_hosts
	mkdir disk
	mv settings story-* disk
	OWN_DISK=$PWD/disk on_two_hosts <<-'END'
		cd disk
		spread --hosts 2/bert --settings settings --out without \
		    story-1.f32
		[[ $status == 1 ]]
		grep 'on bert' without/*.part.err
		spread --hosts 2/bert --copy --settings settings \
		    story-1.f32 story-*.zst
		cat err
		exit $status
	END
	cd disk
	check_results spread.out story-1.f32 story-*.zst
	(($(done_on bert) == 9))
}
