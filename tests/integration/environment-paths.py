# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Where packages are searched: the same directories, in the same order, as in Python's sys.path, for every kind of
virtual environment that this Python makes."""
import json
import os
import subprocess

import installed
from sandbox import PROGRAM, Sandbox, equal

LISTING = """
import json, sys, sysconfig
own = {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}
own |= {path + "/lib-dynload" for path in own}
print(json.dumps([path for path in sys.path if path not in own and not path.endswith(".zip")]))
"""
sandbox = Sandbox()

def directories(prefix):
    ended = sandbox.run(PROGRAM, "target", "--format=json", "--runtime", f"env:{prefix}")
    assert ended.status == 0, ended
    return json.loads(ended.out)["site_packages"]

def pythons(prefix):
    done = subprocess.run([f"{prefix}/bin/python", "-I", "-c", LISTING], capture_output=True,
                          text=True, check=True)
    # Each directory once: lib64 is a link to lib, and the code below runs for both.
    return list(dict.fromkeys(os.path.realpath(path) for path in json.loads(done.stdout)))

def same(prefix, what):
    expected = pythons(prefix)
    equal([os.path.realpath(path) for path in directories(prefix)], expected, what)
    return expected

for options in ((), ("--system-site-packages",), ("--symlinks",), ("--copies",)):
    prefix = sandbox.work / f"venv{'-'.join(options)}"
    site = installed.venv(prefix, *options)
    installed.torch(site, "2.5.1+cu124", "12.4")
    same(prefix, options)

# Editable installs and plain paths; cuda-cc does not run code in .pth files.
source = sandbox.work / "sources/src"
source.mkdir(parents=True)
(sandbox.work / "sources/second").mkdir()
(site / "extra").mkdir()
(source / "more.pth").write_text("/tmp\n")
(site / "__editable__.thing-1.0.pth").write_text(f"{source}\n")
(site / "zz.pth").write_text(f"# {sandbox.home}\nextra\n\n{sandbox.work}/missing\n"
                             f"{sandbox.work}/sources/second\n{source}\n"
                             f"import sys; sys.path.append({str(sandbox.home)!r})\n")
(site / ".hidden.pth").write_text(f"{sandbox.home}\n")
expected = pythons(prefix)
equal([str(sandbox.home)], [path for path in expected if path not in directories(prefix)],
      "what only running the code tells")
equal([path for path in expected if path != str(sandbox.home)], directories(prefix), "in order")
sandbox.clean()
