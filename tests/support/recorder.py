# SPDX-License-Identifier: Apache-2.0
"""Recorders under compilers' names, and fake toolkits made of them.

    recorder.py toolkit DIR 13.0      makes a toolkit with the layout of NVIDIA's installer
    recorder.py compiler PATH         makes one recorder at PATH
    recorder.py started RECORDS [--all] [--argv0] [VARIABLE...]
        prints which programs were started, from a file of records (command/session.sh)
"""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent / "recorder.c"
PROFILE = """TOP = $(_HERE_)/..
PATH += $(TOP)/nvvm/bin:$(_HERE_):
INCLUDES += "-I$(TOP)/include" $(_SPACE_)
LIBRARIES =+ $(_SPACE_) "-L$(TOP)/lib64"
"""


def compiler(path, version=""):
    """Makes a recorder; with a version, it contains the version text of nvcc's own files."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = f"Cuda compilation tools, release {version}, V{version}.88" if version else "recorder"
    subprocess.run(["gcc", "-Os", "-s", f'-DVERSION="{text}"', str(SOURCE), "-o", str(path)],
                   check=True, stdin=subprocess.DEVNULL)
    return str(path)


def toolkit(folder, version):
    """Makes a toolkit whose programs are recorders; returns the path of its nvcc."""
    folder = Path(folder)
    major, minor = version.split(".")
    number = int(major) * 1000 + int(minor) * 10
    nvcc = compiler(folder / "bin/nvcc", version)
    for name in ("bin/ptxas", "bin/fatbinary", "bin/cudafe++", "nvvm/bin/cicc"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        os.link(nvcc, folder / name)
    (folder / "bin/nvcc.profile").write_text(PROFILE)
    (folder / "version.json").write_text(
        '{"cuda": {"name": "CUDA SDK", "version": "%s.1"},\n'
        ' "cuda_nvcc": {"name": "CUDA NVCC", "version": "%s.88"},\n'
        ' "cuda_cudart": {"name": "CUDA Runtime (cudart)", "version": "%s.96"}}\n'
        % (version, version, version))
    include = folder / "include"
    (include / "crt").mkdir(parents=True)
    (include / "cuda.h").write_text(f"#define CUDA_VERSION {number}\n")
    (include / "cuda_runtime_api.h").write_text(f"#define CUDART_VERSION  {number}\n")
    (include / "cuda_runtime.h").write_text('#include "cuda_runtime_api.h"\n')
    (include / "crt/host_config.h").write_text("")
    (folder / "lib64").mkdir()
    return nvcc


def started(records, *options):
    """A line per started program: its path below the folder of the records, its arguments, values of variables."""
    records = Path(records)
    lines = records.read_text().splitlines() if records.exists() else []
    for values in map(json.loads, lines):
        words = values["argv"][1:]
        environment = dict(entry.split("=", 1) for entry in values["environment"])
        asks = (words[-1:] == ["/dev/null"] or any(word.startswith("-print-") for word in words)
                or (words == ["--version"] and values["argv"][0].endswith("/mpicxx")))
        if asks and "--all" not in options:
            continue
        shown = [f"{name}={environment[name]}" for name in options if name in environment]
        program = os.path.relpath(values["program"], records.parent)
        first = [program + ":", values["argv"][0]] if "--argv0" in options else [program]
        yield shlex.join([*first, *words, *shown])


def main(arguments):
    if len(arguments) == 3 and arguments[0] == "toolkit":
        print(toolkit(*arguments[1:]))
    elif len(arguments) == 2 and arguments[0] == "compiler":
        print(compiler(arguments[1]))
    elif len(arguments) >= 2 and arguments[0] == "started":
        for line in started(*arguments[1:]):
            print(line)
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
