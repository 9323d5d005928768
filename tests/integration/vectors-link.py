# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Links by g++ only: the link against nvJitLink 12.5 is rejected for torch==2.5.1, those against 12.4 and 12.0 are
accepted (V-TG-01, V-TG-03, V-TG-04, EV-6)."""
import note
from sandbox import Sandbox, equal, wheel

SOURCE = """#include <nvJitLink.h>
extern "C" int run(void) {
  nvJitLinkHandle handle;
  return nvJitLinkCreate(&handle, 0, nullptr);
}
"""
sandbox = Sandbox()
sandbox.write("ext.cpp", SOURCE)

def words(version):
    root = wheel(f"nvidia-nvjitlink-cu12=={version}") / "nvidia/nvjitlink"
    return (f"-I{root}/include", f"-L{root}/lib"), root

def link(version, *how):
    (include, folder), root = words(version)
    return ("g++", "-shared", "-fPIC", include, "ext.cpp", "-o", "ext.so", folder, *how)

torch = "--cudacc-runtime=torch==2.5.1"
for how in ("-lnvJitLink", "-l:libnvJitLink.so.12"):
    ended = sandbox.refused(torch, *link("12.5.82", how), code="CC3015", output="ext.so")
    for fact in ("12.5", "12.4.127", "libnvJitLink.so.12", "torch==2.5.1", "fix:"):
        assert fact in ended.err, ended

sandbox.good(torch, *link("12.4.127", "-lnvJitLink"))
output = note.elf(sandbox.work / "ext.so")
assert "libnvJitLink.so.12" in output.needed, output.needed
equal(output.manifest().link["target"]["cuda"], "12.4", "target")
sandbox.good(torch, *link("12.0.140", "-lnvJitLink"))  # V-TG-04

# In two steps: the compile does not check component headers (F5), the link does.
(include, folder), root = words("12.5.82")
sandbox.good(torch, "g++", "-fPIC", "-c", include, "ext.cpp", "-o", "ext.o")
ended = sandbox.refused(torch, "g++", "-shared", "ext.o", "-o", "ext.so",
                        f"{root}/lib/libnvJitLink.so.12", code="CC3015", output="ext.so")

# An object built with 12.5 headers, linked against 12.4: its imports show that (nvJitLink's suffixes, F7).
old = words("12.4.127")[1]
ended = sandbox.refused(torch, "g++", "-shared", "ext.o", "-o", "ext.so",
                        f"{old}/lib/libnvJitLink.so.12", code="CC4002", output="ext.so")
assert "__nvJitLinkCreate_12_5" in ended.err, ended
