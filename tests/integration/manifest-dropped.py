# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""A linker script that drops notes gives an accepted file without manifest and a warning (F3, LK-10, CC4116), if the
line names a CUDA library. If it names none, the caller's script means that the output is no ordinary program: cuda-cc
adds and reports nothing."""
import note
from sandbox import MAIN, Sandbox, equal, wheel

sandbox = Sandbox()
sandbox.write("main.cpp", MAIN)
full = sandbox.run("ld", "--verbose").out.split("=" * 50)[1]
sandbox.write("full.ld", full.replace("/DISCARD/ : {", "/DISCARD/ : { *(.note.*)"))

library = wheel("nvidia-nvjitlink-cu12==12.4.127") / "nvidia/nvjitlink/lib/libnvJitLink.so.12"
words = ("g++", "-fuse-ld=bfd", "main.cpp", "-o", "main", "-Wl,-T,full.ld")
ended = sandbox.cc(*words, "-Wl,--no-as-needed", library, "--cudacc-runtime=torch==2.5.1")
equal(ended.status, 0, ended)
equal(ended.err.count("[CC4116]"), 1, ended)
assert "error" not in ended.err and "remark" in ended.err, ended
assert not note.manifest(sandbox.work / "main"), "no manifest"

sandbox.good(*words, "--cudacc-runtime=torch==2.5.1")
ours = (sandbox.work / "main").read_bytes()
equal(sandbox.run(*words).status, 0)
equal(ours, (sandbox.work / "main").read_bytes(), "the linker's own")
equal(sandbox.run("./main").status, 0, "runs")
