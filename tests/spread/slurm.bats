#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# scripts/spread --slurm, on a Slurm of one node.

load helper

# Run bash commands from standard input beside Slurm, where the function
# through waits until nothing is in its queue.
on_slurm()
{
	needs sbatch slurmctld slurmd
	((EUID == 0)) || skip 'Slurm wants root here'
	unshare --net --mount --pid --fork --mount-proc true ||
	    skip 'no namespaces here'
	cat >commands
	mkdir slurm
	export here BATS_TEST_TMPDIR
	export -f spread through
	"$here/slurm-node" slurm bash -eu commands 3>&-
}

through()
{
	local tries
	for ((tries = 0; tries < 300; tries++)); do
		[[ -n $(squeue -h) ]] || return 0
		sleep 0.2
	done
	return 1
}

@test "Slurm draws what one machine does" {
	on_slurm <<-'END'
		spread --slurm --settings settings story-1.f32 story-2.f32.zst
		cat err
		through
		exit $status
	END
	check_results spread.out story-1.f32 story-2.f32.zst
	grep -q '^Submitted batch job' out
}

@test "ranges drawn by Slurm are together what one machine draws" {
	echo '-V 512 --greedy -o i32' >settings
	on_slurm <<-'END'
		spread --slurm --settings settings --rows 100 story-1.f32
		cat err
		through
		exit $status
	END
	alone 1 story-1.f32 >want
	cat spread.out/story-1.f32.1.*.out | check_same want -
}

@test "the same command submits to Slurm what failed, and only that" {
	echo 'case $* in *"-s 2"*) echo alas >&2; exit 3 ;; esac' >before
	on_slurm <<-'END'
		spread --slurm --settings settings story-1.f32
		through
		ls spread.out >first
		cp spread.out/*.4.part.err why
		echo 'echo "$*" >>ran' >before
		spread --slurm --settings settings story-1.f32
		cat err
		through
		spread --slurm --settings settings story-1.f32
		cp out third
		through
	END
	(($(grep -c 'out$' first) == 2))
	[[ $(<why) == alas ]]
	check_results spread.out story-1.f32
	(($(wc -l <ran) == 1))
	[[ ! -s third ]]
}
