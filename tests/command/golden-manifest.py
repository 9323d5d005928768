# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Bytes of the note section in objects, of the placeholder that a link gets and of the sealed manifest, the header that
puts a record into an object, and the output of `inspect` (golden/manifest.txt, record.h.txt).

Nothing is masked. The compilers are those of fixed.py, which report 12.2.0 on every machine. The version of cuda-cc and
the versions that the tables have for torch 2.5.1 are in these bytes, so the file changes with them. What the linker
writes around the section, including the build-id, is not compared."""
import json
import os
import platform
import struct
import sys
from pathlib import Path

from fixed import FixedCompilers
from golden import Golden

sys.path.insert(0, str(Path(__file__).parents[1] / "fuzz"))
from corpus import FATBIN

if platform.machine() != "x86_64":
    print("SKIPPED: the bytes are those of x86_64")
    sys.exit(77)

place = FixedCompilers()
golden = Golden("manifest", "golden-manifest.py: bytes of .note.cuda-target, and what inspect says of them.")
cuda = ("-I", place.toolkit / "include")
link = ("g++", "-nostdlib", "-shared")
runtime = {"CUDA_CC_RUNTIME": "torch==2.5.1"}


def section(path):
    """The bytes of .note.cuda-target."""
    data = path.read_bytes()
    at, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQ", data, at + size * i) for i in range(count)]
    for name, _, _, _, offset, length in headers:
        start = headers[names][4] + name
        if data[start:].startswith(b".note.cuda-target\0"):
            return data[offset:offset + length]
    return b""


def dump(data):
    """In the format of hexdump -C: a line of zeros that equals the previous one is left out."""
    left_out = False
    for at in range(0, len(data), 16):
        line = data[at:at + 16]
        if at and line == data[at - 16:at] == bytes(16):
            golden.add(*["*"] * (not left_out))
            left_out = True
            continue
        left_out = False
        text = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in line)
        golden.add(f"{at:04x}  {line[:8].hex(' ')}  {line[8:].hex(' '):23}  {text}")
    golden.add(f"{len(data):04x}")


def recorded(title, name, *words, inspected=True, **environment):
    ended = place.call(*words, **{**runtime, **environment})
    assert ended.status == 0, ended
    golden.section(title)
    golden.add(" ".join(map(str, words)).replace(str(place.root), "ROOT"))
    dump(section(place.work / name))
    if inspected:
        file, = json.loads(place.call("inspect", "--format=json", name).out)["files"]
        golden.add(*json.dumps(file["manifest"], indent=1).splitlines())


recorded("an object of a host compiler", "x.o", "g++", *cuda, "-c", "-fPIC", "x.cpp", "-o", "x.o")
recorded("an object of nvcc", "kernel.o", "-c", "k.cu", "-o", "kernel.o")
note = place.root / "note.o"
words = (*link, "x.o", "kernel.o", "k.o", "-o", "x.so", "-lcudart", f"-L{place.lib}")
recorded("a link", "x.so", *words, KEEP_NOTE=note)
golden.section("the same link's placeholder, a whole object")
dump(note.read_bytes())
recorded("a link by nvcc", "n.so", "-shared", "kernel.o", "k.o", "-o", "n.so", "-lcudart", f"-L{place.lib}",
         inspected=False)
place.write("new.c", "void __nvJitLinkCreate_12_5(void);\nvoid n(void) { __nvJitLinkCreate_12_5(); }\n")
place.gcc("-c", "-fPIC", "new.c", "-o", "new.o")
recorded("a link with overrides", "o.so", *link, "x.o", "new.o", "-o", "o.so", place.newer / "libnvJitLink.so",
         "--cudacc-enforce=symbols", "--cudacc-waive=CC4002 libnvJitLink.so.12: the application brings one",
         "--cudacc-severity=CC4102=error")
(place.work / "fatbin.s").write_text(FATBIN)
place.gcc("-c", "fatbin.s", "-o", "fatbin.o")
recorded("a link of device code for several requirements", "d.so", "g++", "-shared", "kernel.o", "fatbin.o",
         "-o", "d.so", CUDA_CC_RUNTIME="cuda>=12.4,<13;sm=80;driver>=550.54", CUDA_CC_ENFORCE="warn")
recorded("a link without a declaration", "u.so", "g++", "-shared", "kernel.o", "-o", "u.so",
         "--cudacc-manifest=always", CUDA_CC_RUNTIME=None)
golden.finish()

golden = Golden("record.h", "golden-manifest.py: headers that put a record into an object.")
headers = sorted(Path(os.environ["XDG_DATA_HOME"]).rglob("records/*"))
assert len(headers) == 2, headers
for path in headers:
    golden.section(path.name)
    golden.add(*path.read_text().splitlines())
golden.finish()
