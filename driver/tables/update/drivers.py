# SPDX-License-Identifier: Apache-2.0
"""Updates the symbol tables of the driver's libraries from Debian packages.

    drivers.py [--data FOLDER] DEB...

Reads what libcuda.so.RELEASE and libnvidia-ml.so.RELEASE in each package export into symbols/cuda.json and
symbols/nvidia-ml.json. The CUDA version of a driver is what its own cuDriverGetVersion returns, which needs neither a
GPU nor a running driver; libnvidia-ml is read with the libcuda of its release, from the same call or the data.
"""

import argparse
import hashlib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import elf
from symbols import DATA, SymbolFile

FILE = re.compile(r"(libcuda|libnvidia-ml)\.so\.(\d+\.[\d.]+)")


def cuda_of(path):
    """The major and the minor for which cuDriverGetVersion stands, asked in another process."""
    code = "import ctypes,sys; n=ctypes.c_int(); ctypes.CDLL(sys.argv[1]).cuDriverGetVersion(ctypes.byref(n)); " \
           "print(n.value)"
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=False)
    if done.returncode or int(done.stdout) < 1000:
        raise elf.SymbolsError(f"{path}: cuDriverGetVersion gives no version: {done.stderr[-300:]}")
    return divmod(int(done.stdout) // 10, 100)


def libraries_of(package, folder):
    subprocess.run(["dpkg-deb", "-x", package, folder], check=True)
    for path in sorted(folder.rglob("lib*.so.*")):
        if (match := FILE.fullmatch(path.name)) and path.is_file() and not path.is_symlink():
            yield match[1], match[2], path


def run(options):
    files = {"libcuda": SymbolFile(options.data / "symbols/cuda.json"),
             "libnvidia-ml": SymbolFile(options.data / "symbols/nvidia-ml.json")}
    cuda = {row["dist_version"]: tuple(map(int, row["toolkit"].split(".")))
            for file in files.values() for row in file.versions}
    with tempfile.TemporaryDirectory() as scratch:
        found = []
        for index, package in enumerate(options.packages):
            folder = Path(scratch) / str(index)
            found += [(*each, package) for each in libraries_of(package, folder)]
        cuda |= {release: cuda_of(path) for name, release, path, _ in found if name == "libcuda"}
        for name, release, path, package in found:
            if release not in cuda:
                raise elf.SymbolsError(f"{path.name}: no libcuda of this release is given or in the data")
            major, minor = cuda[release]
            file, soname = files[name], elf.soname_of(path)
            index = file.find(None, release, soname)
            if index is not None:
                file.remove(index)
            file.insert({"dist_version": release, "cuda": str(major), "toolkit": f"{major}.{minor}", "ctk": [],
                         "soname": soname, "sha256_of_so": hashlib.sha256(path.read_bytes()).hexdigest(),
                         "source": f"{path.name} in {package.name}"}, elf.exports_of(path))
            file.head["soname"][str(major)] = [soname]
            print(f"{soname} {release}: CUDA {major}.{minor}, in {file.path.name}")
    for file in files.values():
        file.head["soname"] = {major: file.head["soname"][major] for major in sorted(file.head["soname"], key=int)}
        file.path.write_text(file.text())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packages", type=Path, nargs="+", metavar="DEB")
    parser.add_argument("--data", type=Path, default=DATA)
    try:
        run(parser.parse_args())
    except (elf.SymbolsError, OSError, subprocess.CalledProcessError) as error:
        print(f"drivers.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
