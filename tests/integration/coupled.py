# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""A library that must have the same minor as another is NEEDED directly, with DT_RPATH: the import succeeds with an
older copy on LD_LIBRARY_PATH, and fails without the direct entry (T1, LS-1, LS-2). Real cuSPARSE
12.3.1.170, nvJitLink 12.4.127 and 12.0.140."""
import os
import sys

import note
from sandbox import Sandbox, equal, wheel, wheels

SOURCE = """extern "C" int cusparseGetProperty(int, int *);
extern "C" int version(void) {
  int major = -1;
  cusparseGetProperty(0, &major);
  return major;
}
"""
sandbox = Sandbox()
site = sandbox.root / "site-packages"
wheels.merge(["nvidia-cusparse-cu12==12.3.1.170", "nvidia-nvjitlink-cu12==12.4.127"], site)
(site / "ext").mkdir()
older = wheel("nvidia-nvjitlink-cu12==12.0.140") / "nvidia/nvjitlink/lib"
sandbox.write("ext.cpp", SOURCE)
sparse = site / "nvidia/cusparse"
words = ("g++", "-shared", "-fPIC", "ext.cpp")
output = site / "ext/native.so"
torch = "--cudacc-runtime=torch==2.5.1"
folders = ["nvidia/cusparse/lib", "nvidia/nvjitlink/lib"]

def load(**environment):
    code = "import ctypes, sys; print(ctypes.CDLL(sys.argv[1]).version())"
    return sandbox.run(sys.executable, "-c", code, output, **environment)

done = sandbox.run(*words, f"{sparse}/lib/libcusparse.so.12", "-o", output,
                   "-Wl,--enable-new-dtags",
                   *(f"-Wl,-rpath,$ORIGIN/../{folder}" for folder in folders))
equal(done.status, 0, done)
equal(load().out, "12\n", "the plain one, alone")
ended = load(LD_LIBRARY_PATH=older)
assert ended.status == 1 and "__nvJitLinkComplete_12_4" in ended.err, f"LS-1: {ended}"

sandbox.write("one.rsp", f"-L{sparse}/lib -lcusparse\n")
for library in ([f"-L{sparse}/lib", "-lcusparse"], [f"-L{sparse}/lib", "-l", "cusparse"],
                ["@one.rsp"], [f"{sparse}/lib/libcusparse.so.12"]):
    sandbox.good(torch, *words, *library, "-o", output)
    elf = note.elf(output)
    for name in ("libcusparse.so.12", "libnvJitLink.so.12"):
        equal(elf.needed.count(name), 1, f"{name} in {elf.needed} by {library}")
    equal(elf.rpath, [f"$ORIGIN/../{each}" for each in folders] +
          [f"$ORIGIN/{each}" for each in folders], "in the order needed, both depths")
    equal(elf.manifest().link["needed"], sorted(["libcusparse.so.12", "libnvJitLink.so.12"]), "note")
equal(load(LD_LIBRARY_PATH=older).out, "12\n", "LS-2")
equal(load().out, "12\n", "alone")

# --as-needed on the line does not drop the added library, and still applies to the others.
sandbox.good(torch, *words, "-Wl,--as-needed", f"-L{sparse}/lib", "-lcusparse", "-lm", "-o", output)
elf = note.elf(output)
assert "libnvJitLink.so.12" in elf.needed and "libm.so.6" not in elf.needed, elf.needed

# From a wheel that has no nvJitLink beside it.
alone = wheel("nvidia-cusparse-cu12==12.3.1.170") / "nvidia/cusparse/lib"
sandbox.good(torch, *words, f"-L{alone}", "-lcusparse", "-o", output)
assert "libnvJitLink.so.12" in note.elf(output).needed, "no file beside it"
equal(load(LD_LIBRARY_PATH=older).out, "12\n", "LS-2, no file beside it")
equal(sorted(os.listdir(site / "ext")), ["native.so"], "nothing left")
sandbox.clean()
