#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs the wheel of a program that is built, or the sdist, by the backend that pyproject.toml names.

    wheel.py FOLDER PREFIX PLATFORM...    a wheel of what `cmake --install` left in PREFIX, for these platforms
    wheel.py FOLDER                       the sdist

The bytes depend on the content alone, given SOURCE_DATE_EPOCH.
"""
import base64
import hashlib
import json
import os
import re
import sys
import zipfile
from pathlib import Path

from scikit_build_core import build

ROOT = Path(__file__).resolve().parents[1]


def bill(name, machine):
    """The bill of materials of the program for a machine (CycloneDX, PEP 770): what is linked into it, each with the
    digest of the source or of the compiler that has it."""
    parts = [(line.split()[0], "", line.split()[1:2]) for line in lines_of("packaging/portable/sources.txt")]
    for file in ("packaging/portable/zig.txt", *(["tests/support/isal.txt"] if machine == "x86_64" else [])):
        for line in lines_of(file):
            called, version = line.split()[0].split("==")
            parts.append((called, version, re.findall(r"sha256:(\w+)", line)))
    parts += [("fmt", "", []), ("tomlplusplus", "", [])]
    package, version = name.split("-")[:2]
    components = [{"type": "library", "name": called, **({"version": number} if number else {}),
                   **({"hashes": [{"alg": "SHA-256", "content": each} for each in digests]} if digests else {})}
                  for called, number, digests in sorted(parts)]
    return json.dumps({"bomFormat": "CycloneDX", "specVersion": "1.4", "version": 1, "metadata": {
        "component": {"type": "application", "name": package.replace("_", "-"), "version": version}},
        "components": components}, indent=2).encode() + b"\n"


def lines_of(name):
    """Its lines without comments, and those that end in a backslash joined."""
    text = (ROOT / name).read_text().replace("\\\n", " ")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def recorded(name, data):
    """The line of a file in RECORD."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def complete(wheel, platforms):
    """Tags it for all platforms, adds its bill of materials, sorts its files and the lines of its RECORD: the backend
    lists licences in the order of the disk. A file may be read by everybody, whatever the umask was in the checkout.
    Returns its name."""
    with zipfile.ZipFile(wheel) as archive:
        files = {info.filename: (info, archive.read(info)) for info in archive.infolist()}
    record = next(name for name in files if name.endswith(".dist-info/RECORD"))
    tags = record.replace("RECORD", "WHEEL")
    text = re.sub(r"(?m)^Tag: (.*-)\w+\n", lambda tag: "".join(f"Tag: {tag[1]}{name}\n" for name in platforms),
                  files[tags][1].decode()).encode()
    files[tags] = files[tags][0], text
    materials = record.replace("RECORD", "sboms/cuda-cc.cdx.json")
    files[materials] = files[tags][0], bill(wheel.name, re.search(r"x86_64|aarch64", platforms[0])[0])
    lines = [recorded(tags, text) if line.startswith(f"{tags},") else line
             for line in files[record][1].decode().splitlines(keepends=True)]
    lines.append(recorded(materials, files[materials][1]))
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
