# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Runs everything in docs/meson.md, in order: the project that it shows, and an extension for meson-python (R33)."""
import sys

import note
from documented import ROOT, follows
from meson_project import BARE, NEWEST, SOURCES
from sandbox import Sandbox, environment_of, equal, skip, tools, wheels

if "ninja" not in tools("ninja"):
    skip("no ninja")
page = follows("meson")
sandbox = Sandbox()
builders = environment_of("meson-python==0.18.0", "pyproject-metadata==0.9.1", "packaging==25.0",
                          f"meson=={NEWEST}")
programs = {"meson": "from mesonbuild.mesonmain import main; sys.exit(main())",
            "pip": f"import os; os.execvp({sys.executable!r}, {[*wheels.pip_command()]!r} + sys.argv[1:])"}
for name, code in programs.items():
    program = sandbox.write(f"bin/{name}", f"#!{sys.executable} -B\nimport sys\n"
                            f"sys.path.insert(0, {str(builders)!r})\n{code}\n")
    program.chmod(0o755)
sandbox.path = f"{sandbox.work}/bin:{sandbox.path}"
(sandbox.work / ".venv").symlink_to(environment_of(*BARE))

# Before the page's own project: a C++ project.
sandbox.write("meson.build", """project('ext', 'cpp', version: '1')
shared_library('ext', 'only.cpp', dependencies: dependency('cuda', modules: ['cudart']), install: true,
               install_dir: 'ext')
""")
sandbox.write("only.cpp", SOURCES["only.cpp"])
for name in ("kernels.cu", "ext.cpp"):
    source = {"kernels.cu": "cmake-mixed/scale.cu", "ext.cpp": "cmake-mixed/solve.cpp"}[name]
    sandbox.write(name, (ROOT / "examples" / source).read_text())
page["Meson"].follow(sandbox)
equal([path.name for path in (sandbox.work / "dist").rglob("*") if path.is_file()], ["libext.so"])

td = sandbox.work / "build/cuda"
done = page["In the project"].follow(sandbox, CUDA_PATH=td, PATH=f"{td}/bin:{sandbox.path}")
assert "1/1 ext:cuda-cc.ext OK" in done.out and "2 targets" not in done.out, done
elf = note.elf(next((sandbox.work / "checked").rglob("libext.so")))
equal(elf.rpath, ["$ORIGIN/../lib", "$ORIGIN/../nvidia/cu13/lib", "$ORIGIN/nvidia/cu13/lib"])

sandbox.write("package/only.cpp", SOURCES["only.cpp"])
sandbox.write("package/pyproject.toml", """[build-system]
requires = []
build-backend = "mesonpy"
[project]
name = "ext"
version = "1"
""")
sandbox.write("package/meson.build", """project('ext', 'cpp', version: '1')
py = import('python').find_installation(pure: false)
py.extension_module('ext', 'only.cpp', dependencies: dependency('cuda', modules: ['cudart']), install: true)
""")
page["Python packages"].follow(sandbox, PYTHONPATH=builders, PIP_NO_INDEX="1")
sandbox.clean()
