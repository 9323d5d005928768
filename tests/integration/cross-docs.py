# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Runs every command of docs/cross.md, in order: one toolchain directory for aarch64 made of an nvcc for x86-64 and
wheels for sbsa, CMake 3.25 and 4.4, Meson, compilers called directly. The outputs are checked, have manifests, and are
loaded by the aarch64 loader under qemu (V1, LK-1, RP-3, AT11)."""
import os
import shutil
import sys

import note
from behaviour import behaviour
from crossing import EM_AARCH64, EXTENSION, KERNELS, environment, machine, needs
from documented import follows
from sandbox import PROGRAM, Sandbox, equal, wheel

needs("qemu-aarch64", "cmake", "ninja")
page = follows("cross")
sandbox = Sandbox("13.0")
sandbox.write("ext.cpp", EXTENSION)
sandbox.write("kernels.cu", KERNELS)
scripts = sandbox.root / "scripts"
scripts.mkdir()


def script(name, text):
    (scripts / name).write_text(f"#!{sys.executable} -B\n{text}")
    (scripts / name).chmod(0o755)


# pip would download; the test takes the wheels from its cache.
WORDS = ["--target", "sbsa", "--platform", "manylinux2014_aarch64", "--only-binary=:all:", "--no-deps"]
script("pip", f"import sys\nassert sys.argv[1:8] == ['install', *{WORDS}], sys.argv\n"
              "open('wanted', 'w').write(' '.join(sys.argv[8:]))\n")
script("meson", f"import sys\nsys.path.insert(0, '{wheel('meson==1.12.1')}')\n"
                "from mesonbuild.mesonmain import main\nsys.exit(main())\n")
inside = f"{os.path.dirname(PROGRAM)}:{scripts}:{sandbox.path}"


def follow(title, **more):
    return page.pop(title).follow(sandbox, PATH=inside, **more)


first = page.pop("Building for another machine")
pip = first.commands.pop(0)
equal(sandbox.run("sh", "-euc", pip, PATH=inside).status, 0, pip)
environment(sandbox.work / "sbsa", *(sandbox.work / "wanted").read_text().split())
made = first.follow(sandbox, PATH=inside)
assert "builds for  aarch64" in made.out and "--cross-file" in made.out, made
td = sandbox.work / "cross"
D = ["$ORIGIN/../nvidia/cu13/lib", "$ORIGIN/nvidia/cu13/lib"]


def held(output, needed=("libnvJitLink.so.13",), path=D):
    file = sandbox.work / output
    equal(machine(file), EM_AARCH64, output)
    elf = note.elf(file)
    record = elf.manifest().link
    equal(record["target"]["cuda"], "13.0", output)
    equal([name for name in elf.needed if name.startswith(("libnv", "libcu"))], [*needed], output)
    # In build trees CMake adds the directory's link directories, as in a native build (V9).
    equal([each for each in elf.rpath + elf.runpath if each and not each.startswith(f"{td}/targets")],
          path, f"search path of {output}")


@behaviour
def the_directory_has_the_compilers_for_the_other_machine():
    names = {path.name for path in (td / "bin").iterdir()}
    assert {"nvcc", "aarch64-linux-gnu-g++", "aarch64-linux-gnu-gcc", "cuda-cc"} <= names, names
    assert not names & {"gcc", "g++", "cc", "c++"}, names
    assert not (td / "native.ini").exists() and not (td / "targets/x86_64-linux").exists()


@behaviour
def its_libraries_are_the_wheels_but_what_nvlink_loads_is_this_machine_s():
    for library in ("libcudart_static.a", "libcudadevrt.a", "libcudart.so", "libnvJitLink.so"):
        where = os.path.realpath(td / "lib64" / library)
        assert where.startswith(f"{sandbox.work}/sbsa/"), where
    equal(machine(td / "lib64/stubs/libcuda.so"), EM_AARCH64, "the driver's stub")
    # nvlink, a program for this machine, loads it.
    assert machine(os.path.realpath(td / "nvvm/lib64/libnvvm.so")) != EM_AARCH64


@behaviour
def cmake_builds_and_installs():
    follow("CMake")
    held("build/libext.so")
    done = sandbox.run("cmake", "--install", "build", "--prefix", "dist", PATH=inside)
    equal(done.status, 0, done)
    held("dist/lib/libext.so")
    assert str(td).encode() not in (sandbox.work / "dist/lib/libext.so").read_bytes()


@behaviour
def a_newer_cmake_builds():
    done = sandbox.run(wheel("cmake==4.4.4") / "cmake/data/bin/cmake", "-S", ".", "-B", "b4",
                       f"-DCMAKE_TOOLCHAIN_FILE={td}/toolchain.cmake", "-DCMAKE_CUDA_ARCHITECTURES=90",
                       PATH=inside, CMAKE_GENERATOR="Ninja")
    equal(done.status, 0, done)
    done = sandbox.run("ninja", "-C", "b4", "-v", PATH=inside)
    equal(done.status, 0, done)
    assert "cuda-cc:" not in done.out + done.err, done
    held("b4/libext.so")


@behaviour
def meson_builds():
    follow("Meson")
    held("build-meson/libext.so")


@behaviour
def compilers_that_are_called_directly_build():
    page["By hand"].commands.insert(-1, "cp ext.so own.so")
    follow("By hand")
    held("own.so")
    held("ext.so")
    held("kernels.so", [], [])
    # The other names of the same folder.
    for directory in ("sbsa-linux", "aarch64-linux"):
        done = sandbox.run(td / "bin/nvcc", "-cudart", "shared", "-shared", "--target-directory", directory,
                           "kernels.o", "-o", f"{directory}.so")
        equal((done.status, done.err), (0, ""), done)
        held(f"{directory}.so", ["libcudart.so.13"])


@behaviour
def the_driver_s_stub_needs_no_search_path():
    sandbox.write("driver.cpp", "#include <cuda.h>\nextern \"C\" int init() { return cuInit(0); }\n")
    done = sandbox.run(td / "bin/aarch64-linux-gnu-g++", "-shared", "-fPIC", "driver.cpp", "-lcuda",
                       "-o", "driver.so")
    equal((done.status, done.err), (0, ""), done)
    held("driver.so", ["libcuda.so.1"], [])


@behaviour
def an_activated_shell_has_the_cross_compilers():
    before = sandbox.run("sh", "-c", ". cross/activate; echo $CC $CXX").out.split()
    equal(before, [f"{td}/bin/aarch64-linux-gnu-gcc", f"{td}/bin/aarch64-linux-gnu-g++"])


@behaviour
def the_loader_of_the_other_machine_finds_the_libraries():
    done = follow("What is judged")
    assert "loads" in done.out, done
    assert f"calling init: {sandbox.work}/sbsa/ext/../nvidia/cu13/lib/libnvJitLink.so.13" in " ".join(
        done.err.split()), done


@behaviour
def a_directory_that_no_longer_fits_is_noticed():
    equal(sandbox.cc("toolchain", "--check", td).status, 0)
    shutil.rmtree(sandbox.work / "sbsa/nvidia/cu13/include")
    equal(sandbox.cc("toolchain", "--check", td).status, 3)
