# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Wheels of C++ alone, repaired: on cuDNN, whose libcudnn.so.9 is the same in CUDA 12 and 13, so that the runtime says
which wheel is required; on nvJitLink. With the lowest and highest versions that they allow they load, with the version
below they do not (WR-4, WR-22)."""
import json
import re
import sys
import tempfile
import zipfile
from pathlib import Path

import demowheel
import installed
import members
import packing
from behaviour import behaviour
from sandbox import PROGRAM, Sandbox, equal, wheel, wheels

INFO = "small-1.0.dist-info"
LOAD = b"import ctypes, os\nctypes.CDLL(os.path.dirname(__file__) + '/ext.so', os.RTLD_NOW)\n"
sandbox = Sandbox()


def source(call):
    sandbox.write("ext.cpp", f'#include <stdio.h>\nextern "C" unsigned long {call}(void *, int, void *);\n'
                  f'extern "C" unsigned long call(void) {{ return puts("") + {call}(0, 0, 0); }}\n')


def built(runtime, library, call, *requires):
    """The wheel of a module that makes this call, linked for the runtime."""
    source(call)
    sandbox.good(f"--cudacc-runtime={runtime}", "g++", "-shared", "-fPIC", "ext.cpp", "-o", "ext.so",
                 f"-L{library.parent}", f"-l:{library.name}")
    return packing.sound(sandbox.work, "small", {"small/ext.so": (sandbox.work / "ext.so").read_bytes(),
                                                 "small/__init__.py": LOAD}, requires=requires)


def repaired(path, *words):
    """The requirements that it wrote, and the wheel."""
    done = sandbox.run(PROGRAM, "wheel", "repair", path, "-w", "out", *words, PATH=demowheel.wheel_tools(sandbox))
    equal(done.status, 0, done)
    [result] = (sandbox.work / "out").glob("*.whl")
    with zipfile.ZipFile(result) as archive:
        return re.findall(r"Requires-Dist: (.*);", archive.read(f"{INFO}/METADATA").decode()), result


def loads(result, *requirements):
    """What the loader says of the module, installed beside these wheels."""
    site = Path(tempfile.mkdtemp(dir=sandbox.work))
    with zipfile.ZipFile(result) as archive:
        archive.extractall(site)
    for requirement in requirements:
        for folder in wheel(requirement).glob("nvidia/*"):
            (site / "nvidia").mkdir(exist_ok=True)
            (site / "nvidia" / folder.name).symlink_to(folder)
    code = "import ctypes, os, sys; ctypes.CDLL(sys.argv[1], os.RTLD_NOW)"
    done = sandbox.run("python3", "-c", code, site / "small/ext.so")
    return done.err.strip().rpartition("\n")[2]


@behaviour
def the_runtime_says_which_wheel_of_cudnn_is_required():
    for runtime, cudnn, bound in (
            (("nvidia-cuda-runtime-cu12==12.4.127",), "nvidia-cudnn-cu12==9.1.0.70", "nvidia-cudnn-cu12>=9.0,<10"),
            (("nvidia-cuda-runtime==13.0.96",), "nvidia-cudnn-cu13==9.19.0.56", "nvidia-cudnn-cu13>=9.12,<10")):
        prefix = sandbox.work / f"venv-{cudnn[-8:]}"
        installed.put(installed.venv(prefix), *runtime, cudnn)
        path = built(f"env:{prefix}", wheel(cudnn) / "nvidia/cudnn/lib/libcudnn.so.9", "cudnnGetVersion")
        requires, result = repaired(path, "--runtime", f"env:{prefix}")
        equal(requires, [bound])
        equal(sandbox.cc("check", result, "--runtime", f"env:{prefix}").status, 0)
        equal(loads(result, cudnn), "")
        said = loads(result)
        assert "libcudnn.so.9: cannot open shared object file" in said, said
    shown = sandbox.cc("wheel", "show", path)
    assert "the CUDA major is not determined for libcudnn.so.9" in shown.out + shown.err, shown


@behaviour
def a_runtime_that_leaves_cudnn_open_has_no_library_that_leads_there():
    source("cudnnGetVersion")
    library = wheel("nvidia-cudnn-cu12==9.1.0.70") / "nvidia/cudnn/lib/libcudnn.so.9"
    sandbox.run("g++", "-shared", "-fPIC", "ext.cpp", "-o", "ext.so", library)
    path = packing.sound(sandbox.work, "small", {"small/ext.so": (sandbox.work / "ext.so").read_bytes()})
    done = sandbox.run(PROGRAM, "wheel", "repair", path, "-w", "none", "--runtime=cuda==12.4",
                       PATH=demowheel.wheel_tools(sandbox))
    equal((done.status, "[CC4003]" in done.out, (sandbox.work / "none").exists()), (3, True, False), done)


# A name that came with 9.5. Of cuDNN's wheels these have the library alone that opens the others, and empty ones.
index = sandbox.root / "index"
index.mkdir()
CUDART = "nvidia-cuda-runtime-cu12==12.4.127"
wheels.file_of(CUDART, index)
parts = {}
for part in ("adv", "cnn", "ext", "graph", "ops"):
    name = f"libcudnn_{part}.so.9"
    done = sandbox.run("gcc", "-shared", "-x", "c", "/dev/null", f"-Wl,-soname,{name}", "-o", name)
    equal(done.status, 0, done)
    parts[f"nvidia/cudnn/lib/{name}"] = (sandbox.work / name).read_bytes()


def completed(path):
    """The wheel with those parts."""
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    [record] = [name for name in entries if name.endswith(".dist-info/RECORD")]
    entries[record] += "".join(f"{name},,\n" for name in parts).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in {**entries, **parts}.items():
            archive.writestr(name, content)


for version in ("9.4.0.58", "9.5.0.50", "9.28.0.42"):
    members.file_of(f"nvidia-cudnn-cu12=={version}", index)
    completed(next(index.glob(f"nvidia_cudnn_cu12-{version}-*.whl")))
site = installed.venv(sandbox.work / "venv")
wheels.link_tree(wheel(CUDART), site)
with zipfile.ZipFile(next(index.glob("nvidia_cudnn_cu12-9.5.*.whl"))) as archive:
    archive.extractall(site)
runtime = f"env:{sandbox.work}/venv"
cudnn, call = site / "nvidia/cudnn/lib/libcudnn.so.9", "cudnnBackendPopulateCudaGraph"
[uv] = wheel("uv==0.13.9").rglob("scripts/uv")
offline = {"UV_NO_INDEX": "1", "UV_FIND_LINKS": index, "UV_OFFLINE": "1", "UV_CACHE_DIR": sandbox.root / "uv",
           "UV_PYTHON_DOWNLOADS": "never", "UV_NO_CONFIG": "1", "PATH": f"{uv.parent}:{sandbox.path}"}


def proofs(path):
    """The version, the verdict and what Python says for each resolution."""
    done = sandbox.run(PROGRAM, "wheel", "prove", path, "--import=small", "--format=json", f"--python={sys.executable}",
                       **offline)
    for proof in json.loads(done.out)["proofs"]:
        yield proof["installed"]["nvidia-cudnn-cu12"], proof["verdict"], json.dumps(proof["findings"])


@behaviour
def a_name_that_came_with_a_release_requires_it():
    requires, result = repaired(built(runtime, cudnn, call, CUDART), "--runtime", runtime)
    equal(requires, ["nvidia-cudnn-cu12>=9.5,<10"])
    equal(list(proofs(result)), [("9.5.0.50", "accept", "[]"), ("9.28.0.42", "accept", "[]")])


@behaviour
def with_the_release_below_it_does_not_load():
    (below, verdict, said), _ = proofs(built(runtime, cudnn, call, CUDART, "nvidia-cudnn-cu12>=9.4,<10"))
    equal((below, verdict), ("9.4.0.58", "reject"))
    assert f"undefined symbol: {call}" in said, said


@behaviour
def nvjitlink_is_required_from_the_version_of_the_name_on():
    jitlink = next(Path(wheel("nvidia-nvjitlink-cu12==12.5.82")).glob("nvidia/nvjitlink/lib/lib*.so.12"))
    path = built("cuda==12.5", jitlink, "__nvJitLinkCreate_12_5")
    requires, result = repaired(path)
    equal(requires, ["nvidia-nvjitlink-cu12>=12.5,<13"])
    equal(loads(result, "nvidia-nvjitlink-cu12==12.5.82"), "")
    said = loads(result, "nvidia-nvjitlink-cu12==12.4.127")
    assert "__nvJitLinkCreate_12_5" in said, said


sandbox.clean()
