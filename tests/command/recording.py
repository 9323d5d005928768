# SPDX-License-Identifier: Apache-2.0
"""Helpers for the tests of this folder: cuda-cc with recorders as compilers.

A Place is a folder with a toolkit (`cuda-13.0`) and compilers (`bin`) made of recorders, and an environment that
contains nothing else. Each call returns its result and the programs that it started.
"""

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, os.environ["CUDACC_TEST_SUPPORT"])
import recorder

PROGRAM = os.environ["CUDACC_TEST_PROGRAM"]


@dataclass
class RecordedProcess:
    """One program that was started, as the recorder recorded it."""
    argv: list
    environment: dict
    descriptors: list
    program: str
    cwd: str
    pid: int
    ppid: int

    @property
    def name(self):
        return os.path.basename(self.program)

    def is_question_of(self, pid):
        words = self.arguments
        return self.ppid == pid and (words[-1:] == ["/dev/null"] or any(
            word.startswith("-print-") for word in words))

    @property
    def arguments(self):
        return self.argv[1:]


@dataclass
class Completed:
    status: int
    out: str
    err: str
    pid: int
    started: list
    """Questions put to a host compiler, once per compiler and data folder: not the call itself."""
    asked: list

    @property
    def only(self):
        """The one program that was started."""
        assert len(self.started) == 1, f"{len(self.started)} programs were started: {self}"
        return self.started[0]

    @property
    def last(self):
        assert self.started, f"nothing was started: {self}"
        return self.started[-1]


class Place:
    def __init__(self, version="13.0"):
        self.root = Path(tempfile.mkdtemp()).resolve()
        atexit.register(shutil.rmtree, self.root, ignore_errors=True)
        self.work = self.root / "work"
        self.bin = self.root / "bin"
        self.work.mkdir()
        self.toolkit = self.root / f"cuda-{version}"
        self.nvcc = recorder.toolkit(self.toolkit, version)
        compiler = recorder.compiler(self.bin / "g++")
        for name in ("gcc", "cc", "c++", "clang", "clang++", "g++-12", "mpicxx", "ccache",
                     "x86_64-linux-gnu-g++"):
            shutil.copy(compiler, self.bin / name)
        self.path = [self.toolkit / "bin", self.bin, "/usr/bin", "/bin"]
        self.records = self.root / "records"

    def environment(self, **more):
        base = {"PATH": ":".join(map(str, self.path)), "RECORD": str(self.records), "LC_ALL": "C"}
        for name in ("HOME", "TMPDIR", "XDG_DATA_HOME"):
            base[name] = os.environ[name]
        base.update({name: str(value) for name, value in more.items() if value is not None})
        return {name: value for name, value in base.items() if more.get(name, "") is not None}

    def write(self, name, text=""):
        path = self.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    def masquerade(self, name):
        """cuda-cc under a compiler's name, in its own directory; returns the directory."""
        folder = self.root / "masquerade"
        folder.mkdir(exist_ok=True)
        shutil.copy(PROGRAM, folder / name)
        return folder

    def call(self, *words, program=PROGRAM, stdin=b"", cwd=None, **environment):
        """Runs `cuda-cc WORDS` (program=None: the first word is the program)."""
        self.records.unlink(missing_ok=True)
        argv = [program, *words] if program else list(words)
        process = subprocess.Popen([str(word) for word in argv], cwd=cwd or self.work,
                                   env=self.environment(**environment), stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            out, err = process.communicate(stdin, timeout=300)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
        records = self.started()
        return Completed(process.returncode, out.decode(errors="replace"),
                     err.decode(errors="replace"), process.pid,
                     [record for record in records if not record.is_question_of(process.pid)],
                     [record for record in records if record.is_question_of(process.pid)])

    def started(self):
        if not self.records.exists():
            return []
        found = []
        for line in self.records.read_text().splitlines():
            values = json.loads(line)
            for key in ("argv", "environment"):
                values[key] = [os.fsdecode(os.fsencode(word)) for word in values[key]]
            values["environment"] = dict(entry.split("=", 1) for entry in values["environment"])
            found.append(RecordedProcess(**values))
        return found


def equal(got, expected, what=""):
    assert got == expected, f"{what}\n  got      {got!r}\n  expected {expected!r}"


def untouched(ended, words, what=""):
    """One program was started, with exactly these arguments, and cuda-cc printed nothing."""
    equal(ended.only.arguments, [str(word) for word in words], f"arguments {what}")
    equal((ended.status, ended.out, ended.err), (0, "", ""), f"outcome {what}")
    return ended.only


def launched(place, compiler, *words, **environment):
    return untouched(place.call(compiler, *words, **environment), words, compiler)


def fronted(place, *words, **environment):
    return untouched(place.call(*words, **environment), words, "of nvcc")
