# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""AT11: Meson 1.0.1 and the newest three, with the machine file of a toolchain directory made from bare wheels of
CUDA 13: CUDA, mixed and C++ targets link through cuda-cc without messages, and the installed files find the runtime
(build-systems.md 3.4). AT5: Meson 1.0.1 reads nvcc's version."""
import sys

import note
from behaviour import behaviour
from sandbox import KERNEL, Sandbox, environment_of, equal, skip, tools, wheel

if "ninja" not in tools("ninja"):
    skip("no ninja")
sandbox = Sandbox()
environment = environment_of(
    "nvidia-cuda-nvcc==13.0.88", "nvidia-cuda-crt==13.0.88", "nvidia-nvvm==13.0.88",
    "nvidia-cuda-runtime==13.0.96", "nvidia-cuda-cccl==13.0.85", "nvidia-cusolver==12.0.4.66",
    "nvidia-cusparse==12.6.3.3", "nvidia-cublas==13.1.0.3", "nvidia-nvjitlink==13.0.88")
td = sandbox.work / "td"
sandbox.good("toolchain", td, "--runtime", f"env:{environment}")
D = ["$ORIGIN/../nvidia/cu13/lib", "$ORIGIN/nvidia/cu13/lib"]
ORIGIN = "$ORIGIN/../lib"

CUDA = """
pure = shared_library('pure', 'k.cu', install: true)
shared_library('mixed', 'k.cu', 'l.cpp', link_args: ['-lcusolver'], dependencies: cuda,
               install: true, install_rpath: '$ORIGIN/../lib')
executable('prog', 'main.cpp', link_with: pure, install: true)
"""
sandbox.write("p/k.cu", KERNEL)
sandbox.write("p/l.cpp", """#include <cusolverDn.h>
extern "C" int solve() { cusolverDnHandle_t h; return cusolverDnCreate(&h); }
""")
sandbox.write("p/only.cpp", """#include <cuda_runtime.h>
extern "C" int devices() { int n = 0; return cudaGetDeviceCount(&n) + n; }
""")
sandbox.write("p/main.cpp", "int main() { return 0; }\n")


def project(languages, more=""):
    sandbox.write("p/meson.build", f"""project('p', {languages}, version: '1')
cuda = dependency('cuda', version: '>=13', modules: ['cudart'])
message('toolkit @0@'.format(cuda.version()))
shared_library('only', 'only.cpp', dependencies: cuda, install: true)
shared_library('own', 'only.cpp', dependencies: cuda, install: true,
               install_rpath: '$ORIGIN/../lib')
{more}""")


def meson(version, *words, **environment):
    # Meson 1.12.1 runs the `nvlink --version` of PATH.
    environment["PATH"] = f"{td}/bin:{sandbox.path}"
    done = sandbox.run(sys.executable, "-B", "-m", "mesonbuild.mesonmain", *words, cwd=sandbox.work / "p",
                       PYTHONPATH=wheel(f"meson=={version}"), CUDA_PATH=td, **environment)
    assert done.status == 0, done
    return done


def built(version, name, *options, **environment):
    """Configures, builds and installs; {name: its search path elements} of the installed files."""
    file = "--cross-file=cross.ini" if "cross" in name else "--native-file=native.ini"
    setup = meson(version, "setup", f"../{name}", file.replace("=", f"={td}/"),
                  f"--prefix={sandbox.work}/i-{name}", "--libdir=lib", *options, **environment)
    assert "toolkit 13.0" in setup.out, setup
    made = meson(version, "compile", "-C", f"../{name}", **environment)
    assert "cuda-cc:" not in made.out + made.err, made
    meson(version, "install", "-C", f"../{name}", "--quiet", **environment)
    found = {}
    for path in sorted((sandbox.work / f"i-{name}").rglob("*")):
        if path.is_file() and path.suffix in (".so", ""):
            elf = note.elf(path)
            assert note.manifest(path), f"{version} {name}: {path.name} has no manifest"
            found[path.name] = elf.rpath + elf.runpath
    return found


# 3.4: Meson puts install_rpath in front of the elements that we put in front.
C_ALONE = {"libonly.so": D, "libown.so": [ORIGIN, *D]}
ALL = {**C_ALONE, "libpure.so": [], "libmixed.so": [ORIGIN, *D], "prog": []}


@behaviour
def each_meson_links_through_cuda_cc_without_messages():
    """R13, 9.6: plain nvcc rejects such LDFLAGS. P17: b_lto is omitted from nvcc's links."""
    for version, whole, options, flags in (
            ("1.0.1", True, ["-Db_lto=true"], "-Wl,-z,now"), ("1.10.2", False, ["--unity=on"], "-Wl,-z,now"),
            ("1.11.2", False, ["-Db_lto=true"], "-Wl,-z,now"), ("1.12.1", True, ["--unity=on"], "-Wl,-z,now")):
        project("['cpp', 'cuda']" if whole else "'cpp'", CUDA if whole else "")
        equal(built(version, f"b-{version}", *options, LDFLAGS=flags), ALL if whole else C_ALONE, version)


@behaviour
def a_cross_file_builds_the_same():
    project("'cpp'")
    equal(built("1.0.1", "cross"), C_ALONE, "cross file")


@behaviour
def a_toolkit_that_is_too_new_stops_the_configuration():
    """R2."""
    old = sandbox.cc("toolchain", sandbox.work / "old", "--runtime", "cuda==12.4", "--toolkit",
                     environment / "nvidia/cu13")
    equal((old.status, old.codes[0]), (3, "CC3002"))
