# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""Members of a wheel whose bytes are not those that were packed: `check`, `wheel show` and `inspect` say so, without
`--verify` (WR-10)."""
import io
import zipfile

from binaries import CUDART, PROGRAM, Binaries, equal, run

place = Binaries()
# A reader of headers and tables does not come to its last bytes.
module = place.extension("ext.so", {CUDART: ["cudaMalloc"]}).read_bytes() + bytes(range(256)) * 300
INFO = "x-1.0.dist-info"
PATH = place.work / "dist/x-1.0-cp311-cp311-linux_x86_64.whl"
CONTRADICTS = "its header contradicts"
CALLS = (("check", "--runtime=cuda==12.4"), ("wheel", "show"), ("inspect", ))
WHEEL = b"Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: false\nTag: cp311-cp311-linux_x86_64\n"
METADATA = f"{INFO}/METADATA"
MEMBERS = {"x/ext.so": module, "x/large.json": b"[0, 1]\n" * 100_000, "x/__init__.py": b"x = 1\n", "x/empty": b"",
           METADATA: b"Metadata-Version: 2.1\nName: x\nVersion: 1.0\n", f"{INFO}/WHEEL": WHEEL}
RECORD = f"{INFO}/RECORD"


def with_record(members):
    return {**members, RECORD: "".join(f"{name},,\n" for name in {**members, RECORD: b""}).encode()}


MEMBERS = with_record(MEMBERS)


def pack(how, target=None, members=MEMBERS):
    """By this method and level."""
    target = target or io.BytesIO()
    with zipfile.ZipFile(target, "w", how[0], compresslevel=how[1]) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    PATH.parent.mkdir(exist_ok=True)
    PATH.write_bytes(target.getvalue())
    return zipfile.ZipFile(PATH)


def call(words):
    done = run(PROGRAM, *words, PATH, cwd=place.work, HOME=str(place.root))
    return done.returncode, " ".join((done.stdout + done.stderr).split())


def refused(what, name, because="its checksum is wrong"):
    for words in CALLS:
        status, text = call(words)
        said = status, f"{name}: {because}" in text, "[CC2014]" in text
        equal(said, (4, True, True), (what, words, text))


def change(at):
    data = bytearray(PATH.read_bytes())
    data[at] ^= 1
    PATH.write_bytes(data)


def accepted(what):
    for words in CALLS:
        status, text = call(words)
        assert (status, "error" in text) == (0, False), (what, words, status, text)


def first(archive, name, data):
    """Offset of the first byte of a member."""
    return PATH.read_bytes().index(data[:4], archive.getinfo(name).header_offset + 30 + len(name))


def last(archive, name, data):
    info = archive.getinfo(name)
    return PATH.read_bytes().rindex(data[-4:], 0, info.header_offset + 30 + len(name) + info.compress_size) + 3


def in_directory(archive, name):
    """Offset of the CRC of a member in the zip directory."""
    return PATH.read_bytes().index(name.encode(), archive.start_dir) - 46 + 16


class Streamed(io.BytesIO):
    """Where zipfile cannot go back, CRC and sizes follow the data, and the local header has none."""
    def seekable(self):
        return False

    def tell(self):
        raise OSError


# Level 0 deflates into bytes as they are, which can be changed without damage to the stream.
for how in ((zipfile.ZIP_STORED, None), (zipfile.ZIP_DEFLATED, 0), (zipfile.ZIP_DEFLATED, 6)):
    pack(how)
    accepted(how)
    for name, data in MEMBERS.items():
        change(in_directory(pack(how), name))
        refused((how, "directory"), name, CONTRADICTS)
        change(in_directory(pack(how, Streamed()), name))
        refused((how, "directory alone"), name)
        if data and how[1] != 6:
            for what in (first, last):
                change(what(pack(how), name, data))
                refused((how, what), name)
    # CRC and sizes in the local header.
    for field in (14, 18, 22):
        change(pack(how).getinfo("x/large.json").header_offset + field)
        refused((how, field), "x/large.json", CONTRADICTS)
    pack(how, Streamed())
    accepted((how, "streamed"))

# Data may be denser than any library.
pack((zipfile.ZIP_DEFLATED, 6), members=with_record({"x/zeros.npy": bytes(17 << 20), **MEMBERS}))
accepted("zeros")
