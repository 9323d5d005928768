# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""200 compiles and links at a time on one store, a part of which is killed at any moment, with its compiler or alone:
every call that ends by itself is right, an output of a killed one passes for good only if it is, and the store serves
the calls that follow (F2, F21). CUDACC_TEST_SEED repeats the choices."""
import concurrent.futures
import os
import random
import signal
import subprocess
import time

from binaries import CUDART, Binaries, equal
from recording import PROGRAM, Place

SEED = int(os.environ.get("CUDACC_TEST_SEED") or random.randrange(1 << 32))
CALLS = 200
print(f"CUDACC_TEST_SEED={SEED}")
rng = random.Random(SEED)
place, made = Place("12.4"), Binaries()
home, tmp = place.root / "home", place.root / "tmp"
for folder in (home, tmp):
    folder.mkdir()
made.object("x.o", ["cudaMalloc"])
# The name says the version.
library = made.library("lib/libcudart.so.12.4.127", CUDART, ["cudaMalloc"])
source = place.write("k.cu", "kernel\n")
# What stands for nvcc copies its source and the record that it is given.
nvcc = place.root / "nvcc.c"
nvcc.write_text(r"""
#include <stdio.h>
#include <string.h>
const char version[] = "Cuda compilation tools, release 12.4, V12.4.88";
int main(int argc, char **argv) {
  const char *output = NULL, *inputs[8];
  int count = 0;
  for (int i = 1; i < argc; ++i)
    if (!strcmp(argv[i], "-o")) output = argv[++i];
    else if (!strcmp(argv[i], "-include")) inputs[count++] = argv[++i];
    else if (argv[i][0] != '-') inputs[count++] = argv[i];
  FILE *out = fopen(output, "w");
  for (int i = 0; out && i < count; ++i) {
    FILE *in = fopen(inputs[i], "r");
    if (!in) { perror(inputs[i]); return 1; }
    for (int c; (c = getc(in)) != EOF;) putc(c, out);
    fclose(in);
  }
  return !out || fclose(out);
}
""")
(place.toolkit / "bin/nvcc").unlink()
subprocess.run(["gcc", "-O1", nvcc, "-o", place.toolkit / "bin/nvcc"], check=True)
environment = {"PATH": f"{place.toolkit}/bin:/usr/bin:/bin", "LC_ALL": "C", "HOME": str(home), "TMPDIR": str(tmp),
               "CUDA_CC_RUNTIME": "cuda==12.4"}


def kind(name):
    return os.path.splitext(name)[1]


def words(output):
    if output.endswith(".o"):
        return [PROGRAM, "-c", "k.cu", "-o", output]
    return [PROGRAM, "gcc", "-nostdlib", "-shared", str(made.work / "x.o"), str(library), "-o", output]


def call(output, delay=None, group=False):
    """How it ended; it is killed after the delay."""
    process = subprocess.Popen(words(output), cwd=place.work, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    if delay is not None:
        time.sleep(delay)
        (os.killpg if group else os.kill)(process.pid, signal.SIGKILL)
    text = process.communicate(timeout=120)[0]
    return process.returncode, text.decode()


# Alone, on a store of their own: what is right.
began, right = time.monotonic(), {}
for name in ("alone.o", "alone.so"):
    equal(call(name), (0, ""), name)
    right[kind(name)] = (place.work / name).read_bytes()
took = (time.monotonic() - began) / 2
assert b"an older output" not in right[".o"] and len(right[".o"]) > len("kernel\n"), right[".o"]
subprocess.run(["rm", "-rf", home, tmp], check=True)
for folder in (home, tmp):
    folder.mkdir()

# Many links share an output, so that killed ones hold its lock.
outputs = [f"shared{n % 4}.so" if n % 5 == 0 else f"o{n}.{'so' if n % 2 else 'o'}" for n in range(CALLS)]
for name in outputs:
    (place.work / name).write_text("an older output\n")
plans = [(name, rng.uniform(0, 6 * took) if rng.random() < 0.4 else None, rng.random() < 0.5) for name in outputs]
with concurrent.futures.ThreadPoolExecutor(CALLS) as pool:
    ends = list(pool.map(lambda plan: call(*plan), plans))
kills = 0
for (name, delay, _), (status, text) in zip(plans, ends):
    if delay is not None and status == -signal.SIGKILL:
        kills += 1
        path = place.work / name
        content = path.read_bytes() if path.exists() else b""
        if content not in (b"", b"an older output\n", right[kind(name)]) and kind(name) == ".so":
            shown = subprocess.run([PROGRAM, "check", name], cwd=place.work, env=environment, capture_output=True,
                                   text=True)
            assert shown.returncode in (3, 4), f"{name} passes for good: {shown}"
    else:
        equal((status, text), (0, ""), name)
        if not name.startswith("shared"):
            equal((place.work / name).read_bytes() == right[kind(name)], True, name)
assert kills > CALLS / 20, f"{kills} were killed"

# The store serves all that follow, at once and alone, and no lock is left that is held by nobody.
with concurrent.futures.ThreadPoolExecutor(CALLS) as pool:
    equal(set(pool.map(call, dict.fromkeys(outputs))), {(0, "")}, "after the kills")
for name in dict.fromkeys(outputs):
    assert (place.work / name).read_bytes() == right[kind(name)], name
equal(list((home / ".local/share/cuda-cc/1/locks").iterdir()), [], "locks")
print(f"{CALLS} calls at a time, {kills} of them were killed")
