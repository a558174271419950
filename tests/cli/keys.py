#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Type into an interactive shell and print what its terminal shows.

usage: keys.py SHELL [ARGUMENT]... <KEYS

The shell's prompt must end with "ready>".  The first line of the keys is
typed at the first prompt, and so on; backslash escapes are taken off.
"""
import os
import pty
import select
import sys

PROMPT = b"ready>"
# Long enough for any machine: it only ends a test whose shell is stuck.
PATIENCE = 60


def read_until(fd, mark):
    shown = b""
    while mark is None or not shown.endswith(mark):
        if not select.select([fd], [], [], PATIENCE)[0]:
            sys.exit("keys.py: the shell waits for something else")
        try:
            data = os.read(fd, 1)
        except OSError:  # the shell is gone
            break
        shown += data
        sys.stdout.buffer.write(data)
    sys.stdout.flush()


def main():
    keys = sys.stdin.read().splitlines()
    child, fd = pty.fork()
    if child == 0:
        os.environ.update(TERM="dumb", PS1="ready>", COLUMNS="200")
        os.execvp(sys.argv[1], sys.argv[1:])
    for line in keys:
        read_until(fd, PROMPT)
        os.write(fd, line.encode().decode("unicode_escape").encode() + b"\r")
    os.write(fd, b"exit\r")
    read_until(fd, None)
    os.waitpid(child, 0)


main()
