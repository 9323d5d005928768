# SPDX-License-Identifier: Apache-2.0
# REQUIRES: clang
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""clang's -### through cuda-cc prints clang's own lines and status, with any declaration, as a launcher, under clang's
name and in a toolchain directory, for C++ and CUDA, compiles and links (R15)."""
import re
import shutil

from sandbox import KERNEL, PROGRAM, Sandbox, equal, tools

sandbox = Sandbox("12.4")
compilers = tools("clang++", "clang++-19")
sandbox.write("x.cpp", "int main() {}\n")
sandbox.write("k.cu", KERNEL)
equal(sandbox.run("g++", "-c", "x.cpp").status, 0)
sandbox.write("args", "-c x.cpp")
sandbox.write("utf16").write_bytes("\ufeff-c x.cpp".encode("utf-16-le"))
config = sandbox.write("own.cfg", "# own\n-c \\\n-I<CFGDIR>/include @args")
before = sandbox.files()
cuda = f"--cuda-path={sandbox.toolkit}"
LINES = [["x.cpp"], ["-c", "x.cpp"], ["-fsyntax-only", "x.cpp"], ["x.o", "-shared", "-o", "x.so"], ["@args"],
         ["@utf16"], ["--config", config, "x.cpp"], ["--config", sandbox.work / "none.cfg", "x.cpp"],
         ["-v", "x.o", "-lcudart", f"-L{sandbox.toolkit}/lib64"], ["none.cpp"], ["--no-such", "x.cpp"],
         ["-x", "cuda", cuda, "k.cu"], [cuda, "--cuda-device-only", "-c", "k.cu"], ["-c", "k.cu"],
         [cuda, "--cuda-gpu-arch=sm_80", "k.cu", "x.cpp", "-shared", "-fPIC", "-lcudart"]]

def lines(*words, **environment):
    ended = sandbox.run(*words, **environment)
    # Names of temporary files.
    return ended.status, ended.out, re.sub(r'(/tmp/[^/"]+)-[0-9a-f]{6}(?=[./])', r"\1", ended.err)

for compiler in compilers:
    for name, runtime in (("declared", ["--runtime=cuda==12.4"]), ("undeclared", [])):
        sandbox.good("toolchain", sandbox.root / name, f"--host-compiler={compiler}", *runtime)
    masked = sandbox.root / "masked" / compiler
    masked.parent.mkdir(exist_ok=True)
    shutil.copy(PROGRAM, masked)
    ways = [([PROGRAM, compiler], {}), ([PROGRAM, compiler], {"CUDA_CC_RUNTIME": "cuda==12.4"}),
            ([PROGRAM, f"/usr/bin/{compiler}"], {"CUDA_CC_RUNTIME": "cuda==12.3", "CUDA_CC_STRICT": "1"}),
            ([PROGRAM, compiler], {"CUDA_CC_RUNTIME": "cuda==12.4", "CUDA_CC_LAUNCHER": "ccache"}),
            ([masked], {"CUDA_CC_RUNTIME": "cuda==12.4"}),
            ([sandbox.root / "declared/bin" / compiler], {}), ([sandbox.root / "undeclared/bin" / compiler], {}),
            ([sandbox.root / "declared/bin/cuda-cc", compiler], {})]
    for line in LINES:
        # Called by a path, as clang's own lines name it.
        plain = {named: lines(named, "-###", *line)
                 for named in (compiler, f"/usr/bin/{compiler}")}
        assert plain[compiler][2], line
        for way, environment in ways:
            ended = lines(*way, "-###", *line, **environment)
            equal(ended, plain[way[-1] if way[-1] in plain else compiler], f"{way} {line} {environment}")
    equal(sandbox.files(), before, "nothing is made")
    for name in ("declared", "undeclared", "masked"):
        shutil.rmtree(sandbox.root / name)
