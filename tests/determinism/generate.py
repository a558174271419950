#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write random rows, and random settings to draw from them.

usage: generate.py ROWS DIR

DIR gets a file of rows for each case, masks for some, and cases.tsv: case,
kind, rows, bytes in a row, and the arguments.  The same ROWS makes the same
files everywhere: all chance is one generator with a fixed seed, and nothing
calls a mathematics library.
"""
import os
import random
import struct
import sys

SEED = 20261130

# Values in a row, and rows of a case: few of the long ones.
SIZES = [(1, 20), (2, 40), (7, 40), (64, 40), (512, 30), (1000, 25),
         (4096, 12), (5000, 10), (32000, 2)]

# The last cases: enough bytes for threads to read them.
LARGE = [(150000, 4)] * 3

FLOAT32 = struct.Struct("<f")
INF = float("inf")
chance = random.Random(SEED)


def one_in(n):
    return chance.random() * n < 1


def between(low, high):
    return low + (high - low) * chance.random()


def pick(*values):
    return values[int(chance.random() * len(values))]


def integer(low, high):
    return low + int(chance.random() * (high - low + 1))


# Rows: each a way to make n values no larger than top.

def flat(n, top):
    return [chance.random() for _ in range(n)]


def model(n, top):
    """Much as a language model's: a hill, with a few far out to the right."""
    r = chance.random
    row = [(r() + r() + r() + r() - 2) * 6 for _ in range(n)]
    for _ in range(min(n, 5)):
        row[integer(0, n - 1)] = between(8, 20)
    return row


def peaked(n, top):
    row = flat(n, top)
    row[integer(0, n - 1)] += pick(5, 20, 90, 1000)
    return row


def tied(n, top):
    levels = [between(-4, 4) for _ in range(integer(2, 5))] + [0.0, -0.0]
    return [pick(*levels) for _ in range(n)]


def equal(n, top):
    return [between(-9, 9)] * n


def barred(n, top):
    """Most can't be drawn, and one can."""
    row = [value if one_in(3) else -INF for value in model(n, top)]
    row[integer(0, n - 1)] = 1.5
    return row


def huge(n, top):
    return [between(-top, top) for _ in range(n)]


def denormal(n, top):
    return [between(-1, 1) * 2.0 ** -integer(125, 148) for _ in range(n)]


def deep(n, top):
    """As far down as exp reaches, and further."""
    return [-between(0, 900) * chance.random() for _ in range(n)]


SHAPES = (flat, model, model, model, peaked, tied, equal, barred, huge,
          denormal, deep)


def bfloat16(value):
    return FLOAT32.pack(value)[2:]


def pack(dtype, row):
    if dtype == "bf16":
        return b"".join(map(bfloat16, row))
    letter = {"f32": "f", "f64": "d", "f16": "e"}[dtype]
    return struct.pack("<%d%s" % (len(row), letter), *row)


def make_rows(dtype, n, count, finite):
    top = 65000.0 if dtype == "f16" else 3e38
    shapes = [s for s in SHAPES if not (finite and s is barred)]
    return [pick(*shapes)(n, top) for _ in range(count)]


