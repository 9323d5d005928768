# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Debian's nvcc as packaged: a shell script in /usr/bin, a profile in /etc, headers and libraries in default
directories, and a gcc wrapper that picks a release this nvcc supports. With 11.8 declared it builds as without
cuda-cc, under another line it is rejected (V-TG-01, V-TG-06, TG-3, R4, R38).

The package is mounted over /usr and /etc, for the child processes of this test only."""
import os
import platform
import shutil

import note
from behaviour import behaviour
from sandbox import KERNEL, PROGRAM, Sandbox, equal, skip, toolkits

if platform.machine() != "x86_64":
    skip("Debian packages nvcc 11.8 for x86-64")
try:
    package, tree = toolkits.debian("11.8"), toolkits.get("11.8")
except toolkits.Skipped as reason:
    skip(reason)

sandbox = Sandbox()
sandbox.write("k.cu", KERNEL)
layers = sandbox.root / "layers"
shutil.copytree(tree / "include", layers / "include")
libraries = layers / "lib/x86_64-linux-gnu"
libraries.mkdir(parents=True)
shutil.copy(tree / "lib64/libcudart.so.11.0", libraries / "libcudart.so.11.8.89")
(libraries / "libcudart.so.11.0").symlink_to("libcudart.so.11.8.89")
(libraries / "libcudart.so").symlink_to("libcudart.so.11.0")
# Debian's gcc wrapper for nvcc expects these compilers here; this machine may not have them.
(layers / "bin").mkdir()
for name in ("gcc", "g++"):
    script = layers / "bin" / f"{name}-11"
    script.write_text(f'#!/bin/sh\necho {name}-11 >> "$VIA"\nexec /usr/bin/{name} "$@"\n')
    script.chmod(0o755)

LAY = 'set -e; while [ "$1" != -- ]; do mount -t overlay overlay -o "lowerdir=$2:$1" "$1"; ' \
      'shift 2; done; shift; exec "$@"'
LAID = ("/usr/bin", f"{layers}/bin:{package}/usr/bin",
        "/usr/lib", f"{layers}/lib:{package}/usr/lib",
        "/usr/include", layers / "include", "/etc", package / "etc")
via = sandbox.root / "via"


def laid(*argv):
    """Runs a command with the package mounted; records the names by which the host compilers were called."""
    via.unlink(missing_ok=True)
    flags = "-m" if os.geteuid() == 0 else "-Urm"
    ended = sandbox.run("unshare", flags, "sh", "-c", LAY, "sh", *LAID, "--", *argv,
                        PATH="/usr/bin:/bin", VIA=via)
    return ended, set(via.read_text().split()) if via.exists() else set()


probe, _ = laid("nvcc", "--version")
if "mount" in probe.err or "unshare" in probe.err:
    skip("this machine does not lay folders over others: " + probe.err.strip().splitlines()[-1])
assert probe.status == 0 and "V11.8.89" in probe.out, probe


def cc(runtime, *words):
    return laid(PROGRAM, f"--cudacc-runtime={runtime}", *words)


common = ("-allow-unsupported-compiler", "-arch=sm_80", "-Xcompiler", "-fPIC")
link = ("-shared", "-cudart", "shared", "-cudadevrt", "none", "-o", "k.so")
OUTPUTS = ("k.o", "k.so")


def good(*words):
    """The same host compilers run as without cuda-cc; objects of CUDA sources have records."""
    plain, theirs = laid("nvcc", *common, *words)
    equal(plain.status, 0, plain)
    (sandbox.work / words[-1]).unlink()
    ended, ours = cc("cuda==11.8", *common, *words)
    equal((ended.status, ended.err), (0, plain.err), ended)
    equal(ours, theirs, f"host compilers of {words}")
    assert theirs, f"Debian's own gcc was not asked for {words}"
    return note.elf(sandbox.work / words[-1])


def held(elf):
    found = elf.manifest()
    equal(found.link["target"]["cuda"], "11.8", "target")
    equal(found.link["toolkit"]["max"], "11.8.89", found.link)
    records = [note.parse(each) for each in found.objects]
    equal([(each["toolkit"], each["headers"]) for each in records], [("11.8.89", "11.8")], "records")
    assert "libcudart.so.11.0" in elf.needed, elf.needed
    equal(elf.rpath, ["$ORIGIN/../nvidia/cuda_runtime/lib", "$ORIGIN/nvidia/cuda_runtime/lib"],
          "search path")


@behaviour
def one_step_builds_as_without_cuda_cc():
    held(good("k.cu", *link))


@behaviour
def a_compile_and_a_link_build_as_without_cuda_cc():
    equal(len(good("-c", "k.cu", "-o", "k.o").manifest().objects), 1, "records of k.o")
    held(good("k.o", *link))


@behaviour
def other_lines_are_rejected_and_nothing_is_left():
    for runtime, code, library in (("cuda==11.7", "CC3001", "CC3015"),
                                   ("cuda==12.4", "CC3002", "CC3016"),
                                   ("torch==2.5.1", "CC3002", "CC3016")):
        for words in (("-c", "k.cu", "-o", "k.o"), ("k.cu", *link)):
            for name in OUTPUTS:
                (sandbox.work / name).unlink(missing_ok=True)
            ended, _ = cc(runtime, *common, *words)
            equal((ended.status, ended.codes[:1]), (3, [code]), ended)
            assert "/usr/bin/nvcc" in ended.err, ended
            equal(sandbox.files(), {"k.cu"}, f"left behind: {ended}")
        sandbox.write("main.cpp", 'extern "C" int cudaGetLastError(void);\n'
                      "int main() { return cudaGetLastError(); }\n")
        ended, _ = cc(runtime, "g++", "main.cpp", "-lcudart", "-o", "main")
        equal((ended.status, ended.codes), (3, [library]), ended)
        (sandbox.work / "main.cpp").unlink()
    sandbox.clean()


# A toolchain directory made of it: nvcc is the program that the script starts, the tools are beside the script,
# the profile is replaced, and the host compiler is the one that the package selects for nvcc.
td = sandbox.root / "td"
made, _ = laid(PROGRAM, "toolchain", td, "--runtime", "cuda==11.8")
assert made.status == 0 and "nvcc 11.8.89 of /usr/bin/nvcc" in made.out, made


@behaviour
def no_toolchain_directory_is_made_for_another_line():
    refused, _ = laid(PROGRAM, "toolchain", sandbox.root / "no", "--runtime", "cuda==11.7")
    assert refused.status == 3 and refused.codes == ["CC3001"], refused
    assert not (sandbox.root / "no").exists()


@behaviour
def the_tools_are_beside_nvcc_and_the_profile_is_replaced():
    for name in ("bin/ptxas", "bin/nvcc.profile", "nvvm/bin/cicc", "nvvm/libdevice"):
        assert os.path.lexists(td / name), name
    assert "/usr/lib" not in (td / "bin/nvcc.profile").read_text()


@behaviour
def the_directory_compiles_and_links_with_the_packages_host_compiler():
    version, _ = laid(td / "bin/nvcc", "--version")
    assert version.status == 0 and "V11.8.89" in version.out, version
    compiled, called = laid(td / "bin/nvcc", *common, "-c", "k.cu", "-o", "td.o")
    assert compiled.status == 0 and "cuda-cc" not in compiled.err, compiled
    assert "gcc-11" in called and called <= {"gcc-11", "g++-11"}, called
    linked, called = laid(td / "bin/nvcc", *common, "-shared", "-cudart", "shared", "-cudadevrt", "none",
                          "td.o", "-o", "td.so")
    assert linked.status == 0 and "cuda-cc" not in linked.err, linked
    assert "g++-11" in called, called
    assert "libcudart.so.11.0" in note.elf(sandbox.work / "td.so").needed
    assert note.manifest(sandbox.work / "td.so").link["target"]["cuda"] == "11.8"
