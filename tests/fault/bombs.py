# SPDX-License-Identifier: MIT
"""Time bombs: sizes, ids and streams, and all of them set off."""
import os
import shutil
import subprocess
import sys

import hostile
from bomb import DONE, NO_MEMORY, Bomb, explode, mib, refused, wrong_end
from runs import RAW, TESTS, VOCAB


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
        streams, hostile.grammars, hostile.schemas, hostile.packed,
        hostile.models, hostile.arrays, sizes)
                     for bomb in kind(t.reduced)))
