# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Which images are compressed and how, in every mode (FB-17, FB-19, FB-47, 3.4)."""
from fatbin import check, cubin, run, unfit, unit


def modes(kit, mode, cubins, ptx):
    if kit.version < (13,):
        unfit("--compress-mode is new in 13.0")
    check(kit, kit.library("-arch=sm_80", f"-compress-mode={mode}"),
          kit.linked(cubin(80, "no", cubins)) + [unit(cubin(80, "yes", cubins), kit.ptx(80, ptx))])


def everything(kit):
    check(kit, kit.library("-arch=sm_80", "-Xfatbin", "-compress-all"),
          kit.linked(cubin(80, "no", kit.packed))
          + [unit(cubin(80, "yes", kit.packed), kit.ptx(80))])


def default(kit):
    modes(kit, "default", "none", "zstd")


def balance(kit):
    modes(kit, "balance", "none", "zstd")


def size(kit):
    modes(kit, "size", "zstd", "zstd")


def speed(kit):
    modes(kit, "speed", "none", "lz4")


def none(kit):
    modes(kit, "none", "none", "none")


def no_compress(kit):
    check(kit, kit.library("-arch=sm_80", "-no-compress"),
          kit.linked(cubin(80, "no")) + [unit(cubin(80), kit.ptx(80, "none"))])


def concatenated(kit):
    """Members of a group come from the header; PTX precedes it."""
    if kit.version < (13, 4):
        unfit("-concat is new in 13.4")
    words = ("-gencode", "arch=compute_80,code=sm_80", "-gencode",
             "arch=compute_90,code=[sm_90,compute_90]")
    check(kit, kit.library("-concat", *words),
          kit.linked(cubin(80, "no", "zstd"), cubin(90, "no", "zstd"))
          + [unit(kit.ptx(90), cubin(80, "yes", "zstd"), cubin(90, "yes", "zstd"))])


run(everything, default, balance, size, speed, none, no_compress, concatenated)
