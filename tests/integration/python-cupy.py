# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""R32: CuPy compiles its modules with the nvcc of an activated toolchain directory, and CuPy's own error shows the
message if nvcc is too new for the runtime. The test makes the calls of CuPy's own build: a link probe, a compile with
quotes inside an argument, a C++ link with the libraries of CUDA_PATH."""
import sys

import installed
import note
from documented import follows
from python_project import NVIDIA, activated
from sandbox import PROGRAM, Sandbox, equal, skip, wheels

if sys.version_info[:2] != (3, 11):
    skip("the wheels of CuPy and numpy are those for Python 3.11")
sandbox = Sandbox()
prefix = sandbox.work / ".venv"
site = installed.venv(prefix)
installed.put(site, *wheels.read_wanted("environments")["torch==2.11.0"], *NVIDIA, "cupy-cuda13x==14.2.0",
              "numpy==2.2.6", "cuda-pathfinder==1.3.4")
td = sandbox.work / "build/cuda"
sandbox.good("toolchain", td, "--runtime", f"env:{prefix}")
inside = activated(td, f"{prefix}/bin:{sandbox.path}")
taken = follows("python", "CuPy")["CuPy"].follow(sandbox, **inside)
equal(taken.out.strip(), str(td / "bin/nvcc"))

# The calls of RawModule(backend="nvcc") after it has queried the GPU's architecture.
sandbox.write("module.py", """from cupy.cuda import compiler
source = 'extern "C" __global__ void twice(float *x) { x[threadIdx.x] *= 2; }'
for options, relocatable in ((("-std=c++17",), False), (("-dc",), True)):
    made = compiler.compile_using_nvcc(source, options, "80", separate_compilation=relocatable)
    assert made.startswith(b"\\x7fELF"), made[:20]
    print("made", len(made) > 1000)
""")
done = sandbox.run("python", "-B", "-W", "ignore", "module.py", **inside)
equal((done.status, done.out), (0, "made True\nmade True\n"), done)
done = sandbox.run("python", "-B", "-W", "ignore", "module.py",
                   **{**inside, "NVCC": PROGRAM, "CUDA_CC_RUNTIME": "cuda==12.9", "CUDA_CC_TOOLKIT": "env",
                      "VIRTUAL_ENV": prefix})
assert done.status == 1 and "CompileException" in done.err and "[CC3002]" in done.err, done

sandbox.write("test.cu", "int main() { return 0; }")
done = sandbox.run(inside["NVCC"], "-o", "test.out", "test.cu", **inside)
equal((done.status, done.err), (0, ""), done)
sandbox.write("cub.cu", '__global__ void k() {}\nvoid cub() { k<<<1, 1>>>(); }\n')
done = sandbox.run(inside["NVCC"], "-c", "cub.cu", "-o", "cub.o", "--generate-code=arch=compute_80,code=sm_80",
                   "-Xfatbin=-compress-all", "-O2", '--compiler-options="-fPIC"', "--expt-relaxed-constexpr",
                   "--std=c++17", "-t2", **inside)
equal((done.status, done.err), (0, ""), done)
sandbox.write("ext.cpp", "#include <cublas_v2.h>\nvoid cub();\n"
              'extern "C" int made() { cublasHandle_t h; cub(); return cublasCreate(&h); }\n')
done = sandbox.run(inside["CXX"], "-shared", "-fPIC", f"-I{td}/include", "ext.cpp", "cub.o", f"-L{td}/lib64",
                   f"-L{td}/lib", "-lcublas", "-lcudart", "-o", "ext.so", **inside)
equal((done.status, done.err), (0, ""), done)
equal(note.elf(sandbox.work / "ext.so").rpath, ["$ORIGIN/../nvidia/cu13/lib", "$ORIGIN/nvidia/cu13/lib"])
