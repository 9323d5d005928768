# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""A project with twelve kinds of targets, over CMake versions, generators and ways to use cuda-cc: each linked library
and program has one link record and the runtime's folder once, other outputs none; unchanged targets are not built
again (AT1, AT9; R15, R21, section 1)."""
import os
import time

import note
from behaviour import behaviour
from cmake_project import NEWEST, VERSIONS, Project, Way, available, forget, good, rows
from sandbox import ALL, PROGRAM, Sandbox, equal, tools

LINKED = ["libpure.so", "libobjects.so", "libmixed.so", "librdc.so", "liblto.so", "libplugin.so",
          "libinside.so", "libhost.so", "program", "caller"]
WAYS = ("toolchain", "environment", "launcher")
CMAKE = """cmake_minimum_required(VERSION 3.21)
project(twelve LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
include_directories(${CUDAToolkit_INCLUDE_DIRS})
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
add_library(archive STATIC a.cu)
add_library(object OBJECT b.cu)
add_library(pure SHARED a.cu)
add_library(objects SHARED $<TARGET_OBJECTS:object>)
add_library(mixed SHARED host.cpp)
target_link_libraries(mixed PRIVATE object)
add_library(rdc SHARED call.cu called.cu)
set_target_properties(rdc PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
add_library(lto SHARED call.cu called.cu)
set_target_properties(lto PROPERTIES CUDA_SEPARABLE_COMPILATION ON INTERPROCEDURAL_OPTIMIZATION ON)
add_library(plugin MODULE a.cu)
set_target_properties(plugin PROPERTIES PREFIX lib)
add_library(inside SHARED host.cpp)
target_link_libraries(inside PRIVATE archive)
add_library(host SHARED host.cpp)
target_link_libraries(host PRIVATE CUDA::cudart)
add_executable(program main.cu)
add_executable(caller main.cpp)
target_link_libraries(caller PRIVATE mixed CUDA::cudart)
"""
KERNEL = """#include <cuda_runtime.h>
__global__ void %s(float *x) { x[threadIdx.x] *= 2; }
extern "C" int run_%s(float *x) { %s<<<1, 32>>>(x); return cudaGetLastError(); }
"""

sandbox = Sandbox("13.0")
sandbox.write("cuda-cc.toml", 'runtime = "cuda==13.0"\ninstall-dir = "pkg"\n')
sandbox.write("p/CMakeLists.txt", CMAKE)
for name in "ab":
    sandbox.write(f"p/{name}.cu", KERNEL % (name, name, name))
sandbox.write("p/call.cu", "__device__ float f(float);\n" + (KERNEL % (("c",) * 3)).replace(
    "x[threadIdx.x] *= 2", "x[0] = f(x[0])"))
sandbox.write("p/called.cu", "__device__ float f(float x) { return x * 3; }\n")
sandbox.write("p/main.cu", (KERNEL % (("m",) * 3)) + "int main() { return 0 * run_m(nullptr); }\n")
sandbox.write("p/host.cpp", "#include <cuda_runtime.h>\n"
              'extern "C" int count() { int n; return cudaGetDeviceCount(&n); }\n')
sandbox.write("p/main.cpp", 'extern "C" int count();\nint main() { return 0 * count(); }\n')
td = sandbox.work / "td"
sandbox.good("toolchain", "td")

# Compiles are the same in every combination; links pass through a cache unchanged (R26).
CACHE = {"CMAKE_CUDA_COMPILER_LAUNCHER": "ccache", "CMAKE_CXX_COMPILER_LAUNCHER": "ccache",
         "CCACHE_DIR": sandbox.root / "ccache", "CCACHE_CONFIGPATH": "/dev/null"} if tools("ccache") else {}

def project(version, generator, kind):
    settings, environment = ["-DCMAKE_CUDA_ARCHITECTURES=80"], {}
    if kind == "toolchain":
        settings.append(f"-DCMAKE_TOOLCHAIN_FILE={td}/toolchain.cmake")
    elif kind == "environment":
        environment = {"CUDACXX": td / "bin/nvcc", "CMAKE_CXX_LINKER_LAUNCHER": td / "bin/cuda-cc",
                       "CUDAToolkit_ROOT": td}
    else:
        settings.append(f"-DCMAKE_CXX_LINKER_LAUNCHER={PROGRAM}")
        environment = {"CUDACXX": PROGRAM, "CUDAToolkit_ROOT": sandbox.toolkit}
    return Project(sandbox, Way(version, generator, "bfd"), "p", "b", *settings, **environment, **CACHE)

def read(built, what):
    for name in LINKED:
        elf = note.elf(built.binaries / name)
        found = elf.manifest()
        equal(found.link["target"]["cuda"], "13.0", f"{what} {name}")
        equal((elf.rpath[0], elf.rpath.count(elf.rpath[0])), ("$ORIGIN/../nvidia/cu13/lib", 1),
              f"{what} {name} {elf.rpath}")
    others = [path for path in built.build.rglob("*.o") if "CMakeFiles/3" not in str(path)
              and "CMakeFiles/4" not in str(path) and "CMakeScratch" not in str(path)]
    dlinked = [path for path in others if path.name.startswith("cmake_device_link")]
    equal(len(dlinked), 2, f"{what}: device links")
    for path in others:
        equal(note.elf(path).manifest().links, [], f"{what} {path}")
    archive = note.Manifest()
    note.scan((built.binaries / "libarchive.a").read_bytes(), archive)
    equal((archive.links, bool(archive.objects)), ([], True), f"{what}: archive")

def again(built, what):
    """Nothing to do, also after CMake ran again."""
    before = {name: (built.binaries / name).stat().st_mtime_ns for name in LINKED}
    for touched in (False, True):
        if touched:
            os.utime(sandbox.work / "p/CMakeLists.txt", (time.time() + 2,) * 2)
        done = good(built.make(), what)
        assert "Building" not in done.out and "Linking" not in done.out, f"{what}: {done}"
    equal({name: (built.binaries / name).stat().st_mtime_ns for name in LINKED}, before, what)

generators, _ = available()
versions = VERSIONS if ALL else ["machine", "3.31.10", NEWEST]
for row in rows(versions, generators, WAYS):
    @behaviour
    def linked_targets_have_one_record_and_unchanged_ones_stay(row=row):
        what = ", ".join(row)
        forget(sandbox.work / "b")
        built = project(*row)
        built.all()
        read(built, what)
        again(built, what)
