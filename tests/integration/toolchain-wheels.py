# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""AT20: a toolchain directory made of CUDA 13's wheels in an environment, as pip installs them: static and shared
cudart, libraries by their plain names, -dlto, -lcuda, with no other flags."""
import re

import note
from behaviour import behaviour
from sandbox import KERNEL, MAIN, Sandbox, environment_of, equal, ours, tools

ENVIRONMENT = environment_of(
    "nvidia-cuda-nvcc==13.0.88", "nvidia-cuda-crt==13.0.88", "nvidia-nvvm==13.0.88",
    "nvidia-cuda-runtime==13.0.96", "nvidia-cuda-cccl==13.0.85", "nvidia-cusolver==12.0.4.66",
    "nvidia-cusparse==12.6.3.3", "nvidia-cublas==13.1.0.3", "nvidia-nvjitlink==13.0.88")
sandbox = Sandbox()
td = sandbox.work / "td"
made = sandbox.good("toolchain", td, "--runtime", f"env:{ENVIRONMENT}")
assert f"{td}: made" in made.out and "nvcc 13.0.88" in made.out, made
front, cxx = td / "bin/nvcc", td / "bin/g++"


def build(*words, **environment):
    ended = sandbox.run(*words, **environment)
    assert ended.status == 0 and "cuda-cc" not in ended.err, ended


@behaviour
def nvcc_and_the_directory_tell_the_version():
    """AT5, R1."""
    version = sandbox.run(front, "--version")
    assert re.search(r"release 13\.0, V13\.0\.88", version.out) and version.status == 0, version
    equal((td / "version.txt").read_text(), "CUDA Version 13.0.88\n")


sandbox.write("k.cu", KERNEL + MAIN)
sandbox.write("l.cpp", """#include <cusolverDn.h>
#include <nvJitLink.h>
int main() {
  cusolverDnHandle_t handle;
  unsigned major, minor;
  return cusolverDnCreate(&handle) + nvJitLinkVersion(&major, &minor);
}
""")
sandbox.write("d.cpp", "#include <cuda.h>\nint main() { return cuInit(0); }\n")


@behaviour
def a_source_is_compiled():
    build(front, "-arch=sm_80", "-c", "k.cu", "-o", "k.o")


@behaviour
def cudart_is_linked_statically_or_shared():
    build(front, "-arch=sm_80", "k.cu", "-o", "static")
    equal(note.manifest(sandbox.work / "static").link["cudart"], "static")
    build(front, "-arch=sm_80", "-cudart", "shared", "k.cu", "-o", "shared")
    assert "libcudart.so.13" in note.elf(sandbox.work / "shared").needed


@behaviour
def nvlink_finds_libnvvm():
    """Without the directory it does not (P17, N19)."""
    build(front, "-arch=sm_80", "-dlto", "-rdc=true", "k.cu", "-o", "lto")


@behaviour
def libraries_are_found_by_their_names_with_their_dependencies():
    """By a host compiler, too (LS-2)."""
    for words in ((cxx, "l.cpp"), (front, "l.cpp")):
        build(*words, "-lcusolver", "-lnvJitLink", "-o", "l")
        elf = note.elf(sandbox.work / "l")
        wanted = {"libcusolver.so.12", "libnvJitLink.so.13", "libcublas.so.13", "libcusparse.so.12"}
        assert wanted <= set(elf.needed), elf.needed
        assert "$ORIGIN/../nvidia/cu13/lib" in ours(elf.rpath), elf.rpath
        assert not any(str(td) in element for element in elf.rpath), elf.rpath


@behaviour
def the_drivers_stub_is_linked_and_not_searched():
    for words in ((cxx, "d.cpp"), (front, "d.cpp")):
        build(*words, "-lcuda", "-o", "d")
        elf = note.elf(sandbox.work / "d")
        assert "libcuda.so.1" in elf.needed, elf.needed
        assert not any("stubs" in element for element in elf.rpath), elf.rpath


@behaviour
def the_stub_is_a_library_for_every_linker():
    for linker in [name.removeprefix("ld.") for name in tools("ld.bfd", "ld.gold", "ld.lld", "mold")]:
        build(cxx, f"-fuse-ld={linker}", "d.cpp", "-lcuda", "-o", "d")
        assert "libcuda.so.1" in note.elf(sandbox.work / "d").needed, linker
    stub = sandbox.run("readelf", "-aW", td / "lib64/stubs/libcuda.so")
    assert stub.status == 0 and not stub.err and "[libcuda.so.1]" in stub.out, stub.err


@behaviour
def it_works_in_any_folder_and_without_a_home():
    """AT19."""
    for environment in ({"cwd": "/"}, {"HOME": None}):
        build(front, "-arch=sm_80", "-c", sandbox.work / "k.cu", "-o", sandbox.work / "k.o", **environment)


@behaviour
def a_variable_is_as_if_written_on_the_line():
    """AT23: although nvcc would prefer the variable."""
    build(front, "-arch=sm_80", "-c", "k.cu", NVCC_APPEND_FLAGS="-o other.o")
    assert (sandbox.work / "other.o").exists()


@behaviour
def it_works_first_on_path_and_started_by_nvcc():
    """AT22."""
    build("g++", "l.cpp", "-lcusolver", "-lnvJitLink", "-o", "l2", PATH=f"{td}/bin:{sandbox.path}")
    build(front, "-arch=sm_80", "k.cu", "-o", "k2", PATH=f"{td}/bin:{sandbox.path}")


@behaviour
def a_moved_directory_no_longer_matches():
    """AT28."""
    matches = sandbox.run(td / "bin/cuda-cc", "toolchain", "--check")
    equal((matches.status, matches.out), (0, f"{td}: matches\n"))
    moved = sandbox.work / "moved it's"
    td.rename(moved)
    told = sandbox.cc("toolchain", "--check", moved)
    equal((told.status, told.codes), (3, ["CC2018"]), told)
    assert f"moved: from {td}" in " ".join(told.err.split()), told


@behaviour
def without_a_declaration_libraries_are_found_and_nothing_is_recorded():
    plain = sandbox.work / "plain"
    made = sandbox.good("toolchain", plain, "--toolkit", ENVIRONMENT / "nvidia/cu13/bin/nvcc")
    assert "no runtime is declared" in made.out, made
    for words in ((plain / "bin/g++", "l.cpp"), (plain / "bin/nvcc", "l.cpp")):
        build(*words, "-lcusolver", "-lnvJitLink", "-o", "l")
        elf = note.elf(sandbox.work / "l")
        assert "libcusolver.so.12" in elf.needed and not elf.manifest().links, elf.needed
        assert not elf.rpath, elf.rpath
