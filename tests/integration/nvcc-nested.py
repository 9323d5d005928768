# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Started by another nvcc: its exported variables do not affect ours, and cuda-cc does not start itself (R36, AT22)."""
import note
from sandbox import KERNEL, Sandbox, equal, toolkit

sandbox = Sandbox("13.0")
other = toolkit("13.1")
sandbox.write("k.cu", KERNEL)
leaked = {
    "_HERE_": f"{other}/bin", "_THERE_": f"{other}/bin", "TOP": f"{other}/bin/..",
    "INCLUDES": f'"-I{other}/include"', "SYSTEM_INCLUDES": f'"-isystem" "{other}/include"',
    "LIBRARIES": f'"-L{other}/lib"', "CICC_PATH": f"{other}/nvvm/bin",
    "NVVMIR_LIBRARY_DIR": f"{other}/nvvm/libdevice", "_TARGET_SIZE_": "", "_TARGET_DIR_": "",
    "CUDA_ROOT": f"{other}", "_SPACE_": " ",
}
runtime = "--cudacc-runtime=cuda==13.0"
words = ("-arch=sm_80", "-shared", "-Xcompiler", "-fPIC", "-cudart", "shared", "k.cu", "-o", "k.so")
nested = {**leaked, "PATH": f"{sandbox.toolkit}/bin:{other}/bin:{sandbox.path}"}
sandbox.good(runtime, *words, **nested)
found = note.manifest(sandbox.work / "k.so")
record = note.parse(found.objects[0])
equal((record["toolkit"], record["headers"]), ("13.0.88", "13.0"), "whose parts")
assert found.link, "a link below another nvcc is a link"

# The store's own bin is first on PATH, where nvcc searches g++ by name: no recursion.
[directory] = [path for path in sandbox.store.rglob("bin") if (path / "g++").exists()]
path = f"{directory}:{sandbox.path}"
sandbox.good(runtime, *words, PATH=path)
found = note.manifest(sandbox.work / "k.so")
equal(len(found.objects), 1, "object records")
assert found.link, "one link record"
plain = sandbox.run(sandbox.toolkit / "bin/nvcc", *words, "-ccbin", directory / "g++", PATH=path)
equal(plain.status, 0, plain)
assert note.manifest(sandbox.work / "k.so").link, "nvcc given the shim by its caller"

# A launcher in front of the shim: only one of them acts (R40, AT26).
sandbox.good(runtime, directory / "g++", "-shared", "k.so", "-Wl,--no-as-needed",
             f"-L{sandbox.toolkit}/lib", "-lcudart", "-o", "both.so")
elf = note.elf(sandbox.work / "both.so")
assert elf.manifest().link, "one link record"
equal(elf.rpath, ["$ORIGIN/../nvidia/cu13/lib", "$ORIGIN/nvidia/cu13/lib"], "each element once")
assert not (directory / "g++").is_symlink(), "the shim is a file of its own"
sandbox.clean()
