# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""The projects of examples/ build with only the toolchain file of a toolchain directory made of wheels; the installed
files pass `check`, and load beside the runtime (AT20, AT30). The example that fetches cuda-cc's functions also builds
with cuda-cc as the CUDA compiler and no toolchain file, and stops without cuda-cc (AT27, R44)."""
import shutil
import sys
from pathlib import Path

import note
from cmake_project import NEWEST, Project, Way, good
from sandbox import KERNEL, PROGRAM, Sandbox, environment_of, equal

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
BUILT = {"cmake-pure": "pure/libpure.so", "cmake-mixed": "mixed/libmixed.so",
         "cmake-rdc-lto": "rdc_lto/librdc_lto.so", "cmake-inside": "inside/libinside.so",
         "cmake-program": "bin/program", "cmake-fetch": "fetch/libfetch.so"}
equal(sorted(path.parent.name for path in EXAMPLES.glob("cmake-*/CMakeLists.txt")), sorted(BUILT))
environment = environment_of(
    "nvidia-cuda-nvcc==13.0.88", "nvidia-cuda-crt==13.0.88", "nvidia-nvvm==13.0.88",
    "nvidia-cuda-runtime==13.0.96", "nvidia-cuda-cccl==13.0.85", "nvidia-cusolver==12.0.4.66",
    "nvidia-cusparse==12.6.3.3", "nvidia-cublas==13.1.0.3", "nvidia-nvjitlink==13.0.88")
sandbox = Sandbox()
td = sandbox.work / "td"
sandbox.good("toolchain", td, "--runtime", f"env:{environment}")
# The place where a wheel would install the files: packages beside the runtime's.
site = sandbox.work / "site"
site.mkdir()
(site / "nvidia").symlink_to(environment / "nvidia")

def build(name, version, *settings, **variables):
    built = Project(sandbox, Way(version, "Ninja", "bfd"), EXAMPLES / name, "b", *settings,
                    "-DCMAKE_CUDA_ARCHITECTURES=80", f"-DCMAKE_INSTALL_PREFIX={site}", **variables)
    shutil.rmtree(built.build, ignore_errors=True)
    built.all()
    return built

def judge(path):
    elf = note.elf(path)
    assert elf.manifest().link, path
    assert not any(str(td) in element for element in elf.rpath), elf.rpath
    done = good(sandbox.run(td / "bin/cuda-cc", "check", path), path)
    assert "accept" in done.out and "warning" not in done.out, done
    return elf

for number, (name, path) in enumerate(BUILT.items()):
    toolchain = f"-DCMAKE_TOOLCHAIN_FILE={td}/toolchain.cmake"
    built = build(name, ("machine", NEWEST)[number % 2], toolchain)
    good(built.install(), name)
    elf = judge(site / path)
    assert "libcudart.so.13" in elf.needed, elf.needed
    equal(elf.rpath[:2], ["$ORIGIN/../nvidia/cu13/lib", "$ORIGIN/nvidia/cu13/lib"], name)
    if name == "cmake-program":
        # F18: it runs in the build tree and where it is installed.
        for program in (built.build / "program", site / path):
            equal(sandbox.run(program).out, "CUDA runtime 13.0\n", program)
    else:
        load = sandbox.run(sys.executable, "-c", "import ctypes, sys; ctypes.CDLL(sys.argv[1])", site / path)
        equal((load.status, load.err), (0, ""), name)

# Three lines, which nvcc with its defaults builds: cudart is static.
sandbox.write("three/CMakeLists.txt", "cmake_minimum_required(VERSION 3.21)\nproject(three LANGUAGES CUDA)\n"
              "add_library(three SHARED k.cu)\ninstall(TARGETS three DESTINATION three)\n")
sandbox.write("three/k.cu", KERNEL)
built = build(sandbox.work / "three", NEWEST, f"-DCMAKE_TOOLCHAIN_FILE={td}/toolchain.cmake")
good(built.install(), "three")
elf = judge(site / "three/libthree.so")
equal((elf.rpath, elf.manifest().link["cudart"]), ([], "static"), "nothing of the runtime is needed")
load = sandbox.run(sys.executable, "-c", "import ctypes, sys; ctypes.CDLL(sys.argv[1])",
                   site / "three/libthree.so")
equal((load.status, load.err), (0, ""), "three")

# The functions without the toolchain file: with a front, and with cuda-cc itself and a declaration.
for variables in ({"CUDACXX": td / "bin/nvcc"},
                  {"CUDACXX": PROGRAM, "CUDA_CC_RUNTIME": f"env:{environment}",
                   "CUDA_CC_TOOLKIT": "env", "PATH": f"{Path(PROGRAM).parent}:{sandbox.path}"}):
    settings = [] if "PATH" in variables else [f"-DCUDA_CC_EXECUTABLE={td}/bin/cuda-cc"]
    built = build("cmake-fetch", "machine", *settings, **variables)
    done = good(sandbox.run("ctest", cwd=built.build, **variables), "ctest")
    assert "cuda-cc.fetch" in done.out and "100% tests passed" in done.out, done
    done = good(built.install(), "verified")
    assert "accept" in done.out, done
    judge(site / BUILT["cmake-fetch"])
