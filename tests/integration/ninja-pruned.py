# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""backend = "ninja": which steps run after a change. Only those whose inputs have other bytes; the output is always
nvcc's."""
import os
import threading
import time

from ninja_builds import Builds, comparable
from sandbox import equal

builds = Builds()
SOURCE = """#include "part.h"
#ifndef __CUDA_ARCH__
int only_host() { return 1; }
#endif
__global__ void kernel(int *x) {
#if __CUDA_ARCH__ >= 900
  *x = PART + 90;
#else
  *x = PART;
#endif
}
int host() { kernel<<<1, 1>>>(nullptr); return 0; }
"""
TWO = ["-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=[sm_90,compute_90]"]
PREPROCESS = ["gcc"] * 3
source, header = builds.write("k.cu", SOURCE), builds.write("part.h", "#define PART 1\n")


def settle():
    """Until a change has another time than what follows it: a step is run again where that is not sure."""
    time.sleep(0.05)


plain = {}


def nvcc_makes(*words, **environment):
    """What nvcc itself makes of the sources as they are."""
    key = (words, source.read_text(), *(path.read_text() for path in sorted(builds.work.rglob("*.h"))))
    if key not in plain:
        equal(builds.run("nvcc", "-c", "k.cu", "-o", "k.o", *words, **environment).status, 0)
        plain[key] = comparable(builds.work / "k.o")
    return plain[key]


def steps(expected, *words, **environment):
    settle()
    output = builds.work / "k.o"
    output.unlink(missing_ok=True)
    done = builds.ninja("-c", "k.cu", "-o", "k.o", *words, **environment)
    equal((done.status, done.err), (0, ""), done)
    equal(builds.ran(), sorted(expected), builds.logged())
    got = comparable(output)
    output.unlink()
    equal(got, nvcc_makes(*words, **environment), words)


def edit(before, after, path=source):
    text = path.read_text()
    assert before in text, text
    path.write_text(text.replace(before, after))


settle()
builds.ninja("-c", "k.cu", "-o", "k.o", *TWO)
equal(builds.ran(), sorted([*PREPROCESS, "cudafe++", "cicc", "cicc", "ptxas", "ptxas", "fatbinary", "gcc"]))
steps([], *TWO)

# A header with the same text that is touched, rewritten, older, or another file under its name.
header.touch()
steps([], *TWO)
header.write_text(header.read_text())
steps([], *TWO)
os.utime(header, (1, 1))
steps([], *TWO)
header.unlink()
header.write_text("#define PART 1\n")
steps([], *TWO)

# Host code alone.
edit("return 1;", "return 2;")
steps([*PREPROCESS, "cudafe++", "gcc"], *TWO)
steps([*PREPROCESS, "gcc"], *TWO, "-Xcompiler", "-fno-plt")
steps([*PREPROCESS, "gcc"], *TWO)

# Code of one architecture.
edit("PART + 90", "PART + 91")
steps([*PREPROCESS, "cicc", "ptxas", "fatbinary", "gcc"], *TWO)
# The same PTX: a comment would vanish in preprocessing.
edit("PART + 91", "(PART) + 91")
steps([*PREPROCESS, "cicc"], *TWO)
# A function of the host is in the device's text, too.
edit("return 0;", "return 3;")
steps([*PREPROCESS, "cudafe++", "cicc", "cicc", "gcc"], *TWO)
edit("PART 1", "PART 2", header)
steps([*PREPROCESS, "cudafe++", "cicc", "cicc", "ptxas", "ptxas", "fatbinary", "gcc"], *TWO)

# One more architecture, and one less.
THREE = [*TWO, "-gencode", "arch=compute_100,code=sm_100"]
steps([*PREPROCESS, "gcc", "cicc", "ptxas", "fatbinary", "gcc"], *THREE)
steps([*PREPROCESS, "fatbinary", "gcc"], *TWO)
steps([], *TWO)

# Options of one program.
steps(["ptxas", "ptxas", "fatbinary", "gcc"], *TWO, "-Xptxas", "-O1")
steps(["ptxas", "ptxas", "fatbinary", "gcc"], *TWO)
steps([], *TWO, "--threads", "4")

