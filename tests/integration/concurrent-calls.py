# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Many concurrent calls while the store does not exist yet: all succeed, and no temporary file is left
(`make -j`)."""
import concurrent.futures

import note
from scene import KERNEL, MAIN, Scene, equal, ours

scene = Scene("13.0")
scene.write("main.cpp", MAIN)
scene.write("k.cu", KERNEL)
runtime = "--cudacc-runtime=cuda==13.0"
cudart = scene.toolkit / "lib/libcudart.so.13"

def link(number):
    return scene.cc(runtime, "g++", "-Wl,--no-as-needed", "main.cpp", cudart, "-o", f"m{number}")

def build(number):
    return scene.cc(runtime, "-arch=sm_80", "-shared", "-Xcompiler", "-fPIC", "k.cu", "-o",
                    f"k{number}")

with concurrent.futures.ThreadPoolExecutor(16) as pool:
    calls = [pool.submit(link, n) for n in range(24)] + [pool.submit(build, n) for n in range(4)]
    for call in calls:
        ended = call.result()
        equal((ended.status, ended.err), (0, ""), ended)
outputs = [scene.work / f"m{n}" for n in range(24)]
equal(len({path.read_bytes() for path in outputs}), 1, "the same bytes")
for output in [outputs[0], *(scene.work / f"k{n}" for n in range(4))]:
    assert note.manifest(output).link, output
equal(len(ours(note.elf(outputs[0]).rpath)), 2, "search path")
directories = [path for path in scene.store.rglob("bin") if path.is_dir()]
equal(len(directories), 1, "toolchain directories")
scene.clean()
