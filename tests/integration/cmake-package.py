# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""find_package(CudaCC) from an installation, a build, a toolchain directory and the sources; its targets, functions and
their arguments. It stops if links bypass cuda-cc (AT27, R44), and facts about the toolchain directory are updated with
it (5.5)."""
import contextlib
import os

import note
from behaviour import behaviour
from cmake_project import NEWEST, Project, Way, forget, good
from packing import MINOR, ROOT
from sandbox import KERNEL, PROGRAM, Sandbox, equal

sandbox = Sandbox("13.0")
td = sandbox.work / "td"
declared = sandbox.write("cuda-cc.toml", 'runtime = "cuda==13.0"\ninstall-dir = "pkg"\n')
sandbox.good("toolchain", td)
D = "$ORIGIN/../nvidia/cu13/lib"
prefix = sandbox.work / "prefix"
toolchain = f"-DCMAKE_TOOLCHAIN_FILE={td}/toolchain.cmake"
outside = {"CUDACXX": prefix / "bin/cuda-cc"}
good(sandbox.run("cmake", "--install", os.environ["CUDACC_TEST_BUILD"], "--prefix", prefix), "prefix")


@behaviour
def only_the_program_is_installed_in_bin():
    equal(sorted(path.name for path in (prefix / "bin").iterdir()), ["cuda-cc"])


@behaviour
def the_installed_program_reads_the_table_of_torchs_names_beside_it():
    table = prefix / "share/cuda-cc/torch-names.bin"
    equal(table.read_bytes(), (ROOT / "driver/tables/data/torch-names.bin").read_bytes(), "the table")
    sandbox.write("c10.c", "int c10;\n")
    sandbox.write("t.c", "void _ZNK3c1010TensorImpl15decref_pyobjectEv(void);\n"
                  "void f(void) { _ZNK3c1010TensorImpl15decref_pyobjectEv(); }\n")
    good(sandbox.run("gcc", "-shared", "-fPIC", "-Wl,-soname,libc10.so", "c10.c", "-o", "libc10.so"))
    good(sandbox.run("gcc", "-shared", "-fPIC", "-Wl,--no-as-needed", "t.c", "libc10.so", "-o", "t.so"))
    for release, status, code in (("2.5.1", 3, "CC4129"), ("2.10.0", 0, "")):
        done = sandbox.run(prefix / "bin/cuda-cc", "check", "--runtime", f"torch=={release}", "t.so")
        assert done.status == status and code in done.out + done.err, done
    table.unlink()
    done = sandbox.run(prefix / "bin/cuda-cc", "check", "--runtime", "torch==2.10.0", "t.so")
    assert done.status == 4 and str(table) in done.out + done.err, done


sandbox.write("p/k.cu", KERNEL)
sandbox.write("p/h.cpp", 'extern "C" int host() { return 0; }\n')

HEAD = f"""cmake_minimum_required(VERSION 3.21)
project(p LANGUAGES CXX CUDA)
find_package(CudaCC {MINOR} REQUIRED)
add_library(p SHARED k.cu h.cpp)
set_target_properties(p PROPERTIES CUDA_RUNTIME_LIBRARY Shared CUDA_ARCHITECTURES 80)
"""


def project(text, *settings, version="machine", fresh=True, **environment):
    sandbox.write("p/CMakeLists.txt", text)
    if fresh:
        forget(sandbox.work / "b")
    return Project(sandbox, Way(version, "Ninja", "bfd"), "p", "b", *settings, **environment)


def stops(built, *words):
    done = built.configure()
    shown = " ".join((done.out + done.err).split())
    assert done.status, done
    for word in words:
        assert word in shown, (word, done)


def path_of(built, name="libp.so"):
    return note.elf(built.binaries / name).rpath


@behaviour
def the_package_is_found_in_each_way():
    """The mixed target's link runs through cuda-cc because of cuda_cc_target()."""
    for place, environment in (
            ([f"-DCMAKE_PREFIX_PATH={prefix}"], {"CUDACXX": prefix / "bin/cuda-cc"}),
            ([f"-DCudaCC_DIR={os.environ['CUDACC_TEST_BUILD']}/cmake"], {"CUDACXX": PROGRAM}),
            ([f"-DCMAKE_PREFIX_PATH={td}"], {"CUDACXX": td / "bin/nvcc"}),
            ([f"-DCMAKE_TOOLCHAIN_FILE={td}/toolchain.cmake"], {})):
        built = project(HEAD + "cuda_cc_target(p)\ncuda_cc_target(p)\n", *place, **environment)
        built.all()
        assert note.manifest(built.binaries / "libp.so").link, place
        equal(path_of(built)[0], D, place)
        equal(path_of(built).count(D), 1, place)


@behaviour
def it_stops_without_the_front():
    """Also in a build configured without it, because CMake reads no toolchain file in an existing one."""
    plain = {"CUDACXX": sandbox.toolkit / "bin/nvcc"}
    built = project(HEAD, **plain)
    stops(built, "CudaCC")
    for place in (f"-DCudaCC_DIR={prefix}/share/cmake/CudaCC", f"-DCudaCC_DIR={td}/cmake",
                  f"-DCMAKE_TOOLCHAIN_FILE={td}/toolchain.cmake"):
        built = project(HEAD + "cuda_cc_target(p)\n", place, fresh=False, **plain)
        stops(built, "bypass cuda-cc", "'p'", "g++", "another CUDA compiler", "toolchain.cmake")


