# SPDX-License-Identifier: Apache-2.0
"""Wheels that tests make of files."""
import base64
import hashlib
import zipfile
from pathlib import Path


def digest(data):
    """As in RECORD."""
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def write(path, files, *requires):
    """A sound wheel at path, named as a wheel is, with these files and a dist-info folder that requires the rest."""
    path = Path(path)
    name, version, *tags = path.name.removesuffix(".whl").split("-")
    info = f"{name}-{version}.dist-info"
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}",
             *(f"Requires-Dist: {each}" for each in requires)]
    files = {**files, f"{info}/METADATA": "\n".join([*lines, ""]).encode(),
             f"{info}/WHEEL": f"Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: {'-'.join(tags)}\n".encode()}
    return pack(path, files, info)


def pack(path, files, info):
    """The wheel of these files, with a RECORD that is right in its dist-info folder."""
    record = "".join(f"{each},{digest(data)},{len(data)}\n" for each, data in files.items())
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, data in {**files, f"{info}/RECORD": f"{record}{info}/RECORD,,\n".encode()}.items():
            archive.writestr(each, data)
    return path
