# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Search paths under CMake's settings, built and installed (AT6, AT7, AT25; V1 to V29). Each row is a folder of one
project, built with only the linker launcher and with the whole toolchain file; the test reads the search paths of the
results. D is the runtime's folder, B the build's (U: from $ORIGIN), K that of a library given by path, E one from the
linker's flags, O an INSTALL_RPATH. All targets link the runtime's library. T0 links nothing else, T1 also a library of
the project; T2 links the runtime's library by path."""
import os

import note
from behaviour import behaviour
from cmake_project import Project, combinations, copied, forget, good
from sandbox import Sandbox, equal, some

OWN = 'set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib")'
FLAGS = 'string(APPEND CMAKE_SHARED_LINKER_FLAGS " -Wl,-rpath,/e")'
REMOVE = "set(CMAKE_INSTALL_REMOVE_ENVIRONMENT_RPATH ON)"

def on(name):
    return f"set({name} ON)"

# Name: settings; build -> installed of T0, T1, T2; the targets that a second installation copies again.
PREFIX = {
    "V2": ("", "D -> D", "D:B -> D", "D:K -> D", "012"),
    "V3": (OWN, "D -> D:O", "D:B -> D:O", "D:K -> D:O", ""),
    "V4": (on("CMAKE_BUILD_WITH_INSTALL_RPATH") + OWN, *["D:O -> D:O"] * 3, ""),
    "V5": (on("CMAKE_SKIP_RPATH"), *["D -> D"] * 3, ""),
    "V6": (on("CMAKE_SKIP_INSTALL_RPATH"), "D -> D", "D:B -> D", "D:K -> D", "012"),
    "V7": (on("CMAKE_SKIP_BUILD_RPATH"), *["D -> D"] * 3, "012"),
    "V8": (on("CMAKE_BUILD_RPATH_USE_ORIGIN"), "D -> D", "D:U -> D", "D:K -> D", "012"),
    "V8o": (on("CMAKE_BUILD_RPATH_USE_ORIGIN") + OWN, "D -> D:O", "D:U -> D:O",
            "D:K -> D:O", ""),
    "V9": (on("CMAKE_INSTALL_RPATH_USE_LINK_PATH"), "D -> D", "D:B -> D", "D:K -> D:K", "01"),
    "V9o": (on("CMAKE_INSTALL_RPATH_USE_LINK_PATH") + OWN, "D -> D:O", "D:B -> D:O", "D:K -> D:O:K",
            ""),
    "V10": (OWN + 'string(APPEND CMAKE_SHARED_LINKER_FLAGS " -Wl,--disable-new-dtags")', "D -> D:O",
            "D:B -> D:O", "D:K -> D:O", ""),
    "V11": (FLAGS, "D:E -> D:E", "D:E:B -> D:E", "D:E:K -> D:E", "012"),
    "V12": (FLAGS + REMOVE, "D:E -> D:E", "D:E:B -> ", "D:E:K -> ", "0"),
    "V13": (REMOVE, "D -> D", "D:B -> ", "D:K -> ", "0"),
}
MODULE = {
    "V20": ("", "D -> D", "D:B -> D", "D:K -> D", ""),
    "V21": (OWN, "D -> D:O", "D:B -> D:O", "D:K -> D:O", ""),
    "V22": (REMOVE, "D -> D", "D:B -> D", "D:K -> D", ""),
    "V22o": (REMOVE + OWN, "D -> D:O", "D:B -> D:O", "D:K -> D:O", ""),
    "V23": (on("CMAKE_BUILD_WITH_INSTALL_RPATH") + OWN, *["D:O -> D:O"] * 3, ""),
    "V24": (on("CMAKE_SKIP_RPATH"), *["D -> D"] * 3, ""),
    "V25": (on("CMAKE_INSTALL_RPATH_USE_LINK_PATH"), "D -> D", "D:B -> D", "D:K -> D:K", ""),
    # V27 is the result of a module without this handling; V16 to V19b are those of an appended path.
    "V28": PREFIX["V6"],
    "V29": (on("CMAKE_SKIP_INSTALL_RPATH") + REMOVE, "D -> D", "D:B -> ", "D:K -> ", "0"),
}
PLAIN = {"V1": ("", " -> ", "B -> ", "K -> ", "")}
RELINKED = {"V26": (on("CMAKE_NO_BUILTIN_CHRPATH") + OWN, "D -> D:O", "D:B -> D:O", "D:K -> D:O", "")}
SAME = {
    "V14": ("", "D -> D", "D:B -> D", "D:D -> D", "012"),
    "V15": (OWN, "D -> D:O", "D:B -> D:O", "D:D -> D:O", ""),
}

