# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""AT13, R30: torch's extension builder in an activated toolchain directory: with and without ninja, with a device
link, just in time from files and from text, there with a CC and a CXX of several words. Each module has its manifest
and search path and can be imported with torch; a newer toolkit is rejected in ninja's output; torch's own messages are
unchanged. With ninja this is the example of docs/python.md; F18: modules in the JIT's cache have the environment's
folders in their search path."""
import json
import re
import shutil
import sys
import zipfile

import demowheel
import installed
import packing
from behaviour import behaviour
from documented import follows
from python_project import BUILDERS, KERNEL, MODULE, NVIDIA, TORCH_NEEDS, accepted, activated, held, imported, pip_of
from sandbox import PROGRAM, Sandbox, equal, skip, toolkit, tools, wheels

if "ninja" not in tools("ninja"):
    skip("no ninja")
if sys.version_info[:2] != (3, 11):
    skip("the wheel of torch is one for Python 3.11")
WANTED = wheels.read_wanted("environments")["torch==2.11.0"]
sandbox = Sandbox()
prefix = sandbox.work / "venv"
site = installed.venv(prefix)
installed.put(site, *WANTED, *NVIDIA, "torch==2.11.0", *TORCH_NEEDS, *BUILDERS)
td = sandbox.work / "td"
runtime = f"env:{prefix}"
sandbox.good("toolchain", td, "--runtime", runtime)

sandbox.write("ext.cpp", MODULE)
sandbox.write("k.cu", KERNEL)
sandbox.write("setup.py", """import os
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension
dlink = {"dlink": True, "dlink_libraries": ["cudadevrt"],
         "extra_compile_args": {"cxx": [], "nvcc": ["-rdc=true"]}} if os.environ["WAY"] == "dlink" else {}
setup(name="ext", version="1",
      ext_modules=[CUDAExtension("ext", ["ext.cpp", "k.cu"], libraries=["cusolver"], **dlink)],
      cmdclass={"build_ext": BuildExtension.with_options(use_ninja=os.environ["WAY"] != "plain")})
""")
sandbox.write("jit.py", """import os, sys
from torch.utils.cpp_extension import load, load_inline
way = sys.argv[1]
os.makedirs(way)
if way == "jit":
    load("ext", ["ext.cpp", "k.cu"], build_directory=way, extra_ldflags=["-lcusolver"])
else:
    mark = "#ifndef MARK\\n#error the words of CC and CXX are lost\\n#endif\\n"
    load_inline("ext", [mark + open("ext.cpp").read()], cuda_sources=[mark + open("k.cu").read()],
                build_directory=way, extra_ldflags=["-lcusolver"], no_implicit_headers=True)