# Headers that vanish, are generated, or are found earlier.
builds.write("first/part.h", "#define PART 5\n")
builds.write("k.cu", source.read_text().replace('"part.h"', "<part.h>"))
include = [*TWO, "-I", "first", "-I", "."]
builds.ninja("-c", "k.cu", "-o", "k.o", *include)
steps([], *include)
(builds.work / "first/part.h").unlink()
steps([*PREPROCESS, "cudafe++", "cicc", "cicc", "ptxas", "ptxas", "fatbinary", "gcc"], *include)
(builds.work / "part.h").unlink()
failed = builds.ninja("-c", "k.cu", "-o", "k.o", *include)
equal(failed.status, 1, failed)
assert "part.h: No such file" in failed.err, failed
builds.write("part.h", "#define PART 2\n")
steps(PREPROCESS, *include)

# What expands to the time is preprocessed each time.
builds.write("t.cu", "const char *when() { return __TIME__; }\n")
for _ in range(2):
    settle()
    equal(builds.ninja("-c", "t.cu", "-arch=sm_80").status, 0)
    assert builds.ran().count("gcc") >= 2, builds.logged()
    time.sleep(1.1)
assert "cudafe++" in builds.ran(), builds.logged()

# Warnings come again, though nothing runs; after an error the rest is built once it is mended.
builds.write("w.cu", "#warning seen\n__global__ void k(int *x) { *x = 1; }\n")
said = [builds.ninja("-c", "w.cu", "-arch=sm_80").err for _ in range(2)]
equal(said[0], said[1])
equal(said[0].count("#warning seen"), 4, said)
builds.write("w.cu", "__global__ void k(int *x) { *x = y; }\n")
(builds.work / "w.o").unlink()
equal(builds.ninja("-c", "w.cu", "-arch=sm_80").status, 2)
assert not (builds.work / "w.o").exists()
builds.write("w.cu", "__global__ void k(int *x) { *x = 4; }\n")
settle()
equal(builds.ninja("-c", "w.cu", "-arch=sm_80").status, 0)

# The output has a new time, as make expects.
before = (builds.work / "w.o").stat().st_mtime_ns
settle()
builds.ninja("-c", "w.cu", "-arch=sm_80")
equal(builds.ran(), [])
assert (builds.work / "w.o").stat().st_mtime_ns > before

# Equal calls at one time run their steps once.
builds.write("e.cu", SOURCE)
builds.log.unlink()
calls = [threading.Thread(target=builds.ninja, args=("-c", "e.cu", "-arch=sm_80")) for _ in range(4)]
settle()
for call in calls:
    call.start()
for call in calls:
    call.join()
equal(builds.log.read_text().count('"cicc.'), 1, builds.log.read_text())
builds.clean()

# The folder of an output that no call used for two weeks goes, at most once a day.
def output_folders():
    return {made.name for made in store.iterdir() if (made / "used").is_file()}


store = builds.home / ".local/share/cuda-cc/1/builds"
for name in ("old", "new"):
    builds.ninja("-cubin", "e.cu", "-arch=sm_80", "-o", f"{name}.cubin")
    equal(builds.logged()["did"], "ninja", builds.logged())
    if name == "old":
        old = max(output_folders(), key=lambda each: (store / each / "used").stat().st_mtime_ns)
before = output_folders()
foreign = store / "0123456789abcdef"
foreign.mkdir()
(foreign / "kept").touch()
for seconds, kept in ((13 * 86400, before), (15 * 86400, before - {old})):
    os.utime(store / old / "used", (time.time() - seconds,) * 2)
    builds.ninja("-cubin", "e.cu", "-arch=sm_80", "-o", "new.cubin")
    equal(output_folders(), before)
    (store / "trimmed").write_text(f"{time.time_ns() - 2 * 86400 * 10**9}\n")
    builds.ninja("-cubin", "e.cu", "-arch=sm_80", "-o", "new.cubin")
    equal(output_folders(), kept)
equal((foreign / "kept").exists(), True)
assert not (store / old).exists()

# Without Ninja: a remark, once, and nvcc.
few = builds.root / "few"
few.mkdir()
for program in ("sh", "gcc", "g++", "as", "ld", "cc1plus", "collect2", "ar"):
    if os.path.exists(f"/usr/bin/{program}"):
        (few / program).symlink_to(f"/usr/bin/{program}")
path = f"{builds.toolkit}/bin:{few}"
first, second = (builds.ninja("-c", "e.cu", "-arch=sm_80", PATH=path) for _ in range(2))
equal((first.status, second.status), (0, 0), first)
assert "[CC2032]" in first.err and "fix: install ninja" in first.err, first
equal(second.err, "", second)
equal(builds.logged()["whole"], "no ninja", builds.logged())
