# SPDX-License-Identifier: Apache-2.0
"""Helpers for the tests of this folder: cuda-cc with real compilers and toolkits.

The scripts run inside hide-cuda, so that a call finds only the toolkit it is given. A Sandbox is a working directory
with its own data folder and TMPDIR, which are searched for files that a call has left.
"""

import atexit
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, os.environ["CUDACC_TEST_SUPPORT"])
import toolkits
import wheels

PROGRAM = os.environ["CUDACC_TEST_PROGRAM"]
ALL = bool(os.environ.get("CUDACC_TEST_ALL"))
SYSTEM = "/usr/local/bin:/usr/bin:/bin"

KERNEL = """#include <cuda_runtime.h>
__global__ void twice(float *x) { x[threadIdx.x] *= 2; }
extern "C" int run(float *x) { twice<<<1, 32>>>(x); return cudaGetLastError(); }
"""
MAIN = "int main() { return 0; }\n"
# The words of every command that was run, and whether the test was skipped: documented.py compares them with pages.
ran = []
skipped = []


@dataclass
class Completed:
    argv: list
    status: int
    out: str
    err: str

    def __str__(self):
        return f"{self.argv}\nstatus {self.status}\n{self.out}{self.err}"

    @property
    def codes(self):
        """Codes of the errors, in order, without those of warnings and notes."""
        return re.findall(r"^cuda-cc: error: .*\[(CC\d+)\]$", self.err, re.M)


