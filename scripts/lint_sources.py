# SPDX-License-Identifier: Apache-2.0
"""lint_sources.py BUILD FILE...

Prints what clang-tidy has to read so that it sees each FILE once: the unity sources of a build directory, which
include several files each, and the files that none of them includes."""
import json
import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'^#include "(.+)"$', re.M)


def main():
    build, files = Path(sys.argv[1]), {str(Path(name).resolve()) for name in sys.argv[2:]}
    seen = set()
    for command in json.loads((build / "compile_commands.json").read_text()):
        source = Path(command["directory"], command["file"])
        if "/Unity/" not in command["file"]:
            continue
        included = set(INCLUDE.findall(source.read_text())) & files
        if included - seen:
            print(source)
        seen |= included
    for name in sorted(files - seen):
        print(name)


if __name__ == "__main__":
    main()
