# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%S/../integration:%support %python -B %s
"""Names of torch's own libraries, checked against a release, a range and an environment; the table is opened only if
a file imports such names."""
import json
import re
import shutil
from pathlib import Path

from packaging.specifiers import SpecifierSet
from packaging.version import Version

import madewheel
from binaries import PROGRAM, Binaries, Checked, equal, run
from documented import follows, instead, shows

place = Binaries()
work = place.work
DECREF = "_ZNK3c1010TensorImpl15decref_pyobjectEv"
CHECK = "_ZN3c106detail14torchCheckFailEPKcS2_jRK"
OLD, NEW = CHECK + "Ss", CHECK + "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"


def library(path, soname, names, *flags):
    path = work / path
    path.parent.mkdir(parents=True, exist_ok=True)
    (work / "own.c").write_text("".join(f"void {name}(void) {{}}\n" for name in names))
    place.gcc("-shared", "-fPIC", "own.c", "-o", path, f"-Wl,-soname,{soname}", *flags)
    return path


def extension(path, names, *libraries, needed="libc10.so"):
    libraries = [library(f"link/{needed}", needed, [])] * bool(needed) + list(libraries)
    (work / "ext.c").write_text("".join(f"void {name}(void);\n" for name in names) + "void init(void) {"
                                + "".join(f"{name}();" for name in names) + "}\n")
    (work / path).parent.mkdir(parents=True, exist_ok=True)
    place.gcc("-shared", "-fPIC", "ext.c", "-o", path, "-Wl,--no-as-needed", *libraries,
              "-Wl,-z,noexecstack,--allow-shlib-undefined,--disable-new-dtags,-rpath,$ORIGIN")
    return work / path


def judged(*words):
    done = place.check(*words, "--format=json")
    return done, done.json["files"]


def facts(finding):
    return {each["label"]: each["text"] for each in finding["facts"]}


# A name that one release has and the other lacks.
extension("ext.so", [DECREF])
for release, status in (("2.5.1", 3), ("2.9.1", 3), ("2.10.0", 0), ("2.11.0", 0)):
    done, (file,) = judged("ext.so", "--runtime", f"torch=={release}")
    equal((done.status, done.codes()), (status, ["CC4129"] if status else []), done)
    equal((file["torch"]["range"], file["torch"]["imports"]), (">=2.10,<=2.15.0", 1), done)
done, (file,) = judged("ext.so", "--runtime", "torch==2.5.1")
(error,) = [each for each in file["findings"] if each["severity"] == "error"]
equal((error["message"], error["symbol"], error["library"]),
      ("torch 2.5.1 lacks c10::TensorImpl::decref_pyobject", DECREF, "libc10.so"), error)
equal(facts(error)["name"], "c10::TensorImpl::decref_pyobject() const", error)
assert facts(error)["exported by"].startswith("torch >=2.10,"), error
assert "pip install 'torch>=2.10,<=2.15.0'" in error["fixes"], error
assert any("build against torch==2.5.1" in each for each in error["fixes"]), error
# The range is that of the releases that the file loads with: torch's names, CUDA's libraries, the metadata.
# An installer takes the newest of it, which the same call accepts.
RELEASES = "2.5.1 2.8.0 2.9.1 2.10.0 2.11.0 2.12.1 2.14.1 2.15.0".split()


def fitting(path, release):
    done, files = judged(path, "--runtime", f"torch=={release}")
    [error] = [each for each in files[0]["findings"] if each["code"] == "CC4129"]
    [fix] = [each for each in error["fixes"] if each.startswith("pip install")]
    return error, fix


def newest_of(fix):
    allowed = SpecifierSet(fix.split("'torch")[1].rstrip("'"))
    return max((each for each in RELEASES if each in allowed), key=Version)


