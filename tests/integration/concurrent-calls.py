# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Many concurrent calls while the store does not exist yet: all succeed, and no temporary file is left
(`make -j`)."""
import concurrent.futures

import note
from sandbox import KERNEL, MAIN, Sandbox, equal, ours

sandbox = Sandbox("13.0")
sandbox.write("main.cpp", MAIN)
sandbox.write("k.cu", KERNEL)
runtime = "--cudacc-runtime=cuda==13.0"
cudart = sandbox.toolkit / "lib/libcudart.so.13"

def link(number):
    return sandbox.cc(runtime, "g++", "-Wl,--no-as-needed", "main.cpp", cudart, "-o", f"m{number}")

def build(number):
    return sandbox.cc(runtime, "-arch=sm_80", "-shared", "-Xcompiler", "-fPIC", "k.cu", "-o",
                      f"k{number}")

with concurrent.futures.ThreadPoolExecutor(16) as pool:
    calls = [pool.submit(link, n) for n in range(24)] + [pool.submit(build, n) for n in range(4)]
    for call in calls:
        ended = call.result()
        equal((ended.status, ended.err), (0, ""), ended)
outputs = [sandbox.work / f"m{n}" for n in range(24)]
equal(len({path.read_bytes() for path in outputs}), 1, "the same bytes")
for output in [outputs[0], *(sandbox.work / f"k{n}" for n in range(4))]:
    assert note.manifest(output).link, output
equal(len(ours(note.elf(outputs[0]).rpath)), 2, "search path")
directories = [path for path in sandbox.store.rglob("bin") if path.is_dir()]
equal(len(directories), 1, "toolchain directories")
sandbox.clean()
