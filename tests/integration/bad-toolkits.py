# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Damaged toolkits and headers: one clear error, exit status 4 or 3, no output, no hang (EV-7, V-EV-19,
CC2001, CC2003)."""
import os
import time

import note
from sandbox import KERNEL, Sandbox, equal, toolkit

sandbox = Sandbox()
sandbox.write("k.cu", KERNEL)
compile = ("-arch=sm_80", "-c", "k.cu", "-o", "k.o")
sandbox.refused("--cudacc-runtime=cuda==13.0", *compile, code="CC2003", status=4, output="k.o")

# A directory, an empty file, a dangling link where nvcc should be.
for kind in ("directory", "dangling"):
    folder = sandbox.root / kind / "bin"
    folder.mkdir(parents=True)
    (folder / "nvcc").mkdir() if kind == "directory" else (folder / "nvcc").symlink_to("/none")
    sandbox.path = f"{folder}:/usr/bin:/bin"
    sandbox.refused("--cudacc-runtime=cuda==13.0", *compile, code="CC2003", status=4, output="k.o")
(sandbox.root / "empty").mkdir()
(sandbox.root / "empty/nvcc").touch(0o755)
sandbox.path = f"{sandbox.root}/empty:/usr/bin:/bin"
ended = sandbox.cc("--cudacc-runtime=cuda==13.0", *compile)
equal((ended.status, len(ended.codes)), (4, 1), ended)

# Two toolkits: the first on PATH is used, and the other one is offered as a fix.
older, newer = toolkit("13.0"), toolkit("13.1")
sandbox.path = f"{newer}/bin:{older}/bin:/usr/bin:/bin"
ended = sandbox.refused("--cudacc-runtime=cuda==13.0", *compile, code="CC3001", output="k.o")
assert f"{newer}/bin/nvcc" in ended.err, ended
assert str(older) in ended.err, f"the toolkit that would do is not named: {ended}"
sandbox.path = f"{older}/bin:{newer}/bin:/usr/bin:/bin"
sandbox.good("--cudacc-runtime=cuda==13.0", *compile)
equal(note.parse(note.manifest(sandbox.work / "k.o").objects[0])["toolkit"], "13.0.88", "the first")
(sandbox.work / "k.o").unlink()

# Headers that a host compile includes.
sandbox.write("x.cpp", "int x;\n")
include = sandbox.work / "include"
include.mkdir()
host = ("--cudacc-runtime=cuda==13.0", "g++", "-Iinclude", "-c", "x.cpp", "-o", "x.o")

def hostile(what):
    start = time.monotonic()
    ended = sandbox.refused(*host, code="CC2001", status=4, output="x.o")
    equal(len(ended.codes), 1, f"{what}: one error: {ended}")
    assert "include/cuda.h" in ended.err, (what, ended)
    assert time.monotonic() - start < 5, f"{what} took long"

def harmless(what):
    start = time.monotonic()
    sandbox.good(*host)
    assert time.monotonic() - start < 5, f"{what} took long"
    (sandbox.work / "x.o").unlink()

# These define a CUDA version; the others may be a project's own headers, unless they are in a CUDA directory.
says = {
    "cut": b"#define CUDA_VERSION", "cut 2": b"#define CUDA_VERSION ",
    "implausible": b"#define CUDA_VERSION 12345\n", "old": b"#define CUDA_VERSION 7050\n",
    "huge": b"#define CUDA_VERSION 99999999999999999999999999\n",
    "negative": b"#define CUDA_VERSION -13000\n", "word": b"#define CUDA_VERSION CUDART\n",
    "guard": (older / "include/cuda.h").read_bytes()[:4000],
    "long line": b"#" * (32 << 20),
}
silent = {
    "empty": b"", "zeros": b"\0" * 4096, "garbage": os.urandom(65536),
    "many lines": b"\n" * (15 << 20), "comment": b"/*" + b" *" * (1 << 20),
    "licence": (older / "include/cuda.h").read_bytes()[:2000],
    "again": b"CUDA_VERSION" * (1 << 20),
}
for what, text in (says | silent).items():
    (include / "cuda.h").write_bytes(text)
    hostile(what) if what in says else harmless(what)
    with sandbox.file("include/cuda_device_runtime_api.h", ""):
        hostile(what)
(include / "cuda.h").unlink()
os.mkfifo(include / "cuda.h")
ended = sandbox.cc(*host)
assert ended.status in (0, 4), f"a FIFO as header: {ended}"
(include / "cuda.h").unlink()
(include / "cuda.h").mkdir()
ended = sandbox.cc(*host)
assert ended.status in (0, 4), f"a directory as header is none: {ended}"
sandbox.clean()
