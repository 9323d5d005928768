# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""A kernel on torch's stream, compiled by Debian's nvcc 12.4 with the headers of torch 2.5.1, repaired as a wheel that
requires torch, or NVIDIA's wheels, and proven: the lowest and the highest releases that it allows load it by the real
loader, the release below does not. Of torch these are libc10 and libc10_cuda; wheel-torch-import.py has all of it."""
import json
import re
import sys
import zipfile

import demowheel
import installed
import madewheel
import members
import note
from behaviour import behaviour
from sandbox import PROGRAM, Sandbox, equal, wheel, wheels

INFO = "ext-1.0.dist-info"
# SmallVector's growth has another signature before 2.4.0; the old std::string that TORCH_CHECK passes is not in 2.7.0.
SOURCE = """#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/SmallVector.h>
__global__ void twice(float *x) { x[threadIdx.x] *= 2; }
extern "C" void run(float *x) {
  twice<<<1, 32, 0, c10::cuda::getCurrentCUDAStream()>>>(x);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}
extern "C" size_t shape(int64_t a, int64_t b, const char *name) {
  c10::SmallVector<int64_t, 1> shape{a};
  shape.push_back(b);
  TORCH_CHECK(a > 0 && b > 0, "no shape: ", std::string(name));
  return shape.size();
}
"""
LOAD = (b"import ctypes, os\n"
        b"assert ctypes.CDLL(os.path.dirname(__file__) + '/k.so', os.RTLD_NOW).shape(2, 3, b'x') == 2\n")
RELEASES = {"2.3.1": "12.1.105", "2.4.0": "12.1.105", "2.5.1": "12.4.127", "2.6.0": "12.4.127"}
sandbox = Sandbox("12.4")
tools = demowheel.wheel_tools(sandbox)
[uv] = wheel("uv==0.13.9").rglob("scripts/uv")

prefix = sandbox.work / "venv"
site = installed.venv(prefix)
installed.put(site, "nvidia-cuda-runtime-cu12==12.4.127")
for entry in members.get("torch==2.5.1").iterdir():
    (site / entry.name).symlink_to(entry)
sandbox.write("k.cu", SOURCE)
sandbox.good(f"--cudacc-runtime=env:{prefix}", "nvcc", "-std=c++17", "-arch=sm_80", "-D_GLIBCXX_USE_CXX11_ABI=0",
             "-shared", "-cudart", "shared", "-cudadevrt", "none", "-Xcompiler", "-fPIC", "-isystem",
             site / "torch/include", "k.cu", "-o", "k.so", f"-L{site}/torch/lib", "-lc10", "-lc10_cuda")
built = note.elf(sandbox.work / "k.so")


def made(folder, *requires):
    return madewheel.write(sandbox.work / folder / "ext-1.0-py3-none-linux_x86_64.whl",
                           {"ext/__init__.py": LOAD, "ext/k.so": (sandbox.work / "k.so").read_bytes()}, *requires)


def repaired(*words):
    """The wheel, and what it requires. Its file is the one that was built, but for auditwheel's own edits."""
    out = sandbox.work / words[-1]
    done = sandbox.run(PROGRAM, "wheel", "repair", made("dist"), *words[:-1], "-w", out, PATH=tools)
    equal(done.status, 0, done)
    [path] = out.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if not name.startswith(f"{INFO}/")]
        equal(names, ["ext/__init__.py", "ext/k.so"], "nothing is copied")
        elf = note.Elf(archive.read("ext/k.so"))
        equal((elf.rpath, elf.needed, elf.manifest().link), (built.rpath, built.needed, built.manifest().link))
        return path, re.findall(r"(?m)^Requires-Dist: (.*)$", archive.read(f"{INFO}/METADATA").decode())


@behaviour
def the_search_path_leads_to_the_runtime_and_to_torch():
    equal(built.rpath, ["$ORIGIN/../nvidia/cuda_runtime/lib", "$ORIGIN/../torch/lib", "$ORIGIN/nvidia/cuda_runtime/lib",
                        "$ORIGIN/torch/lib"])


LINUX = '; sys_platform == "linux"'
published, requires = repaired("out")


@behaviour
def an_extension_of_torch_requires_torch_or_what_it_is_told():
    equal(requires, [f"torch>=2.4,<2.7{LINUX}"], "an extension of torch requires torch")
    equal(repaired("--requires", "torch", "--runtime", "torch==2.5.1", "torch")[1], requires)
    equal(repaired("--requires", "nvidia", "nvidia")[1], [f"nvidia-cuda-runtime-cu12>=12.0,<13{LINUX}"])


# An index of four releases, each reduced to what these libraries need.
index = sandbox.root / "index"
index.mkdir()
for release, runtime in RELEASES.items():
    members.file_of(f"torch=={release}", index, ["nvidia-cuda-runtime-cu12"])
    wheels.file_of(f"nvidia-cuda-runtime-cu12=={runtime}", index)
variables = {"UV_NO_INDEX": "1", "UV_FIND_LINKS": index, "UV_OFFLINE": "1", "UV_CACHE_DIR": sandbox.root / "uv",
             "UV_PYTHON_DOWNLOADS": "never", "UV_NO_CONFIG": "1", "PATH": f"{uv.parent}:{sandbox.path}"}


def proofs(path, *words):
    done = sandbox.run(PROGRAM, "wheel", "prove", path, "--format=json", "--import=ext", f"--python={sys.executable}",
                       *words, **variables)
    return done, json.loads(done.out)["proofs"]


@behaviour
def the_lowest_and_the_highest_release_load_it():
    done, each = proofs(published)
    equal(done.status, 0, done)
    equal([(proof["resolution"], proof["installed"]["torch"], proof["installed"]["nvidia-cuda-runtime-cu12"],
            proof["verdict"]) for proof in each],
          [("lowest", "2.4.0+cu121", "12.1.105", "accept"), ("highest", "2.6.0+cu124", "12.4.127", "accept")])


@behaviour
def the_release_below_does_not_load_it():
    done, [proof] = proofs(made("below", "torch>=2.3.1,<2.7"), "--resolution=lowest")
    equal((done.status, proof["installed"]["torch"]), (3, "2.3.1+cu121"), done)
    [name] = {finding["symbol"] for finding in proof["check"]["files"][0]["findings"] if finding["code"] == "CC4129"}
    assert "grow_pod" in name and f"undefined symbol: {name}" in json.dumps(proof["findings"]), proof


sandbox.clean()
