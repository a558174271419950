# SPDX-License-Identifier: MIT
"""The suite over a mutated source, as fast as it can be had.

All of src/ but main.c is in a shared library, so that a mutant costs one
object and one link, and no test program but those that include the mutated
header is made again.  There are two builds: a plain one for all tests, and one
under ASan and UBSan for the unit tests, which sees what reads past an end.
"""
import dataclasses
import functools
import glob
import os
import shutil
import signal
import subprocess
from dataclasses import dataclass, field

# The tests of the command line that draw tokens and look at which, or at what
# is said of them; the others are about options, files and descriptors.
DRAWING = """
    bad-rows draws dry grammar inspect jsonl llama llama-trace logit-bias mask
    numbers penalties rng-state samplers seed sequences state strict sweep
    temperature truncation""".split()

# Whose turn it is: first what kills most in least time.
SHORT, VECTORS, SANE, WHOLE, BATS = range(5)
IN_SHORT = {"TOKPICK_TEST_SCALE": "5", "TOKPICK_PAIRS": "1000"}

LANGUAGE = ["-std=c17", "-D_POSIX_C_SOURCE=200809L", "-DTOKPICK_TEST",
            "-ffp-contract=off", "-fPIC"]

# Where a swap of arguments is no C, it is no mutant, whatever the compiler.
STRICT = ["-Werror=incompatible-pointer-types", "-Werror=int-conversion"]

# A mutant that hangs is killed, which is no test of speed: of the processor a
# program has five times what it takes unharmed and ten seconds, and ten times
# that by the clock, since other work may need it too.
PATIENCE, FACTOR, BY_THE_CLOCK = 10, 5, 10


def run(argv, cwd, seconds=None, **env):
    """Is its exit status 0?  None: it hung."""
    patience = PATIENCE + int(FACTOR * (seconds or 100))
    limited = ["bash", "-c", f'ulimit -S -t {patience}; exec "$@"', "-"]
    child = subprocess.Popen(
        limited + argv, cwd=cwd, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True, env={**os.environ, **env})
    try:
        return child.wait(patience * BY_THE_CLOCK) == 0
    except subprocess.TimeoutExpired:
        return None
    finally:
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        child.wait()


@dataclass
class Program:
    """One test program, and how long it takes unharmed."""
    name: str
    build: "Build"
    argv: list
    turn: int            # the lower, the sooner
    source: str = ""     # of a unit test …
    reached: tuple = ()  # … and the sources that are linked to it
    env: dict = field(default_factory=dict)
    seconds: float = 0

    def is_of(self, path):
        stem = os.path.splitext(os.path.basename(path))[0].split("_")[0]
        return stem in self.name.split("/")[-1]

    def is_slow(self):
        return self.turn == BATS or "test_chi_square" in self.name

    def sees(self, sources):
        """May it depend on one of them?"""
        return not self.source or self.source in sources or any(
            s in self.reached for s in sources)


def files_of(rule):
    """What a rule for make names."""
    return {os.path.normpath(word)
            for word in rule.split(":", 1)[1].split() if word != "\\"}


