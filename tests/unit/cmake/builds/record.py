# SPDX-License-Identifier: Apache-2.0
"""Stores the files that the reader of a CMake build uses in one JSON file: a line per file, with replaced paths,
and only the relevant keys of the File API's replies.

    record.py BUILD OUT.json FROM=TO...

The builds here are of one project (CMakeLists.txt and sub/CMakeLists.txt of this folder) with the toolchain
directory /td, in the source folder /s, configured as /b:
    3.25-ninja.json        CMake 3.25.1, Ninja
    3.25-round.json        the same, without cuda-cc
    3.31-multi.json        CMake 3.31.6, Ninja Multi-Config, Debug and Release
    4.4-makefiles.json     CMake 4.4.2, Unix Makefiles
"""
import json
import subprocess
import sys
from pathlib import Path

DROPPED = {"includes", "compileCommandFragments", "defines", "sourceGroups", "languageStandard",
           "implicit", "compileDependencies", "abstractTargets", "projects", "directories",
           "sourceFileExtensions", "objectDependencies", "codemodelVersion", "backtraces",
           "linkLibraries"}
CACHE = ("CMAKE_CACHE_M", "CMAKE_CACHE_PATCH", "CMAKE_CACHEFILE_DIR", "CMAKE_GENERATOR:",
         "CMAKE_HOME_DIRECTORY", "CMAKE_MAKE_PROGRAM", "CMAKE_CONFIGURATION_TYPES")


def trimmed(value):
    if isinstance(value, dict):
        return {key: trimmed(each) for key, each in value.items() if key not in DROPPED}
    if isinstance(value, list):
        return [trimmed(each) for each in value]
    return value


def without_cmakes_own(value):
    if "inputs" in value:
        value["inputs"] = [each for each in value["inputs"] if not each.get("isCMake")]
    return value


def main(build, out, *replacements):
    build = Path(build)
    pairs = [text.split("=", 1) for text in replacements]

    def replaced(text):
        for old, new in pairs:
            text = text.replace(old, new)
        return text

    files = {}
    cache = (build / "CMakeCache.txt").read_text().splitlines()
    files["CMakeCache.txt"] = "\n".join(
        line for line in cache if line.startswith(CACHE)) + "\n"
    for path in sorted((build / ".cmake/api/v1/reply").glob("*.json")):
        if path.name.startswith(("cache-", "directory-", "target-CUDA__", "target-Threads")):
            continue
        files[str(path.relative_to(build))] = without_cmakes_own(
            trimmed(json.loads(path.read_text())))
    for pattern in ("CMakeFiles/[0-9]*/CMakeC*Compiler.cmake", "**/cmake_install.cmake",
                    "**/*.dir/*link.txt", "**/*.dir/*.rsp", "CMakeFiles/TargetDirectories.txt",
                    "**/*.dir/build.make"):
        for path in sorted(build.glob(pattern)):
            text = path.read_text()
            if path.name.endswith("Compiler.cmake"):
                text = "".join(line for line in text.splitlines(True) if line.startswith("set("))
                text = "".join(line for line in text.splitlines(True)
                               if "FEATURES" not in line and "IMPLICIT" not in line)
            if path.name == "build.make":
                text = "".join(line for line in text.splitlines(True)
                               if line.startswith("\t") and "$(CMAKE_COMMAND)" not in line)
            if text:
                files[str(path.relative_to(build))] = text
    for path in sorted(build.glob("build*.ninja")):
        files[f"-t commands {path.name}"] = subprocess.run(
            ["ninja", "-C", build, "-f", path.name, "-t", "commands"], check=True,
            stdout=subprocess.PIPE, text=True).stdout
        files[path.name] = ""
    if "build-Debug.ninja" in files:
        del files["-t commands build.ninja"]
    lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in files.items()]
    Path(out).write_text(replaced("{" + ",\n".join(lines) + "}\n"))


if __name__ == "__main__":
    main(*sys.argv[1:])
