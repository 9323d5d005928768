# SPDX-License-Identifier: Apache-2.0
"""Small files that import one name of a real library, and the real loader's result for them."""

import json
import shutil
import sys
from pathlib import Path

SYMBOLS = Path(__file__).resolve().parents[2] / "driver/tables/data/symbols"

SITE = {
    # library: its wheel in torch 2.5.1, SONAME, folders of the libraries that it needs
    "cudart": ("12.4.127", "libcudart.so.12", ["cuda_runtime"]),
    "nvjitlink": ("12.4.127", "libnvJitLink.so.12", ["nvjitlink"]),
    "nvrtc": ("12.4.127", "libnvrtc.so.12", ["cuda_nvrtc"]),
    "cublas": ("12.4.5.8", "libcublas.so.12", ["cublas"]),
    "cublaslt": ("12.4.5.8", "libcublasLt.so.12", ["cublas"]),
    "cusparse": ("12.3.1.170", "libcusparse.so.12", ["cusparse", "nvjitlink"]),
    "cusolver": ("11.6.1.9", "libcusolver.so.11", ["cusolver", "cublas", "cusparse", "nvjitlink"]),
    "cufft": ("11.2.1.3", "libcufft.so.11", ["cufft", "nvjitlink"]),
    "cudnn": ("9.1.0.70", "libcudnn.so.9", ["cudnn", "cublas"]),
    "cupti": ("12.4.127", "libcupti.so.12", ["cuda_cupti"]),
    "nccl": ("2.21.5", "libnccl.so.2", ["nccl"]),
}

# Calls dlopen as Python's import does, but binds every name at once.
LOAD = """
import ctypes, os, sys
try:
    ctypes.CDLL(sys.argv[1], mode=os.RTLD_NOW)
except OSError as error:
    sys.exit(str(error))
"""


def versions(library):
    return json.loads((SYMBOLS / f"{library}.json").read_text())


def present(table, index):
    """Functions of the version at that index: plain names of C with their version node or none."""
    names = {}
    for entry, runs in table["symbols"].items():
        name, _, node = entry.partition("@")
        if name.startswith("_Z") or name in table.get("data_objects", {}):
            continue
        if any(first <= index <= last for first, last in runs):
            names[name] = node
    return names


def index_of(table, dist_version):
    for index, row in enumerate(table["versions"]):
        if row["dist_version"] == dist_version:
            return index
    raise LookupError(f"{table['library']} {dist_version} is in no table")


def names_of(library, dist_version, soname):
    """{name: version node} of two names that the version exports, and of two that only later versions with that SONAME
    export: spread over the alphabet, and the same in every run."""
    table = versions(library)
    here = index_of(table, dist_version)
    have, later = present(table, here), {}
    for index in range(here + 1, len(table["versions"])):
        row = table["versions"][index]
        if row["cuda"] == table["versions"][here]["cuda"] and row["soname"] == soname:
            for name, node in present(table, index).items():
                if name not in have:
                    later.setdefault(name, node)
    return [{name: names[name] for name in sorted(names)[::max(1, len(names) // 2)][:2]}
            for names in (have, later)]


class Importer:
    """Builds shared objects that import names from a library with that SONAME. The library need not exist: a
    stand-in with the SONAME and its version nodes is linked instead."""

    def __init__(self, sandbox):
        self.sandbox = sandbox
        self.count = 0

    def build(self, soname, names, search, folder):
        """names: name -> version node, empty for none; search: elements of the RPATH; folder: where the file is
        written."""
        sandbox, self.count = self.sandbox, self.count + 1
        stand = sandbox.work / f"stand{self.count}"
        stand.mkdir()
        (stand / "lib.c").write_text("".join(f"void {name}(void) {{}}\n" for name in names))
        nodes = {}
        for name, node in names.items():
            nodes.setdefault(node, []).append(name)
        script = "".join(f"{node} {{ global: {'; '.join(each)}; }};\n"
                         for node, each in nodes.items() if node)
        options = []
        if script:
            (stand / "map").write_text(script)
            options = [f"-Wl,--version-script={stand}/map"]
        done = sandbox.run("gcc", "-shared", "-fPIC", "-nostdlib", *options, f"-Wl,-soname,{soname}",
                           stand / "lib.c", "-o", stand / soname)
        assert done.status == 0, done
        source = "".join(f"void {name}(void);\n" for name in names) + "void *used[] = {" + \
            ", ".join(f"(void *)&{name}" for name in names) + "};\n"
        output = folder / f"ext{self.count}.so"
        (stand / "ext.c").write_text(source)
        done = sandbox.run("gcc", "-shared", "-fPIC", stand / "ext.c", stand / soname, "-o", output,
                           "-Wl,--disable-new-dtags",
                           *(f"-Wl,-rpath,{element}" for element in search))
        assert done.status == 0, done
        shutil.rmtree(stand)
        return output


def loads(sandbox, path, **environment):
    """Empty if it loads, otherwise the loader's message."""
    done = sandbox.run(sys.executable, "-c", LOAD, path, **environment)
    return "" if done.status == 0 else done.err.strip() or f"status {done.status}"


def check(sandbox, *words):
    """The JSON of `check` and its exit status."""
    done = sandbox.cc("check", "--format=json", *words)
    try:
        return json.loads(done.out), done.status
    except ValueError:
        raise AssertionError(f"no JSON: {done}") from None


def prefix(sandbox, site, name="venv"):
    """A virtual environment whose site-packages is that folder."""
    root = sandbox.root / name
    (root / "lib/python3.11").mkdir(parents=True)
    (root / "pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = false\n")
    (root / "lib/python3.11/site-packages").symlink_to(site)
    return root
