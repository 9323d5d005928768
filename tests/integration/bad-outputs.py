# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Unusual response files and outputs (F3): recursion ends, and an output that is not a regular file is never
removed."""
import os
import stat
import time

from sandbox import MAIN, Sandbox, equal, wheel

sandbox = Sandbox()
sandbox.write("main.cpp", MAIN)
torch = "--cudacc-runtime=torch==2.5.1"

# Recursion, a missing file, a directory, an unclosed quote: an error of cuda-cc or of gcc, and no hang.
sandbox.write("self.rsp", "main.cpp @self.rsp\n")
sandbox.write("a.rsp", "@b.rsp @b.rsp\n")
sandbox.write("b.rsp", "@a.rsp @a.rsp\n")
sandbox.write("open.rsp", "main.cpp -DX='a b\n")
(sandbox.work / "folder.rsp").mkdir()
before = sandbox.files()
for name in ("self", "a", "missing", "folder"):
    start = time.monotonic()
    ended = sandbox.cc(torch, "g++", f"@{name}.rsp", "-o", "main")
    assert time.monotonic() - start < 5, f"{name} took long: {ended}"
    plain = sandbox.run("g++", f"@{name}.rsp", "-o", "main")
    assert ended.status in (4, plain.status) and ended.status != 0, (name, ended)
    assert len(ended.codes) == (ended.status == 4), (name, ended)
    sandbox.clean(before, name)
os.mkfifo(sandbox.work / "fifo.rsp")
ended = sandbox.cc(torch, "g++", "@open.rsp", "-o", "main")
plain = sandbox.run("g++", "@open.rsp", "-o", "plain")
equal(ended.status, plain.status, "an open quote is gcc's affair")
for name in ("main", "plain"):
    (sandbox.work / name).unlink(missing_ok=True)

# Outputs that are not regular files. The device is created by the test, so that /dev/null is not at risk.
device = sandbox.work / "null"
if os.geteuid() == 0:
    os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 3))
else:
    device = "/dev/null"
library = wheel("nvidia-nvjitlink-cu12==12.5.82") / "nvidia/nvjitlink/lib/libnvJitLink.so.12"
bad = (torch, "g++", "-Wl,--no-as-needed", "main.cpp", library)
fifo = sandbox.work / "fifo"
os.mkfifo(fifo)
folder = sandbox.work / "folder"
folder.mkdir()
for output, kind in ((device, stat.S_ISCHR), (fifo, stat.S_ISFIFO), (folder, stat.S_ISDIR)):
    ended = sandbox.cc(*bad, "-o", output)
    equal((ended.status, ended.codes[:1]), (3, ["CC3015"]), ended)
    assert kind(os.lstat(output).st_mode), f"{output} was removed"

try:
    reached = os.open(device, os.O_WRONLY)
    os.close(reached)
except PermissionError:
    device = "/dev/null" if os.geteuid() else None
if device:
    ended = sandbox.cc(torch, "g++", "-c", "main.cpp", "-o", device)
    equal((ended.status, ended.err), (0, ""), ended)
    plain = sandbox.run("g++", "main.cpp", "-o", device)
    ended = sandbox.cc(torch, "g++", "main.cpp", "-o", device)
    equal((ended.status, ended.codes), (plain.status, []), ended)
    assert stat.S_ISCHR(os.stat(device).st_mode), "the device is still there"
plain = sandbox.run("g++", "main.cpp", "-o", folder)
ended = sandbox.cc(torch, "g++", "main.cpp", "-o", folder)
equal((ended.status, ended.codes), (plain.status, []), ended)
ended = sandbox.cc(torch, "g++", "main.cpp", "-o", "no/such/folder/main")
equal((ended.status, ended.codes), (1, []), "gcc's own error")
sandbox.clean()
