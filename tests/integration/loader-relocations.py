# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""A large table of relative relocations, of which `check` looks at a part: a hole, bytes too many or too few, and a
wrong count are found, as the loader finds them (LS-18)."""
import json
import re
import subprocess
import sys

from sandbox import PROGRAM, Sandbox, equal

COUNT = 20000

sandbox = Sandbox("13.0")
sandbox.write("x.c", "static int values[8]; int zero[9000];\nint *const table[] = {"
              + ",".join(f"values + {index % 8}" for index in range(COUNT)) + "};\n")
equal(sandbox.run("gcc", "-shared", "-fPIC", "x.c", "-o", "whole.so", "-Wl,-soname,x.so").status, 0)
whole = (sandbox.work / "whole.so").read_bytes()
sections = subprocess.run(["readelf", "-SW", sandbox.work / "whole.so"], stdout=subprocess.PIPE, text=True,
                          check=True).stdout
begin, size = (int(word, 16) for word in re.search(r"\.rela\.dyn +RELA +\w+ (\w+) (\w+)", sections).groups())
assert size > 24 * COUNT, sections
middle = begin + 24 * (COUNT // 2)
middle += -middle % 4096


def changed(name, data):
    (sandbox.work / name).write_bytes(data)


changed("hole.so", whole[:middle] + bytes(16384) + whole[middle + 16384:])
changed("more.so", whole[:middle] + b"\r" * 4 + whole[middle:])
changed("fewer.so", whole[:middle] + whole[middle + 4:])
changed("end.so", whole[:middle] + bytes(len(whole) - middle))
names = ["whole.so", "hole.so", "more.so", "fewer.so", "end.so"]
LOAD = "import ctypes, sys\nctypes.CDLL(sys.argv[1])"
loads = [subprocess.run([sys.executable, "-c", LOAD, f"./{name}"], cwd=sandbox.work, stderr=subprocess.DEVNULL,
                        check=False).returncode == 0 for name in names]
equal(loads, [True, False, False, False, False], "the loader")
judged = sandbox.run(PROGRAM, "check", "--format=json", "--runtime=cuda==13.0", *names)
equal([each["verdict"] for each in json.loads(judged.out)["files"]], ["accept"] + ["reject"] * 4, judged)
sandbox.clean()
