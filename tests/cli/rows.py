#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write rows of logits to standard output.

usage: rows.py [-d DTYPE] [-n TIMES] ROW...

A ROW is values with blanks between.  A value is a number (for bf16 one it
holds exactly), inf, -inf, nan, or 0xBITS, the value's own bits.  VALUE*COUNT
repeats it.  -n writes all the rows that many times.
"""
import struct
import sys

CODES = {"f32": "<f", "f64": "<d", "f16": "<e", "bf16": "<f"}


def value_bytes(dtype, text):
    size = 2 if dtype == "bf16" else struct.calcsize(CODES[dtype])
    if text.startswith("0x"):
        return int(text, 16).to_bytes(size, "little")
    return struct.pack(CODES[dtype], float(text))[-size:]


def row_bytes(dtype, row):
    out = b""
    for word in row.split():
        value, _, count = word.partition("*")
        out += value_bytes(dtype, value) * int(count or 1)
    return out


def main():
    words = sys.argv[1:]
    options = {"-d": "f32", "-n": "1"}
    while words[0] in options:  # a row may begin with a minus
        options[words[0]] = words[1]
        words = words[2:]
    data = b"".join(row_bytes(options["-d"], row) for row in words)
    sys.stdout.buffer.write(data * int(options["-n"]))


main()
