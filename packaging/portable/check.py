#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that a program which `cmake --install` left in a folder runs wherever its wheel says (PEP 599):

    check.py PREFIX MACHINE [--libc FOLDER] [--wheel FILE]

Of the program, its device linker and the loader's audit library: the machine, which versions of glibc's symbols and
which libraries they need, no search path, no path of the build machine. The program runs: here, where this is such a
machine, and with the libc that lies in the folder, in qemu where it is another one. The wheel made of it has a size
that nobody minds, and auditwheel agrees with its tag. Prints what is wrong, and ends with 1.
"""
import argparse
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection

FLOOR = (2, 17)
LARGEST = 4_000_000
LIBRARIES = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2"}
MACHINES = {"x86_64": ("EM_X86_64", "ld-linux-x86-64.so.2"), "aarch64": ("EM_AARCH64", "ld-linux-aarch64.so.1")}
# What a path of the machine that built it would begin with.
FOREIGN = re.compile(rb"(?:/root/|/home/|/tmp/|/work/|/build-dist)[\x20-\x7e]+")


def required_versions(elf):
    """Names of the versions that it needs: GLIBC_2.17."""
    return {version.name for section in elf.iter_sections() if isinstance(section, GNUVerNeedSection)
            for _, versions in section.iter_versions() for version in versions}


def problems_of(file, machine):
    """What is wrong with a file, and which version of glibc it needs."""
    wrong, newest = [], (0,)
    with file.open("rb") as stream:
        elf = ELFFile(stream)
        kind, loader = MACHINES[machine]
        if elf["e_machine"] != kind:
            wrong.append(f"is for {elf['e_machine']}")
        dynamic = [tag for section in elf.iter_sections() if isinstance(section, DynamicSection)
                   for tag in section.iter_tags()]
        needed = {tag.needed for tag in dynamic if tag.entry.d_tag == "DT_NEEDED"}
        if needed - LIBRARIES - {loader}:
            wrong.append(f"needs {' '.join(sorted(needed - LIBRARIES - {loader}))}")
        if any(tag.entry.d_tag in ("DT_RPATH", "DT_RUNPATH") for tag in dynamic):
            wrong.append("has a search path")
        for version in sorted(required_versions(elf)):
            number = re.fullmatch(r"GLIBC_(\d+(?:\.\d+)*)", version)
            if not number:
                wrong.append(f"needs the version {version}")
                continue
            newest = max(newest, tuple(map(int, number[1].split("."))))
        if newest > FLOOR:
            wrong.append(f"needs glibc {'.'.join(map(str, newest))}")
        if elf.get_section_by_name(".debug_info") or elf.get_section_by_name(".symtab"):
            wrong.append("is not stripped")
    wrong += [f"names {path.decode()}" for path in sorted(set(FOREIGN.findall(file.read_bytes())))
              if os.fsencode(Path.cwd()) in path or b"/.cache/" in path]
    return wrong, newest


def commands(program, machine, libc):
    """The ways to start it, by what each is called."""
    here = machine == platform.machine()
    if here:
        yield "here", [program]
    if libc:
        libraries = next(libc.glob("lib/**/libc.so.6")).parent
        yield f"with {libraries}", [*([] if here else [f"qemu-{machine}"]), libraries / MACHINES[machine][1],
                                    "--library-path", libraries, program]


def runs(words):
    """What is wrong with that, or None."""
    done = subprocess.run([*map(str, words), "version"], text=True, capture_output=True)
    if done.returncode == 0 and done.stdout.startswith("cuda-cc "):
        return None
    return f"status {done.returncode}: {done.stdout}{done.stderr}".strip()


def problems_of_wheel(wheel, machine):
    wrong = []
    if wheel.stat().st_size > LARGEST:
        wrong.append(f"has {wheel.stat().st_size:,} bytes, more than {LARGEST:,}")
    if not wheel.name.endswith(f"-py3-none-manylinux2014_{machine}.whl"):
        wrong.append("has another tag")
    done = subprocess.run([sys.executable, "-m", "auditwheel", "show", wheel], text=True, capture_output=True)
    tag = re.search(r'"manylinux_2_(\d+)_', done.stdout)
    if not tag or int(tag[1]) > FLOOR[1]:
        wrong.append(f"is no manylinux2014: {done.stdout}{done.stderr}".strip())
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("prefix", type=Path)
    parser.add_argument("machine", choices=MACHINES)
    parser.add_argument("--libc", type=Path, help="folder with the lib/ of another libc")
    parser.add_argument("--wheel", type=Path)
    options = parser.parse_args()
    program = options.prefix / "bin/cuda-cc"
    failed = False
    for file in (program, *(options.prefix / "libexec/cuda-cc" / name for name in ("devlink", "libcuda-cc-rtld.so"))):
        wrong, newest = problems_of(file, options.machine)
        failed |= bool(wrong)
        for problem in wrong:
            print(f"{file} {problem}", file=sys.stderr)
        print(f"{file}: {file.stat().st_size:,} bytes, needs glibc {'.'.join(map(str, newest))}")
    for name, words in commands(program, options.machine, options.libc):
        problem = runs(words)
        print(f"{program} {problem or 'runs'} {name}", file=sys.stderr if problem else sys.stdout)
        failed |= bool(problem)
    if options.wheel:
        wrong = problems_of_wheel(options.wheel, options.machine)
        failed |= bool(wrong)
        for problem in wrong:
            print(f"{options.wheel} {problem}", file=sys.stderr)
        print(f"{options.wheel}: {options.wheel.stat().st_size:,} bytes")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
