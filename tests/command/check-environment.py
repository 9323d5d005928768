# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""If the runtime is an environment, `check` predicts the loader's result there: a failing dependency fails its
dependents, a symbol counts wherever it is defined, files that no file needs do not change the exit status, and files
for another Python or machine are left out."""
import json
import os

import schema
from binaries import JITLINK, PROGRAM, Binaries, equal, run

place = Binaries()
work = place.work
SPARSE = "libcusparse.so.12"


def library(path, soname, needs=(), source="", paths=("$ORIGIN",), node=None):
    """A library with its own NEEDED."""
    text = place.root / "own.c"
    text.write_text(source)
    target = work / path
    target.parent.mkdir(parents=True, exist_ok=True)
    words = [f"-Wl,--version-script={node}"] if node else []
    place.gcc("-shared", "-fPIC", text, "-o", target, f"-Wl,-soname,{soname}", "-Wl,--no-as-needed",
              *needs, f"-Wl,--disable-new-dtags,-rpath,{':'.join(paths)}", *words)
    return target


def environment(name, version="12.4", extra=None):
    """A cuSPARSE that imports the nvJitLink symbols of 12.4, and the nvJitLink of \\p version."""
    names = ["__nvJitLinkCreate_12_1"] + ["__nvJitLinkCreate_12_4"] * (version == "12.4")
    place.library("new/" + JITLINK, JITLINK, ["__nvJitLinkCreate_12_1", "__nvJitLinkCreate_12_4"])
    place.library("got/" + JITLINK, JITLINK, names)
    script = place.root / "sparse.map"
    script.write_text(f"{SPARSE} {{ global: *; }};\n")
    library("got/" + SPARSE, SPARSE, [work / "new" / JITLINK],
            "void __nvJitLinkCreate_12_4(void);\nvoid cusparseCreate(void) { __nvJitLinkCreate_12_4(); }\n",
            ["$ORIGIN/../../nvjitlink/lib"], script)
    patch = {"12.4": "12.4.127", "12.1": "12.1.105"}[version]
    site = place.site(name, {
        "nvidia-nvjitlink-cu12": (patch, {f"nvidia/nvjitlink/lib/{JITLINK}": f"got/{JITLINK}"}),
        "nvidia-cusparse-cu12": ("12.3.1.170", {f"nvidia/cusparse/lib/{SPARSE}": f"got/{SPARSE}"})})
    library(f"{site}/pkg/libmid.so", "libmid.so", [site / "nvidia/cusparse/lib" / SPARSE],
            "void cusparseCreate(void);\nvoid mid(void) { cusparseCreate(); }\n",
            ["$ORIGIN/../nvidia/cusparse/lib"])
    library(f"{site}/pkg/top.cpython-311-x86_64-linux-gnu.so", "top", [site / "pkg/libmid.so"],
            "void mid(void);\nvoid PyInit_top(void) { mid(); }\n")
    return site


def codes(file, severity="error"):
    return [each["code"] for each in file["findings"] if each["severity"] == severity]


class Answer:
    def __init__(self, words):
        self.ended = run(PROGRAM, *words, "--format=json", cwd=work)
        self.status, self.out = self.ended.returncode, self.ended.stdout
        self.json = schema.fit(json.loads(self.out), words[0])

    def __repr__(self):
        return repr(self.ended)


def program(*words):
    return Answer(words)


def judged(site, *words, **more):
    done = place.check(site, f"--runtime=env:{site.parents[2]}", *words, "--format=json", **more)
    return done, {os.path.basename(file["path"]): file for file in done.json["files"]}


# First everything is accepted; with an older nvJitLink, all files that depend on it fail.
site = environment("well")
done, files = judged(site)
equal((done.status, {file["verdict"] for file in files.values()}), (0, {"accept"}), done)
broken = environment("broken", "12.1")
done, files = judged(broken)
equal({name for name, file in files.items() if file["verdict"] == "reject"},
      {SPARSE, "libmid.so", "top.cpython-311-x86_64-linux-gnu.so"}, done)
for file in files.values():
    if file["verdict"] == "reject":
        equal(codes(file), ["CC4002"], done)
# With the broken environment as the runtime, a wheel is rejected too, wherever it is built.
place.wheel("pkg-1.0-py3-none-any.whl",
            {f"pkg/{name}": broken / "pkg" / name
             for name in ("libmid.so", "top.cpython-311-x86_64-linux-gnu.so")})
for name, status in (("well", 0), ("broken", 3)):
    place.site(f"{name}-empty", {})
    done = place.check("pkg-1.0-py3-none-any.whl", f"--runtime=env:{name}", "--format=json")
    equal(done.status, status, done)

# A missing library that is not CUDA's is a rejection with its own code, and is counted in the summary.
library("link/libmpi.so.40", "libmpi.so.40", source="void MPI_Init(void) {}\n")
mpi = "void MPI_Init(void);\nvoid PyInit_%s(void) { MPI_Init(); }\n"
library(f"{site}/pkg/mpi.cpython-311-x86_64-linux-gnu.so", "mpi", [work / "link/libmpi.so.40"],
        mpi % "mpi")
done, files = judged(site)
one = files["mpi.cpython-311-x86_64-linux-gnu.so"]
equal((done.status, one["verdict"], codes(one)), (3, "reject", ["CC4024"]), done)
text = place.check(site, broken / "pkg", f"--runtime=env:{site.parents[2]}").out
assert "1 rejected for libraries that are not CUDA's" in " ".join(text.split()), text
library(f"{broken}/pkg/mpi.cpython-311-x86_64-linux-gnu.so", "mpi", [work / "link/libmpi.so.40"],
        mpi % "mpi")
text = place.check(broken, f"--runtime=env:{broken.parents[2]}").out
assert "4 rejected, 1 of them for libraries that are not CUDA's" in " ".join(text.split()), text
done, files = judged(site, "--only", "cuda")
equal((done.status, files["mpi.cpython-311-x86_64-linux-gnu.so"]["verdict"]), (0, "accept"), done)
equal(place.check(site, "--only", "all", f"--runtime=env:{site.parents[2]}").status, 2)
# The tables do not know which distribution has it: it is not checked, and the report says so.
known = place.check(site / "pkg/mpi.cpython-311-x86_64-linux-gnu.so", "--runtime", "cuda==12.4",
                    "--format=json")
equal(known.status, 0, known)
assert "CC4209" in known.codes("remark"), known

# The same for a library that no file NEEDs and that is not an extension module.
os.rename(site / "pkg/mpi.cpython-311-x86_64-linux-gnu.so", site / "pkg/transport_mpi.so")
library(f"{site}/pkg/transport_mpi.so", "transport_mpi.so", [work / "link/libmpi.so.40"],
        mpi % "other")
done, files = judged(site)
one = files["transport_mpi.so"]
equal((done.status, one["verdict"], codes(one)), (0, "accept", []), done)
assert "CC4208" in codes(one, "remark"), one
# Where it is asked for by its name it has to load, for doctor and check alike; a package may have it.
for words in (("check", "--runtime", f"env:{site.parents[2]}", site / "pkg/transport_mpi.so"),
              ("doctor", "--env", site.parents[2], site / "pkg/transport_mpi.so"),
              ("doctor", "--env", site.parents[2], "pkg")):
    done = program(*words)
    [one] = [each for each in done.json["files"] if each["path"].endswith("transport_mpi.so")]
    asked = words[-1] != "pkg"
    equal((done.status, one["verdict"], codes(one)), (3 * asked, ["accept", "reject"][asked], ["CC4024"] * asked),
          (words, done))
# A module for another machine is that alone, not damaged or missing; a package's files for others are left out.
FOREIGN = "foreign.so"
(place.root / "own.c").write_text("int foreign(void) { return 0; }\n")
place.gcc("-shared", "-fPIC", "-nostdlib", place.root / "own.c", "-o", site / "pkg" / FOREIGN)
content = bytearray((site / "pkg" / FOREIGN).read_bytes())
content[18] = 183 if content[18] != 183 else 62
(site / "pkg" / FOREIGN).write_bytes(content)
for words in (("doctor", "--env", site.parents[2], site / "pkg" / FOREIGN), ("doctor", site / "pkg" / FOREIGN)):
    done = program(*words)
    equal((done.status, codes(done.json["files"][0])), (3, ["CC4031"]), done)
    assert "damaged" not in done.out and "is not found" not in done.out, done
done = program("doctor", "--env", site.parents[2], "pkg")
assert done.status == 0 and not any(each["path"].endswith(FOREIGN) for each in done.json["files"]), done
equal([each["code"] for each in done.json["environment"]["problems"]], ["CC4209"], done)
os.unlink(site / "pkg" / FOREIGN)
# If a module of the package NEEDs it, it must load.
USER = "user.cpython-311-x86_64-linux-gnu.so"
library(f"{site}/pkg/{USER}", "user", [site / "pkg/transport_mpi.so"])
done, files = judged(site)
equal((done.status, files["transport_mpi.so"]["verdict"], files[USER]["verdict"]),
      (3, "reject", "reject"), done)
for name in (USER, "transport_mpi.so"):
    (site / "pkg" / name).unlink()

# A symbol counts wherever it is defined, even if the library that usually has it is not needed.
library(f"{site}/pkg/libmine.so", "libmine.so", source="void __nvJitLinkCreate_12_8(void) {}\n")
library(f"{site}/pkg/uses.cpython-311-x86_64-linux-gnu.so", "uses", [site / "pkg/libmine.so"],
        "void __nvJitLinkCreate_12_8(void);\nvoid PyInit_uses(void) { __nvJitLinkCreate_12_8(); }\n")
done, files = judged(site)
one = files["uses.cpython-311-x86_64-linux-gnu.so"]
equal((done.status, one["verdict"], one["findings"]), (0, "accept", one["findings"]), done)
assert not [each for each in one["findings"] if each["severity"] != "remark"], one
(site / "pkg/libmine.so").unlink()
done, files = judged(site)
equal(files["uses.cpython-311-x86_64-linux-gnu.so"]["verdict"], "reject", done)
(site / "pkg/uses.cpython-311-x86_64-linux-gnu.so").unlink()

# A library whose name only begins like torch's is not torch's: its imports are checked.
library(f"{site}/pkg/libtorch_addon.so", "libtorch_addon.so",
        source="void _ZN3c105Error4whatEv(void);\nvoid use(void) { _ZN3c105Error4whatEv(); }\n")
done, files = judged(site)
equal((done.status, codes(files["libtorch_addon.so"])), (3, ["CC4024"]), done)
(site / "pkg/libtorch_addon.so").unlink()

# A package that is imported first may have loaded a library that the file does not NEED.
library(f"{site}/pkg/late.cpython-311-x86_64-linux-gnu.so", "late", (),
        "void cusparseCreate(void);\nvoid PyInit_late(void) { cusparseCreate(); }\n")
place.gcc("-shared", "-fPIC", place.root / "own.c", "-o", f"{site}/pkg/late.cpython-311-x86_64-linux-gnu.so",
          "-Wl,--no-as-needed", site / "nvidia/cusparse/lib" / SPARSE)
done, files = judged(site)
equal((done.status, files["late.cpython-311-x86_64-linux-gnu.so"]["verdict"]), (3, "reject"), done)
done, files = judged(site, "--before", site / "pkg/libmid.so")
equal((done.status, files["late.cpython-311-x86_64-linux-gnu.so"]["verdict"]), (0, "accept"), done)
done = place.check(site, f"--runtime=env:{work}/well", "--before", "nowhere")
assert done.status == 4 and "--before nowhere: no file of it was found" in done.out + done.err, done
done = place.check(site, "--runtime", "cuda==12.4", "--before", "torch")
assert done.status == 2 and "--before is about an environment" in done.err, done
(site / "pkg/late.cpython-311-x86_64-linux-gnu.so").unlink()

# Modules of another Python and stubs for other machines are never loaded: left out, and counted.
top = site / "pkg/top.cpython-311-x86_64-linux-gnu.so"
library(f"{site}/pkg/top.cpython-39-x86_64-linux-gnu.so", "top", [work / "link/libmpi.so.40"])
stub = library(f"{site}/pkg/qnx/libstub.so", "stub", ["-nostdlib"])
header = bytearray(stub.read_bytes())
header[18] = 183
stub.write_bytes(header)
(site / "nvidia/nvjitlink/lib/stubs").mkdir()
(site / f"nvidia/nvjitlink/lib/stubs/{JITLINK}").write_bytes(header)
done, files = judged(site)
equal((done.status, sorted(files)),
      (0, ["libcusparse.so.12", "libmid.so", JITLINK, "top.cpython-311-x86_64-linux-gnu.so"]), done)
(skipped,) = done.json["problems"]
equal((skipped["code"], skipped["message"], {each["label"] for each in skipped["facts"]}),
      ("CC4209", "3 files are not judged: never loaded with the others",
       {"for Python 3.9", "for aarch64"}), done)
# Given by name, the file is checked.
named = place.check(site / "pkg/top.cpython-39-x86_64-linux-gnu.so", f"--runtime=env:{work}/well",
                    "--format=json")
equal(named.status, 3, named)

# An environment without CUDA provides none (F27).
bare = place.site("bare", {})
library(f"{bare}/own/libmine.so", "libmine.so", source="void mine(void) {}\n")
library(f"{bare}/own/ext.cpython-311-x86_64-linux-gnu.so", "ext", [bare / "own/libmine.so"],
        "void mine(void);\nvoid PyInit_ext(void) { mine(); }\n")
done = place.check(bare, "--runtime", f"env:{bare.parents[2]}")
assert done.status == 4 and "[CC2007]" in done.err, done
