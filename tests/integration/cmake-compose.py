# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""The toolchain file together with what users have: linker launchers, a toolchain file, included files, a host
compiler (AT3, AT24; R42); sub-builds, C++ only, the old FindCUDA (AT10; R22, R23); and the variables that it does not
set. All in folders with a space and a non-ASCII letter (AT14, R24)."""
import re

import note
from behaviour import behaviour
from cmake_project import NEWEST, Project, Way, forget, good
from sandbox import KERNEL, Sandbox, equal

sandbox = Sandbox("13.0", "w \u00e4")
sandbox.write("cuda-cc.toml", 'runtime = "cuda==13.0"\ninstall-dir = "pkg"\n')
td = sandbox.work / "a b/td"
sandbox.good("toolchain", td)
toolchain = f"-DCMAKE_TOOLCHAIN_FILE={td}/toolchain.cmake"
mine = sandbox.write("mine.sh", f'#!/bin/sh\necho "$@" >> "{sandbox.work}/mine.log"\nexec "$@"\n')
mine.chmod(0o755)
D = "$ORIGIN/../nvidia/cu13/lib"
HOST = """cmake_minimum_required(VERSION 3.21)
project(host LANGUAGES CXX)
find_package(CUDAToolkit REQUIRED)
include(CheckCXXSourceCompiles)
check_cxx_source_compiles("int main() { return 0; }" compiles)
add_library(host SHARED host.cpp)
target_link_libraries(host PRIVATE CUDA::cudart)
message(STATUS "cudart ${CUDA_cudart_LIBRARY}; nvcc ${CUDAToolkit_NVCC_EXECUTABLE}; set ${MINE}")
message(STATUS "compiler ${CMAKE_CXX_COMPILER}; system ${CMAKE_SYSTEM_NAME} ${CMAKE_CROSSCOMPILING}")
"""
sandbox.write("host/CMakeLists.txt", HOST)
sandbox.write("host/host.cpp", "#include <cuda_runtime.h>\n"
              'extern "C" int count() { int n; return cudaGetDeviceCount(&n); }\n')


def host(version, *settings, **environment):
    forget(sandbox.work / "b")
    (sandbox.work / "mine.log").unlink(missing_ok=True)
    built = Project(sandbox, Way(version, "Ninja", "bfd"), "host", "b", *settings, **environment)
    shown = good(built.configure(), version).out
    good(built.make(), version)
    elf = note.elf(built.binaries / "libhost.so")
    assert elf.manifest().link, version
    equal((elf.rpath[0], elf.rpath.count(D)), (D, 1), elf.rpath)
    log = sandbox.work / "mine.log"
    links = [line for line in log.read_text().splitlines() if "libhost.so" in line] if log.exists() else []
    return built, shown, links


@behaviour
def both_launchers_run_and_ours_is_the_innermost():
    """AT24: nothing else is in their argv."""
    sandbox.write("host/user.cmake", f"set(CMAKE_CXX_LINKER_LAUNCHER \"{mine}\")\nset(MINE yes)\n"
                  "set(CMAKE_CXX_FLAGS_INIT -DMINE)\n"
                  "get_property(trying GLOBAL PROPERTY IN_TRY_COMPILE)\n"
                  f'file(APPEND "{sandbox.work}/read.log" "${{trying}} ")\n')
    for version in ("machine", NEWEST, "3.21.4"):
        for settings, environment in (([f"-DCMAKE_CXX_LINKER_LAUNCHER={mine}"], {}),
                                      ([], {"CMAKE_CXX_LINKER_LAUNCHER": mine}),
                                      (["-DCUDA_CC_CHAINLOAD_TOOLCHAIN_FILE=user.cmake"], {})):
            built, shown, links = host(version, toolchain, *settings, **environment)
            equal(len(links), 1, f"{version} {settings}")
            assert links[0].startswith(f"{td}/bin/cuda-cc "), links
            assert "-rpath" not in links[0].split(" -o ")[0], links
            equal(links[0].count("bin/cuda-cc "), 1, links)
            if "user.cmake" in str(settings):
                assert "set yes" in shown, shown
                assert "0 " in (sandbox.work / "read.log").read_text() and \
                    "1 " in (sandbox.work / "read.log").read_text(), "in try_compile, too"
            # 5.4: these variables are not set.
            assert f"compiler {sandbox.run('sh', '-c', 'command -v c++').out.strip()}; system Linux FALSE" in \
                shown, shown
            # AT10: a C++ project uses the directory too; the nvcc that it finds is the front.
            assert re.search(rf"cudart {re.escape(str(td))}/(lib|lib64|targets/[\w-]+/lib)/libcudart.so; "
                             rf"nvcc {re.escape(str(td))}/bin/nvcc", shown), shown


@behaviour
def a_shim_behind_the_launcher_adds_nothing():
    """AT26: host() finds one record and one search path element."""
    host("machine", toolchain, CXX=td / "bin/g++")


@behaviour
def a_file_that_the_user_sets_for_the_top_level_project_is_included():
    sandbox.write("host/included.cmake", "set(MINE included)\n")
    for version, variable in ((NEWEST, "CMAKE_PROJECT_TOP_LEVEL_INCLUDES"), ("3.21.4", "CMAKE_PROJECT_INCLUDE")):
        built, shown, _ = host(version, toolchain, f"-D{variable}={sandbox.work}/host/included.cmake")
        assert "set included" in shown, shown


@behaviour
def a_chained_file_that_is_the_same_or_missing_stops():
    for settings, message in ((f"-DCUDA_CC_CHAINLOAD_TOOLCHAIN_FILE={td}/toolchain.cmake", "itself"),
                              ("-DCUDA_CC_CHAINLOAD_TOOLCHAIN_FILE=none.cmake", "there is no")):
        forget(sandbox.work / "b")
        done = Project(sandbox, Way("machine", "Ninja", "bfd"), "host", "b", toolchain, settings).configure()
        assert done.status and message in " ".join((done.out + done.err).split()), done


sandbox.write("pure/CMakeLists.txt", """cmake_minimum_required(VERSION 3.21)
project(pure LANGUAGES CUDA)
add_library(pure SHARED k.cu)
set_target_properties(pure PROPERTIES CUDA_RUNTIME_LIBRARY Shared CUDA_ARCHITECTURES 80)
""")
sandbox.write("pure/k.cu", KERNEL)


@behaviour
def the_requested_host_compiler_compiles_and_links_through_cuda_cc():
    """AT3."""
    other = sandbox.work / "bin/g++-other"
    other.parent.mkdir()
    other.write_text(f'#!/bin/sh\necho "$@" >> "{sandbox.work}/other.log"\nexec /usr/bin/g++ "$@"\n')
    other.chmod(0o755)
    for settings, environment in (([f"-DCMAKE_CUDA_HOST_COMPILER={other}"], {}), ([], {"CUDAHOSTCXX": other})):
        forget(sandbox.work / "b")
        built = Project(sandbox, Way("machine", "Ninja", "bfd"), "pure", "b", toolchain, *settings, **environment)
        built.all()
        assert note.manifest(built.binaries / "libpure.so").link
        log = (sandbox.work / "other.log").read_text()
        assert "-D__NVCC__" in log or "k.cu" in log or ".cudafe1.cpp" in log, log
        assert "libpure.so" in log, "and links"


@behaviour
def sub_builds_inherit_the_environment():
    """AT10, R22: check_language finds the front."""
    sandbox.write("super/CMakeLists.txt", """cmake_minimum_required(VERSION 3.21)
