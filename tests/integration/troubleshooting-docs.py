# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Runs every command of docs/troubleshooting.md, in order, with an older nvJitLink on LD_LIBRARY_PATH of an extension
that does not work with it."""
import sysconfig
from pathlib import Path

from doctoring import Sick
from documented import commands_of, follows
from sandbox import PROGRAM, equal, wheel

COMMANDS = commands_of(follows("troubleshooting"))
# Status and output of each command; the shell's status is that of the last program in a pipe.
EXPECTED = [
    (1, "undefined symbol: __nvJitLinkComplete_12_4, version libnvJitLink.so.12"),
    (0, "libnvJitLink.so.12 is too old: __nvJitLinkComplete_12_4 came with CUDA 12.4"),
    (3, "take {old} out of LD_LIBRARY_PATH"),
    (3, "__nvJitLinkComplete_12_4"),
    (0, "libnvJitLink.so.12"),
    (1, "libcusparse.so.12 got libnvJitLink.so.12 12.0.140"),
    (3, "unset LD_LIBRARY_PATH"),
    (0, "accept on torch==2.5.1"),
    (0, "2.11.0"),
    (0, "needs libcusparse.so.12 cusparseGetProperty"),
    (0, "installed in env"),
]
equal(len(COMMANDS), len(EXPECTED), COMMANDS)

sick = Sick("nvidia-cusparse-cu12==12.3.1.170", "nvidia-nvjitlink-cu12==12.4.127",
            "nvidia-cuda-runtime-cu12==12.4.127", torch="2.5.1+cu124")
package = sick.site / "pkg"
package.mkdir()
(package / "__init__.py").write_text("")
sick.write("native.c", """#include <Python.h>
int cusparseGetProperty(int, int *);
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "native", 0, -1, 0};
PyMODINIT_FUNC PyInit_native(void) {
  int major;
  cusparseGetProperty(0, &major);
  return PyModule_Create(&module);
}
""")
(sick.site / "torch/lib").mkdir()
for name in ("global_deps", "python"):
    done = sick.run("gcc", "-shared", "-fPIC", "-x", "c", "/dev/null", "-o",
                    sick.site / f"torch/lib/libtorch_{name}.so")
    equal(done.status, 0, done)
done = sick.run("gcc", "-shared", "-fPIC", f"-I{sysconfig.get_path('include')}", "native.c",
                sick.site / "nvidia/cusparse/lib/libcusparse.so.12", "-o", package / "native.so",
                "-Wl,--enable-new-dtags", "-Wl,--allow-shlib-undefined",
                "-Wl,-rpath,$ORIGIN/../nvidia/cusparse/lib:$ORIGIN/../nvidia/nvjitlink/lib")
equal(done.status, 0, done)
old = wheel("nvidia-nvjitlink-cu12==12.0.140") / "nvidia/nvjitlink/lib"
path = f"{sick.prefix}/bin:{Path(PROGRAM).parent}:{sick.path}"
for command, (status, text) in zip(COMMANDS, EXPECTED):
    done = sick.run("sh", "-c", command, PATH=path, VIRTUAL_ENV=sick.prefix, LD_LIBRARY_PATH=old)
    equal(done.status, status, f"{command}: {done}")
    said = " ".join((done.out + done.err).split())
    assert text.format(old=old) in said or " ".join(text.split()) in said, f"{command}: {done}"
