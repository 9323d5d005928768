# SPDX-License-Identifier: Apache-2.0
"""Every kind of link by one linker: exactly one complete sealed link record, no executable stack, and identical
bytes from two links (EN-11, LK-1, LK-2, LK-4, LK-5, LK-9, LK-12, IP-2, MJ-5, AT16).
"""
import sys

import note
from behaviour import behaviour
from sandbox import Sandbox, equal, skip, tools

linker = sys.argv[1]
if not tools("ld." + linker if linker != "mold" else linker):
    skip(f"this machine has no {linker}")

sandbox = Sandbox()
unit = '#include <stdio.h>\nextern "C" int %s(void) { return puts("%s"); }\n'
for name in ("one", "two", "three"):
    sandbox.write(f"{name}.cpp", unit % (name, name))
sandbox.write("main.cpp", 'extern "C" int one(void);\nint main() { return one() < 0; }\n')
# Objects that include CUDA headers have records.
sandbox.write("include/cuda.h", "#define CUDA_VERSION 12040\n")
reach = ("-Iinclude", "-include", "cuda.h")
fuse = f"-fuse-ld={linker}"
torch = {"CUDA_CC_RUNTIME": "torch==2.5.1"}


def compile(*words):
    for name in ("one", "two", "three", "main"):
        sandbox.good("g++", "-fPIC", *reach, *words, "-c", f"{name}.cpp",
                     "-o", f"{name}.o", **torch)


def held(output, objects, runs=True):
    """The output has one link record and that many object records."""
    elf = note.elf(sandbox.work / output)
    found = elf.manifest()
    record = found.link
    equal(record["target"]["cuda"], "12.4", f"target of {output}")
    equal(len(found.objects), objects, f"object records of {output}")
    equal(record["objects"]["noted"], objects, f"noted units of {output}")
    assert not elf.executable_stack, f"{output} has an executable stack"
    shown = sandbox.run("readelf", "-nW", output).out
    for kind in ("0xc0da0002", "0xc0da0003"):
        equal(shown.count(kind), 1, f"{kind} in readelf -n {output}")
    equal(shown.count("0xc0da0001"), objects, "object records in readelf -n")
    if runs:
        equal(sandbox.run(f"./{output}").status, 0, f"{output} runs")
    return record


def link(output, *words, objects=2, runs=True, compiler="g++"):
    """Links twice and compares the two outputs byte for byte."""
    line = (compiler, fuse, *words, "-o", output)
    sandbox.good(*line, **torch)
    record = held(output, objects, runs)
    first = (sandbox.work / output).read_bytes()
    (sandbox.work / output).unlink()
    sandbox.good(*line, **torch)
    assert (sandbox.work / output).read_bytes() == first, f"{output} differs in the second run"
    return record


compile()


@behaviour
def a_shared_library_holds_one_record():
    link("shared.so", "-shared", "one.o", "two.o", runs=False)
    link("gc.so", "-shared", "-Wl,--gc-sections", "one.o", "two.o", runs=False)
    link("bare.so", "-shared", "-s", "-Wl,--build-id=none", "one.o", "two.o", runs=False)


@behaviour
def a_program_holds_one_record_and_runs():
    link("pie", "-pie", "main.o", "one.o")
    link("gc", "-Wl,--gc-sections", "-Wl,--as-needed", "main.o", "one.o")
    sandbox.good("g++", "-no-pie", "-fno-pie", *reach, "-c", "main.cpp", "-o", "fixed.o",
                 **torch)
    link("fixed", "-no-pie", "fixed.o", "one.o")
    link("static", "-static", "main.o", "one.o")
    if linker != "gold":
        link("static-pie", "-static-pie", "main.o", "one.o")


@behaviour
def other_compilers_link_the_same():
    if tools("clang++"):
        link("clang", "main.o", "one.o", compiler="clang++")
    link("c.so", "-shared", "one.o", "two.o", runs=False, compiler="gcc")


@behaviour
def a_relocatable_link_has_object_records_alone():
    """Its result counts as the objects that it was made of (EN-11)."""
    sandbox.good("g++", fuse, "-r", "-nostdlib", "one.o", "two.o", "-o", "both.o", **torch)
    relocated = note.manifest(sandbox.work / "both.o")
    equal((len(relocated.objects), relocated.links, relocated.summaries), (2, [], []), "-r")
    link("relocated.so", "-shared", "both.o", "three.o", objects=3, runs=False)


@behaviour
def members_of_an_archive_that_are_linked_have_their_records():
    """LK-5."""
    sandbox.run("ar", "rcs", "libunits.a", "one.o", "two.o", "three.o")
    link("pulled", "main.o", "-L.", "-lunits")
    link("whole", "main.o", "-Wl,--whole-archive", "libunits.a", "-Wl,--no-whole-archive", objects=4)


@behaviour
def objects_for_link_time_optimisation_have_their_records():
    if linker != "lld":
        compile("-flto")
        link("lto", "-flto", "main.o", "one.o")
        link("lto.so", "-flto", "-shared", "one.o", "two.o", "three.o", objects=3, runs=False)


@behaviour
def the_default_output_is_sealed():
    sandbox.good("g++", fuse, "main.o", "one.o", **torch)
    held("a.out", 2)


@behaviour
def an_object_of_one_step_has_its_record_once():
    link("step", *reach, "main.cpp", "one.cpp")


sandbox.clean()
