# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""The compiler gets the caller's environment (R5), without the variables that nvcc exports if nvcc starts another nvcc
(R36)."""
from recording import Place, equal

place = Place()
given = {"CUDA_HOME": "/none", "TOP": "top", "INCLUDES": "i", "EMPTY": "", "A": "b c=d\n",
         "LD_LIBRARY_PATH": "/x:/y", "NVCC_CCBIN": "g++", "NVCC_APPEND_FLAGS": "-DX"}

for words in (("g++", "-c", "x.c"), ("g++", "--version"), ("-c", "k.cu"), ("--version",)):
    equal(place.call(*words, **given).only.environment, place.environment(**given), f"{words}")

nvcc = {"_HERE_": "/other/bin", "_THERE_": "/other/bin", "TOP": "/other/bin/..",
        "INCLUDES": '"-I/other/include"', "SYSTEM_INCLUDES": "s", "LIBRARIES": '"-L/other/lib"',
        "CICC_PATH": "/other/nvvm/bin", "NVVMIR_LIBRARY_DIR": "/other/nvvm/libdevice",
        "_TARGET_SIZE_": "", "_TARGET_DIR_": "", "_SPACE_": " ", "KEPT": "1"}
environment = place.call("-c", "k.cu", **nvcc).only.environment
leaked = sorted(name for name in nvcc if name in environment and name not in ("KEPT", "_SPACE_"))
equal(leaked, [], "nvcc's exports below another nvcc")
equal(environment["KEPT"], "1", "the rest")
