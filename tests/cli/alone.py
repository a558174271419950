#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run a command and see that it leaves no process behind.

usage: alone.py [-w] [-i SIGNAL] [-s SIGNAL -f FILE] COMMAND [ARGUMENT]...

  -s SIGNAL -f FILE  send the command the signal when FILE has something in it
  -i SIGNAL          run it with the signal ignored
  -w                 wait for processes left behind to end by themselves

SIGHUP, SIGINT, SIGQUIT, SIGTERM and SIGPIPE have their default actions else.
The exit status is the command's, or 128 and the signal that killed it, or 97
if processes of its own, running or not waited for, were left behind.  (Its
orphans are made ours: Linux only.)
"""
import ctypes
import getopt
import os
import signal
import subprocess
import sys
import time

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
DEFAULT = ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGPIPE")


def has_content(path):
    return os.path.exists(path) and os.path.getsize(path) > 0


def main():
    options, command = getopt.getopt(sys.argv[1:], "wi:s:f:")
    options = dict(options)

    def prctl(what, value):
        if ctypes.CDLL(None).prctl(what, value, 0, 0, 0) != 0:
            raise OSError("prctl")

    def set_up():
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # should we be killed
        for name in DEFAULT:
            signal.signal(signal.Signals[name], signal.SIG_DFL)
        if "-i" in options:
            signal.signal(signal.Signals["SIG" + options["-i"]],
                          signal.SIG_IGN)

    prctl(PR_SET_CHILD_SUBREAPER, 1)
    child = subprocess.Popen(command, preexec_fn=set_up)
    if "-s" in options:
        while not has_content(options["-f"]) and child.poll() is None:
            time.sleep(0.01)
        child.send_signal(signal.Signals["SIG" + options["-s"]])
    status = child.wait()
    try:
        left = os.waitpid(-1, 0 if "-w" in options else os.WNOHANG)[0]
        while "-w" in options:
            os.waitpid(-1, 0)
        print("left behind:", left or "running", file=sys.stderr)
        return 97
    except ChildProcessError:
        return status if status >= 0 else 128 - status


sys.exit(main())
