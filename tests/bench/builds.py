# SPDX-License-Identifier: Apache-2.0
"""Writes a build directory like CMake's, with many CUDA targets, each with a CUDA and a C++ source and twenty
include directories. CMake itself would take long to write so many."""
import json
import shutil
import subprocess

VERSION = "3.31.6"


def dump(path, value):
    # Indented by tabs, as in CMake's output.
    path.write_text(json.dumps(value, indent="\t", separators=(",", " : ")))


def target_reply(build, source, number):
    """The File API reply about one target, as long as CMake's."""
    name = f"t{number}"
    includes = [{"backtrace": 2, "path": f"{source}/component{i}/include"} for i in range(20)]
    groups = [{"compileCommandFragments": [{"fragment": "-O2 -g -DNDEBUG -std=gnu++17 -fPIC"}],
               "defines": [{"define": f"{name}_EXPORTS"}], "includes": includes,
               "language": language, "languageStandard": {"backtraces": [1], "standard": "17"},
               "sourceIndexes": [index]} for index, language in enumerate(("CUDA", "CXX"))]
    return {
        "artifacts": [{"path": f"lib{name}.so"}], "backtrace": 1,
        "backtraceGraph": {
            "commands": ["add_library", "target_include_directories", "install"],
            "files": ["CMakeLists.txt"],
            "nodes": [{"file": 0}, {"command": 0, "file": 0, "line": 3 * number + 4, "parent": 0},
                      {"command": 1, "file": 0, "line": 3 * number + 5, "parent": 0},
                      {"command": 2, "file": 0, "line": 3 * number + 6, "parent": 0}]},
        "compileGroups": groups, "id": f"{name}::@6890427a1f51a3e7e1df",
        "install": {"destinations": [{"backtrace": 3, "path": "lib"}], "prefix": {"path": "/usr/local"}},
        "link": {"commandFragments": [
            {"fragment": "-O2 -g -DNDEBUG", "role": "flags"},
            {"fragment": f"-Wl,-rpath,{build}:", "role": "libraries"},
            {"fragment": "-lcudadevrt", "role": "libraries"},
            {"fragment": "-lcudart", "role": "libraries"}], "language": "CXX"},
        "name": name, "nameOnDisk": f"lib{name}.so", "paths": {"build": ".", "source": "."},
        "sourceGroups": [{"name": "Source Files", "sourceIndexes": [0, 1]}],
        "sources": [{"backtrace": 1, "compileGroupIndex": index, "path": f"{name}.{kind}",
                     "sourceGroupIndex": 0} for index, kind in enumerate(("cu", "cpp"))],
        "type": "SHARED_LIBRARY"}


def write_reply(build, source, directory, count):
    reply = build / ".cmake/api/v1/reply"
    reply.mkdir(parents=True)
    targets = []
    for number in range(count):
        file = f"target-t{number}-Release-0123456789abcdef0123.json"
        dump(reply / file, target_reply(build, source, number))
        targets.append({"directoryIndex": 0, "id": f"t{number}::@6890427a1f51a3e7e1df",
                        "jsonFile": file, "name": f"t{number}", "projectIndex": 0})
    files = {"codemodel": (2, {"configurations": [{"name": "Release", "targets": targets}],
                               "paths": {"build": str(build), "source": str(source)}}),
             "toolchains": (1, {"toolchains": [
                 {"language": "CUDA", "compiler": {"id": "NVIDIA", "path": f"{directory}/bin/nvcc"}},
                 {"language": "CXX", "compiler": {"id": "GNU", "path": shutil.which("g++")}}]}),
             "cmakeFiles": (1, {"inputs": [{"path": "CMakeLists.txt"}] + [
                 {"isCMake": True, "path": f"/usr/share/cmake/Modules/M{i}.cmake"} for i in range(300)],
                 "paths": {"build": str(build), "source": str(source)}})}
    objects = []
    for kind, (major, value) in files.items():
        dump(reply / f"{kind}.json", value)
        objects.append({"jsonFile": f"{kind}.json", "kind": kind, "version": {"major": major, "minor": 0}})
    dump(reply / "index-2026-01-01T00-00-00-0000.json",
         {"cmake": {"generator": {"name": "Ninja"}, "version": {"string": VERSION}}, "objects": objects})


