#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cut runs of tokpick anywhere, go on, and compare with runs in one piece.

usage: resumed.py POLICY CASES SEED COMMAND...

Each case draws settings, rows and cuts at random.  A cut comes by -n, by the
end of the input, by a bad row or by part of a row.  What all the pieces print
and the state they end in have to be those of the run in one piece.
"""
import os
import random
import struct
import subprocess
import sys

LLAMA = ("llama.cpp", "llama.cpp-2026-07", "llama.cpp-2026-05")
STAGES = {
    "golem": "penalties top_k top_p min_p temperature".split(),
    "llama.cpp": ("penalties dry top_n_sigma top_k typ_p top_p min_p xtc "
                  "temperature adaptive_p").split(),
}


class Case:
    def __init__(self, policy, rng):
        self.policy = policy
        self.rng = rng
        self.vocab = rng.choice((5, 33, 60))
        self.n_rows = rng.choice((3, 20, 60))
        self.wide = policy == "strict" and rng.random() < 0.5
        self.options = ["--policy", policy, "-V", str(self.vocab)]
        if rng.random() < 0.7:
            self.options += ["--seed", str(rng.randrange(1 << 32) - 1
                                           if policy in LLAMA
                                           else rng.randrange(1 << 64))]
        if self.options[-2] == "--seed" and self.options[-1] == "-1":
            self.options[-1] = "0"
        self.maybe("--draws", (1, 3), 0.2)
        if rng.random() < 0.1:
            self.options.append("--greedy")
        if policy == "strict":
            self.maybe("--temp", (0.3, 1, 2.5), 0.7)
            self.maybe("--top-k", (1, 3, self.vocab), 0.7)
        else:
            self.chain()
        self.rows = [self.row() for _ in range(self.n_rows)]
        # To strict alone an id of no token is a mistake.
        self.prompt = [rng.randrange(self.vocab + 2 * (policy != "strict"))
                       for _ in range(rng.choice((0, 3, 1500)))]
        self.history = rng.random() < 0.3 and [
            rng.randrange(self.vocab) for _ in self.rows]
        self.mask = rng.random() < 0.2 and [self.mask_row()
                                            for _ in self.rows]

    def maybe(self, option, values, how_often):
        if self.rng.random() < how_often:
            self.options += [option, str(self.rng.choice(values))]

    def chain(self):
        maybe, rng = self.maybe, self.rng
        if rng.random() < 0.2:
            self.options.append("--no-defaults")
        maybe("--temp", (0, -1, 0.5, 0.1, 1, 1.7), 0.5)
        maybe("--top-k", (-1, 0, 1, 4, 40), 0.5)
        maybe("--top-p", (0.3, 0.9, 1), 0.4)
        maybe("--min-p", (0, 0.02, 0.3), 0.4)
        maybe("--min-keep", (2, 7), 0.2)
        maybe("--repeat-last-n", (-1, -1, 0, 2, 64, 1100, 2000), 0.8)
        maybe("--repeat-penalty", (0.5, 0.9, 1.1, 2), 0.6)
        maybe("--frequency-penalty", (-0.4, 0.1, 1.1), 0.6)
        maybe("--presence-penalty", (-0.7, 0.6), 0.4)
        for _ in range(rng.choice((0, 0, 3))):
            maybe("--logit-bias", [f"{rng.randrange(self.vocab)}{b}" for b in
                                   ("+1.5", "-0.1", "+1e-3", "-inf")], 1)
        if self.policy in LLAMA:
            self.llama()
        if rng.random() < 0.4:
            names = STAGES["golem" if self.policy == "golem" else "llama.cpp"]
            names = rng.sample(names, rng.randrange(1, len(names) + 1))
            if self.policy in LLAMA and rng.random() < 0.5:
                names = ["adaptive_p"]
                self.options += ["--adaptive-target", "0.3"]
            self.options += ["--samplers", ";".join(names)]

    def llama(self):
        maybe = self.maybe
        maybe("--typical", (0.4, 0.9), 0.3)
        maybe("--top-nsigma", (0.5, 2), 0.3)
        maybe("--xtc-probability", (0.3, 0.7, 1), 0.5)
        maybe("--xtc-threshold", (0.05, 0.2), 0.3)
        maybe("--dynatemp-range", (0.3, 0.9), 0.3)
        maybe("--dry-multiplier", (0.8, 5), 0.5)
        maybe("--dry-allowed-length", (0, 1, 3), 0.5)
        maybe("--dry-penalty-last-n", (-1, 2, 10, 1100), 0.5)
        maybe("--dry-breaker", ("1", "2,3", "0 1"), 0.3)
        maybe("--mirostat", (1, 2), 0.2)
        maybe("--mirostat-lr", (0.05, 0.4), 0.2)
        maybe("--adaptive-target", (0.1, 0.6), 0.4)
        maybe("--adaptive-decay", (0.3, 0.99), 0.3)

    def row(self):
        values = [self.rng.gauss(0, 2) for _ in range(self.vocab)]
        if self.policy != "strict" and self.rng.random() < 0.3:
            for i in range(1, self.vocab, 2):
                values[i] = float("-inf")
        return self.pack(values)

    def pack(self, values):
        return struct.pack(f"<{self.vocab}{'d' if self.wide else 'f'}",
                           *values)

    def mask_row(self):
        """Half of the ids, and those that are never banned."""
        words = (self.vocab + 31) // 32
        return bytes(self.rng.randrange(256) | 0x55
                     for _ in range(4 * words))


def run(command, arguments, data, want):
    done = subprocess.run(command + arguments, input=data,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != want:
        sys.exit(f"{' '.join(arguments)}: status {done.returncode} instead "
                 f"of {want}: {done.stderr.decode()}")
    return done.stdout


def put(name, data):
    with open(name, "wb") as file:
        file.write(data)


def files(case, start, end):
    """What is read in step with the rows from start to end."""
    arguments = ["--dtype", "f64"] if case.wide else []
    if case.history:
        put("ids", " ".join(map(str, case.history[start:end])).encode())
        arguments += ["--history", "ids"]
    if case.mask:
        put("mask", b"".join(case.mask[start:end]))
        arguments += ["--mask", "mask"]
    return arguments


def first(case):
    put("prompt", " ".join(map(str, case.prompt)).encode())
    return case.options + ["--prompt", "@prompt"]


def piece(command, case, settings, start, end, how):
    """Draw from the rows from start to end, cut in that way."""
    data, more, want = case.rows[start:end], [], 0
    reach = end
    if how == "limit":
        data, more, reach = case.rows[start:], ["-n", str(end)], None
    elif how == "bad":
        data = data + [case.pack([float("nan")] * case.vocab)]
        want, reach = 1, end + 1
    elif how == "partial":
        data, want = data + [b"\0" * 3], 1
    more += files(case, start, reach)
    return run(command, settings + more + ["--save-state", "state"],
               b"".join(data), want)


def check(command, case):
    rng, n = case.rng, case.n_rows
    whole = run(command, first(case) + files(case, 0, n) +
                ["--save-state", "whole"], b"".join(case.rows), 0)
    cuts = sorted(rng.randrange(n + 1) for _ in range(rng.randrange(1, 5)))
    parts, settings, start, ways = [], first(case), 0, []
    for end in cuts + [n]:
        # A bad row needs an id to join in its place, and a mask.
        ways.append(rng.choice(
            ["limit", "input", "partial"] +
            (["bad"] if end < n else [])) if end < n else "input")
        parts.append(piece(command, case, settings, start, end, ways[-1]))
        # The same settings again say nothing new.
        settings = ["--load-state", "state"]
        if rng.random() < 0.5:
            settings += case.options
        start = end
    with open("whole") as one, open("state") as other:
        same = one.read() == other.read()
    if b"".join(parts) != whole or not same:
        sys.exit(f"{' '.join(case.options)}: cut at {cuts} by {ways}: "
                 f"{'other ids' if same else 'another state'}\n"
                 f"{whole!r}\n{b''.join(parts)!r}")


def main():
    policy, cases, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    scale = int(os.environ.get("TOKPICK_TEST_SCALE", 100))
    for i in range(max(1, cases * scale // 100)):
        check(sys.argv[4:], Case(policy, random.Random(f"{seed} {i}")))


main()
