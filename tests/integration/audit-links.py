# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""audit of C++ projects that link NVIDIA's libraries, with two CMake versions, Ninja and Makefiles: links without
launcher, static libraries that contain CUDA calls, builds without File API reply. The reported search paths after
installation equal those that the installation writes (V2 to V13, V25, V29)."""
import shutil

import note
from audited import audit, cmakes, fact
from behaviour import behaviour
from sandbox import Sandbox, equal

sandbox = Sandbox("13.0", name="wörk 'place")
td = sandbox.work / "td"
sandbox.good("toolchain", td, "--toolkit", sandbox.toolkit, "--runtime", "cuda==13.0")
sandbox.write("p/CMakeLists.txt", """cmake_minimum_required(VERSION 3.21)
project(p LANGUAGES CXX)
find_package(CUDAToolkit REQUIRED)
add_library(inner SHARED i.cpp)
add_library(ext SHARED e.cpp)
set_target_properties(ext PROPERTIES VERSION 1.2.3 SOVERSION 1)
target_link_libraries(ext PRIVATE CUDA::cudart inner)
add_library(bare SHARED b.cpp)
target_link_libraries(bare PRIVATE ${INSTALLED})
install(TARGETS inner ext LIBRARY DESTINATION lib)
""")
CALL = "#include <cuda_runtime.h>\nextern \"C\" int NAME() { int n; return cudaGetDeviceCount(&n); }\n"
sandbox.write("p/i.cpp", "extern \"C\" int i() { return 1; }\n")
sandbox.write("p/e.cpp", "extern \"C\" int i();\n" + CALL.replace("NAME()", "e()").replace("return", "return i() +"))
sandbox.write("p/b.cpp", "extern \"C\" int a(); extern \"C\" int b() { return a(); }\n")
sandbox.write("a.cpp", CALL.replace("NAME", "a"))
for words in (("g++", "-fPIC", "-c", "a.cpp", f"-I{sandbox.toolkit}/include", "-o", "a.o"),
              ("ar", "qc", "liba.a", "a.o")):
    done = sandbox.run(*words)
    equal(done.status, 0, done)
launcher = f"-DCMAKE_CXX_LINKER_LAUNCHER={td}/bin/cuda-cc"
D = "$ORIGIN/../nvidia/cu13/lib"


def build(cmake, name, generator, *options):
    done = sandbox.run(cmake, "-G", generator, "-S", "p", "-B", name, f"-DINSTALLED={sandbox.work}/liba.a",
                       f"-DCMAKE_INSTALL_PREFIX={sandbox.work}/{name}-i", *options, CUDAToolkit_ROOT=td)
    equal(done.status, 0, done)
    done = sandbox.run(cmake, "--build", name)
    equal(done.status, 0, done)


def installed(cmake, name):
    """Search path of ext after installing to an empty directory, because CMake does not replace an installed file
    unless the new one is newer."""
    shutil.rmtree(sandbox.work / f"{name}-i", ignore_errors=True)
    done = sandbox.run(cmake, "--install", name)
    equal(done.status, 0, done)
    elf = note.elf(sandbox.work / f"{name}-i/lib/libext.so")
    return elf.rpath + elf.runpath


WAYS = [(cmake, f"{label}-{generator[0]}", generator)
        for label, cmake in cmakes().items() for generator in ("Ninja", "Unix Makefiles")]
LACKS = "CC6010 bare artefact CMakeLists.txt:8"


@behaviour
def links_without_launcher_are_reported():
    """Without the File API reply: the same findings, except for the lines."""
    for cmake, name, generator in WAYS:
        build(cmake, name, generator)
        rows, report = audit(sandbox, name, 3)
        equal(rows, ["CC6003 ext link", "CC6010 bare artefact", "CC6014 - configure"], name)
        sandbox.good("audit", "--prepare", name)
        build(cmake, name, generator)
        rows, report = audit(sandbox, name, 3)
        equal(rows, ["CC6003 ext link CMakeLists.txt:5", LACKS], name)


def installs(way, options, code, expected):
    """Builds with the launcher, and compares what is reported with what the installation writes."""
    cmake, name, generator = way
    build(cmake, name, generator, launcher, *options)
    rows, report = audit(sandbox, name)
    wanted = [LACKS] + ([f"{code} ext install CMakeLists.txt:5"] if code else [])
    equal(rows, sorted(wanted), f"{name} {options}")
    made = [each for each in installed(cmake, name) if each]
    if code:
        said = fact(report, code, "installed")
        equal(made, [] if said == "no search path" else said.split(":"), options)
    if code == "CC6009":
        assert any(each.startswith(str(td)) for each in made), made
    elif code == "CC6008":
        assert D not in made, made
    else:
        equal([each for each in made if each in expected], expected, options)
        assert not any(each.startswith("/") for each in made), made


@behaviour
def reported_search_paths_are_those_that_the_installation_writes():
    for way in WAYS:
        sandbox.good("audit", "--prepare", way[1])
        for number, (options, code, expected) in enumerate((
                ((), None, [D]),
                (("-DCMAKE_INSTALL_RPATH=$ORIGIN/../lib",), None, [D, "$ORIGIN/../lib"]),
                (("-DCMAKE_BUILD_WITH_INSTALL_RPATH=ON", "-DCMAKE_INSTALL_RPATH=$ORIGIN/../lib"),
                 None, [D, "$ORIGIN/../lib"]),
                (("-DCMAKE_INSTALL_RPATH=", "-DCMAKE_BUILD_WITH_INSTALL_RPATH=OFF",
                  "-DCMAKE_INSTALL_RPATH_USE_LINK_PATH=ON"), "CC6009", None),
                (("-DCMAKE_INSTALL_RPATH_USE_LINK_PATH=OFF",
                  "-DCMAKE_INSTALL_REMOVE_ENVIRONMENT_RPATH=ON"), "CC6008", []),
                (("-DCMAKE_SKIP_INSTALL_RPATH=ON",), "CC6008", []),
                (("-DCMAKE_INSTALL_REMOVE_ENVIRONMENT_RPATH=OFF",), None, [D]),
                (("-DCMAKE_SKIP_RPATH=ON",), None, [D]))):
            if way[1] != "newest-U" or number in (0, 4):
                installs(way, options, code, expected)


@behaviour
def words_that_are_no_audit_are_refused():
    sandbox.refused("audit", code="CC1001", status=2)
    sandbox.refused("audit", "system-N", "newest-N", code="CC1001", status=2)
    sandbox.refused("audit", "--prepare", "--format=json", "system-N", code="CC1001", status=2)
    sandbox.refused("audit", "--format=xml", "system-N", code="CC1001", status=2)


sandbox.clean()
