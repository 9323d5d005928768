# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""`cuda-cc toolchain --fetch` with real parts, from nothing to a library that loads: CUDA 13.0 from wheels by pip, CUDA
12.4 from archives of a server; and to one for aarch64, by an nvcc for this machine with libraries for that one."""
import ctypes
import hashlib
import json
import os
import platform
import sys

import fetched
import schema
from behaviour import behaviour
from crossing import EM_AARCH64, GXX, machine
from sandbox import KERNEL, Sandbox, equal, skip, toolkits, tools, wheel, wheels

if platform.machine() != "x86_64":
    skip("the parts are those for x86-64")
sandbox = Sandbox()
sandbox.write("k.cu", KERNEL)
cache = sandbox.root / "cache"
# python3 with pip, and no uv.
path = f"{sandbox.root}/bin:{sandbox.path}"
(sandbox.root / "bin").mkdir()
(sandbox.root / "bin/python3").symlink_to(sys.executable)


def fetch(directory, runtime, lock, *words, **more):
    ended = sandbox.cc("toolchain", directory, "--runtime", runtime, "--fetch", "--lock", lock, "--accept-license",
                       *words, PATH=path, XDG_CACHE_HOME=cache, **more)
    equal(ended.status, 0, ended)
    return sandbox.work / directory


def built(directory, runtime, cudart):
    """A library that the compiler of the directory made, checked and loaded."""
    ended = sandbox.run(directory / "bin/nvcc", "-arch=sm_80", "-shared", "-Xcompiler", "-fPIC", "-cudart", "shared",
                        "-cudadevrt", "none", "k.cu", "-o", f"{directory.name}.so")
    equal(ended.status, 0, ended)
    ended = sandbox.cc("check", f"{directory.name}.so", "--runtime", runtime)
    equal(ended.status, 0, ended)
    ctypes.CDLL(str(cudart), ctypes.RTLD_GLOBAL)
    ctypes.CDLL(str(sandbox.work / f"{directory.name}.so"))


# CUDA 13.0, by pip, whose index is a folder here. Wheels that are packed anew have other hashes than the tables.
index = sandbox.root / "index"
index.mkdir()
parts = []
packages = toolkits.row("13.0", "wheels")["packages"]


def part_of(name, **more):
    file = wheels.file_of(f"{name}=={packages[name]}", index, more.get("machine", "x86_64"))
    return {"part": name.removeprefix("nvidia-").removeprefix("cuda-"), "source": "wheel", "name": name,
            "version": packages[name], "sha256": hashlib.sha256(file.read_bytes()).hexdigest(), **more}


parts.extend(map(part_of, packages))
offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": index}
lock = fetched.lock(sandbox.work / "13.lock", "13.0.3", parts)
td13 = fetch("td13", "torch==2.11.0", lock, **offline)


@behaviour
def what_a_compiler_of_wheels_made_loads():
    runtime = wheel("nvidia-cuda-runtime==13.0.96") / "nvidia/cu13/lib/libcudart.so.13"
    built(td13, "torch==2.11.0", runtime)


@behaviour
def it_is_made_again_with_nothing_to_fetch_from():
    fetch("again", "cuda==13.0", lock, PIP_NO_INDEX="1")


def crossed():
    """A lock of libraries for aarch64 with a compiler for this machine."""
    return fetched.lock(sandbox.work / "cross.lock", "13.0.3",
                        [part_of(part["name"], machine="aarch64") if part["part"] in ("runtime", "cccl") else part
                         for part in parts])


@behaviour
def a_library_for_aarch64_is_made():
    if not tools(GXX):
        return
    cross = fetch("cross", "cuda==13.0", crossed(), "--host-compiler", GXX, **offline)
    equal(machine(os.path.realpath(cross / "lib64/libcudart.so.13")), EM_AARCH64)
    ended = sandbox.run(cross / "bin/nvcc", "-arch=sm_90", "-shared", "-Xcompiler", "-fPIC", "-cudart", "shared",
                        "-cudadevrt", "none", "k.cu", "-o", "cross.so")
    equal(ended.status, 0, ended)
    equal(machine(sandbox.work / "cross.so"), EM_AARCH64)
    equal(sandbox.cc("check", "cross.so", "--runtime", "cuda==13.0").status, 0)


@behaviour
def a_plan_for_a_host_compiler_for_aarch64_has_parts_for_it():
    if not tools(GXX):
        return
    printed = sandbox.good("toolchain", "td", "--runtime", "cuda==13.0", "--fetch", "--host-compiler", GXX, "--print",
                           "--format=json", PATH=path, XDG_CACHE_HOME=cache)
    plan = schema.fit(json.loads(printed.out), "fetch")
    equal({part["target"] for part in plan["parts"] if "machine" in part}, {"sbsa-linux"})


@behaviour
def a_lock_for_aarch64_gives_no_parts_of_it_to_this_machine():
    if not tools(GXX):
        return
    ended = sandbox.cc("toolchain", "td", "--runtime", "cuda==13.0", "--fetch", "--lock", crossed(), "--print",
                       PATH=path, XDG_CACHE_HOME=cache)
    assert "aarch64" not in ended.out, ended


@behaviour
def other_hashes_than_those_of_the_tables_are_refused():
    """Nothing is left."""
    kept = sorted((cache / "cuda-cc/toolkits").glob("cuda-*"))
    ended = sandbox.cc("toolchain", "td", "--runtime", "cuda==13.0", "--fetch", PATH=path, XDG_CACHE_HOME=cache,
                       **offline)
    equal(ended.status, 4, ended)
    assert "another sha256 than" in ended.err, ended
    equal(sorted((cache / "cuda-cc/toolkits").glob("cuda-*")), kept)


@behaviour
def archives_are_fetched_where_no_wheel_has_nvcc():
    """CUDA 12.4."""
    mirror = sandbox.root / "mirror"
    lock = fetched.lock(sandbox.work / "12.lock", "12.4.1", fetched.archives(mirror))
    td = fetch("td12", "torch==2.5.1", lock, CUDA_CC_REDIST_URL=fetched.serve(mirror))
    runtime = wheel("nvidia-cuda-runtime-cu12==12.4.127") / "nvidia/cuda_runtime/lib/libcudart.so.12"
    built(td, "torch==2.5.1", runtime)
    equal(sandbox.cc("toolchain", "--check", td).status, 0)


sandbox.clean()
