# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""A complete link for aarch64 on x86-64: manifest, direct NEEDED, search path and verdict as for a native link, by
every available linker (LK-1, LK-4, LK-12, V-TG-01, V-TG-03). Libraries for the build machine are skipped, as linkers
do."""
import platform

import note
from behaviour import behaviour
from sandbox import Sandbox, equal, skip, tools, wheels

if platform.machine() != "x86_64":
    skip("this machine is not x86-64")
if not tools("aarch64-linux-gnu-g++"):
    skip("this machine has no aarch64-linux-gnu-g++")

SOURCE = """#include <cuda.h>
#include <nvJitLink.h>
extern "C" int run(void) {
  nvJitLinkHandle handle;
  return nvJitLinkCreate(&handle, 0, nullptr);
}
"""
EM_AARCH64 = 183
torch = "--cudacc-runtime=torch==2.5.1"
gxx = "aarch64-linux-gnu-g++"
sandbox = Sandbox()
sandbox.write("ext.cpp", SOURCE)
sandbox.write("include/cuda.h", "#define CUDA_VERSION 12040\n")
sandbox.write("main.cpp", SOURCE + "int main() { return run(); }\n")
arm = {version: wheels.get(f"nvidia-nvjitlink-cu12=={version}", "aarch64") / "nvidia/nvjitlink"
       for version in ("12.4.127", "12.5.82")}
native = wheels.get("nvidia-nvjitlink-cu12==12.5.82") / "nvidia/nvjitlink/lib"

def words(version):
    return "-Iinclude", f"-I{arm[version]}/include", f"-L{arm[version]}/lib", "-lnvJitLink"

def held(output, linker=None):
    data = (sandbox.work / output).read_bytes()
    equal(int.from_bytes(data[18:20], "little"), EM_AARCH64, f"machine of {output}")
    elf = note.elf(sandbox.work / output)
    record = elf.manifest().link
    equal(record["target"], {"cuda": "12.4", "libs": {"libnvJitLink.so.12": "12.4.127"},
                             "spec": "torch==2.5.1"}, "target")
    equal(record["objects"], {"noted": 1, "unnoted": 0}, "objects")
    equal(record.get("linker"), linker, "linker")
    assert "libnvJitLink.so.12" in elf.needed, elf.needed
    equal(elf.rpath, ["$ORIGIN/../nvidia/nvjitlink/lib", "$ORIGIN/nvidia/nvjitlink/lib"], "RPATH")
    assert not elf.executable_stack, output
    shown = sandbox.run("readelf", "-nW", output)
    for kind in ("0xc0da0001", "0xc0da0002", "0xc0da0003"):
        equal(shown.out.count(kind), 1, f"{kind} in {shown}")
    shown = sandbox.cc("inspect", output)
    assert "aarch64" in shown.out and "sealed" in shown.out, shown
    (sandbox.work / output).unlink()

sandbox.good(torch, gxx, "-fPIC", "-c", "ext.cpp", *words("12.4.127")[:2], "-o", "ext.o")


@behaviour
def a_library_and_a_program_are_linked_as_natively():
    sandbox.good(torch, gxx, "-shared", "-fPIC", "ext.cpp", "-o", "ext.so", *words("12.4.127"))
    held("ext.so")
    sandbox.good(torch, gxx, "main.cpp", "-o", "main", *words("12.4.127"))
    held("main")


@behaviour
def a_library_that_is_too_new_is_refused():
    ended = sandbox.refused(torch, gxx, "-shared", "-fPIC", "ext.cpp", "-o", "ext.so", *words("12.5.82"),
                            code="CC3015", output="ext.so")
    assert "12.5.82" in ended.err and "torch==2.5.1" in ended.err, ended


@behaviour
def gold_links_as_natively():
    if tools("aarch64-linux-gnu-ld.gold"):
        sandbox.good(torch, gxx, "-shared", "ext.o", "-fuse-ld=gold", "-o", "ext.so",
                     *words("12.4.127")[2:])
        held("ext.so", "gold")


@behaviour
def lld_and_mold_link_as_natively():
    for linker, program in (("lld", "ld.lld"), ("mold", "mold")):
        if tools("clang++") and tools(program):
            sandbox.good(torch, "clang++", "--target=aarch64-linux-gnu", "-shared", "ext.o",
                         f"-fuse-ld={linker}", "-o", "ext.so", *words("12.4.127")[2:])
            held("ext.so", linker)


@behaviour
def libraries_for_the_build_machine_are_skipped():
    mixed = {}
    for name, links in (("so", ["libnvJitLink.so"]), ("soname", ["libnvJitLink.so.12"]),
                        ("both", ["libnvJitLink.so", "libnvJitLink.so.12"])):
        mixed[name] = sandbox.work / f"native-{name}"
        mixed[name].mkdir()
        for link in links:
            (mixed[name] / link).symlink_to(native / "libnvJitLink.so.12")
    for name, folder in mixed.items():
        for spelled in ("-lnvJitLink", "-l:libnvJitLink.so.12"):
            ended = sandbox.cc(torch, gxx, "-shared", "ext.o", "-o", "ext.so", f"-L{folder}",
                               f"-L{arm['12.4.127']}/lib", spelled)
            equal((ended.status, ended.codes), (0, []), f"{name}: {ended}")
            held("ext.so")
            ended = sandbox.cc(torch, gxx, "-shared", "ext.o", "-o", "ext.so", f"-L{folder}", spelled)
            equal((ended.status, ended.codes), (1, []), f"nothing but {name}: {ended}")


@behaviour
def a_library_for_the_build_machine_that_is_given_by_path_is_refused_by_the_linker():
    ended = sandbox.cc("--cudacc-runtime=torch==2.7.1", gxx, "-shared", "ext.o", "-o", "ext.so",
                       native / "libnvJitLink.so.12")
    equal((ended.status, ended.codes), (1, []), ended)


sandbox.clean()
