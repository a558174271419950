# SPDX-License-Identifier: MIT
"""Time bombs: small inputs that ask for much time or memory.

Each has to come to the end that is expected of it, which is an answer or a
refusal that says why, within a budget of resident memory.  Nobody waits for
longer than PATIENCE, but that is to end what would never do so itself.
"""
import json
import os
import re
import resource
import shutil
import struct
import subprocess
import sys
from dataclasses import dataclass, field

from runs import GRAMMAR, RAW, TESTS, VOCAB

PATIENCE = 1800  # seconds, on whatever machine
ADDRESSES = 16 << 30  # bytes of address space: more is refused by the system

DONE = 0, r"^$"


@dataclass
class Bomb:
    """A run, and what has to become of it."""
    name: str
    words: list
    end: tuple = DONE  # status and standard error, as a pattern
    files: dict = field(default_factory=dict)
    peak: int = 8  # MiB of resident memory, at most
    feed: str = "true"  # a command whose output is standard input
    out: bytes = b""  # what standard output must have in it
    rows: int = None  # as the summary counts them


def mib(full, some, reduced):
    """A budget: that of the reduced form is smaller, as its input is."""
    return reduced if some else full


def refused(pattern, status=2):
    return status, rf"^tokpick: .*{pattern}"


# What is too much for a machine, or for us, is told; nothing else may happen.
NO_MEMORY = refused("Cannot allocate memory", 1)


# --- Grammars ----------------------------------------------------------------

def chained(n, rule, last):
    """Rules of which each one calls the next."""
    rules = "".join(f"r{i} ::= {rule.format(i + 1)}\n" for i in range(n))
    return f"root ::= r0\n{rules}r{n} ::= {last}\n"


def scattered(n):
    """So many places at once, and hardly two texts that lead to the same."""
    state, rules = 1, []
    for i in range(n):
        to = []
        for _ in range(3):
            state = state * 1103515245 + 12345 & 0x7fffffff
            to.append(state * n >> 31)
        rules.append('r{} ::= "0" r{} | "1" r{} | "0" r{} | "1"\n'.format(
            i, *to))
    return "root ::= " + " | ".join(f"r{i}" for i in range(n)) + "\n" + \
        "".join(rules)


DEEP = refused("too deep: no more than 200 groups")
LARGE = refused("too large: with its repetitions written out")
LEFT = refused("left recursion")
AMBIGUOUS = refused("needs more than 32 MiB", 1)


