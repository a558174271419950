# SPDX-License-Identifier: MIT
"""Damaged files given to the whole program: what it draws is explained.

That a parser does not crash is shown for every change of a byte by damage.c.
Here it is for some changes of each byte that the exit status is right, that a
failure has its message, and that ids come from what the file says now.
"""
import math
import os
import struct

from runs import GRAMMAR, RAW, VOCAB, Run
from trial import judge


def floats(data):
    """The whole rows in it."""
    size = 4 * VOCAB
    return [struct.unpack_from(f"<{VOCAB}f", data, at)
            for at in range(0, len(data) - size + 1, size)]


def best_of(logits, allowed=~0):
    """The id of the greatest, or None where the row is an error."""
    if any(math.isnan(x) or x == math.inf for x in logits):
        return None
    inside = [i for i in range(VOCAB) if allowed >> i & 1 and
              logits[i] != -math.inf]
    return max(inside, key=lambda i: (logits[i], -i)) if inside else None


def ids(rows, masks=None):
    """What is drawn greedily up to the first error, and was there one?"""
    drawn = []
    for i, row in enumerate(rows):
        if masks is not None and i >= len(masks):
            return drawn, True
        best = best_of(row, masks[i] if masks is not None else ~0)
        if best is None:
            return drawn, True
        drawn.append(best)
    return drawn, False


def raw_says(data, files):
    drawn, wrong = ids(floats(data))
    return drawn, wrong or len(data) % (4 * VOCAB) != 0


def masks_say(data, files):
    words = [x for x, in struct.iter_unpack("<I", data[:len(data) // 4 * 4])]
    return ids(floats(files["in"]), words)


def text_of(drawn):
    return b"".join(b"%d\n" % i for i in drawn)


# The file, the run that reads it as "bad", and what is known of its output:
# a function that says it, "same" if all that is taken is the same, or None.
FORMATS = {
    "raw": ("in", RAW + ["--greedy", "--input", "raw", "bad"], raw_says),
    "zstd": ("in.zst", RAW + ["--input", "zstd", "bad"], "same"),
    "npy": ("in.npy", ["bad"], None),
    "safetensors": ("in.safetensors", ["bad"], None),
    "logits": ("in.logits", ["bad"], None),
    "mask": ("mask", RAW + ["--greedy", "--mask", "bad", "in"], masks_say),
    "history": ("ids", RAW + ["--history", "bad", "--repeat-penalty", "1.3",
                              "in"], None),
    "expect": ("right", RAW + ["--expect", "bad", "in"], "same"),
    "biases": ("biases", RAW + ["--logit-bias", "@bad", "in"], None),
    "pieces": ("pieces", RAW + ["--pieces", "bad", "-o", "text", "in"], None),
    "gguf": ("model.gguf", ["--gguf", "bad", "-o", "text", "in"], None),
    "grammar": ("grammar", GRAMMAR + ["--grammar-file", "bad", "in"], None),
    "schema": ("schema", GRAMMAR + ["--json-schema", "@bad", "in"], None),
    "sweep": ("sweep", RAW + ["--sweep", "bad", "in"], None),
    "state": ("saved", ["--load-state", "bad", "in"], "same"),
}


def damages(data, some):
    """Truncations, and bytes that are changed in a few ways."""
    step = max(1, len(data) // 60) if some else 1
    for end in range(0, len(data), step):
        yield f"cut off at {end}", data[:end]
    for at in range(0, len(data), step):
        for with_ in (0x01,) if some else (0x01, 0x04, 0x10, 0x80, 0xff):
            yield (f"byte {at} xor {with_:#x}",
                   data[:at] + bytes([data[at] ^ with_]) + data[at + 1:])


def wrong_ids(known, data, files, right, got):
    if known is None or (known == "same" and got.status != 0):
        return None
    if known == "same":
        # Nothing at all is no rows, in any format.
        return got.out != (right.out if data else b"") and \
            "other ids, and no error"
    drawn, wrong = known(data, files)
    if (got.status != 0) != wrong:
        return f"status {got.status}, which the file does not explain"
    return got.out != text_of(drawn) and \
        "ids that the file does not explain"


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
    for what, data in [("whole", files[source])] + \
            list(damages(files[source], t.reduced)):
        with open(bad, "wb") as file:
            file.write(data)
        got = bench.run(t.tokpick, run)
        right = right or got
        wrong = judge(run, right, got, unseen=True) or \
            wrong_ids(known, data, files, right, got)
        t.count(f"{run.name}, {what}", wrong)
    bench.close()


def harm(t):
    """Damaged files of every format, in the whole program."""
    t.each(harm_of, ((name,) for name in FORMATS))
