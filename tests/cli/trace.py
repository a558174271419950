#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Work out what a trace must say, and hold tokpick's JSON lines against it.

usage: trace.py ROWS TRACE [OPTION]...

ROWS is a file of raw rows, TRACE what `tokpick -o jsonl` or `--inspect -o
jsonl` wrote for them with these options.  Everything is computed here from
the rules in tokpick(1), in doubles; only logits are rounded to float where
the policy has floats, so that the same candidates are kept.  Ids are not
drawn here: the one in the trace must be the one that its random number
falls on.
"""
import argparse
import json
import math
import struct
import sys

SHAPING = ("penalties", "temperature")


def options(words):
    p = argparse.ArgumentParser()
    for flag in ("--greedy", "--no-defaults", "--inspect"):
        p.add_argument(flag, action="store_true")
    for name in ("--top-k", "--min-keep", "--repeat-last-n", "--draws",
                 "--top"):
        p.add_argument(name, type=int)
    for name in ("--top-p", "--min-p", "--repeat-penalty",
                 "--frequency-penalty", "--presence-penalty"):
        p.add_argument(name, type=single)
    for name in ("--temp", "--samplers", "--prompt", "--mask", "--pieces",
                 "--history", "--seed", "--policy"):
        p.add_argument(name)
    p.add_argument("-l", "--logit-bias", action="append", default=[])
    p.add_argument("-V", "--vocab", type=int)
    p.add_argument("-d", "--dtype", default="f32")
    o = p.parse_args(words)
    o.wide = o.policy == "strict"
    golem = {"top_k": (64, 0), "top_p": (0.95, 1), "min_p": (0.05, 0),
             "repeat_last_n": (64, 64), "repeat_penalty": (1, 1),
             "frequency_penalty": (0, 0), "presence_penalty": (0, 0),
             "min_keep": (0, 0), "draws": (1, 1)}
    for name, (default, off) in golem.items():
        if getattr(o, name) is None:
            value = off if o.no_defaults else default
            setattr(o, name, single(value))
    if o.wide and "--top-k" not in words:
        o.top_k = o.vocab
    if o.top is None:
        o.top = 20 if o.inspect else 0
    o.stages = ["penalties", "top_k", "top_p", "min_p", "temperature"]
    if o.samplers is not None:
        o.stages = [s for s in o.samplers.split(";") if s]
    o.temps = [float(t) for t in (o.temp or "1").split(",")]
    if not o.wide:
        o.temps = [single(t) for t in o.temps]
    return o


def single(value):
    """Round to a float."""
    try:
        return struct.unpack("<f", struct.pack("<f", float(value)))[0]
    except OverflowError:
        return math.copysign(math.inf, float(value))


def read_rows(name, o):
    size = {"f32": 4, "f64": 8}[o.dtype] * o.vocab
    code = f"<{o.vocab}" + {"f32": "f", "f64": "d"}[o.dtype]
    with open(name, "rb") as file:
        data = file.read()
    rows = [struct.unpack_from(code, data, at)
            for at in range(0, len(data), size)]
    return rows if o.wide else [[single(x) for x in row] for row in rows]


def read_masks(o):
    """For each row the ids that are allowed, or None."""
    if o.mask is None:
        return None
    size = (o.vocab + 31) // 32 * 4
    with open(o.mask, "rb") as file:
        data = file.read()
    return [{i for i in range(o.vocab) if data[at + i // 8] >> i % 8 & 1}
            for at in range(0, len(data), size)]


def read_pieces(o):
    if o.pieces is None:
        return []
    with open(o.pieces, "rb") as file:
        lines = file.read().split(b"\n")[:-1]
    return [line.decode("latin-1").encode("latin-1")
            .decode("unicode_escape").encode("latin-1") for line in lines]


# --- The chain ---------------------------------------------------------------

def ranked(candidates):
    return sorted(candidates, key=lambda c: (-c[1], c[0]))


def weights(candidates):
    best = max(logit for _, logit in candidates)
    return [1.0 if logit == best else math.exp(logit - best)
            for _, logit in candidates]


def softmax(candidates):
    w = weights(candidates)
    total = math.fsum(w)
    return [x / total for x in w]


class Chain:
    """golem's stages at one temperature."""

    def __init__(self, o, temp):
        self.o = o
        self.temp = temp
        self.greedy = o.greedy or (temp <= 0 and "temperature" in o.stages)

    def is_on(self, name):
        o = self.o
        return {"top_k": o.top_k > 0,
                "top_p": o.top_p < 1,
                "min_p": o.min_p > 0,
                "temperature": self.temp != 1}[name]

    def first(self):
        """The first stage that can remove something, or would divide."""
        for i, name in enumerate(self.o.stages):
            if name != "penalties" and self.is_on(name):
                return i
        return len(self.o.stages)

    def penalties(self, c, window):
        o = self.o
        repeat = o.repeat_penalty or 1.0
        if o.repeat_last_n == 0 or (repeat == 1 and o.frequency_penalty == 0
                                    and o.presence_penalty == 0):
            return c
        last = int(o.repeat_last_n)
        window = window if last < 0 else window[-last:]
        out = []
        for token, x in c:
            n = window.count(token)
            if n > 0:
                x = single(x * repeat if x <= 0 else x / repeat)
                x = single(x - single(n * o.frequency_penalty))
                x = single(x - o.presence_penalty)
            out.append((token, x))
        return ranked(out)

    def temperature(self, c, _):
        if self.greedy:
            return c
        best = c[0][1]
        if math.isinf(single(best / self.temp)):
            return [(t, 0.0 if x == best else -math.inf) for t, x in c]
        return [(t, single(x / self.temp)) for t, x in c]

    def cut(self, c, n):
        return c[:max(n, int(self.o.min_keep))]

    def top_k(self, c, _):
        return self.cut(c, int(self.o.top_k)) if self.o.top_k > 0 else c

    def top_p(self, c, _):
        if self.o.top_p >= 1 or len(c) < 2:
            return c
        total = 0.0
        for n, p in enumerate(softmax(c), 1):
            total = single(total + single(p))
            if total >= self.o.top_p:
                return self.cut(c, n)
        return c

    def min_p(self, c, _):
        if self.o.min_p <= 0 or len(c) < 2:
            return c
        floor = single(c[0][1] + single(math.log(self.o.min_p)))
        return self.cut(c, max(1, sum(x >= floor for _, x in c)))

    def weigh(self, row, allowed, window):
        o = self.o
        logits = list(row)
        if allowed is not None:
            logits = [x if i in allowed else -math.inf
                      for i, x in enumerate(logits)]
        for bias in o.logit_bias:
            at = max(bias.find("+"), bias.find("-"))
            token = int(bias[:at])
            logits[token] = single(logits[token] + single(bias[at:]))
        kept = whole = ranked(enumerate(logits))
        result = Distribution(len(row))
        first = self.first()
        idle = self.greedy and "penalties" not in o.stages[first:]
        for i, name in enumerate(o.stages):
            stage = getattr(self, name)
            head = i < first
            if name in SHAPING and (not idle or head):
                whole = stage(whole, window)
            if not idle or head:
                result.step(name, kept, stage(kept, window))
                kept = stage(kept, window)
            else:
                result.step(name, kept, kept)
        if self.greedy:
            result.step("greedy", kept, kept[:1])
            kept = kept[:1]
        if allowed is not None:
            result.mask(allowed)
        result.finish(kept, softmax(kept))
        share = dict(zip((t for t, _ in whole), softmax(whole)))
        result.mass(share)
        return result


