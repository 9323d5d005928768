# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""The compilers of other languages are those that CMake takes with any other nvcc, in every order of enabling
languages, and C and C++ links run through cuda-cc in each order; compilers that the user names are used. Without the
toolchain file CMake may find compilers beside nvcc, depending on the order; an audit reports links that bypass it."""
import json
import re

import note
from behaviour import behaviour
from cmake_project import NEWEST, VERSIONS, Project, Way, forget, good
from sandbox import ALL, KERNEL, Sandbox, equal, some

sandbox = Sandbox("13.0")
sandbox.write("cuda-cc.toml", 'runtime = "cuda==13.0"\ninstall-dir = "pkg"\n')
td = sandbox.work / "td"
sandbox.good("toolchain", td)
toolchain = f"-DCMAKE_TOOLCHAIN_FILE={td}/toolchain.cmake"
# A g++ and a gcc that exist only under these names, and a c++ on PATH.
for name, real in (("gnu/gcc", "gcc"), ("gnu/g++", "g++"), ("path/c++", "c++"), ("path/mine++", "g++")):
    script = sandbox.write(name, f'#!/bin/sh\nexec /usr/bin/{real} "$@"\n')
    script.chmod(0o755)
gnu, path = sandbox.work / "gnu", sandbox.work / "path"
sandbox.write("k.cu", KERNEL)
sandbox.write("h.cpp", 'extern "C" int host() { return 0; }\n')
sandbox.write("c.c", "int c(void) { return 0; }\n")
REPORT = """
get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
foreach(language IN LISTS languages)
  message(STATUS "${language} by ${CMAKE_${language}_COMPILER};")
