# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""`cuda-cc toolchain DIR --host-compiler aarch64-linux-gnu-g++`: the directory builds for that compiler's machine, and
takes libraries, stub, machine files and lock for that machine only."""
import json
import struct

import schema
from recording import PROGRAM, Place, equal

ANSWER = """#!/bin/sh
case "$*" in "-v -E "*) printf 'Target: TRIPLE\\ngcc version 12.2.0\\n' >&2; exit ;; esac
exec "${0%/*}/g++" "$@"
"""
place = Place("12.4")
place.write("k.cu")
place.write("x.cpp")


def compiler(name, triple="aarch64-linux-gnu"):
    path = place.bin / name
    path.write_text(ANSWER.replace("TRIPLE", triple))
    path.chmod(0o755)


for name in ("aarch64-linux-gnu-g++", "aarch64-linux-gnu-gcc", "aarch64-linux-gnu-g++-12",
             "aarch64-linux-gnu-gcc-12", "aarch64-linux-gnu-c++", "vendor-arm"):
    compiler(name)
compiler("riscv64-linux-gnu-g++", "riscv64-linux-gnu")
for name in ("ar", "strip"):
    compiler(f"aarch64-linux-gnu-{name}")
(place.toolkit / "lib64/libcudart.so.12").write_text("")


def made(*words):
    ended = place.call("toolchain", "td", "--format=json", *words)
    equal((ended.status, ended.err), (0, ""), words)
    return schema.fit(json.loads(ended.out), "toolchain")


def elf(path, machine):
    """The part of a file that identifies its machine."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(struct.pack("<16sHHI", b"\x7fELF\x02\x01\x01", 3, machine, 1).ljust(64, b"\0"))


# The toolkit has no files for that machine.
ended = place.call("toolchain", "td", "--runtime=cuda==12.4", "--host-compiler=aarch64-linux-gnu-g++")
assert ended.status == 4 and "no CUDA libraries for aarch64 [CC2031]" in ended.err, ended
assert f"{place.toolkit}/targets/sbsa-linux/lib" in "".join(ended.err.split("\n")).replace(" ", ""), ended
assert not (place.work / "td").exists()

# NVIDIA's packages for cross compilation.
(place.toolkit / "targets/sbsa-linux/lib").mkdir(parents=True)
(place.toolkit / "targets/sbsa-linux/include").mkdir()
(place.toolkit / "targets/sbsa-linux/lib/libcudart.so.12").write_text("arm")
cross = made("--runtime=cuda==12.4", "--host-compiler=aarch64-linux-gnu-g++")
equal(cross["machine"], "aarch64")
equal(cross["compilers"], {name: str(place.bin / name)
                           for name in ("aarch64-linux-gnu-g++", "aarch64-linux-gnu-gcc")})
td = place.work / "td"
equal((td / "lib64/libcudart.so").read_text(), "arm")
for name in ("sbsa-linux", "aarch64-linux"):
    equal((td / f"targets/{name}/lib/libcudart.so.12").read_text(), "arm")
equal(sorted(each.name for each in (td / "targets").iterdir()), ["aarch64-linux", "sbsa-linux"])
equal(struct.unpack_from("<H", (td / "lib64/stubs/libcuda.so").read_bytes(), 18)[0], 183)
assert not (td / "native.ini").exists()
text = (td / "cross.ini").read_text()
for line in (f"cpp = [cuda_cc / 'bin/cuda-cc', '{place.bin}/aarch64-linux-gnu-g++']",
             f"ar = '{place.bin}/aarch64-linux-gnu-ar'", f"strip = '{place.bin}/aarch64-linux-gnu-strip'",
             "cpu_family = 'aarch64'"):
    assert f"\n{line}\n" in text, text
assert 'set(CUDA_CC_MACHINE "aarch64")' in (td / "cmake/CudaCCMachine.cmake").read_text()
assert "@CC@" not in (td / "activate").read_text()
assert "_cuda_cc_set_compiler CC aarch64-linux-gnu-gcc " in (td / "activate").read_text()

# nvcc compiles with the real cross compiler, and links through the directory's.
call = place.call(td / "bin/nvcc", "-c", "k.cu", program=None).only
equal(call.arguments[:3], [f"-ccbin={place.bin}/aarch64-linux-gnu-g++", "-c", "k.cu"])
call = place.call(td / "bin/nvcc", "k.o", "-o", "k", program=None).last
assert f"-ccbin={td}/bin/aarch64-linux-gnu-g++" in call.arguments, call.arguments
equal(place.call("toolchain", "--check", "td").status, 0)
equal(made("--runtime=cuda==12.4", "--host-compiler=aarch64-linux-gnu-g++")["did"], "up to date")

# The C compiler is the one with the same prefix and release; a compiler's own answer counts, not its name.
def compilers(name):
    return sorted(made("--print", "--runtime=cuda==12.4", f"--host-compiler={name}")["compilers"])

