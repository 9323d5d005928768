# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""HOME unset, a working directory that was removed or cannot be read: the call succeeds, and the next one too (F21,
AT19)."""
import os

import note
from sandbox import KERNEL, MAIN, PROGRAM, Sandbox, equal, ours

sandbox = Sandbox("13.0")
sandbox.write("k.cu", KERNEL)
sandbox.write("main.cpp", MAIN)
runtime = "--cudacc-runtime=cuda==13.0"
build = ("-arch=sm_80", "-shared", "-Xcompiler", "-fPIC", "-cudart", "shared", "k.cu", "-o", "k.so")

for home in ({"HOME": None}, {"HOME": ""}):
    for attempt in ("first", "second"):
        sandbox.good(runtime, *build, **home)
        elf = note.elf(sandbox.work / "k.so")
        equal((len(elf.manifest().objects), len(ours(elf.rpath))), (1, 2), f"{home} {attempt}")
        assert elf.manifest().link, home
        (sandbox.work / "k.so").unlink()
    equal(sandbox.files(), {"k.cu", "main.cpp"}, "nothing in the working directory")
    left = [path for path in sandbox.tmp.rglob("*") if "tmpxft" in path.name or
            path.name.endswith(".tmp")]
    equal(left, [], "only the private directory is in TMPDIR")
    for folder in sandbox.tmp.iterdir():
        equal(folder.stat().st_mode & 0o077, 0, f"{folder} is private")

gone = sandbox.root / "gone"
source, output = sandbox.work / "main.cpp", sandbox.work / "main"
for words in (("-c", source, "-o", f"{output}.o"), (source, "-o", output)):
    gone.mkdir()
    ended = sandbox.run("sh", "-c", 'cd "$1" && rmdir "$1" && shift && exec "$@"', "sh", gone,
                        PROGRAM, runtime, "g++", *words)
    if ended.status:
        equal((ended.status, len(ended.codes)), (4, 1), ended)
    else:
        assert not ended.codes and os.path.exists(words[-1]), ended
if output.exists():
    assert note.manifest(output).link, "linked from a folder that is gone"

ended = sandbox.run("sh", "-c", 'cd / && exec "$@"', "sh", PROGRAM, runtime, "g++", source, "-o",
                    output)
equal((ended.status, ended.codes), (0, []), "from /")
assert note.manifest(output).link, "from /"