cudart12, cudart13 = (library(f"link/libcudart.so.{major}", f"libcudart.so.{major}", []) for major in (12, 13))
for cudart, fix in ((cudart12, "pip install 'torch>=2.10,<2.11'"), (cudart13, "pip install 'torch>=2.11,<=2.15.0'")):
    path = extension("cuda.so", [DECREF], cudart)
    error, said = fitting(path, "2.9.1")
    equal(said, fix, error)
    equal(place.check(path, "--runtime", f"torch=={newest_of(said)}").status, 0)
    equal(facts(error)["file fits"], f"torch {fix.split(chr(39))[1][5:]}; its names alone >=2.10,<=2.15.0", error)
    text = place.check(path, "--against", "all").out
    assert f"Requires-Dist: {fix.split(chr(39))[1]}\n" in text, text
    assert f"needs torch {fix.split(chr(39))[1][5:]}" in " ".join(text.split()), text
# As docs/python.md shows it.
(work / "dist").mkdir()
madewheel.write(work / "dist/ext-1.0-py3-none-any.whl", {
    "ext.cpython-311-x86_64-linux-gnu.so": extension("cuda.so", [DECREF], cudart12).read_bytes()})
[command] = follows("python", "Which torch an extension fits")["Which torch an extension fits"].commands
instead(command)
shows("python", run("sh", "-c", command, cwd=work, PATH=f"{Path(PROGRAM).parent}:/usr/bin:/bin").stdout)
# No wheel of PyPI has both; a build of PyTorch's own index does, of the oldest release that the metadata allows.
REMOVED = "_ZN3c104cuda29c10_cuda_check_implementationEiPKcS2_ib"
path = extension("old.so", [REMOVED], cudart13)
error, said = fitting(path, "2.11.0")
assert re.fullmatch(r"pip install 'torch==2\.[0-9.]+\+cu130' --index-url https://\S+/whl/cu130", said), said
assert "file fits" not in facts(error) and facts(error)["names fit"] == "torch >=2.0,<2.10", error
assert "torch: no release on PyPI" in place.check(path, "--against", "all").out
made = work / "old-1.0-py3-none-any.whl"
madewheel.write(made, {"old/ext.so": path.read_bytes()}, "torch==2.9.1")
error, said = fitting(made, "2.11.0")
equal(said, "pip install 'torch==2.9.1+cu130' --index-url https://download.pytorch.org/whl/cu130", error)
# No fix contradicts what the package requires.
new = extension("new.so", [DECREF], cudart12).read_bytes()
madewheel.write(made, {"old/ext.so": new}, "torch>=2.11")
equal(fitting(made, "2.9.1")[1],
      "pip install 'torch==2.11.0+cu126' --index-url https://download.pytorch.org/whl/cu126")
madewheel.write(made, {"old/ext.so": new}, "torch>=3")
done, files = judged(made, "--runtime", "torch==2.9.1")
assert not re.search("pip install '?torch", json.dumps(files)), files
# --only cuda skips findings that do not concern CUDA.
equal(place.check("ext.so", "--runtime", "torch==2.5.1", "--only", "cuda").status, 0)
# If the runtime does not contain torch, its release is unknown.
equal(place.check("ext.so", "--runtime", "cuda==12.4").status, 0)

# Weak names may be missing; in an object they may still be linked.
(work / "weak.c").write_text(f"void {DECREF}(void) __attribute__((weak));\nvoid init(void) {{ {DECREF}(); }}\n")
place.gcc("-shared", "-fPIC", "weak.c", "-o", "weak.so", "-Wl,--no-as-needed", work / "link/libc10.so")
equal(place.check("weak.so", "--runtime", "torch==2.5.1").status, 0)
place.object("ext.o", [DECREF])
done = place.check("ext.o", "--runtime", "torch==2.5.1", "--format=json")
equal((done.status, done.codes("warning")), (0, ["CC4129"]), done)

# The ABI of std::string, in both directions: one finding, with the definition to set.
for name, release, status, definition in ((NEW, "2.5.1", 3, 0), (OLD, "2.5.1", 0, 0),
                                          (OLD, "2.7.0", 3, 1), (NEW, "2.7.0", 0, 1),
                                          (NEW, "2.6.0", 3, 0)):
    extension("strings.so", [name])
    done, (file,) = judged("strings.so", "--runtime", f"torch=={release}")
    equal((done.status, done.codes()), (status, ["CC4130"] if status else []), done)
    text = place.check("strings.so", "--runtime", f"torch=={release}").out
    assert (f"-D_GLIBCXX_USE_CXX11_ABI={definition}" in text) == bool(status), text
