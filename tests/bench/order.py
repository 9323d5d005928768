#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes driver/text.order: the functions that the benchmark's calls enter before the compiler starts, according to
valgrind, sorted by the number of calls that enter them (cmake/build/CudaccOrder.cmake)."""
import os
import re
import shutil
import subprocess
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

import bench

ORDER = bench.ROOT / "driver/text.order"
PROGRAM = bench.ROOT / "build-release/bin/cuda-cc"
HEAD = "# Functions that a compile enters, for cmake/build/CudaccOrder.cmake. Written by ./dev order.\n"


def functions():
    """Name in the symbol table -> all names of that function: constructors have two, and valgrind prints one."""
    lines = subprocess.run(["nm", PROGRAM], stdout=subprocess.PIPE, text=True, check=True).stdout
    alike = defaultdict(set)
    for address, name in re.findall(r"(?m)^(\w+) [tTwWuVv] (\S+)$", lines):
        alike[address].add(name)
    return {name: names for names in alike.values() for name in names}


def entered(command, env, folder):
    """Names of the functions that one call enters before it execs."""
    quiet = {"env": {**env, **command.env}, "cwd": command.cwd, "stdout": subprocess.DEVNULL,
             "stderr": subprocess.DEVNULL, "check": True}
    # The first call fills the cache.
    subprocess.run(command.argv, **quiet)
    subprocess.run(["valgrind", "--tool=callgrind", "--demangle=no", "--dump-before=execve",
                    f"--callgrind-out-file={folder}/callgrind", *command.argv], **quiet)
    names = set()
    for part in folder.glob("callgrind*"):
        names |= set(re.findall(r"(?m)^c?fn=\(\d+\) ([^\s']+)", part.read_text()))
        part.unlink()
    return names


def main():
    own = functions()
    calls = Counter()
    with tempfile.TemporaryDirectory(prefix="cuda-cc-order-") as folder:
        scratch, traces = Path(folder), Path(folder) / "traces"
        traces.mkdir()
        cc = shutil.copy2(PROGRAM, scratch / "cuda-cc")
        env = {"PATH": os.environ["PATH"], "HOME": str(scratch / "home"), "TMPDIR": folder}
        for command in bench.small(scratch, cc):
            if command.argv[0] == str(cc):
                calls.update(set().union(*(own.get(name, ()) for name in entered(command, env, traces))))
    names = sorted(calls, key=lambda name: (-calls[name], name))
    ORDER.write_text(HEAD + "".join(f"{name}\n" for name in names))
    print(f"{ORDER.relative_to(bench.ROOT)}: {len(names)} functions")


if __name__ == "__main__":
    main()
