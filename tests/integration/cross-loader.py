# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""An environment of wheels for aarch64: a link is checked against its files, `check` agrees with the aarch64 loader
under qemu, and a file for another machine than the environment's is rejected with a message that says so (V-TG-01,
LS-17, AV-E01)."""
import os
import re

import note
from crossing import EXTENSION, GXX, OPENER, environment, needs, opened, refused_by_both
from sandbox import Sandbox, equal, wheels

needs("qemu-aarch64")
sandbox = Sandbox()
sandbox.path = "/usr/bin:/bin"
sandbox.write("ext.cpp", EXTENSION)
sandbox.write("opener.cpp", OPENER)
sandbox.write("tool.cpp", "int main() { return 0; }\n")
envs = {minor: environment(sandbox.work / minor, f"nvidia-nvjitlink-cu12=={version}",
                           "nvidia-cuda-runtime-cu12==12.4.127")
        for minor, version in (("12.4", "12.4.127"), ("12.5", "12.5.82"))}


def words(minor):
    folder = envs[minor] / "nvidia/nvjitlink"
    return "-shared", "-fPIC", "ext.cpp", f"-I{folder}/include", f"-L{folder}/lib", "-lnvJitLink"


def runtime(minor):
    return f"--cudacc-runtime=env:{envs[minor]}"


equal(sandbox.run(GXX, "opener.cpp", "-o", "opener").status, 0)
for minor, folder in envs.items():
    (folder / "ext").mkdir()
    sandbox.good(runtime(minor), GXX, *words(minor), "-o", folder / "ext/own.so")
    equal(note.elf(folder / "ext/own.so").rpath,
          ["$ORIGIN/../nvidia/nvjitlink/lib", "$ORIGIN/nvidia/nvjitlink/lib"], minor)
    loads, said, taken = opened(sandbox, "./opener", folder / "ext/own.so")
    equal((loads, said), (True, "loads"), minor)
    equal(taken, [f"{folder}/nvidia/nvjitlink/lib/libnvJitLink.so.12"], minor)
    checked = sandbox.cc("check", folder / "ext/own.so", "--runtime", f"env:{folder}")
    equal(checked.status, 0, checked)
    # The C library is that of the other machine and is not available here.
    assert "libpthread" not in checked.out and "accept" in checked.out, checked

# Built with 12.5, installed beside 12.4.
os.link(envs["12.5"] / "ext/own.so", envs["12.4"] / "ext/newer.so")
refused_by_both(sandbox, "./opener", envs["12.4"] / "ext/newer.so", f"env:{envs['12.4']}",
                "undefined symbol: __nvJitLinkCreate_12_5, version libnvJitLink.so.12")
ended = sandbox.refused(runtime("12.4"), GXX, *words("12.5"), "-o", "ext.so", code="CC3015",
                        output="ext.so")
# The opposite case: 12.5 has everything that 12.4 has.
os.link(envs["12.4"] / "ext/own.so", envs["12.5"] / "ext/older.so")
equal(opened(sandbox, "./opener", envs["12.5"] / "ext/older.so")[0], True)
equal(sandbox.cc("check", envs["12.5"] / "ext/older.so", "--runtime", f"env:{envs['12.5']}").status, 0)

# LS-17: a file, link or compiler for one machine with the environment of the other.
native = sandbox.work / "native"
wheels.link_tree(wheels.get("nvidia-nvjitlink-cu12==12.4.127"), native)
ended = sandbox.cc("check", envs["12.4"] / "ext/own.so", "--runtime", f"env:{native}")
equal(ended.status, 3, ended)
assert "the file is for aarch64, the runtime for x86_64" in ended.out, ended
assert re.findall(r"\[(CC\d+)\]", ended.out) == ["CC4031"], ended
for compiler in ("g++", "clang++"):
    for where in ("12.4", native):
        library = native if where == native else envs[where]
        lines = [compiler, "-shared", "-fPIC", "ext.cpp", f"-I{native}/nvidia/nvjitlink/include",
                 f"-L{library}/nvidia/nvjitlink/lib", "-lnvJitLink", "-o", "ext.so"]
        ended = sandbox.refused(runtime("12.4"), *lines, code="CC4031", output="ext.so")
        assert "for x86_64, the runtime for aarch64" in ended.err, ended
sandbox.refused(f"--cudacc-runtime=env:{native}", GXX, *words("12.4"), "-o", "ext.so", code="CC4031",
                output="ext.so")
# A program that runs during the build does not use the environment and is accepted.
sandbox.good(runtime("12.4"), "g++", "tool.cpp", "-o", "tool")
equal(sandbox.run("./tool").status, 0)
equal(sandbox.cc("check", "tool", "--runtime", f"env:{envs['12.4']}").status, 0)
for options, status, code in (
        ([f"--runtime=env:{envs['12.4']}"], 3, "CC4031"),
        ([f"--runtime=env:{native}", f"--host-compiler={GXX}"], 3, "CC4031")):
    ended = sandbox.cc("toolchain", "td", *options)
    equal((ended.status, ended.codes), (status, [code]), ended)
    assert not (sandbox.work / "td").exists(), ended
# Only host compilers, for another machine.
made = sandbox.good("toolchain", "td", f"--runtime=env:{envs['12.4']}", f"--host-compiler={GXX}")
sandbox.run("td/bin/" + GXX, "-shared", "-fPIC", "ext.cpp", "-lnvJitLink", "-o", "ext.so")
equal(note.elf(sandbox.work / "ext.so").needed[0], "libnvJitLink.so.12")
sandbox.clean()
