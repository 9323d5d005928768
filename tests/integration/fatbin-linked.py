# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""The same units in every kind of linked file: static and shared cudart, all forms of the wrappers' pointers,
stripped, without section headers (FB-11, FB-12, FB-27, FB-33)."""
import shutil
import struct

from fatbin import DUMP, check, cubin, dump, equal, run, unfit, unit, units
from sandbox import tools

ARCH = "-arch=sm_80"


def expected(kit):
    return kit.linked(cubin(80, "no")) + [unit(cubin(80), kit.ptx(80))]


def programs(kit, *words, cudart="shared", name="program"):
    without = ("-cudadevrt", "none") if kit.debian else ()
    return kit.nvcc(ARCH, "-cudart", cudart, *without, *words, "main.cpp", "k.cu", output=name)


def position_independent(kit):
    check(kit, programs(kit, "-Xcompiler", "-fPIE,-pie"), expected(kit))


def not_position_independent(kit):
    check(kit, programs(kit, "-Xcompiler", "-fno-pie,-no-pie"), expected(kit))


def static_cudart(kit):
    """libcudart_static.a adds no device code."""
    if kit.debian:
        unfit("Debian's package has no libcudart_static.a")
    check(kit, programs(kit, cudart="static"), expected(kit))


def linkers(kit):
    """Relocations in the table, sorted or not, and packed as RELR, where the addends are in place."""
    part = kit.object(ARCH)
    for name, words in (("bfd", []), ("gold", []), ("lld", []), ("mold", []),
                        ("lld", ["--pack-dyn-relocs=relr"]), ("mold", ["--pack-dyn-relocs=relr"]),
                        ("bfd", ["-z", "nocombreloc"]), ("bfd", ["-z", "pack-relative-relocs"])):
        if not tools("ld." + name if name != "mold" else name):
            continue
        options = [part for word in words for part in ("-Xlinker", word)]
        check(kit, kit.library(ARCH, "-Xcompiler", f"-fuse-ld={name}", *options, inputs=[part]),
              expected(kit))


def treated(kit):
    """Stripped, and without section headers."""
    library = kit.library(ARCH)
    stripped = kit.sandbox.work / "stripped.so"
    equal(kit.sandbox.run("strip", "-o", stripped, library).status, 0, "strip")
    check(kit, stripped, expected(kit))
    bytes = bytearray(stripped.read_bytes())
    bytes[0x28:0x30] = struct.pack("<Q", 0)
    bytes[0x3c:0x40] = struct.pack("<HH", 0, 0)
    bare = kit.sandbox.work / "bare.so"
    bare.write_bytes(bytes)
    device = dump(bare, "--deep", "--verify")
    equal(units(device), expected(kit), f"{kit.minor}: without section headers")
    for key in ("brokenWrappers", "unknown", "limits", "disagreements"):
        equal(device[key], [], key)


def broken(kit):
    """A wrapper whose pointer no longer leads to its container (AV-E07)."""
    library = kit.library(ARCH)
    shown = kit.sandbox.run("readelf", "-rW", library).out
    bytes = bytearray(library.read_bytes())
    deep = dump(library)
    equal(deep["brokenWrappers"], [], "whole")
    section = kit.sandbox.run("readelf", "-SW", library).out
    address = int(next(line for line in section.splitlines() if ".nvFatBinSegment" in line)
                  .split("PROGBITS")[1].split()[0], 16)
    slot = next(line for line in shown.splitlines() if line.startswith(f"{address + 8:016x}"))
    entry = struct.pack("<QQQ", address + 8, 8, int(slot.split()[-1], 16))
    at = bytes.find(entry)
    assert at > 0, shown
    bytes[at + 16:at + 24] = struct.pack("<Q", address)
    (kit.sandbox.work / "broken.so").write_bytes(bytes)
    equal(len(dump(kit.sandbox.work / "broken.so")["brokenWrappers"]), 1, "one wrapper points nowhere")


def cut(kit):
    """A file that is truncated anywhere can still be read."""
    library = shutil.copy(kit.library(ARCH), kit.sandbox.work / "cut.so")
    whole = library.read_bytes()
    for size in range(len(whole) - 1, 0, -(len(whole) // 40)):
        library.write_bytes(whole[:size])
        ended = kit.sandbox.run(DUMP, "--deep", "--verify", library)
        assert ended.status in (0, 1), ended


run(linkers, position_independent, not_position_independent, static_cudart, treated, broken, cut)
