# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Exit statuses of compiles, links and commands by class, with the codes on stderr and the started programs
(golden/status.txt)."""
import signal

from golden import Golden, codes
from recording import Place

place = Place("12.5")
place.write("k.cu")
place.write("x.c")
place.write("broken/cuda-cc.toml", "runtime = [\n")
place.write("unknown/cuda.h", "#define CUDA_VERSION (x)\n")
place.write("text.so", "no ELF file\n")
fits, newer, major = ({"CUDA_CC_RUNTIME": f"cuda=={line}"} for line in ("12.5", "12.4", "11.8"))
COMPILES = (["-c", "k.cu"], ["g++", "-c", "x.c"])
LINKS = (["k.o", "-o", "x"], ["g++", "k.o", "-o", "x"])
golden = Golden("status", "golden-status.py: call, variables, exit status, codes on stderr, programs started.")
rows = []


def call(*words, **environment):
    ended = place.call(*words, **environment)
    started = " ".join(each.name for each in ended.started) or "-"
    shown = " ".join(f"{name}={value}" for name, value in environment.items() if name != "cwd")
    status = f"signal {-ended.status}" if ended.status < 0 else f"exit {ended.status}"
    line = " ".join(map(str, words)).replace(str(place.root), "ROOT")
    rows.append([line, shown, status, codes(ended.err), started])


def section(title):
    if rows:
        golden.table(rows)
        rows.clear()
    golden.section(title)


section("the compiler's own")
for words in (*COMPILES, *LINKS):
    for environment in ({}, fits):
        call(*words, **environment)
        call(*words, RECORD_STATUS=7, **environment)
        call(*words, RECORD_SIGNAL=int(signal.SIGTERM), **environment)
section("usage")
for words in (*COMPILES, *LINKS):
    call(*words, "--cudacc-runtim=x")
    call(*words, CUDA_CC_RUNTIME="nonsense")
    call(*words, CUDA_CC_ENFORCE="nonsense")
    call(*words, CUDA_CC_REQUIRE_RUNTIME=1)
call("-c", "k.cu", "--cudacc-print=nonsense")
call("-c", "k.cu", CUDA_CC_PRINT="nonsense")
for words in (["check"], ["check", "x.so", "--frob"], ["inspect"], ["target"], ["target", "--runtime", "nonsense"],
              ["explain"], ["doctor", "--env"], ["config"], ["toolchain"], ["audit"], ["trace"], ["trust"],
              ["init", "x"], ["help", "x"], ["version", "x"], ["link"], ["matrix"], ["completion", "bash"]):
    call(*words)
section("rejected")
call("-c", "k.cu", **newer)
call("-c", "k.cu", **major)
call("-c", "k.cu", CUDA_CC_ENFORCE="symbols", **newer)
call("-c", "k.cu", CUDA_CC_ENFORCE="symbols", **major)
call("-c", "k.cu", CUDA_CC_ENFORCE="warn", **newer)
call("-c", "k.cu", CUDA_CC_ENFORCE="off", **newer)
call("-c", "k.cu", CUDA_CC_DISABLE=1, **newer)
call("-c", "k.cu", CUDA_CC_DISABLE=1, CUDA_CC_REQUIRE_RUNTIME=1, **newer)
call("k.o", "-o", "x", **newer)
call("--version", **newer)
call("-E", "k.cu", **newer)
call("g++", "-c", "x.c", "-I", place.toolkit / "include", **newer)
call("toolchain", "td", **newer)
section("a fact could not be determined")
for words in (*COMPILES, *LINKS):
    call(*words, CUDA_CC_RUNTIME="torch==9.9.9")
    call(*words, CUDA_CC_RUNTIME="env:gone")
call("g++", "-c", "x.c", "-Iunknown", **fits)
call("g++", "-c", "x.c", "-Iunknown", CUDA_CC_STRICT=1, **fits)
call("-c", "k.cu", "--cudacc-toolkit=/nowhere", **fits)
call("-c", "k.cu", "--cudacc-facts=none.json", **fits)
call("-c", "k.cu", cwd=place.work / "broken")
call("/nowhere/g++", "-c", "x.c")
for words in (["check", "text.so"], ["check", "none.so"], ["inspect", "none.so"], ["explain", "nothing known"],
              ["audit", "."], ["doctor", "no.module"], ["toolchain", "--check", "none"]):
    call(*words, **fits)
section("without a toolkit")
place.path = [place.bin]
call("-c", "k.cu")
call("-c", "k.cu", **fits)
call("g++", "-c", "x.c", **fits)
call("config", "--libs", "cudart", **fits)
golden.table(rows)
golden.finish()
