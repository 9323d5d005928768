# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""audit of Meson builds, with the oldest supported Meson and a new one: accepted with the native file of a toolchain
directory; with a native file that names only the CUDA compiler, C++ links bypass cuda-cc (R21, R23). The reported
search paths after installation equal those that Meson writes (3.4)."""
import shlex

import note
from audited import audit, fact
from meson_project import NEWEST, good, meson, project, toolchain
from sandbox import Sandbox, equal

sandbox = Sandbox(name="wörk 'place")
td = toolchain(sandbox)
D, OTHER = "$ORIGIN/../nvidia/cu13/lib", "$ORIGIN/nvidia/cu13/lib"
ONLY = """project('p', 'cpp', version: '1')
cuda = dependency('cuda', modules: ['cudart'])
shared_library('only', 'only.cpp', dependencies: cuda, install: true, install_rpath: '$ORIGIN/../lib')
shared_library('plain', 'main.cpp')
custom_target('ptx', input: 'k.cu', output: 'k.ptx',
              command: [find_program('nvcc'), '-ptx', '@INPUT@', '-o', '@OUTPUT@'])
"""
LOST = f"shared_library('lost', 'only.cpp', dependencies: cuda, install: true, build_rpath: '{D}')\n"
inside = {"CUDA_PATH": td, "PATH": f"{td}/bin:{sandbox.path}"}

# Everything is in place: unknown before it is built, accepted afterwards.
project(sandbox, ONLY)
good(meson(sandbox, "setup", "../good", f"--native-file={td}/native.ini", f"--prefix={sandbox.work}/i",
           "--libdir=lib", **inside))
rows, report = audit(sandbox, "good", 4)
equal(rows, ["CC6015 only artefact meson.build:3"])
assert any("meson compile -C good" in fix for row in report["findings"] for fix in row["fixes"]), report
good(meson(sandbox, "compile", "-C", "../good", **inside))
rows, report = audit(sandbox, "good", 0)
equal(rows, [])
equal((report["runtime"], report["targets"], report["cuda_targets"], report["artefacts"],
       report["system"]), ("cuda==13.0", 3, 1, 2, f"Meson {NEWEST}, Ninja"), report)
sandbox.good("audit", "--prepare", "good")

# Broken introspection data; no Ninja; a project that changed after it was configured.
sandbox.refused("audit", "good", code="CC2005", status=4, NINJA="nowhere")
targets = sandbox.work / "good/meson-info/intro-targets.json"
whole = targets.read_text()
targets.write_text(whole[:-9])
sandbox.refused("audit", "good", code="CC6016", status=4)
targets.write_text(whole)
(sandbox.work / "p/meson.build").write_text(ONLY + LOST)
equal(audit(sandbox, "good", 0)[0], ["CC6012 - configure"])

# Installation removes the runtime's folder from the search path if the project has declared it as a folder of
# the build only.
good(meson(sandbox, "compile", "-C", "../good", **inside))
rows, report = audit(sandbox, "good", 3)
equal(rows, ["CC6008 lost install meson.build:7"])
good(meson(sandbox, "install", "-C", "../good", "--quiet", **inside))
for name, path in (("only", ["$ORIGIN/../lib", D, OTHER]), ("lost", [OTHER])):
    equal(note.elf(sandbox.work / f"i/lib/lib{name}.so").rpath, path, name)
equal(fact(report, "CC6008", "installed"), OTHER)

# A native file that names only the CUDA compiler: Meson links with the C++ compiler.
sandbox.write("only.ini", f"[binaries]\ncuda = '''{td}/bin/nvcc'''\ncpp = '/usr/bin/g++'\n")
good(meson(sandbox, "setup", "../front", f"--native-file={sandbox.work}/only.ini", version="1.0.1", **inside))
good(meson(sandbox, "compile", "-C", "../front", version="1.0.1", **inside))
rows, report = audit(sandbox, "front", 3)
equal(rows, ["CC6003 lost link meson.build:7", "CC6003 only link meson.build:3"])
assert "libcudart.so.13, and has no manifest" in fact(report, "CC6003", "artefact"), report
fixes = [fix for row in report["findings"] for fix in row["fixes"]]
assert any(f"--native-file={td}/native.ini" in shlex.split(fix) for fix in fixes if "--native" in fix), fixes
assert not any("CMAKE" in fix for fix in fixes), fixes
sandbox.clean()
