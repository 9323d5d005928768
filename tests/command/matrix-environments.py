# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""`cuda-cc matrix` with stand-ins for uv and Python's venv: the environments of builds with torch, and those in which
tests run, what is installed there, and tests that fail."""
import json
import os
import shutil
import sys

import recorder
import schema
from binaries import CUDART, PROGRAM, Binaries, equal, run

UV = f"#!{sys.executable}\n" + r"""
import os, sys
words = sys.argv[1:]
with open(os.environ["LOG"], "a") as log:
    print(os.path.basename(sys.argv[0]), *words, "VIRTUAL_ENV" in os.environ, file=log)
if "venv" in words:
    os.makedirs(words[-1] + "/bin")
    os.symlink(sys.executable if os.environ.get("BROKEN") is None else "/gone", words[-1] + "/bin/python")
elif os.environ.get("REFUSE", "nothing") in " ".join(words):
    sys.exit("no solution for " + words[-1])
"""
place = Binaries()
tools, work = place.root / "bin", place.work
recorder.compiler(tools / "g++")
shutil.copy(tools / "g++", tools / "gcc")
for version in ("12.4", "13.0"):
    recorder.toolkit(place.root / f"cuda-{version}", version)
(tools / "uv").write_text(UV)
(tools / "uv").chmod(0o755)
log = place.root / "log"
variables = {"HOME": str(place.root), "XDG_DATA_HOME": str(place.root / "data"), "PATH": f"{tools}:/usr/bin:/bin",
             "RECORD": str(place.root / "records"), "LOG": str(log), "VIRTUAL_ENV": "/of-the-user"}
place.extension("ext.so", {CUDART: ["cudaMalloc"]})
wheel = place.wheel("ext-1.0-py3-none-linux_x86_64.whl", {
    "ext/ext.so": work / "ext.so", "ext-1.0.dist-info/METADATA": b"Metadata-Version: 2.1\nName: ext\nVersion: 1.0\n"})
project = work / "a project"
project.mkdir()
results = project / ".cuda-cc/matrix"


def declare(system='requires = ["setuptools>=64", "torch>=2", "numpy; python_version > \'3\'"]\n', **keys):
    table = {"runtimes": ["torch==2.5.1", "torch==2.5.0", "torch==2.6.0"], "toolkits": [str(place.root / "cuda-12.4")],
             "build": f'echo "$VIRTUAL_ENV $PYTHON" > seen; mkdir dist; cp {wheel} dist', "artefacts": ["dist/*.whl"],
             **keys}
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items() if value is not None)
    (project / "pyproject.toml").write_text(f"[build-system]\n{system}[tool.cuda-cc.matrix]\n{lines}")


def matrix(*words, status=0, **environment):
    log.unlink(missing_ok=True)
    done = run(PROGRAM, "matrix", *words, cwd=project, **{**variables, **environment})
    equal(done.returncode, status, f"{words}\n{done.stdout}{done.stderr}")
    return done


def asked():
    return sorted(log.read_text().splitlines()) if log.exists() else []


# An environment for each torch that is built with, and no other one: with what the project requires, and that torch.
declare()
matrix()
equal(asked(), [line for torch in ("2.5.0", "2.6.0") for line in [
    f"uv pip install --quiet --python venv/bin/python setuptools>=64 numpy; python_version > '3' torch=={torch} False"]]
    + ["uv venv --quiet --seed venv False"] * 2)
for torch in ("2.5.0", "2.6.0"):
    prefix = results / f"environments/torch{torch}/venv"
    equal((results / f"cu12.4-torch{torch}/work/seen").read_text(), f"{prefix} {prefix}/bin/python\n")
# Sources change builds, not environments; requirements change both.
(project / "new").write_text("")
matrix()
equal(asked(), [])
declare(system="")
matrix()
equal([line for line in asked() if "install" in line],
      [f"uv pip install --quiet --python venv/bin/python setuptools wheel torch=={torch} False"
       for torch in ("2.5.0", "2.6.0")])
# One that cannot be made: its builds fail, others do not.
declare(system='requires = ["setuptools"]\n')
done = matrix(status=4, REFUSE="torch==2.6.0")
assert "cu12.4-torch2.6.0 failed [CC2033]" in done.stderr and "no solution for torch==2.6.0" in done.stderr, done.stderr
matrix()
equal(len(asked()), 2)
# A Python for each build.
shutil.copy(tools / "uv", tools / "python3.77")
matrix("--python=3.77", "--runtime=torch==2.5.1")
equal(asked()[1], f"uv venv --quiet --seed --python {tools}/python3.77 venv False")
(tools / "uv").rename(tools / "python3")
matrix("--runtime=torch==2.7.0")
assert "python3 -m venv venv False" in asked(), asked()
(tools / "python3").rename(tools / "uv")
# An environment as runtime is used as it is.
site = place.site("own", {"torch": ("2.5.1", {"torch/version.py": "ext.so"})})
(site / "torch/version.py").write_text("__version__ = '2.5.1+cu124'\ncuda = '12.4'\n")
declare(runtimes=[f"env:{work}/own"])
matrix("--plan", status=0)

# Tests: in an environment of each runtime that a build is for, with the wheel.
test = 'echo "$VIRTUAL_ENV|$CUDA_CC_RUNTIME|$CUDA_CC_MATRIX_WORK|$PWD" > "$VIRTUAL_ENV/seen"; [ ! -e ../fails ]'
declare(test=test, **{"torch-abi": "none"})
matrix()
work_of = results / "cu12.4/work"
install = "uv pip install --quiet --python venv/bin/python"
equal(asked(), sorted(f"{install} torch=={torch} ../../work/dist/{wheel.name} False"
                      for torch in ("2.5.1", "2.5.0", "2.6.0")) + ["uv venv --quiet --seed venv False"] * 3)
folder = results / "cu12.4/tests/torch--2.5.1"
equal((folder / "venv/seen").read_text(), f"{folder}/venv|torch==2.5.1|{work_of}|{project}\n")
matrix()
equal(asked(), [])
# One that fails rejects its runtime, and is repeated.
(work / "fails").write_text("")
(project / "new").write_text("changed")
done = matrix("--test", test, status=3)
assert "the test of cu12.4 failed on torch==2.5.1 [CC4222]" in done.stderr, done.stderr
equal(done.stdout.splitlines()[0], "3 runtimes and 1 build: 3 rejected")
(work / "fails").unlink()
matrix()
equal(len(asked()), 6)
document = schema.fit(json.loads(matrix("--format=json", REFUSE="gone").stdout), "matrix")
equal(document["verdict"], "accept")
# An environment that cannot be made.
(project / "new").write_text("")
done = matrix(status=3, REFUSE="torch==2.6.0")
assert "failed on torch==2.6.0 [CC4222]" in done.stderr and "no solution for" in done.stderr, done.stderr
assert not os.path.exists(results / "cu12.4/tests/torch--2.6.0/passed")
