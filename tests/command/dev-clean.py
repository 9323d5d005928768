# SPDX-License-Identifier: Apache-2.0
# RUN: %python -B %s %S/../.. %t.dir
"""./dev clean removes only the build directories of its own source tree; ./dev clean --cache removes what the tests
downloaded, and keeps other files in that folder. A folder with other files is never used as the cache."""
import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

source, work = map(Path, sys.argv[1:])
shutil.rmtree(work, ignore_errors=True)
tree, cache, tmp = work / "tree", work / "cache", work / "tmp"
for folder in ("tree/tests/support/__pycache__", "tree/driver", "cache", "tmp"):
    (work / folder).mkdir(parents=True)
shutil.copy(source / "dev", tree / "dev")
shutil.copytree(source / "scripts", tree / "scripts")


def dev(*words):
    return subprocess.run([tree / "dev", *words], text=True, capture_output=True,
                          env={**os.environ, "CUDA_CC_CACHE": str(cache), "TMPDIR": str(tmp)})


def good(*words):
    done = dev(*words)
    assert done.returncode == 0, done
    return done.stderr


def refused(*words):
    before = sorted(cache.rglob("*"))
    done = dev(*words)
    assert done.returncode, done
    assert sorted(cache.rglob("*")) == before, "something changed"
    return done.stderr


def write(path, text=""):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def fill():
    write(cache / "wheels/a-1-x86_64/nvidia/a")
    write(cache / "setup.lock")
    (cache / "venv").mkdir(exist_ok=True)


# Build directories: of this tree, of another, without a cache, and a link to one elsewhere.
for name, text in (("build", f"CMAKE_HOME_DIRECTORY:INTERNAL={tree}\n"),
                   ("build-release", f"CMAKE_HOME_DIRECTORY:INTERNAL={tree}\n"),
                   ("build-other", "CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere\n"), ("builds", "")):
    write(tree / name / "CMakeCache.txt", text)
write(tree / "build/tests/command/Output/x.tmp.d/home/left")
write(tree / "build-mine/notes")
# Of ./dev docs, and of the same in another tree.
write(tree / "build-docs/.made-for", f"{tree}\n")
write(tree / "build-docs/site/index.html")
write(tree / "build-pages/.made-for", "/elsewhere\n")
write(work / "elsewhere/CMakeCache.txt", f"CMAKE_HOME_DIRECTORY:INTERNAL={tree}\n")
(tree / "build-link").symlink_to(work / "elsewhere")
# Folders of tests that were killed, and a folder with a similar name.
others = ("cuda-cc-0", "cuda-cc-farm-", "cuda-cc-farm-abcdefgh.txt", "cuda-cc-farmer-abcdefgh", "sccache-abcdefgh")
for name in (*others, "cuda-cc-farm-abcdefgh", "cuda-cc-sccache-a_cdefgh", "cuda-cc-demo-abCD12"):
    write(tmp / name / "x")
    os.utime(tmp / name, (0, 0))
others += ("cuda-cc-farm-youngone",)
write(tmp / others[-1] / "x")
fill()
said = good("clean")
assert sorted(path.name for path in tree.iterdir()) == [
    "build-link", "build-mine", "build-other", "build-pages", "builds", "dev", "driver", "scripts", "tests"], said
assert "removed build-release" in said and "build-mine stays" in said and "build-other stays" in said, said
assert (work / "elsewhere/CMakeCache.txt").exists() and not list(tree.rglob("__pycache__"))
assert sorted(path.name for path in tmp.iterdir()) == sorted(others), said
assert (cache / "wheels").is_dir(), "the cache stays"

# The cache: in its first format without a mark, then with one; after its removal there is nothing to do.
said = good("clean", "--cache")
assert not cache.exists() and f"removed {cache}" in said, said
assert "there is no" in good("clean", "--cache")

# Not while tests run.
fill()
write(tree / "build/CMakeCache.txt", f"CMAKE_HOME_DIRECTORY:INTERNAL={tree}\n")
with open(cache / "in-use.lock", "w") as file:
    fcntl.flock(file, fcntl.LOCK_SH)
    for words in (("clean", "--cache"), ("clean",)):
        assert "tests are running" in refused(*words)
assert (tree / "build").is_dir()
good("clean", "--cache")

# A folder with other files is neither used as the cache nor cleaned, although some names are the same.
fill()
other = write(cache / "photos/one.jpg")
for words in (("clean", "--cache"), ("setup",), ("test",)):
    assert "other files lie there" in refused(*words)

# Files that were added later are kept, also behind a symbolic link.
shutil.rmtree(other.parent)
script = (tree / "scripts/common.sh").read_text()
tag = script[script.index("cache_tag='") + len("cache_tag='"):]
write(cache / "CACHEDIR.TAG", tag[:tag.index("'")] + "\n")
other = write(cache / "photos/one.jpg")
shutil.rmtree(cache / "wheels")
(cache / "wheels").symlink_to(work / "elsewhere")
said = good("clean", "--cache")
assert [path.name for path in cache.iterdir()] == ["photos"] and other.exists(), said
assert "itself stays" in said and (work / "elsewhere/CMakeCache.txt").exists(), said

# A file at the cache's path.
shutil.rmtree(cache)
write(cache)
assert dev("setup").returncode and cache.is_file()
shutil.rmtree(work)