# PyPI's wheel of 2.6.0 has the old strings; builds for other CUDA lines may differ.
done = place.check("strings.so", "--runtime", "torch==2.6.0+cu126", "--format=json")
equal((done.status, done.codes()), (4, ["CC2104"]), done)

# A name that a file of the same package defines is not torch's.
neighbour = library("pkg/libmine.so", "libmine.so", ["_ZN2at6vision3opsEv"])
extension("pkg/user.abi3.so", ["_ZN2at6vision3opsEv"], neighbour)
members = {f"pkg/{name}": work / "pkg" / name for name in ("libmine.so", "user.abi3.so")}
place.wheel("pkg-1.0-py3-none-any.whl", members)
equal(place.check("pkg-1.0-py3-none-any.whl", "--runtime", "torch==2.10.0").status, 0)
library("pkg/libmine.so", "libmine.so", ["somethingElse"])
place.wheel("pkg-1.0-py3-none-any.whl", members)
done = place.check("pkg-1.0-py3-none-any.whl", "--runtime", "torch==2.10.0", "--format=json")
equal((done.status, done.codes()), (3, ["CC4129"]), done)
# A name that a library of the wheel lacks fails its dependents too.
extension("pkg/libmine.so", [DECREF])
place.wheel("pkg-1.0-py3-none-any.whl", members)
done, files = judged("pkg-1.0-py3-none-any.whl", "--runtime", "torch==2.5.1")
equal({file["path"].rsplit("/")[-1]: file["verdict"] for file in files},
      {"libmine.so": "reject", "user.abi3.so": "reject"}, done)
# A library that was not read may define it.
extension("other.so", [DECREF], library("link/libother.so", "libother.so", []))
done = place.check("other.so", "--runtime", "torch==2.5.1", "--format=json")
equal((done.status, done.codes()), (4, ["CC2104"]), done)

# Over all releases the result is a range, not only a minimum.
done = place.check("ext.so", "--against", "all")
equal(done.first, "ext.so needs torch >=2.10,<=2.15.0", done)
assert "\nRequires-Dist: torch>=2.10,<=2.15.0\n" in done.out, done
# A table has names as they are read; JSON has all of them.
assert "c10::TensorImpl::decref_pyobject" in done.out and DECREF not in done.out, done
assert DECREF in place.check("ext.so", "--against", "all", "--format=json").out
extension("both.so", [DECREF, OLD])
done = place.check("both.so", "--against", "torch>=2.5,<2.6", "--against", "torch>=2.10,<2.11")
equal(done.status, 3, done)
assert "no release that was read exports all" in done.out, done
shown = run(PROGRAM, "inspect", "ext.so", cwd=work).stdout
assert ">=2.10,<=2.15.0, by 1 name that it imports" in " ".join(shown.split()), shown

# SARIF and the HTML page contain the code and the missing name.
done = place.check("ext.so", "--runtime", "torch==2.5.1", "--format=sarif", "--report", "page.html")
assert '"CC4129"' in done.out and "decref_pyobject" in done.out, done
page = (work / "page.html").read_text()
assert "CC4129" in page and "torch &gt;=2.10,&lt;=2.15.0" in page, page

# In an environment its own files decide.
for release, names in (("2.5.1", [OLD]), ("2.10.0", [DECREF, NEW])):
    own = library("staged/lib/libc10.so", "libc10.so", names)
    extension("staged/lib/libtorch_python.so", [], own, needed=None)
    (work / "staged/version.py").write_text(f"__version__ = '{release}+cu124'\ncuda = '12.4'\n")
    (work / "staged/__init__.py").write_text("")
    files = ("lib/libc10.so", "lib/libtorch_python.so", "version.py", "__init__.py")
    place.site(release, {"torch": (release, {f"torch/{name}": f"staged/{name}" for name in files})})
