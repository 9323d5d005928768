# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Libraries of wheels that exist only under their SONAME, in every spelling and from every caller: host launcher,
nvcc's link, nvcc that compiles and links in one step (N26)."""
import note
from sandbox import KERNEL, Sandbox, equal, wheel

sandbox = Sandbox("13.0")
sandbox.write("main.cpp", 'extern "C" int nvJitLinkVersion(unsigned *, unsigned *);\n'
              "int main() { unsigned a, b; return nvJitLinkVersion(&a, &b); }\n")
folder = wheel("nvidia-nvjitlink==13.0.88") / "nvidia/cu13/lib"
assert not (folder / "libnvJitLink.so").exists()
runtime = "--cudacc-runtime=cuda==13.0"
sandbox.write("one.rsp", f"-L{folder} -lnvJitLink\n")
sandbox.write("two.rsp", f"-L {folder}\n-l\nnvJitLink\n")
sandbox.write("three.rsp", "@one.rsp\n")

def held(output, what):
    elf = note.elf(sandbox.work / output)
    assert "libnvJitLink.so.13" in elf.needed, (what, elf.needed)
    equal(elf.rpath, ["$ORIGIN/../nvidia/cu13/lib", "$ORIGIN/nvidia/cu13/lib"], what)
    assert elf.manifest().link["needed"], what
    (sandbox.work / output).unlink()

for words in ([f"-L{folder}", "-lnvJitLink"], ["-L", folder, "-l", "nvJitLink"], ["@one.rsp"],
              ["@two.rsp"], ["@three.rsp"], [f"-L{folder}", "-Wl,-lnvJitLink"],
              [f"-L{folder}", "-Xlinker", "-lnvJitLink"], [f"-L{folder}", "-l:libnvJitLink.so.13"],
              [f"-Wl,-L,{folder}", "-lnvJitLink"], [f"-L{folder}", "-Wl,--library=nvJitLink"]):
    sandbox.good(runtime, "g++", "main.cpp", *words, "-o", "main")
    held("main", f"g++ {words}")

sandbox.run("g++", "-c", "main.cpp", "-o", "main.o")
sandbox.write("nvcc.opt", f"-L{folder} -lnvJitLink\n")
for words in ([f"-L{folder}", "-lnvJitLink"], ["-L", folder, "-l", "nvJitLink"],
              ["--library-path", folder, "--library", "nvJitLink"],
              [f"--library-path={folder}", "--library=nvJitLink"],
              ["--options-file", "nvcc.opt"], ["-optf=nvcc.opt"],
              ["-Xlinker", f"-L{folder}", "-Xlinker", "-lnvJitLink"]):
    sandbox.good(runtime, "main.o", "-cudart", "none", *words, "-o", "main")
    held("main", f"nvcc link {words}")

sandbox.write("k.cu", KERNEL)
sandbox.good(runtime, "-arch=sm_80", "k.cu", "main.cpp", "-cudart", "shared", f"-L{folder}",
             "-lnvJitLink", "-o", "main")
held("main", "one step")
sandbox.clean()