class Build:
    """All objects, the library of them, and what is linked to it."""

    def __init__(self, tree, folder, name, compiler, flags):
        self.tree, self.folder, self.name = tree, folder, name
        self.compile = compiler + LANGUAGE + flags + STRICT
        self.link = compiler + flags
        self.dir = f"build/{name}"
        self.tokpick = f"{self.dir}/tokpick"
        self.sources = sorted(
            glob.glob("src/**/*.c", root_dir=tree, recursive=True))
        self.tests = sorted(
            glob.glob("tests/unit/test_*.c", root_dir=tree))

    def at(self, path):
        return f"{self.tree}/{path}"

    def object_of(self, source):
        return f"{self.dir}/{source[:-2]}.o"

    def cc(self, source):
        """Compile one; its headers are noted beside it."""
        made = self.object_of(source)
        os.makedirs(os.path.dirname(self.at(made)), exist_ok=True)
        return run(self.compile + ["-MMD", "-c", "-o", made, source],
                   self.tree)

    def cc_if_older(self, source):
        made = self.at(self.object_of(source))
        if os.path.exists(made) and all(
                os.path.getmtime(self.at(h)) < os.path.getmtime(made)
                for h in self.headers(source)):
            return True
        return self.cc(source)

    def headers(self, source):
        with open(self.at(self.object_of(source)[:-1] + "d"),
                  encoding="utf-8") as f:
            return files_of(f.read())

    def library(self):
        parts = [self.object_of(s) for s in self.sources
                 if s != "src/main.c"]
        return run(self.link + ["-shared", "-o", f"{self.dir}/libparts.so"] +
                   parts + ["-lzstd", "-lpthread"], self.tree)

    def executable(self, source, made):
        return run(self.link + ["-o", made, self.object_of(source),
                                f"-L{self.dir}", "-lparts",
                                "-Wl,-rpath,$ORIGIN", "-Wl,--as-needed",
                                "-lcmocka", "-lmpfr", "-lgmp", "-lzstd",
                                "-lpthread"], self.tree)

    def unit(self, source):
        return self.executable(
            source, f"{self.dir}/{os.path.basename(source)[:-2]}")

    def all(self, pool):
        """Everything; False if something can't be made.  Of the unit tests,
        those that something in the folder can matter to."""
        if not all(pool.map(self.cc_if_older, self.sources + self.tests)):
            return False
        self.tests = [t for t in self.tests if any(
            s.startswith(self.folder) for s in self.reached_by(t))]
        return (self.library() and
                ("src/main.c" not in self.sources or
                 self.executable("src/main.c", self.tokpick)) and
                all(pool.map(self.unit, self.tests)))

    def units(self, short):
        """The unit tests, or less of each where they are random."""
        found = []
        for source in self.tests:
            name = os.path.basename(source)[:-2]
            found.append(Program(
                f"{self.name}/{name}{' in short' * short}", self,
                [f"{self.dir}/{name}"], SHORT if short else WHOLE, source,
                self.reached_by(source), IN_SHORT if short else {}))
        return found

    def commands(self):
        """The vectors and the tests of the command line."""
        vectors = [Program(
            f"{self.name}/vectors-{policy}", self,
            ["tests/vectors/run", "-p", policy, self.tokpick], VECTORS)
            for policy in ("golem", "strict", "llama.cpp")]
        return vectors + [Program(
            f"{self.name}/{name}.bats", self,
            ["bats", f"tests/cli/{name}.bats"], BATS) for name in DRAWING]

    def reached_by(self, source):
        """The sources that a linker would take from an archive for it."""
        reached, wanted = set(), [source]
        while wanted:
            for symbol in self.symbols(wanted.pop())[1]:
                definer = self.definers().get(symbol)
                if definer is not None and definer not in reached:
                    reached.add(definer)
                    wanted.append(definer)
        return reached

    @functools.cache
    def definers(self):
        return {symbol: source for source in self.sources
                for symbol in self.symbols(source)[0]}

    @functools.cache
    def symbols(self, source):
        """What an object defines and what it uses."""
        listed = subprocess.run(
            ["nm", "-P", self.object_of(source)], cwd=self.tree, check=True,
            stdout=subprocess.PIPE).stdout.decode().splitlines()
        words = [line.split() for line in listed]
        return ([w[0] for w in words if w[1].isupper() and w[1] != "U"],
                [w[0] for w in words if w[1] == "U"])

    def run(self, program, seconds=None):
        return run(program.argv, self.tree, seconds,
                   TOKPICK=self.at(self.tokpick), TOKPICK_TEXTS="50",
                   **program.env)

    @functools.cache
    def dependent_on(self, path):
        """The objects that have to be made anew if this file changes."""
        return [s for s in self.sources + self.tests
                if path in self.headers(s)]


