# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Installed by CMake and packed by CPack (stripped, below DESTDIR, as archive and package), the file still is the one
that was checked. Installed files are checked as the last step, and a wrong installation is reported (AT6; R16, R43,
V9, V25, V29)."""
import tarfile

import note
from behaviour import behaviour
from cmake_project import NEWEST, Project, Way, good
from sandbox import KERNEL, Sandbox, environment_of, equal, tools

CMAKE = """cmake_minimum_required(VERSION 3.21)
project(installed VERSION 1.0 LANGUAGES CXX CUDA)
add_library(k SHARED k.cu)
set_target_properties(k PROPERTIES CUDA_RUNTIME_LIBRARY Shared CUDA_ARCHITECTURES 80)
find_package(CUDAToolkit REQUIRED)
add_library(s SHARED s.cpp)
target_link_libraries(s PRIVATE CUDA::cusolver)
install(TARGETS k s DESTINATION pkg)
install(FILES s.cpp DESTINATION doc COMPONENT doc)
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_CONTACT nobody)
set(CPACK_STRIP_FILES ON)
include(CPack)
"""
sandbox = Sandbox()
environment = environment_of(
    "nvidia-cuda-nvcc==13.0.88", "nvidia-cuda-crt==13.0.88", "nvidia-nvvm==13.0.88",
    "nvidia-cuda-runtime==13.0.96", "nvidia-cuda-cccl==13.0.85", "nvidia-cusolver==12.0.4.66",
    "nvidia-cusparse==12.6.3.3", "nvidia-cublas==13.1.0.3", "nvidia-nvjitlink==13.0.88")
td = sandbox.work / "td"
sandbox.good("toolchain", td, "--runtime", f"env:{environment}")
D = ["$ORIGIN/../nvidia/cu13/lib", "$ORIGIN/nvidia/cu13/lib"]
sandbox.write("p/CMakeLists.txt", CMAKE)
sandbox.write("p/k.cu", KERNEL)
sandbox.write("p/s.cpp", """#include <cusolverDn.h>
extern "C" int solve() { cusolverDnHandle_t handle; return cusolverDnCreate(&handle); }
""")


def made(path, what):
    elf = note.elf(path)
    assert elf.manifest().link, what
    equal(elf.rpath, D, what)


def project(version, generator, *settings):
    return Project(sandbox, Way(version, generator, "bfd"), "p", f"b-{version}",
                   f"-DCMAKE_TOOLCHAIN_FILE={td}/toolchain.cmake", "-DCUDA_CC_VERIFY_INSTALL=ON",
                   f"-DCMAKE_INSTALL_PREFIX={sandbox.work}/i-{version}", *settings)


BUILT = {version: project(version, generator)
         for version, generator in (("machine", "Ninja"), (NEWEST, "Unix Makefiles"))}
for each in BUILT.values():
    each.all()


@behaviour
def installed_and_stripped_files_are_those_that_were_checked():
    for version, built in BUILT.items():
        whole = sandbox.work / f"i-{version}/pkg"
        done = good(built.install(), version)
        assert "2 accepted" in done.out, done
        for name in ("libk.so", "libs.so"):
            made(whole / name, f"{version} {name}")
        good(built.install("--strip", "--prefix", sandbox.work / f"s-{version}"), version)
        stripped = sandbox.work / f"s-{version}/pkg/libk.so"
        made(stripped, f"{version} stripped")
        assert stripped.stat().st_size < (whole / "libk.so").stat().st_size, "it was stripped"


@behaviour
def files_below_destdir_are_those_that_were_checked():
    for version, built in BUILT.items():
        done = good(built.install(DESTDIR=sandbox.work / f"d-{version}"), version)
        staged = sandbox.work / f"d-{version}{sandbox.work}/i-{version}/pkg/libk.so"
        made(staged, f"{version} DESTDIR")
        assert f"in {staged.parent}/" in done.out and "2 accepted" in done.out, done


@behaviour
def a_component_without_binaries_is_not_checked():
    for version, built in BUILT.items():
        done = good(built.install("--component", "doc"), version)
        assert "accept" not in done.out, done


@behaviour
def files_packed_by_cpack_are_those_that_were_checked():
    for version, built in BUILT.items():
        good(sandbox.run(built.way.program.parent / "cpack" if version != "machine" else "cpack",
                         cwd=built.build), version)
        with tarfile.open(next(built.build.glob("installed-*.tar.gz"))) as archive:
            # Debian 12's Python does not have the argument `filter`; newer versions warn without it.
            archive.extraction_filter = lambda member, path: member
            archive.extractall(sandbox.work / f"t-{version}")
        made(next((sandbox.work / f"t-{version}").rglob("libk.so")), f"{version} archive")
        if tools("dpkg-deb"):
            package = next(built.build.glob("installed-*.deb"))
            good(sandbox.run("dpkg-deb", "-x", package, sandbox.work / f"e-{version}"), version)
            made(next((sandbox.work / f"e-{version}").rglob("libk.so")), f"{version} package")


@behaviour
def paths_of_the_toolchain_directory_that_cmake_leaves_are_reported():
    """V25."""
    built = project("machine", "Ninja", "-DCMAKE_INSTALL_RPATH_USE_LINK_PATH=ON")
    built.build = sandbox.work / "b-link"
    built.all()
    done = good(built.install(), "V25")
    assert "warning" in done.out and f"{td}/lib" in " ".join(done.out.split()), done


@behaviour
def a_search_path_that_cmake_removes_is_rejected():
    """V29."""
    built = project("machine", "Ninja", "-DCMAKE_SKIP_INSTALL_RPATH=ON",
                    "-DCMAKE_INSTALL_REMOVE_ENVIRONMENT_RPATH=ON")
    built.build = sandbox.work / "b-none"
    built.all()
    done = built.install()
    assert done.status and "libs.so" in done.out and "reject" in done.out, done
