# SPDX-License-Identifier: MIT
"""A time bomb: a small input that asks for much time or memory.

It has to come to the end that is expected of it, which is an answer or a
refusal that says why, within a budget of resident memory.  Nobody waits for
longer than PATIENCE, but that is to end what would never do so itself.
"""
import json
import os
import re
import resource
import subprocess
from dataclasses import dataclass, field

from trial import read

PATIENCE = 1800  # seconds, on whatever machine
ADDRESSES = 16 << 30  # bytes of address space: more is refused by the system

DONE = 0, r"^$"


@dataclass
class Bomb:
    """A run, and what has to become of it."""
    name: str
    words: list
    end: tuple = DONE  # status and standard error, as a pattern
    files: dict = field(default_factory=dict)
    peak: int = 8  # MiB of resident memory, at most
    feed: str = "true"  # a command whose output is standard input
    out: bytes = b""  # what standard output must have in it
    rows: int = None  # as the summary counts them


def mib(full, some, reduced):
    """A budget: that of the reduced form is smaller, as its input is."""
    return reduced if some else full


def refused(pattern, status=2):
    return status, rf"^tokpick: .*{pattern}"


# What is too much for a machine, or for us, is told; nothing else may happen.
NO_MEMORY = refused("Cannot allocate memory", 1)


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))


def explode(bench, shim, tokpick, bomb):
    """Its status, what it wrote, its peak in KiB; None where it is stuck."""
    env = {"PATH": os.environ["PATH"], "FAULT_LOG": bench.log,
           "LD_PRELOAD": shim}
    with subprocess.Popen(["sh", "-c", bomb.feed], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as feed, \
        subprocess.Popen([*tokpick, *bomb.words], cwd=bench.home, env=env,
                         stdin=feed.stdout, stderr=subprocess.PIPE,
                         stdout=subprocess.PIPE if bomb.out else
                         subprocess.DEVNULL, preexec_fn=limit) as process:
        feed.stdout.close()
        try:
            out, err = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return None
    # Where it dies of a signal there is no peak told.
    told = re.search(rb"^peak (\d+)$", read(bench.log) or b"", re.M)
    return (process.returncode, out, err.decode(errors="replace"),
            int(told[1]) if told else 0)


def rows_of(bench):
    with open(f"{bench.home}/summary", encoding="utf-8") as file:
        return json.load(file)["rows"]


def wrong_end(bench, bomb, got):
    if got is None:
        return "it does not end"
    status, out, err, peak = got
    statuses, said = bomb.end
    if status not in (statuses if isinstance(statuses, tuple)
                      else (statuses,)) or not re.search(said, err, re.S):
        return f"status {status}: {err[:300]}"
    if bomb.out and bomb.out not in out:
        return "the output lacks " + bomb.out.decode()
    if bomb.rows is not None and rows_of(bench) != bomb.rows:
        return f"{rows_of(bench)} rows are counted"
    if peak > bomb.peak * 1024:
        return f"{peak} KiB, and {bomb.peak} MiB are allowed"
    return None
