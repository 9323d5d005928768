# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""What `doctor` proposes for failures other than a changed CUDA version: a preloaded library, paths in NEEDED, files
that are missing, truncated, for another machine, unreadable or renamed, a system that is too old. Simulated fixes
work; what cannot be simulated is printed as advice without a promise."""
import ctypes
import json
import os

import installed
from behaviour import behaviour
from doctoring import Sick
from sandbox import PROGRAM, equal, wheel, wheels

CREATE = "extern int __nvJitLinkCreate_12_4(void);\nint use(void) { return __nvJitLinkCreate_12_4(); }\n"
CUDART = "extern int cudaGetDeviceCount(int *);\nint use(void) { return cudaGetDeviceCount(0); }\n"
BOTH = ("extern int cudaGetDeviceCount(int *), __nvJitLinkCreate_12_4(void);\n"
        "int use(void) { return cudaGetDeviceCount(0) + __nvJitLinkCreate_12_4(); }\n")
JIT, RUNTIME = "nvidia-nvjitlink-cu12==12.4.127", "nvidia-cuda-runtime-cu12==12.4.127"
PATH = "$ORIGIN/../nvidia/cuda_runtime/lib"
AGAIN = "--force-reinstall --no-deps nvidia-cuda-runtime-cu12==12.4.127"


def fixes(file):
    return [fix for each in file["findings"] for fix in each.get("fixes", [])]


def cudart(sick, **more):
    sick.extension(CUDART, needs=[sick.lib("cuda_runtime", "libcudart.so.12")], **{"rpath": PATH, **more})


def with_cudart():
    """An extension that needs cudart, its file, which is removed, and the bytes of that."""
    sick = Sick(RUNTIME)
    cudart(sick)
    library = sick.lib("cuda_runtime", "libcudart.so.12")
    whole = library.read_bytes()
    library.unlink()
    return sick, library, whole


@behaviour
def a_preloaded_older_copy_is_undone():
    sick = Sick(JIT)
    old = sick.work / "old/libnvJitLink.so.12"
    sick.library(old, "int nothing;\n", soname="libnvJitLink.so.12")
    sick.extension(CREATE, needs=[sick.lib("nvjitlink", "libnvJitLink.so.12")],
                   rpath="$ORIGIN/../nvidia/nvjitlink/lib")
    file = sick.doctor(LD_PRELOAD=old)
    equal(file["verdict"], "reject", sick.text)
    equal((file["remedies"][0]["kind"], file["remedies"][0]["commands"]), ("undo", ["unset LD_PRELOAD"]),
          sick.text)
    equal(sick.doctor()["verdict"], "accept", sick.text)


@behaviour
def a_path_of_the_build_machine_in_needed_is_replaced():
    sick = Sick(RUNTIME)
    cudart(sick)
    done = sick.run(sick.bin / "patchelf", "--replace-needed", "libcudart.so.12",
                    "/build/lib/libcudart.so.12", sick.file)
    equal(done.status, 0, done)
    file = sick.doctor()
    equal(file["verdict"], "reject", sick.text)
    sick.predicts(file)
    remedy = sick.helps(file, "relink")
    assert "--replace-needed /build/lib/libcudart.so.12 libcudart.so.12" in remedy["commands"][0], remedy


@behaviour
def an_empty_element_of_ld_library_path_is_the_working_directory():
    sick = Sick(JIT)
    sick.library(sick.work / "libnvJitLink.so.12", "int nothing;\n", soname="libnvJitLink.so.12")
    sick.extension(CREATE, needs=[sick.lib("nvjitlink", "libnvJitLink.so.12")],
                   runpath="$ORIGIN/../nvidia/nvjitlink/lib")
    sick.library_path = "/nowhere::/nowhere/else"
    file = sick.doctor()
    equal(file["verdict"], "reject", sick.text)
    sick.predicts(file)
    sick.helps(file, "undo")
    assert "the empty element, which means the working directory" in file["remedies"][0]["text"], file
    assert "(an empty element is the working directory)" in sick.text, sick.text


@behaviour
def an_environment_without_nvidia_s_wheels_gets_its_first():
    sick = Sick()
    library = wheel(RUNTIME) / "nvidia/cuda_runtime/lib/libcudart.so.12"
    sick.extension(CUDART, needs=[library], runpath=PATH)
    file = sick.doctor()
    sick.helps(file, "wheel")
    equal(sick.doctor()["verdict"], "accept", sick.text)


@behaviour
def a_package_for_another_cuda_version_is_replaced_or_else_built_from_source():
    sick = Sick("nvidia-cuda-runtime==13.0.96")
    library = wheel(RUNTIME) / "nvidia/cuda_runtime/lib/libcudart.so.12"
    sick.extension(CUDART, needs=[library], runpath=PATH)
    installed.distribution(sick.site, "ext", "1.0", [("ext/native.so", 1)])
    file = sick.doctor()
    equal(fixes(file), ["install a release of ext that is built for CUDA 13, up to 13.0",
                        "ask the maintainers of ext for a build for CUDA 13.0"], sick.text)
    ended = sick.run(PROGRAM, "check", "--format=json", f"--runtime=env:{sick.prefix}", sick.file)
    offered = json.loads(ended.out)["files"][0]["findings"][0]["fixes"]
    assert offered[0].endswith("nvidia-cuda-runtime-cu12==12.9.79"), ended
    assert offered.index(fixes(file)[0]) < offered.index(fixes(file)[1]), ended
    assert all("toolchain" not in each and "patchelf" not in each
               for each in offered[:offered.index(fixes(file)[1])]), ended


@behaviour
def a_wheel_whose_folder_was_removed_is_installed_again():
    sick = Sick(RUNTIME, JIT)
    cudart(sick)
    sick.lib("cuda_runtime", "libcudart.so.12").unlink()
    file = sick.doctor()
    equal(file["verdict"], "reject", sick.text)
    sick.predicts(file)
    remedy = sick.helps(file, "wheel")
    assert "--force-reinstall --no-deps nvidia-cuda-runtime-cu12==12.4.127" in remedy["commands"][0], remedy


@behaviour
def one_command_installs_two_missing_wheels():
    sick = Sick("nvidia-cublas-cu12==12.4.5.8")
    needs = [wheels.Path(wheels.get(RUNTIME)) / "nvidia/cuda_runtime/lib/libcudart.so.12",
             wheels.Path(wheels.get(JIT)) / "nvidia/nvjitlink/lib/libnvJitLink.so.12"]
    sick.extension(BOTH, needs=needs, rpath=f"{PATH}:$ORIGIN/../nvidia/nvjitlink/lib")
    file = sick.doctor()
    remedy = sick.helps(file, "wheel")
    for dist in ("nvidia-cuda-runtime-cu12==12.4.127", "nvidia-nvjitlink-cu12==12.4.127"):
        assert dist in remedy["commands"][0], remedy


@behaviour
def one_variable_finds_two_libraries():
    sick = Sick(RUNTIME, JIT)
    sick.extension(BOTH, needs=[sick.lib("cuda_runtime", "libcudart.so.12"),
                                sick.lib("nvjitlink", "libnvJitLink.so.12")])
    file = sick.doctor()
    kinds = [remedy["kind"] for remedy in file["remedies"]]
    remedy = sick.helps(file, "variable", kinds.index("variable"))
    assert "cuda_runtime/lib" in remedy["commands"][0] and "nvjitlink/lib" in remedy["commands"][0], remedy


@behaviour
def first_comes_the_version_that_the_framework_pins_then_the_range():
    sick = Sick("nvidia-nvjitlink-cu12==12.0.140", torch="2.5.1+cu124")
    sick.extension(CREATE, needs=[wheels.Path(wheels.get(JIT)) / "nvidia/nvjitlink/lib/libnvJitLink.so.12"],
                   rpath="$ORIGIN/../nvidia/nvjitlink/lib")
    file = sick.doctor()
    raised = [remedy for remedy in file["remedies"] if remedy["kind"] == "wheel"]
    equal(len(raised), 2, sick.text)
    assert raised[0]["commands"][0].endswith("nvidia-nvjitlink-cu12==12.4.127"), raised
    assert "price" not in raised[0] and "pip reports it" in raised[1]["price"], raised
    sick.helps(file, "wheel", file["remedies"].index(raised[0]))


@behaviour
def the_package_of_a_truncated_file_is_installed_again():
    sick, library, whole = with_cudart()
    library.write_bytes(whole[:40])
    file = sick.doctor()
    equal(file["verdict"], "reject", sick.text)
    sick.predicts(file)
    assert any(AGAIN in fix for fix in fixes(file)), sick.text


@behaviour
def the_package_of_a_file_for_another_machine_is_installed_again():
    sick, library, whole = with_cudart()
    library.write_bytes(whole)
    equal(sick.doctor()["verdict"], "accept", sick.text)
    library.write_bytes(whole[:18] + b"\xb7\x00" + whole[20:])
    file = sick.doctor()
    assert any(AGAIN in fix for fix in fixes(file)) and "for another machine" in sick.text, sick.text


@behaviour
def a_field_of_the_header_that_the_loader_refuses_is_damage():
    """Never another machine's file, or a name that is lacking."""
    sick, library, whole = with_cudart()
    for at, value, words in ((7, b"\x09", "is damaged"), (9, b"\1", "is damaged"), (16, b"\2", "is not a library"),
                             (20, b"\2", "is damaged"), (54, b"\x20", "is damaged")):
        library.write_bytes(whole[:at] + value + whole[at + 1:])
        file = sick.doctor()
        equal((file["verdict"], file["remedies"]), ("reject", []), sick.text)
        sick.predicts(file)
        assert AGAIN in fixes(file)[0] and f"libcudart.so.12 {words}" in sick.text, sick.text
        assert "another machine" not in sick.text and "lacks" not in sick.text, sick.text


