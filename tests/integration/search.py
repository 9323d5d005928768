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
from behaviour import behaviour
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


def for_another_machine(path):
    content = bytearray(path.read_bytes())
    content[18:20] = (183).to_bytes(2, "little")
    path.write_bytes(content)


def code_of(file):
    return [each["code"] for each in file["findings"] if each["severity"] == "error"]


@behaviour
def a_copy_for_another_machine_is_skipped():
    """The right one behind it is loaded."""
    sick = sick_with("first", "second")
    for_another_machine(sick.site / "first/libhelper.so")
    file = sick.doctor()
    equal((file["verdict"], [each["path"].split("/")[-2] for each in file["loaded"]
                             if each["name"] == "libhelper.so"]), ("accept", ["second"]), sick.text)
    sick.predicts(file)
    assert "aarch64" not in sick.text and "183" not in sick.text, sick.text


@behaviour
def the_only_copy_is_reported_if_it_is_for_another_machine():
    sick = sick_with("first", "second")
    for_another_machine(sick.site / "first/libhelper.so")
    (sick.site / "second/libhelper.so").unlink()
    file = sick.doctor()
    equal(file["verdict"], "reject", sick.text)
    sick.predicts(file)
    assert "ext/../first/libhelper.so: ELF of machine 183" in " ".join(sick.text.split()), sick.text


@behaviour
def a_file_that_is_not_a_library_ends_the_search():
    """Whatever follows."""
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


def checked(sick, path, runtime="cuda==12.4"):
    return sick.run(PROGRAM, "check", f"--runtime={runtime}", path)


def module_in(sick):
    sick.write("main.c", "int main(void) { return 0; }\n")
    return sick.site / "ext/tool.cpython-311-x86_64-linux-gnu.so"


@behaviour
def a_module_that_is_a_program_is_rejected():
    sick = Sick()
    module = module_in(sick)
    sick.gcc("main.c", "-pie", "-o", module)
    file = sick.doctor(module)
    equal((file["verdict"], code_of(file)), ("reject", ["CC4125"]), sick.text)
    sick.predicts(file, [module])
    ended = checked(sick, module)
    equal(ended.status, 3, ended)
    assert "is not a library [CC4125]" in ended.out, ended


@behaviour
def a_module_that_is_a_text_is_rejected():
    sick = Sick()
    module = module_in(sick)
    module.write_text("version https://git-lfs.github.com/spec/v1\n")
    for path in (module, sick.site / "ext"):
        ended = checked(sick, path)
        equal(ended.status, 3, ended)
        assert "is not a library [CC4125]" in ended.out and "invalid ELF header" in ended.out, ended


@behaviour
def a_module_that_is_an_object_is_rejected():
    sick = Sick()
    module = module_in(sick)
    sick.gcc("-c", "main.c", "-o", module)
    for path in (module, sick.site / "ext"):
        ended = checked(sick, path)
        equal(ended.status, 3, ended)
        assert "[CC4125]" in ended.out and "only ET_DYN and ET_EXEC can be loaded" in ended.out, ended


@behaviour
def a_module_that_is_empty_is_truncated():
    sick = Sick()
    module_in(sick).write_text("")
    ended = checked(sick, sick.site / "ext")
    assert ended.status == 3 and "is truncated [CC4123]" in ended.out, ended


@behaviour
def separate_debug_information_is_not_checked():
    """It is not a library."""
    sick = Sick()
    module_in(sick)
    sick.gcc("-g", "-shared", "-fPIC", "main.c", "-o", "whole.so")
    equal(sick.run("objcopy", "--only-keep-debug", "whole.so", sick.site / "ext/libwhole.so.debug").status, 0)
    ended = checked(sick, sick.site / "ext")
    assert "CC4125" not in ended.out and ended.status != 3, ended


OWN = f"cpython-3{sys.version_info.minor}-x86_64-linux-gnu.so"


