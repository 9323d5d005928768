# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Meson's subproject cuda-cc, from a toolchain directory, an installation and a copy in the project: its dependency,
its tests and the check of installed files. It stops if the compilers bypass cuda-cc (R44), and fails the link if only
the link does."""
import os
import shutil
from pathlib import Path

import note
from behaviour import behaviour
from meson_project import NEWEST, good, meson, project, toolchain
from sandbox import Sandbox, equal

ROOT = Path(__file__).resolve().parents[2]
sandbox = Sandbox()
td = toolchain(sandbox)
prefix = sandbox.work / "prefix"
good(sandbox.run("cmake", "--install", os.environ["CUDACC_TEST_BUILD"], "--prefix", prefix))
D = "$ORIGIN/../nvidia/cu13/lib"
HEAD = """project('p', 'cpp', version: '1')
cuda = dependency('cuda', modules: ['cudart'])
cuda_cc = dependency('cuda-cc', version: '>=0.1')
"""
TEXT = HEAD + """ext = shared_library('ext', 'only.cpp', dependencies: [cuda, cuda_cc], install: true, version: '1.2.3')
test('cuda-cc.ext', find_program('cuda-cc'), args: ['check', ext])
message('program', find_program('cuda-cc').full_path(), cuda_cc.get_variable('program'))
"""
PLAIN = "project('p', 'cpp', version: '1')\ndependency('cuda-cc')\n"
native = f"--native-file={td}/native.ini"
inside = {"CUDA_PATH": td}
subprojects = sandbox.work / "p/subprojects"


def fresh(text, source, *options, version=NEWEST, **environment):
    """Configures a new build directory, with the subproject as it is in \\p source."""
    project(sandbox, text)
    shutil.rmtree(sandbox.work / "b", ignore_errors=True)
    shutil.rmtree(subprojects, ignore_errors=True)
    subprojects.mkdir()
    if source == "copy":
        shutil.copytree(ROOT / "meson", subprojects / "cuda-cc")
        sandbox.write("p/subprojects/cuda-cc.wrap", "[wrap-file]\ndirectory = cuda-cc\n[provide]\n"
                      "dependency_names = cuda-cc\nprogram_names = cuda-cc\n")
    else:
        (subprojects / "cuda-cc").symlink_to(source)
    return meson(sandbox, "setup", "../b", f"--prefix={sandbox.work}/i", "--libdir=lib",
                 "--force-fallback-for=cuda-cc", *options,
                 version=version, **{**inside, **environment})


def stops(done, *words):
    shown = " ".join((done.out + done.err).split())
    assert done.status, done
    for word in words:
        assert word in shown, (word, done)


@behaviour
def the_version_is_the_programs_and_the_files_are_the_same():
    spoken = sandbox.good("version").out.split()[1]
    assert f"version: '{spoken}'" in (ROOT / "meson/meson.build").read_text(), spoken
    for place in (td / "meson", prefix / "share/cuda-cc/meson"):
        equal({path.name: path.read_text() for path in place.iterdir()},
              {path.name: path.read_text() for path in (ROOT / "meson").iterdir()}, place)


@behaviour
def the_test_and_the_installation_check_the_linked_files():
    for source, version in ((td / "meson", "1.0.1"), (prefix / "share/cuda-cc/meson", NEWEST)):
        done = good(fresh(TEXT, source, native, "-Dcuda-cc:verify_install=true", version=version))
        assert f"program {td}/bin/cuda-cc {td}/bin/cuda-cc" in done.out, done
        done = good(meson(sandbox, "test", "-C", "../b", version=version))
        assert "1/1 " in done.out and "cuda-cc.ext" in done.out, done
        if version == "1.0.1":
            good(meson(sandbox, "install", "-C", "../b", "--destdir", sandbox.work / "dest", version=version))
    lib = sandbox.work / f"dest{sandbox.work}/i/lib"
    equal(sorted(path.name for path in lib.iterdir()), ["libext.so", "libext.so.1", "libext.so.1.2.3"])
    assert note.manifest(lib / "libext.so").link and D in note.elf(lib / "libext.so").rpath


@behaviour
def other_installed_files_are_checked_too():
    """A library linked without cuda-cc, in a folder."""
    good(sandbox.run("g++", "-shared", "-fPIC", "p/only.cpp", f"-I{td}/include", f"{td}/lib64/libcudart.so", "-o",
                     sandbox.write("p/data/libother.so")))
    sandbox.write("p/data/note.txt", "no library\n")
    good(fresh(PLAIN + "install_subdir('data', install_dir: 'lib')\n", "copy", native,
               "-Dcuda-cc:verify_install=true", version="1.0.1"))
    stops(meson(sandbox, "install", "-C", "../b", version="1.0.1"), "libother.so", "[CC4",
          "were rejected (exit status 3)")


@behaviour
def compilers_that_are_not_cuda_cc_stop_it():
    """R44: for each language separately."""
    launched = f"[binaries]\ncpp = ['{td}/bin/cuda-cc', 'g++']\n"
    other = sandbox.write("other/nvcc", "#!/bin/sh\nexit 1\n")
    other.chmod(0o755)
    for own, path, languages, language, named in (
            ("", "", None, "cpp", "c++"),
            (launched, f"{other.parent}:", None, "cuda", str(other)),
            (launched, f"{other.parent}:", "cpp", None, None),
            (launched + "c = '/usr/bin/gcc'\n", f"{td}/bin:", "c,cpp", "c", "/usr/bin/gcc")):
        sandbox.write("own.ini", own)
        done = fresh(PLAIN, td / "meson", f"--native-file={sandbox.work}/own.ini",
                     *([f"-Dcuda-cc:languages={languages}"] if languages else []), PATH=path + sandbox.path)
        if language:
            stops(done, "the build bypasses cuda-cc", f"compiler for {language} is", named,
                  "--native-file=DIR/native.ini", "-Dcuda-cc:languages")
        else:
            good(done)


@behaviour
def a_link_that_bypasses_cuda_cc_fails():
    """With compilers named by the environment."""
    wrapper = sandbox.write("wrapper", f"#!/bin/sh\ncase \"$*\" in *libext*-shared*) exec g++ \"$@\";; esac\n"
                            f"exec {td}/bin/g++ \"$@\"\n")
    wrapper.chmod(0o755)
    good(fresh(TEXT, td / "meson", CXX=f"ccache {wrapper}", PATH=f"{td}/bin:{sandbox.path}"))
    stops(meson(sandbox, "compile", "-C", "../b"), "--cudacc-require")
    assert not (sandbox.work / "b/libext.so.1.2.3").exists()