@behaviour
def the_package_of_a_link_that_leads_nowhere_is_installed_again():
    sick, library, _ = with_cudart()
    library.symlink_to("/nowhere/uv/archive-v0/x/libcudart.so.12")
    file = sick.doctor()
    assert any(AGAIN in fix for fix in fixes(file)) and "UV_LINK_MODE=copy" in sick.text, sick.text


@behaviour
def a_file_that_cannot_be_read_is_made_readable():
    if os.getuid() != 0:
        sick, library, whole = with_cudart()
        library.write_bytes(whole)
        library.chmod(0)
        file = sick.doctor()
        assert f"chmod a+r {library}" in fixes(file), sick.text


@behaviour
def the_renamed_folder_of_vendored_libraries_is_named_back():
    sick = Sick()
    sick.library("other.libs/libgrafted-96c42e41.so.1", "int grafted(void) { return 1; }\n",
                 soname="libgrafted-96c42e41.so.1")
    sick.extension("extern int grafted(void);\nint use(void) { return grafted(); }\n",
                   needs=[sick.site / "other.libs/libgrafted-96c42e41.so.1"], runpath="$ORIGIN/../ext.libs")
    file = sick.doctor()
    assert f"mv {sick.site}/other.libs {sick.site}/ext.libs" in fixes(file), sick.text
    done = sick.python(*sick.opened(), commands=[fixes(file)[0]])
    equal(done.status, 0, done)


