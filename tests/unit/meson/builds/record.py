# SPDX-License-Identifier: Apache-2.0
"""Stores the files that the reader of a Meson build uses in one JSON file: a line per file, with replaced paths, and
only the relevant members of Meson's introspection data.

    record.py BUILD OUT.json FROM=TO...

The builds here are of one project (meson.build and sub/meson.build of this folder) with the toolchain
directory /td, in the source folder /s, configured as /b:
    1.0.1.json           Meson 1.0.1, --native-file /td/native.ini
    1.12.1.json          Meson 1.12.1, the same
    1.12.1-round.json    the same with a native file that names only /td/bin/nvcc
"""
import json
import subprocess
import sys
from pathlib import Path

DROPPED = {"extra_files", "choices", "description", "file_suffixes", "win_subsystem", "introspection",
           "full_version", "linker_id", "default_suffix", "section"}
KEPT = ("meson-info", "intro-buildoptions", "intro-compilers", "intro-targets", "intro-install_plan",
        "intro-buildsystem_files")


def trimmed(value):
    if isinstance(value, dict):
        return {key: trimmed(each) if key != "parameters" or "linker" in value else []
                for key, each in value.items() if key not in DROPPED}
    if isinstance(value, list):
        return [trimmed(each) for each in value
                if not isinstance(each, dict) or "section" not in each or each["name"] == "backend"]
    return value


def main(build, out, *replacements):
    build = Path(build)
    files = {}
    for name in KEPT:
        path = build / f"meson-info/{name}.json"
        if path.exists():
            files[f"meson-info/{name}.json"] = trimmed(json.loads(path.read_text()))
    files["-t commands build.ninja"] = subprocess.run(
        ["ninja", "-C", build, "-t", "commands", "all", "liblater.so"], check=True,
        stdout=subprocess.PIPE, text=True).stdout
    text = "{" + ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}"
                            for name, value in files.items()) + "}\n"
    for pair in replacements:
        old, new = pair.split("=", 1)
        text = text.replace(old, new)
    Path(out).write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
