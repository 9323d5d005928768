# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Which links get a manifest, by a host compiler and by nvcc's own link: `declared`, `never` (the search path is added
and the output is checked) and `always`. Without a declaration, the output equals the compiler's own."""
import note
from sandbox import KERNEL, Sandbox, equal

D = "$ORIGIN/../nvidia/cu13/lib"
sandbox = Sandbox("13.0")
sandbox.write("k.cu", KERNEL)
sandbox.write("l.cpp", '#include <cuda_runtime.h>\nextern "C" int f() { return cudaFree(nullptr); }\n')
sandbox.write("cuda-cc.toml", 'runtime = "cuda==13.0"\n')
HOST = ["g++", "-fPIC", "-shared", f"-I{sandbox.toolkit}/include", "l.cpp", f"-L{sandbox.toolkit}/lib64",
        "-lcudart", "-o", "out.so"]
NVCC = ["-arch=sm_80", "-shared", "-Xcompiler", "-fPIC", "-cudart=shared", "k.cu", "-o", "out.so"]
for words, code in ((HOST, "CC3014"), (NVCC, "CC3002")):
    for more, environment, wanted in (([], {}, True), (["--cudacc-no-manifest"], {}, False),
                                      (["--cudacc-manifest=never"], {}, False),
                                      (["--cudacc-manifest=always"], {}, True),
                                      ([], {"CUDA_CC_MANIFEST": "never"}, False),
                                      ([], {"CUDA_CC_MANIFEST": "declared"}, True)):
        sandbox.good(*words, *more, **environment)
        elf = note.elf(sandbox.work / "out.so")
        equal(bool(elf.manifest().links), wanted, (words, more, environment))
        assert D in elf.rpath, elf.rpath
    (sandbox.work / "out.so").unlink()
    sandbox.refused(*words, "--cudacc-no-manifest", "--cudacc-runtime=cuda==12.9", code=code,
                    output="out.so")

# Without a declaration: the compiler's own output, except for a note of facts if that is requested.
(sandbox.work / "cuda-cc.toml").unlink()
for words in (HOST, NVCC):
    for more, environment, wanted in (([], {}, False), (["--cudacc-manifest=always"], {}, True),
                                      ([], {"CUDA_CC_MANIFEST": "always"}, True)):
        sandbox.good(*words, *more, **environment)
        elf = note.elf(sandbox.work / "out.so")
        equal(bool(elf.manifest().links), wanted, (words, more, environment))
        assert not elf.rpath, elf.rpath
    with sandbox.file("cuda-cc.toml", 'manifest = "always"\n'):
        sandbox.good(*words)
        assert note.manifest(sandbox.work / "out.so").link, words
