# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Messages of real tools are explained with the right versions: ptxas, nvcc, nvlink, ld, the loader (LS-2, KC-1,
KC-3, N26)."""
import json
import subprocess

from sandbox import PROGRAM, Sandbox, equal, toolkit, wheel


def explained(text):
    done = subprocess.run([PROGRAM, "explain", "--format=json", "-"], input=text, text=True,
                          capture_output=True)
    assert done.returncode in (0, 4), done
    return json.loads(done.stdout)["messages"]


def first(text, row, *said):
    messages = explained(text)
    assert messages and messages[0]["id"] == row, (row, text, messages)
    whole = json.dumps(messages[0])
    for part in said:
        assert part in whole, (part, text, messages[0])


old, new = toolkit("12.4"), toolkit("13.1")
sandbox = Sandbox()


def output(*argv, **environment):
    done = sandbox.run(*argv, **environment)
    assert done.status != 0, done
    return done.out + done.err


sandbox.write("new.ptx", ".version 8.5\n.target sm_80\n.address_size 64\n")
sandbox.write("gpu.ptx", ".version 8.0\n.target sm_120\n.address_size 64\n")
sandbox.write("k.cu", "__global__ void k() {}\n")
first(output(f"{old}/bin/ptxas", "-arch=sm_80", "new.ptx", "-o", "x"), "ptx-assembler",
      "PTX ISA 8.5 (CUDA 12.5) met an assembler of PTX ISA 8.4 (CUDA 12.4)")
first(output(f"{old}/bin/ptxas", "-arch=sm_80", "gpu.ptx", "-o", "x"), "unknown-arch", "CUDA 12.8")
first(output(f"{old}/bin/ptxas", "-arch=sm_120", "new.ptx", "-o", "x"), "ptxas-arch", "CUDA 12.8")
first(output(f"{old}/bin/nvcc", "-arch=sm_120", "-c", "k.cu"), "unknown-arch", "sm_120")
first(output(f"{old}/bin/nvcc", "-gencode", "arch=compute_120,code=sm_120", "-c", "k.cu"),
      "unknown-arch", "CUDA 12.8")
first(output(f"{new}/bin/nvcc", "-arch=sm_70", "-c", "k.cu"), "unknown-arch", "12.9 was the last")
first(output(f"{old}/bin/nvcc", "-std=c++23", "-c", "k.cu"), "nvcc-standard", "c++23")
first(output(f"{old}/bin/nvcc", "--foo", "k.cu"), "nvcc-option", "--foo")
done = sandbox.run(f"{old}/bin/nvcc", "-rdc=true", "-arch=sm_90", "-c", "k.cu", "-o", "k.o")
equal(done.status, 0, done)
sandbox.write("x.c", "int main(void) { return 0; }\n")
linked = explained(output("gcc", "-no-pie", "x.c", "k.o", "-lstdc++"))
equal({row["id"] for row in linked}, {"undefined-reference", "generated-name"}, linked)
first(output("gcc", "x.c", "-lcusparse"), "cannot-find-library", "libcusparse.so.12")
sandbox.write("h.c", "#include <cusparse.h>\n")
first(output("gcc", "-c", "h.c"), "header-missing", "nvidia-cusparse-cu12")

# The loader's messages about real libraries: not found, and too old.
site = wheel("nvidia-nvjitlink-cu12==12.4.127") / "nvidia/nvjitlink/lib"
sandbox.write("ext.c", "extern int __nvJitLinkCreate_12_5(void);\n"
              "int f(void) { return __nvJitLinkCreate_12_5(); }\n")
sandbox.write("lib.c", "int __nvJitLinkCreate_12_5(void) { return 0; }\n")
sandbox.write("map", "libnvJitLink.so.12 { global: *; };\n")
(sandbox.work / "newer").mkdir()
for line in (["lib.c", "-Wl,--version-script=map", "-Wl,-soname,libnvJitLink.so.12", "-o",
              "newer/libnvJitLink.so.12"], ["ext.c", "newer/libnvJitLink.so.12", "-o", "ext.so"]):
    done = sandbox.run("gcc", "-shared", "-fPIC", *line)
    equal(done.status, 0, done)
load = "import ctypes, os; ctypes.CDLL('./ext.so', os.RTLD_NOW)"
first(output("python3", "-c", load), "missing-library", "libnvJitLink.so.12", "nvidia-nvjitlink-cu12")
first(output("python3", "-c", load, LD_LIBRARY_PATH=str(site)), "nvjitlink-symbol",
      "libnvJitLink.so.12 is too old: __nvJitLinkCreate_12_5 came with CUDA 12.5",
      "nvidia-nvjitlink-cu12>=12.5,<13")
