# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""Unreadable entries of a folder are unknown for check, inspect and doctor: a directory, one that may only be listed, a
file, a wheel; in an environment, its packages. Dangling symbolic links and loops are ignored."""
import json
import os
import shutil
import subprocess

import others
from binaries import CUDART, Binaries, equal

# Root may read everything, so the test runs as another user.
nobody = 65534
others.leave_home()
place = Binaries()
work = place.work
program = others.program_in(place.root)
for path in (place.root, work):
    path.chmod(0o755)


def drop():
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(nobody)
        os.setuid(nobody)


def cc(*words):
    done = subprocess.run([program, *words], cwd=work, text=True, capture_output=True, timeout=60,
                          preexec_fn=drop, env={"PATH": "/usr/bin:/bin", "HOME": "/nowhere",
                               "TMPDIR": "/nowhere"})
    return done.returncode, done.stdout, done.stderr


place.extension("pkg/good.so", {CUDART: ["cudaMalloc"]})
shutil.copy(work / "pkg/good.so", work / "bad.so")
for name in ("pkg/closed", "pkg/listed", "pkg/open"):
    (work / name).mkdir()
    for index in "12":
        shutil.copy(work / "pkg/good.so", work / name / f"{index}.so")
(work / "pkg/loop").symlink_to("loop")
(work / "pkg/around").symlink_to("..")
(work / "pkg/dangling.so").symlink_to("nowhere/x.so")
tools = (("check", "--runtime", "torch==2.5.1"), ("inspect",), ("doctor",))


def tried(path, status, *said):
    for words in tools:
        found, out, err = cc(*words, path)
        # A readable file may be rejected on this machine, which takes precedence over unknown.
        expected = (status, 3) if words[0] == "doctor" and path != "pkg/closed" else (status,)
        assert found in expected, (words, found, out, err)
        for text in said:
            assert text in out + err, (words, text, out, err)
    status_, out, err = cc("check", "--runtime", "torch==2.5.1", "--format=json", path)
    equal(status_, status, out)
    return {(file["path"], file["verdict"]): [row["code"] for row in file["findings"]]
            for file in json.loads(out)["files"]}


everything = tried("pkg", 0)
assert all(verdict == "accept" for _, verdict in everything), everything

(work / "pkg/closed").chmod(0)
try:
    found = tried("pkg", 4, "pkg/closed", "Permission denied", "[CC2005]")
    equal(found[("pkg/closed", "unknown")], ["CC2005"])
    equal(tried("pkg/closed", 4, "[CC2005]"), {("pkg/closed", "unknown"): ["CC2005"]})
finally:
    (work / "pkg/closed").chmod(0o755)

# A directory that may be listed but not searched.
(work / "pkg/listed").chmod(0o744)
found = tried("pkg", 4, "pkg/listed/1.so", "1 more in pkg/listed", "[CC2005]")
equal(found[("pkg/listed/1.so", "unknown")], ["CC2005"])
# A symbolic link into it is unknown too; a dangling one below it cannot be distinguished.
(work / "pkg/listed").chmod(0o755)

for name in ("pkg/open/1.so", "pkg/open/x-1-py3-none-any.whl"):
    if name.endswith(".whl"):
        place.wheel(name, {"x/good.so": work / "pkg/good.so"})
    (work / name).chmod(0)
    found = tried("pkg", 4, name, "[CC2005]")
    equal(found[(name, "unknown")], ["CC2005"])
    (work / name).chmod(0o644)

# 257 nested directories.
deep = work / "deep" / "/".join(["d"] * 258)
deep.mkdir(parents=True)
shutil.copy(work / "bad.so", deep / "bad.so")
found = tried("deep", 4, "more than 256 deep", "[CC2103]")
equal([codes for codes in found.values()], [["CC2103"]])

# In an environment of which a part cannot be read, the installed packages are unknown.
site = place.site("venv", {"nvidia-cuda-runtime-cu12": ("12.4.127", {
    "nvidia/cuda_runtime/lib/libcudart.so.12": place.library("c.so", CUDART, ["cudaMalloc"])})})
equal(cc("check", "--runtime", f"env:{work}/venv", "bad.so")[0] in (0, 3), True)
for path in (site, site / "nvidia", site / "nvidia/cuda_runtime/lib"):
    path.chmod(0)
    status, out, err = cc("check", "--runtime", f"env:{work}/venv", "bad.so")
    path.chmod(0o755)
    equal((status, "[CC2005]" in out + err, str(path) in out + err), (4, True, True), (path, out, err))