@behaviour
def a_system_that_is_too_old_has_no_fix_here():
    sick = Sick()
    for node, release, words in (("GLIBC_2.99", "glibc 2.99", "manylinux_2_28"),
                                 ("GLIBCXX_3.4.29", "gcc 11.1", "libstdcxx")):
        name = "libc.so.6" if node.startswith("GLIBC_") else "libown.so.1"
        script = sick.write("new.map", f"V_1 {{ global: old; }};\n{node} {{ global: fresh; }} V_1;\n")
        new = sick.library(sick.work / f"new/{name}", "int old(void) { return 1; }\nint fresh(void) { return 2; }\n",
                           "-nostdlib", f"-Wl,--version-script={script}", soname=name)
        if name != "libc.so.6":
            sick.write("new.map", "V_1 { global: old; };\n")
            sick.library(f"ext/{name}", "int old(void) { return 1; }\n", f"-Wl,--version-script={script}",
                         soname=name)
        sick.extension("extern int fresh(void);\nint use(void) { return fresh(); }\n", "-nostdlib",
                       needs=[new], runpath="$ORIGIN")
        file = sick.doctor()
        equal(sick.codes(file), ["CC4024"], sick.text)
        sick.predicts(file)
        assert f"{release} or newer ({node})" in sick.text, sick.text
        assert any(words in fix for fix in fixes(file)), sick.text
        equal(file["remedies"], [], sick.text)


@behaviour
def without_a_driver_the_removal_of_its_stub_promises_no_success():
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        sick = Sick()
        stub = sick.library(sick.work / "stubs/libcuda.so.1", "int cuInit(int a) { return 34; }\n",
                            soname="libcuda.so.1")
        sick.extension("extern int cuInit(int);\nint use(void) { return cuInit(0); }\n", needs=[stub])
        sick.library_path = stub.parent
        file = sick.doctor()
        equal(sick.codes(file), ["CC4023"], sick.text)
        remedy = file["remedies"][0]
        equal((remedy["kind"], remedy["after"]), ("undo", "unknown"), sick.text)
        assert "this machine has no driver" in remedy["price"], remedy
        assert "accept, once a driver is installed" in sick.text, sick.text
