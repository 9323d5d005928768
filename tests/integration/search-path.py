# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Content and order of the search path (R17, R18, R41, F6, F18)."""
import json

import note
from sandbox import MAIN, PROGRAM, Sandbox, equal, tools, wheel

sandbox = Sandbox()
sandbox.write("main.cpp", MAIN)
jitlink = wheel("nvidia-nvjitlink-cu12==12.4.127") / "nvidia/nvjitlink/lib/libnvJitLink.so.12"
torch = ("--cudacc-runtime=torch==2.5.1",)
use = ("-Wl,--no-as-needed", str(jitlink))
both = ["$ORIGIN/../nvidia/nvjitlink/lib", "$ORIGIN/nvidia/nvjitlink/lib"]

def link(*words, libraries=use, own=torch):
    sandbox.good(*own, "g++", "-shared", "-fPIC", "main.cpp", *words, *libraries, "-o", "out.so")
    return note.elf(sandbox.work / "out.so")

# Both depths if install-dir is not declared, otherwise one.
output = link()
equal((output.rpath, output.runpath), (both, []), "default")
for place, expected in ((".", ["$ORIGIN/nvidia/nvjitlink/lib"]),
                        ("pkg", ["$ORIGIN/../nvidia/nvjitlink/lib"]),
                        ("pkg/", ["$ORIGIN/../nvidia/nvjitlink/lib"]),
                        ("./pkg/sub", ["$ORIGIN/../../nvidia/nvjitlink/lib"])):
    equal(link(own=(*torch, f"--cudacc-install-dir={place}")).rpath, expected, place)
equal(link(own=(*torch, "--cudacc-layout=none")).rpath, [], "layout none")
output = link(libraries=())
equal((output.rpath, output.runpath), ([], []), "nothing of the runtime is needed")

# The caller's elements stay, after ours; an element that the line already has is not added (R17).
mine = "-Wl,-rpath,$ORIGIN/mine"
equal(link(mine, "-Wl,-rpath=/opt/x").rpath, [*both, "$ORIGIN/mine", "/opt/x"], "prefix")
equal(link("-Wl,-rpath", "-Wl,$ORIGIN/mine").rpath, [*both, "$ORIGIN/mine"], "two words")
equal(link("-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/mine").rpath, [*both, "$ORIGIN/mine"], "-X")
equal(sorted(link(mine, f"-Wl,-rpath,{both[0]}").rpath), sorted([*both, "$ORIGIN/mine"]), "once")
equal(sorted(link(f"-Wl,-rpath,{both[1]}:{both[0]}", mine).rpath),
      sorted([*both, "$ORIGIN/mine"]), "both are there")
sandbox.write("search.rsp", f"-Wl,-rpath,{both[0]} -Wl,-rpath,{both[1]}\n")
equal(sorted(link("@search.rsp").rpath), sorted(both), "in a response file (R9, AT8)")

# dtags: a default is placed before the caller's option, an enforced tag after it (R41).
def tag(*words, dtags=None):
    output = link(*words, own=(*torch, *([f"--cudacc-dtags={dtags}"] if dtags else [])))
    assert bool(output.rpath) != bool(output.runpath), "one tag"
    return "rpath" if output.rpath else "runpath"

new, old = "-Wl,--enable-new-dtags", "-Wl,--disable-new-dtags"
for words, dtags, expected in (((), None, "rpath"), ((new,), None, "runpath"),
                               ((old,), None, "rpath"), ((old, new), None, "runpath"),
                               ((), "runpath", "runpath"), ((old,), "runpath", "runpath"),
                               ((new,), "rpath", "rpath"), ((), "rpath", "rpath")):
    equal(tag(*words, dtags=dtags), expected, f"{words} {dtags}")
    equal(note.manifest(sandbox.work / "out.so").link["rpath"], expected, "in the manifest")

for linker in tools("ld.bfd", "ld.gold", "ld.lld", "mold"):
    output = link(f"-fuse-ld={linker.removeprefix('ld.')}", mine)
    equal(output.rpath, [*both, "$ORIGIN/mine"], linker)

# No -L or -l is added, removed or moved (R18).
words = ["-shared", "main.cpp", f"-L{jitlink.parent}", "-L/none", "-lm", "-l:libnvJitLink.so.12",
         mine, "-o", "out.so"]
ended = sandbox.cc(*torch, "--cudacc-print=plan", "g++", *words)
argv = json.loads(ended.out)["command"]["argv"][1:]
added = [word for word in argv if word not in words]
equal([word for word in argv if word in words], words, "the caller's words in their order")
equal([word for word in added if word.startswith(("-L", "-l"))], [], "additions")

# A compiler of the store under a launcher, or a launcher twice: only one of them acts (R40, AT26).
sandbox.good(*torch, PROGRAM, "g++", "-shared", "-fPIC", "main.cpp", *use, "-o", "out.so")
output = note.elf(sandbox.work / "out.so")
equal(output.rpath, both, "twice")
assert output.manifest().link, "one record"
sandbox.clean()
