# SPDX-License-Identifier: MIT
"""The kinds of run that faults are put into, and the files they read."""
import math
import os
import random
import shutil
import struct
import subprocess
import sys
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
VOCAB, WIDE = 16, 4096


@dataclass
class Run:
    """A command line, and what is known of what it writes."""
    name: str
    words: list
    peak: int = 4  # MiB of resident memory, at most
    stdin: str = os.devnull  # a file that comes through a pipe
    files: tuple = ()  # that it writes
    unit: bytes = b"\n"  # what ends each whole part of its output, or
    size: int = 0        # how large they all are
    partial: bool = True  # does it write as it goes?
    large: bool = False  # too much to be read byte by byte
    left: int = 0  # blocks that the C library keeps for threads, at most
    begun: int = 0  # rows behind the state that it goes on from


RAW = ["-V", str(VOCAB)]
TRACE = RAW + ["--pieces", "pieces", "--top", "3"]
LLAMA = RAW + ["--policy", "llama.cpp", "--samplers",
               "penalties;dry;top_k;typ_p;top_p;min_p;xtc;temperature",
               "--dry-multiplier", "0.8", "--dry-breaker", "3",
               "--repeat-penalty", "1.1", "--typical", "0.9",
               "--xtc-probability", "0.5"]
COUNTS = RAW + ["--repeat-last-n", "-1", "--repeat-penalty", "1.2"]
GRAMMAR = RAW + ["--pieces", "pieces", "--dead-end", "stop"]

