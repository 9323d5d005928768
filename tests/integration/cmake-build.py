# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""A CMake project of CUDA only, with CUDACXX=cuda-cc and a cuda-cc.toml: it is built with manifest and search path;
nothing is compiled again if only CMakeLists.txt is touched; after the declaration changes, the next compile and a
separate link are rejected (R2, R8, AT1, AT4, AT9, F17)."""
import os
import time

import note
from sandbox import KERNEL, PROGRAM, Sandbox, equal, ours

sandbox = Sandbox("13.0")
config = sandbox.write("cuda-cc.toml", 'runtime = "cuda==13.0"\n')
sandbox.write("one.cu", KERNEL)
sandbox.write("two.cu", KERNEL.replace("twice", "thrice").replace("run(", "again("))
sandbox.write("CMakeLists.txt", """cmake_minimum_required(VERSION 3.24)
project(pure LANGUAGES CUDA)
add_library(pure SHARED one.cu two.cu)
set_target_properties(pure PROPERTIES CUDA_ARCHITECTURES 80 CUDA_RUNTIME_LIBRARY Shared)
""")
ninja = sandbox.run("ninja", "--version").status == 0
build = sandbox.work / "build"
library = build / "libpure.so"

def run(*words):
    return sandbox.run(*words, CUDACXX=PROGRAM)

done = run("cmake", "-B", "build", "-DCMAKE_CUDA_ARCHITECTURES=80", *(["-GNinja"] * ninja))
equal(done.status, 0, done)
assert "cuda-cc:" not in done.out + done.err, done
done = run("cmake", "--build", "build")
equal(done.status, 0, done)
elf = note.elf(library)
found = elf.manifest()
equal((found.link["target"]["cuda"], len(found.objects)), ("13.0", 2), found)
assert not found.link["objects"]["unnoted"], found.link
expected = ["$ORIGIN/../nvidia/cu13/lib", "$ORIGIN/nvidia/cu13/lib"]
equal(ours(elf.rpath), expected, f"search path {elf.rpath}")
assert elf.rpath[:2] == expected, f"ours are in front: {elf.rpath}"

# After CMakeLists.txt is touched and CMake runs again, all CUDA commands are the same (AT9).
before = library.stat().st_mtime_ns
os.utime(sandbox.work / "CMakeLists.txt", (time.time() + 2,) * 2)
done = run("cmake", "--build", "build")
equal(done.status, 0, done)
assert "Building CUDA" not in done.out and "Linking CUDA" not in done.out, done
equal(library.stat().st_mtime_ns, before, "the library is as it was")

# A separate link under another declaration, then a compile (R8, AT4).
config.write_text('runtime = "cuda==12.9"\n')
library.unlink()
done = run("cmake", "--build", "build")
assert done.status and "CC30" in done.out + done.err, done
assert not library.exists(), "a refused link leaves no output"
os.utime(sandbox.work / "one.cu", (time.time() + 4,) * 2)
(compiled,) = build.rglob("one.cu.o")
before = compiled.read_bytes(), compiled.stat().st_mtime_ns
for attempt in ("first", "second"):
    done = run("cmake", "--build", "build")
    assert done.status and "CC3002" in done.out + done.err, f"{attempt} build: {done}"
equal((compiled.read_bytes(), compiled.stat().st_mtime_ns), before, "nothing ran")

# With the old declaration, the build is complete again.
config.write_text('runtime = "cuda==13.0"\n')
done = run("cmake", "--build", "build")
equal(done.status, 0, done)
assert note.manifest(library).link
sandbox.clean()
