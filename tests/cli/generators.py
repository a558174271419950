# SPDX-License-Identifier: MIT
"""The three random generators, and softmax draws, from their definitions.

For tests: `import generators` with this folder in sys.path.
"""
import math
import struct

MASK = 2**64 - 1


class SplitMix64:
    def __init__(self, seed):
        self.state = seed

    def unit(self):
        self.state = self.state + 0x9e3779b97f4a7c15 & MASK
        z = self.state
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & MASK
        z = (z ^ z >> 27) * 0x94d049bb133111eb & MASK
        return ((z ^ z >> 31) >> 11) * 2.0**-53

    def text(self):
        return f"{self.state:016x}"


class PCG:
    def __init__(self, seed):
        self.state = seed << 64 | seed ^ 0x9e3779b97f4a7c15

    def unit(self):
        multiplier = 2549297995355413924 << 64 | 4865540595714422341
        increment = 6364136223846793005 << 64 | 1442695040888963407
        self.state = (self.state * multiplier + increment) % 2**128
        high, low = self.state >> 64, self.state & MASK
        high ^= high >> 32
        high = high * 0xda942042e4dd58b5 & MASK
        high ^= high >> 48
        output = high * (low | 1) & MASK
        return (output & 2**53 - 1) * 2.0**-53

    def text(self):
        return f"{self.state:032x}"


class MT19937:
    def __init__(self, seed):
        self.words = [seed]
        for i in range(1, 624):
            last = self.words[-1]
            self.words.append(
                1812433253 * (last ^ last >> 30) + i & 2**32 - 1)
        self.used = 624

    def twist(self):
        w = self.words
        for i in range(624):
            y = w[i] & 0x80000000 | w[(i + 1) % 624] & 0x7fffffff
            w[i] = w[(i + 397) % 624] ^ y >> 1 ^ y % 2 * 0x9908b0df
        self.used = 0

    def word(self):
        if self.used == 624:
            self.twist()
        y = self.words[self.used]
        self.used += 1
        y ^= y >> 11
        y ^= y << 7 & 0x9d2c5680
        y ^= y << 15 & 0xefc60000
        return y ^ y >> 18

    def unit(self):
        low = self.word()
        return min(float(low + (self.word() << 32)) / 2.0**64, 1 - 2.0**-53)

    def unit_float(self):
        return min(single(self.word()) / 2.0**32, 1 - 2.0**-24)

    def text(self):
        return "".join(f"{w:08x}" for w in self.words + [self.used])


def single(value):
    """Round to a float."""
    return struct.unpack("<f", struct.pack("<f", float(value)))[0]


def softmax(logits, order):
    """The probabilities of the tokens in that order, in doubles."""
    best = max(logits)
    weights = [math.exp(logits[i] - best) for i in order]
    total = math.fsum(weights)
    return [w / total for w in weights]


def ranked(logits):
    return sorted(range(len(logits)), key=lambda i: (-logits[i], i))


def fall(order, p, unit):
    """The first token of the order whose running sum is above the unit."""
    total = 0.0
    for token, share in zip(order, p):
        total += share
        if unit < total:
            return token
    return order[-1]
