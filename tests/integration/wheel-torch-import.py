# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""A CUDAExtension of torch 2.5.1 that setuptools builds by Debian's nvcc 12.4, repaired as a wheel that requires torch,
and imported where torch is installed."""
import re
import sys
import zipfile

import demowheel
import installed
import note
from python_project import BUILDERS, TORCH_NEEDS, activated
from sandbox import PROGRAM, Sandbox, equal, skip, tools, wheels

if sys.version_info[:2] != (3, 11):
    skip("the wheel of torch is one for Python 3.11")
if "ninja" not in tools("ninja"):
    skip("no ninja")
sandbox = Sandbox("12.4")
prefix = sandbox.work / "venv"
site = installed.venv(prefix)
installed.put(site, *wheels.read_wanted("environments")["torch==2.5.1"], "torch==2.5.1", *TORCH_NEEDS, *BUILDERS)
runtime = f"env:{prefix}"
td = sandbox.work / "td"
sandbox.good("toolchain", td, "--runtime", runtime)
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
  TORCH_CHECK(x.is_cuda(), "twice takes a tensor on a GPU");
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
done = sandbox.run(sys.executable, "-B", "-W", "ignore", "setup.py", "-q", "bdist_wheel", **variables,
                   **activated(td, sandbox.path))
equal(done.status, 0, done)
[built] = (sandbox.work / "dist").glob("*.whl")
done = sandbox.run(PROGRAM, "wheel", "repair", built, "--runtime", runtime, PATH=demowheel.wheel_tools(sandbox))
equal(done.status, 0, done)
[wheel] = (sandbox.work / "wheelhouse").glob("*.whl")
with zipfile.ZipFile(wheel) as archive:
    requires = re.findall("Requires-Dist: (.*)", archive.read("ext-1.0.dist-info/METADATA").decode())
    [module] = [name for name in archive.namelist() if ".so" in name]
    archive.extractall(site)
equal(requires, ['torch>=2.4,<2.7; sys_platform == "linux"'])
elf = note.elf(site / module)
assert {"libtorch_python.so", "libtorch_cpu.so", "libc10_cuda.so", "libcudart.so.12"} <= set(elf.needed), elf.needed
assert "$ORIGIN/torch/lib" in elf.rpath and elf.manifest(), elf.rpath
code = """import torch, ext
try:
  ext.twice(torch.ones(2))
except RuntimeError as error:
  print(str(error).splitlines()[0])
"""
done = sandbox.run(prefix / "bin/python", "-B", "-W", "ignore", "-c", code, cwd="/")
equal((done.status, done.out), (0, "twice takes a tensor on a GPU\n"), done)
sandbox.clean()
