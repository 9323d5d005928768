# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""audit of build directories from elsewhere: a copied one can be audited, one whose targets cannot be determined
is unknown, and no program is started because the build directory names it."""
import shutil

from audited import audit, cmakes
from sandbox import Sandbox, equal

sandbox = Sandbox()
cmake = cmakes()["system"]
sandbox.write("p/CMakeLists.txt", """cmake_minimum_required(VERSION 3.21)
project(p LANGUAGES CXX)
add_library(plain SHARED a.cpp)
add_library(uses SHARED a.cpp)
target_link_libraries(uses PRIVATE /none/libcudart.so.13)
""")
sandbox.write("p/a.cpp", "int a() { return 1; }\n")


def configure(generator, build):
    done = sandbox.run(cmake, "-G", generator, "-S", "p", "-B", build)
    equal(done.status, 0, done)


for generator in ("Ninja", "Unix Makefiles"):
    build = generator.split()[-1]
    configure(generator, build)
    shutil.copytree(sandbox.work / build, sandbox.work / f"{build}-copy")
    rows, report = audit(sandbox, build, 3)
    equal(rows, ["CC6003 uses link", "CC6014 - configure", "CC6015 uses artefact"])
    equal(audit(sandbox, f"{build}-copy", 3)[0], rows)
    (sandbox.work / build).rename(sandbox.work / "gone")
    equal(audit(sandbox, f"{build}-copy", 3)[0], rows, "without the first")
    shutil.rmtree(sandbox.work / "gone")

# The list of targets is empty, or belongs to another build directory.
folders = sandbox.work / "Makefiles-copy/CMakeFiles/TargetDirectories.txt"
whole = folders.read_text()
for text in ("", whole.replace(f"{sandbox.work}/Makefiles/", "/elsewhere/")):
    folders.write_text(text)
    rows, report = audit(sandbox, "Makefiles-copy", 4)
    equal((rows, report["targets"]), (["CC6018 - configure"], 0))
    equal(sandbox.cc("audit", "--strict", "Makefiles-copy").status, 3)

# A project that has no targets.
sandbox.write("p/CMakeLists.txt", "cmake_minimum_required(VERSION 3.21)\nproject(p LANGUAGES NONE)\n")
sandbox.good("audit", "--prepare", "none")
configure("Ninja", "none")
rows, report = audit(sandbox, "none", 0)
equal((rows, report["targets"]), ([], 0))

# The project names a Ninja of its own: the Ninja on PATH is used to list the commands.
marker = sandbox.work / "ran"
evil = sandbox.write("p/tools/ninja", f"#!/bin/sh\ntouch '{marker}'\n")
evil.chmod(0o755)
cache = sandbox.work / "none/CMakeCache.txt"
text = cache.read_text().splitlines()
cache.write_text("\n".join(f"CMAKE_MAKE_PROGRAM:FILEPATH={evil}" if "CMAKE_MAKE_PROGRAM:" in line
                           else line for line in text))
equal(audit(sandbox, "none", 0)[0], [])
assert not marker.exists()
empty = sandbox.work / "empty"
empty.mkdir()
refused = sandbox.cc("audit", "none", PATH=empty)
equal((refused.status, refused.codes), (4, ["CC2005"]), refused)
assert "not started: " in refused.err and "it lies in the project" in refused.err, refused
assert not marker.exists()
