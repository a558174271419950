# SPDX-License-Identifier: MIT
"""One run with a fault in it, and whether it came through."""
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field

PATIENCE = 20  # seconds; it only ends what is stuck


@dataclass
class Outcome:
    status: int  # below 0: a signal; None: it did not end
    out: bytes
    err: bytes
    files: dict  # those it wrote
    log: dict = field(default_factory=dict)  # of a shim
    stray: list = field(default_factory=list)


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


class Bench:
    """A folder of one's own in which to run things, with the files there."""

    def __init__(self, files):
        self.folder = tempfile.mkdtemp(prefix="tokpick-torture-")
        self.home = os.path.join(self.folder, "home")
        self.log = os.path.join(self.folder, "log")
        os.mkdir(self.home)
        for name in os.listdir(files):
            os.symlink(os.path.join(files, name), f"{self.home}/{name}")
        self.names = set(os.listdir(self.home))

    def close(self):
        shutil.rmtree(self.folder)

    def tidy(self, names):
        for name in names:
            try:
                os.unlink(os.path.join(self.home, name))
            except FileNotFoundError:
                pass

    def run(self, tokpick, run, **environment):
        """Run it; the environment is for shims."""
        self.tidy(run.files)
        if os.path.exists(self.log):
            os.unlink(self.log)
        env = {"PATH": os.environ["PATH"], "FAULT_LOG": self.log,
               "ASAN_OPTIONS": "exitcode=99", "MALLOC_PERTURB_": "165",
               **environment}
        feed = read(os.path.join(self.home, run.stdin))
        process = subprocess.Popen(
            [*tokpick, *run.words], cwd=self.home, env=env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        try:
            out, err = process.communicate(feed, PATIENCE)
            status = process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            status = None
        return self.outcome(run, status, out, err)

    def outcome(self, run, status, out, err):
        log = (read(self.log) or b"").decode().split("\n")
        files = {name: read(os.path.join(self.home, name))
                 for name in run.files}
        stray = sorted(set(os.listdir(self.home)) - self.names -
                       set(run.files))
        self.tidy(stray)
        return Outcome(status, out, err, files,
                       dict((line + " ").split(" ", 1) for line in log), stray)


def whole_parts(run, right, out):
    """Is it so many whole lines, or ids, of the right output?"""
    if not right.startswith(out):
        return False
    if run.size:
        return len(out) % run.size == 0
    return out in (b"", right) or out.endswith(run.unit)


def state_fits(run, outcome):
    """A state is behind as many rows as there are ids, or was not saved."""
    for name, state in outcome.files.items():
        if name != "state" or state is None:
            continue
        rows = re.search(rb"^rows (\d+)$", state, re.M)
        if int(rows[1]) != outcome.out.count(b"\n") + run.begun:
            return False
    return True


def judge(run, right, got, unseen=False, muted=False):
    """What is wrong with it, or None.

    unseen: the fault may have looked like an end of a file before its end;
    muted: standard error may not have taken the message.
    """
    if got.status is None:
        return "it hangs"
    if got.status not in ((0, 1, 2) if unseen else (0, 1)):
        return f"status {got.status}"
    if got.stray:
        return f"it leaves {got.stray}"
    if got.status == 0 and not unseen:
        if (right.status, right.out, right.files) != \
                (0, got.out, got.files):
            return "something is wrong or missing, and no error"
    if got.status != 0 and b"tokpick: " not in got.err and not muted:
        return "no message"
    if run.partial and not unseen and \
            not whole_parts(run, right.out, got.out):
        return "the output is no prefix of the right one"
    if int(got.log.get("live", 0)) > run.left:
        return f"{got.log['live']} blocks never freed"
    if not state_fits(run, got):
        return "the state is not the one behind the output"
    return None
