#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draw texts inside JSON schemas, and have another program validate them.

usage: schema-draws.py DRAWS SCHEMA...

For each schema tokpick draws that many texts, each with a seed of its own,
from rows of random logits over pieces that cut JSON in all sorts of places,
characters included.  Those that came to an end within the rows must be JSON
that python3-jsonschema finds valid, and three in four must come to an end.
TOKPICK, and TOKPICK_EMULATOR before it, name the binary.  The folder that it
is run in gets the rows and the pieces.
"""
import array
import json
import os
import random
import subprocess
import sys

import jsonschema

ROWS = 600
CLOSERS = '"]}'
WORDS = ['", "', '":', '": ', '{"', '"}', '},', "[", '["', '"]', "]}", " ", "  ",
         "true", "null", "fals", "12", "00", "0.", "e+", "\\u", "\\ud83d", "\\n",
         "\\\\", "\u00e9", "\u4e2d", "\U0001f600", "\u00e8]", "abc", "kind"]
PARTS = [b"\xf0\x9f", b"\x98\x80", b"\xc3", b"\xa8", b"\xa9", b"\xed", b"\x80"]


def all_pieces():
    """Piece 0 ends a text; then single characters, words, parts of UTF-8."""
    ascii_pieces = [bytes([c]) for c in range(0x20, 0x7f)]
    return [b""] + ascii_pieces + [w.encode() for w in WORDS] + PARTS


def write_pieces(name, pieces):
    with open(name, "w") as file:
        for piece in pieces:
            file.write("".join("\\x%02x" % byte for byte in piece) + "\n")


def write_rows(name, pieces):
    """What closes is likelier, so that texts come to an end."""
    rng = random.Random(1)
    likelier = [3.5 * (piece == b"") + 2.5 * (piece.decode("latin-1") in CLOSERS)
                for piece in pieces]
    values = array.array("f", (rng.gauss(0, 1.5) + more
                               for _ in range(ROWS) for more in likelier))
    if sys.byteorder == "big":
        values.byteswap()
    with open(name, "wb") as file:
        values.tofile(file)


def draw(schema, seed, pieces):
    """The bytes of a text, and whether it came to its end."""
    command = os.environ.get("TOKPICK_EMULATOR", "").split()
    command += [os.environ["TOKPICK"], "-q", "-V", str(len(pieces)), "--seed",
                str(seed), "--no-defaults", "--pieces", "draws.pieces", "--eos", "0",
                "--json-schema", "@" + schema, "draws.f32"]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{schema}, seed {seed}: {done.stderr.decode()}")
    ids = [int(word) for word in done.stdout.split()]
    return b"".join(pieces[i] for i in ids), ids[-1:] == [0]


def check(name, draws, pieces):
    """How many of the draws came to an end, all valid."""
    with open(name, encoding="utf-8") as file:
        schema = json.load(file)
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    validator = kind(schema)
    ended = 0
    for seed in range(draws):
        text, end = draw(name, seed, pieces)
        if not end:
            continue
        ended += 1
        try:
            validator.validate(json.loads(text.decode("utf-8")))
        except (ValueError, jsonschema.ValidationError) as error:
            sys.exit(f"{name}, seed {seed}: {text!r}: {error}")
    return ended


def main():
    draws, pieces = int(sys.argv[1]), all_pieces()
    write_pieces("draws.pieces", pieces)
    write_rows("draws.f32", pieces)
    for name in sys.argv[2:]:
        ended = check(name, draws, pieces)
        print(f"{os.path.basename(name)}: {ended} of {draws} ended, all valid")
        if 4 * ended < 3 * draws:
            sys.exit("too few of them")


main()