for release, file, codes in (("2.5.1", "ext.so", ["CC4129"]), ("2.10.0", "ext.so", []),
                             ("2.10.0", "strings.so", []), ("2.5.1", "strings.so", ["CC4130"])):
    done = place.check(file, "--runtime", f"env:{work}/{release}", "--format=json")
    own = [code for code in done.codes() if code.startswith("CC41")]
    equal(own, codes, done)

# Another torch is proposed only if it has the file's names.
JITLINK = "libnvJitLink.so.12"
EVERYWHERE = "_ZN3c104warnERKNS_7WarningE"
library("staged/lib/libc10.so", "libc10.so", [OLD, EVERYWHERE])
place.library(f"staged/{JITLINK}", JITLINK, ["__nvJitLinkCreate_12_4"])
(work / "staged/version.py").write_text("__version__ = '2.5.1+cu124'\ncuda = '12.4'\n")
place.site("jit", {"torch": ("2.5.1", {f"torch/{name}": f"staged/{name}" for name in
                                       ("lib/libc10.so", "lib/libtorch_python.so", "version.py")}),
                   "nvidia-nvjitlink-cu12": ("12.4.127", {
                       f"nvidia/nvjitlink/lib/{JITLINK}": f"staged/{JITLINK}"})})
newer = place.library(f"newer/{JITLINK}", JITLINK, ["__nvJitLinkCreate_12_6"])
for name, proposed in ((EVERYWHERE, True), (OLD, False)):
    (work / "both.c").write_text(f"void {name}(void);\nvoid __nvJitLinkCreate_12_6(void);\n"
                                 f"void init(void) {{ {name}(); __nvJitLinkCreate_12_6(); }}\n")
    place.gcc("-shared", "-fPIC", "both.c", "-o", "both.so", "-Wl,--no-as-needed",
              work / "link/libc10.so", newer, "-Wl,-z,noexecstack,--allow-shlib-undefined",
              "-Wl,--disable-new-dtags,-rpath,$ORIGIN/../nvidia/nvjitlink/lib")
    done = place.check("both.so", "--runtime", f"env:{work}/jit", "--format=json")
    equal((done.status, done.codes()), (3, ["CC4002"]), done)
    fixes = " ".join(done.json["files"][0]["findings"][0]["fixes"])
    equal("torch==2." in fixes, proposed, fixes)

# After torch everything that it brings is loaded: a release that brings a newer one is a fix.
(work / "both.c").write_text("void __nvJitLinkCreate_12_6(void);\nvoid init(void) { __nvJitLinkCreate_12_6(); }\n")
place.gcc("-shared", "-fPIC", "both.c", "-o", "plain.so", newer, "-Wl,-z,noexecstack,-z,now")
done = Checked(run(PROGRAM, "doctor", "plain.so", "--env", "jit", "--before", "torch", cwd=work))
assert done.status == 3 and "1. raise torch to 2.7.0 (CUDA 12.6)" in done.out, done

# Without its table the program cannot decide, and names the missing file; other files do not need it.
alone = work / "alone/bin/cuda-cc"
alone.parent.mkdir(parents=True)
shutil.copy(PROGRAM, alone)


def alone_on(file, *words):
    return Checked(run(alone, "check", file, "--runtime", "torch==2.10.0", *words, cwd=work))


done = alone_on("ext.so", "--format=json")
equal((done.status, done.codes()), (4, ["CC2104"]), done)
assert "the table of torch's names is missing" in done.out and "torch-names.bin" in done.out, done
equal(alone_on("ext.so", "--strict").status, 3)
place.extension("plain.so", {"libcudart.so.12": ["cudaMalloc"]})
equal(alone_on("plain.so").status, 0)
table = (Path(PROGRAM).resolve().parent / "torch-names.bin").read_bytes()
beside = alone.parent / "torch-names.bin"
beside.write_bytes(table)
equal(alone_on("ext.so").status, 0)
for broken in (table[:1000], table[:-1], b"", b"no table", bytes(reversed(table))):
    beside.write_bytes(broken)
    done = alone_on("ext.so", "--format=json")
    equal((done.status, done.codes()), (4, ["CC2104"]), done)