RUNS = [
    Run("plain", RAW + ["in"]),
    Run("several files", RAW + ["in", "in.zst", "in"], peak=8),
    Run("standard input", RAW, stdin="in"),
    Run("zstd", RAW + ["in.zst"], peak=8),
    Run("zstd on standard input", RAW, stdin="in.zst", peak=8),
    Run("wide", ["-V", str(WIDE), "-j", "1", "wide"], large=True),
    Run("read ahead", ["-V", str(WIDE), "-j", "3", "wide"], peak=16, large=True, left=2),
    Run("frames", ["-V", str(WIDE), "-j", "3", "frames"], peak=96, large=True, left=2),
    Run("stream ahead", ["-V", str(WIDE), "-j", "2", "wide.zst"], peak=64, large=True, left=1),
    Run("no top-k", ["-V", str(WIDE), "--top-k", "0", "-j", "1", "wide"], large=True),
    Run("f16, strict", RAW + ["-d", "f16", "--policy", "strict", "in"]),
    Run("npy", ["in.npy"]),
    Run("npy on standard input", [], stdin="in.npy"),
    Run("safetensors", ["in.safetensors"]),
    Run("logits", ["in.logits"]),
    Run("llama", LLAMA + ["in"]),
    Run("llama, saved", LLAMA + ["--logit-bias", "3+1", "--logit-bias",
                                 "5-inf", "--save-state", "state", "in"],
        files=("state",)),
    Run("stages by letter", RAW + ["--policy", "llama.cpp", "--sampler-seq",
                                   "kt", "--eos", "15", "--ignore-eos", "in"]),
    Run("breakers by text", RAW + ["--policy", "llama.cpp", "--dry-multiplier",
                                   "0.8", "--pieces", "pieces",
                                   "--dry-sequence-breaker", "1,",
                                   "--dry-sequence-breaker", "2", "in"]),
    Run("adaptive, saved", RAW + ["--policy", "llama.cpp", "--samplers",
                                  "adaptive_p", "--adaptive-target", "0.5",
                                  "--save-state", "state", "in"],
        files=("state",)),
    Run("dry by texts", RAW + ["--policy", "llama.cpp", "--dry-multiplier",
                               "0.8", "--pieces", "pieces", "in"]),
    Run("mirostat", RAW + ["--policy", "llama.cpp", "--mirostat", "2", "in"]),
    Run("greedy, random seed", RAW + ["--greedy", "--seed", "random", "in"]),
    Run("greedy, biased", RAW + ["--greedy", "--logit-bias", "@biases", "in"]),
    Run("i32", RAW + ["-o", "i32", "in"], unit=b"", size=4),
    Run("text", RAW + ["--pieces", "pieces", "-o", "text", "in"], unit=b""),
    Run("jsonl", TRACE + ["-o", "jsonl", "in"]),
    Run("table", TRACE + ["-o", "table", "in"]),
    Run("inspect", TRACE + ["--inspect", "in"]),
    Run("mask", RAW + ["--mask", "mask", "in"]),
    Run("some rows", RAW + ["--rows", "3:", "--mask", "mask", "in"]),
    Run("prompt, history", RAW + ["--prompt", "@ids", "--history", "ids",
                                  "--repeat-penalty", "1.2", "in"]),
    Run("long prompt", RAW + ["--prompt", "@long", "in"], peak=14),
    Run("history, some rows", RAW + ["--history", "ids", "--rows", "4:",
                                     "in"]),
    Run("long window", RAW + ["--prompt", "@long", "--repeat-last-n", "3000",
                              "--repeat-penalty", "1.2", "in"]),
    Run("expect", RAW + ["--expect", "right", "in"]),
    Run("expect, and differ", RAW + ["--expect", "ids", "in"]),
    Run("save state", RAW + ["--save-state", "state", "in"],
        files=("state",)),
    Run("save counts", COUNTS + ["--save-state", "state", "in"],
        files=("state",)),
    Run("load counts", ["--load-state", "counts", "in"], begun=12),
    Run("save a long state", RAW + ["--prompt", "@long", "--repeat-last-n",
                                    "40000", "--save-state", "state", "in"],
        files=("state",)),
    Run("load state", ["--load-state", "saved", "--save-state", "state",
                       "in"], files=("state",), begun=12),
    Run("summary", RAW + ["--summary", "summary", "in"], files=("summary",)),
    Run("report", RAW + ["--report", "./report", "--pieces", "pieces", "in"],
        files=("report",), peak=5),
    Run("bad row", RAW + ["--report", "report", "--save-state", "state",
                          "nan"], files=("report", "state")),
    Run("exec", RAW + ["-n", "6", "--exec", "exec ./model 16 ids",
                       "--prompt", "1,2"]),
    Run("exec, long lines", RAW + ["-n", "2", "--prompt", "@long",
                                   "--exec", "exec ./model 16 ids"]),
    Run("exec, and a byte", RAW + ["-n", "2", "--exec",
                                   "exec ./model -m byte -a 2 16 ids"]),
    Run("exec, and its end", RAW + ["-n", "2", "--exec",
                                    "exec ./model -m exit -a 2 16 ids"]),
    Run("model", ["--gguf", "model.gguf", "-o", "text", "in"], unit=b"", peak=5),
    Run("show model", ["--gguf", "model.gguf", "--show-model"], peak=5),
    Run("grammar", GRAMMAR + ["--grammar-file", "grammar", "in"]),
    Run("grammar, saved", GRAMMAR + ["--grammar-file", "grammar",
                                     "--save-state", "state", "in"],
        files=("state",)),
    Run("grammar, greedy", GRAMMAR + ["--grammar-file", "grammar",
                                      "--greedy", "in"]),
    Run("grammar, strict", GRAMMAR + ["--policy", "strict", "--grammar-file",
                                      "grammar", "in"]),
    Run("grammar of texts", RAW + ["--pieces", "names", "--grammar-file",
                                   "named", "--dead-end", "stop", "in"]),
    Run("schema", GRAMMAR + ["--json-schema", "@schema", "in"]),
    Run("schema of a number", GRAMMAR + [
        "--json-schema", '{"type": "integer", "minimum": 3}', "in"]),
    Run("sweep", RAW + ["--eos", "15", "--sweep", "sweep", "in"]),
    Run("grammar, recorded", RAW + ["--pieces", "deep", "--grammar-file",
                                    "tokens", "--history", "recorded", "in"]),
    Run("grammar, inspected", GRAMMAR + ["--grammar-file", "grammar",
                                         "--inspect", "in"]),
    Run("grid, summed up", RAW + ["--grid", "temp=0.5,1;seed=1:3",
                                  "--sweep-summary", "in"], partial=False),
    Run("sequences", RAW + ["--sequence-rows", "4", "in"]),
    Run("batch", RAW + ["--batch", "2", "in"]),
    # More than the output's buffer holds.
    Run("long i32", ["-V", "1", "-o", "i32", "flat"], unit=b"", size=4,
        large=True),
    Run("long text", ["-V", "1", "-o", "text", "--pieces", "pieces",
                      "flat"], unit=b"", large=True),
    Run("long batch", ["-V", "1", "--batch", "2", "flat"], large=True),
    Run("help", ["--help"]),
    Run("completions", ["--completions", "bash"]),
]