class Worker:
    """A copy of the repository in which one mutant at a time is tried."""

    def __init__(self, tree, builds):
        self.tree = tree
        self.builds = [Build(tree, *b) for b in builds]

    def make(self, pool):
        """The first build is whole, the others have what unit tests need."""
        first, *others = self.builds
        if not first.all(pool):
            return False
        needed = {s for test in first.tests for s in first.reached_by(test)}
        for build in others:
            build.sources, build.tests = sorted(needed), first.tests
        return all(build.all(pool) for build in others)

    def copy_to(self, tree, builds):
        shutil.copytree(self.tree, tree, symlinks=True)
        other = Worker(tree, builds)
        for build, of in zip(other.builds, self.builds):
            build.sources, build.tests = of.sources, of.tests
        return other

    def programs(self, slow):
        """All tests; slow: even those."""
        plain, sane = self.builds
        found = (plain.units(True) + plain.units(False) + plain.commands() +
                 [dataclasses.replace(p, turn=SANE)
                  for p in sane.units(True)])
        return [p for p in found if slow or not p.is_slow()]

    def attempt(self, mutation, programs):
        """What becomes of a mutant: 'no C', 'same', a killer's name, None."""
        path = f"{self.tree}/{mutation.path}"
        changed = [b.dependent_on(mutation.path) for b in self.builds]
        date = os.stat(path).st_mtime_ns
        with open(path, encoding="utf-8") as f:
            text = f.read()
        try:
            with open(path, "w", encoding="utf-8") as f:
                f.write(text[:mutation.start] + mutation.new +
                        text[mutation.end:])
            return self.killer(mutation, programs, changed)
        finally:
            # The text last: while it is changed, all made of it is suspect.
            for build, sources in zip(self.builds, changed):
                self.restore(build, sources)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            os.utime(path, ns=(date, date))

    def killer(self, mutation, programs, changed):
        """The tests of the plain build, those of the sanitized one, and what
        takes long of the first."""
        (plain, sources), (sane, sane_sources) = zip(self.builds, changed)
        return (self.make_mutant(plain, sources) or
                self.first_failing(mutation, plain, sources, programs,
                                   (SHORT, VECTORS)) or
                self.make_mutant(sane, sane_sources, may_be_same=True) or
                self.first_failing(mutation, sane, sane_sources, programs,
                                   (SANE,)) or
                self.first_failing(mutation, plain, sources, programs,
                                   (WHOLE, BATS)))

    def make_mutant(self, build, sources, may_be_same=False):
        """What is in the way of there being one, or None."""
        new = [s for s in sources if s in build.sources]
        keep(build, sources)
        if not all(build.cc(s) for s in sources):
            return "no C"
        if not may_be_same and not any(is_other(build, s) for s in new):
            return "same"
        tests = [s for s in sources if s in build.tests]
        if not build.library() or not all(build.unit(s) for s in tests):
            return "no C"
        return None

    def first_failing(self, mutation, build, sources, programs, turns):
        due = [p for p in programs if p.build.name == build.name and
               p.turn in turns and p.sees(sources)]
        for p in sorted(due, key=lambda p: (
                p.turn, not p.is_of(mutation.path), p.seconds)):
            passed = build.run(p, p.seconds)
            if not passed:
                return p.name + ("" if passed is False else ", hung")
        return None

    def restore(self, build, sources):
        """As it was, by what keep() kept."""
        for good in kept_files(build, sources):
            if os.path.exists(good + ".good"):
                os.replace(good + ".good", good)
        for source in sources:
            if source in build.tests:
                build.unit(source)


def kept_files(build, sources):
    made = [build.at(build.object_of(s))[:-1] for s in sources]
    return [build.at(f"{build.dir}/libparts.so")] + [
        m + end for m in made for end in ("o", "d")]


def keep(build, sources):
    for good in kept_files(build, sources):
        shutil.copy2(good, good + ".good")


def is_other(build, source):
    """Did the mutation change the object at all?"""
    made = build.at(build.object_of(source))
    with open(made, "rb") as new, open(made + ".good", "rb") as good:
        return new.read() != good.read()
