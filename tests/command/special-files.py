# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""A FIFO, a device, a directory, a loop of links or a sparse file of 1 TB in each place that is read: the call ends
soon, in little memory, with a documented exit status."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

from binaries import CUDART, PROGRAM, Binaries

LIMIT = 256 << 20
made = Binaries()
work = made.work
made.extension("ext.so", {CUDART: ["cudaMalloc"]})
(work / "x.cpp").write_text("int x;\n")
site = made.site("venv", {"nvidia-cuda-runtime-cu12": ("12.4.127", {
    "nvidia/cuda_runtime/lib/libcudart.so.12": made.library("c.so", CUDART, ["cudaMalloc"])})}).relative_to(work)
info = site / "nvidia_cuda_runtime_cu12-12.4.127.dist-info"
WHEEL = "a-1.0-py3-none-any.whl"
COMPILE = ("g++", "-c", "x.cpp", "-o", "x.o")
TARGET = ("target", "--runtime", "cuda==12.4")
# What may be made of another kind, and calls that read it.
PLACES = {
    "cuda-cc.toml": [COMPILE, ("target",), ("init",)], "pyproject.toml": [COMPILE, ("doctor",)],
    **{lock: [("target", "--runtime", f"lock:{lock}")] for lock in (
        "requirements.txt", "uv.lock", "poetry.lock", "pdm.lock", "pixi.lock", "conda-lock.yml", "pylock.toml")},
    "facts.toml": [(*TARGET, "--facts=facts.toml")],
    "words.rsp": [("--cudacc-runtime=cuda==12.4", "g++", "@words.rsp")],
    "x.so": [("check", "x.so", "--runtime", "cuda==12.4"), ("inspect", "x.so"), ("doctor", "x.so")],
    "dist/x.so": [("check", "dist", "--runtime", "cuda==12.4")],
    WHEEL: [("check", WHEEL, "--runtime", "cuda==12.4"), ("wheel", "show", WHEEL),
            ("wheel", "repair", WHEEL, "-w", "out", "--runtime=cuda==12.4")],
    **{str(path): [("target", "--runtime", "env:venv"), ("check", "ext.so", "--runtime", "env:venv"),
                   ("doctor", "--env", "venv", "ext.so")]
       for path in (info / "METADATA", info / "RECORD", Path("venv/pyvenv.cfg"), site / "x.pth",
                    site / "nvidia/cuda_runtime/lib/libcudart.so.12", site / "torch/version.py")},
    **{f"build/{name}": [("audit", "build")] for name in (
        "CMakeCache.txt", "build.ninja", ".cmake/api/v1/reply/index-1.json", "meson-info/meson-info.json")},
    "k.o": [("link", "k.o", "--arch=sm_90", "-o", "o.cubin")],
    "home/.config/cuda-cc/trust": [TARGET], "home/.cache/cuda-cc/toolkits/k/fetched.json": [("cache", "list")],
    "td/cuda-cc.facts": [("toolchain", "--check", "td")]}
KINDS = {
    "FIFO": os.mkfifo, "sparse": lambda path: (path.touch(), os.truncate(path, 1 << 40)),
    "zeros": lambda path: path.symlink_to("/dev/zero"), "memory": lambda path: path.symlink_to("/proc/self/mem"),
    "log": lambda path: path.symlink_to("/proc/kmsg"),
    "loop": lambda path: path.symlink_to(path.name), "folder": Path.mkdir}
ALL = bool(os.environ.get("CUDACC_TEST_ALL"))
MEASURED = ("import os, sys\nchild = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:])\n"
            "_, status, used = os.wait4(child, 0)\n"
            "print('\\nmeasured', os.waitstatus_to_exitcode(status), used.ru_maxrss)\n")
environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "HOME": str(work / "home"), "TMPDIR": str(made.root)}


def call(words):
    done = subprocess.run([sys.executable, "-S", "-c", MEASURED, PROGRAM, *words], cwd=work, env=environment, text=True,
                          errors="replace", stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    status, memory = done.stdout.rpartition("measured ")[2].split()
    return int(status), int(memory) << 10, done


for name in (*PLACES,) if ALL else (*PLACES,)[::2]:
    path = work / name
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = path.read_bytes() if path.exists() else None
    for kind, make in KINDS.items() if ALL else [*KINDS.items()][:2]:
        path.unlink(missing_ok=True)
        make(path)
        for words in PLACES[name] if ALL else PLACES[name][:1]:
            status, memory, done = call(words)
            assert 0 <= status <= 4 and memory < LIMIT, (kind, name, words, status, memory, done)
        if path.is_dir() and not path.is_symlink():
            path.rmdir()
    path.unlink(missing_ok=True)
    if kept is not None:
        path.write_bytes(kept)
    shutil.rmtree(work / "out", ignore_errors=True)
