#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs the wheel of a program that is built, or the sdist, by the backend that pyproject.toml names.

    wheel.py FOLDER PREFIX PLATFORM...    a wheel of what `cmake --install` left in PREFIX, for these platforms
    wheel.py FOLDER                       the sdist

The bytes depend on the content alone, given SOURCE_DATE_EPOCH.
"""
import base64
import hashlib
import os
import re
import sys
import zipfile
from pathlib import Path

from scikit_build_core import build

ROOT = Path(__file__).resolve().parents[1]


def complete(wheel, platforms):
    """Tags it for all platforms. Sorts its files and the lines of its RECORD: the backend lists licences in the order
    of the disk. A file may be read by everybody, whatever the umask was in the checkout. Returns its name."""
    with zipfile.ZipFile(wheel) as archive:
        files = {info.filename: (info, archive.read(info)) for info in archive.infolist()}
    record = next(name for name in files if name.endswith(".dist-info/RECORD"))
    tags = record.replace("RECORD", "WHEEL")
    text = re.sub(r"(?m)^Tag: (.*-)\w+\n", lambda tag: "".join(f"Tag: {tag[1]}{name}\n" for name in platforms),
                  files[tags][1].decode()).encode()
    files[tags] = files[tags][0], text
    digest = base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()
    lines = [f"{tags},sha256={digest},{len(text)}\n" if line.startswith(f"{tags},") else line
             for line in files[record][1].decode().splitlines(keepends=True)]
    files[record] = files[record][0], "".join(sorted(lines)).encode()
    wheel.unlink()
    wheel = wheel.with_name(wheel.name.replace(platforms[0], ".".join(platforms)))
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        # PEP 427 wants the metadata at the end, where it is found at once.
        for name in sorted(files, key=lambda name: (".dist-info/" in name, name)):
            old, data = files[name]
            new = zipfile.ZipInfo(name, old.date_time)
            new.compress_type = zipfile.ZIP_DEFLATED
            new.external_attr = (0o100755 if old.external_attr >> 16 & 0o111 else 0o100644) << 16
            archive.writestr(new, data)
    return wheel.name


def main(arguments):
    if len(arguments) in (0, 2):
        print(__doc__)
        return 2
    folder = Path(arguments[0]).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    settings = {}
    platforms = arguments[2:]
    if platforms:
        settings = {"cmake.define.CUDACC_PREBUILT": str(Path(arguments[1]).absolute())}
        os.environ["_PYTHON_HOST_PLATFORM"] = platforms[0]
    os.chdir(ROOT)
    # The backend, and CMake below it, report on stdout.
    stdout = os.dup(1)
    os.dup2(2, 1)
    made = (build.build_wheel if settings else build.build_sdist)(str(folder), settings)
    if platforms:
        made = complete(folder / made, platforms)
    os.write(stdout, os.fsencode(folder / made) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
