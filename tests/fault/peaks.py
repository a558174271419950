# SPDX-License-Identifier: MIT
"""The most resident memory of a run, as the kernel has it.

Each kind of run has a budget (runs.py, and below), and takes no more for ten
times as many rows.  The program and its libraries are 2 MiB of each, or 5 with
libzstd's decoder; a budget is about one and a half times what was measured.
"""
import os

import bombs
from runs import RAW, RUNS, Run, headed, zstd

# What the other faults are not put into, as it takes too long to be done often.
BROAD = 1 << 17
BIG = ["-V", str(BROAD), "-j", "1"]
LARGE = [
    # Rows of 512 KiB: one, and what its values are listed in.
    Run("broad", BIG + ["broad"], peak=5),
    Run("broad, no top-k", BIG + ["--top-k", "0", "broad"], peak=8),
    Run("broad, f16", BIG + ["-d", "f16", "broad"], peak=5),
    Run("broad, strict", BIG + ["--policy", "strict", "broad"], peak=10),
    Run("broad, traced", BIG + ["-o", "jsonl", "--top", "3", "broad"],
        peak=12),
    Run("broad, llama", BIG + [
        "--policy", "llama.cpp", "--samplers", "penalties;typ_p;temperature",
        "--typical", "0.9", "--repeat-penalty", "1.1", "broad"], peak=12),
    # Tokens with their texts, then pieces; and those sorted for a grammar.
    Run("broad, a model", ["--gguf", "broad.gguf", "-j", "1", "broad"],
        peak=16),
    Run("broad, a grammar", ["--gguf", "broad.gguf", "-j", "1", "--greedy",
                             "--grammar", "root ::= [b-z]*", "--dead-end",
                             "stop", "broad"], peak=24),
    # 15 KiB a setting, or a sequence.
    Run("1000 settings", RAW + ["--grid", "seed=1:1000", "in"], peak=24),
    Run("1000 sequences", RAW + ["--batch", "1000", "few"], peak=36),
    Run("mask, zstd", RAW + ["--mask", "mask.zst", "in"], peak=8),
]

# What goes by the row, and is there for as many rows as there are.
BY_ROW = {"in", "in.zst", "in.npy", "in.safetensors", "mask"}
# Recorded ids are held whole, and a model is asked row by row.
WHOLE = {"--history", "--expect", "--exec", "-n"}
FEW, MANY = 1000, 10000  # times the 12 rows
SLACK = 1024  # KiB; where the heap's pages lie is chance


def make_files(t):
    folder = t.files.name

    def put(name, data):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)

    def get(name):
        with open(os.path.join(folder, name), "rb") as file:
            return file.read()

    for prefix, times in (("few", FEW), ("many", MANY)):
        data, rows = get("in") * times, str(12 * times)
        put(prefix, data)
        put(f"{prefix}.zst", zstd(data))
        put(f"{prefix}.npy", headed("npy", "<f4", rows, "16") + data)
        put(f"{prefix}.safetensors",
            headed("safetensors", "F32", "0", rows, "16") + data)
        put(f"{prefix}.mask", get("mask") * times)
    put("mask.zst", zstd(get("mask")))
    put("broad", get("wide")[:4 * BROAD] * 4)
    put("broad.gguf", bombs.model_of(b"t%x" % i for i in range(BROAD)))


def measure(t, run):
    bench = t.bench()
    got = bench.run(t.tokpick, run, LD_PRELOAD=t.shim("memory"))
    bench.close()
    # A comparison with rows that were not recorded may fail.
    wrong = got.status not in (0, 1) and f"status {got.status}: {got.err}"
    return int(got.log.get("peak", 0)), wrong


def budget_of(t, run):
    peak, wrong = measure(t, run)
    if os.environ.get("TORTURE_PEAKS"):
        print(f"{run.name}: {peak} KiB of {run.peak} MiB", flush=True)
    t.count(f"{run.name}, peak of memory", wrong or
            peak > run.peak * 1024 and
            f"{peak} KiB, and {run.peak} MiB are allowed")


def of_many(run, prefix):
    """The same run of few rows or many."""
    def longer(word):
        if word == "mask":
            return f"{prefix}.mask"
        return prefix + word[2:] if word in BY_ROW else word
    # Not read ahead, for which there is memory as soon as a file is large.
    words = ["-j", "1"] + [longer(word) for word in run.words]
    return Run(f"{run.name}, {prefix} rows", words,
               stdin=longer(run.stdin), files=run.files)


def goes_by_row(run):
    return not WHOLE & set(run.words) and \
        BY_ROW & {*run.words, run.stdin} - {"mask"}


def growth_of(t, run):
    (few, wrong), (many, too) = (measure(t, of_many(run, prefix))
                                 for prefix in ("few", "many"))
    if os.environ.get("TORTURE_PEAKS"):
        print(f"{run.name}: {few} KiB, then {many} KiB", flush=True)
    t.count(f"{run.name}, more rows", wrong or too or
            many > few + SLACK and f"{few} KiB, then {many} KiB")


def peaks(t):
    """The most resident memory is within its budget, whatever the rows."""
    make_files(t)
    t.each(budget_of, ((run,) for run in RUNS + LARGE))
    t.each(growth_of, ((run,) for run in RUNS if goes_by_row(run)), 4)