def imported(sick, name, **environment):
    """The last line of Python's message."""
    ended = sick.run(f"{sick.prefix}/bin/python", "-c", f"import {name}", **environment)
    return ended.err.strip().splitlines()[-1] if ended.status else ""


def module_of(sick, name, **environment):
    ended = sick.run(PROGRAM, "doctor", "--format=json", "--env", sick.prefix, name, **environment)
    return json.loads(ended.out)["files"][0]


def sick_package(code):
    """An environment with a module pkg._C of this code."""
    sick = Sick()
    sick.library(f"pkg/_C.{OWN}", code)
    (sick.site / "pkg/__init__.py").write_text("")
    return sick


@behaviour
def a_module_without_its_function_is_rejected():
    sick = sick_package(HELPER)
    real = imported(sick, "pkg._C")
    file = module_of(sick, "pkg._C")
    equal((file["verdict"], code_of(file)), ("reject", ["CC4126"]), file)
    equal(real, f"ImportError: {file['predicted']}")
    file = sick.doctor(sick.site / f"pkg/_C.{OWN}")
    assert file["verdict"] == "accept" and any(each["code"] == "CC4126" and each["severity"] == "warning"
                                               for each in file["findings"]), file
    sick.library(f"pkg/_C.{OWN}", INIT.format("_C"))
    equal(module_of(sick, "pkg._C")["verdict"], "accept")


@behaviour
def a_module_of_another_python_is_not_found():
    sick = sick_package(INIT.format("_C"))
    sick.library("pkg/_D.cpython-39-x86_64-linux-gnu.so", INIT.format("_D"))
    assert "No module named 'pkg._D'" in imported(sick, "pkg._D")
    file = module_of(sick, "pkg._D")
    equal(code_of(file), ["CC2021"], file)
    facts = {fact["label"]: fact["text"] for fact in file["findings"][0]["facts"]}
    equal(facts["only"], f"{sick.site}/pkg/_D.cpython-39-x86_64-linux-gnu.so, for Python 3.9", file)


@behaviour
def a_checkout_in_the_working_directory_hides_what_is_installed():
    sick = sick_package(INIT.format("_C"))
    (sick.work / "pkg").mkdir()
    (sick.work / "pkg/__init__.py").write_text("")
    assert "No module named 'pkg._C'" in imported(sick, "pkg._C")
    file = module_of(sick, "pkg._C")
    equal(code_of(file), ["CC2021"], file)
    facts = {fact["label"]: fact["text"] for fact in file["findings"][0]["facts"]}
    equal(facts["taken"], f"{sick.work}/pkg", file)
    assert any("before site-packages" in fix for fix in file["findings"][0]["fixes"]), file
    equal(module_of(sick, "pkg._C", PYTHONSAFEPATH="1")["verdict"], "accept")
    (sick.work / "pkg").rename(sick.work / "elsewhere")
    equal(module_of(sick, "pkg._C")["verdict"], "accept")


@behaviour
def a_folder_of_pythonpath_hides_what_is_installed():
    sick = sick_package(INIT.format("_C"))
    other = sick.work / "path/pkg"
    other.mkdir(parents=True)
    (other / "__init__.py").write_text("")
    sick.library(other / f"_C.{OWN}", HELPER)
    for value in (f"{sick.work}/path", "/nowhere:path", f"{sick.work}/path:/nowhere"):
        file = module_of(sick, "pkg._C", PYTHONPATH=value)
        assert file["path"].startswith("path/pkg/_C."), file
        assert "PyInit__C" in imported(sick, "pkg._C", PYTHONPATH=value)
        equal(file["verdict"], "reject")


