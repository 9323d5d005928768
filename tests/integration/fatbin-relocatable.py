# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Relocatable device code: objects, LTO-IR, and the result of the device link (FB-2, FB-10, FB-13, FB-40, FB-43,
3.4)."""
from fatbin import check, cubin, dump, equal, relocatable, run, unfit, unit, units


def objects(kit):
    check(kit, kit.object("-dc", "-arch=sm_80", source="call.cu"),
          [relocatable(cubin(80, "link", kit.packed), kit.ptx(80))])


def linked(kit):
    """The final machine code is what the device link made."""
    check(kit, kit.library("-rdc=true", "-arch=sm_80", inputs=["call.cu", "half.cu"]),
          [f"fatbin linked [{cubin(80)}]"]
          + [relocatable(cubin(80, "link", kit.packed), kit.ptx(80))] * 2)


def linked_beside_an_ordinary_unit(kit):
    whole = kit.object("-arch=sm_90")
    parts = [kit.object("-dc", "-arch=sm_80", source=name) for name in ("call.cu", "half.cu")]
    check(kit, kit.library("-arch=sm_80", inputs=[whole, *parts]),
          [f"fatbin linked [{cubin(80)}]", unit(cubin(90), kit.ptx(90))]
          + [relocatable(cubin(80, "link", kit.packed), kit.ptx(80))] * 2)


def lto_ir(kit):
    check(kit, kit.object("-dc", "-gencode", "arch=compute_80,code=lto_80", source="call.cu"),
          [relocatable(kit.ltoir(80))])


def lto_ir_without_compression(kit):
    if kit.version < (13,):
        unfit("--compress-mode is new in 13.0")
    words = ("-dc", "-gencode", "arch=compute_80,code=lto_80", "-compress-mode=none")
    check(kit, kit.object(*words, source="call.cu"), [relocatable(kit.ltoir(80, "none"))])


def every_kind_in_one_object(kit):
    words = ("-dc", "-gencode", "arch=compute_80,code=[sm_80,lto_80,compute_80]")
    check(kit, kit.object(*words, source="call.cu"),
          [relocatable(cubin(80, "link", kit.packed), kit.ltoir(80), kit.ptx(80))])


def archives(kit):
    """Members are counted together, and equal ones are one entry with a count."""
    parts = [kit.object("-dc", "-arch=sm_80", source=name) for name in ("call.cu", "half.cu")]
    archive = kit.sandbox.work / "lib.a"
    archive.unlink(missing_ok=True)
    ended = kit.sandbox.run("ar", "rcs", archive, *parts, kit.object("-arch=sm_80"))
    equal(ended.status, 0, ended)
    device = dump(archive, "--deep", "--verify")
    equal(units(device), [relocatable(cubin(80, "link", kit.packed), kit.ptx(80))] * 2
          + [unit(cubin(80), kit.ptx(80))], "archive")
    equal([each["count"] for each in device["units"]], [2, 1], "counts")


run(objects, linked, linked_beside_an_ordinary_unit, lto_ir, lto_ir_without_compression,
    every_kind_in_one_object, archives)