def make_mask(row):
    """About half of the bits, and that of the best."""
    bits = chance.getrandbits(len(row))
    bits |= 1 << max(range(len(row)), key=row.__getitem__)
    return bits.to_bytes((len(row) + 31) // 32 * 4, "little")


# Settings: each function returns arguments.

def number(low, high):
    return "%.3f" % between(low, high)


def maybe(n, option, value):
    """--option VALUE, one time in n."""
    return ["--" + option, str(value)] if one_in(n) else []


def ids(n, most):
    return ",".join(str(integer(0, n - 1)) for _ in range(integer(1, most)))


def strict(n):
    return (["-s", chance.getrandbits(64)] +
            maybe(2, "temp", pick("0.001", "0.7", "1", "1.3", number(0.1, 9))) +
            maybe(2, "top-k", integer(1, n)) +
            (["--greedy"] if one_in(8) else []))


def stages(names):
    """Some of them in any order; seldom one of them twice."""
    chosen = [name for name in names if not one_in(4)]
    chosen += [pick(*names)] if one_in(6) else []
    for i in range(len(chosen)):
        j = integer(i, len(chosen) - 1)
        chosen[i], chosen[j] = chosen[j], chosen[i]
    return ";".join(chosen)


GOLEM = ["penalties", "top_k", "top_p", "min_p", "temperature"]
LLAMA = ["penalties", "dry", "top_n_sigma", "top_k", "typ_p", "top_p",
         "min_p", "xtc", "temperature"]


def biases(n):
    words = []
    for _ in range(integer(1, 4)):
        value = "-inf" if n > 64 and one_in(3) else "%+.2f" % between(-9, 9)
        words += ["-l", "%d%s" % (integer(0, n - 1), value)]
    return words


def golem(n):
    temps = ("0", "0.01", "0.7", "1", "1.5", "4", number(0.2, 3))
    return (maybe(2, "temp", pick(*temps)) +
            maybe(2, "top-k", pick(0, 1, 5, 40, 500, 5000, integer(1, n))) +
            maybe(2, "top-p", pick("0", "0.1", "0.5", "0.99", number(0, 1))) +
            maybe(2, "min-p", pick("0", "0.001", "0.3", number(0, 1))) +
            maybe(3, "repeat-penalty", pick("0.8", "1.1", "2", "1e30")) +
            maybe(3, "frequency-penalty", number(-1, 2)) +
            maybe(3, "presence-penalty", number(-1, 2)) +
            maybe(4, "repeat-last-n", pick(-1, 0, 1, 3, 8, 1000)) +
            maybe(5, "min-keep", integer(0, 12)) +
            maybe(3, "prompt", ids(n, 20)) +
            (biases(n) if one_in(3) else []) +
            (["--ignore-eos", "--eos", ids(n, 2)]
             if n > 64 and one_in(9) else []) +
            (["--greedy"] if one_in(10) else []) +
            (["--no-defaults"] if one_in(6) else []))


def golem_alone(n):
    return (golem(n) + ["-s", chance.getrandbits(64)] +
            (["--samplers=" + stages(GOLEM)] if one_in(4) else []))


def llama(n):
    words = golem(n) + ["-s", chance.getrandbits(31)]
    if one_in(6):
        return (words + ["--mirostat", pick(1, 2)] +
                maybe(2, "mirostat-lr", number(0, 1)) +
                maybe(2, "mirostat-ent", number(1, 9)))
    names = LLAMA + ["adaptive_p"] if one_in(4) else LLAMA
    return (words +
            (["--samplers=" + stages(names)] if one_in(3) else []) +
            maybe(3, "typical", number(0, 1)) +
            maybe(3, "top-nsigma", number(0, 4)) +
            maybe(3, "xtc-probability", number(0, 1)) +
            maybe(4, "xtc-threshold", number(0, 0.5)) +
            maybe(3, "dynatemp-range", number(0, 2)) +
            maybe(4, "dynatemp-exp", number(0, 3)) +
            maybe(2, "dry-multiplier", number(0, 2)) +
            maybe(4, "dry-base", number(1, 3)) +
            maybe(4, "dry-allowed-length", integer(0, 3)) +
            maybe(4, "dry-penalty-last-n", pick(-1, 0, 5, 100)) +
            maybe(5, "dry-breaker", ids(n, 2)) +
            maybe(3, "adaptive-target", number(0, 1)) +
            maybe(4, "adaptive-decay", number(0, 1)))


POLICIES = (("golem", golem_alone), ("strict", strict), ("llama.cpp", llama),
            ("llama.cpp", llama), ("llama.cpp-2026-07", llama),
            ("llama.cpp-2026-05", llama), ("golem", golem_alone))


def make_case(number_of_case, kind, n, count, write):
    policy, settings = POLICIES[number_of_case % len(POLICIES)]
    dtype = pick("f32", "f32", "f64", "f16", "bf16")
    name = "%04d" % number_of_case
    rows = make_rows(dtype, n, count, policy == "strict")
    packed = [pack(dtype, row) for row in rows]
    words = (["-V", n, "-d", dtype, "--policy", policy] + settings(n))
    if kind != "inspect":
        words += maybe(6, "draws", integer(2, 9))
    if kind != "resume" and one_in(5):
        write(name + ".mask", b"".join(map(make_mask, rows)))
    write(name + ".rows", b"".join(packed))
    return (name, kind, count, len(packed[0]), " ".join(map(str, words)))


def main():
    wanted, folder = int(sys.argv[1]), sys.argv[2]

    def write(name, data):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)

    sizes = []
    wanted -= sum(count for _, count in LARGE)
    while wanted > 0:
        n, count = SIZES[len(sizes) % len(SIZES)]
        sizes.append((n, min(count, wanted)))
        wanted -= count
    cases = []
    for n, count in sizes + LARGE:
        kind = pick("draw", "draw", "draw", "resume", "inspect")
        cases.append(make_case(len(cases), kind, n, count, write))
    lines = ["\t".join(map(str, case)) + "\n" for case in cases]
    write("cases.tsv", "".join(lines).encode())


if __name__ == "__main__":
    main()
