# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""audit of a CMake project with CUDA, C++ and separable compilation: accepted if front, shim and launcher
are in place. Without them, every step of every target is reported with its line; a project that is not built
yet is unknown; a build whose toolchain directory was made again is stale (R21, R44, AT27)."""
import shutil

from audited import audit, cmakes, fact
from behaviour import behaviour
from sandbox import KERNEL, Sandbox, equal

sandbox = Sandbox("13.0")
td = sandbox.work / "td"
sandbox.good("toolchain", td, "--toolkit", sandbox.toolkit, "--runtime", "cuda==13.0")
sandbox.write("p/CMakeLists.txt", """cmake_minimum_required(VERSION 3.21)
project(p LANGUAGES CXX CUDA)
set(CMAKE_CUDA_ARCHITECTURES 80)
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
add_library(kernels SHARED k.cu)
add_library(mixed SHARED m.cu m.cpp)
add_library(rdc SHARED r.cu)
set_target_properties(rdc PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
add_library(plain SHARED m.cpp)
add_custom_target(ptx COMMAND ${CMAKE_CUDA_COMPILER} -ptx ${CMAKE_CURRENT_SOURCE_DIR}/k.cu -o k.ptx)
""")
for name in "kmr":
    sandbox.write(f"p/{name}.cu", KERNEL.replace("twice", name + "f").replace("run(", name + "run("))
sandbox.write("p/m.cpp", "extern \"C\" int m() { return 1; }\n")
cmake = cmakes()["system"]
ours = {"CUDACXX": td / "bin/nvcc", "CMAKE_CXX_LINKER_LAUNCHER": td / "bin/cuda-cc"}


def configure(build, **environment):
    prepared = sandbox.good("audit", "--prepare", build)
    assert f"cmake -B {build}" in prepared.out, prepared
    done = sandbox.run(cmake, "-G", "Ninja", "-S", "p", "-B", build, **environment)
    equal(done.status, 0, done)


configure("good", **ours)


@behaviour
def before_it_is_built_a_project_is_unknown():
    rows, report = audit(sandbox, "good", 4)
    equal(rows, ["CC6015 kernels artefact CMakeLists.txt:5", "CC6015 mixed artefact CMakeLists.txt:6",
                 "CC6015 rdc artefact CMakeLists.txt:7"])
    equal(sandbox.cc("audit", "--strict", "good").status, 3)


done = sandbox.run(cmake, "--build", "good", **ours)
equal(done.status, 0, done)


@behaviour
def a_build_with_front_shim_and_launcher_is_accepted():
    rows, report = audit(sandbox, "good", 0)
    equal(rows, [])
    equal((report["verdict"], report["runtime"], report["targets"], report["cuda_targets"],
           report["artefacts"]), ("accept", "cuda==13.0", 5, 3, 4), report)


@behaviour
def with_the_front_alone_targets_with_cpp_bypass_cuda_cc():
    """The C++ compiler links them."""
    configure("front", CUDACXX=td / "bin/nvcc")
    done = sandbox.run(cmake, "--build", "front", "--target", "mixed", CUDACXX=td / "bin/nvcc")
    equal(done.status, 0, done)
    rows, report = audit(sandbox, "front", 3)
    equal(rows, ["CC6003 mixed link CMakeLists.txt:6", "CC6015 kernels artefact CMakeLists.txt:5",
                 "CC6015 rdc artefact CMakeLists.txt:7"])
    assert "libcudart.so.13, and has no manifest" in fact(report, "CC6003", "artefact"), report
    assert any(f"CMAKE_CXX_LINKER_LAUNCHER={td}/bin/cuda-cc" in fix
               for row in report["findings"] for fix in row["fixes"]), report


@behaviour
def without_cuda_cc_each_step_of_each_target_is_reported():
    """And the project's custom command."""
    configure("round", CUDACXX=sandbox.toolkit / "bin/nvcc")
    rows, report = audit(sandbox, "round", 3)
    equal([row for row in rows if "CC6015" not in row],
          ["CC6001 kernels compile CMakeLists.txt:5", "CC6001 mixed compile CMakeLists.txt:6",
           "CC6001 rdc compile CMakeLists.txt:7", "CC6002 rdc device link CMakeLists.txt:7",
           "CC6003 kernels link CMakeLists.txt:5", "CC6003 mixed link CMakeLists.txt:6",
           "CC6003 rdc link CMakeLists.txt:7", "CC6005 ptx command CMakeLists.txt:10"])


@behaviour
def another_link_driver_that_cmake_keeps_is_reported():
    compilers = next((sandbox.work / "good/CMakeFiles").glob("*/CMakeCUDACompiler.cmake"))
    whole = compilers.read_text()
    compilers.write_text(whole.replace(f'LAUNCHER "{td}/bin/g++"', 'LAUNCHER "/usr/bin/g++"'))
    equal(audit(sandbox, "good", 3)[0], ["CC6004 - configure"])
    compilers.write_text(whole)


@behaviour
def files_linked_for_another_target_are_reported():
    """The toolchain directory was made again for another runtime."""
    sandbox.good("toolchain", td, "--toolkit", sandbox.toolkit, "--runtime", "cuda==13.1")
    rows, report = audit(sandbox, "good", 3)
    equal(rows, ["CC6007 kernels artefact CMakeLists.txt:5", "CC6007 mixed artefact CMakeLists.txt:6",
                 "CC6007 rdc artefact CMakeLists.txt:7"])
    equal(fact(report, "CC6007", "declared"), "cuda==13.1")


@behaviour
def a_directory_that_others_can_write_is_not_trusted():
    """F12."""
    (td / "cuda-cc.facts").chmod(0o666)
    rows, report = audit(sandbox, "good", 3)
    assert "CC6011 - configure" in rows, rows
    equal(fact(report, "CC6011", "now"), "a toolchain directory that others can write")
    equal(fact(report, "CC6011", "because"), "everybody can write to it (mode 0666)")
    equal(audit(sandbox, "good", 3, CUDA_CC_TRUST=td)[0][0].split()[0], "CC6007")
    (td / "cuda-cc.facts").chmod(0o444)


@behaviour
def a_directory_that_is_gone_is_reported():
    shutil.move(td, sandbox.work / "moved")
    rows, report = audit(sandbox, "good", 3)
    assert "CC6011 - configure" in rows, rows
    equal(fact(report, "CC6011", "now"), "it is gone")
    shutil.move(sandbox.work / "moved", td)


@behaviour
def a_project_that_changed_after_it_was_configured_is_reported():
    sandbox.write("p/CMakeLists.txt", (sandbox.work / "p/CMakeLists.txt").read_text() + "# more\n")
    assert "CC6012 - configure" in audit(sandbox, "good")[0]


@behaviour
def what_is_no_build_directory_is_refused():
    sandbox.refused("audit", "p", code="CC6017", status=4)
    sandbox.refused("audit", "nowhere", code="CC6017", status=4)
    sandbox.refused("audit", code="CC1001", status=2)