def by_name(name):
    return next(run for run in RUNS if run.name == name)


def rows(seed, count, vocab):
    chance = random.Random(seed)
    return b"".join(struct.pack("<f", round(chance.uniform(-3, 3), 2))
                    for _ in range(count * vocab))


def zstd(data, *words):
    return subprocess.run(["zstd", "-q", "--check", *words], input=data,
                          stdout=subprocess.PIPE, check=True).stdout


def gguf(tokens, end, *more):
    """A model file with these tokens, one of which ends a text."""
    return subprocess.run(
        [sys.executable, f"{TESTS}/cli/gguf.py", "model:string=gpt2",
         f"eos:u32={end}", "sampling.temp:f32=0.7", *more,
         "tokens:string[]=" + " ".join(tokens)],
        stdout=subprocess.PIPE, check=True).stdout


def headed(*words):
    """The header of a file of rows, as headers.py makes it."""
    return subprocess.run([sys.executable, f"{TESTS}/cli/headers.py", *words],
                          stdout=subprocess.PIPE, check=True).stdout


def make_files(folder, tokpick, model):
    """All that the runs read."""
    def put(name, data):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)

    some, wide = rows(1, 12, VOCAB), rows(2, 160, WIDE)
    frame = 20 * WIDE * 4
    pieces = list('0123456789,[]"x:')
    os.symlink(model, os.path.join(folder, "model"))
    put("in", some)
    put("in.zst", zstd(some))
    put("nan", some[:-4] + struct.pack("<f", math.nan))
    put("in.npy", headed("npy", "<f4", "12", str(VOCAB)) + some)
    put("in.safetensors",
        headed("safetensors", "F32", "0", "12", str(VOCAB)) + some)
    shutil.copy(f"{TESTS}/corpus/logits/good-odd.logits",
                os.path.join(folder, "in.logits"))
    put("wide", wide)
    put("flat", bytes(4 * 70000))
    put("wide.zst", zstd(wide, "-1"))
    put("frames", b"".join(zstd(wide[at:at + frame], "-1")
                           for at in range(0, len(wide), frame)))
    put("mask", b"".join(struct.pack("<I", 0xa5a5 >> row % 3)
                         for row in range(12)))
    put("pieces", "".join(piece + "\n" for piece in pieces).encode())
    put("biases", b"3+1.5\n7-inf\n")
    put("ids", b"".join(b"%d\n" % (5 * row % 16) for row in range(12)))
    put("long", b"0\n" * 40000)  # more than a pipe holds
    put("grammar", b'root ::= pair ("," pair)*\npair ::= [0-9]{1,3} "x"?\n')
    put("names", b"".join(b"<%c>\n" % name for name in b"abcdefghijklmnop"))
    put("named", b"root ::= (<a> | <b> | <c> | <p>)*\n")
    put("schema", b'{"type": "array", "items": {"oneOf": [{"$ref": "#/$defs/n"},'
                  b' {"required": ["x"], "type": "object"}]}, "$defs": {"n":'
                  b' {"type": "integer", "minimum": 3, "maximum": 120}}}')
    put("sweep", b"--temp 0.5\n--top-k 3 --seed 4\n"
        b"--greedy --logit-bias 3+1\n")
    put("small.gguf", gguf(pieces, 15))
    put("model.gguf", gguf([*pieces[:-1], "</s>"], 14,
                           "passed over:f64[]=" + "1 " * 20000,
                           "types:i32[]=" + "1 " * 15 + "3"))
    # Only what is recorded, first as bytes and then as a token, needs room.
    put("recorded", b"".join(b"%d\n" % row for row in range(1, 13)))
    put("deep", "".join(piece + "\n" for piece in
                        [pieces[0], "a" * 100, *pieces[2:]]).encode())
    put("tokens", ('root ::= (nested | <[12]>) !<[0]> (<[3]> many | !<[0]>) '
                   '(!<[0]>)*\nnested ::= "a" (nested "b"?)?\nmany ::= ' +
                   " | ".join(f'"{n}x"' for n in range(300)) + "\n").encode())
    for name, words in (("right", []), ("saved", ["--save-state", "saved"]),
                        ("counts", COUNTS + ["--save-state", "counts"])):
        ids = subprocess.run([tokpick, *RAW, *words, "in"], cwd=folder,
                             stdout=subprocess.PIPE, check=True).stdout
        if name == "right":
            put(name, ids)
