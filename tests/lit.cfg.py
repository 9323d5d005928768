# SPDX-License-Identifier: Apache-2.0
"""The configuration of the test suite, which `lit BUILD/tests` runs.

Parameters (lit --param NAME=VALUE):
  all=1            sets the feature `all`: also run tests that take long
  update=1         the tests command/golden-*.py rewrite their expected files
  program=PATH     the program under test instead of BUILD/bin/cuda-cc
  room=PATH        the directory where tests run, instead of BUILD/tests; no test may depend on its length
  nvcc=PATH        the nvcc of the tests, as CUDACC_TEST_NVCC; default: the toolkit 13.0 of
                   support/toolkits.py
"""

import os
import sys

source = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(source, "support"))
import littest

build = getattr(config, "cudacc_build", os.path.join(os.path.dirname(source), "build"))
program = lit_config.params.get("program", os.path.join(build, "bin/cuda-cc"))
nvcc = littest.find_nvcc(lit_config.params.get("nvcc"))

config.name = "cuda-cc"
config.test_source_root = source
config.test_exec_root = lit_config.params.get("room", os.path.join(build, "tests"))
config.test_format = littest.ScriptTest()
config.suffixes = [".py", ".test"]
# What these download is too much for every machine.
if lit_config.params.get("all") != "1":
    config.excludes = ["wheel-torch-import.py", "fetch-torch.py"]
config.available_features = littest.features(nvcc, lit_config.params)
if littest.is_sanitized(build):
    config.available_features.add("sanitizers")
config.environment = littest.base_environment()
config.environment.update({
    **littest.OFFLINE,
    **littest.sanitizer_options(build),
    "CUDACC_TEST_PROGRAM": os.path.abspath(program),
    "CUDACC_TEST_ALL": "1" if lit_config.params.get("all") == "1" else "",
    "CUDACC_TEST_UPDATE": "1" if lit_config.params.get("update") == "1" else "",
    "CUDACC_TEST_BUILD": build,
    "CUDACC_TEST_LLVM": os.path.dirname(littest.find_llvm_tool("FileCheck")),
    "CUDACC_TEST_PYTHON": sys.executable,
    "CUDACC_TEST_SUPPORT": os.path.join(source, "support"),
})
if nvcc:
    config.environment["CUDACC_TEST_NVCC"] = nvcc
for name in ("CUDA_CC_CACHE", "CUDA_CC_PIP", "CUDACC_TEST_SEED", "CUDACC_TEST_LINES", "CUDACC_MUTANTS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
# What random cases find must not fail a change that has nothing to do with it: `--all` looks for more.
if lit_config.params.get("all") != "1":
    config.environment.setdefault("CUDACC_TEST_SEED", "1")
config.environment.setdefault("CUDA_CC_CACHE", str(littest.wheels.cache_root()))

config.substitutions = [
    ("%cuda-cc", os.path.abspath(program)),
    ("%build", build),
    ("%fuzz", os.path.join(build, "tests/fuzz")),
    ("%python", sys.executable),
    ("%support", os.path.join(source, "support")),
    ("%nvcc", nvcc or "nvcc-not-found"),
    ("%FileCheck", littest.find_llvm_tool("FileCheck")),
]
