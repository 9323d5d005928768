# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Wheels that no backend makes: `wheel show`, `repair` and `prove` end with one error, in less than 200 MB of memory,
and leave nothing behind. A sound wheel of 3 GB takes no more memory (WR-1, WR-10)."""
import base64
import hashlib
import os
import zipfile

import madewheel
import packing
from badwheel import INFO, METADATA, REPAIR, SHOW, BadWheels, record, spoilt
from sandbox import PROGRAM

MORE = 3_200_000_000
bad = BadWheels()
PATH = bad.sandbox.work / "big-1.0-cp311-cp311-linux_x86_64.whl"
refused, pack, MODULE, MEMBERS = bad.refused, bad.pack, bad.module, bad.members

# The base of all that follows is accepted.
bad.accepted("sound", pack())
bad.take()

for what, change in (("no zip", lambda data: b"\0" * 100), ("cut", lambda data: data[:len(data) // 2]),
                     ("empty", lambda data: b"")):
    refused(what, spoilt(pack(), change))
for name in ("../../evil.so", "/etc/evil.so", "big/../../evil.so"):
    refused(name, pack({**MEMBERS, name: MODULE}))
refused("two dist-info", pack({**MEMBERS, "other-1.0.dist-info/METADATA": b"x"}), "CC2025")
refused("not UTF-8", pack({**MEMBERS, f"{INFO}/METADATA": b"Name: \xff\n"}), "CC2025")

# Bombs: zeros, more than the memory that is allowed, in each file that is read whole, and in a library.
zeros = bytes(300 << 20)
metadata = f"{INFO}/METADATA"
refused("bomb in METADATA", pack({**MEMBERS, metadata: METADATA + zeros}, compression=zipfile.ZIP_DEFLATED))
refused("bomb in a library", pack({**MEMBERS, "big/ext.so": MODULE + zeros}, compression=zipfile.ZIP_DEFLATED),
        "CC2103", [SHOW, REPAIR])
refused("bomb in RECORD", pack(MEMBERS, record=zeros, compression=zipfile.ZIP_DEFLATED))
del zeros

# Where nobody can write: also not root.
for folder in ("/proc/wheelhouse", PROGRAM):
    refused(folder, pack(MEMBERS), calls=[("repair", "-w", folder, "--runtime=cuda==12.4")])

# 3 GB, of which a file system stores little: the digest is not compared by `show`.
class Sparse:
    def __init__(self, path):
        self.file = open(path, "wb")

    def write(self, data):
        if len(data) == 1 << 20 and not any(data[:64]):
            return self.file.seek(len(data), os.SEEK_CUR)
        return self.file.write(data)

    def __getattr__(self, name):
        return getattr(self.file, name)


def large(digest):
    """A wheel whose module is followed by zeros; RECORD states this digest."""
    PATH.unlink(missing_ok=True)
    target = Sparse(PATH)
    size = len(MODULE) + (MORE >> 20 << 20)
    with zipfile.ZipFile(target, "w") as archive:
        with archive.open(zipfile.ZipInfo("big/ext.so"), "w", force_zip64=True) as member:
            member.write(MODULE)
            for _ in range(MORE >> 20):
                member.write(bytes(1 << 20))
        archive.writestr(f"{INFO}/METADATA", METADATA)
        archive.writestr(f"{INFO}/WHEEL", packing.WHEEL)
        rows = record(MEMBERS).decode().replace(madewheel.digest(MODULE), digest)
        archive.writestr(f"{INFO}/RECORD", rows.replace(f",{len(MODULE)}\n", f",{size}\n"))
    target.close()
    assert PATH.stat().st_size > 3_000_000_000 and PATH.stat().st_blocks * 512 < 100_000_000, PATH.stat()


large(madewheel.digest(MODULE))
bad.accepted("3 GB", PATH, [SHOW])
if os.environ["CUDACC_TEST_ALL"]:
    refused("3 GB, another digest", PATH, "CC2025", [("show", "--verify"), REPAIR])
    # auditwheel itself reads each library whole, into more memory than this.
    auditwheel = bad.sandbox.write("bin/auditwheel", 'while [ "$1" != --wheel-dir ]; do shift; done\nmkdir "$2"\n'
                                   'for wheel; do :; done\ncp --sparse=always "$wheel" "$2"\n')
    bad.variables["PATH"] = f"{auditwheel.parent}:{bad.variables['PATH']}"
    auditwheel.write_text("#!/bin/sh\n" + auditwheel.read_text())
    auditwheel.chmod(0o755)
    whole = hashlib.sha256(MODULE)
    for _ in range(MORE >> 20):
        whole.update(bytes(1 << 20))
    large("sha256=" + base64.urlsafe_b64encode(whole.digest()).rstrip(b"=").decode())
    bad.accepted("3 GB", PATH, [("show", "--verify"), REPAIR])
bad.sandbox.clean()