TOP = """cmake_minimum_required(VERSION 3.21)
project(vectors LANGUAGES CXX)
set(library ${CUDA_CC_TOOLCHAIN_DIR}/lib64/libcudart.so)
add_library(code OBJECT code.cpp)
set_target_properties(code PROPERTIES POSITION_INDEPENDENT_CODE ON)
add_library(helper SHARED helper.cpp)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/rows)
"""
ROW = """%s
add_library(%s_t0 SHARED $<TARGET_OBJECTS:code>)
target_link_options(%s_t0 PRIVATE -L${CUDA_CC_TOOLCHAIN_DIR}/lib64)
target_link_libraries(%s_t0 PRIVATE -lcudart)
add_library(%s_t1 SHARED $<TARGET_OBJECTS:code>)
target_link_options(%s_t1 PRIVATE -L${CUDA_CC_TOOLCHAIN_DIR}/lib64)
target_link_libraries(%s_t1 PRIVATE helper -lcudart)
add_library(%s_t2 SHARED $<TARGET_OBJECTS:code>)
target_link_libraries(%s_t2 PRIVATE ${library})
install(TARGETS %s_t0 %s_t1 %s_t2 DESTINATION lib)
"""

sandbox = Sandbox("13.0")
sandbox.write("cuda-cc.toml", 'runtime = "cuda==13.0"\ninstall-dir = "pkg"\n')
td = sandbox.work / "td"
sandbox.good("toolchain", "td")
same = sandbox.work / "same"
sandbox.good("toolchain", "same", f"--cudacc-layout=system:{same}/lib64")

def write(source, rows):
    text = TOP
    for name, row in rows.items():
        text += f"add_subdirectory({name})\n"
        sandbox.write(f"{source}/{name}/CMakeLists.txt", ROW % (row[0].replace(")set", ")\nset").replace(
            ")string", ")\nstring"), *[name] * 11))
    sandbox.write(f"{source}/CMakeLists.txt", text)
    sandbox.write(f"{source}/code.cpp", '#include <cuda_runtime.h>\n'
                  'extern "C" int count() { int n; return cudaGetDeviceCount(&n); }\n')
    sandbox.write(f"{source}/helper.cpp", "int helper() { return 0; }\n")

def folder(project):
    return project.build / "rows" / ("Release" if project.way.multi else "")

def letters(elements, project, ours):
    """Search path elements as letters of the table, without the padding at the end."""
    beside = os.path.relpath(project.binaries, folder(project))
    names = {str(project.binaries): "B", f"{td}/lib64": "K", "/e": "E", "$ORIGIN/../lib": "O",
             f"$ORIGIN/{beside}": "U", ours: "D"}
    while elements and not elements[-1]:
        elements = elements[:-1]
    return ":".join(names.get(element.rstrip("/"), element) for element in elements)

def read(project, rows, ours="$ORIGIN/../nvidia/cu13/lib"):
    built = folder(project)
    placed = project.build / "i/lib"
    wrong = []
    for name, (_, *expected, _) in rows.items():
        for i, wanted in enumerate(expected):
            file = f"lib{name}_t{i}.so"
            before, after = note.elf(built / file), note.elf(placed / file)
            if name != "V1":
                assert not (before.runpath or after.runpath), f"{project.way} {file}: another tag"
            assert "" not in after.rpath, f"{project.way} {file}: {after.rpath}"
            if name == "V1":
                assert not after.manifest(), file
            else:
                assert after.manifest().link, f"{project.way} {file}"
            got = " -> ".join(letters(elf.rpath + elf.runpath, project, ours)
                              for elf in (before, after))
            if got != wanted:
                wrong.append(f"{name} T{i}: {got}, not {wanted}")
    assert not wrong, f"{project.way}\n" + "\n".join(wrong)

