# SPDX-License-Identifier: MIT
"""Rows and settings that must come to the same, whichever way they are read.

Random pairs of both are held to plain samplers in the program of
unit/test_pairs.c; here whole commands with random settings are held to each
other: any number of threads, raw and zstd files, a pipe, 16 bits and the same
widened, a row alone and among others, settings alone and in a sweep.
"""
import os
import re
import struct
import subprocess
import sys

from runs import TESTS, Run, zstd

sys.path.insert(0, f"{TESTS}/determinism")
import generate

# Values in a row, their type, and may some be -inf?  Of each file there is
# more than the mebibyte from which on files are read ahead.
FILES = ((1000, "f32", True), (4096, "f32", False), (1000, "bf16", True),
         (64, "f32", True), (1000, "f16", True), (1000, "f64", False),
         (4096, "f32", True))
BYTES = {"f32": 4, "f64": 8, "f16": 2, "bf16": 2}
LEAST = 1100000
SETTINGS = 210

# What settings have to be rid of, so that rows know nothing of each other.
FORGETFUL = {"golem": ["--repeat-last-n", "0"], "strict": [],
             "llama.cpp": ["--repeat-last-n", "0", "--dry-multiplier", "0",
                           "--mirostat", "0", "--adaptive-target", "-1"]}


def widen(dtype, data):
    """Values of 16 bits as floats."""
    if dtype == "bf16":
        return b"".join(b"\0\0" + data[at:at + 2]
                        for at in range(0, len(data), 2))
    n = len(data) // 2
    return struct.pack(f"<{n}f", *struct.unpack(f"<{n}e", data))


