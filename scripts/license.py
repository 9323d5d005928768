# SPDX-License-Identifier: Apache-2.0
"""license.py [--check]: adds the SPDX line to each source file that lacks it. --check only prints the
names of these files."""

import subprocess
import sys
from pathlib import Path

ID = "SPDX-License-Identifier: Apache-2.0"
SLASHES = {".cpp", ".h", ".def", ".td", ".c"}
HASHES = {".py", ".sh", ".bash", ".zsh", ".cmake", ".fish", ".csh"}
# Files without a suffix, or whose suffix does not determine their comment syntax.
NAMES = {"CMakeLists.txt", "dev", "run", "activate", "alone", "hide-cuda", "CudaCCConfig.cmake.in", "meson.build",
         "lit.site.cfg.py.in"}
# Examples that users copy.
OTHERS = ("examples/",)


def line_for(path):
    if path.suffix in SLASHES or path.name.endswith(".h.in"):
        return f"// {ID}\n"
    return f"# {ID}\n" if path.suffix in HASHES or path.name in NAMES else ""


def put(path, line):
    text = path.read_text(encoding="utf-8")
    first, _, rest = text.partition("\n")
    own = first.startswith(("#!", "#compdef"))
    path.write_text(f"{first}\n{line}{rest}" if own else line + text, encoding="utf-8")


def main(options):
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], check=True,
                            capture_output=True, text=True).stdout.split("\0")
    lacking = []
    for path in map(Path, filter(None, listed)):
        line = "" if str(path).startswith(OTHERS) or path.is_symlink() or not path.exists() else line_for(path)
        if line and line.rstrip() not in path.read_text(encoding="utf-8").split("\n")[:2]:
            lacking.append((path, line))
    for path, line in lacking:
        if options == ["--check"]:
            print(f"{path}: the first line is not {line.rstrip()}")
        else:
            put(path, line)
    return 1 if lacking and options == ["--check"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