""")
VARIABLES = {"PYTHONPATH": site, "TORCH_CUDA_ARCH_LIST": "8.0", "MAX_JOBS": "2", "USER": "u"}


def python(*words, **environment):
    return sandbox.run(sys.executable, "-B", "-W", "ignore", *words, **{**VARIABLES, **environment})


def built(way, **environment):
    done = python("setup.py", "build_ext", "--build-lib", way, "--build-temp", f"{way}/temp", WAY=way,
                  **environment)
    assert "cuda-cc:" not in done.out + done.err or done.status, done
    return done


inside = activated(td, sandbox.path)
folders = ("nvidia/cu13/lib", "torch/lib")
page = follows("python", "torch")["torch"]


@behaviour
def the_page_s_example_builds_with_ninja():
    for name in ("ext.cpp", "k.cu"):
        sandbox.write(f"page/{name}", (sandbox.work / name).read_text())
    pip = {**VARIABLES, **inside, **pip_of(sandbox, prefix)}
    page.follow(sandbox, "page", **{**pip, "PATH": f"{td}/bin:{pip['PATH']}"})
    module = next(site.glob("ext*.so"))
    accepted(sandbox, module, runtime, folders=folders)
    imported(sandbox, site, "import torch")
    module.unlink()


@behaviour
def modules_are_built_without_ninja_and_with_a_device_link():
    for way in ("plain", "dlink"):
        done = built(way, **inside)
        equal(done.status, 0, done)
        held(sandbox, next((sandbox.work / way).glob("ext*.so")), runtime, site, "import torch", folders)


@behaviour
def a_wheel_requires_torch_from_its_first_release_of_that_cuda():
    """Of a module and a file that calls torch: torch brings what they need, from the first release with CUDA 13 on."""
    module = next((sandbox.work / "plain").glob("ext*.so"))
    sandbox.write("names.cpp", "#include <c10/core/Device.h>\n"
                  'extern "C" int index_of(const char *name) { return c10::Device(std::string(name)).index(); }\n')
    done = sandbox.run(td / "bin/g++", "-std=c++17", "-shared", "-fPIC", f"-I{site}/torch/include", "names.cpp", "-o",
                       "names.so", f"-L{site}/torch/lib", "-lc10", **inside)
    equal((done.status, done.err), (0, ""), done)
    wheel = packing.sound(sandbox.work, "pkg", {f"pkg/{path.name}": path.read_bytes()
                                                for path in (module, sandbox.work / "names.so")})
    done = sandbox.run(PROGRAM, "wheel", "repair", wheel, "--runtime", runtime, "-w", "published",
                       PATH=demowheel.wheel_tools(sandbox))
    equal(done.status, 0, done)
    [wheel] = (sandbox.work / "published").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        required = re.findall("Requires-Dist: (.*)", archive.read("pkg-1.0.dist-info/METADATA").decode())
        equal([name for name in archive.namelist() if ".libs/" in name], [])
        archive.extractall(sandbox.work / "unpacked")
    assert len(required) == 1 and required[0].startswith("torch>=2.11"), required
    equal(sandbox.cc("check", wheel, "--runtime", runtime).status, 0)
    shutil.copytree(sandbox.work / "unpacked/pkg", site / "pkg")
    code = "import ctypes, torch, pkg.ext; print(ctypes.CDLL(pkg.__path__[0] + '/names.so').index_of(b'cuda:3'))"
    done = python("-c", code, cwd="/")
    equal((done.status, done.out, done.err), (0, "3\n", ""), done)
    shutil.rmtree(site / "pkg")


@behaviour
def modules_are_built_just_in_time_from_files_and_from_text():
    for way in ("jit", "inline"):
        develop = way == "jit"
        if develop:
            done = python("jit.py", way, CUDA_CC_DEVELOP="1", **inside)
        else:  # In an activated shell whose CC and CXX are several words: torch gives CC to nvcc as -ccbin.
            done = sandbox.run("bash", "-euc", '. td/activate; exec "$0" -B -W ignore jit.py inline', sys.executable,
                               **VARIABLES, CC="/usr/bin/gcc -DMARK", CXX="g++ -DMARK")
        equal(done.status, 0, done)
        path = next((sandbox.work / way).glob("ext*.so"))
        wanted = [f"$ORIGIN/{up}{folder}" for up in ("../", "") for folder in folders]
        accepted(sandbox, path, runtime, wanted + [f"{site}/{folder}" for folder in folders] * develop)
        imported(sandbox, path.parent, f"import sys; sys.path.append({str(site)!r}); import torch")


@behaviour
def the_complete_environment_is_correct_and_so_is_the_process():
    whole = sandbox.run(PROGRAM, "check", "--format=json", "--runtime", runtime, prefix)
    wrong = [(file["path"], file["verdict"]) for file in json.loads(whole.out)["files"]
             if file["verdict"] != "accept"]
    equal((whole.status, wrong), (0, []), whole.err)
    shutil.copy(next((sandbox.work / "plain").glob("ext*.so")), site / "ext.so")
    sound = sandbox.run(PROGRAM, "doctor", "ext", "--env", prefix, "--before", "torch", "--format=json")
    equal((sound.status, json.loads(sound.out)["files"][0]["ends"]), (0, "loads"), sound)
    (site / "ext.so").unlink()


@behaviour
def a_newer_toolkit_is_rejected_after_torch_s_own_remark():
    """torch warns about a different minor, as with any nvcc; then cuda-cc rejects it, in the output of ninja and of
load()."""
    newer = toolkit("13.2")
    outside = {"CUDA_HOME": newer, "PATH": f"{newer}/bin:{sandbox.path}", "PYTORCH_NVCC": PROGRAM,
               "CUDA_CC_RUNTIME": runtime}
    if (sandbox.work / "jit").exists():
        (sandbox.work / "jit").rename(sandbox.work / "before")
    done = python("jit.py", "jit", **outside)
    assert done.status and "[CC3001]" in done.out + done.err, done
    equal(list((sandbox.work / "jit").glob("*.so")), [], "nothing is left")
    done = built("newer", **outside)
    text = " ".join((done.out + done.err).split())
    assert done.status != 0 and "[CC3001]" in text and "toolkit CUDA 13.2 is newer" in text, done
    assert "minor version mismatch" in text, "torch's own remark is gone"
    equal(list((sandbox.work / "newer").glob("*.so")), [], "nothing is left")