endforeach()
"""


def configured(version, text, *settings, generator="Ninja", **environment):
    forget(sandbox.work / "b")
    sandbox.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.21)\n" + text + REPORT)
    built = Project(sandbox, Way(version, generator, "bfd"), ".", "b", "-DCMAKE_CUDA_ARCHITECTURES=80",
                    "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *settings, **environment)
    shown = good(built.configure(), f"{version} {text}").out
    return built, dict(re.findall(r"^-- (\w+) by (.*);$", shown, re.M))


def same(version, text, *settings, **environment):
    """Configures with the toolkit's nvcc and with the toolchain directory's, and compares the other compilers."""
    _, plain = configured(version, text, *settings, CUDACXX=sandbox.toolkit / "bin/nvcc", **environment)
    equal(plain.pop("CUDA"), str(sandbox.toolkit / "bin/nvcc"))
    _, inside = configured(version, text, toolchain, *settings, **environment)
    equal(inside.pop("CUDA"), str(td / "bin/nvcc"))
    equal(inside, plain, f"{version} {text} {settings} {environment}")
    assert not [path for path in (sandbox.work / "b").rglob("client-cuda-cc")], "it asks CMake nothing"
    return inside


USUAL = {"C": "/usr/bin/cc", "CXX": "/usr/bin/c++"}


@behaviour
def cuda_first_or_enabled_later_takes_the_usual_compilers():
    for version in VERSIONS if ALL else (NEWEST, "3.21.4"):
        equal(same(version, "project(p LANGUAGES CUDA C CXX)"), USUAL)
        equal(configured(version, "project(p LANGUAGES CXX)\nenable_language(CUDA)", toolchain)[1],
              {"CXX": USUAL["CXX"], "CUDA": str(td / "bin/nvcc")})


@behaviour
def a_compiler_on_path_is_taken_as_usual():
    equal(same("machine", "project(p LANGUAGES CUDA CXX)", PATH=f"{path}:{sandbox.path}"),
          {"CXX": str(path / "c++")})


@behaviour
def the_compiler_beside_one_that_the_user_names_is_taken_as_usual():
    equal(same("machine", "project(p LANGUAGES CUDA C CXX)", CC=gnu / "gcc"),
          {"C": str(gnu / "gcc"), "CXX": str(gnu / "g++")})


@behaviour
def other_languages_and_check_language_find_the_usual_compilers():
    same("machine", "project(p LANGUAGES CUDA Fortran OBJCXX)")
    equal(same("machine", "project(p LANGUAGES CUDA)\ninclude(CheckLanguage)\ncheck_language(CXX)\n"
               "enable_language(CXX)"), {"CXX": USUAL["CXX"]})


@behaviour
def compilers_that_the_user_names_are_used():
    chained = sandbox.write("user.cmake", f"set(CMAKE_CXX_COMPILER {path}/mine++)\n")
    around = sandbox.write("around.cmake", f"set(CMAKE_CXX_COMPILER {path}/mine++)\ninclude({td}/toolchain.cmake)\n")
    for settings, environment in some((([toolchain, f"-DCMAKE_CXX_COMPILER={path}/mine++"], {}),
                                       ([toolchain, "-DCMAKE_CXX_COMPILER=mine++"], {"PATH": f"{path}:{sandbox.path}"}),
                                       ([toolchain], {"CXX": path / "mine++"}),
                                       ([f"-DCMAKE_TOOLCHAIN_FILE={around}"], {}),
                                       ([toolchain, f"-DCUDA_CC_CHAINLOAD_TOOLCHAIN_FILE={chained}"], {})), 3):
        _, found = configured("machine", "project(p LANGUAGES CUDA CXX)", *settings, **environment)
        equal(found, {"CXX": str(path / "mine++"), "CUDA": str(td / "bin/nvcc")}, settings)


@behaviour
def compilers_of_a_directory_on_path_or_in_the_shell_are_requested():
    for order, name, environment in some((("CUDA CXX", "c++", {}), ("CXX CUDA", "g++", {"CXX": td / "bin/g++"})), 1):
        equal(configured("machine", f"project(p LANGUAGES {order})", toolchain, PATH=f"{td}/bin:{sandbox.path}",
                         **environment)[1], {"CXX": str(td / "bin" / name), "CUDA": str(td / "bin/nvcc")})


BUILD = """
add_library(mixed SHARED k.cu h.cpp)
add_library(host SHARED h.cpp)
add_library(plain SHARED c.c)
set_target_properties(mixed PROPERTIES CUDA_RUNTIME_LIBRARY Shared)
"""


def links(built):
    return {name: bool(note.elf(built.binaries / f"lib{name}.so").manifest().links)
            for name in ("mixed", "host", "plain")}


whole = dict.fromkeys(("mixed", "host", "plain"), True)


@behaviour
def links_run_through_cuda_cc_in_each_order():
    """Those of mixed, C++ and C targets; compiles of C and C++ do not change."""
    for order, generator in some((("CUDA CXX C", "Ninja"), ("CUDA C CXX", "Unix Makefiles"),
                                  ("C CXX CUDA", "Ninja Multi-Config")), 2):
        text = f"project(p LANGUAGES {order})" + BUILD
        built, found = configured("machine", text, toolchain, generator=generator)
        equal((found["C"], found["CXX"]), ("/usr/bin/cc", "/usr/bin/c++"), order)
        good(built.make(), order)
        equal(links(built), whole, order)
        commands = json.loads((built.build / "compile_commands.json").read_text())
        for command in commands:
            assert command["command"].startswith(str(td)) == command["file"].endswith(".cu"), command


@behaviour
def links_run_through_named_compilers_without_the_toolchain_file():
    for order in some(("CUDA CXX C", "C CXX CUDA"), 1):
        text = f"project(p LANGUAGES {order})" + BUILD
        built, _ = configured("machine", text, CUDACXX=td / "bin/nvcc", CXX=td / "bin/g++", CC=td / "bin/gcc")
        good(built.make(), order)
        equal(links(built), whole, order)


@behaviour
def a_compiler_beside_nvcc_is_taken_without_the_toolchain_file():
    built, found = configured("machine", "project(p LANGUAGES CUDA CXX C)" + BUILD, CUDACXX=td / "bin/nvcc")
    good(built.make())
    equal((found["CXX"], links(built)), (str(td / "bin/c++"), whole), "beside nvcc")
    equal(sandbox.cc("audit", "b").status, 0)


@behaviour
def nvcc_alone_does_not_affect_links_of_cpp():
    """An audit reports them."""
    built, found = configured("machine", "project(p LANGUAGES C CXX CUDA)" + BUILD, CUDACXX=td / "bin/nvcc")
    good(built.make())
    equal(found["CXX"], USUAL["CXX"])
    assert not links(built)["mixed"]
    ended = sandbox.cc("audit", "b")
    equal((ended.status, "[CC6003]" in ended.out, "libmixed.so" in ended.out), (3, True, True), ended)
    assert f"-DCMAKE_TOOLCHAIN_FILE={td}/toolchain.cmake" in ended.out, ended
