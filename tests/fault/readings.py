# SPDX-License-Identifier: MIT
"""What files say, read a second time and by other means.

Each reading takes a file's bytes, and the other files by name, and tells what
is drawn greedily: the output as far as the file goes, and whether that is all
of it.  None means that the file says nothing at all.
"""
import ast
import ctypes
import json
import math
import re
import struct

from runs import VOCAB

MOST = 2**31 - 1
ANY = object()  # of what is not read here


def narrow(x):
    """As a float of 32 bits."""
    return ctypes.c_float(x).value


def best_of(logits, allowed=None):
    """The id of the greatest, or None where the row is an error."""
    if any(math.isnan(x) or x == math.inf for x in logits):
        return None
    inside = [i for i, x in enumerate(logits)
              if (allowed is None or allowed >> i & 1) and x != -math.inf]
    return max(inside, key=lambda i: (logits[i], -i)) if inside else None


def rows_of(data, vocab=VOCAB, code="f"):
    """The whole rows in it, and is there nothing else?"""
    size = vocab * struct.calcsize(code)
    if size == 0:
        return [], not data
    rows = [[narrow(x) for x in struct.unpack_from(f"<{vocab}{code}", data, at)]
            for at in range(0, len(data) - size + 1, size)]
    return rows, len(data) % size == 0


def lines(ids):
    return b"".join(b"%d\n" % i for i in ids)


def drawn(rows, whole, masks=None):
    """What is drawn up to the first error."""
    ids = []
    for i, row in enumerate(rows):
        if masks is not None and i >= len(masks):
            return lines(ids), False
        best = best_of(row, masks[i] if masks is not None else None)
        if best is None:
            return lines(ids), False
        ids.append(best)
    return lines(ids), whole


def raw(data, files):
    return drawn(*rows_of(data))


def mask(data, files):
    words = [x for x, in struct.iter_unpack("<I", data[:len(data) // 4 * 4])]
    return drawn(*rows_of(files["in"]), words)


def array(data, shape, code):
    """Rows of an array, which is all of the data."""
    rows, whole = rows_of(data, shape[-1], code)
    count = math.prod(shape[:-1])
    return drawn(rows[:count], whole and len(rows) == count)


def npy(data, files):
    if data[:6] != b"\x93NUMPY" or data[6:8] not in (b"\1\0", b"\2\0", b"\3\0"):
        return None
    size = 2 if data[6] == 1 else 4
    start = 8 + size
    end = start + int.from_bytes(data[8:start], "little")
    try:
        head = ast.literal_eval(data[start:end].decode())
        shape, order = head.pop("shape"), head.pop("fortran_order")
        code = {"<f4": "f", "<f8": "d", "<f2": "e"}[head.pop("descr")]
    except (SyntaxError, ValueError, KeyError, TypeError, AttributeError):
        return None
    if head or order is not False or len(data) < end or \
            not 1 <= len(shape) <= 2 or \
            any(not isinstance(n, int) or n < 0 for n in shape):
        return None
    return array(data[end:], shape, code)


def safetensors(data, files):
    end = 8 + int.from_bytes(data[:8], "little")
    codes = {"F32": "f", "F64": "d", "F16": "e"}
    try:
        head = json.loads(data[8:end].decode())
        found = [t for t in head.values() if t["dtype"] in codes]
        if len(found) != 1 or len(data) < end:
            return None
        shape, (first, last) = found[0]["shape"], found[0]["data_offsets"]
        if last - first != struct.calcsize(codes[found[0]["dtype"]]) * \
                math.prod(shape):
            return None
        return array(data[end + first:end + last], shape,
                     codes[found[0]["dtype"]])
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def numbers(data):
    """Ids with blanks or commas between, or None."""
    words = re.split(rb"[, \t\r\n\v\f]+", data)
    ids = [int(word) for word in words if re.fullmatch(rb"\+?\d+", word)]
    if len(ids) < len([word for word in words if word]) or \
            any(i > MOST for i in ids):
        return None
    return ids


def history(data, files):
    """What was recorded is penalised by 4, each id once."""
    ids, (rows, whole) = numbers(data), rows_of(files["in"])
    if ids is None:
        return None
    for i, row in enumerate(rows):
        for seen in {seen for seen in ids[:i] if seen < VOCAB}:
            x = row[seen]
            row[seen] = narrow(x / 4 if x > 0 else x * 4)
    out, good = drawn(rows[:len(ids)], whole)
    return out, good and len(ids) == len(rows)


def biases(data, files):
    rows, whole = rows_of(files["in"])
    for line in data.split(b"\n"):
        line = line.strip(b" \t\r\v\f")
        if not line:
            continue
        bias = re.fullmatch(rb"(\d+)([+-](?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
                            rb"|-inf)", line)
        if not bias or int(bias[1]) >= VOCAB:
            return None
        for row in rows:
            row[int(bias[1])] = narrow(
                row[int(bias[1])] + narrow(float(bias[2])))
    return drawn(rows, whole)


def spelt(rows, texts):
    """The texts of what is drawn, which all have to be there."""
    out = b""
    for row in rows:
        best = best_of(row)
        if best is None or best >= len(texts):
            return out, False
        out += texts[best]
    return out, True


def pieces(data, files):
    plain = {b"\\": b"\\", b"n": b"\n", b"r": b"\r", b"t": b"\t"}
    escape = re.compile(rb"\\(?:([\\nrt])|x([0-9a-fA-F]{2})|)")

    def unescape(found):
        if found[1]:
            return plain[found[1]]
        return bytes.fromhex(found[2].decode())
    listed = data.split(b"\n")
    listed = listed[:-1] if listed[-1] == b"" else listed
    try:
        texts = [escape.sub(unescape, line) for line in listed]
    except AttributeError:  # a backslash that begins nothing
        return None
    return spelt(rows_of(files["in"])[0], texts) if data else None


class Cursor:
    """Values out of a model file, one behind the other."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, n):
        if self.at + n > len(self.data):
            raise ValueError("cut off")
        self.at += n
        return self.data[self.at - n:self.at]

    def number(self, code):
        return struct.unpack(f"<{code}", self.take(struct.calcsize(code)))[0]

    def text(self):
        return self.take(self.number("Q"))

    def value(self, kind):
        if kind == 8:
            return self.text()
        if kind == 9:
            inner, n = self.number("I"), self.number("Q")
            return [self.value(inner) for _ in range(n)]
        return self.number("BbHhIif??Qqd"[kind])


def gguf(data, files):
    """Greedily, to the end that the model names."""
    cursor, keys = Cursor(data), {}
    try:
        if cursor.take(4) != b"GGUF" or cursor.number("I") not in (2, 3):
            return None
        cursor.number("Q")
        for _ in range(cursor.number("Q")):
            name, kind = cursor.text(), cursor.number("I")
            keys[name] = cursor.value(kind)
    except (ValueError, IndexError, struct.error):
        return None
    texts = keys.get(b"tokenizer.ggml.tokens")
    if not isinstance(texts, list) or len(texts) != VOCAB or \
            any(not re.fullmatch(rb"[!-~]+", x) for x in texts) or \
            keys.get(b"tokenizer.ggml.model") != b"gpt2":
        return ANY
    rows = rows_of(files["in"])[0]
    end = keys.get(b"tokenizer.ggml.eos_token_id")
    for i, row in enumerate(rows):
        if best_of(row) == end:
            return spelt(rows[:i + 1], texts)
    return spelt(rows, texts)