def build(way, source, directory, *settings):
    name = "b"
    forget(sandbox.work / name)
    toolchain = [f"-DCMAKE_TOOLCHAIN_FILE={directory}/toolchain.cmake"]
    project = Project(sandbox, way, source, name, *(settings or toolchain),
                      f"-DCMAKE_CXX_FLAGS=-I{directory}/include",
                      f"-DCMAKE_SHARED_LINKER_FLAGS=-fuse-ld={way.linker}",
                      f"-DCMAKE_INSTALL_PREFIX={sandbox.work}/{name}/i")
    good(project.configure(), way)
    good(project.make(*(["--target", "install"] if way.generator == "Unix Makefiles" else [])), way)
    if way.generator != "Unix Makefiles":
        good(project.install(), way)
    return project

def again(project, rows):
    files = copied(good(project.install(), project.way))
    for name, row in rows.items():
        got = "".join(str(i) for i in range(3) if f"lib{name}_t{i}.so" in files)
        equal(got, row[-1], f"{project.way} {name}: copied again")

LAUNCHER = [f"-DCMAKE_TOOLCHAIN_FILE={td}/toolchain.cmake", "-DCUDA_CC_MANAGE_RPATH=OFF"]
write("plain", PLAIN)
write("prefix", PREFIX)
write("module", MODULE)
write("relinked", {**MODULE, **RELINKED})
write("same", SAME)
chosen = combinations()


@behaviour
def without_cuda_cc_the_search_paths_are_those_of_cmake():
    project = build(chosen[0], "plain", td, f"-DCUDA_CC_TOOLCHAIN_DIR={td}")
    read(project, PLAIN)
    again(project, PLAIN)


@behaviour
def the_linker_launcher_alone_adds_a_search_path():
    for way in chosen:
        project = build(way, "prefix", td, *LAUNCHER)
        read(project, PREFIX)
        again(project, PREFIX)


@behaviour
def the_toolchain_file_keeps_the_search_path_through_an_installation():
    for way in chosen:
        makefiles = way.generator == "Unix Makefiles"
        rows = {**MODULE, **RELINKED} if makefiles else MODULE
        project = build(way, "relinked" if makefiles else "module", td)
        read(project, rows)
        if not makefiles:
            again(project, rows)


@behaviour
def without_cmake_s_target_relinking_stops_as_without_cuda_cc():
    """V26"""
    makefiles = next((way for way in chosen if way.generator == "Unix Makefiles"), None)
    if makefiles:
        write("bare", RELINKED)
        for settings in ([f"-DCUDA_CC_TOOLCHAIN_DIR={td}"], [f"-DCMAKE_TOOLCHAIN_FILE={td}/toolchain.cmake"]):
            forget(sandbox.work / "bare-b")
            project = Project(sandbox, makefiles, "bare", "bare-b", f"-DCMAKE_CXX_FLAGS=-I{td}/include",
                              f"-DCMAKE_INSTALL_PREFIX={sandbox.work}/bare-i", *settings)
            good(project.configure(), settings)
            good(project.make(), settings)
            done = project.install()
            assert done.status and "CMakeRelink.dir" in done.err, done


@behaviour
def the_runtime_s_folder_may_be_that_of_a_library_given_by_path():
    """AT7"""
    for way in some(chosen, 2):
        for settings in ([f"-DCMAKE_TOOLCHAIN_FILE={same}/toolchain.cmake",
                          "-DCUDA_CC_MANAGE_RPATH=OFF"], []):
            project = build(way, "same", same, *settings)
            read(project, SAME, f"{same}/lib64")
            again(project, SAME)