equal(compilers("aarch64-linux-gnu-g++-12"), ["aarch64-linux-gnu-g++-12", "aarch64-linux-gnu-gcc-12"])
equal(compilers("aarch64-linux-gnu-gcc"), ["aarch64-linux-gnu-g++", "aarch64-linux-gnu-gcc"])
equal(compilers("aarch64-linux-gnu-c++"), ["aarch64-linux-gnu-c++"])
equal(compilers("vendor-arm"), ["vendor-arm"])
for native in ("x86_64-linux-gnu-g++", "g++-12", "riscv64-linux-gnu-g++"):
    value = made("--print", "--runtime=cuda==12.4", f"--host-compiler={native}")
    assert "machine" not in value and "gcc" in value["compilers"], value
    assert not {"cmake/CudaCCMachine.cmake"} & {each["path"] for each in value["entries"]}

# The environment's nvcc runs on the environment's machine.
site = place.work / "env"
library = site / "nvidia/cuda_runtime/lib/libcudart.so.12"
elf(library, 183)
elf(site / "nvidia/cuda_nvcc/bin/nvcc", 183)
(site / "nvidia/cuda_nvcc/bin/nvcc").chmod(0o755)
info = site / "nvidia_cuda_runtime_cu12-12.4.127.dist-info"
info.mkdir()
(info / "METADATA").write_text("Metadata-Version: 2.1\nName: nvidia-cuda-runtime-cu12\nVersion: 12.4.127\n")
(info / "RECORD").write_text("nvidia/cuda_runtime/lib/libcudart.so.12,,64\n")
value = made("--print", f"--runtime=env:{site}", "--host-compiler=aarch64-linux-gnu-g++")
equal(value["nvcc"], str(place.nvcc))
links = {each["path"]: each.get("target") for each in value["entries"]}
equal(links["lib64/libcudart.so.12"], str(library))
ended = place.call("toolchain", "td2", f"--runtime=env:{site}", "--toolkit=env",
                   "--host-compiler=aarch64-linux-gnu-g++")
assert ended.status == 4 and "nvcc is for aarch64 and cannot run here [CC2003]" in ended.err, ended
ended = place.call("toolchain", "td2", f"--runtime=env:{site}")
assert ended.status == 3 and "the compiler is for x86_64, the runtime for aarch64" in ended.err, ended
said = " ".join(place.call("target", f"--runtime=env:{site}").out.split())
equal(said.split(", driver")[0].split(": ")[1], "CUDA 12.4 for aarch64")

# Wheels for two machines in one folder.
elf(site / "nvidia/nvjitlink/lib/libnvJitLink.so.12", 62)
info = site / "nvidia_nvjitlink_cu12-12.4.127.dist-info"
info.mkdir()
(info / "METADATA").write_text("Metadata-Version: 2.1\nName: nvidia-nvjitlink-cu12\nVersion: 12.4.127\n")
(info / "RECORD").write_text("nvidia/nvjitlink/lib/libnvJitLink.so.12,,64\n")
ended = place.call("target", f"--runtime=env:{site}")
assert "libraries for two machines in one environment [CC2002]" in ended.err, ended

# torch's wheel on PyPI; a version with a label is on another index.
for runtime, warned in (("torch==2.5.1", True), ("torch==2.5.1+cu124", False)):
    ended = place.call("toolchain", "td3", "--print", f"--runtime={runtime}",
                       "--host-compiler=aarch64-linux-gnu-g++")
    equal((ended.status, "torch 2.5.1 of PyPI has no CUDA for aarch64 [CC2031]" in ended.err),
          (0, warned), ended)
equal(place.call("toolchain", "td3", "--print", "--runtime=torch==2.5.1").err, "")

# A lock is resolved for the target machine.
place.write("requirements.txt", "nvidia-nvjitlink-cu12==12.4.127 ; platform_machine == 'x86_64'\n"
                                "nvidia-nvjitlink-cu12==12.5.82 ; platform_machine == 'aarch64'\n"
                                "nvidia-cuda-runtime-cu12==12.4.127\n")


def locked(*words, program=PROGRAM):
    ended = place.call("--cudacc-print=target", "--cudacc-runtime=lock:requirements.txt", *words)
    assert ended.status == 0, ended
    return {row["soname"]: row["version"] for row in json.loads(ended.out)["libraries"]}


for expected, words in (
        ("12.4.127", ("g++", "-c", "x.cpp")),
        ("12.5.82", ("aarch64-linux-gnu-g++", "-c", "x.cpp")),
        ("12.5.82", (place.bin / "aarch64-linux-gnu-g++-12", "-c", "x.cpp")),
        ("12.5.82", ("clang++", "--target=aarch64-linux-gnu", "-c", "x.cpp")),
        ("12.4.127", ("clang++", "-c", "x.cpp")),
        ("12.5.82", ("-ccbin", "aarch64-linux-gnu-g++", "-c", "k.cu")),
        ("12.4.127", ("-c", "k.cu"))):
    equal(locked(*words)["libnvJitLink.so.12"], expected, words)
value = made("--runtime=lock:requirements.txt", "--host-compiler=vendor-arm")
ended = place.call(td / "bin/nvcc", "--cudacc-print=target", "-c", "k.cu", program=None)
assert '"12.5.82"' in ended.out, ended
