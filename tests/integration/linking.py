# SPDX-License-Identifier: Apache-2.0
"""Jobs for the helper program of device linking, and its replies: plugins/devlink/Job.cpp in Python."""
import os
import struct
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

HELPER = Path(os.environ["CUDACC_TEST_BUILD"]) / "libexec/cuda-cc/devlink"
NVJITLINK, DRIVER = range(2)
CUBIN, PTX, LTOIR, FATBIN, OBJECT, LIBRARY = range(1, 7)
EMIT_CUBIN, EMIT_PTX, EMIT_LTOIR = range(3)
OPENINGS = ["ok", "not opened", "too old", "no version", "conflict", "no entry points", "no context"]


def number(value):
    return struct.pack("<Q", value)


def text(value):
    value = os.fsencode(value) if isinstance(value, (str, os.PathLike)) else value
    return number(len(value)) + value


def listed(values):
    return number(len(values)) + b"".join(values)


def version(value):
    return number(value[0]) + number(value[1])


def job(backend, library, inputs=(), links=(), expected=None, entry_points=(0, 0), packer=""):
    """inputs: (kind, name, bytes); links: (options, emit, indices)."""
    return b"".join([
        b"cuda-cc devlink job 2\n", bytes([backend]), text(library),
        b"\1" + version(expected) if expected else b"\0", version(entry_points),
        listed([bytes([kind]) + text(name) + text(content) + b"\0" for kind, name, content in inputs]),
        listed([listed(list(map(text, options))) + bytes([emit]) + listed(list(map(number, indices)))
                for options, emit, indices in links]),
        text(packer)])


@dataclass
class Result:
    ok: bool
    output: bytes
    info: str
    errors: str
    failure: str
    refused: int | None
    microseconds: int


@dataclass
class Reply:
    opening: str
    failure: str
    version: tuple
    as_expected: bool
    results: list = field(default_factory=list)
    fatbin: bytes = b""
    fatbin_failure: str = ""
    microseconds: int = 0


class Reader:
    def __init__(self, content):
        self.rest = content

    def take(self, size):
        assert size <= len(self.rest), f"{size} bytes of {len(self.rest)}"
        value, self.rest = self.rest[:size], self.rest[size:]
        return value

    def byte(self):
        return self.take(1)[0]

    def number(self):
        return struct.unpack("<Q", self.take(8))[0]

    def bytes(self):
        return self.take(self.number())

    def text(self):
        return self.bytes().decode()

    def result(self):
        return Result(bool(self.byte()), self.bytes(), self.text(), self.text(), self.text(),
                      self.number() if self.byte() else None, self.number())


def reply(content):
    reader = Reader(content)
    magic = b"cuda-cc devlink reply 1\n"
    assert reader.take(len(magic)) == magic, content[:40]
    value = Reply(OPENINGS[reader.byte()], reader.text(), (reader.number(), reader.number()), bool(reader.byte()),
                  [reader.result() for _ in range(reader.number())], reader.bytes(), reader.text(), reader.number())
    assert not reader.rest, "bytes behind the reply"
    return value


@dataclass
class Done:
    status: int
    reply: Reply | None
    printed: str


def run(*arguments, helper=HELPER, environment=None, **more):
    """What the helper answers to a job, and what was printed meanwhile."""
    done = subprocess.run([helper], input=job(*arguments, **more), capture_output=True, env=environment, timeout=300)
    return Done(done.returncode, reply(done.stdout) if done.returncode == 0 and done.stdout else None,
                done.stderr.decode(errors="replace"))
