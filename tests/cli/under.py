#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run a command in surroundings that a shell does not make.

usage: under.py MODE COMMAND [ARGUMENT]...

  tty-in     standard input is a terminal; its name is @TERMINAL@ in arguments
  tty-out    standard output is a terminal, and what it got is printed
  tty-err    standard error is a terminal, the one of a session that the
             command leads, and what it got is printed
  nonblock-in   standard input is a pipe that does not block, and gets what
             we get, byte by byte, each when the last one was read
  nonblock-out  standard output is a small pipe that does not block, and is
             read when it is full
  peak       print the most memory it took, in KiB, instead
  writes     print the size of each write to standard output instead
  sigpipe    run it with the default action for SIGPIPE
  nosigpipe  run it with SIGPIPE ignored

The exit status is the command's, or 128 and the signal that killed it.
"""
import array
import fcntl
import os
import pty
import resource
import signal
import socket
import subprocess
import sys
import termios

F_SETPIPE_SZ = 1031
PAGE = 4096
# Long enough for any machine: it only ends a test whose command is stuck.
PATIENCE = 60


def status_of(child):
    try:
        status = child.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        child.kill()
        sys.exit("under.py: the command does not end")
    return status if status >= 0 else 128 - status


def waiting_bytes(fd):
    count = array.array("i", [0])
    fcntl.ioctl(fd, termios.FIONREAD, count)
    return count[0]


def set_nonblocking(fd):
    fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) |
                os.O_NONBLOCK)


def copy_out(read):
    while True:
        try:
            data = read()
        except OSError:  # a terminal whose other end was closed
            break
        if not data:
            break
        sys.stdout.buffer.write(data)
    sys.stdout.flush()


def tty_in(command):
    _, terminal = pty.openpty()
    name = os.ttyname(terminal)
    command = [word.replace("@TERMINAL@", name) for word in command]
    return status_of(subprocess.Popen(command, stdin=terminal))


def tty_out(command):
    master, terminal = pty.openpty()
    child = subprocess.Popen(command, stdout=terminal)
    os.close(terminal)
    copy_out(lambda: os.read(master, PAGE))
    return status_of(child)


def tty_err(command):
    master, terminal = pty.openpty()
    child = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=terminal,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(terminal, termios.TIOCSCTTY, 0))
    os.close(terminal)
    copy_out(lambda: os.read(master, PAGE))
    return status_of(child)


def nonblock_in(command):
    reader, writer = os.pipe()
    set_nonblocking(reader)
    child = subprocess.Popen(command, stdin=reader)
    for byte in sys.stdin.buffer.read():
        os.write(writer, bytes([byte]))
        while waiting_bytes(reader) > 0 and child.poll() is None:
            os.sched_yield()
    os.close(writer)
    return status_of(child)


def nonblock_out(command):
    reader, writer = os.pipe()
    fcntl.fcntl(writer, F_SETPIPE_SZ, PAGE)
    set_nonblocking(writer)
    child = subprocess.Popen(command, stdout=writer)
    os.close(writer)
    while waiting_bytes(reader) < PAGE and child.poll() is None:
        os.sched_yield()
    copy_out(lambda: os.read(reader, PAGE))
    return status_of(child)


def peak(command):
    # Counted from what we take ourselves: a child begins as a copy of us.
    status = status_of(subprocess.Popen(
        command, stdout=subprocess.DEVNULL))
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    return status


def writes(command):
    # A socket that keeps the bounds between messages: one write, one recv.
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    child = subprocess.Popen(command, stdout=theirs)
    theirs.close()
    while data := ours.recv(1 << 20):
        print(len(data))
    return status_of(child)


def with_sigpipe(action):
    def run(command):
        return status_of(subprocess.Popen(
            command, restore_signals=False,
            preexec_fn=lambda: signal.signal(signal.SIGPIPE, action)))
    return run


MODES = {
    "tty-in": tty_in,
    "tty-out": tty_out,
    "tty-err": tty_err,
    "nonblock-in": nonblock_in,
    "nonblock-out": nonblock_out,
    "peak": peak,
    "writes": writes,
    "sigpipe": with_sigpipe(signal.SIG_DFL),
    "nosigpipe": with_sigpipe(signal.SIG_IGN),
}

sys.exit(MODES[sys.argv[1]](sys.argv[2:]))
