#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write a GGUF model file: metadata alone, to standard output.

usage: gguf.py [--version N] [--keys N] [--big] KEY:TYPE=VALUE...

TYPE is u8, i8, u16, i16, u32, i32, u64, i64, f32, f64, bool or string; with
[] behind it, or [N], VALUE is an array (that claims to have N items), its
items apart by blanks; in a string \\s is one, and there are Python's escapes.
KEY tokens, types, model, eos, eot, eom stand for tokenizer.ggml.tokens and
so on, and sampling.X for general.sampling.X.
"""
import re
import struct
import sys

TYPES = {"u8": (0, "B"), "i8": (1, "b"), "u16": (2, "H"), "i16": (3, "h"),
         "u32": (4, "I"), "i32": (5, "i"), "f32": (6, "f"), "bool": (7, "B"),
         "string": (8, None), "u64": (10, "Q"), "i64": (11, "q"),
         "f64": (12, "d")}
SHORT = {"tokens": "tokenizer.ggml.tokens",
         "types": "tokenizer.ggml.token_type",
         "model": "tokenizer.ggml.model",
         "eos": "tokenizer.ggml.eos_token_id",
         "eot": "tokenizer.ggml.eot_token_id",
         "eom": "tokenizer.ggml.eom_token_id"}


def number(form, value, order):
    return struct.pack(order + form, value)


def string(text, order):
    data = text.replace("\\s", " ").encode("latin-1", "backslashreplace")
    data = data.decode("unicode_escape")
    try:
        data = data.encode("latin-1")
    except UnicodeEncodeError:
        data = data.encode("utf-8")
    return number("Q", len(data), order) + data


def item(kind, text, order):
    form = TYPES[kind][1]
    if form is None:
        return string(text, order)
    value = float(text) if form in "fd" else int(text)
    return number(form, value, order)


def pair(word, order):
    key, kind, claim, value = re.fullmatch(
        r"([^:]*):(\w+)(\[\d*\])?=(.*)", word, re.S).groups()
    key = SHORT.get(key, re.sub(r"^sampling\.", "general.sampling.", key))
    out = string(key, order)
    if claim is None:
        return out + number("I", TYPES[kind][0], order) + \
            item(kind, value, order)
    items = value.split()
    claimed = int(claim[1:-1] or len(items))
    out += number("I", 9, order) + number("I", TYPES[kind][0], order)
    out += number("Q", claimed, order)
    return out + b"".join(item(kind, text, order) for text in items)


def main():
    words = sys.argv[1:]
    version, keys, order = 3, None, "<"
    while words and words[0].startswith("--"):
        word = words.pop(0)
        if word == "--big":
            order = ">"
        elif word == "--version":
            version = int(words.pop(0))
        elif word == "--keys":
            keys = int(words.pop(0))
        else:
            sys.exit(__doc__)
    out = b"GGUF" + number("I", version, order) + number("Q", 0, order)
    out += number("Q", len(words) if keys is None else keys, order)
    out += b"".join(pair(word, order) for word in words)
    sys.stdout.buffer.write(out)


main()