project(super LANGUAGES CXX)
include(CheckLanguage)
check_language(CUDA)
message(STATUS "CUDA is ${CMAKE_CUDA_COMPILER}")
include(ExternalProject)
ExternalProject_Add(inner SOURCE_DIR ${CMAKE_SOURCE_DIR}/../pure BINARY_DIR ${CMAKE_BINARY_DIR}/inner
                    INSTALL_COMMAND "")
""")
    forget(sandbox.work / "b")
    built = Project(sandbox, Way("machine", "Ninja", "bfd"), "super", "b",
                    CMAKE_TOOLCHAIN_FILE=td / "toolchain.cmake")
    assert f"CUDA is {td}/bin/nvcc" in good(built.configure()).out
    good(built.make())
    elf = note.elf(built.build / "inner/libpure.so")
    assert elf.manifest().link and elf.rpath[0] == D, elf.rpath


@behaviour
def findcuda_finds_the_front():
    """R23: in CMake versions that still have it."""
    sandbox.write("old/CMakeLists.txt", """cmake_minimum_required(VERSION 3.21)
project(old LANGUAGES CXX)
find_package(CUDA REQUIRED)
message(STATUS "nvcc ${CUDA_NVCC_EXECUTABLE}")
set(CUDA_NVCC_FLAGS -arch=sm_80)
cuda_add_library(old SHARED k.cu)
""")
    sandbox.write("old/k.cu", KERNEL)
    forget(sandbox.work / "b")
    built = Project(sandbox, Way("3.21.4", "Ninja", "bfd"), "old", "b", toolchain,
                    "-DCUDA_USE_STATIC_CUDA_RUNTIME=OFF")
    assert f"nvcc {td}/bin/nvcc" in good(built.configure()).out
    good(built.make())
    elf = note.elf(built.binaries / "libold.so")
    assert elf.manifest().link and elf.rpath[0] == D, elf.rpath
    assert len(elf.manifest().objects) == 1, "compiled by the front"
