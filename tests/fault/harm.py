# SPDX-License-Identifier: MIT
"""Damaged files given to the whole program: what it draws is explained.

That a parser does not crash is shown for every change of a byte by damage.c.
Here it is for some changes of each byte that the exit status is right, that a
failure has its message, and that ids come from what the file says now.
"""
import itertools
import os

import readings
from runs import GRAMMAR, RAW, Run
from trial import judge

GREEDY = RAW + ["--greedy"]

# The file, the run that reads it as "bad", and what is known of its output:
# a reading of the file, "same" if all that is taken is the same, or None.  A
# second reader of grammars and schemas is in unit/, of sweeps the parser of
# options, and what llama.cpp packs is unpacked in unit/test_codes.c.
FORMATS = {
    "raw": ("in", GREEDY + ["--input", "raw", "bad"], readings.raw),
    "zstd": ("in.zst", RAW + ["--input", "zstd", "bad"], "same"),
    "npy": ("in.npy", ["--greedy", "bad"], readings.npy),
    "safetensors": ("in.safetensors", ["--greedy", "bad"],
                    readings.safetensors),
    "logits": ("in.logits", ["bad"], None),
    "mask": ("mask", GREEDY + ["--mask", "bad", "in"], readings.mask),
    "history": ("ids", GREEDY + ["--history", "bad", "--repeat-penalty", "4",
                                 "in"], readings.history),
    "expect": ("right", RAW + ["--expect", "bad", "in"], "same"),
    "biases": ("biases", GREEDY + ["--logit-bias", "@bad", "in"],
               readings.biases),
    "pieces": ("pieces", GREEDY + ["--pieces", "bad", "-o", "text", "in"],
               readings.pieces),
    "gguf": ("small.gguf", ["--gguf", "bad", "--greedy", "-o", "text", "in"],
             readings.gguf),
    "grammar": ("grammar", GRAMMAR + ["--grammar-file", "bad", "in"], None),
    "schema": ("schema", GRAMMAR + ["--json-schema", "@bad", "in"], None),
    "sweep": ("sweep", RAW + ["--sweep", "bad", "in"], None),
    "state": ("saved", ["--load-state", "bad", "in"], "same"),
}
# Where what is read and what is refused is the same to both readers.
EXACT = (readings.raw, readings.mask)


def damages(data, some):
    """Truncations, and bytes that are changed in a few ways."""
    step = max(1, len(data) // 60) if some else 1
    for end in range(0, len(data), step):
        yield f"cut off at {end}", data[:end]
    for at in range(0, len(data), step):
        for with_ in (0x01,) if some else (0x01, 0x04, 0x10, 0x80, 0xff):
            yield (f"byte {at} xor {with_:#x}",
                   data[:at] + bytes([data[at] ^ with_]) + data[at + 1:])


def wrong_reading(known, data, files, got):
    """Is it what the file says, or an error and the beginning of that?"""
    reading = known(data, files)
    if reading is readings.ANY:
        return None
    out, whole = reading or (b"", False)
    if got.status == 0 and not whole:
        return "no error, where the file is wrong"
    if got.status != 0 and whole and known in EXACT:
        return f"status {got.status}, which the file does not explain"
    exact = got.status == 0 or known in EXACT
    return (got.out != out if exact else not out.startswith(got.out)) and \
        "ids that the file does not explain"


def wrong_ids(known, data, files, right, got):
    if known is None or (known == "same" and got.status != 0):
        return None
    if known == "same":
        # Nothing at all is no rows, in any format.
        return got.out != (right.out if data else b"") and \
            "other ids, and no error"
    return wrong_reading(known, data, files, got)


def harm_of(t, name):
    source, words, known = FORMATS[name]
    bench = t.bench()
    files = {}
    for file in ("in", source):
        with open(os.path.join(bench.home, file), "rb") as opened:
            files[file] = opened.read()
    bench.names.add("bad")
    # Every kind of output is as good as another: what is known is checked.
    run = Run(f"damaged {name}", words, partial=False, left=2)
    bad = os.path.join(bench.home, "bad")
    right = None
    for what, data in itertools.chain([("whole", files[source])],
                                      damages(files[source], t.reduced)):
        with open(bad, "wb") as file:
            file.write(data)
        got = bench.run(t.tokpick, run)
        right = right or got
        wrong = judge(run, right, got, unseen=True) or \
            wrong_ids(known, data, files, right, got)
        if got is right and known not in (None, "same") and \
                (right.status, right.out) != (0, known(data, files)[0]):
            wrong = "the whole file is read otherwise here"
        t.count(f"{run.name}, {what}", wrong)
    bench.close()


def harm(t):
    """Damaged files of every format, in the whole program."""
    t.each(harm_of, ((name,) for name in FORMATS))