class Textbook:
    """The strict policy at one temperature."""

    def __init__(self, o, temp):
        self.o = o
        self.greedy = o.greedy
        self.temp = 1.0 if o.greedy else temp

    def weigh(self, row, allowed, _):
        order = [c for c in ranked(enumerate(row))
                 if allowed is None or c[0] in allowed]
        result = Distribution(len(row))
        k = 1 if self.greedy else self.o.top_k
        kept = order[:k]
        result.step("greedy" if self.greedy else "top_k", order, kept)
        result.left = {name: len(kept) for name in result.left}
        best = order[0][1]
        w = [math.exp((x - best) / self.temp) for _, x in order]
        total = math.fsum(w[:k])
        result.finish(kept, [x / total for x in w[:k]])
        total = math.fsum(w)
        result.mass({t: x / total for (t, _), x in zip(order, w)})
        result.order = [t for t, _ in order]
        result.support = sorted(t for t in result.kept if result.p[t] > 0)
        return result


class Distribution:
    def __init__(self, vocab):
        self.vocab = vocab
        self.left = {}
        self.removed = {}
        self.behind = []
        self.support = None

    def step(self, name, before, after):
        time, key = 1, name
        while key in self.left:
            time += 1
            key = f"{name}#{time}"
        unchanged = len(before) == len(after)
        self.left[key] = (self.vocab if unchanged and not self.removed
                          else len(after))
        stay = {t for t, _ in after}
        gone = [t for t, _ in ranked(before) if t not in stay]
        self.removed.update({t: key for t in gone})
        self.behind = gone + self.behind

    def mask(self, allowed):
        for token in range(self.vocab):
            if token not in allowed:
                self.removed[token] = "mask"

    def finish(self, kept, p):
        self.kept = [t for t, _ in kept]
        self.order = self.kept + self.behind
        self.p = dict(zip(self.kept, p))
        self.entropy = -math.fsum(x * math.log(x) for x in p if x > 0)

    def mass(self, share):
        kept = set(self.kept)
        self.retained = math.fsum(share[t] for t in self.kept)
        self.gone = math.fsum(x for t, x in share.items() if t not in kept)


