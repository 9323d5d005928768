# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""clang as CUDA compiler: compiles and links a real object and a real library under cuda-cc, in two steps and in
one; rejected under an older line and under another major (V-TG-01, V-TG-03, V-MD-01). clang 14 knows CUDA
11; if clang 19 is installed, torch==2.5.1 is tested with 12.4 and 12.5."""
import note
from sandbox import KERNEL, Sandbox, equal, skip, toolkit, tools

if not tools("clang++"):
    skip("this machine has no clang++")

SEARCH_PATH = ["$ORIGIN/../nvidia/cuda_runtime/lib", "$ORIGIN/nvidia/cuda_runtime/lib"]
sandbox = Sandbox()
sandbox.write("k.cu", KERNEL)
# clang's own wrapper header includes this header of cuRAND, which no kernel here uses.
sandbox.write("stub/curand_mtgp32_kernel.h")

def device(name):
    ended = sandbox.run("objcopy", "-O", "binary", "--set-section-flags", ".nv_fatbin=alloc", "-j",
                        ".nv_fatbin", name, f"{name}.fatbin")
    equal(ended.status, 0, ended)
    data = (sandbox.work / f"{name}.fatbin").read_bytes()
    (sandbox.work / f"{name}.fatbin").unlink()
    assert data, f"{name} has no device code"
    return data

def held(output, target, soname):
    elf = note.elf(sandbox.work / output)
    found = elf.manifest()
    equal(found.link["target"]["cuda"], target, f"target of {output}")
    equal(found.link["cudart"], "shared", f"cudart of {output}")
    equal([note.parse(each)["headers"] for each in found.objects], [target], f"records of {output}")
    assert soname in elf.needed, elf.needed
    equal(elf.rpath, SEARCH_PATH, f"search path of {output}")

def story(compiler, old, new, runtime, soname):
    def words(folder):
        return (compiler, "-x", "cuda", f"--cuda-path={folder}", "--cuda-gpu-arch=sm_80", "-fPIC",
                "-Wno-unknown-cuda-version", "-Istub", "k.cu")

    def link(folder):
        return f"-L{folder}/lib64", "-lcudart", "-o", "k.so"

    declared = f"--cudacc-runtime={runtime}"
    sandbox.good(declared, *words(old), "-c", "-o", "k.o")
    equal(len(note.manifest(sandbox.work / "k.o").objects), 1, "records of k.o")
    sandbox.run(*words(old), "-c", "-o", "plain.o")
    equal(device("k.o"), device("plain.o"), "device code")
    sandbox.good(declared, compiler, "-shared", "k.o", *link(old))
    line = old.name.split("-")[0]
    held("k.so", line, soname)
    (sandbox.work / "k.so").unlink()
    sandbox.good(declared, *words(old), "-shared", *link(old))
    held("k.so", line, soname)
    for name in ("k.o", "k.so"):
        (sandbox.work / name).unlink()

    if new:
        ended = sandbox.refused(declared, *words(new), "-c", "-o", "k.o", code="CC3001", output="k.o")
        assert str(new) in ended.err and "--cuda-path" in ended.err, ended
        ended = sandbox.refused(declared, *words(new), "-shared", *link(new), code="CC3001",
                                output="k.so")
        assert "CC3015" in ended.codes, ended
    sandbox.run(*words(old), "-c", "-o", "plain.o")
    major, minor = line.split(".")
    older = f"--cudacc-runtime=cuda=={major}.{int(minor) - 1}"
    sandbox.refused(older, *words(old), "-c", "-o", "k.o", code="CC3001", output="k.o")
    sandbox.refused(older, compiler, "-shared", "plain.o", *link(old), code="CC3015", output="k.so")
    other = "--cudacc-runtime=cuda==13.0"
    sandbox.refused(other, *words(old), "-c", "-o", "k.o", code="CC3002", output="k.o")
    sandbox.refused(other, compiler, "-shared", "plain.o", *link(old), code="CC3016", output="k.so")
    (sandbox.work / "plain.o").unlink()

story("clang++", toolkit("11.8"), None, "cuda==11.8", "libcudart.so.11.0")
if tools("clang++-19"):
    story("clang++-19", toolkit("12.4"), toolkit("12.5"), "torch==2.5.1", "libcudart.so.12")
sandbox.clean()
