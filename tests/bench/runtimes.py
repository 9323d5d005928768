# SPDX-License-Identifier: Apache-2.0
"""Runtimes for the benchmark: Python environments with the wheels of torch 2.5.1 as pip installs them, and a lock
file of the same versions. Libraries are sparse files of plausible size, because their content is never read."""
import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FACTS = ROOT / "driver/tables/data"
LOCK = ROOT / "tests/integration/locks/uv-torch/uv.lock"


def rows(name):
    return json.loads((FACTS / f"{name}.json").read_text())["rows"]


def release(version):
    return [int(part) for part in version.split(".")]


def libraries_of(dist, version):
    """The paths, below site-packages, of the libraries in a wheel of CUDA 12."""
    for row in rows("wheel_layout"):
        if row["dist_cu12"] != dist:
            continue
        spans = row["soname_versions"].get("12", {})
        for soname in row["sonames_12"]:
            first, last = spans.get(soname, [version, version])
            if release(first) <= release(version) <= release(last):
                yield f"{row['dir_cu12']}/lib/{soname}"


def install(site, name, version, files):
    """Writes a distribution with its metadata; \\p files maps paths to sizes."""
    info = site / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n\n"
                                   + "A description of what it is for.\n" * 100)
    record = []
    for path, size in files:
        file = site / path
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(file, "wb") as out:
            out.truncate(size)
        record.append(f"{path},sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,{size}\n")
    for own in ("INSTALLER", "METADATA", "RECORD", "WHEEL"):
        record.append(f"{info.name}/{own},,\n")
    (info / "RECORD").write_text("".join(record))


def environment(prefix, count):
    """A virtual environment of \\p count distributions: torch 2.5.1, its requirements, and unrelated ones."""
    site = prefix / "lib/python3.11/site-packages"
    site.mkdir(parents=True)
    (prefix / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.11.2\n"
                                       "include-system-site-packages = false\n")
    pins = next(row["pins"] for row in rows("torch_wheel_pins")
                if "2.5.1" in row["torch_versions"] and row["pypi_default"])
    installed = 1
    for pin in pins:
        name, version = pin["dist"], pin["floor"]
        libraries = list(libraries_of(name, version))
        files = [(path, 100 << 20) for path in libraries]
        for path in libraries[:1]:
            include = Path(path).parents[1] / "include"
            files += [(f"{include}/header{i}.h", 4000) for i in range(40)]
        install(site, name, version, files)
        installed += 1
    code = [(f"torch/module{i}.py", 2000) for i in range(500)]
    install(site, "torch", "2.5.1", code + [("torch/lib/libtorch_cuda.so", 900 << 20)])
    (site / "torch/version.py").write_text("__version__ = '2.5.1+cu124'\ncuda: Optional[str] = '12.4'\n")
    for i in range(count - installed):
        install(site, f"package-{i}", f"1.{i}.0", [(f"package_{i}/__init__.py", 1000),
                                                   (f"package_{i}/native.so", 100000)])
    found = len(list(site.glob("*.dist-info")))
    assert found == count, f"{found} distributions, not {count}"
    return prefix
