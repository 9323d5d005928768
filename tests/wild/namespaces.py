# SPDX-License-Identifier: Apache-2.0
"""namespaces.py KIND DRIVER COMMAND [ARGS...]

Runs a command in a mount namespace. KIND `clean`: without this machine's CUDA. KIND `machine`: with it. If the
machine has no driver, both get the stub in the folder DRIVER, mounted where a driver's package would install it, in
a folder that is in the loader's cache. The exit status is the command's.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve()
HIDE = HERE.parents[1] / "support/hide-cuda"
NVML = "nvidia-nvml-dev==13.5.37"
# The value that the driver's functions return: no device (CUDA_ERROR_NO_DEVICE).
RELEASE, ANSWER = "580.65.06", 100


def names_of_driver():
    data = HERE.parents[2] / "driver/tables/data/symbols/cuda.json"
    # One line per symbol.
    return re.findall(r'^"(cu\w+)":', data.read_text(), re.M)


def make_library(folder, stem, names):
    """Makes a driver library that defines these functions."""
    source, target = folder / "driver.c", folder / f"{stem}.so.{RELEASE}"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text("".join(f"int {name}(void) {{ return {ANSWER}; }}\n" for name in names))
    subprocess.run(["gcc", "-shared", "-fPIC", "-w", f"-Wl,-soname,{stem}.so.1", source, "-o", target], check=True)
    source.unlink()
    (folder / f"{stem}.so.1").symlink_to(target.name)


def make_driver(folder, nvml):
    """Libraries with the names and symbols of a driver's; `nvml`: a folder with NVML's header."""
    header = next(nvml.rglob("nvml.h")).read_text(errors="replace")
    make_library(folder, "libcuda", names_of_driver())
    make_library(folder, "libnvidia-ml", sorted(set(re.findall(r"\b(nvml[A-Z]\w*) *\(", header))))


def has_driver():
    listed = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True)
    return "libcuda.so.1 " in listed.stdout


def inside(driver, command):
    """Runs inside hide-cuda, so that the loader's cache lists only the remaining files."""
    with tempfile.TemporaryDirectory(prefix="cuda-cc-wild-") as folder:
        config, cache = Path(folder) / "ld.so.conf", Path(folder) / "ld.so.cache"
        config.write_text("include /etc/ld.so.conf\n" + (f"{driver}\n" if not has_driver() else ""))
        subprocess.run(["/sbin/ldconfig", "-X", "-f", config, "-C", cache], check=True, stderr=subprocess.DEVNULL)
        subprocess.run(["mount", "--bind", cache, "/etc/ld.so.cache"], check=True)
    # The mount keeps the file alive.
    os.execvp(command[0], command)


def command(kind, driver, words):
    """The command line that runs a command in such a namespace."""
    assert kind in ("clean", "machine"), kind
    return [sys.executable, "-B", str(HERE), kind, str(driver), *map(str, words)]


def main(words):
    if words[:1] == ["--inside"]:
        inside(words[1], words[2:])
    if len(words) < 3:
        print(__doc__)
        return 2
    kind, driver, *rest = words
    flags = "-m" if os.geteuid() == 0 else "-Urm"
    own = [sys.executable, "-B", str(HERE), "--inside", driver, *rest]
    os.execvp("unshare", ["unshare", flags, *([str(HIDE)] if kind == "clean" else []), *own])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
