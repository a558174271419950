#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hold each trace against itself and its row, whatever the policy.

usage: trace-sums.py ROWS TRACE VOCAB [TEMP]

ROWS is a file of float32 rows, TRACE what `tokpick -o jsonl` wrote for them
with --top VOCAB and neither mask nor pieces.  Nothing is known of the stages
here: the candidates must agree with the counts, the probabilities with the
order, the entropy, the draw and its interval.  With TEMP no stage but the
temperature may have changed a logit; then the masses are worked out too.
"""
import json
import math
import struct
import sys

SLACK = 1e-5  # sums of floats


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def near(found, expected, what, slack=SLACK):
    check(abs(found - expected) <= slack, f"{what}: {found}, {expected}")


def check_candidates(line, row, vocab):
    candidates = line["candidates"]
    check(sorted(c["id"] for c in candidates) == list(range(vocab)),
          "the candidates are all there are")
    for c in candidates:
        logit = -math.inf if c["logit"] is None else c["logit"]
        near(logit, row[c["id"]], "logit", 1e-6 * abs(row[c["id"]])
             if math.isfinite(row[c["id"]]) else math.inf)
        check(c["removed"] is None or c["p"] == 0, "p of what is removed")
    kept = [c for c in candidates if c["removed"] is None]
    check(kept == candidates[:len(kept)], "the kept ones come first")
    p = [c["p"] for c in kept]
    check(p == sorted(p, reverse=True), "the likeliest come first")
    near(math.fsum(p), 1, "sum of p")
    near(-math.fsum(x * math.log(x) for x in p if x > 0), line["entropy"],
         "entropy")
    return kept


def check_steps(line, kept, vocab):
    """Each step removed as many as its count fell by."""
    left = vocab
    for name, count in line["kept"].items():
        removed = [c for c in line["candidates"] if c["removed"] == name]
        check(len(removed) == left - count, f"{name} removed {left - count}")
        check(removed == sorted(
            removed, key=lambda c: (-c["logit"], c["id"])) or
            "penalties" in line["kept"] or "dry" in line["kept"],
            f"what {name} removed is ranked")
        left = count
    check(len(kept) == left, "kept")


def check_draw(line, row, kept):
    token = line["id"]
    check(token in [c["id"] for c in kept], "a kept one is drawn")
    p = next(c["p"] for c in kept if c["id"] == token)
    check(line["p"] == p, "p of the draw")
    check(p > 0, "it can be drawn")
    near(line["logprob"], math.log(p), "logprob", 1e-6)
    better = sum(x > row[token] or (x == row[token] and i < token)
                 for i, x in enumerate(row))
    check(line["rank"] == better + 1, "rank")
    start, end = line["interval"]
    check(0 <= start <= end <= 1, "interval")
    near(end - start, p, "length of the interval")
    if line["u"] is not None:
        check(0 <= line["u"] < 1, "u")
        check(start - 1e-7 <= line["u"] <= end + 1e-7, "u in the interval")
    elif len(kept) == 1:
        check([start, end] == [0, 1], "interval of one candidate")


def check_masses(line, row, kept, temp):
    near(line["retained_mass"] + line["removed_mass"], 1, "masses", 1e-14)
    if temp is None:
        return
    best = max(row)
    w = [math.exp((x - best) / temp) for x in row]
    total = math.fsum(w)
    can = {c["id"] for c in kept if c["p"] > 0}
    retained = math.fsum(w[i] for i in can) / total
    removed = math.fsum(x for i, x in enumerate(w) if i not in can) / total
    near(line["retained_mass"], retained, "retained_mass")
    near(line["removed_mass"], removed, "removed_mass")
    for c in kept:
        if c["p"] > 0:
            near(c["p"] * line["retained_mass"], w[c["id"]] / total, "share")


def main():
    vocab = int(sys.argv[3])
    temp = float(sys.argv[4]) if len(sys.argv) > 4 else None
    with open(sys.argv[1], "rb") as file:
        rows = list(struct.iter_unpack(f"<{vocab}f", file.read()))
    with open(sys.argv[2], encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    check(len(lines) == len(rows) > 0, "a line for each row")
    for row, line in zip(rows, lines):
        try:
            kept = check_candidates(line, row, vocab)
            check_steps(line, kept, vocab)
            check_draw(line, row, kept)
            check_masses(line, row, kept, temp)
        except AssertionError as error:
            sys.exit(f"trace-sums.py: row {line['row']}: {error}\n"
                     f"{json.dumps(line)[:1500]}")


main()
