# SPDX-License-Identifier: Apache-2.0
# UNSUPPORTED: sanitizers
# RUN: PYTHONPATH=%S:%support %python -B %s
"""The program runs in a root that has nothing else: no libc, /proc, /dev, /tmp, HOME or PATH."""
import subprocess
import sys

from binaries import CUDART, PROGRAM, Binaries, equal

if subprocess.run(["bwrap", "--ro-bind", "/", "/", "true"], capture_output=True).returncode:
    print("SKIPPED: bubblewrap is not allowed to make a root")
    sys.exit(77)
sandbox = Binaries()
sandbox.extension("good.so", {CUDART: ["cudaMalloc"]})
sandbox.extension("bad.so", {CUDART: ["cudaNoSuchFunction"]})


def alone(*words):
    """Status and output of a call there."""
    files = [word for name in ("good.so", "bad.so") for word in ("--ro-bind", sandbox.work / name, f"/{name}")]
    done = subprocess.run(["bwrap", "--ro-bind", PROGRAM, "/cuda-cc", *files, "--remount-ro", "/", "--clearenv",
                           "--unshare-all", "/cuda-cc", *words], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


status, text = alone("version")
assert status == 0 and text.startswith("cuda-cc "), (status, text)
for name, expected in {"good.so": 0, "bad.so": 3}.items():
    status, text = alone("check", f"/{name}", "--runtime", "cuda==12.4")
    equal(status, expected, text)
status, text = alone("inspect", "/good.so", "--format=json")
assert status == 0 and '"libcudart.so.12"' in text, (status, text)
# A compiler is not there.
status, text = alone("g++", "-c", "/x.cpp")
assert status in (4, 127) and "g++" in text, (status, text)