def write_ninja(build, source, directory, count):
    includes = " ".join(f"-I{source}/component{i}/include" for i in range(20))
    gxx = shutil.which("g++")
    lines = [f"rule cu\n  command = {directory}/bin/nvcc -forward-unknown-to-host-compiler {includes} "
             "-O2 -std=c++17 -Xcompiler=-fPIC -MD -MT $out -MF $out.d -x cu -c $in -o $out\n"
             f"rule cpp\n  command = {gxx} {includes} -O2 -std=gnu++17 -fPIC -MD -MT $out -MF $out.d "
             "-o $out -c $in\n"
             f"rule link\n  command = : && {directory}/bin/cuda-cc {gxx} -fPIC -O2 -shared "
             f"-Wl,-soname,$out -o $out $in -Wl,-rpath,{build}: -lcudadevrt -lcudart && :\n"]
    for number in range(count):
        folder, name = f"CMakeFiles/t{number}.dir", f"t{number}"
        lines.append(f"build {folder}/{name}.cu.o: cu {source}/{name}.cu\n"
                     f"build {folder}/{name}.cpp.o: cpp {source}/{name}.cpp\n"
                     f"build lib{name}.so: link {folder}/{name}.cu.o {folder}/{name}.cpp.o\n"
                     f"build {name}: phony lib{name}.so\n")
    lines.append("build all: phony " + " ".join(f"lib{name}.so" for name in
                                                (f"t{number}" for number in range(count))) + "\n")
    (build / "build.ninja").write_text("".join(lines))


def write_install(build, count):
    lines = []
    for number in range(count):
        there = f"$ENV{{DESTDIR}}${{CMAKE_INSTALL_PREFIX}}/lib/libt{number}.so"
        lines.append(
            f'if(EXISTS "{there}" AND\n   NOT IS_SYMLINK "{there}")\n'
            f'  file(RPATH_CHECK\n       FILE "{there}"\n       RPATH "")\nendif()\n'
            f'file(INSTALL DESTINATION "${{CMAKE_INSTALL_PREFIX}}/lib" TYPE SHARED_LIBRARY FILES '
            f'"{build}/libt{number}.so")\n'
            f'file(RPATH_CHANGE\n     FILE "{there}"\n     OLD_RPATH "{build}:"\n     NEW_RPATH "")\n')
    (build / "cmake_install.cmake").write_text("".join(lines))


def make(folder, directory, count):
    """Writes the build directory and returns its path. \\p directory: the toolchain directory whose compilers run
    every step."""
    build, source = folder / "build", folder / "source"
    compilers = build / f"CMakeFiles/{VERSION}"
    compilers.mkdir(parents=True)
    source.mkdir()
    (source / "CMakeLists.txt").write_text("")
    major, minor, patch = VERSION.split(".")
    (build / "CMakeCache.txt").write_text(
        f"CMAKE_CACHEFILE_DIR:INTERNAL={build}\nCMAKE_CACHE_MAJOR_VERSION:INTERNAL={major}\n"
        f"CMAKE_CACHE_MINOR_VERSION:INTERNAL={minor}\nCMAKE_CACHE_PATCH_VERSION:INTERNAL={patch}\n"
        f"CMAKE_GENERATOR:INTERNAL=Ninja\nCMAKE_HOME_DIRECTORY:INTERNAL={source}\n"
        f"CMAKE_MAKE_PROGRAM:FILEPATH={shutil.which('ninja')}\n")
    (compilers / "CMakeCUDACompiler.cmake").write_text(
        f'set(CMAKE_CUDA_COMPILER "{directory}/bin/nvcc")\n'
        f'set(CMAKE_CUDA_HOST_LINK_LAUNCHER "{directory}/bin/g++")\n')
    write_ninja(build, source, directory, count)
    write_install(build, count)
    (folder / "x.cpp").write_text('extern "C" int f() { return 1; }\n')
    subprocess.run([directory / "bin/g++", "-shared", "-fPIC", folder / "x.cpp", "-o", folder / "x.so",
                    f"-Wl,-rpath,{build}:"], check=True)
    for number in range(count):
        shutil.copyfile(folder / "x.so", build / f"libt{number}.so")
    write_reply(build, source, directory, count)
    return build
