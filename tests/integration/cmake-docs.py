# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Runs every command of docs/cmake.md, docs/audit.md and docs/toolchain.md, in order. The project has the
CMakeLists.txt that docs/cmake.md shows; for the last page it is C++ only, with a Makefile and a meson.build."""
import sys
from pathlib import Path

from documented import ROOT, follows
from sandbox import PROGRAM, Sandbox, environment_of, equal, wheel

environment = environment_of(
    "nvidia-cuda-nvcc==13.0.88", "nvidia-cuda-crt==13.0.88", "nvidia-nvvm==13.0.88",
    "nvidia-cuda-runtime==13.0.96", "nvidia-cuda-cccl==13.0.85", "nvidia-cusolver==12.0.4.66",
    "nvidia-cusparse==12.6.3.3", "nvidia-cublas==13.1.0.3", "nvidia-nvjitlink==13.0.88")
sandbox = Sandbox()
(sandbox.work / ".venv").symlink_to(environment)
page = follows("cmake")
for section in page.values():
    section.put(sandbox)
text = (sandbox.work / "CMakeLists.txt").read_text()
sandbox.write("CMakeLists.txt",
              "cmake_minimum_required(VERSION 3.21)\nproject(ext LANGUAGES CXX CUDA)\n" + text)
sandbox.write("mine.cmake", "set(CMAKE_CXX_FLAGS_INIT -Wall)\n")
for name, source in (("kernels.cu", "cmake-mixed/scale.cu"), ("ext.cpp", "cmake-mixed/solve.cpp")):
    sandbox.write(name, (ROOT / "examples" / source).read_text())
for title, section in page.items():
    if not section.commands:
        continue
    declared = {"CUDA_CC_RUNTIME": f"env:{sandbox.work}/.venv", "CUDA_CC_TOOLKIT": "env"} \
        if title == "In the project" else {}
    done = section.follow(sandbox, CUDAARCHS="80", **declared)
    assert "cuda-cc: error" not in done.out + done.err, done
done = sandbox.run("ctest", "--test-dir", "build/release")
assert done.status == 0 and "100% tests passed, 0 tests failed out of 1" in done.out, done
equal([path.name for path in (sandbox.work / "dist").rglob("*") if path.is_file()], ["libext.so"])

for name in ("CMakeLists.txt", "kernels.cu", "ext.cpp"):
    sandbox.write(f"audited/{name}", (sandbox.work / name).read_text())
done = follows("audit")["Auditing a build"].follow(
    sandbox, "audited", CUDAARCHS="80", CMAKE_TOOLCHAIN_FILE=sandbox.work / "build/cuda/toolchain.cmake")
assert "build: accept on " in done.out, done

for name, text in (("CMakeLists.txt", "cmake_minimum_required(VERSION 3.21)\nproject(p LANGUAGES CXX)\n"),
                   ("meson.build", "project('p', 'cpp')\ndependency('cuda', version: '13.0')\n"),
                   ("Makefile", "all:\n\t$(NVCC) --version\n\t$(CXX) --version\n")):
    sandbox.write(f"td/{name}", text)
(sandbox.work / "td/.venv").symlink_to(environment)
meson = sandbox.write("bin/meson", f"#!/bin/sh\nexec '{sys.executable}' -B -m mesonbuild.mesonmain \"$@\"\n")
meson.chmod(0o755)
page = follows("toolchain")
page["The toolchain directory"].follow(
    sandbox, "td", PYTHONPATH=wheel("meson==1.12.1"),
    PATH=f"{meson.parent}:{Path(PROGRAM).parent}:{sandbox.path}")
done = page["When something changes"].follow(sandbox, "td")
assert "matches" in done.out, done
