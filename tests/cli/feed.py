#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write a file to the pipe on standard output, cut where we are told.

usage: feed.py CUT FILE

CUT is the size of a piece, or random:SEED for sizes between 1 and 9999.
The next piece is written when the last one has left the pipe, so that the
reader's reads are the pieces.
"""
import array
import fcntl
import os
import random
import select
import sys
import termios
import time

# Long enough for any machine: it only ends a test whose reader is stuck.
PATIENCE = 60


def wait_until_empty(fd):
    end = time.monotonic() + PATIENCE
    left = array.array("i", [1])
    reader = select.poll()
    reader.register(fd, 0)
    while True:
        if reader.poll(0):
            sys.exit("feed.py: the reader is gone")
        fcntl.ioctl(fd, termios.FIONREAD, left)
        if left[0] == 0:
            return
        if time.monotonic() > end:
            sys.exit("feed.py: nobody reads")
        os.sched_yield()


def main():
    cut, name = sys.argv[1:]
    kind, _, seed = cut.partition(":")
    numbers = random.Random(int(seed)) if kind == "random" else None
    with open(name, "rb") as file:
        data = file.read()
    at = 0
    while at < len(data):
        size = numbers.randint(1, 9999) if numbers else int(cut)
        os.write(1, data[at:at + size])
        at += size
        wait_until_empty(1)


main()
