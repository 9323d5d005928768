# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""An extension of torch 2.5.1 for users of its wheels, on a machine without CUDA: nvcc 12.4 is fetched, setuptools
builds with it, and the extension is imported where torch is installed."""
import platform
import sys

import fetched
import installed
from python_project import BUILDERS, TORCH_NEEDS, activated
from sandbox import Sandbox, equal, skip, tools, wheels

if sys.version_info[:2] != (3, 11) or platform.machine() != "x86_64":
    skip("the wheel of torch is one for Python 3.11 on x86-64")
if "ninja" not in tools("ninja"):
    skip("no ninja")
sandbox = Sandbox()
prefix = sandbox.work / "venv"
site = installed.venv(prefix)
installed.put(site, *wheels.read_wanted("environments")["torch==2.5.1"], "torch==2.5.1", *TORCH_NEEDS, *BUILDERS)
mirror = sandbox.root / "mirror"
lock = fetched.lock(sandbox.work / "toolkit.lock", "12.4.1", fetched.archives(mirror))
td = sandbox.work / "td"
ended = sandbox.cc("toolchain", td, "--runtime", f"env:{prefix}", "--fetch", "--lock", lock, "--accept-license",
                   CUDA_CC_REDIST_URL=fetched.serve(mirror), XDG_CACHE_HOME=sandbox.root / "cache")
equal(ended.status, 0, ended)
sandbox.write("ext.cpp", """#include <torch/extension.h>
at::Tensor twice(const at::Tensor &x);
PYBIND11_MODULE(TORCH_EXTENSION_NAME, module) { module.def("twice", &twice); }
""")
sandbox.write("k.cu", """#include <ATen/cuda/CUDAContext.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_like.h>
#include <c10/cuda/CUDAException.h>
__global__ void kernel(const float *x, float *y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
at::Tensor twice(const at::Tensor &x) {
  at::Tensor y = at::empty_like(x);
  kernel<<<1, x.numel(), 0, at::cuda::getCurrentCUDAStream()>>>(x.const_data_ptr<float>(), y.mutable_data_ptr<float>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
""")
sandbox.write("setup.py", """from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension
setup(name="ext", version="1.0", ext_modules=[CUDAExtension("ext", ["ext.cpp", "k.cu"])],
      cmdclass={"build_ext": BuildExtension})
""")
variables = {"PYTHONPATH": site, "TORCH_CUDA_ARCH_LIST": "8.0", "MAX_JOBS": "2", "USER": "u"}
done = sandbox.run(sys.executable, "-B", "-W", "ignore", "setup.py", "-q", "build_ext", "--inplace", **variables,
                   **activated(td, sandbox.path))
equal(done.status, 0, done)
[module] = sandbox.work.glob("ext*.so")
equal(sandbox.cc("check", module, "--runtime", f"env:{prefix}").status, 0)
done = sandbox.run(sys.executable, "-B", "-c", "import torch, ext; print(torch.__version__, ext.twice)",
                   PYTHONPATH=f"{site}:{sandbox.work}")
equal(done.status, 0, done)
assert done.out.startswith("2.5.1"), done
sandbox.clean()
