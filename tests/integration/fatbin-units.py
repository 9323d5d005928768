# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Architectures, suffixes and PTX of translation units, as their command lines request them (FB-13, FB-16, FB-17,
FB-20, FB-40, FB-41, FB-45)."""
from fatbin import check, cubin, run, unfit, unit


def default(kit):
    arch = kit.arch
    check(kit, kit.library(), kit.linked(cubin(arch, "no")) + [unit(cubin(arch), kit.ptx(arch))])


def one_architecture(kit):
    check(kit, kit.library("-arch=sm_80"),
          kit.linked(cubin(80, "no")) + [unit(cubin(80), kit.ptx(80))])


def machine_code_only(kit):
    words = ("-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_86,code=sm_86")
    check(kit, kit.library(*words),
          kit.linked(cubin(80, "no"), cubin(86, "no")) + [unit(cubin(80), cubin(86))])


def ptx_only(kit):
    check(kit, kit.library("-gencode", "arch=compute_80,code=compute_80"),
          kit.linked() + [unit(kit.ptx(80))])


def with_suffix_a(kit):
    if kit.version < (12,):
        unfit("nvcc 11.8 knows no sm_90a")
    arch = "arch=compute_90a,code="
    check(kit, kit.library("-gencode", arch + "sm_90a"),
          kit.linked(cubin("90a", "no")) + [unit(cubin("90a"))])
    check(kit, kit.library("-gencode", arch + "[sm_90a,compute_90a]"),
          kit.linked(cubin("90a", "no")) + [unit(cubin("90a"), kit.ptx("90a"))])


def with_suffix_f(kit):
    """-arch=sm_100f adds the PTX of compute_100 too."""
    if kit.version < (13,):
        unfit("no f before 12.9")
    check(kit, kit.library("-arch=sm_100f"),
          kit.linked(cubin("100f", "no"))
          + [unit(kit.ptx(100), cubin("100f"), kit.ptx("100f"))])


def newest_with_suffix_a(kit):
    if kit.version < (13,):
        unfit("no sm_120a before 12.8")
    check(kit, kit.library("-arch=sm_120a"),
          kit.linked(cubin("120a", "no"))
          + [unit(kit.ptx(120), cubin("120a"), kit.ptx("120a"))])


def all_architectures(kit):
    shown = kit.sandbox.run("nvcc", "--list-gpu-code").out.split()
    codes = [code.removeprefix("sm_") for code in shown]
    # The PTX of the newest major comes first; the lists of 13.x are not sorted.
    codes.sort(key=lambda code: (int(code)))
    newest = max(int(code) // 10 for code in codes)
    ptx = next(code for code in codes if int(code) // 10 == newest)
    images = []
    for code in codes:
        images += [kit.ptx(code)] if code == ptx else []
        images.append(cubin(code))
    check(kit, kit.library("-arch=all"),
          kit.linked(*(cubin(code, "no") for code in codes)) + [unit(*images)])


def debugging(kit):
    """-G compresses cubins too."""
    check(kit, kit.library("-G", "-arch=sm_80"),
          kit.linked(cubin(80, "no", kit.packed))
          + [unit(cubin(80, "yes", kit.packed), kit.ptx(80))])


def options_in_the_header(kit):
    """Names and option bytes make headers longer."""
    expected = kit.linked(cubin(80, "no")) + [unit(cubin(80), kit.ptx(80))]
    for words in (["-lineinfo"], ["-maxrregcount=32"], ["-lineinfo", "-maxrregcount=64"]):
        check(kit, kit.library("-arch=sm_80", *words), expected)
    if kit.version >= (13,):
        check(kit, kit.library("-gencode", "arch=compute_100,code=sm_100", "-maxrregcount=32"),
              kit.linked(cubin(100, "no")) + [unit(cubin(100))])


def nothing_to_run(kit):
    """An empty unit, and one of variables only: a cubin without code beside PTX."""
    expected = kit.linked(cubin(80, "no")) + [unit(cubin(80, "no"), kit.ptx(80))]
    for source in ("empty.cu", "variables.cu"):
        check(kit, kit.library("-arch=sm_80", inputs=[source]), expected)
    check(kit, kit.library("-arch=sm_80", inputs=["managed.cu"]), expected, managed=True)


def linked_for_another_architecture(kit):
    """cuobjdump lists sm_90 although the unit has only PTX."""
    part = kit.object("-gencode", "arch=compute_80,code=compute_80")
    check(kit, part, [unit(kit.ptx(80))])
    check(kit, kit.library("-arch=sm_90", inputs=[part]),
          kit.linked(cubin(90, "no")) + [unit(kit.ptx(80))])


def units_of_different_architectures(kit):
    one, two = kit.object("-arch=sm_80"), kit.object("-arch=sm_90", source="other.cu")
    same = kit.object("-arch=sm_80", source="other.cu")
    check(kit, kit.library("-arch=sm_80", inputs=[one, two]),
          kit.linked(cubin(80, "no"))
          + [unit(cubin(80), kit.ptx(80)), unit(cubin(90), kit.ptx(90))])
    check(kit, kit.library("-arch=sm_80", inputs=[one, same]),
          kit.linked(cubin(80, "no")) + [unit(cubin(80), kit.ptx(80))] * 2)


run(default, one_architecture, machine_code_only, ptx_only, with_suffix_a, with_suffix_f,
    newest_with_suffix_a, all_architectures, debugging, options_in_the_header, nothing_to_run,
    linked_for_another_architecture, units_of_different_architectures, everywhere=default)
