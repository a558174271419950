# SPDX-License-Identifier: MIT
"""Closed descriptors, signals, readers and terminals that go away."""
import os
import pty
import random
import signal
import subprocess
import time

from runs import RAW, RUNS
from trial import PATIENCE, Outcome, judge

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)


def start(bench, tokpick, words, **how):
    """In the bench's folder, with the usual actions for signals."""
    return subprocess.Popen([*tokpick, *words], cwd=bench.home,
                            **{"stdin": subprocess.DEVNULL,
                               "stdout": subprocess.PIPE,
                               "stderr": subprocess.PIPE, **how})


def finish(process):
    try:
        out, err = process.communicate(timeout=PATIENCE)
        return Outcome(process.returncode, out, err, {})
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return Outcome(None, b"", b"", {})


# --- Descriptors -------------------------------------------------------------

def descriptors_of(t, run, closed):
    """What is closed fails as it is used, and nothing else gets its place."""
    bench, right = t.bench(), t.right(run)
    shut = " ".join(("<&-", ">&-", "2>&-")[fd] for fd in closed)
    # The shell says nothing itself, and there is no file to be hit.
    got = bench.run(["/bin/sh", "-c", f'exec "$@" {shut}', "sh", *t.tokpick],
                    run)
    wrong = judge(run, right, got, muted=2 in closed) if 1 not in closed and \
        not (0 in closed and run.stdin != os.devnull) else None
    if not wrong and 1 in closed and got.status != 1:
        wrong = f"status {got.status} with nowhere to write to"
    if not wrong and (got.status == 0) != (right.status == 0) and \
            1 not in closed and run.stdin == os.devnull:
        wrong = f"status {got.status}"
    if not wrong and b"tokpick: " in got.out:
        wrong = "a message in the output"
    t.count(f"{run.name}, without descriptors {closed}", wrong)
    bench.close()


def descriptors(t):
    """All eight combinations of closed descriptors 0 to 2."""
    sets = [[fd for fd in range(3) if 1 << fd & bits] for bits in range(8)]
    t.each(descriptors_of, ((run, closed) for run in RUNS
                            for closed in sets), 3)


# --- Signals -----------------------------------------------------------------

def signal_of(t, number, sent):
    """Ended somewhere, then gone on with: together the whole output."""
    chance, bench = random.Random(number), t.bench()
    words = RAW + ["--repeat-penalty", "1.1", "many"]
    state = os.path.join(bench.home, "state")
    whole = t.whole
    process = start(bench, t.tokpick, words[:-1] +
                    ["--save-state", "state", words[-1]])
    time.sleep(chance.uniform(0, t.seconds))
    process.send_signal(sent)
    got, wrong = finish(process), None
    if got.status not in (0, -sent):
        wrong = f"status {got.status}: {got.err}"
    elif not whole.startswith(got.out) or got.out[-1:] not in (b"", b"\n"):
        wrong = "the output is no prefix in whole lines"
    elif os.path.exists(state):
        done = got.out.count(b"\n")
        with open(f"{bench.home}/many", "rb") as file:
            file.seek(done * t.row)
            rest = finish(start(bench, t.tokpick, ["--load-state", "state"],
                                stdin=file))
        if got.out + rest.out != whole:
            wrong = "it goes on elsewhere"
    elif got.out:
        wrong = "output, and no state"
    t.count(f"{sent.name} number {number}", wrong)
    bench.close()


def make_many(t):
    """Rows that take a while."""
    if hasattr(t, "whole"):
        return
    folder = t.files.name
    with open(f"{folder}/in", "rb") as file:
        rows = file.read()
    t.row = len(rows) // 12
    with open(f"{folder}/many", "wb") as file:
        file.write(rows * 10000)
    bench, begun = t.bench(), time.monotonic()
    t.whole = finish(start(bench, t.tokpick, RAW + [
        "--repeat-penalty", "1.1", "many"])).out
    t.seconds = 1.2 * (time.monotonic() - begun)
    bench.close()


def signals(t):
    """Signals at random moments."""
    make_many(t)
    t.each(signal_of, ((number, sent) for sent in SIGNALS
                       for number in range(5 if t.reduced else 100)))


def stop_of(t, number):
    chance, bench = random.Random(number), t.bench()
    process = start(bench, t.tokpick, RAW + ["--repeat-penalty", "1.1",
                                             "many"])
    for _ in range(3):
        time.sleep(chance.uniform(0, t.seconds / 4))
        process.send_signal(signal.SIGSTOP)
        process.send_signal(signal.SIGCONT)
    got = finish(process)
    t.count(f"SIGSTOP and SIGCONT number {number}",
            (got.status, got.out) != (0, t.whole) and
            f"status {got.status}, or other ids")
    bench.close()


def stops(t):
    """Stopped and continued, which changes nothing."""
    make_many(t)
    t.each(stop_of, ((n,) for n in range(5 if t.reduced else 100)))


# --- Readers and terminals ---------------------------------------------------

def reader_of(t, count, ignored):
    """The reader takes so many bytes and goes away."""
    bench = t.bench()
    make_many(t)
    action = signal.SIG_IGN if ignored else signal.SIG_DFL
    process = start(bench, t.tokpick, RAW + ["--repeat-penalty", "1.1",
                                             "--summary", "summary", "many"],
                    restore_signals=False,
                    preexec_fn=lambda: signal.signal(signal.SIGPIPE, action))
    out = process.stdout.read(count)
    process.stdout.close()
    err = process.stderr.read()
    status, wrong = process.wait(), None
    if status != (1 if ignored else -signal.SIGPIPE):
        wrong = f"status {status}"
    elif ignored != (b"tokpick: standard output: " in err):
        wrong = f"it says {err}"
    elif not t.whole.startswith(out):
        wrong = "the output is no prefix"
    t.count(f"a reader of {count} bytes, SIGPIPE "
            f"{'ignored' if ignored else 'not ignored'}", wrong)
    process.stderr.close()
    bench.close()


def readers(t):
    """A lost reader is never success."""
    make_many(t)
    counts = [1, 2, 1000, 65536, 100000]
    t.each(reader_of, ((count, ignored) for count in counts
                       for ignored in (False, True)))


def terminal_of(t, name, count):
    """Its terminal goes away when it has written so many bytes."""
    bench = t.bench()
    master, slave = pty.openpty()
    process = start(bench, ["setsid", "-c", *t.tokpick],
                    RAW + ["--repeat-penalty", "1.1"] +
                    {"rows": ["many"], "progress": ["--progress", "many"]}
                    [name], stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    while count > 0:
        count -= len(os.read(master, count))
    os.close(master)
    got = finish(process)
    t.count(f"a terminal that goes away, {name}",
            got.status not in (1, -signal.SIGHUP, 129) and
            f"status {got.status}")
    bench.close()


def terminals(t):
    """A terminal that goes away ends it, and it does not spin."""
    make_many(t)
    t.each(terminal_of, ((name, count) for name in ("rows", "progress")
                         for count in (1, 100, 5000)))
