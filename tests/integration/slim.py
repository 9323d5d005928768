# SPDX-License-Identifier: Apache-2.0
"""Wheels without gigabytes of libraries: a wheel with a distribution's real metadata, which pip resolves, installs and
records. Its libraries are linked from the cache afterwards."""
import re
import zipfile
from pathlib import Path

import wheels

SMALL = 1 << 16


def write_wheel(folder, name, version, files):
    """files: {path: text or bytes}; `*` is the folder of the metadata."""
    stem = f"{name.replace('-', '_')}-{version}"
    info = f"{stem}.dist-info"
    files = {"*/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
             **files}
    files = {path.replace("*", info, 1): content for path, content in files.items()}
    record = "".join(f"{path},,\n" for path in files) + f"{info}/RECORD,,\n"
    with zipfile.ZipFile(Path(folder) / f"{stem}-py3-none-any.whl", "w") as archive:
        for path, content in files.items():
            archive.writestr(path, content)
        if f"{info}/RECORD" not in files:
            archive.writestr(f"{info}/RECORD", record)


def of_index(folder, requirement, **files):
    """The metadata from the index, and files (`__` in place of a slash)."""
    metadata = wheels.metadata_of(requirement)
    lines = ["Metadata-Version: 2.1", f"Name: {metadata['name']}", f"Version: {metadata['version']}"]
    lines += [f"Requires-Dist: {each}" for each in metadata.get("requires_dist", [])]
    lines += [f"Provides-Extra: {each}" for each in metadata.get("provides_extra", [])]
    paths = {name.replace("__", "/", 1) + ".py": text for name, text in files.items()}
    write_wheel(folder, *wheels.parse(requirement), {"*/METADATA": "\n".join(lines) + "\n", **paths})
    return metadata


def of_cache(folder, requirement):
    """A wheel of the cache with its own metadata and RECORD; large files are listed but missing."""
    tree = wheels.get(requirement)
    info = next(tree.glob("*.dist-info"))
    files = {f"*/{path.name}": path.read_bytes() for path in info.iterdir() if path.is_file()}
    for path in tree.rglob("*"):
        if path.is_file() and info not in path.parents and path.stat().st_size <= SMALL:
            files[str(path.relative_to(tree))] = path.read_bytes()
    write_wheel(folder, *wheels.parse(requirement), files)


def of_nothing(folder, requirement):
    """An empty distribution that satisfies a requirement without relevance for the test."""
    name = re.match(r"[\w.-]+", requirement)[0]
    bound = re.search(r"[=>]=\s*([\d.]+)", requirement.split(";")[0])
    version = bound[1] if bound else "1"
    write_wheel(folder, name, version,
                {"*/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"})


def complete(site, requirements):
    """Links the files of the wheels that pip did not get."""
    for requirement in requirements:
        tree = wheels.get(requirement)
        for path in tree.rglob("*"):
            target = site / path.relative_to(tree)
            if path.is_file() and ".dist-info/" not in str(path) and not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                target.symlink_to(path)


def pip_torch(prefix, folder, requirement, version_py, others):
    """`pip install REQUIREMENT` of torch into a virtual environment: pip resolves the dependencies. others: the
    available NVIDIA wheels."""
    folder.mkdir()
    known = {wheels.parse(each)[0] for each in others}
    metadata = of_index(folder, requirement, torch__version=version_py)
    required = list(metadata["requires_dist"])
    if toolkit := next((each for each in required if each.startswith("cuda-toolkit")), None):
        of_index(folder, "cuda-toolkit==" + re.search(r"==([\d.]+)", toolkit)[1])
        known.add("cuda-toolkit")
    for each in others:
        of_cache(folder, each)
    for each in required:
        if "extra ==" not in each and wheels.name_of(each) not in known:
            of_nothing(folder, each)
    wheels.pip("--python", f"{prefix}/bin/python", "install", "-q", "--no-index", "--no-compile",
               "--find-links", folder, requirement)
    complete(next(prefix.glob("lib/python3.*/site-packages")), others)