def grammars(some):
    n = 10 if some else 1
    texts = {
        "groups in groups": ("root ::= " + "(" * 100000, DEEP, 8),
        "as many as there may be": (
            "root ::= " + "(" * 199 + '"0"' + ")" * 199, DONE, 8),
        "closed never": ("root ::= " + "(" * 190 + "\n" * 100000,
                         refused("expecting [)]"), 8),
        "2^50000 texts": ("root ::= " + '("0" | "1") ' * 50000, DONE, 8),
        "ways without end": (
            "root ::= " + '("0" | "00" | "0"? | "") ' * (20000 // n), DONE,
            mib(112, some, 20)),
        "10^9 times": ('root ::= "0"{1000}{1000}{1000}', LARGE, 40),
        "0 to 10^9 times": (
            'root ::= (("0"{0,1000}){0,1000}){0,1000}', LARGE, 8),
        "stars upon stars": ('root ::= "0"' + "*" * 100000, LARGE, 8),
        "stars in stars": (
            "root ::= " + "(" * 150 + '"0"' + ")*" * 150, DONE, 8),
        "loops of nothing": (
            'root ::= ("" | ("")* | (("0"?)*)*)* "1"', DONE, 8),
        "left recursion": ('root ::= root "0" | "0"', LEFT, 8),
        "a circle of rules": (
            'root ::= a "0" | "1"\na ::= b\nb ::= "0"? root', LEFT, 8),
        "a long circle": (chained(100000 // n, "r{}", "r0"), LEFT, mib(20, some, 8)),
        "a million rules": (chained(1000000, '"0" r{}', '"0"'), LARGE, 80),
        "many rules": (chained(300000 // n, '"0" r{}', '"0"'), DONE,
                       mib(56, some, 8)),
        "2^100000 of nothing": (chained(100000, "r{0} r{0}", '""'),
                                AMBIGUOUS, 80),
        "no end": ('root ::= "0" root', DONE, 8),
        "characters": ("root ::= [" + "".join(
            chr(c) for c in range(0x3400, 0xd800, 2)) + "]*", DONE, 8),
        "classes": ("root ::= " + " | ".join(
            "[" + "".join(map(chr, range(0x4e00 + i, 0x9000, 37))) + "]"
            for i in range(400)), DONE, 8),
        "too many classes": ("root ::= " + " ".join(
            f"[\\U{0x10000 + 20 * i:08x}]" for i in range(40000)),
                             refused("the classes of a grammar"), 32),
        "a long name": ("root ::= " + "x" * 5000000,
                        refused("is never defined"), 18),
        "a long text": ('root ::= "' + "0" * 5000000, LARGE, 32),
        "alternatives of nothing": ("root ::= " + "|" * 400000, AMBIGUOUS,
                                    80),
        "all that may be left out": ("root ::= " + '"0"? ' * (30000 // n),
                                     DONE, mib(60, some, 10)),
        "ambiguous": ('root ::= s\ns ::= . s s s | . s | .', DONE, 8),
        "deep, and each level another": (
            "root ::= " + " ".join(f"r{i}?" for i in range(5000 // n)) +
            "\n" + "".join(f'r{i} ::= "0" r{i}? "0"\n'
                           for i in range(5000 // n)),
            DONE if some else AMBIGUOUS, mib(256, some, 48)),
    }
    for name, (text, end, peak) in texts.items():
        yield Bomb(f"grammar: {name}", GRAMMAR + [
            "--grammar-file", "bomb", "-n", "150", "zeros"], end,
                   {"bomb": text.encode()}, peak)
    if some:
        return
    # Each piece leads to another set of places, thousands of them.
    pieces = b"no\n" + b"".join(f"{i:015b}\n".encode() for i in range(1 << 15))
    yield Bomb("grammar: places without number",
               ["-V", "32769", "--pieces", "pieces-01", "--grammar-file",
                "bomb", "--greedy", "-o", "jsonl", "wide-zeros"],
               refused("row 1: .*takes more than 268435456 steps", 1),
               {"bomb": scattered(5000).encode(), "pieces-01": pieces,
                "wide-zeros": bytes(4 * 32769)}, 112)


# --- Schemas -----------------------------------------------------------------

def defined(n, link, last):
    """Definitions of which each one refers to the next."""
    definitions = {f"a{i}": link({"$ref": f"#/$defs/a{i + 1}"})
                   for i in range(n)}
    return {"$ref": "#/$defs/a0", "$defs": {**definitions, f"a{n}": last}}


def both(ref):
    return {"type": "object", "properties": {"k": ref, "m": ref},
            "required": ["k", "m"], "additionalProperties": False}


def schemas(some):
    n = 10 if some else 1
    null = {"type": "null"}
    above = refused("above 2000 is not supported")
    deep = refused("more than 200 arrays and objects inside one another")
    much = refused("too much to compare")
    texts = {
        "brackets": ("[" * 1000000, deep, 8),
        "arrays of arrays": ('{"type":"array","items":' * 100000, deep, 8),
        "a value in brackets": ('{"enum":[' + "[" * 100000, deep, 8),
        "itself": ({"$ref": "#"}, refused("it means itself again"), 8),
        "a circle": (defined(2000, lambda ref: ref, {"$ref": "#/$defs/a7"}),
                     refused("it means itself again"), 8),
        "no value has an end": (
            {"type": "array", "items": {"$ref": "#"}, "minItems": 1},
            refused("end"), 8),
        "2^60 arrays": (defined(60, lambda ref: {
            "type": "array", "items": {"anyOf": [ref, ref]}}, null), DONE, 8),
        "2^60 objects": (defined(60, both, null), DONE, 8),
        "2^40 comparisons": (
            {"oneOf": [{"$ref": "#/$defs/a0"}, {"$ref": "#/$defs/a1"}],
             "$defs": defined(40, both, null)["$defs"]},
            refused("might match both"), 8),
        "a chain of references": (defined(20000, lambda ref: ref, null),
                                  DONE, 16),
        "a chain of arrays": (defined(20000, lambda ref: {
            "type": "array", "items": ref}, null), DONE, 32),
        "a chain of objects": (defined(20000, lambda ref: {
            "type": "object", "properties": {"x": ref}}, null), DONE, 48),
        "many values": ({"enum": [f"v{i}" for i in range(1000000 // n)]},
                        DONE if some else refused("larger than 8388608"),
                        mib(224, some, 44)),
        "the same value": ({"enum": [0] * (1000000 // n)},
                           DONE if some else LARGE, mib(192, some, 32)),
        "arrays of arrays of 2000": (
            {"type": "array", "maxItems": 2000, "items": {
                "type": "array", "maxItems": 2000, "items": {
                    "type": "array", "maxItems": 2000, "items": null}}},
            DONE, 8),
        "a long tuple": ({"type": "array", "prefixItems": [null] * 100000},
                         refused("more than 100000 schemas"), 56),
        "many keys": ({"type": "object", "properties": {
            f"p{i}": null for i in range(20000 // n)}}, DONE, mib(28, some, 8)),
        "many alternatives": ({"oneOf": [{"const": i} for i in range(20000)]},
                              much, 16),
        "many objects": ({"oneOf": [
            {"type": "object", "required": ["t"], "properties": {
                **{f"k{j}": null for j in range(50)}, "t": {"const": i}}}
            for i in range(500)]}, much, 24),
        "long bounds": ('{"type":"integer","minimum":-%s}' % ("9" * 100000),
                        refused("at most 15 digits"), 8),
        "an exponent": ('{"type":"number","maximum":1e1000000000}',
                        refused("at most 15 digits"), 8),
        "a long key": ({"type": "object", "properties": {
            "k" * 1000000: null}}, DONE, 32),
        "a long pointer": ({"$ref": "#" + "/a" * 1000000},
                           refused("refers to a place"), 16),
        "keys twice": ("{" + '"a":1,' * 100000 + '"a":1}',
                       refused("a key stands twice"), 32),
    }
    for key, items in (("minItems", ',"items":{"type":"null"}'),
                       ("maxItems", ',"items":{"type":"null"}'),
                       ("minLength", ""), ("maxLength", "")):
        for count in (2001, 1 << 31, 1 << 32, 10**18):
            texts[f"{key} {count}"] = (
                f'{{"type":"{"array" if items else "string"}"{items},'
                f'"{key}":{count}}}', above, 8)
    for name, (schema, end, peak) in texts.items():
        text = schema if isinstance(schema, str) else json.dumps(schema)
        yield Bomb(f"schema: {name}", GRAMMAR + [
            "--json-schema", "@bomb", "zeros"], end,
                   {"bomb": text.encode()}, peak)


# --- zstd --------------------------------------------------------------------

MAGIC = b"\x28\xb5\x2f\xfd"


def block(kind, size, last=False):
    return struct.pack("<I", size << 3 | kind << 1 | last)[:3]


def frame(window_log, *blocks):
    """A frame that does not say how much is in it."""
    return MAGIC + bytes([0, window_log - 10 << 3]) + b"".join(blocks)


def zeros(n, last=False):
    return block(1, n, last) + b"\0"


def packed(some):
    n = 10 if some else 1
    most = 1 << 17  # in a block
    gibibyte = frame(17, zeros(most) * 8191, zeros(most, True))
    files = {
        "4096 times 128 KiB": gibibyte * 12,  # 4 bytes each
        "skippable frames": struct.pack("<II", 0x184d2a50, 0) *
        (2000000 // n),
        "empty frames": frame(17, block(0, 0, True)) * (2000000 // n),
        "empty blocks": frame(17, block(0, 0) * (5000000 // n),
                              block(0, 0, True)),
        "a claim of 2^62": MAGIC + b"\xe0" + struct.pack("<Q", 1 << 62) +
        zeros(most, True),
        "a claim of 2^62, a small window":
        MAGIC + b"\xc0\x38" + struct.pack("<Q", 1 << 62) + zeros(most, True),
        "a window of 2^31": frame(31, zeros(64, True)),
        "a window of 2^41": frame(41, zeros(64, True)),
        "4 GiB to skip": struct.pack("<II", 0x184d2a50, 0xffffffff) + b"...",
    }
    ends = {
        "a claim of 2^62": refused("more than libzstd takes", 1),
        "a claim of 2^62, a small window": refused("is corrupt", 1),
        "a window of 2^31": refused("allow it with --max-window 31", 1),
        "a window of 2^41": refused("more than libzstd takes", 1),
        "4 GiB to skip": refused("ends early", 1),
    }
    for name, data in files.items():
        for threads in "1", "2":
            yield Bomb(f"zstd, {threads} threads: {name}",
                       RAW + ["-n", "9", "-j", threads, "bomb"],
                       ends.get(name, DONE), {"bomb": data},
                       8 if threads == "1" else mib(32, some, 8))
        nothing = name.startswith(("skip", "empty"))
        yield Bomb(f"zstd, of masks: {name}",
                   RAW + ["-n", "9", "--mask", "bomb", "zeros"],
                   refused("row 1: no logit is finite where the mask", 1)
                   if name.startswith("4096") else
                   refused("ends after 0 of the 4 bytes", 1) if nothing else
                   ends[name], {"bomb": data})
        for option, end in (("--load-state", refused("no state of tokpick",
                                                     1)),
                            ("--gguf", refused("begins with the letters", 1)),
                            ("--history", ((1, 2), "^tokpick: .*(NUL byte|whole number)"))):
            yield Bomb(f"zstd, {option}: {name}",
                       [option, "bomb", *RAW, "zeros"], end, {"bomb": data},
                       mib(28, some, 8))
    # 10 TiB to pass over, or to be asked to stop at.
    yield Bomb("zstd, a row that is not there",
               RAW + ["--rows", "100000000000000:", "bomb"],
               refused("before the first of --rows", 1),
               {"bomb": gibibyte * (1 if some else 12)}, mib(32, some, 8))


# --- Files that say what they hold -------------------------------------------

def text(s):
    return struct.pack("<Q", len(s)) + s


def key(name, kind, value):
    return text(name) + struct.pack("<I", kind) + value


def array(kind, n, items=b""):
    return struct.pack("<IQ", kind, n) + items


def gguf(*keys, count=None, tensors=0, behind=bytes(64)):
    return b"GGUF" + struct.pack(
        "<IQQ", 3, tensors, len(keys) if count is None else count) + \
        b"".join(keys) + behind


STRING, LIST, U64 = 8, 9, 12
MODEL = key(b"tokenizer.ggml.model", STRING, text(b"gpt2"))


def tokens(count, items=b""):
    return key(b"tokenizer.ggml.tokens", LIST, array(STRING, count, items))


def model_of(pieces):
    texts = list(map(text, pieces))
    return gguf(MODEL, tokens(len(texts), b"".join(texts)))


def models(some):
    n = 10 if some else 1
    good = tokens(VOCAB, b"".join(text(bytes([97 + i]))
                                  for i in range(VOCAB)))
    cut = refused("can't be in the", 1)
    nested = array(0, 1, b"\0")
    for _ in range(10000):
        nested = array(LIST, 1, nested)
    files = {
        "2^60 tokens": (gguf(MODEL, tokens(1 << 60)), cut, 8),
        "2^60 tokens and a large file": (
            gguf(MODEL, tokens(1 << 60), behind=bytes(50000000 // n)), cut, 8),
        "2^31 tokens": (gguf(MODEL, tokens(1 << 31)), cut, 8),
        "a token of 2^64 - 1 bytes": (
            gguf(MODEL, tokens(1, struct.pack("<Q", (1 << 64) - 1))), cut, 8),
        "a name of 2^63 bytes": (
            gguf(text(b"general.name") + struct.pack("<IQ", STRING, 1 << 63)),
            cut, 8),
        "a key of 2^64 - 8 bytes": (gguf(struct.pack("<Q", (1 << 64) - 8)),
                                    cut, 8),
        "2^64 - 1 keys": (gguf(MODEL, good, count=(1 << 64) - 1),
                          refused("at most 65536 are read", 1), 8),
        "2^64 - 1 tensors": (gguf(MODEL, good, tensors=(1 << 64) - 1), DONE,
                             8),
        "arrays in arrays": (gguf(MODEL, key(b"x", LIST, nested), good),
                             refused("an array of arrays", 1), 8),
        "2^61 numbers": (gguf(MODEL, key(b"x", LIST, array(U64, 1 << 61)),
                              good), cut, 8),
        "2^64 - 1 numbers": (
            gguf(MODEL, key(b"x", LIST, array(U64, (1 << 64) - 1)), good),
            cut, 8),
        "an end of 2^32 - 1": (
            gguf(MODEL, good, key(b"tokenizer.ggml.eos_token_id", 4,
                                  b"\xff\xff\xff\xff")),
            refused("4294967295 is no token id", 1), 8),
        "many tokens": (
            gguf(MODEL, tokens(10000000 // n, text(b"") * (10000000 // n))),
            DONE, mib(512, some, 56)),
    }
    for name, (data, end, peak) in files.items():
        yield Bomb(f"GGUF: {name}", ["--gguf", "bomb", "--show-model"], end,
                   {"bomb": data}, max(8, peak // 2))
        yield Bomb(f"GGUF, drawn from: {name}", ["--gguf", "bomb", "zeros"],
                   refused("the input is cut off", 1)
                   if name == "many tokens" else end, {"bomb": data}, peak)


def npy(shape, version=1, length=None):
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}\n"
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack(
        "<H" if version == 1 else "<I",
        len(head) if length is None else length) + head.encode() + bytes(64)


def tensors(head, length=None):
    data = head.encode()
    return struct.pack("<Q", len(data) if length is None else length) + \
        data + bytes(64)


def tensor(shape, end):
    return tensors(f'{{"a":{{"dtype":"F32","shape":{shape},'
                   f'"data_offsets":[0,{end}]}}}}')


def arrays(some):
    larger = refused("larger than any file", 1)
    wide = refused("1 to 2147483647 are wanted", 1)
    bad = refused("lacks a good dtype, shape or data_offsets", 1)
    deep = refused("more than 200 arrays and objects", 1)
    files = {
        "npy: 2^68 values": (npy("(4294967296, 4294967296, 16)"), larger, 8),
        "npy: 2^64 values": (npy("(1152921504606846976, 16)"), larger, 8),
        "npy: 2^31 in a row": (npy("(1, 2147483648)"), wide, 8),
        "npy: 2^31 - 1 in a row": (
            npy("(1, 2147483647)"),
            (1, "^tokpick: .*(cut off|Cannot allocate memory)"), 8),
        "npy: 2^64 rows": (npy("(18446744073709551616, 4)"),
                           refused("a size below 2.63 is wanted", 1), 8),
        "npy: 4 GiB of header": (npy("(4, 4)", 2, 0xffffffff),
                                 refused("at most 65536 are read", 1), 8),
        "npy: 20000 dimensions": (npy("(" + "1, " * 20000 + "4)"),
                                  refused("at most 32 sizes", 1), 8),
        "safetensors: a header of 2^63 bytes": (
            tensors("{}", 1 << 63), refused("raw rows carry no length"), 8),
        "safetensors: 2^68 values": (
            tensor("[4294967296,4294967296,16]", 64), larger, 8),
        "safetensors: to byte 2^64": (
            tensor("[1152921504606846976,16]", 1 << 64), bad, 8),
        "safetensors: 2^31 in a row": (tensor("[1,2147483648]", 1 << 33),
                                       wide, 8),
        "safetensors: 10000 dimensions": (
            tensor("[" + "1," * 10000 + "8]", 32), refused("dimensions", 1),
            8),
        "safetensors: brackets": (tensors('{"a":' + "[" * 1000000), deep, 8),
        "safetensors: many tensors": (
            tensors("{" + ",".join(
                f'"t{i}":{{"dtype":"F32","shape":[2,8],'
                f'"data_offsets":[0,64]}}'
                for i in range(20000 if some else 200000)) + "}"),
            refused("--tensor names one of", 1), mib(384, some, 40)),
    }
    for name, (data, end, peak) in files.items():
        yield Bomb(name, ["bomb"], end, {"bomb": data}, peak)


# --- Sizes -------------------------------------------------------------------

def sizes(some):
    most = ["-V", "2147483647"]
    # Nothing is touched before there is a row.
    either = (0, 1), "^$|^tokpick: .*Cannot allocate memory"
    for words in ([], ["--greedy"], ["-d", "f16"], ["-d", "bf16"],
                  ["-d", "f64"], ["--top-k", "0"], ["--policy", "strict"],
                  ["--policy", "llama.cpp"], ["--mask", "/dev/zero"],
                  ["-o", "jsonl"], ["--inspect"], ["--batch", "2"],
                  ["--repeat-penalty", "1.1", "--repeat-last-n", "-1"],
                  ["--repeat-penalty", "1.1", "--repeat-last-n",
                   "2147483647"],
                  ["--grid", "seed=1:3"], ["--report", "report"]):
        yield Bomb(f"2^31 - 1 values and no row, {' '.join(words)}",
                   most + words, either)
    yield Bomb("2^31 - 1 values and part of a row", most,
               ((0, 1), "^tokpick: .*(row 1 ends after 16384 of 8589934588 "
                "bytes|Cannot allocate memory)"),
               feed="head -c 16384 /dev/zero")
    yield Bomb("2^31 - 1 values, rows that are not there",
               most + ["--rows", "1000000000000:", "zeros"],
               (1, "^tokpick: .*(before the first|Cannot allocate memory)"))
    for words in (["--draws", "2147483647"], ["--batch", "2147483647"]):
        yield Bomb(" ".join(words), RAW + words + ["zeros"], NO_MEMORY)
    yield Bomb("to look back on 2^31 - 1 ids", RAW + [
        "--policy", "llama.cpp", "--dry-multiplier", "1",
        "--dry-penalty-last-n", "2147483647", "zeros"],
        ((0, 1), "^$|^tokpick: --dry-penalty-last-n: 2147483647 ids to look "
         "back on: Cannot allocate memory"))
    for words in (["--top-k", "9223372036854775807"],
                  ["--min-keep", "2147483647"],
                  ["-n", "9007199254740992"], ["-c", "9007199254740992"],
                  ["--sequence-rows", "9007199254740992"],
                  ["--row-base", "9007199254740992"],
                  ["--seed", "18446744073709551615"], ["-j", "256"],
                  ["--rows", "1:1000000000000000000"],
                  ["--repeat-penalty", "1.1", "--repeat-last-n",
                   "9223372036854775807"],
                  ["--limit-ids", "2147483647"],
                  ["--eos", "2147483647"], ["--prompt", "2147483647"],
                  ["--top", "2147483647", "-o", "jsonl"],
                  ["--policy", "llama.cpp", "--dry-multiplier", "1",
                   "--dry-allowed-length", "2147483647"]):
        yield Bomb(" ".join(words), RAW + words + ["zeros"])
    far = refused("is out of range|is no seed|are not 1 to 1048576|"
                  "more than 1048576 settings")
    for value in (1 << 31, (1 << 32) - 1, 1 << 32, 10**20, -(1 << 31)):
        yield from (Bomb(" ".join(words), RAW + words + ["zeros"], far,
                         {"list": f"{value}\n".encode()})
                    for words in (["--prompt", f"{value}"],
                                  ["--eos", f"{value}"],
                                  ["--limit-ids", f"{value}"],
                                  ["--draws", f"{value}"],
                                  ["--batch", f"{value}"],
                                  ["--top", f"{value}", "-o", "jsonl"],
                                  ["-V", f"{value}"], ["-j", f"{value}"],
                                  ["--history", "list"],
                                  ["--expect", "list"],
                                  ["--prompt", "@list"],
                                  ["--grid", f"seed=1:{abs(value)}"]))
    yield Bomb("10^9 settings", RAW + [
        "--grid", "seed=1:1000;temp=1:1000;top-k=1:1000", "zeros"], far)
    yield Bomb("many settings", RAW + [
        "--sweep", "bomb", "--sweep-summary", "-n", "1", "zeros"], DONE,
               {"bomb": b"--seed 1 --temp 0.5\n" * (2000 if some else 20000)},
               mib(352, some, 44))
    yield Bomb("too many settings", RAW + ["--sweep", "bomb", "zeros"],
               refused("more than 1048576 settings"),
               {"bomb": b"\n" * 1048577})


# --- Streams -----------------------------------------------------------------

def streams(some):
    """Memory stays as it is however long they are, and all rows count."""
    rows = 10**5 if some else 10**7
    long = 10**6 if some else 10**9
    for words in ([], ["--report", "report"], ["--stream", "row"],
                  ["--policy", "llama.cpp"], ["--policy", "strict"],
                  ["--repeat-penalty", "1.1", "--repeat-last-n", "-1"],
                  ["--batch", "3"], ["--sequence-rows", "1000"],
                  ["-o", "jsonl"], ["--draws", "2"]):
        n = rows // 10 if "jsonl" in words else rows
        yield Bomb(f"{n} rows, {' '.join(words)}",
                   ["-V", "1", "--summary", "summary", *words],
                   feed=f"head -c {4 * n} /dev/zero", rows=n)
    yield Bomb(f"{rows} rows, two settings",
               ["-V", "1", "--grid", "seed=1:2", "--sweep-summary"],
               feed=f"head -c {4 * rows} /dev/zero",
               out=f"\n2\t{rows}\t".encode())
    yield Bomb(f"{long} rows", ["-V", "1", "-d", "f16", "--greedy", "-o",
                                "i32", "--summary", "summary"],
               feed=f"head -c {2 * long} /dev/zero", rows=long)
    for words in ([], ["--report", "report"], ["--save-state", "state"]):
        yield Bomb(f"rows behind 2^32, {' '.join(words)}",
                   ["--load-state", "far", "-o", "jsonl", *words, "in"],
                   out=b'"row":4294967302,')
    yield Bomb("rows behind 2^32 in a file", [
        "-V", "1", "-d", "f16", "--rows", "4294967297:", "-o", "jsonl",
        "hole"], out=b'"row":4294967298,')
    yield Bomb("a sequence behind 2^32", [
        "-V", "1", "-d", "f16", "--sequence-rows", "1", "--rows",
        "4294967297:", "hole"], refused("it would be of sequence 4294967296",
                                        1))


# --- All of them -------------------------------------------------------------

def limit():
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))


def explode(bench, shim, tokpick, bomb):
    """Its status, what it wrote, its peak in KiB; None where it is stuck."""
    env = {"PATH": os.environ["PATH"], "FAULT_LOG": bench.log,
           "LD_PRELOAD": shim}
    with subprocess.Popen(["sh", "-c", bomb.feed], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as feed, \
        subprocess.Popen([*tokpick, *bomb.words], cwd=bench.home, env=env,
                         stdin=feed.stdout, stderr=subprocess.PIPE,
                         stdout=subprocess.PIPE if bomb.out else
                         subprocess.DEVNULL, preexec_fn=limit) as process:
        feed.stdout.close()
        try:
            out, err = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return None
    with open(bench.log, encoding="ascii") as log:
        peak = int(re.search(r"^peak (\d+)$", log.read(), re.M)[1])
    return process.returncode, out, err.decode(errors="replace"), peak


def rows_of(bench):
    with open(f"{bench.home}/summary", encoding="utf-8") as file:
        return json.load(file)["rows"]


def wrong_end(bench, bomb, got):
    if got is None:
        return "it does not end"
    status, out, err, peak = got
    statuses, said = bomb.end
    if status not in (statuses if isinstance(statuses, tuple)
                      else (statuses,)) or not re.search(said, err, re.S):
        return f"status {status}: {err[:300]}"
    if bomb.out and bomb.out not in out:
        return "the output lacks " + bomb.out.decode()
    if bomb.rows is not None and rows_of(bench) != bomb.rows:
        return f"{rows_of(bench)} rows are counted"
    if peak > bomb.peak * 1024:
        return f"{peak} KiB, and {bomb.peak} MiB are allowed"
    return None


def bomb_of(t, bomb):
    bench = t.bench()
    for name, data in bomb.files.items():
        with open(os.path.join(bench.home, name), "wb") as file:
            file.write(data)
    got = explode(bench, t.shim("memory"), t.tokpick, bomb)
    if os.environ.get("TORTURE_PEAKS") and got:
        print(f"{bomb.name}: {got[3]} KiB of {bomb.peak} MiB", flush=True)
    t.count(bomb.name, wrong_end(bench, bomb, got))
    bench.close()


def make_common(t):
    """What several of them read."""
    folder = t.files.name
    with open(f"{folder}/zeros", "wb") as file:
        file.write(bytes(4 * VOCAB * 200))
    with open(f"{folder}/hole", "wb") as file:
        file.truncate(2 * ((1 << 32) + 2))
    shutil.copy(f"{folder}/saved", f"{folder}/far")
    subprocess.run([sys.executable, f"{TESTS}/cli/forge.py", f"{folder}/far",
                    "rows 12", "rows 4294967290"], check=True)


def bombs(t):
    """Small inputs that ask for much time or memory."""
    make_common(t)
    t.each(bomb_of, ((bomb,) for kind in (
        streams, grammars, schemas, packed, models, arrays, sizes)
                     for bomb in kind(t.reduced)))
