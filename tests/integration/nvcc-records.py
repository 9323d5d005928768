# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Object records in nvcc's links: exactly one for each .cu, none for nvcc's stubs and for device links (EM-T1, EN-11,
R15, AT1)."""
import note
from sandbox import KERNEL, Sandbox, equal

sandbox = Sandbox("13.0")
sandbox.write("one.cu", KERNEL)
sandbox.write("two.cu", "__device__ int twice(int x) { return 2 * x; }\n")
sandbox.write("main.cpp", "int main() { return 0; }\n")
runtime = "--cudacc-runtime=cuda==13.0"
arch = "-arch=sm_80"

def counts(output):
    found = note.manifest(sandbox.work / output)
    return len(found.objects), len(found.links)

sandbox.good(runtime, arch, "one.cu", "two.cu", "main.cpp", "-o", "step")
found = note.manifest(sandbox.work / "step")
assert len(found.objects) in (2, 3), f"a record for each .cu, at most one for the .cpp: {found}"
equal(sum("toolkit" in note.parse(text) for text in found.objects), len(found.objects), "nvcc")
equal(found.link["objects"]["noted"], len(found.objects), "noted")
equal(sandbox.run("./step").status, 0, "runs")

# Relocatable device code: compile, device link, host link in three steps.
for name in ("one", "two"):
    sandbox.good(runtime, arch, "-rdc=true", "-Xcompiler", "-fPIC", "-c", f"{name}.cu", "-o",
                 f"{name}.o")
    equal(counts(f"{name}.o"), (1, 0), name)
sandbox.good(runtime, arch, "-dlink", "-shared", "-Xcompiler", "-fPIC", "one.o", "two.o", "-o",
             "device.o")
equal(counts("device.o"), (0, 0), "a device link makes no link record, its stub no object record")
sandbox.good(runtime, "g++", "-shared", "one.o", "two.o", "device.o", f"-L{sandbox.toolkit}/lib",
             "-lcudart", "-lcudadevrt", "-o", "host.so")
equal(counts("host.so"), (2, 1), "linked by g++")
assert note.manifest(sandbox.work / "host.so").link
sandbox.good(runtime, arch, "-shared", "one.o", "two.o", "-o", "nvcc.so")
equal(counts("nvcc.so"), (2, 1), "linked by nvcc, which device-links on the way")
sandbox.good(runtime, "-lib", "one.o", "two.o", "-o", "libunits.a")
sandbox.good(runtime, arch, "-shared", "-Xlinker", "--whole-archive", "libunits.a", "-Xlinker",
             "--no-whole-archive", "-o", "archive.so")
equal(counts("archive.so"), (2, 1), "members of an archive")
sandbox.clean()
