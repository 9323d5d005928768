# SPDX-License-Identifier: Apache-2.0
"""matrix_torch.py [--program FILE] [--scratch FOLDER] [--index URL]

Builds an extension of torch by `cuda-cc matrix` for torch 2.5.1, 2.6.0, 2.7.0 and 2.11.0, with toolkits 12.4 of Debian,
13.0 and 13.2 of wheels, opens what each build made after `import torch` in each release, and compares that with the
verdicts of the matrix. Prints a table; exit status 1 if a file loads but is rejected, or is accepted but does not load.

Each release is downloaded as by torch_abi.py; all are kept until the end, 10 GB. Libraries of NVIDIA are stand-ins
(standins.py). No GPU and no driver are needed.
"""

import argparse
import json
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import torch_abi
from torch_abi import ROOT, standins, torch_names, wheels

sys.path.insert(0, str(ROOT / "tests/support"))
import toolkits

RELEASES = ("2.5.1", "2.6.0", "2.7.0", "2.11.0")
TOOLKITS = ("12.4", "13.0", "13.2")
EXPECTED = {"cu12.4-torch2.5.1": "2.5.1", "cu12.4-torch2.6.0": "2.6.0", "cu12.4-torch2.7.0": "2.7.0",
            "cu13.0-torch2.11.0": "2.11.0"}
BUILDERS = ("setuptools==80.9.0", "wheel==0.45.1", "packaging==25.0")
FILES = {
    "pyproject.toml": """[build-system]
requires = ["setuptools==80.9.0", "wheel", "torch"]
build-backend = "setuptools.build_meta"
""",
    "setup.py": """from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension
setup(name="ext", version="1.0", ext_modules=[CUDAExtension("ext", ["ext.cpp", "k.cu"])],
      cmdclass={"build_ext": BuildExtension})
""",
    "ext.cpp": """#include <torch/extension.h>
at::Tensor twice(const at::Tensor &x);
PYBIND11_MODULE(TORCH_EXTENSION_NAME, module) { module.def("twice", &twice); }
""",
    "k.cu": """#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_like.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
__global__ void kernel(const float *x, float *y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
at::Tensor twice(const at::Tensor &x) {
  TORCH_CHECK(x.is_cuda(), "twice takes a tensor on a GPU");
  at::Tensor y = at::empty_like(x);
  kernel<<<1, x.numel(), 0, c10::cuda::getCurrentCUDAStream()>>>(x.const_data_ptr<float>(),
                                                              y.mutable_data_ptr<float>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""}
# In the place of uv: `venv --quiet --seed FOLDER`, and `pip install` of what is on this machine, by a path file.
UV = """#!{python}
import os, re, subprocess, sys
words = sys.argv[1:]
if words[0] == "venv":
    sys.exit(subprocess.run([sys.executable, "-m", "venv", words[-1]]).returncode)
[release] = [word.removeprefix("torch==") for word in words if word.startswith("torch==")]
[site] = [folder for folder, _, _ in os.walk("venv/lib") if re.fullmatch("venv/lib/python[^/]*/site-packages", folder)]
with open(site + "/all.pth", "w") as paths:
    print(*{paths}, os.path.join({torches}, release, "torch"), sep="\\n", file=paths)
"""


def unpack(scratch, index):
    """{release: folder with torch}, with stand-ins where its search path leads."""
    found = {}
    for release in RELEASES:
        scratch_of = scratch / "torch" / release
        scratch_of.mkdir(parents=True)
        found[release] = torch_abi.fetch_release(index, release, f"cp3{sys.version_info.minor}", scratch_of,
                                                 headers=True)
        own = [path for path in (found[release] / "torch/lib").glob("*.so*") if path.is_file()]
        place = "nvidia/cu13/lib" if release == RELEASES[-1] else "nvidia/cuda_runtime/lib"
        standins.make(found[release] / place, [*own, *(found[release] / "torch").glob("_C*.so")],
                      {path.name for path in own})
    return found


def matrix(arguments, scratch):
    project = scratch / "project"
    project.mkdir()
    for name, text in FILES.items():
        (project / name).write_text(text)
    table = {"runtimes": [f"torch=={release}" for release in RELEASES], "build": "pip wheel",
             "toolkits": [str(toolkits.get(version)) for version in TOOLKITS]}
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items())
    (project / "cuda-cc.toml").write_text(f"[matrix]\n{lines}")
    tools = scratch / "bin"
    tools.mkdir()
    paths = [str(wheels.get(each)) for each in (*torch_abi.REQUIRED, *BUILDERS)]
    (tools / "uv").write_text(UV.format(python=sys.executable, paths=paths, torches=repr(str(scratch / "torch"))))
    (tools / "uv").chmod(0o755)
    environment = {"PATH": f"{tools}:/usr/local/bin:/usr/bin:/bin", "HOME": str(scratch), "USER": "u",
                   "TORCH_CUDA_ARCH_LIST": "8.0", "MAX_JOBS": "2", **wheels.QUIET_PIP}
    hide = ROOT / "tests/support/hide-cuda"
    done = subprocess.run([hide, arguments.program, "matrix", "--format=json"], cwd=project, text=True,
                          env=environment, stdout=subprocess.PIPE)
    if done.returncode not in (0, 3):
        raise torch_names.NamesError(f"the matrix ended with {done.returncode}: {done.stdout[-6000:]}")
    return project / ".cuda-cc/matrix", json.loads(done.stdout)


def modules(results, scratch):
    """{build: its module, as installed}"""
    found = {}
    for build in EXPECTED:
        [wheel] = (results / build / "work/dist").glob("*.whl")
        torch_abi.extract(wheel, scratch / "installed" / build, lambda _: True)
        [found[build]] = (scratch / "installed" / build).glob("ext*.so")
    return found


def compare(arguments, scratch):
    index = torch_names.Index(arguments.index or torch_names.default_index())
    torches = unpack(scratch, index)
    results, document = matrix(arguments, scratch)
    planned = {build["name"]: build["runtimes"] for build in document["builds"]}
    wrong = [] if planned == {build: [f"torch=={release}"] for build, release in EXPECTED.items()} else [str(planned)]
    verdicts = {(cell["build"], row["runtime"]): cell for row in document["runtimes"] for cell in row["cells"]}
    built = modules(results, scratch)
    for release, torch in torches.items():
        said = torch_abi.load(torch, {build: [path] for build, path in built.items()}, scratch)
        for build, path in built.items():
            cell = verdicts[build, f"torch=={release}"]
            loads = said[path] == "loads"
            fits = loads == (cell["verdict"] == "accept")
            print(f"{release:8} {build:20} {cell['verdict']:8} {cell.get('because', '')[:60]:60} "
                  f"{said[path].split(': ', 1)[-1][:80]}", flush=True)
            if not fits or (EXPECTED[build] == release and not loads):
                wrong.append(f"{build} on {release}: {cell['verdict']}, {said[path]}")
    for line in wrong:
        torch_abi.say(f"differs: {line}")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build/bin/cuda-cc"))
    parser.add_argument("--scratch", type=Path)
    parser.add_argument("--index")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="cuda-cc-matrix-", dir=arguments.scratch) as folder:
        try:
            return compare(arguments, Path(folder).resolve())
        except (torch_names.NamesError, wheels.WheelError, OSError, subprocess.SubprocessError) as error:
            torch_abi.say(f"error: {error}" + (f"\n{error.stderr}" if getattr(error, "stderr", None) else ""))
            return 1


if __name__ == "__main__":
    sys.exit(main())
