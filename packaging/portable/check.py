#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that a program which `cmake --install` left in a folder runs wherever its wheel says (PEP 599):

    check.py PREFIX MACHINE [--wheel FILE]

Of the program: the machine, that it is static, that no data can become code, and that it has no path of the build
machine; and it runs, in a root that has nothing else, and in qemu where this is another machine. Of its device linker
and the loader's audit library, which are glibc's: which versions of symbols and which libraries they need, no search
path. The wheel made of it has a size that nobody minds, and auditwheel agrees with its tag. Prints what is wrong, and
ends with 1.
"""
import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection

FLOOR = (2, 17)
# Of segments, of DT_FLAGS and of DT_FLAGS_1.
EXECUTE, WRITE = 1, 2
TEXT_RELOCATIONS, BIND_NOW, NOW = 4, 8, 1
LARGEST = 5_000_000
LIBRARIES = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2"}
MACHINES = {"x86_64": ("EM_X86_64", "ld-linux-x86-64.so.2"), "aarch64": ("EM_AARCH64", "ld-linux-aarch64.so.1")}
# musl gives each thread as much stack as the file asks for, 128 KB without that.
STACK = 8 << 20
# What a path of the machine that built it would begin with.
FOREIGN = re.compile(rb"(?:/root/|/home/|/tmp/|/work/|/build-dist)[\x20-\x7e]+")


def required_versions(elf):
    """Names of the versions that it needs: GLIBC_2.17."""
    return {version.name for section in elf.iter_sections() if isinstance(section, GNUVerNeedSection)
            for _, versions in section.iter_versions() for version in versions}


def problems_of_segments(elf, dynamic):
    """What would let data become code."""
    segments = list(elf.iter_segments())
    flags = {tag.entry.d_tag: tag.entry.d_val for tag in dynamic}
    stack = [segment for segment in segments if segment["p_type"] == "PT_GNU_STACK"]
    if not stack or stack[0]["p_flags"] & EXECUTE:
        yield "has an executable stack"
    if any(segment["p_type"] == "PT_LOAD" and segment["p_flags"] & WRITE and segment["p_flags"] & EXECUTE
           for segment in segments):
        yield "has a segment that can be written and executed"
    if "DT_TEXTREL" in flags or flags.get("DT_FLAGS", 0) & TEXT_RELOCATIONS:
        yield "relocates its code"
    if dynamic and (not any(segment["p_type"] == "PT_GNU_RELRO" for segment in segments)
                    or not (flags.get("DT_FLAGS", 0) & BIND_NOW or flags.get("DT_FLAGS_1", 0) & NOW)):
        yield "has pointers to functions that stay writable"


def problems_of_program(elf):
    """Of a file that has to be static."""
    kinds = {segment["p_type"]: segment for segment in elf.iter_segments()}
    if kinds.keys() & {"PT_INTERP", "PT_DYNAMIC"}:
        yield "is not static"
    if elf["e_type"] != "ET_EXEC":
        yield "is position-independent: it relocates itself at each start"
    if kinds["PT_GNU_STACK"]["p_memsz"] < STACK:
        yield "has threads with a small stack"


def problems_of(file, machine, static):
    """What is wrong with a file, and which version of glibc it needs."""
    wrong, newest = [], (0,)
    with file.open("rb") as stream:
        elf = ELFFile(stream)
        kind, loader = MACHINES[machine]
        if elf["e_machine"] != kind:
            wrong.append(f"is for {elf['e_machine']}")
        if static:
            wrong += problems_of_program(elf)
        dynamic = [tag for section in elf.iter_sections() if isinstance(section, DynamicSection)
                   for tag in section.iter_tags()]
        wrong += problems_of_segments(elf, dynamic)
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


def runs(program, machine):
    """What is wrong with a call of it in a root of its own, or None. Where that is not allowed, as it is."""
    with tempfile.TemporaryDirectory() as root:
        shutil.copy(program, root)
        words, alone = [f"/{program.name}", "version"], ["unshare", "--user", "--map-root-user", "chroot", root]
        if machine != platform.machine():
            words, alone = [f"qemu-{machine}", program, "version"], []
        elif subprocess.run([*alone, "/none"], capture_output=True).returncode != 127:
            words, alone = [program, "version"], []
        done = subprocess.run([*alone, *words], text=True, capture_output=True)
    if done.returncode == 0 and done.stdout.startswith("cuda-cc "):
        return None
    return f"status {done.returncode}: {done.stdout}{done.stderr}".strip()


def problems_of_wheel(wheel, machine):
    wrong = []
    if wheel.stat().st_size > LARGEST:
        wrong.append(f"has {wheel.stat().st_size:,} bytes, more than {LARGEST:,}")
    if not wheel.name.endswith(f"-py3-none-manylinux2014_{machine}.musllinux_1_1_{machine}.whl"):
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
    parser.add_argument("--wheel", type=Path)
    options = parser.parse_args()
    program = options.prefix / "bin/cuda-cc"
    failed = False
    for file in (program, *(options.prefix / "libexec/cuda-cc" / name for name in ("devlink", "libcuda-cc-rtld.so"))):
        wrong, newest = problems_of(file, options.machine, file == program)
        failed |= bool(wrong)
        for problem in wrong:
            print(f"{file} {problem}", file=sys.stderr)
        needs = f"needs glibc {'.'.join(map(str, newest))}" if newest > (0,) else "needs nothing"
        print(f"{file}: {file.stat().st_size:,} bytes, {needs}")
    problem = runs(program, options.machine)
    print(f"{program} {problem or 'runs'}", file=sys.stderr if problem else sys.stdout)
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
