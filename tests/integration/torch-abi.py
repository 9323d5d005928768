# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Torch's own names: extensions built with 2.11.0, checked by the table for other releases, and by the installed files
for an environment with 2.11.0, where the verdict is compared with the loader after a real `import torch`. Six releases
and real packages: tests/wild/torch_abi.py."""
import json
import subprocess
import sys
from pathlib import Path

import installed
from sandbox import Sandbox, equal, skip, wheels

sys.path.insert(0, str(Path(wheels.__file__).resolve().parents[1] / "wild"))
import torch_abi

if sys.version_info[:2] != (3, 11):
    skip("the wheel of torch is one for Python 3.11")
sandbox = Sandbox()
prefix = sandbox.work / "venv"
site = installed.venv(prefix)
installed.put(site, *wheels.read_wanted("environments")["torch==2.11.0"], "torch==2.11.0", *torch_abi.REQUIRED)
built = {name: files[0] for name, files in torch_abi.build(sandbox.work).items()}

# Written by hand: names that 2.11.0 no longer has, needed and weak, and one that no release ever had.
NAME = "_ZNK5torch8autograd4Node4nameEv"
libraries = site / "torch/lib"
for name, text in (("gone", f"void {NAME}(void); void f(void) {{ {NAME}(); }}"),
                   ("weak", f"void {NAME}(void) __attribute__((weak)); void f(void) {{ if ({NAME}) {NAME}(); }}"),
                   ("never", "void _ZN3c105neverEv(void); void f(void) { _ZN3c105neverEv(); }")):
    sandbox.write(f"{name}.c", text + "\n")
    built[name] = sandbox.work / f"{name}.so"
    done = sandbox.run("gcc", "-shared", "-fPIC", f"{name}.c", f"-L{libraries}", "-Wl,--no-as-needed", "-ltorch_cpu",
                       "-Wl,--allow-shlib-undefined", "-o", built[name])
    equal(done.status, 0, done)

def check(runtime, file):
    """The verdict, and the codes about torch's names with their symbols."""
    done = sandbox.cc("check", "--format=json", "--runtime", runtime, file)
    assert done.status in (0, 3, 4), done
    judged = json.loads(done.out)["files"][0]
    return judged["verdict"], {finding["code"]: finding.get("symbol") for finding in judged["findings"]
                               if finding["code"] in (*torch_abi.TORCH_CODES, torch_abi.UNKNOWN)}

DECREF = "_ZNK3c1010TensorImpl15decref_pyobjectEv"
OLD = "_ZN3c106detail14torchCheckFailEPKcS2_jRKSs"
NEW = "_ZN3c106detail14torchCheckFailEPKcS2_jRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
ACCEPTED = ("accept", {})
env = f"env:{prefix}"
for name, expected in {
        "decref": {"torch==2.5.1": {"CC4129": DECREF}, "torch==2.9.1": {"CC4129": DECREF}, "torch==2.10.0": None,
                   "torch==2.11.0": None, env: None},
        "strings-new": {"torch==2.5.1": {"CC4130": NEW}, "torch==2.6.0": {"CC4130": NEW}, "torch==2.7.0": None,
                        "torch==2.11.0": None, env: None},
        "strings-old": {"torch==2.5.1": None, "torch==2.6.0": None, "torch==2.7.0": {"CC4130": OLD},
                        "torch==2.11.0": {"CC4130": OLD}, env: {"CC4130": OLD}},
        "stable": {"torch==2.5.1": None, "torch==2.11.0": None, env: None},
        "gone": {"torch==2.5.1": None, "torch==2.11.0": {"CC4129": NAME}, env: {"CC4129": NAME}},
        "weak": {"torch==2.5.1": None, "torch==2.11.0": None, env: None},
        "never": {"torch==2.5.1": {"CC4129": "_ZN3c105neverEv"}, "torch==2.11.0": {"CC4129": "_ZN3c105neverEv"},
                  env: {"CC4129": "_ZN3c105neverEv"}}}.items():
    for runtime, codes in expected.items():
        equal(check(runtime, built[name]), ("reject", codes) if codes else ACCEPTED, f"{name} on {runtime}")

# The loader's message: the rejected name is the one that it does not find.
done = subprocess.run([prefix / "bin/python", "-c", torch_abi.LOADER], text=True, capture_output=True,
                      input=json.dumps([[str(path), []] for path in built.values()]), cwd=sandbox.work)
said = {Path(path): words for path, words in map(json.loads, done.stdout.splitlines())}
equal(len(said), len(built), done.stderr)
for name, path in built.items():
    verdict, codes = check(env, path)
    if verdict == "accept":
        equal(said[path], "loads", name)
    else:
        assert said[path].endswith("undefined symbol: " + next(iter(codes.values()))), (name, said[path])
