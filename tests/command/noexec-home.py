# SPDX-License-Identifier: Apache-2.0
# REQUIRES: root
# RUN: PYTHONPATH=%S %python -B %s
"""nvcc gets no shim in a file system that is mounted noexec: the private directory under TMPDIR serves, and if it is
mounted so, too, the link goes on without one."""
import os
import subprocess
import sys

from recording import Place, equal

if os.environ.get("MOUNTED") is None and subprocess.run(["unshare", "-m", "true"], check=False).returncode == 0:
    os.execvpe("unshare", ["unshare", "-m", "--propagation", "private", sys.executable, "-B", __file__],
               {**os.environ, "MOUNTED": "1"})
if os.environ.get("MOUNTED") is None:
    print("SKIPPED: no mount namespace")
    sys.exit(77)
place = Place("12.4")
place.write("k.cu")
home, tmp = place.root / "noexec", place.root / "private"
for folder in (home, tmp):
    folder.mkdir()


def shims():
    ended = place.call("--cudacc-runtime=cuda==12.4", "k.cu", "-o", "k", HOME=home, TMPDIR=tmp, XDG_DATA_HOME=None)
    return [word for word in ended.last.argv if "/directories/" in word], ended.err


assert str(home) in shims()[0][0]
subprocess.run(["mount", "-o", "noexec", "-t", "tmpfs", "none", home], check=True)
for _ in range(2):
    assert str(tmp) in shims()[0][0], shims()
subprocess.run(["mount", "-o", "noexec", "-t", "tmpfs", "none", tmp], check=True)
found, said = shims()
# Unmounted before the folder is removed.
subprocess.run(["umount", home, tmp], check=True)
equal(found, [], said)
assert "CC2009" in said, said
