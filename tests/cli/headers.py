#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write the header of a file of rows to standard output, or such a file.

usage: headers.py npy DESCR SHAPE...
       headers.py safetensors DTYPE SKIP SHAPE...
       headers.py logits N_CTX V TOKENS CODES...

SKIP is how many bytes stand before the tensor.  TOKENS are ids with commas
between, and so are the CODES of each row; the scale is 1, the lowest value -9.
"""
import json
import struct
import sys


def npy(descr, *shape):
    sizes = ", ".join(shape) + ("," if len(shape) == 1 else "")
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({sizes}), }}"
    text = text.ljust(-10 % 64 + 64 - 1) + "\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text.encode()


def safetensors(dtype, skip, *shape):
    size = int(dtype[-2:]) // 8
    for n in shape:
        size *= int(n)
    skip = int(skip)
    entries = {
        "first": {"dtype": "U8", "shape": [skip], "data_offsets": [0, skip]},
        "rows": {"dtype": dtype, "shape": [int(n) for n in shape],
                 "data_offsets": [skip, skip + size]},
    }
    text = json.dumps(entries).encode()
    return struct.pack("<Q", len(text)) + text + bytes(skip)


def logits(n_ctx, vocab, tokens, *rows):
    tokens = [int(t) for t in tokens.split(",")]
    out = b"_logits_" + struct.pack(
        "<3i", int(n_ctx), int(vocab), len(tokens) // int(n_ctx))
    out += struct.pack(f"<{len(tokens)}i", *tokens)
    for row in rows:
        codes = [int(c) for c in row.split(",")]
        codes += [0] * (len(codes) % 2)
        out += struct.pack("<2f", 1, -9) + struct.pack(f"<{len(codes)}H", *codes)
    return out


KINDS = {"npy": npy, "safetensors": safetensors, "logits": logits}
sys.stdout.buffer.write(KINDS[sys.argv[1]](*sys.argv[2:]))
