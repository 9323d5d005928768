# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Runs the commands of the pages on doctor, trace, explain and trust, and that on reports, in a folder with an
environment, a
module that is installed there and an extension."""
import sysconfig

import installed
from documented import commands_of, follows, instead, shows
from sandbox import PROGRAM, Sandbox, equal, wheel

sandbox = Sandbox()
prefix = sandbox.work / ".venv"
site = installed.venv(prefix)
installed.put(site, "nvidia-cusparse-cu12==12.3.1.170", "nvidia-nvjitlink-cu12==12.4.127")
installed.torch(site, "2.5.1+cu124", "12.4")
(site / "torch/__init__.py").write_text("")
(site / "torch/lib").mkdir()
for name in ("global_deps", "python"):
    done = sandbox.run("gcc", "-shared", "-x", "c", "/dev/null", "-o", site / f"torch/lib/libtorch_{name}.so")
    equal(done.status, 0, done)
(site / "pkg").mkdir()
(site / "pkg/__init__.py").write_text("")
(sandbox.root / "bin").mkdir()
(sandbox.root / "bin/cuda-cc").symlink_to(PROGRAM)
MESSAGE = "undefined symbol: __nvJitLinkCreate_12_5, version libnvJitLink.so.12"
# A build that fails.
(sandbox.root / "bin/pip").write_text(f"#!/bin/sh\necho '{MESSAGE}' >&2; exit 1\n")
(sandbox.root / "bin/pip").chmod(0o755)
sandbox.write("build.log", f"ImportError: {MESSAGE}\n")
for name, target in (("_C", site / "pkg/_C.abi3.so"), ("ext", sandbox.work / "ext.so")):
    sandbox.write(f"{name}.c", f"""#include <Python.h>
int cusparseGetProperty(int, int *);
static struct PyModuleDef module = {{PyModuleDef_HEAD_INIT, "{name}", 0, -1, 0}};
PyMODINIT_FUNC PyInit_{name}(void) {{
  int major;
  cusparseGetProperty(0, &major);
  return PyModule_Create(&module);
}}
""")
    base = "$ORIGIN/../nvidia" if name == "_C" else f"{site}/nvidia"
    done = sandbox.run("gcc", "-shared", "-fPIC", f"-I{sysconfig.get_path('include')}", f"{name}.c",
                       site / "nvidia/cusparse/lib/libcusparse.so.12", "-o", target, "-Wl,--allow-shlib-undefined",
                       f"-Wl,--enable-new-dtags,-rpath,{base}/cusparse/lib:{base}/nvjitlink/lib")
    equal(done.status, 0, done)


def follow(page, status=0, **replaced):
    """Runs the commands of a page and returns what they print; the last one ends with this status. A path of the page
    is replaced by one of the test, and the other way round in what is printed."""
    printed = ""
    *others, last = commands_of(page)
    for command in (*others, last):
        expected = status if command == last else 0
        here = command
        for old, new in replaced.items():
            here = here.replace(old, str(new))
        if here != command:
            instead(command)
        done = sandbox.run("sh", "-euc", here, VIRTUAL_ENV=prefix,
                           PATH=f"{sandbox.root}/bin:{prefix}/bin:{sandbox.path}")
        equal(done.status, expected, f"{command}: {done}")
        printed += done.out + done.err
    for old, new in replaced.items():
        printed = printed.replace(str(new), old)
    return printed


OLD = wheel("nvidia-nvjitlink-cu12==12.0.140") / "nvidia/nvjitlink/lib"
printed = follow(follows("doctor"), 3, **{"/opt/old": OLD, "/w/.venv": prefix})
shows("doctor", printed)
assert printed.count("pkg/_C.abi3.so: accept on env:.venv (CUDA 12.4)") == 2, printed
printed = follow(follows("trace"))
assert "libnvJitLink.so.12  12.4.127    loaded" in printed, printed
page = follows("checking", "A page for a browser")
follow({"checking": page["A page for a browser"]})
for page in ("ext", "site", "why"):
    assert (sandbox.work / f"{page}.html").read_text().startswith("<!doctype html>"), page
shows("explain", follow(follows("explain")))
source = sandbox.work / "src"
source.mkdir()
sandbox.write("Makefile", "all:\n\t@echo make: $$CUDA_CC_TRUST\n")
listed = follow(follows("trust"), **{"/mnt/src": source})
equal([line.split(":")[0] for line in listed.splitlines() if "/mnt/src" in line],
      ["trusted", "make", "/mnt/src", "removed"], listed)
