# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""backend = "ninja", with Debian's Ninja and the newest of PyPI: a call that a signal ends, as by Ctrl-C in a terminal,
leaves no output and no process, and the next call builds what nvcc does."""
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

from ninja_builds import Builds, comparable
from sandbox import PROGRAM, equal, wheel

builds = Builds()
NEWEST = wheel("ninja==1.13.2") / "ninja-1.13.2.data/scripts"
ARCHS = ["-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=[sm_90,compute_90]"]
builds.write("part.h", "#define PART 3\n")
source = builds.write("k.cu", """#include "part.h"
#include <map>
#include <string>
__global__ void kernel(int *x) { *x = PART; }
int host() { kernel<<<1, 1>>>(nullptr); return std::map<std::string, int>{{"a", PART}}.size(); }
""")
WORDS = ("-c", "k.cu", "-o", "k.o", *ARCHS)
output = builds.work / "k.o"
equal(builds.run("nvcc", *WORDS).status, 0)
expected = comparable(output)
output.unlink()


def processes():
    """Those that this test started and that still run."""
    mark = f"CUDACC_INTERRUPTED_TEST={os.getpid()}".encode()
    found = []
    for environ in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark in environ.read_bytes():
                found.append((environ.parent / "cmdline").read_bytes())
        except OSError:
            continue
    return found


def begun(program):
    r"""Whether a shell runs the command of a step of \p program."""
    return any(line.startswith(b"sh\0-c\0") and program.encode() in line.split(b" ")[0] for line in processes())


def interrupted(path, number, program, group):
    """Sends \\p number once a step of \\p program has begun: to all processes, as a terminal does, or the first one.
    False: it ended before."""
    call = subprocess.Popen([PROGRAM, *WORDS], cwd=builds.work, start_new_session=True, stderr=subprocess.DEVNULL,
                            env=builds.environment(CUDA_CC_BACKEND="ninja", PATH=path,
                                                   CUDACC_INTERRUPTED_TEST=os.getpid()))
    while call.poll() is None and not begun(program):
        time.sleep(0.002)
    if call.poll() is None:
        (os.killpg if group else os.kill)(call.pid, number)
    if call.wait(60) == 0:
        output.unlink()
        return False
    equal(call.returncode, -number, program)
    end = time.monotonic() + 60
    while processes():
        assert time.monotonic() < end, processes()
        time.sleep(0.01)
    assert not output.exists(), program
    return True


for path in (builds.path, f"{NEWEST}:{builds.path}"):
    shutil.rmtree(builds.store, ignore_errors=True)
    for program, number, group in (("gcc", signal.SIGINT, True), ("cudafe++", signal.SIGTERM, False),
                                   ("cicc", signal.SIGINT, True), ("ptxas", signal.SIGTERM, True)):
        signal.signal(number, signal.SIG_DFL)
        # Of two generations of a header, none is taken for the other.
        tries = (builds.write("part.h", f"#define PART {number + attempt}\n") for attempt in range(10, 30))
        assert any(interrupted(path, number, program, group) for _ in tries), f"it always ends before {program}"
    builds.write("part.h", "#define PART 3\n")
    time.sleep(0.05)
    done = builds.ninja(*WORDS, PATH=path)
    equal((done.status, done.err), (0, ""), done)
    equal(comparable(output), expected)
    output.unlink()
    equal(builds.ninja(*WORDS, PATH=path).status, 0)
    equal(builds.ran(), [], builds.logged())
    output.unlink()
    builds.same("-c", "k.cu", "-MD", *ARCHS, PATH=path)
