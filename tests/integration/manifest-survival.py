# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""The sealed manifest survives strip, llvm-strip and patchelf; `strip -R '.note.*'` removes it, and the file then
counts as one without manifest (SV-1 to SV-3, SV-5, RD-5, AT16)."""
import shutil

import note
from scene import PROGRAM, Scene, equal, tools

scene = Scene()
scene.write("one.cpp", 'extern "C" int one(void) { return 1; }\n')
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
    scene.good("g++", f"-fuse-ld={name}", "-shared", "-fPIC", "-g", "one.cpp", "-o", "one.so",
               "--cudacc-runtime=torch==2.5.1")
    record = note.manifest(scene.work / "one.so").link
    for treatment in treatments:
        shutil.copy(scene.work / "one.so", scene.work / "treated.so")
        done = scene.run(*treatment, "treated.so")
        equal(done.status, 0, done)
        equal(note.manifest(scene.work / "treated.so").link, record, f"{name} {treatment}")
        shown = scene.run(PROGRAM, "inspect", "treated.so")
        assert shown.status == 0 and "sealed" in shown.out, (treatment, shown)

    shutil.copy(scene.work / "one.so", scene.work / "removed.so")
    done = scene.run("strip", "-R", ".note.*", "removed.so")
    equal(done.status, 0, done)
    assert not note.manifest(scene.work / "removed.so"), f"{name}: strip -R"
    shown = scene.run(PROGRAM, "inspect", "removed.so")
    equal(shown.status, 0, shown)
    assert "none" in shown.out or "no manifest" in shown.out, shown
