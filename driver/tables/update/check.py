# SPDX-License-Identifier: Apache-2.0
"""Checks whether cuda-cc can use a facts file.

    check.py PROGRAM FILE

The program reads the file and resolves every release of torch, of another framework and of the toolkit
that the file names.
"""

import json
import subprocess
import sys
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "data"


def runtimes(tables):
    for row in tables.get("torch_wheel_pins", []):
        tag = "" if row["pypi_default"] else "+" + row["local_tag"]
        for version in row["torch_versions"]:
            yield f"torch=={version}{tag}"
    for row in tables.get("ctk_component_versions", []):
        yield f"cuda=={row['ctk']}"
    names = json.loads((DATA / "framework_names.json").read_text())["rows"]
    for row in tables.get("framework_targets", []):
        for name in names:
            if name["framework"] == row["framework"] and \
                    name["cuda_major"] in (None, row["cuda_major"]):
                extras = f"[{','.join(name['extras'])}]" if name["extras"] else ""
                for version in row["versions"] or [row["version"]]:
                    yield f"{name['name']}{extras}=={version}"


def resolve(program, file, runtime):
    return subprocess.run([program, "target", f"--cudacc-facts={file}", "--runtime", runtime],
                          text=True, capture_output=True, check=False)


def main(program, file):
    # Resolve any built-in runtime: the program then reports all mistakes in the file itself.
    broken = resolve(program, file, "cuda==12.4")
    if broken.returncode:
        sys.stderr.write(broken.stderr)
        return broken.returncode
    with open(file) as opened:
        tables = json.load(opened)["tables"]
    for runtime in runtimes(tables):
        done = resolve(program, file, runtime)
        if done.returncode:
            sys.stderr.write(done.stderr)
            return done.returncode
        print(f"{runtime}: {done.stdout.splitlines()[0]}")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
