# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""`cuda-cc toolchain DIR`: its content, the programs that its compilers start, when it is made again and when it
is kept, and errors about places where it cannot be made (AT28)."""
import json
import os
import shutil
import stat
import subprocess

import schema
from recording import PROGRAM, Place, equal

place = Place("12.4")
place.write("k.cu")
place.write("x.cpp")
(place.toolkit / "lib64/libcudart.so.12").write_text("")
td = place.work / "td"

def made(ended, did):
    equal((ended.status, ended.err), (0, ""), did)
    assert ended.out.splitlines()[0].endswith(f": {did}"), ended.out

def left():
    return sorted(path.name for path in place.work.iterdir())

before = left()
listing = place.call("toolchain", "td", "--print", "--runtime=cuda==12.4").out.splitlines()
assert "lib64/libcudart.so -> libcudart.so.12" in listing, listing
assert f"bin/ptxas -> {place.toolkit}/bin/ptxas" in listing and "bin/g++ (cuda-cc)" in listing
equal(left(), before, "--print makes nothing")

made(place.call("toolchain", "td", "--runtime=cuda==12.4"), "made")
equal(left(), sorted([*before, "td"]), "nothing else")
names = {line.split(" -> ")[0].split(" (")[0] for line in listing}
held = {str(path.relative_to(td)) for path in td.rglob("*") if path.is_symlink() or path.is_file()}
equal(held, names, "what --print says is what is made")
for path in td.rglob("*"):
    if path.is_file() and not path.is_symlink():
        assert not path.stat().st_mode & stat.S_IWUSR, path
facts = (td / "cuda-cc.facts").read_bytes()
inode = (td / "bin/nvcc").stat().st_ino
made(place.call("toolchain", "td", "--runtime=cuda==12.4"), "up to date")
equal((td / "bin/nvcc").stat().st_ino, inode, "left alone")

# R4, R11: the real driver program under the directory's name, the recorded compilers.
def once(ended, program, argv0, words):
    equal(ended.only.program, str(program))
    equal(ended.only.argv[0], str(argv0))
    equal([word for word in ended.only.arguments if "records/" not in word and word != "-include"],
          [str(word) for word in words])
    equal((ended.status, ended.err), (0, ""), words)

def inside(name, *words, **environment):
    return place.call(td / f"bin/{name}", *words, program=None, **environment)

# The facts that config caches about the directory's nvcc are used by its compiles too.
equal(inside("cuda-cc", "config", "--cflags", "cudart").status, 0)
once(inside("nvcc", "--version"), place.nvcc, td / "bin/nvcc", ["--version"])
# P24, F4: a compile gets the real host compiler, not the shim that is first on PATH.
once(inside("nvcc", "-c", "k.cu"), place.nvcc, td / "bin/nvcc",
     [f"-ccbin={place.bin}/gcc", "-c", "k.cu"])
for named in ("g++", td / "bin/g++"):
    once(inside("nvcc", "-ccbin", named, "-c", "k.cu"), place.nvcc, td / "bin/nvcc",
         [f"-ccbin={place.bin}/g++", "-c", "k.cu"])
linked = inside("nvcc", "-v", "-c", "k.cu").last
assert f"-ccbin={td}/bin" in linked.arguments, linked.arguments
once(inside("cuda-cc", "-c", "k.cu"), place.nvcc, td / "bin/nvcc",
     [f"-ccbin={place.bin}/gcc", "-c", "k.cu"])
# Its headers follow all others, and are not added if CMake queries a compiler's default directories.
after = ["-idirafter", f"{td}/include"]
once(inside("g++", "-c", "x.cpp"), place.bin / "g++", place.bin / "g++", [*after, "-c", "x.cpp"])
once(inside("cuda-cc", "g++", "-c", "x.cpp"), place.bin / "g++", place.bin / "g++",
     [*after, "-c", "x.cpp"])
once(inside("g++", "-v", "-c", "x.cpp"), place.bin / "g++", place.bin / "g++", ["-v", "-c", "x.cpp"])
once(inside("g++", "-c", "x.cpp", "-idirafter", "mine"), place.bin / "g++", place.bin / "g++",
     ["-idirafter", "mine", *after, "-c", "x.cpp", "-idirafter", "mine"])
once(inside("g++", "-c", "x.cpp", _HERE_="/h", TOP="/t"), place.bin / "g++", place.bin / "g++",
     ["-c", "x.cpp"])
# R26 (d): the launcher starts the program itself, after the check, with the directory as its root; a call that is not a
# compile starts cuda-cc.
launched = inside("cuda-cc", "ccache", "nvcc", "-c", "k.cu").only
equal((launched.name, [word for word in launched.arguments if "records/" not in word]),
      ("ccache", [f"{td}/libexec/nvcc", f"-ccbin={place.bin}/gcc", "-c", "k.cu", "-include"]))
assert (td / "libexec/nvcc").samefile(place.nvcc) and (td / "libexec/nvcc.profile").exists()
launched = inside("cuda-cc", "ccache", "nvcc", "k.o", "-o", "k").only
equal((launched.name, launched.arguments), ("ccache", [f"{td}/bin/nvcc", "k.o", "-o", "k"]))
# 5.5: contradicting declarations are an error.
ended = inside("nvcc", "--cudacc-runtime=cuda==12.6", "-c", "k.cu")
assert ended.status == 2 and "CC1005" in ended.err and not ended.started, ended

def answer(*words):
    return schema.fit(json.loads(place.call("toolchain", *words, "--format=json").out), "toolchain")

equal(answer("--check", "td")["did"], "matches")
equal(answer("td", "--runtime=cuda==12.4")["did"], "up to date")
whole = answer("td", "--print", "--runtime=cuda==12.4")
equal(whole["directory"], str(td))
equal({entry["path"] for entry in whole["entries"]}, names)
equal(place.call("toolchain", "--check", "none").status, 4)
equal(place.call("toolchain", "--check", place.root).status, 4)
equal(inside("cuda-cc", "toolchain", "--check").out, f"{td}: matches\n")

# Another declaration makes another directory at the same path, with another fingerprint in the compilers.
old = (td / "bin/nvcc").read_bytes()
made(place.call("toolchain", "td", "--runtime=cuda==12.6"), "made again")
new = (td / "bin/nvcc").read_bytes()
assert len(old) == len(new) and old != new and old[:-17] == new[:-17]
equal(left(), sorted([*before, "td"]), "the old one is gone")
# Made by a compiler of its own: the fingerprint is not added twice.
made(inside("cuda-cc", "toolchain", "td2", "--runtime=cuda==12.6"), "made")
equal(len((place.work / "td2/bin/nvcc").read_bytes()), len(new))
facts = (place.work / "td2/cuda-cc.facts").read_text().replace(f"{td}2\n", f"{td}\n")
equal(facts, (td / "cuda-cc.facts").read_text(), "equal but for the place")
# Moved (AT28): its compilers work, but files that contain its path do not, so it is made again.
(place.work / "td2").rename(place.work / "td3")
equal(place.call(place.work / "td3/bin/g++", "-c", "x.cpp", program=None).status, 0)
ended = place.call("toolchain", "--check", "td3")
assert ended.status == 3 and "CC2018" in ended.err, ended
assert f"moved: from {td}2 " in " ".join(ended.err.split()), ended
made(place.call("toolchain", "td3", "--runtime=cuda==12.6"), "made again")
equal(place.call("toolchain", "--check", "td3").status, 0)
assert f"{td}3" in (place.work / "td3/native.ini").read_text()
shutil.rmtree(place.work / "td3")

# Checked before anything is written, with a compile's message.
ended = place.call("toolchain", "no", "--runtime=cuda==12.3")
assert ended.status == 3 and "[CC3001]" in ended.err, ended
for word, status in (("--runtime=cuda==9", 4), ("--runtime=nonsense", 2), ("--toolkit=/none", 4),
                     ("--host-compiler=/none/g++", 4), ("--frob", 2), ("two", 2)):
    ended = place.call("toolchain", "no", word)
    assert ended.status == status and "cuda-cc: error" in ended.err, (word, ended)
equal(place.call("toolchain").status, 2)
equal(place.call("toolchain", "").status, 2)
equal(left(), sorted([*before, "td"]), "nothing was made")

# Another host compiler, under its own name, and for nvcc if the line names none.
made(place.call("toolchain", "hc", "--runtime=cuda==12.4", "--host-compiler=clang++"), "made")
hc = place.work / "hc/bin"
once(place.call(hc / "nvcc", "-c", "k.cu", program=None), place.nvcc, hc / "nvcc",
     [f"-ccbin={place.bin}/clang++", "-c", "k.cu"])
equal(place.call(hc / "clang++", "--version", program=None).only.program, str(place.bin / "clang++"))
equal(place.call(hc / "g++", "--version", program=None).only.program, str(place.bin / "g++"))
shutil.rmtree(place.work / "hc")

# Another file at its path is an error; an empty directory is used.
place.write("taken/file")
for taken in ("taken", "taken/file"):
    ended = place.call("toolchain", taken, "--runtime=cuda==12.4")
    assert ended.status == 2 and "another file" in ended.err, ended
(place.work / "taken/file").unlink()
made(place.call("toolchain", "taken", "--runtime=cuda==12.4"), "made")
(place.work / "taken/cuda-cc.facts").chmod(0o644)
(place.work / "taken/cuda-cc.facts").write_text("damaged")
ended = place.call("toolchain", "taken", "--runtime=cuda==12.4")
assert ended.status == 4 and "damaged" in ended.err, ended
shutil.rmtree(place.work / "taken")

# A file that the user added is named, and nothing is written; after its removal it works.
def foreign(*facts, where=td, words=("--runtime=cuda==12.4",), **environment):
    kept = {path: path.lstat() for path in where.rglob("*")}
    ended = place.call("toolchain", where, *words, **environment)
    said = " ".join(ended.err.split())
    equal((ended.status, ended.out, "[CC1013]" in said), (2, "", True), ended.err)
    for fact in (f"directory: {where} ", *facts, "fix: move them elsewhere", "fix: make another directory: "
                 f"cuda-cc toolchain {where}-2 --runtime=cuda==12.4"):
        assert fact in said, (fact, ended.err)
    assert len(ended.err.splitlines()[0]) <= 77, ended.err
    now = {path: path.lstat() for path in where.rglob("*")}
    equal({path: (st.st_ino, st.st_mtime_ns) for path, st in now.items()},
          {path: (st.st_ino, st.st_mtime_ns) for path, st in kept.items()}, "nothing was touched")
    equal(left(), sorted([*before, "td"]))

for name in ("note", "bin/mytool", "share/deep/mine"):
    added = place.write(f"td/{name}")
    # If nothing has to be written, such files are no error.
    made(place.call("toolchain", "td", "--runtime=cuda==12.6"), "up to date")
    equal(place.call("toolchain", "td", "--print", "--runtime=cuda==12.4").status, 0)
    foreign("added: share/" if "share" in name else f"added: {name}")
    shutil.rmtree(td / "share") if "share" in name else os.unlink(added)
activate, library = td / "activate", td / "lib64/libcudart.so"
text = activate.read_text()
activate.unlink()
activate.write_text(text + "export MINE=1\n")
target = os.readlink(library)
library.unlink()
library.symlink_to("/mine/libcudart.so")
compiler = (td / "bin/g++").read_bytes()
(td / "bin/g++").unlink()
(td / "bin/g++").write_text("#!/bin/sh\n")
foreign("changed: activate", "changed: lib64/libcudart.so", "changed: bin/g++")
for i in range(7):
    place.write(f"td/bin/mine{i}")
foreign("added: bin/mine0", "added: bin/mine4", "and: 5 more")
for i in range(7):
    os.unlink(td / f"bin/mine{i}")
# A file that was restored with the same content, or removed, is no error.
activate.write_text(text)
library.unlink()
library.symlink_to(target)
(td / "bin/g++").unlink()
made(place.call("toolchain", "td", "--runtime=cuda==12.4"), "made again")
# A folder behind a symbolic link of the user is not searched.
(td / "meson").rename(place.root / "meson")
(td / "meson").symlink_to(place.root / "meson")
foreign("changed: meson", words=("--runtime=cuda==12.4", "--launcher=ccache"))
(td / "meson").unlink()
made(place.call("toolchain", "td", "--runtime=cuda==12.6"), "made again")
assert (place.root / "meson/meson.build").exists()
# Made by a version that wrote no list: a file that would be written now, and cannot be read as such, is taken for one
# of cuda-cc's.
(td / "cuda-cc.files").unlink()
added = place.write("td/bin/mytool")
foreign("added: bin/mytool")
os.unlink(added)
damaged = place.write("td/cuda-cc.files", "damaged")
foreign("changed: cuda-cc.files")
os.unlink(damaged)
made(place.call("toolchain", "td", "--runtime=cuda==12.4"), "made again")
made(place.call("toolchain", "td", "--runtime=cuda==12.6"), "made again")
# Killed while it was being made: its temporary folder stays beside it and has no effect.
(place.work / "td.1-1.tmp").mkdir()
made(place.call("toolchain", "td", "--runtime=cuda==12.4"), "made again")
(place.work / "td.1-1.tmp").rmdir()
made(place.call("toolchain", "td", "--runtime=cuda==12.6"), "made again")

# The caller's working directory is inside, and would be renamed.
(place.work / "here").mkdir()
for cwd, words, again in ((place.work / "here", ".", "here"), (td, ".", "td"), (td / "bin", "..", "td")):
    ended = place.call("toolchain", words, "--runtime=cuda==12.4", cwd=cwd)
    assert ended.status == 2 and "working directory [CC1001]" in ended.err, ended
    assert f"fix: cd {place.work} && cuda-cc toolchain {place.work}/{again} --runtime=cuda==12.4" in \
        " ".join(ended.err.split()), ended.err
made(place.call("toolchain", ".", "--runtime=cuda==12.6", cwd=td), "up to date")
(place.work / "here").rmdir()

# Names.
for name in ("a b", "it's", "\u00e4\u65e5", "deep/down", "dot/../dotted"):
    made(place.call("toolchain", name, "--runtime=cuda==12.4"), "made")
    where = place.work / os.path.normpath(name)
    ended = place.call(where / "bin/nvcc", "-c", "k.cu", program=None)
    equal((ended.only.program, ended.only.argv[0]), (str(place.nvcc), str(where / "bin/nvcc")))
    equal(place.call("toolchain", "--check", name).status, 0)
    shutil.rmtree(where)

# Paths with characters that a shell expands do not work in nvcc's steps, those with a colon not in PATH.
for name in ("a$b", "a`b", "a:b/td"):
    ended = place.call("toolchain", name, "--runtime=cuda==12.4")
    assert ended.status == 2 and "CC1001" in ended.err, ended
    assert not (place.work / name).exists()

# The folder cannot be written.
link = place.work / "full"
link.symlink_to("/proc/1")
ended = place.call("toolchain", "full/td", "--runtime=cuda==12.4")
assert ended.status == 4 and "CC2015" in ended.err and len(ended.err.splitlines()) < 6, ended
link.unlink()

# Several concurrent calls: one makes it, all use it.
many = [subprocess.Popen([PROGRAM, "toolchain", "many", "--runtime=cuda==12.4"], cwd=place.work,
                         env=place.environment(), stdout=subprocess.DEVNULL) for _ in range(6)]
equal([process.wait() for process in many], [0] * 6, "at once")
equal(place.call("toolchain", "--check", "many").status, 0)
many = [subprocess.Popen([PROGRAM, "toolchain", "many", "--runtime=cuda==12.5"], cwd=place.work,
                         env=place.environment(), stdout=subprocess.DEVNULL) for _ in range(6)]
equal([process.wait() for process in many], [0] * 6, "replaced at once")
shutil.rmtree(place.work / "many")
assert not [name for name in left() if name.startswith("many")], left()
