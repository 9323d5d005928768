# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""CMake determines the same information about the compilers as without cuda-cc, except for the link driver (AT2, R18);
response files and links of 5000 objects (AT8, R9); the requested dtags stay the same through an installation
(AT25, R41)."""
import os
import re

import note
from behaviour import behaviour
from cmake_project import GENERATORS, NEWEST, Project, Way, forget, good, tools
from sandbox import KERNEL, PROGRAM, Sandbox, equal

sandbox = Sandbox("13.0")
sandbox.write("cuda-cc.toml", 'runtime = "cuda==13.0"\ninstall-dir = "pkg"\n')
td = sandbox.work / "td"
sandbox.good("toolchain", td)
D = "$ORIGIN/../nvidia/cu13/lib"
sandbox.write("e/CMakeLists.txt", "cmake_minimum_required(VERSION 3.21)\nproject(e LANGUAGES CXX CUDA)\n")


def determined(version, *settings, **environment):
    forget(sandbox.work / "b")
    built = Project(sandbox, Way(version, "Ninja", "bfd"), "e", "b", *settings, **environment)
    good(built.configure(), version)
    found = {}
    for language in ("CXX", "CUDA"):
        text = next(built.build.glob(f"CMakeFiles/*/CMake{language}Compiler.cmake")).read_text()
        found |= dict(re.findall(r'^\s*set\((\w+) "(.*)"\)$', text, re.M))
    assert "CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES" in found, found
    return found


@behaviour
def cmake_determines_the_same_about_the_compilers():
    """Except for the link driver (AT2, R18)."""
    for version in ("machine", NEWEST):
        plain = determined(version, CUDACXX=sandbox.toolkit / "bin/nvcc")
        front = determined(version, f"-DCMAKE_CXX_LINKER_LAUNCHER={PROGRAM}", CUDACXX=PROGRAM)
        differ = {name for name in plain | front if plain.get(name) != front.get(name)}
        equal(differ, {"CMAKE_CUDA_COMPILER", "CMAKE_CUDA_HOST_LINK_LAUNCHER"}, version)
        inside = determined(version, f"-DCMAKE_TOOLCHAIN_FILE={td}/toolchain.cmake")
        assert inside["CMAKE_CUDA_HOST_LINK_LAUNCHER"].startswith(f"{td}/bin/"), inside
        for name, value in plain.items():
            # The same except for the root; folders of the toolkit are those of the directory.
            if "IMPLICIT" in name and str(sandbox.toolkit) not in value and str(td) not in inside[name]:
                equal(inside[name], value, f"{version} {name}")
        equal(inside["CMAKE_CUDA_IMPLICIT_LINK_LIBRARIES"], plain["CMAKE_CUDA_IMPLICIT_LINK_LIBRARIES"])


sandbox.write("empty.s", '.section .note.GNU-stack,"",@progbits\n')
good(sandbox.run("as", "empty.s", "-o", "empty.o"))
many = sandbox.work / "many"
many.mkdir()
for i in range(5001):
    os.link(sandbox.work / "empty.o", many / f"an_object_with_a_name_that_is_not_short_{i}.o")
sandbox.write("r/CMakeLists.txt", """cmake_minimum_required(VERSION 3.21)
project(r LANGUAGES CXX CUDA)
file(GLOB objects %s/*.o)
set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON)
add_library(many SHARED h.cpp ${objects})
target_link_libraries(many PRIVATE %s/lib64/libcudart.so)
add_library(few SHARED k.cu h.cpp)
add_library(cuda SHARED k.cu)
set_target_properties(few cuda PROPERTIES CUDA_RUNTIME_LIBRARY Shared CUDA_ARCHITECTURES 80)
set_target_properties(cuda PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
target_link_options(cuda PRIVATE $<HOST_LINK:LINKER:--enable-new-dtags>)
install(TARGETS many few cuda DESTINATION lib)
""" % (many, td))
sandbox.write("r/k.cu", KERNEL)
sandbox.write("r/h.cpp", 'extern "C" int host() { return 0; }\n')


@behaviour
def response_files_and_many_objects_link_with_the_requested_dtags():
    """AT8, AT25: cuda-cc's tag is a default, which the project's own flag overrides."""
    for generator in ("Ninja", "Unix Makefiles"):
        if not tools(GENERATORS[generator]):
            continue
        forget(sandbox.work / "b")
        built = Project(sandbox, Way("machine", generator, "bfd"), "r", "b",
                        f"-DCMAKE_TOOLCHAIN_FILE={td}/toolchain.cmake", "-DCMAKE_NINJA_FORCE_RESPONSE_FILE=ON",
                        "-DCMAKE_CXX_USE_RESPONSE_FILE_FOR_OBJECTS=ON",
                        "-DCMAKE_CXX_USE_RESPONSE_FILE_FOR_LIBRARIES=ON",
                        "-DCMAKE_CUDA_USE_RESPONSE_FILE_FOR_OBJECTS=ON",
                        "-DCMAKE_CUDA_USE_RESPONSE_FILE_FOR_LIBRARIES=ON",
                        f"-DCMAKE_INSTALL_PREFIX={sandbox.work}/b/i")
        built.all()
        good(built.install(), generator)
        for folder in (built.binaries, built.build / "i/lib"):
            for name in ("libmany.so", "libfew.so", "libcuda.so"):
                elf = note.elf(folder / name)
                assert elf.manifest().link, f"{generator} {name}"
                path, other = (elf.runpath, elf.rpath) if name == "libcuda.so" else (elf.rpath, elf.runpath)
                equal((path[0], path.count(D), other), (D, 1, []), f"{generator} {folder} {name}")
