# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Runs the commands of the pages on calling, declaring, checking, settings and CI, and of the explanations, unchanged:
in a project with an environment of CUDA 13, an extension that is installed there, and its wheel."""
import re
import shutil
import sysconfig

import installed
import note
import packing
from behaviour import behaviour
from documented import ROOT, commands_of, follows, instead, sections, shows
from python_project import KERNEL, MODULE, NVIDIA
from sandbox import MAIN, PROGRAM, Sandbox, equal, skip, tools, wheels

if {"cmake", "ninja"} - set(tools("cmake", "ninja")):
    skip("no cmake or ninja")
sandbox = Sandbox()
prefix = sandbox.work / ".venv"
site = installed.venv(prefix)
installed.put(site, *wheels.read_wanted("environments")["torch==2.11.0"], *NVIDIA)
cuda = site / "nvidia/cu13"
(sandbox.root / "bin").mkdir()
(sandbox.root / "bin/cuda-cc").symlink_to(PROGRAM)
VARIABLES = {"PATH": f"{sandbox.root}/bin:{prefix}/bin:{sandbox.path}", "VIRTUAL_ENV": prefix}
# Where host compilers find CUDA without a toolchain directory.
FLAGS = {"CPATH": f"{cuda}/include:{sysconfig.get_path('include')}", "LIBRARY_PATH": cuda / "lib"}


def do(command, status=0, cwd=None, **more):
    done = sandbox.run("sh", "-euc", command, cwd=cwd, **{**VARIABLES, **more})
    equal(done.status, status, f"{command}: {done}")
    return done


def follow(page, statuses=(), cwd=None, **more):
    """Runs every command of a page in order and returns their output. `statuses` has the expected exit statuses other
    than 0, by the beginning of the command."""
    statuses, printed = dict(statuses), ""
    for command in commands_of(page):
        found = [begin for begin in statuses if command.startswith(begin)]
        done = do(command, statuses.pop(found[0]) if found else 0, cwd, **more)
        printed += done.out + done.err
    assert not statuses, f"no more commands: {statuses}"
    return printed


sandbox.write("cuda-cc.toml", 'runtime = "env:.venv"\ntoolkit = "env"\n')
sandbox.write("kernels.cu", KERNEL)
sandbox.write("ext.cpp", """#include <nvJitLink.h>
extern "C" int made() { nvJitLinkHandle h; return nvJitLinkCreate(&h, 0, nullptr); }
""")
sandbox.write("Makefile", "all: kernels.o ext.o\nkernels.o: kernels.cu\n\t$(NVCC) -arch=sm_80 -c $< -o $@\n"
              "ext.o: ext.cpp\n\t$(CXX) -fPIC -c $< -o $@\n")
sandbox.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.21)\nproject(x LANGUAGES CXX CUDA)\n")


@behaviour
def the_page_on_calling_is_true():
    follow(follows("calling"), **FLAGS)
    equal(note.elf(sandbox.work / "ext.so").rpath[:1], ["$ORIGIN/../nvidia/cu13/lib"], "config")
    assert note.manifest(sandbox.work / "kernels.so") and (sandbox.work / "cuda.cmake").exists()
    equal((sandbox.work / "bin/nvcc").read_bytes(), (sandbox.root / "bin/cuda-cc").read_bytes())


# An extension for a wheel, and the module that the pages import.
sandbox.write("module.cpp", MODULE.replace("PyInit_ext", "PyInit_native"))
do("cuda-cc -arch=sm_80 -cudart shared -Xcompiler -fPIC -shared kernels.cu -o ext.so", **FLAGS)
do("cuda-cc -arch=sm_80 -cudart shared -Xcompiler -fPIC -shared module.cpp kernels.cu -lcusolver -o native.so", **FLAGS)
(site / "pkg").mkdir()
(site / "pkg/__init__.py").write_text("")
shutil.copy(sandbox.work / "native.so", site / "pkg")
for folder in ("dist", "wheels"):
    (sandbox.work / folder).mkdir()
    packing.extension(sandbox.work / folder, sandbox.work / "ext.so")
sandbox.write("main.cpp", MAIN)
do(f"cuda-cc g++ main.cpp -Wl,--no-as-needed -L{cuda}/lib -l:libcudart.so.13 -o build/main", **FLAGS)
sandbox.write("build.log", "ImportError: undefined symbol: __nvJitLinkCreate_12_5, version libnvJitLink.so.12\n")


@behaviour
def the_page_on_checking_is_true():
    read = follows("checking", "Checking wheels and binaries", "Was it linked through cuda-cc",
                   "What to write into install_requires")
    # diagnosing-docs.py makes the pages.
    del read["A page for a browser"]
    shows("checking", follow(read))


@behaviour
def the_page_on_limits_is_true():
    follow(follows("limits"))


@behaviour
def the_page_on_manifests_is_true():
    shows("manifest", follow(follows("manifest")))


@behaviour
def the_page_on_compatibility_is_true():
    follow(follows("compatibility"), {"cuda-cc target --diff": 1})


@behaviour
def the_page_on_loading_is_true():
    follow(follows("loading"), cwd=site)


@behaviour
def the_page_on_other_tools_is_true():
    follow(follows("comparison"), cwd=site)


@behaviour
def the_commands_in_the_table_of_steps_are_accepted():
    rows = re.findall(r"^\| [^|]* \| `(cuda-cc [^`|]*)`", (ROOT / "docs/ci.md").read_text().split("worth a step")[1],
                      re.M)
    equal(len(rows), 5, rows)
    for command in rows:
        if "audit" not in command and "toolchain" not in command:
            do(command, 1 if "--diff" in command else 0)


@behaviour
def the_declarations_in_the_table_of_runtimes_are_accepted():
    table = (ROOT / "docs/declaring.md").read_text().split("| `runtime` | means |")[1].split("\n\n")[0]
    cells = re.findall(r"^\| (.*?) \| ", table, re.M)
    declarations = [each for cell in cells for each in re.findall(r"`([^`]+)`", cell)]
    assert len(declarations) > 12, declarations
    for each in declarations:
        if not each.startswith("lock:"):
            # GPUs and drivers are conditions in addition to a runtime.
            runtime = f"cuda==13.0;{each}" if each.startswith(("sm", "driver")) else each
            done = sandbox.run(PROGRAM, "target", CUDA_CC_RUNTIME=runtime, **VARIABLES)
            assert done.status == 0, f"{each}: {done}"


@behaviour
def no_requirement_on_the_page_is_a_mistake():
    text = (ROOT / "docs/declaring.md").read_text()
    for each in set(re.findall(r"`((?:torch|cuda)[=<>]=?[0-9][^`]*)`", text)):
        equal(sandbox.cc("target", "--runtime", each).status, 0, each)


@behaviour
def a_range_over_two_majors_is_answered_with_two_that_are_none():
    done = sandbox.cc("target", "--runtime", "torch>=2.9,<2.12")
    parts = re.findall(r"'(\S+)'", done.err.split("cuda-cc matrix")[1])
    equal((done.status, done.codes, len(parts)), (2, ["CC1008"], 2), done)
    for each in parts:
        equal(sandbox.cc("target", "--runtime", each).status, 0, each)


@behaviour
def the_page_on_isolated_builds_pins_one_release_in_both_places():
    """python-torch.py builds with it."""
    isolated = follows("isolated-torch")
    pinned = "\n".join(isolated["Isolated builds with torch"].files.values())
    assert len(set(re.findall(r'"(torch==[^"]+)"', pinned))) == 1 and pinned.count('"torch==') == 2, pinned
    *commands, last = isolated["Two ways"].commands
    equal(last, sections("python")["torch"].commands[0])
    instead(last)
    do("\n".join(commands))


@behaviour
def the_page_on_declaring_is_true():
    sections("declaring")["Declaring a runtime"].put(sandbox)
    # init stops there, and not in a project without a declaration.
    follow(follows("declaring"), {"cuda-cc target --diff": 1, "cuda-cc init": 2})
    sandbox.write("new/pyproject.toml", '[project]\nname = "x"\nversion = "1"\ndependencies = ["torch==2.11.0"]\n')
    (sandbox.work / "cuda-cc.toml").unlink()
    assert "torch==2.11.0" in do("cuda-cc init --dry-run", cwd=sandbox.work / "new").out


@behaviour
def the_example_of_the_page_on_settings_is_read():
    sandbox.write("cuda-cc.toml", "\n".join(sections("settings")["Settings"].shown) + "\n")
    done = do("cuda-cc target")
    assert "torch>=2.5,<2.8" in done.out and "CC4003 libfoo.so.1" in done.out, done
