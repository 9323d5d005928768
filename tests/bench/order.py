#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes driver/text.order: the functions and constants that the benchmark's calls touch before the compiler starts,
according to valgrind (cmake/build/CudaccOrder.cmake). What the first call touches comes first, then what the second one
touches besides, and so on: each call's are as few pages as possible."""
import bisect
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import bench

ORDER = bench.ROOT / "driver/text.order"
PROGRAM = bench.ROOT / "build-release/bin/cuda-cc"
HEAD = "# Functions and constants that a compile touches, for cmake/build/CudaccOrder.cmake. Written by ./dev order.\n"
# Those whose time matters most.
FIRST = ("nothing declared", "judged", "without CUDA")


class Symbols:
    """Names by address. A function or constant may have several."""

    def __init__(self):
        names = {}
        lines = subprocess.run(["nm", "-S", PROGRAM], stdout=subprocess.PIPE, text=True, check=True).stdout
        for begin, size, name in re.findall(r"(?m)^(\w+) (\w+) [tTwWuVvrR] (\S+)$", lines):
            names.setdefault(int(begin, 16), (int(size, 16), []))[1].append(name)
        self.begins = sorted(names)
        self.names = [names[begin] for begin in self.begins]

    def at(self, address):
        index = bisect.bisect_right(self.begins, address) - 1
        size, names = self.names[index] if index >= 0 else (0, [])
        return names if address < self.begins[index] + size else []


def touched(command, env, symbols):
    """Names in the order in which one call touches them before it execs."""
    quiet = {"env": {**env, **command.env}, "cwd": command.cwd, "stdout": subprocess.DEVNULL, "check": True}
    # The first call fills the cache.
    subprocess.run(command.argv, stderr=subprocess.DEVNULL, **quiet)
    trace = subprocess.run(["valgrind", "--tool=lackey", "--trace-mem=yes", "--log-fd=2", *command.argv],
                           stderr=subprocess.PIPE, **quiet).stderr
    addresses = dict.fromkeys(re.findall(rb"(?m)^(?:I | L| M) (\w+),", trace))
    return list(dict.fromkeys(name for address in addresses for name in symbols.at(int(address, 16))))


def main():
    symbols = Symbols()
    names = {}
    with tempfile.TemporaryDirectory(prefix="cuda-cc-order-") as folder:
        scratch = Path(folder)
        cc = shutil.copy2(PROGRAM, scratch / "cuda-cc")
        env = {"PATH": os.environ["PATH"], "HOME": str(scratch / "home"), "TMPDIR": folder}
        direct, *others = bench.small(scratch, cc)
        calls = [command for command in others if command.argv[0] == str(cc)]
        calls.sort(key=lambda command: [command.name.endswith(name) for name in FIRST], reverse=True)
        # The compiler may be named, and the runtime be a variable's.
        named = [bench.Command("", [cc, *direct.argv], {"CUDA_CC_RUNTIME": "cuda==12.4"}, cwd=calls[0].cwd)]
        for command in (*calls[:1], *named, *calls[1:]):
            names.update(dict.fromkeys(touched(command, env, symbols)))
    ORDER.write_text(HEAD + "".join(f"{name}\n" for name in names))
    print(f"{ORDER.relative_to(bench.ROOT)}: {len(names)} functions and constants")


if __name__ == "__main__":
    main()
