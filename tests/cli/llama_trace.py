#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hold llama.cpp's JSON lines against what they must say.

usage: llama_trace.py ROWS TRACE [OPTION]...

ROWS is a file of float rows, TRACE what `tokpick --policy llama.cpp -o jsonl`
wrote for them with these options, of which --samplers is one, or --mirostat.
Everything is worked out in doubles, so rows near an edge are not for it:
normal random logits are.
"""
import argparse
import array
import json
import math
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from generators import MT19937, single  # noqa: E402


def options(words):
    p = argparse.ArgumentParser()
    numbers = {"--temp": 0.8, "--top-p": 0.95, "--min-p": 0.05,
               "--typical": 1, "--top-nsigma": -1, "--xtc-probability": 0,
               "--xtc-threshold": 0.1, "--dynatemp-range": 0,
               "--dynatemp-exp": 1, "--mirostat-lr": 0.1,
               "--mirostat-ent": 5, "--adaptive-target": -1,
               "--adaptive-decay": 0.9}
    for name, default in numbers.items():
        p.add_argument(name, type=float, default=default)
    for name, default in {"--top-k": 40, "--mirostat": 0, "--min-keep": 0,
                          "--seed": 0}.items():
        p.add_argument(name, type=int, default=default)
    p.add_argument("-V", "--vocab", type=int)
    p.add_argument("--samplers")
    p.add_argument("--top", type=int, default=0)
    o = p.parse_args(words)
    o.stages = (o.samplers or "").split(";") if o.samplers else []
    if o.mirostat:
        o.stages = ["temperature"]
        o.dynatemp_range = 0
    return o


def clamp(x):
    return min(max(x, 0.0), 1.0)


class Chain:
    """What is remembered, and one row after the other."""

    def __init__(self, o):
        self.o = o
        self.rng = MT19937(o.seed)
        self.coins = MT19937(o.seed)
        self.mu = 2 * o.mirostat_ent
        self.sums = (o.adaptive_target / (1 - o.adaptive_decay),
                     1 / (1 - o.adaptive_decay))

    # The stages; the list has pairs of token and logit.

    def sort(self):
        if not self.sorted:
            self.list.sort(key=lambda c: (-c[1], c[0]))
        self.sorted = True

    def softmax(self):
        best = max(x for _, x in self.list)
        weights = [math.exp(x - best) for _, x in self.list]
        total = math.fsum(weights)
        return [w / total for w in weights]

    def top_n_sigma(self):
        if self.o.top_nsigma <= 0 or len(self.list) < 2:
            return
        x = [x for _, x in self.list if x > -math.inf]
        mean = math.fsum(x) / len(x)
        deviation = math.sqrt(math.fsum((y - mean)**2 for y in x) / len(x))
        floor = max(x) - self.o.top_nsigma * deviation
        self.list = [(t, x if x >= floor else -math.inf)
                     for t, x in self.list]

    def top_k(self):
        if self.o.top_k > 0:
            self.sort()
            del self.list[self.o.top_k:]

    def typ_p(self):
        if self.o.typical >= 1:
            return
        self.sort()
        p = self.softmax()
        h = -math.fsum(q * math.log(q) for q in p if q > 0)
        order = sorted(range(len(p)), key=lambda i: (
            abs(-math.log(p[i]) - h) if p[i] > 0 else math.inf))
        n = total = 0
        for i in order:
            total += p[i]
            n += 1
            if total > self.o.typical and n >= self.o.min_keep:
                break
        self.list = [self.list[i] for i in order[:n]]
        self.sorted = False

    def top_p(self):
        if self.o.top_p >= 1:
            return
        self.sort()
        total = 0
        for n, q in enumerate(self.softmax(), 1):
            total += q
            if total >= self.o.top_p and n >= self.o.min_keep:
                del self.list[n:]
                return

    def min_p(self):
        if self.o.min_p <= 0:
            return
        floor = max(x for _, x in self.list) + math.log(self.o.min_p)
        kept = [c for c in self.list if c[1] >= floor]
        if len(kept) < self.o.min_keep:
            self.sort()
            kept = self.list[:self.o.min_keep]
        self.list = kept

    def xtc(self):
        o = self.o
        if o.xtc_probability <= 0 or o.xtc_threshold > 0.5 or \
                len(self.list) < 2:
            return
        self.coin = self.coins.unit_float()
        if self.coin > o.xtc_probability:
            return
        self.sort()
        likely = sum(q >= o.xtc_threshold for q in self.softmax())
        if likely > 1 and len(self.list) - likely + 1 >= o.min_keep:
            del self.list[:likely - 1]

    def temperature(self):
        o = self.o
        if o.temp == 1 and o.dynatemp_range <= 0:
            return
        temp = max(o.temp, 0)
        if o.dynatemp_range > 0 and len(self.list) > 1:
            self.sort()
            h = -math.fsum(q * math.log(q) for q in self.softmax() if q > 0)
            low = max(temp - o.dynatemp_range, 0)
            high = temp + o.dynatemp_range
            temp = low + (high - low) * (
                h / math.log(len(self.list)))**o.dynatemp_exp
            self.heat = temp
        self.list = [(t, x / temp) for t, x in self.list]

    def adaptive_p(self):
        pass

    # What it ends with.

    def mirostat(self):
        self.sort()
        p = self.softmax()
        if self.o.mirostat == 1:
            t = [math.log((i + 2) / (i + 1)) for i in range(99)]
            b = [math.log(x / y) for x, y in zip(p, p[1:])][:99]
            s = sum(x * y for x, y in zip(t, b)) / \
                sum(x * x for x, _ in zip(t, b))
            e = s - 1
            k = (e * 2**self.mu / (1 - self.o.vocab**-e))**(1 / s)
            n = max(int(k), 1)
        else:
            n = 1
            while n < len(p) and -math.log2(p[n]) <= self.mu:
                n += 1
        del self.list[n:]

    def adapt(self):
        self.before = dict(zip((t for t, _ in self.list), self.softmax()))
        if self.o.adaptive_target < 0:
            return
        x = clamp(2 * clamp(self.o.adaptive_target)
                  - self.sums[0] / self.sums[1])
        self.list = [(t, 5 - 10 * d * d / (1 + d)) for t, d in
                     ((t, abs(q - x) / 0.3) for t, q in self.before.items())]

    def note(self, key):
        """What a stage has left, and what it has removed."""
        self.kept[key] = len(self.list)
        left = {t for t, _ in self.list}
        for token in range(self.o.vocab):
            if token not in left:
                self.removed.setdefault(token, key)

    def weigh(self, row):
        self.list, self.sorted = list(enumerate(row)), False
        self.coin = self.heat = None
        self.kept = {}
        self.removed = {}
        for name in self.o.stages:
            getattr(self, name)()
            time, key = 1, name
            while key in self.kept:
                time += 1
                key = f"{name}#{time}"
            self.note(key)
        self.discrete = bool(self.o.mirostat or
                             "adaptive_p" in self.o.stages)
        if self.o.mirostat:
            self.mirostat()
            self.note("mirostat")
        elif self.discrete:
            self.adapt()
        self.p = dict(zip((t for t, _ in self.list), self.softmax()))

    def draw(self):
        """The random number and the token that it falls on."""
        if len(self.list) == 1:
            return (None if self.discrete else self.rng.unit(),
                    self.list[0][0])
        u = self.rng.unit()
        total = 0
        for token, _ in self.list:
            total += self.p[token]
            if total >= u:
                break
        return u, token

    def state(self):
        """What a trace tells of it, before the draw is taken."""
        o, state = self.o, {}
        if self.heat is not None:
            state["dynamic_temp"] = self.heat
        if self.coin is not None:
            state["coin"] = self.coin
        if o.mirostat:
            state["mu"] = self.mu
        elif "adaptive_p" in o.stages and o.adaptive_target >= 0:
            state["weighted"], state["weight"] = self.sums
        return state

    def accept(self, token):
        o = self.o
        if o.mirostat:
            self.mu -= o.mirostat_lr * (
                -math.log2(self.p[token]) - o.mirostat_ent)
        elif "adaptive_p" in o.stages and o.adaptive_target >= 0:
            self.sums = (
                self.before[token] + o.adaptive_decay * self.sums[0],
                1 + o.adaptive_decay * self.sums[1])


def near(what, found, expected):
    if abs(found - expected) > 2e-5 * max(1, abs(expected)):
        sys.exit(f"{what} is {found}, not about {expected}")


def same(what, found, expected):
    if found != expected:
        sys.exit(f"{what} is {found}, not {expected}")


def check_state(row, found, expected):
    # Where no range was used the temperature itself may be told.
    if "dynamic_temp" not in expected:
        found.pop("dynamic_temp", None)
    same(f"row {row}: state", list(found), list(expected))
    for key, value in expected.items():
        if key == "coin":
            same(f"row {row}: coin", single(found[key]), value)
        else:
            near(f"row {row}: {key}", found[key], value)


def check_candidates(row, found, chain):
    """All of them: those kept first, by their p, with what removed others."""
    same(f"row {row}: candidates", sorted(c["id"] for c in found),
         list(range(chain.o.vocab)))
    for c in found:
        where = f"row {row}: token {c['id']}: "
        same(where + "removed", c["removed"], chain.removed.get(c["id"]))
        near(where + "p", c["p"], chain.p.get(c["id"], 0))
    kept = [c["p"] for c in found if c["removed"] is None]
    same(f"row {row}: those kept", len(kept), len(chain.list))
    same(f"row {row}: their order", kept, sorted(kept, reverse=True))
    same(f"row {row}: those in front",
         all(c["removed"] is None for c in found[:len(kept)]), True)


def main():
    o = options(sys.argv[3:])
    with open(sys.argv[1], "rb") as file:
        data = array.array("f", file.read())
    with open(sys.argv[2], encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    same("the number of lines", len(lines), len(data) // o.vocab)
    chain = Chain(o)
    for row, line in enumerate(lines, 1):
        chain.weigh(data[o.vocab * (row - 1):o.vocab * row])
        u, token = chain.draw()
        where = f"row {row}: "
        same(where + "kept", list(line["kept"].items()),
             list(chain.kept.items()))
        check_state(row, line.get("state", {}), chain.state())
        same(where + "u", line["u"], u)
        same(where + "id", line["id"], token)
        near(where + "p", line["p"], chain.p[token])
        near(where + "entropy", line["entropy"], -math.fsum(
            q * math.log(q) for q in chain.p.values() if q > 0))
        if o.top > 0:
            check_candidates(row, line["candidates"], chain)
        start, end = line["interval"]
        near(where + "interval", end - start, chain.p[token])
        if u is not None and len(chain.list) > 1 and not start < u <= end:
            sys.exit(f"{where}{u} is not in {start}, {end}")
        chain.accept(token)


main()
