# SPDX-License-Identifier: Apache-2.0
"""Run by `meson install`: checks all programs and shared libraries that the project installs with
`cuda-cc check`, below DESTDIR if that is set. The installation fails if one is rejected or cannot be checked.

    verify_install.py CUDA-CC
"""
import json
import os
import stat
import subprocess
import sys
from pathlib import Path


def is_linked(path):
    """Whether the file is an ELF program or shared library, and not a symbolic link."""
    if not stat.S_ISREG(os.lstat(path).st_mode):
        return False
    with open(path, "rb") as file:
        head = file.read(18)
    return head[:4] == b"\x7fELF" and head[16:] in (b"\2\0", b"\3\0")


def installed(environment):
    """The files that Meson lists as installed, built ones and sources."""
    prefix, place = environment["MESON_INSTALL_PREFIX"], environment["MESON_INSTALL_DESTDIR_PREFIX"]
    destdir = place[:len(place) - len(prefix)] if place.endswith(prefix) else ""
    info = Path(environment["MESON_BUILD_ROOT"], "meson-info/intro-installed.json")
    for path in json.loads(info.read_text(encoding="utf-8")).values():
        path = Path(destdir + path)
        if path.is_dir():
            yield from (each for each in path.rglob("*") if not each.is_dir())
        elif os.path.lexists(path):
            yield path


def main(program):
    files = sorted({str(path) for path in installed(os.environ) if is_linked(path)})
    if not files:
        return 0
    done = subprocess.run([program, "check", *files])
    if done.returncode:
        print(f"cuda-cc: the installed files were rejected (exit status {done.returncode})",
              file=sys.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