def as_user(*words):
    return subprocess.run([str(word) for word in words], cwd="/", text=True, user=65534,
                          group=65534, extra_groups=[], capture_output=True,
                          env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"})


def asked(program, sick):
    """What an ordinary user gets from the loader and from doctor."""
    return (as_user("/usr/bin/python3", "-c", OPENER, sick.file),
            as_user(program, "doctor", "--format=json", sick.file))


@behaviour
def files_that_the_user_may_not_read_are_skipped_or_reported():
    if os.getuid() != 0:
        return
    others.leave_home()
    sick = sick_with("first", "second")
    for folder in (sick.root, sick.work):
        folder.chmod(0o755)
    program = others.program_in(sick.root)
    (sick.site / "first/libhelper.so").chmod(0o600)
    real, ended = asked(program, sick)
    file = json.loads(ended.stdout)["files"][0]
    equal((real.returncode, file["verdict"]), (0, "accept"), (real, ended))
    (sick.site / "second/libhelper.so").chmod(0o600)
    real, ended = asked(program, sick)
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


MOUNT = """
mount -t tmpfs -o noexec tmpfs "$1" && cp "$2" "$1/libhelper.so" && chmod a+rx "$1" || exit 77
shift 2
exec "$@"
"""


@behaviour
def a_mount_without_execution_ends_the_search():
    sick = sick_with("first", "second")
    mounted = ["unshare", "--mount", "sh", "-c", MOUNT, "sh", sick.site / "first",
               sick.site / "second/libhelper.so"]
    real = sick.run(*mounted, sys.executable, "-c", OPENER, sick.file)
    if real.status in (1, 77) and "failed to map" not in real.out:
        print("SKIPPED: no mount namespace here:", real.err.strip())
        return
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


def sick_for_two_machines():
    """The wheel's libcudart is for aarch64; a right copy is behind it."""
    sick = Sick("nvidia-cuda-runtime-cu12==12.4.127", "nvidia-nvjitlink-cu12==12.4.127")
    cudart = sick.lib("cuda_runtime", "libcudart.so.12")
    right = sick.site / "second/libcudart.so.12"
    right.parent.mkdir()
    shutil.copy(cudart, right)
    sick.extension(CUDART, needs=[cudart], rpath="$ORIGIN/../nvidia/cuda_runtime/lib:$ORIGIN/../second")
    make_foreign(cudart)
    return sick, cudart, right


@behaviour
def a_right_copy_after_one_for_another_machine_is_found():
    """Python's machine decides which of them are wrong."""
    sick, cudart, right = sick_for_two_machines()
    file = sick.doctor()
    equal((file["verdict"], [copy["path"] for copy in file["loaded"] if copy["name"] == cudart.name]),
          ("accept", [str(right)]), sick.text)
    sick.predicts(file)
    assert "aarch64" not in json.dumps(file), sick.text


@behaviour
def a_library_of_the_runtime_for_another_machine_is_rejected():
    sick, cudart, right = sick_for_two_machines()
    right.unlink()
    file = sick.doctor()
    equal((file["verdict"], code_of(file)), ("reject", ["CC4003"]), sick.text)
    sick.predicts(file)
    ended = checked(sick, sick.file, f"env:{sick.prefix}")
    equal(ended.status, 3, ended)
    assert "libcudart.so.12 of the runtime is for another machine [CC4003]" in ended.out, ended
    assert "--force-reinstall --no-deps nvidia-cuda-runtime-cu12==12.4.127" in ended.out, ended
    assert "python:      for x86_64" in ended.err, ended
    ended = checked(sick, cudart, f"env:{sick.prefix}")
    assert ended.status == 3 and "the file is for aarch64, the runtime for x86_64" in ended.out, ended


@behaviour
def without_a_python_the_machine_is_unknown():
    sick, _, right = sick_for_two_machines()
    right.unlink()
    for name in ("python", "python3"):
        (sick.prefix / "bin" / name).unlink(missing_ok=True)
    ended = checked(sick, sick.file, f"env:{sick.prefix}")
    assert "libraries for two machines" in ended.err and "python:" not in ended.err, ended
