# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""The extension modules of this Python and some system libraries: for each, `doctor` predicts the result that a new
process of that Python has."""
import glob
import json
import os
import subprocess
import sys
import sysconfig

from sandbox import PROGRAM, Sandbox, equal, skip

OPEN = """
import ctypes, sys
for name in sys.argv[1:]:
    try:
        ctypes.CDLL(name)
        print()
    except OSError as error:
        print(error)
"""
sandbox = Sandbox()
base = sys.base_prefix
modules = sorted(glob.glob(f"{sysconfig.get_path('platstdlib')}/lib-dynload/*.so"))[:40]
libraries = [path for name in ("z", "xml2", "curl", "ssl", "gomp", "stdc++")
             for path in glob.glob(f"/usr/lib/x86_64-linux-gnu/lib{name}.so.[0-9]")]
files = [path for path in modules + libraries if os.path.isfile(path)]
if len(files) < 5:
    skip("this Python has no extension modules")
environment = ["--env", base] if any(os.path.isdir(f"{base}/lib/python3.{minor}/site-packages")
                                     for minor in range(8, 16)) else []
ended = sandbox.run(PROGRAM, "doctor", "--format=json", *environment, *files,
                    PATH=f"{base}/bin:{sandbox.path}")
equal(ended.err, "")
for file, name in zip(json.loads(ended.out)["files"], files):
    done = subprocess.run([f"{base}/bin/python3", "-c", OPEN, name], capture_output=True, text=True,
                          env=sandbox.environment())
    real = done.stdout.strip()
    if "static TLS" in real:
        continue
    equal(file.get("predicted", ""), real, f"{name} {file['findings']}")
    equal(file["verdict"], "reject" if real else "accept", f"{name} {file['findings']}")
print(len(files), "files")
