# SPDX-License-Identifier: Apache-2.0
"""Virtual environments for tests: a real one, with NVIDIA's wheels from the cache linked into it, and the parts of
torch that identify its release."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from sandbox import SYSTEM, environment_of, skip, wheels

LISTING = """
import importlib.metadata as m, json
print(json.dumps([[d.metadata["Name"], d.version, [str(f) for f in d.files or []]]
                  for d in m.distributions()]))
"""


def venv(path, *options):
    """A virtual environment without pip; its site-packages."""
    done = subprocess.run([sys.executable, "-m", "venv", "--without-pip", *options, path],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={"PATH": SYSTEM})
    if done.returncode != 0:
        skip(f"this Python makes no virtual environment: {done.stdout.strip()}")
    return next(Path(path).glob("lib/python3.*/site-packages"))


def put(site, *requirements):
    """Installs the wheels like pip, as links into the cache."""
    for entry in environment_of(*requirements).iterdir():
        (site / entry.name).symlink_to(entry)


def version_py(version, cuda):
    """torch/version.py after the wheels of 2.5.1 and 2.11.0."""
    return ("from typing import Optional\n\n"
            "__all__ = ['__version__', 'debug', 'cuda', 'git_version', 'hip', 'xpu']\n"
            f"__version__ = '{version}'\ndebug = False\n"
            f"cuda: Optional[str] = {cuda!r}\ngit_version = 'a8d6afb'\nhip: Optional[str] = None\n")


def torch(site, version, cuda):
    """torch's version.py and the metadata of PyPI's wheel."""
    (site / "torch").mkdir()
    (site / "torch/version.py").write_text(version_py(version, cuda))
    published(distribution(site, "torch", version.split("+")[0]))


def published(folder):
    """Gives a dist-info the tags of a wheel of PyPI."""
    (folder / "WHEEL").write_text("Wheel-Version: 1.0\nTag: cp311-cp311-manylinux_2_28_x86_64\n")


def distribution(site, name, version, files=()):
    """Metadata whose RECORD lists the files, each a path below site-packages with its size."""
    folder = site / f"{name}-{version}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: {version}\n\n")
    lines = [f"{path},sha256=x,{size}\n" for path, size in files]
    (folder / "RECORD").write_text("".join(lines) + f"{folder.name}/METADATA,,\n"
                                   f"{folder.name}/RECORD,,\n")
    return folder


def pip(prefix, *requirements):
    """Lets pip install these wheels, given as files or from the cache, without their requirements."""
    with tempfile.TemporaryDirectory() as folder:
        files = [each if isinstance(each, Path) else wheels.file_of(each, folder) for each in requirements]
        wheels.pip("--python", f"{prefix}/bin/python", "install", "-q", "--no-index", "--no-deps",
                   "--no-compile", *files)


def listed(prefix):
    """{name: version} as `pip list` of that environment says."""
    text = wheels.pip("--python", f"{prefix}/bin/python", "list", "--format=json")
    return {each["name"]: each["version"] for each in json.loads(text)}


def what_python_says(prefix):
    """{file: (distribution, version)} of every library that a distribution of NVIDIA's owns."""
    done = subprocess.run([f"{prefix}/bin/python", "-I", "-c", LISTING], capture_output=True,
                          text=True, check=True)
    found = {}
    for name, version, files in json.loads(done.stdout):
        if name.lower().startswith("nvidia"):
            for file in files:
                if re.search(r"/lib[^/]*\.so(\.\d+)+$", file):
                    found[file] = (name, version)
    return found
