# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""A library that the linker drops under --as-needed brings no NEEDED entry for those it is coupled to (RP-5, F6): the
entry that cuda-cc added is taken out again, and nothing else changes. Real cuSPARSE 12.3.1.170."""
import struct

import note
from sandbox import Sandbox, equal, tools, wheels

sandbox = Sandbox()
site = sandbox.root / "site-packages"
wheels.merge(["nvidia-cusparse-cu12==12.3.1.170", "nvidia-nvjitlink-cu12==12.4.127"], site)
sparse, linker = (f"{site}/nvidia/{each}/lib" for each in ("cusparse", "nvjitlink"))
SPARSE, LINK = "libcusparse.so.12", "libnvJitLink.so.12"
torch = "--cudacc-runtime=torch==2.5.1"
sandbox.write("none.cpp", "int main() { return 0; }\n")
sandbox.write("uses.cpp", 'extern "C" int cusparseGetProperty(int, int *);\n'
              "int main() { int major = -1; return cusparseGetProperty(0, &major); }\n")
sandbox.write("links.cpp", 'extern "C" int nvJitLinkVersion(unsigned *, unsigned *);\n'
              "int main() { unsigned a, b; return nvJitLinkVersion(&a, &b); }\n")
NO, AS, STATE = "-Wl,--no-as-needed", "-Wl,--as-needed", "-Wl,--push-state,--no-as-needed"
sparse_file, link_file = f"{sparse}/{SPARSE}", f"{linker}/{LINK}"


def tags(elf):
    """The dynamic entries, without those behind the end."""
    _, _, offset, _, _, size, *_ = next(each for each in elf.segments if each[0] == 2)
    found = list(struct.iter_unpack("<QQ", elf.data[offset:offset + size]))
    end = found.index((0, 0))
    equal(set(found[end:]), {(0, 0)}, "nothing behind the end")
    return [tag for tag, _ in found[:end]]


def cuda(elf):
    return [name for name in elf.needed if name in (SPARSE, LINK)]


def linked(expected, *words, kind=(), plain=True):
    """The libraries of CUDA that the output NEEDs, which are those of the plain link unless others are expected."""
    for shared in kind or ((), ("-shared", "-fPIC")):
        rest = (*shared, *words, "-o", "made")
        if plain:
            made = sandbox.run("g++", *rest)
            equal(made.status, 0, made)
            equal(cuda(note.elf(sandbox.work / "made")), expected, made)
        sandbox.good(torch, "g++", *rest)
        elf = note.elf(sandbox.work / "made")
        equal(sorted(cuda(elf)), sorted(expected), rest)
        equal(elf.manifest().link["needed"], sorted(expected), rest)
        equal(tags(elf).count(1), len(elf.needed), rest)
        if not expected:
            equal(sandbox.run("/usr/bin/readelf", "-dW", "made").err, "", rest)
            if not shared:
                equal(sandbox.run("./made").status, 0, rest)


linkers = [(), *((f"-fuse-ld={each.removeprefix('ld.')}",) for each in tools("ld.gold", "ld.lld", "mold"))]
for fuse in linkers:
    linked([], *fuse, AS, "none.cpp", sparse_file)
    linked([SPARSE, LINK], *fuse, AS, "uses.cpp", sparse_file, plain=False)
linked([], "-Wl,--as-needed", f"-L{sparse}", "none.cpp", "-l:libcusparse.so.12")
linked([], "-Xlinker", "--as-needed", "none.cpp", sparse_file)
sandbox.write("libraries.rsp", f"--as-needed none.cpp {sparse_file}\n".replace("--", "-Wl,--"))
linked([], "@libraries.rsp")

# Another library that it serves is NEEDED, or the code uses it itself.
linked([LINK], AS, "links.cpp", sparse_file, link_file)
# The caller's own entry stays, whatever the linker dropped besides.
linked([LINK], AS, "none.cpp", sparse_file, NO, link_file)
linked([LINK], AS, "none.cpp", STATE, link_file, "-Wl,--pop-state", sparse_file)
linked([], AS, "none.cpp", link_file, sparse_file)
linked([SPARSE, LINK], NO, "none.cpp", sparse_file, plain=False)

# Without a manifest too.
sandbox.good(torch, "--cudacc-no-manifest", "g++", AS, "none.cpp", sparse_file, "-o", "bare")
equal(cuda(note.elf(sandbox.work / "bare")), [], "no manifest")
sandbox.clean()
