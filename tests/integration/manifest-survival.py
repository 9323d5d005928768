# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""The sealed manifest survives strip, llvm-strip and patchelf; `strip -R '.note.*'` removes it, and the file then
counts as one without manifest (SV-1 to SV-3, SV-5, RD-5, AT16)."""
import shutil

import note
from sandbox import PROGRAM, Sandbox, equal, tools

sandbox = Sandbox()
sandbox.write("one.cpp", 'extern "C" int one(void) { return 1; }\n')
linkers = tools("ld.bfd", "ld.gold", "ld.lld", "mold")
treatments = [["strip", "-s"], ["strip", "-g"], ["strip", "--strip-unneeded"],
              ["strip", "--remove-section=.comment", "--remove-section=.note", "-s"],
              ["objcopy"]]
llvm = tools("llvm-strip-19", "llvm-strip")[:1] or tools("/usr/lib/llvm-19/bin/llvm-strip")
treatments += [[each, flag] for each in llvm for flag in ("-s", "-g", "--strip-unneeded")]
if tools("patchelf"):
    longer = "$ORIGIN/" + "/".join(["a-long-way"] * 40)
    treatments += [["patchelf", "--set-rpath", longer],
                   ["patchelf", "--force-rpath", "--set-rpath", longer],
                   ["patchelf", "--add-needed", "libanother.so.1"]]

for linker in linkers:
    name = linker.removeprefix("ld.")
    sandbox.good("g++", f"-fuse-ld={name}", "-shared", "-fPIC", "-g", "one.cpp", "-o", "one.so",
                 "--cudacc-runtime=torch==2.5.1")
    record = note.manifest(sandbox.work / "one.so").link
    for treatment in treatments:
        shutil.copy(sandbox.work / "one.so", sandbox.work / "treated.so")
        done = sandbox.run(*treatment, "treated.so")
        equal(done.status, 0, done)
        equal(note.manifest(sandbox.work / "treated.so").link, record, f"{name} {treatment}")
        shown = sandbox.run(PROGRAM, "inspect", "treated.so")
        assert shown.status == 0 and "sealed" in shown.out, (treatment, shown)

    shutil.copy(sandbox.work / "one.so", sandbox.work / "removed.so")
    done = sandbox.run("strip", "-R", ".note.*", "removed.so")
    equal(done.status, 0, done)
    assert not note.manifest(sandbox.work / "removed.so"), f"{name}: strip -R"
    shown = sandbox.run(PROGRAM, "inspect", "removed.so")
    equal(shown.status, 0, shown)
    assert "none" in shown.out or "no manifest" in shown.out, shown
