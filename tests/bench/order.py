#!/usr/bin/env python3
"""Writes driver/text.order: the functions that calls in front of a compiler enter, those of most calls
first (cmake/build/CudaccOrder.cmake). The calls are those of the bench; valgrind sees what they enter."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

import bench

ORDER = bench.ROOT / "driver/text.order"
HEAD = """\
# What a compile enters, for cmake/build/CudaccOrder.cmake. Written by ./dev order from the release
# build; a name that is gone does no harm.
"""


def functions(program):
    """Name in the program's symbol table -> all names of that function: a constructor has two, and its
    section is called by the one that valgrind does not tell."""
    lines = subprocess.run(["nm", program], stdout=subprocess.PIPE, text=True, check=True).stdout
    found = re.findall(r"(?m)^(\w+) [tTwWuVv] (\S+)$", lines)
    alike = defaultdict(set)
    for address, name in found:
        alike[address].add(name)
    return {name: alike[address] for address, name in found}


def entered(command, env, folder):
    """Names of the functions that one call enters before it execs."""
    out = folder / "callgrind"
    subprocess.run(["valgrind", "--tool=callgrind", "--demangle=no", "--dump-before=execve",
                    f"--callgrind-out-file={out}", *command.argv], env={**env, **command.env},
                   cwd=command.cwd, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
    names = set()
    for part in folder.glob("callgrind*"):
        names |= set(re.findall(r"(?m)^c?fn=\(\d+\) ([^\s']+)", part.read_text()))
        part.unlink()
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=bench.ROOT / "build-release/bin/cuda-cc", type=Path)
    program = parser.parse_args().program.resolve()
    own = functions(program)
    calls = Counter()
    with tempfile.TemporaryDirectory(prefix="cuda-cc-order-") as folder:
        scratch = Path(folder)
        cc = scratch / "cuda-cc"
        shutil.copy2(program, cc)
        env = {"PATH": os.environ["PATH"], "HOME": str(scratch / "home"), "TMPDIR": folder}
        traces = scratch / "traces"
        traces.mkdir()
        for command in bench.small(scratch, cc):
            if command.argv[0] != str(cc):
                continue
            # The first call keeps what the next ones find.
            subprocess.run(command.argv, env={**env, **command.env}, cwd=command.cwd, check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            names = entered(command, env, traces) & own.keys()
            calls.update(set().union(*(own[name] for name in names)))
    names = sorted(calls, key=lambda name: (-calls[name], name))
    ORDER.write_text(HEAD + "".join(f"{name}\n" for name in names))
    print(f"{ORDER.relative_to(bench.ROOT)}: {len(names)} functions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