class Rows:
    """A file of rows in all the ways it can be read."""

    def __init__(self, folder, number):
        self.vocab, self.dtype, barred = FILES[number]
        self.size = self.vocab * BYTES[self.dtype]
        self.count = LEAST // self.size + 1
        self.finite = not barred
        self.name = f"rows-{number}"
        rows = generate.make_rows(self.dtype, self.vocab, self.count,
                                  self.finite)
        data = b"".join(generate.pack(self.dtype, row) for row in rows)
        masks = [generate.make_mask(row) for row in rows]
        self.put = lambda name, data: put(folder, self.name + name, data)
        self.put("", data)
        self.put(".zst", zstd(data, "-1"))
        self.put(".frames", b"".join(
            zstd(data[at:at + 123457], "-1")
            for at in range(0, len(data), 123457)))
        self.put(".mask", b"".join(masks))
        self.put(".half", data[self.count // 2 * self.size:])
        self.put(".thirds", b"".join(
            data[at:at + self.size]
            for at in range(0, len(data), 3 * self.size)))
        if self.dtype in ("f16", "bf16"):
            self.put(".wide", widen(self.dtype, data))


def put(folder, name, data):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


def random_settings(rows, like=None):
    """A policy and its settings; like: of the same width as that one."""
    policies = ["golem", "llama.cpp", "llama.cpp-2026-07", "llama.cpp-2026-05"]
    if rows.finite:
        policies = ["strict", "golem"]
    if like:
        policies = [name for name in policies
                    if (name == "strict") == (like == "strict")]
    policy = generate.pick(*policies)
    choose = {"golem": generate.golem_alone, "strict": generate.strict}
    words = choose.get(policy, generate.llama)(rows.vocab)
    return policy, [str(word) for word in words]


def several_settings(rows):
    first = random_settings(rows)
    return [first, *(random_settings(rows, first[0]) for _ in range(2))]


class Pair:
    """Settings, and a file of rows to draw from."""

    def __init__(self, t, rows, policy, words, number):
        self.t, self.rows, self.number = t, rows, number
        self.policy, self.words = policy, ["-q", "--policy", policy, *words]
        self.bench = t.bench()

    def draw(self, suffix, *words, dtype=None, pipe=False):
        """Status, output and message, in which files have no name."""
        rows = self.rows
        name = rows.name + suffix
        run = Run("", ["-V", str(rows.vocab), "-d", dtype or rows.dtype,
                       *self.words, *words, *([] if pipe else [name])],
                  **({"stdin": name} if pipe else {}))
        got = self.bench.run(self.t.tokpick, run)
        return got.status, got.out, re.sub(
            rb"standard input|rows-\d+[.a-z]*|; there are no more|", b"",
            got.err)

    def same(self, what, want, got):
        wrong = want != got and \
            f"{self.words}: {want[0]}, {want[2]!r} and {got[0]}, {got[2]!r}"
        self.t.count(f"setting {self.number}, {what}", wrong)


def ways_to_read(p, words):
    """Threads, and forms of one file."""
    want = p.draw("", "-j", "1", *words)
    for suffix in ("", ".zst", ".frames"):
        for threads in ("1", "4"):
            if suffix or threads != "1":
                p.same(f"-j {threads} of '{suffix}'", want,
                       p.draw(suffix, "-j", threads, *words))
    p.same("a pipe", want, p.draw("", "-j", "4", *words, pipe=True))
    if p.rows.dtype in ("f16", "bf16"):
        p.same("widened", want, p.draw(".wide", *words, dtype="f32"))
    return want


def lines(outcome, first=0, last=None):
    return outcome[1].split(b"\n")[first:last]


def rows_alone(p):
    """A row's ids are its own: in a range of rows, and behind others."""
    words = ["--stream", "row", *FORGETFUL[p.policy.split("-")[0]]]
    half, end = p.rows.count // 2, p.rows.count * 3 // 4
    status, *_ = want = p.draw("", *words)
    if status != 0:
        return  # the rows behind a bad one have no ids to compare
    some = p.draw("", "--rows", f"{half + 1}:{end}", *words)
    p.same("a range of rows", (0, lines(want, half, end), b""),
           (some[0], lines(some, 0, -1), some[2]))
    some = p.draw(".half", "--row-base", str(half + 1), *words)
    p.same("the second half", (0, lines(want, half), b""),
           (some[0], lines(some), some[2]))


def sequences_alone(p):
    """The first of three sequences, which take turns, is as if alone."""
    words = ["--stream", "row"]
    want = p.draw(".thirds", *words)
    three = p.draw("", "--batch", "3", *words)
    if want[0] or three[0]:
        return  # one of them ends early, where the other need not
    p.same("a sequence of three", (0, lines(want, 0, -1), b""), (
        0, [line[2:] for line in lines(three) if line.startswith(b"0 ")],
        b""))


def sweepable(words):
    """Settings without what is a whole run's."""
    words = [word for word in words if word != "--ignore-eos"]
    for option in ("--prompt", "--eos"):
        while option in words:
            at = words.index(option)
            del words[at:at + 2]
    return words


def sweeps(p, settings):
    """Settings side by side draw what each does alone."""
    settings = [["--policy", policy, *sweepable(words)]
                for policy, words in settings]
    p.bench.names.add("settings")
    put(p.bench.home, "settings", "".join(
        " ".join(words) + "\n" for words in settings).encode())
    with_all, p.words = p.words, ["-q"]
    want = [p.draw("", *words) for words in settings]
    got = p.draw("", "--policy", p.policy, "--sweep", "settings")
    p.words = with_all
    if any(outcome[0] for outcome in want):
        return  # a sweep ends with the first setting that does
    rows = [b" ".join(row)
            for row in zip(*(lines(outcome, 0, -1) for outcome in want))]
    p.same("a sweep", (0, rows, b""), (got[0], lines(got, 0, -1), got[2]))


def pair_of(t, rows, number, settings, mask, draws, traced):
    p = Pair(t, rows, *settings[0], number)
    masked = ["--mask", rows.name + ".mask"] if mask else []
    several = ["--draws", str(draws)] if draws > 1 else []
    ways_to_read(p, masked + several)
    ways_to_read(p, masked + several + ["--stream", "row"])
    if traced:
        ways_to_read(p, masked + several + ["-o", "jsonl", "--top", "3"])
    rows_alone(p)
    sequences_alone(p)
    sweeps(p, settings)
    p.bench.close()


def plain_of(t, count):
    """The sampler, on all its kernels, and plain ones."""
    got = subprocess.run(
        [f"{t.build}/plain/unit/test_pairs"], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, check=False,
        env={**os.environ, "TOKPICK_PAIRS": str(count)})
    text = got.stdout.decode(errors="replace")
    tried = sum(int(n) for n in re.findall(r"^# (\d+) pairs", text, re.M))
    t.count("pairs", got.returncode != 0 and text, tried or 1)


def jobs(t, files):
    """Settings by turns for each file; all chance is used up here."""
    for number in range(SETTINGS):
        rows = files[number % len(files)]
        yield (pair_of, rows, number, several_settings(rows),
               generate.one_in(4),
               generate.pick(1, 1, 1, 2, 5), generate.one_in(5))


def pairs(t):
    """Random rows and settings: the right ids, and always the same."""
    some = FILES[:3] if t.reduced else FILES
    files = [Rows(t.files.name, i) for i in range(len(some))]
    every = [(plain_of, 40000 if t.reduced else 400000), *jobs(t, files)]
    if t.reduced:
        every = every[:1 + SETTINGS // 10]
    t.each(lambda t, work, *job: work(t, *job), every)
