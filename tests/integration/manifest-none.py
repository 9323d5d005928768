# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Which links get a manifest, by a host compiler and by nvcc's own link: `declared`, `never` (the search path is added
and the output is checked) and `always`. Without a declaration, the output equals the compiler's own."""
import note
from scene import KERNEL, Scene, equal

D = "$ORIGIN/../nvidia/cu13/lib"
scene = Scene("13.0")
scene.write("k.cu", KERNEL)
scene.write("l.cpp", '#include <cuda_runtime.h>\nextern "C" int f() { return cudaFree(nullptr); }\n')
scene.write("cuda-cc.toml", 'runtime = "cuda==13.0"\n')
HOST = ["g++", "-fPIC", "-shared", f"-I{scene.toolkit}/include", "l.cpp", f"-L{scene.toolkit}/lib64",
        "-lcudart", "-o", "out.so"]
NVCC = ["-arch=sm_80", "-shared", "-Xcompiler", "-fPIC", "-cudart=shared", "k.cu", "-o", "out.so"]
for words, code in ((HOST, "CC3014"), (NVCC, "CC3002")):
    for more, environment, wanted in (([], {}, True), (["--cudacc-no-manifest"], {}, False),
                                      (["--cudacc-manifest=never"], {}, False),
                                      (["--cudacc-manifest=always"], {}, True),
                                      ([], {"CUDA_CC_MANIFEST": "never"}, False),
                                      ([], {"CUDA_CC_MANIFEST": "declared"}, True)):
        scene.good(*words, *more, **environment)
        elf = note.elf(scene.work / "out.so")
        equal(bool(elf.manifest().links), wanted, (words, more, environment))
        assert D in elf.rpath, elf.rpath
    (scene.work / "out.so").unlink()
    scene.refused(*words, "--cudacc-no-manifest", "--cudacc-runtime=cuda==12.9", code=code,
                  output="out.so")

# Without a declaration: the compiler's own output, except for a note of facts if that is requested.
(scene.work / "cuda-cc.toml").unlink()
for words in (HOST, NVCC):
    for more, environment, wanted in (([], {}, False), (["--cudacc-manifest=always"], {}, True),
                                      ([], {"CUDA_CC_MANIFEST": "always"}, True)):
        scene.good(*words, *more, **environment)
        elf = note.elf(scene.work / "out.so")
        equal(bool(elf.manifest().links), wanted, (words, more, environment))
        assert not elf.rpath, elf.rpath
    with scene.file("cuda-cc.toml", 'manifest = "always"\n'):
        scene.good(*words)
        assert note.manifest(scene.work / "out.so").link, words