@behaviour
def the_projects_own_elements_stay_where_cmake_does_not_manage_the_path():
    """With NO_RPATH the link adds those of the runtime."""
    off = [toolchain, "-DCUDA_CC_MANAGE_RPATH=OFF", "-DCMAKE_BUILD_WITH_INSTALL_RPATH=ON"]
    for call, expected in (("", [D]), ("cuda_cc_target(p RPATH \"$ORIGIN/mine\")", [D, "$ORIGIN/mine"]),
                           ("cuda_cc_target(p NO_RPATH NO_MANIFEST)", [D]), ("cuda_cc_target(p )", [D])):
        built = project(HEAD + call + "\n", *off, fresh=not call.startswith("cuda_cc_target(p "))
        built.all()
        elf = note.elf(built.binaries / "libp.so")
        equal(elf.rpath, expected, call)
        equal(bool(elf.manifest().links), "NO_MANIFEST" not in call, call)


@contextlib.contextmanager
def undeclared():
    """Without the file that declares a runtime."""
    declared.rename(sandbox.work / "aside.toml")
    try:
        yield
    finally:
        (sandbox.work / "aside.toml").rename(declared)


@behaviour
def runtime_declares_without_a_toolchain_directory():
    with undeclared():
        built = project(HEAD + "cuda_cc_target(p RUNTIME cuda>=13.0,<13.2 sm>=80)\n",
                        f"-DCMAKE_PREFIX_PATH={prefix}", **outside)
        built.all()
        equal(note.manifest(built.binaries / "libp.so").link["target"]["cuda"], "13.0")
        equal(path_of(built)[0], D)
        built = project(HEAD + "cuda_cc_target(p RUNTIME cuda==12.9)\n", fresh=False, **outside)
        good(built.configure())
        done = built.make()
        assert done.status and "[CC3002]" in done.out + done.err, done
        built = project(HEAD + "cuda_cc_target(p)\n", fresh=False, **outside)
        stops(built, "no runtime is declared")


@behaviour
def runtime_may_only_repeat_a_toolchain_directory():
    good(project(HEAD + "cuda_cc_target(p RUNTIME cuda==13.0)\n", toolchain).configure())
    stops(project(HEAD + "cuda_cc_target(p RUNTIME cuda==12.9)\n", toolchain, fresh=False),
          "contradicts", str(td))


@behaviour
def wrong_targets_and_arguments_are_named():
    for call, words in (("cuda_cc_target(none)", "no target 'none'"), ("cuda_cc_check(none)", "no target"),
                        ("cuda_cc_target(p FROB)", "unknown argument FROB")):
        stops(project(HEAD + call + "\n", toolchain, fresh=False), words)


@behaviour
def libraries_of_the_runtime_are_targets_of_cmake():
    for place, environment in (([toolchain], {}), ([f"-DCMAKE_PREFIX_PATH={prefix}"], outside)):
        text = """cmake_minimum_required(VERSION 3.21)
project(p LANGUAGES CXX)
find_package(CudaCC REQUIRED COMPONENTS cudart OPTIONAL_COMPONENTS nothing)
message(STATUS "cudart ${CudaCC_cudart_FOUND}, nothing ${CudaCC_nothing_FOUND}")
add_library(p SHARED c.cpp)
target_link_libraries(p PRIVATE cuda_cc::cudart)
cuda_cc_target(p)
"""
        sandbox.write("p/c.cpp", "#include <cuda_runtime.h>\n"
                      'extern "C" int count() { int n; return cudaGetDeviceCount(&n); }\n')
        built = project(text, *place, **environment)
        shown = good(built.configure(), place).out
        assert "cudart TRUE, nothing FALSE" in shown, shown
        good(built.make(), place)
        elf = note.elf(built.binaries / "libp.so")
        assert "libcudart.so.13" in elf.needed and elf.rpath[0] == D, (elf.needed, elf.rpath)
        stops(project(text.replace("OPTIONAL_COMPONENTS", ""), fresh=False, **environment),
              "no library 'nothing'")


@behaviour
def targets_are_linked_again_after_the_directory_was_made_again():
    """And not otherwise."""
    text = HEAD + "install(TARGETS p)\n"
    built = project(text, toolchain, version=NEWEST)
    built.all()
    sandbox.good("toolchain", td)
    done = good(built.make())
    assert "Linking" not in done.out, done
    declared.write_text('runtime = "cuda==13.0"\ninstall-dir = "deep/pkg"\n')
    done = built.make("--clean-first")
    assert done.status and "[CC1011]" in done.out + done.err, done
    sandbox.good("toolchain", td)
    done = good(built.make(), "made again")
    equal(path_of(built)[0], "$ORIGIN/../../nvidia/cu13/lib", "its new target")
    assert D not in path_of(built), path_of(built)