# --- The comparison ----------------------------------------------------------

class Wrong(Exception):
    pass


def check(what, found, expected):
    if found != expected:
        raise Wrong(f"{what} is {found!r}, not {expected!r}")


class Checker:
    def __init__(self, o):
        self.o = o
        self.masks = read_masks(o)
        self.pieces = read_pieces(o)
        self.policies = [(Textbook if o.wide else Chain)(o, t)
                         for t in o.temps]
        self.window = [int(i) for i in (o.prompt or "").split(",") if i]
        self.recorded = None
        if o.history is not None:
            with open(o.history, encoding="ascii") as file:
                self.recorded = [int(i) for i in file.read().split()]
        # Sums of floats are not exacter than that.
        self.slack = 1e-13 if o.wide else 1e-6

    def near(self, what, found, expected, slack=None):
        slack = self.slack if slack is None else slack
        if found is None or abs(found - expected) > slack:
            raise Wrong(f"{what} is {found!r}, not about {expected!r}")

    def logit(self, what, found, expected):
        if math.isinf(expected):
            check(what, found, None)
        else:
            value = found if self.o.wide else single(found)
            check(what, value, expected)

    def piece(self, entry, token):
        if token >= len(self.pieces):
            check("a piece", entry.get("piece"), None)
            return {"piece", "bytes"} & set(entry)
        piece = self.pieces[token]
        try:
            check("piece", entry["piece"], piece.decode("utf-8"))
            check("bytes", entry.get("bytes"), None)
            return {"piece"}
        except UnicodeDecodeError:
            check("bytes", bytes(entry["bytes"]), piece)
            return {"piece", "bytes"}

    def keys(self, what, entry, expected):
        check(f"the keys of {what}", set(entry), set(expected))

    def chance(self, entry, d, policy):
        """The random number, and the interval it falls into."""
        token = entry["id"]
        needed = not policy.greedy and (self.o.wide or len(d.kept) > 1)
        check("u is a number", entry["u"] is not None, needed)
        order = d.support if self.o.wide else d.kept
        if not needed:
            order = [token]
        before = math.fsum(d.p[t] for t in order[:order.index(token)])
        start, end = entry["interval"]
        # A running sum of floats, one for each candidate before it.
        slack = self.slack * (1 + len(order) / 10)
        self.near("interval[0]", start, before, slack)
        self.near("interval[1]", end, before + d.p[token], slack)
        if order[-1] == token:
            check("the end of the last interval", end, 1)
        if needed:
            u = entry["u"] if self.o.wide else single(entry["u"])
            if not 0 <= entry["u"] < 1 or not single(start) <= u <= end:
                raise Wrong(f"{u} is not in {start}, {end}")

    def drawn(self, entry, row, d, policy):
        token = entry["id"]
        used = self.piece(entry, token)
        self.logit("logit", entry["logit"], row[token])
        self.near("p", entry["p"], d.p[token])
        self.near("logprob", entry["logprob"], math.log(d.p[token]), 1e-5)
        self.near("logprob", entry["logprob"], math.log(entry["p"]), 1e-7)
        better = sum(x > row[token] or (x == row[token] and i < token)
                     for i, x in enumerate(row))
        check("rank", entry["rank"], better + 1)
        self.chance(entry, d, policy)
        return used | {"id", "logit", "p", "logprob", "rank", "u",
                       "interval"}

    def draws(self, entry, d, policy):
        if self.o.draws == 1:
            return set()
        check("the number of draws", len(entry["draws"]), self.o.draws)
        first = {key: entry[key] for key in ("id", "p", "u", "interval")}
        check("the first of the draws", entry["draws"][0], first)
        for draw in entry["draws"]:
            self.keys("a draw", draw, first)
            self.near("p of a draw", draw["p"], d.p[draw["id"]])
            self.chance(draw, d, policy)
        return {"draws"}

    def candidates(self, entry, row, d):
        if self.o.top == 0:
            return set()
        order = d.order[:self.o.top]
        found = [c["id"] for c in entry["candidates"]]
        check("the candidates", found, order)
        for c in entry["candidates"]:
            token = c["id"]
            used = self.piece(c, token)
            self.keys("a candidate", c,
                      used | {"id", "logit", "p", "removed"})
            self.logit("its logit", c["logit"], row[token])
            self.near("its p", c["p"], d.p.get(token, 0))
            check("what removed it", c["removed"], d.removed.get(token))
        return {"candidates"}

    def distribution(self, entry, row, d):
        check("kept", list(entry["kept"].items()), list(d.left.items()))
        self.near("entropy", entry["entropy"], d.entropy, 10 * self.slack)
        self.near("retained_mass", entry["retained_mass"], d.retained)
        self.near("removed_mass", entry["removed_mass"], d.gone)
        if d.gone > 0:
            self.near("removed_mass by its size",
                      entry["removed_mass"] / d.gone, 1, 10 * self.slack)
        elif entry["removed_mass"] != 0:
            raise Wrong("nothing was removed, but removed_mass is not 0")
        used = self.candidates(entry, row, d)
        if self.o.wide:
            check("retained", entry["retained"], d.kept)
            check("support", entry["support"], d.support)
            used |= {"retained", "support"}
        return used | {"kept", "entropy", "retained_mass", "removed_mass"}

    def temps(self, entry, row, each):
        check("the temperatures", [t["temp"] if self.o.wide
                                   else single(t["temp"])
                                   for t in entry["temps"]], self.o.temps)
        for found, d in zip(entry["temps"], each):
            used = self.distribution(found, row, d)
            self.keys("a temperature", found, used | {"temp"})
        return {"temps"}

    def line(self, number, row, entry):
        allowed = self.masks[number - 1] if self.masks else None
        each = [p.weigh(row, allowed, self.window) for p in self.policies]
        check("row", entry["row"], number)
        check("prefix", entry["prefix"], len(self.window))
        if len(each) > 1:
            used = self.temps(entry, row, each)
        else:
            used = self.distribution(entry, row, each[0])
        if not self.o.inspect:
            used |= self.drawn(entry, row, each[0], self.policies[0])
            used |= self.draws(entry, each[0], self.policies[0])
            self.window.append(entry["id"] if self.recorded is None
                               else self.recorded[number - 1])
        self.keys("the row", entry, used | {"row", "prefix"})


def main():
    o = options(sys.argv[3:])
    rows = read_rows(sys.argv[1], o)
    with open(sys.argv[2], encoding="utf-8") as file:
        lines = file.read().split("\n")
    if lines.pop() != "" or len(lines) != len(rows) or not rows:
        sys.exit(f"trace.py: {len(lines)} lines for {len(rows)} rows")
    checker = Checker(o)

    def refuse(word):
        raise Wrong(f"{word} is no JSON")

    for number, (row, line) in enumerate(zip(rows, lines), 1):
        try:
            checker.line(number, row,
                         json.loads(line, parse_constant=refuse))
        except Wrong as wrong:
            sys.exit(f"trace.py: row {number}: {wrong}\n{line[:1000]}")


main()
