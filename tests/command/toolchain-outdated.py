# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""F17: a toolchain directory whose declaration changed rejects compiles and links, but not --version, and prints the
command that makes it again; the same if its nvcc was replaced."""
import os
import shutil

import recorder
from recording import Place, equal

place = Place("12.4")
place.write("k.cu")
place.write("x.cpp")
config = place.write("cuda-cc.toml", 'runtime = "cuda==12.4"\nenforce = "warn"\n')
td = place.work / "td it"
equal(place.call("toolchain", td).status, 0)

def inside(name, *words, **environment):
    return place.call(td / f"bin/{name}", *words, program=None, **environment)

compiles = (("nvcc", "-c", "k.cu"), ("nvcc", "k.cu"), ("g++", "-c", "x.cpp"), ("g++", "x.cpp"))

def runs(check=0):
    for words in compiles[:3]:
        ended = inside(*words)
        equal((ended.status, ended.err), (0, ""), words)
    equal(place.call("toolchain", "--check", td).status, check)

def stops(code, status, *facts):
    for words in compiles:
        ended = inside(*words)
        equal((ended.status, ended.started), (status, []), f"{words}: {ended.err}")
        said = " ".join(ended.err.split())
        for fact in (code, f"fix: cuda-cc toolchain '{td}'", *facts):
            assert fact in said, (fact, ended.err)
        assert len(ended.err.splitlines()[0]) <= 77, ended.err
    # R2
    equal(inside("nvcc", "--version").status, 0)
    equal(inside("g++", "-dumpversion").status, 0)
    ended = place.call("toolchain", "--check", td)
    assert ended.status == 3 and code in ended.err, ended

runs()
# Changes without effect: comments, order, modification time.
place.write("cuda-cc.toml", '# pinned\nenforce = "warn"\nruntime = ["cuda==12.4"]\n')
runs()
for text in ('runtime = "cuda==12.6"\nenforce = "warn"\n', 'runtime = "cuda==12.4"\n', 'broken',
             None):
    if text is None:
        os.unlink(config)
    else:
        place.write("cuda-cc.toml", text)
    stops("CC1011", 2, config)
place.write("cuda-cc.toml", 'runtime = "cuda==12.6"\n')
equal(place.call("toolchain", td).status, 0)
runs()
# Called from another folder that has another declaration (R6).
place.write("cuda-cc.toml", 'runtime = "cuda==12.6"\n')
runs()
equal(place.call("toolchain", td, "--runtime=cuda==12.5").status, 0)
runs()
# What an option or variable declared is not the file's: the same file again is no change.
place.write("cuda-cc.toml", '# again\nruntime = "cuda==12.6"\n')
runs()
place.write("cuda-cc.toml", 'runtime = "cuda==12.7"\n')
stops("CC1011", 2, config)
equal(place.call("toolchain", td, CUDA_CC_RUNTIME="cuda==12.5").status, 0)
place.write("cuda-cc.toml", '# again\nruntime = "cuda==12.7"\n')
runs()
place.write("cuda-cc.toml", 'runtime = "cuda==12.6"\n')
equal(place.call("toolchain", td, "--runtime=cuda==12.5").status, 0)
place.write("cuda-cc.toml", 'runtime = "cuda==12.6"\nstrict = true\n')
ended = inside("nvcc", "-c", "k.cu")
assert ended.status == 2 and "--runtime=cuda==12.5" in ended.err, ended
equal(place.call("toolchain", td, "--runtime=cuda==12.5").status, 0)

# As in a container image: the same files with other inodes, modification times in whole seconds.
nvcc = os.stat(place.nvcc)
shutil.copy2(place.nvcc, place.nvcc + ".copy")
os.utime(place.nvcc + ".copy", ns=(nvcc.st_mtime_ns, nvcc.st_mtime_ns // 10**9 * 10**9))
os.rename(place.nvcc + ".copy", place.nvcc)
assert os.stat(place.nvcc).st_ino != nvcc.st_ino
runs()
os.utime(place.nvcc, ns=(nvcc.st_mtime_ns, nvcc.st_mtime_ns + 10**9))
stops("CC2018", 4, f"{place.nvcc} is another file since")
os.utime(place.nvcc, ns=(nvcc.st_mtime_ns, nvcc.st_mtime_ns))
runs()

# The toolkit that it was made of is replaced.
os.unlink(place.nvcc)
recorder.compiler(place.nvcc, "12.4")
stops("CC2018", 4, f"{place.nvcc} is another file since")
equal(place.call("toolchain", td, "--runtime=cuda==12.5").status, 0)
runs()
hidden = place.nvcc + ".away"
os.rename(place.nvcc, hidden)
for words in compiles:
    ended = inside(*words)
    assert ended.status == 4 and "CC2018" in ended.err, ended
    assert f"{place.nvcc} is gone" in " ".join(ended.err.split()), ended
equal(place.call("toolchain", "--check", td).status, 4)
os.rename(hidden, place.nvcc)
runs()
# Moved, and with CUDA_CC_DISABLE.
other = place.work / "moved"
td.rename(other)
td = other
runs(check=3)
place.write("cuda-cc.toml", 'runtime = "cuda==12.5"\nstrict = true\nenforce = "off"\n')
equal(inside("nvcc", "-c", "k.cu").status, 2)
equal(inside("nvcc", "-c", "k.cu", CUDA_CC_DISABLE="1").status, 0)