def some(cases, count):
    """All cases in `./dev test --all`, else so many of them, spread evenly."""
    cases = list(cases)
    if ALL or len(cases) <= count:
        return cases
    return [cases[at * len(cases) // count] for at in range(count)]


def skip(reason):
    print(f"SKIPPED: {reason}")
    skipped.append(reason)
    sys.exit(77)


def toolkit(ctk):
    """Folder of a toolkit; the test is skipped if Debian no longer has the package."""
    try:
        return Path(toolkits.mixed() if ctk == "mixed" else toolkits.get(ctk))
    except toolkits.Skipped as reason:
        return skip(reason)


def wheel(requirement):
    return Path(wheels.get(requirement))


def environment_of(*requirements):
    return Path(wheels.env("-", list(requirements)))


class Sandbox:
    def __init__(self, ctk=None, name="work"):
        self.root = Path(tempfile.mkdtemp(prefix="sandbox-")).resolve()
        atexit.register(shutil.rmtree, self.root, ignore_errors=True)
        self.work = self.root / name
        self.home = self.root / "home"
        self.tmp = self.root / "tmp"
        for folder in (self.work, self.home, self.tmp):
            folder.mkdir()
        self.path = SYSTEM
        if ctk:
            self.use(ctk)

    def use(self, ctk):
        """Puts a toolkit, given by its minor or folder, first on PATH."""
        self.toolkit = ctk if isinstance(ctk, Path) else toolkit(ctk)
        self.path = f"{self.toolkit}/bin:{SYSTEM}"
        return self

    @property
    def store(self):
        return self.home / ".local/share/cuda-cc"

    def environment(self, **more):
        base = {"PATH": self.path, "HOME": self.home, "TMPDIR": self.tmp, "LC_ALL": "C",
                **wheels.QUIET_PIP}
        base.update(more)
        return {name: str(value) for name, value in base.items() if value is not None}

    def write(self, name, text=""):
        path = self.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run(self, *argv, cwd=None, input=None, **environment):
        argv = [str(word) for word in argv]
        ran.extend(argv)
        done = subprocess.run(argv, cwd=cwd or self.work, env=self.environment(**environment),
                              input=input, stdin=None if input else subprocess.DEVNULL,
                              capture_output=True, timeout=600,
                              encoding="utf-8", errors="replace")
        return Completed(argv, done.returncode, done.stdout, done.stderr)

    def cc(self, *words, **environment):
        return self.run(PROGRAM, *words, **environment)

    def good(self, *words, **environment):
        """A call of cuda-cc that is accepted and prints nothing."""
        ended = self.cc(*words, **environment)
        assert ended.status == 0, ended
        assert "cuda-cc:" not in ended.err, ended
        self.agrees(words, environment)
        return ended

    def agrees(self, words, environment, status=0):
        """`check` gives a linked file the same verdict as the link."""
        words = [str(word) for word in words]
        output = self.work / (words[words.index("-o") + 1] if "-o" in words[:-1] else "a.out")
        own = [word for word in words if word.startswith("--cudacc-") and "enforce" not in word]
        elf = output.read_bytes()[:18] if output.is_file() else b""
        if elf[:4] != b"\x7fELF" or elf[16:] not in (b"\2\0", b"\3\0"):
            return
        ended = self.cc("check", "--format=json", output, *own, **environment)
        if ended.status != 2 or "no runtime is declared" not in ended.err:
            assert ended.status == status, f"the link says {status}, check\n{ended}"

    def agrees_to_refuse(self, words, status, environment):
        """If a link was rejected because of its output, the output of the same link in warn mode is rejected by
        `check`."""
        words = [str(word) for word in words]
        at = words.index("-o") + 1 if "-o" in words[:-1] else 0
        if not at:
            return
        words[at] = "made-with-a-warning"
        made = self.cc("--cudacc-enforce=warn", *(word for word in words if "enforce=" not in word),
                       **environment)
        assert made.status == 0 and "cuda-cc: warning:" in made.err, made
        self.agrees(words, environment, status)
        (self.work / words[at]).unlink()

    def refused(self, *words, code, status=3, output=None, **environment):
        """A call whose first error has this code and that leaves no file: an older output is unchanged, or removed
        if the linker had replaced it."""
        before = self.files()
        path = self.work / output if output else None
        content = path.read_bytes() if path and path.is_file() else None
        ended = self.cc(*words, **environment)
        assert ended.status == status, ended
        assert ended.codes and ended.codes[0] == code, f"expected {code}: {ended}"
        assert not ended.out, ended
        assert all(len(line) <= 77 for line in ended.err.splitlines()
                   if line.startswith("cuda-cc: error:")), ended
        if path and os.path.lexists(path):
            assert path.read_bytes() == content, f"{output} was changed or left: {ended}"
        self.clean(before, ended)
        # Rules about the inputs of a link, records of objects and machines do not apply to the linked file.
        if code in ("CC4001", "CC4002", "CC4003", "CC4004", "CC4022", "CC4024"):
            self.agrees_to_refuse(words, status, environment)
        return ended

    def files(self):
        """The files in the working directory, by relative name."""
        return {str(path.relative_to(self.work)) for path in self.work.rglob("*")}

    def clean(self, before=None, what=""):
        """No temporary file is left anywhere, and no new file in the working directory. Without a HOME the store
        is in TMPDIR (F21) and stays."""
        store = self.tmp / f"cuda-cc-{os.getuid()}"
        left = [path for path in self.tmp.rglob("*")
                if not path.is_dir() and store not in path.parents]
        left += [path for path in self.root.rglob("*") if path.name.endswith(".tmp")
                 and path.parent != self.root]
        assert not left, f"left behind: {left}\n{what}"
        if before is not None:
            assert self.files() <= before, f"left behind: {self.files() - before}\n{what}"

    @contextlib.contextmanager
    def file(self, name, text):
        """A file that exists inside the with block."""
        path = self.write(name, text)
        try:
            yield path
        finally:
            path.unlink(missing_ok=True)


def equal(got, expected, what=""):
    assert got == expected, f"{what}\n  got      {got!r}\n  expected {expected!r}"


def ours(elements):
    """The search path elements that lead to the runtime's libraries."""
    return [element for element in elements if "/nvidia/" in element]


def tools(*names):
    """Those of these programs that are installed."""
    return [name for name in names if shutil.which(name, path=SYSTEM)]


def killed(status):
    return -signal.SIGKILL == status or status == 128 + signal.SIGKILL
