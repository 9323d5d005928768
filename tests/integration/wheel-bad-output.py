# SPDX-License-Identifier: Apache-2.0
# REQUIRES: root
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""`wheel repair` into a folder that is full, read-only, or has a folder under the result's name, and `wheel prove` with
a full TMPDIR: one error, no part of a wheel, nothing left (WR-6, WR-20)."""
import os
import zipfile

from badwheel import PROVE, REPAIR, BadWheels
from sandbox import PROGRAM, equal, skip

bad = BadWheels()
sandbox, tmp, out = bad.sandbox, bad.sandbox.tmp, bad.sandbox.work / "out"
if sandbox.run("unshare", "-m", "mount", "-t", "tmpfs", "none", tmp).status:
    skip("no mounts here")
# 4 MB that cannot be compressed.
wheel = bad.pack({**bad.members, "big/data": os.urandom(4 << 20)}, compression=zipfile.ZIP_DEFLATED)


def refused(what, folder, mount, words, code):
    """The call under a mount of this folder."""
    lines = f'{mount} && "$@"; status=$?; find "{folder}" -mindepth 1 -printf "LEFT %f\\n"; exit $status'
    done = sandbox.run("unshare", "-m", "sh", "-c", lines, "sh", PROGRAM, "wheel", *words, wheel, **bad.variables)
    said = done.out + done.err
    assert done.status == 4 and said.count("cuda-cc: error:") == 1 and code in said, f"{what}: {done}"
    assert "LEFT" not in said, f"{what}: {done}"


def full(folder, size):
    return f'mount -t tmpfs -o size={size} none "{folder}"'


# auditwheel is the first that finds no room: it unpacks in that folder.
out.mkdir()
for size in ("4k", "2m", "6m"):
    refused(f"out has {size}", out, full(out, size), REPAIR, "No space left on device")
read_only = f'mount --bind "{out}" "{out}" && mount -o remount,ro,bind "{out}"'
refused("out is read-only", out, read_only, REPAIR, "[CC2015]")
for size in ("4k", "2m"):
    refused(f"TMPDIR has {size}", tmp, full(tmp, size), PROVE, "[CC2029]")

bad.accepted("enough room", wheel, [REPAIR])
[result] = out.iterdir()
result.unlink()
result.mkdir()
(result / "mine").touch()
bad.refused("a folder with that name", wheel, "CC2015", [REPAIR])
equal([path.name for path in result.iterdir()], ["mine"])
sandbox.clean()
