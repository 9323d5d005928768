# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Obstacles in the search for a library or module: a copy for another machine, an unreadable file, a noexec mount, a
file that is not a library, another Python's module. `doctor` predicts the messages of the loader and of
Python."""
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

import others
from doctoring import OPENER, Sick
from sandbox import PROGRAM, equal

HELPER = "int helper(void) { return 1; }\n"
INIT = "void *PyInit_{0}(void) {{ return 0; }}\n"
USER = ("extern int helper(void);\nint use(void) { return helper(); }\n" + INIT.format("native"))


def sick_with(*folders):
    """An extension that looks for libhelper.so in these folders, in order."""
    sick = Sick()
    for folder in folders:
        sick.library(f"{folder}/libhelper.so", HELPER, soname="libhelper.so")
    path = ":".join(f"$ORIGIN/../{folder}" for folder in folders)
    sick.extension(USER, needs=[sick.site / folders[-1] / "libhelper.so"], rpath=path)
    return sick


def code_of(file):
    return [each["code"] for each in file["findings"] if each["severity"] == "error"]


# A copy for another machine is found first: it is skipped, and the right one is loaded.
sick = sick_with("first", "second")
copy = sick.site / "first/libhelper.so"
bytes_of = bytearray(copy.read_bytes())
bytes_of[18:20] = (183).to_bytes(2, "little")
copy.write_bytes(bytes_of)
file = sick.doctor()
equal((file["verdict"], [each["path"].split("/")[-2] for each in file["loaded"]
                         if each["name"] == "libhelper.so"]), ("accept", ["second"]), sick.text)
sick.predicts(file)
assert "aarch64" not in sick.text and "183" not in sick.text, sick.text
# If it is the only one, it is reported as a file for another machine.
(sick.site / "second/libhelper.so").unlink()
file = sick.doctor()
equal(file["verdict"], "reject", sick.text)
sick.predicts(file)
assert "ext/../first/libhelper.so: ELF of machine 183" in " ".join(sick.text.split()), sick.text

# A file that is not a library ends the search, whatever follows.
sick = sick_with("first", "second")
target = sick.site / "first/libhelper.so"
sick.write("main.c", "int main(void) { return 0; }\n")
for what, words in (("debug", "object file has no dynamic section"), ("text", "invalid ELF header"),
                    ("pie", "cannot dynamically load position-independent executable"),
                    ("program", "cannot dynamically load executable")):
    target.unlink(missing_ok=True)
    if what == "debug":
        sick.gcc("-g", "-shared", "-fPIC", "main.c", "-o", "whole.so")
        equal(sick.run("objcopy", "--only-keep-debug", "whole.so", target).status, 0)
    elif what == "text":
        target.write_text("version https://git-lfs.github.com/spec/v1\n" * 3)
    else:
        sick.gcc("main.c", "-pie" if what == "pie" else "-no-pie", "-o", target)
    file = sick.doctor()
    equal((file["verdict"], code_of(file)), ("reject", ["CC4125"]), sick.text)
    assert file["predicted"].endswith(words), file
    sick.predicts(file)

# The same for a file that is the module itself.
sick = Sick()
sick.write("main.c", "int main(void) { return 0; }\n")
module = sick.site / "ext/tool.cpython-311-x86_64-linux-gnu.so"
sick.gcc("main.c", "-pie", "-o", module)
file = sick.doctor(module)
equal((file["verdict"], code_of(file)), ("reject", ["CC4125"]), sick.text)
sick.predicts(file, [module])
ended = sick.run(PROGRAM, "check", "--runtime=cuda==12.4", module)
equal(ended.status, 3, ended)
assert "is not a library [CC4125]" in ended.out, ended
module.write_text("version https://git-lfs.github.com/spec/v1\n")
for words in ([module], [sick.site / "ext"]):
    ended = sick.run(PROGRAM, "check", "--runtime=cuda==12.4", *words)
    equal(ended.status, 3, ended)
    assert "is not a library [CC4125]" in ended.out and "invalid ELF header" in ended.out, ended
sick.gcc("-c", "main.c", "-o", module)
for words in ([module], [sick.site / "ext"]):
    ended = sick.run(PROGRAM, "check", "--runtime=cuda==12.4", *words)
    equal(ended.status, 3, ended)
    assert "[CC4125]" in ended.out and "only ET_DYN and ET_EXEC can be loaded" in ended.out, ended
module.write_text("")
ended = sick.run(PROGRAM, "check", "--runtime=cuda==12.4", sick.site / "ext")
assert ended.status == 3 and "is truncated [CC4123]" in ended.out, ended
module.unlink()
# Separate debug information is not a library, so it is not checked.
sick.gcc("-g", "-shared", "-fPIC", "main.c", "-o", "whole.so")
sick.run("objcopy", "--only-keep-debug", "whole.so", sick.site / "ext/libwhole.so.debug")
ended = sick.run(PROGRAM, "check", "--runtime=cuda==12.4", sick.site / "ext")
assert "CC4125" not in ended.out and ended.status != 3, ended

# Python's own search: the function it calls, suffixes, and the entries before site-packages.
sick = Sick()
python = f"{sick.prefix}/bin/python"
own = f"cpython-3{sys.version_info.minor}-x86_64-linux-gnu.so"


def imported(name, **environment):
    ended = sick.run(python, "-c", f"import {name}", **environment)
    return ended.err.strip().splitlines()[-1] if ended.status else ""


def module_of(name, **environment):
    ended = sick.run(PROGRAM, "doctor", "--format=json", "--env", sick.prefix, name, **environment)
    return json.loads(ended.out)["files"][0]


sick.library("pkg/__init__.py", HELPER)
(sick.site / "pkg/__init__.py").write_text("")
sick.library(f"pkg/_C.{own}", HELPER)
real = imported("pkg._C")
file = module_of("pkg._C")
equal((file["verdict"], code_of(file)), ("reject", ["CC4126"]), file)
equal(real, f"ImportError: {file['predicted']}")
file = sick.doctor(sick.site / f"pkg/_C.{own}")
assert file["verdict"] == "accept" and any(each["code"] == "CC4126" and each["severity"] == "warning"
                                                for each in file["findings"]), file
sick.library(f"pkg/_C.{own}", INIT.format("_C"))
equal(module_of("pkg._C")["verdict"], "accept")

sick.library("pkg/_D.cpython-39-x86_64-linux-gnu.so", INIT.format("_D"))
assert "No module named 'pkg._D'" in imported("pkg._D")
file = module_of("pkg._D")
equal(code_of(file), ["CC2021"], file)
facts = {fact["label"]: fact["text"] for fact in file["findings"][0]["facts"]}
equal(facts["only"], f"{sick.site}/pkg/_D.cpython-39-x86_64-linux-gnu.so, for Python 3.9", file)

# A checkout in the working directory, and a folder of PYTHONPATH, hide what is installed.
(sick.work / "pkg").mkdir()
(sick.work / "pkg/__init__.py").write_text("")
assert "No module named 'pkg._C'" in imported("pkg._C")
file = module_of("pkg._C")
equal(code_of(file), ["CC2021"], file)
facts = {fact["label"]: fact["text"] for fact in file["findings"][0]["facts"]}
equal(facts["taken"], f"{sick.work}/pkg", file)
assert any("before site-packages" in fix for fix in file["findings"][0]["fixes"]), file
equal(module_of("pkg._C", PYTHONSAFEPATH="1")["verdict"], "accept")
(sick.work / "pkg").rename(sick.work / "elsewhere")
equal(module_of("pkg._C")["verdict"], "accept")
other = sick.work / "path/pkg"
other.mkdir(parents=True)
(other / "__init__.py").write_text("")
sick.library(other / f"_C.{own}", HELPER)
for value in (f"{sick.work}/path", "/nowhere:path", f"{sick.work}/path:/nowhere"):
    file = module_of("pkg._C", PYTHONPATH=value)
    assert file["path"].startswith("path/pkg/_C."), file
    assert "PyInit__C" in imported("pkg._C", PYTHONPATH=value)
equal(file["verdict"], "reject")

# Files that the user may not read, run as an ordinary user.
if os.getuid() == 0:
    others.leave_home()
    sick = sick_with("first", "second")
    for folder in (sick.root, sick.work):
        folder.chmod(0o755)
    program = others.program_in(sick.root)
    target = sick.site / "first/libhelper.so"
    target.chmod(0o600)

    def as_user(*words):
        return subprocess.run([str(word) for word in words], cwd="/", text=True, user=65534,
                              group=65534, extra_groups=[], capture_output=True,
                              env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"})

    real = as_user("/usr/bin/python3", "-c", OPENER, sick.file)
    ended = as_user(program, "doctor", "--format=json", sick.file)
    file = json.loads(ended.stdout)["files"][0]
    equal((real.returncode, file["verdict"]), (0, "accept"), (real, ended))
    (sick.site / "second/libhelper.so").chmod(0o600)
    real = as_user("/usr/bin/python3", "-c", OPENER, sick.file)
    ended = as_user(program, "doctor", "--format=json", sick.file)
    file = json.loads(ended.stdout)["files"][0]
    equal((file["verdict"], file["predicted"]), ("reject", real.stdout.strip()), (real, ended))
    assert "Permission denied, mode 0600, of user 0" in ended.stdout, ended
    sick.file.chmod(0o640)
    ended = as_user(program, "doctor", sick.file)
    equal(ended.returncode, 4, ended)
    text = " ".join(ended.stdout.split())
    assert "Permission denied [CC2005]" in text and "mode 0640, of user 0" in text, ended
    print("read as an ordinary user")
    tempfile.tempdir = None
# A mount with noexec.
MOUNT = """
mount -t tmpfs -o noexec tmpfs "$1" && cp "$2" "$1/libhelper.so" && chmod a+rx "$1" || exit 77
shift 2
exec "$@"
"""
sick = sick_with("first", "second")
mounted = ["unshare", "--mount", "sh", "-c", MOUNT, "sh", sick.site / "first",
           sick.site / "second/libhelper.so"]
real = sick.run(*mounted, sys.executable, "-c", OPENER, sick.file)
if real.status in (1, 77) and "failed to map" not in real.out:
    print("SKIPPED: no mount namespace here:", real.err.strip())
else:
    print("mounted noexec")
    equal(real.out.strip(), "libhelper.so: failed to map segment from shared object", real)
    ended = sick.run(*mounted, PROGRAM, "doctor", "--format=json", sick.file)
    file = json.loads(ended.out)["files"][0]
    equal((file["verdict"], code_of(file), file["predicted"]), ("reject", ["CC4124"], real.out.strip()),
          ended)
    ended = sick.run(*mounted, PROGRAM, "doctor", "--format=json", sick.site / "first/libhelper.so")
    file = json.loads(ended.out)["files"][0]
    equal(code_of(file), ["CC4124"], ended)
    # A file that will be installed elsewhere is not searched in this environment.
    ended = sick.run(*mounted, PROGRAM, "check", "--runtime=cuda==12.4",
                     sick.site / "first/libhelper.so")
    assert ended.status == 0 and "CC4124" not in ended.out, ended

# Libraries for two machines in one environment: Python's machine decides which of them are wrong. A right copy
# after a wrong one is found.
CUDART = "extern int cudaGetDeviceCount(int *);\nint use(void) { return cudaGetDeviceCount(0); }\n"


# Kinds of relocations of x86-64, and those that mean the same on aarch64.
KINDS = {1: 257, 6: 1025, 7: 1026, 8: 1027, 16: 1028, 17: 1029, 18: 1030}


def make_foreign(path):
    """Makes a library for aarch64 of one for x86-64: its machine and its relocations, not its code."""
    content = bytearray(path.read_bytes())
    content[18:20] = (183).to_bytes(2, "little")
    sections, = struct.unpack_from("<Q", content, 40)
    count, = struct.unpack_from("<H", content, 60)
    for section in range(sections, sections + 64 * count, 64):
        _, kind, flags, _, offset, size = struct.unpack_from("<IIQQQQ", content, section)
        if kind == 4 and flags & 2:
            for at in range(offset + 8, offset + size, 24):
                content[at:at + 4] = KINDS[int.from_bytes(content[at:at + 4], "little")].to_bytes(4, "little")
    path.unlink()
    path.write_bytes(content)


sick = Sick("nvidia-cuda-runtime-cu12==12.4.127", "nvidia-nvjitlink-cu12==12.4.127")
cudart = sick.lib("cuda_runtime", "libcudart.so.12")
right = sick.site / "second/libcudart.so.12"
right.parent.mkdir()
shutil.copy(cudart, right)
sick.extension(CUDART, needs=[cudart],
               rpath="$ORIGIN/../nvidia/cuda_runtime/lib:$ORIGIN/../second")
make_foreign(cudart)
file = sick.doctor()
equal((file["verdict"], [copy["path"] for copy in file["loaded"] if copy["name"] == cudart.name]),
      ("accept", [str(right)]), sick.text)
sick.predicts(file)
assert "aarch64" not in json.dumps(file), sick.text
right.unlink()
file = sick.doctor()
equal((file["verdict"], code_of(file)), ("reject", ["CC4003"]), sick.text)
sick.predicts(file)
ended = sick.run(PROGRAM, "check", f"--runtime=env:{sick.prefix}", sick.file)
equal(ended.status, 3, ended)
assert "libcudart.so.12 of the runtime is for another machine [CC4003]" in ended.out, ended
assert "--force-reinstall --no-deps nvidia-cuda-runtime-cu12==12.4.127" in ended.out, ended
assert "python:      for x86_64" in ended.err, ended
ended = sick.run(PROGRAM, "check", f"--runtime=env:{sick.prefix}", cudart)
assert ended.status == 3 and "the file is for aarch64, the runtime for x86_64" in ended.out, ended
# Without a Python the machine is unknown.
for name in ("python", "python3"):
    (sick.prefix / "bin" / name).unlink(missing_ok=True)
ended = sick.run(PROGRAM, "check", f"--runtime=env:{sick.prefix}", sick.file)
assert "libraries for two machines" in ended.err and "python:" not in ended.err, ended
