# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""AT20: toolchain directories of toolkits with the installer's layout and of bare wheels, 13.0 to 13.5 and 12.4:
compile, static and shared cudart, -dlto, -lcuda."""
from pathlib import Path

import note
from sandbox import KERNEL, MAIN, Sandbox, equal, skip, toolkits


def tries(name, toolkit, version, static=True):
    sandbox = Sandbox()
    td = sandbox.work / "td"
    made = sandbox.good("toolchain", td, "--toolkit", toolkit, "--runtime", f"cuda=={version}")
    assert f"{td}: made" in made.out, made
    sandbox.write("k.cu", KERNEL + MAIN)
    sandbox.write("d.cpp", "#include <cuda.h>\nint main() { return cuInit(0); }\n")
    front = td / "bin/nvcc"
    shared = ["-cudart", "shared"] + ([] if static else ["-cudadevrt", "none"])
    steps = [("-c",), (*shared, "-o", "shared")]
    if static:
        steps += [("-o", "static"), ("-dlto", "-rdc=true", "-o", "lto")]
    for step in steps:
        ended = sandbox.run(front, "-arch=sm_80", "k.cu", *step)
        assert ended.status == 0 and "cuda-cc" not in ended.err, f"{name}: {ended}"
    for words in ((td / "bin/g++", "d.cpp"), (front, "d.cpp", *([] if static else shared))):
        ended = sandbox.run(*words, "-lcuda", "-o", "d")
        assert ended.status == 0 and "cuda-cc" not in ended.err, f"{name}: {ended}"
        assert "libcuda.so.1" in note.elf(sandbox.work / "d").needed, name
    equal((td / "version.txt").read_text().split()[-1].rsplit(".", 1)[0], version, name)

for minor in ("13.0", "13.2", "13.5"):
    tries(f"bare {minor}", Path(toolkits.bare(minor)), minor)
tries("13.0", Path(toolkits.get("13.0")), "13.0")
try:
    tries("12.4", Path(toolkits.get("12.4")), "12.4", static=False)
except toolkits.Skipped as reason:
    skip(reason)
