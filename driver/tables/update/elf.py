# SPDX-License-Identifier: Apache-2.0
"""Reads symbols and dynamic entries of a shared library by readelf."""

import os
import re
import subprocess

# Symbols that linkers and start files define in every library.
LINKER_NAMES = {"_init", "_fini", "_edata", "_end", "__bss_start", "_start", "_etext", "__end__"}


class SymbolsError(Exception):
    pass


def order(version):
    """A sort key. Versions of NVIDIA's wheels consist of numbers and at most a post-release number."""
    release, _, post = version.partition(".post")
    try:
        return [int(part) for part in release.split(".")], int(post or -1)
    except ValueError as error:
        raise SymbolsError(f"'{version}' is not a version of numbers") from error


def readelf(*arguments):
    done = subprocess.run(["readelf", "-W", *map(str, arguments)], text=True,
                          capture_output=True, env={**os.environ, "LC_ALL": "C"}, check=False)
    if done.returncode != 0:
        raise SymbolsError(f"readelf {arguments[-1]}: {done.stderr.strip()}")
    return done.stdout.splitlines()


def soname_of(path):
    for line in readelf("-d", path):
        if match := re.search(r"\(SONAME\)\s+Library soname: \[(.*)\]$", line):
            return match[1]
    return None


def exports_of(path):
    """Maps name@node to the size of a data object, and to None for everything else."""
    names = {}
    for line in readelf("--dyn-syms", path):
        # Of a file whose ABI is not GNU's.
        columns = line.replace("<OS specific>: 10", "UNIQUE").split()
        if len(columns) < 8 or not columns[0].rstrip(":").isdigit():
            continue
        size, kind, bind, section = columns[2], columns[3], columns[4], columns[6]
        name, _, node = columns[7].replace("@@", "@").partition("@")
        if section == "UND" or bind == "LOCAL" or name in LINKER_NAMES:
            continue
        # The symbol of the version node itself.
        if section == "ABS" and kind == "OBJECT" and int(size, 0) == 0:
            continue
        names[f"{name}@{node}" if node else name] = int(size, 0) if kind == "OBJECT" else None
    return names


def stem_of(soname):
    return re.sub(r"\.so(\.[\d.]+)?$", "", soname).removeprefix("lib").lower()
