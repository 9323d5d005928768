# SPDX-License-Identifier: Apache-2.0
"""The wheel of examples/wheel-cuda, repaired, on a machine with a GPU: installed beside the NVIDIA wheels of this
Python's own environment, it computes.

    wheel.py build DIR    makes the wheel; needs no GPU
    wheel.py run WHEEL    prints `ok` and each NVIDIA library that was loaded; needs no other file of the project

A Python that has none of the wheels that the repaired wheel requires skips this.
"""

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

# Opened only by the module that this does not import.
NETWORK = ("cutensornet-cu13", "cutensor-cu13", "nvidia-cusolver")
RUN = """import wheel_cuda
expected = float(sum(2 * at * at for at in range(100)))
assert wheel_cuda.solve(100) == expected, (wheel_cuda.solve(100), expected)
print(*sorted({line.split()[-1] for line in open("/proc/self/maps") if "libcu" in line or "libnv" in line}), sep="\\n")
"""


def build(folder):
    sys.path[:0] = [os.environ["CUDACC_TEST_SUPPORT"], str(Path(__file__).resolve().parents[1] / "integration")]
    import demowheel

    sandbox = demowheel.Demo()
    sandbox.step("pip wheel -q --no-deps -w dist .")
    sandbox.step("cuda-cc wheel repair dist/*.whl -w wheelhouse")
    for wheel in (sandbox.project / "wheelhouse").glob("*.whl"):
        shutil.copy(wheel, folder)
    return 0


def required(path):
    with zipfile.ZipFile(path) as archive:
        [name] = [each for each in archive.namelist() if each.endswith(".dist-info/METADATA")]
        return re.findall(r"(?m)^Requires-Dist: ([\w.-]+)", archive.read(name).decode())


def present(name):
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def run(wheel):
    missing = [name for name in required(wheel) if name not in NETWORK and not present(name)]
    if missing:
        print(f"SKIPPED: this Python has no {', '.join(missing)}")
        return 77
    # Beside those wheels, as pip would put it.
    with tempfile.TemporaryDirectory() as folder:
        nvidia = importlib.metadata.distribution("nvidia-cublas").locate_file("nvidia")
        os.symlink(nvidia, os.path.join(folder, "nvidia"))
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--target",
                        folder, wheel], check=True)
        done = subprocess.run([sys.executable, "-c", RUN], env={**os.environ, "PYTHONPATH": folder},
                              capture_output=True, text=True)
    print(done.stdout + done.stderr)
    if done.returncode == 0:
        print("ok")
    return done.returncode


if __name__ == "__main__":
    sys.exit({"build": build, "run": run}[sys.argv[1]](sys.argv[2]))
