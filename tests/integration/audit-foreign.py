# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""audit of build directories from elsewhere: a copied one can be audited, one whose targets cannot be determined
is unknown, and no program is started because the build directory names it."""
import shutil

from audited import audit, cmakes
from scene import Scene, equal

scene = Scene()
cmake = cmakes()["system"]
scene.write("p/CMakeLists.txt", """cmake_minimum_required(VERSION 3.21)
project(p LANGUAGES CXX)
add_library(plain SHARED a.cpp)
add_library(uses SHARED a.cpp)
target_link_libraries(uses PRIVATE /none/libcudart.so.13)
""")
scene.write("p/a.cpp", "int a() { return 1; }\n")


def configure(generator, build):
    done = scene.run(cmake, "-G", generator, "-S", "p", "-B", build)
    equal(done.status, 0, done)


for generator in ("Ninja", "Unix Makefiles"):
    build = generator.split()[-1]
    configure(generator, build)
    shutil.copytree(scene.work / build, scene.work / f"{build}-copy")
    rows, report = audit(scene, build, 3)
    equal(rows, ["CC6003 uses link", "CC6014 - configure", "CC6015 uses artefact"])
    equal(audit(scene, f"{build}-copy", 3)[0], rows)
    (scene.work / build).rename(scene.work / "gone")
    equal(audit(scene, f"{build}-copy", 3)[0], rows, "without the first")
    shutil.rmtree(scene.work / "gone")

# The list of targets is empty, or belongs to another build directory.
folders = scene.work / "Makefiles-copy/CMakeFiles/TargetDirectories.txt"
whole = folders.read_text()
for text in ("", whole.replace(f"{scene.work}/Makefiles/", "/elsewhere/")):
    folders.write_text(text)
    rows, report = audit(scene, "Makefiles-copy", 4)
    equal((rows, report["targets"]), (["CC6018 - configure"], 0))
    equal(scene.cc("audit", "--strict", "Makefiles-copy").status, 3)

# A project that has no targets.
scene.write("p/CMakeLists.txt", "cmake_minimum_required(VERSION 3.21)\nproject(p LANGUAGES NONE)\n")
scene.good("audit", "--prepare", "none")
configure("Ninja", "none")
rows, report = audit(scene, "none", 0)
equal((rows, report["targets"]), ([], 0))

# The project names a Ninja of its own: the Ninja on PATH is used to list the commands.
marker = scene.work / "ran"
evil = scene.write("p/tools/ninja", f"#!/bin/sh\ntouch '{marker}'\n")
evil.chmod(0o755)
cache = scene.work / "none/CMakeCache.txt"
text = cache.read_text().splitlines()
cache.write_text("\n".join(f"CMAKE_MAKE_PROGRAM:FILEPATH={evil}" if "CMAKE_MAKE_PROGRAM:" in line
                           else line for line in text))
equal(audit(scene, "none", 0)[0], [])
assert not marker.exists()
empty = scene.work / "empty"
empty.mkdir()
refused = scene.cc("audit", "none", PATH=empty)
equal((refused.status, refused.codes), (4, ["CC2005"]), refused)
assert "not started: " in refused.err and "it lies in the project" in refused.err, refused
assert not marker.exists()
