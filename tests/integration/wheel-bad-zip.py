# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Wheels whose zip directory or RECORD lies: `wheel show`, `repair` and `prove` end with one error, in less than 200 MB
of memory, and leave nothing behind (WR-1, WR-10). What is unusual and harmless, an archive or a symbolic link as a file
of the wheel, is a file like any other."""
import io
import struct
import warnings
import zipfile

from badwheel import INFO, METADATA, REPAIR, BadWheels, record
from behaviour import behaviour
from packing import WHEEL
from sandbox import equal

bad = BadWheels()
MEMBERS = bad.members
CENTRAL, LOCAL = (b"PK\1\2", 46, 24), (b"PK\3\4", 30, 22)


def headers(data, name):
    """Offset of the uncompressed size in both headers of a member."""
    for signature, length, size in (CENTRAL, LOCAL):
        at = data.index(signature)
        while data[at + length:at + length + len(name)] != name.encode():
            at = data.index(signature, at + 1)
        yield at, size


def stated(path, name, size):
    """The wheel, whose headers state another size of a member."""
    data = bytearray(path.read_bytes())
    for at, field in headers(data, name):
        struct.pack_into("<I", data, at + field, size)
    path.write_bytes(data)
    return path


def with_bit(path, name, bit):
    data = bytearray(path.read_bytes())
    for (at, _), flags in zip(headers(data, name), (8, 6), strict=True):
        data[at + flags] |= bit
    path.write_bytes(data)
    return path


@behaviour
def a_size_that_is_not_that_of_the_content_is_refused():
    """What states 10 kB, and is 300 MB of zeros; RECORD states the same."""
    zeros = bytes(300 << 20)
    for name in (f"{INFO}/METADATA", f"{INFO}/WHEEL", "big/ext.so"):
        content = {f"{INFO}/METADATA": METADATA, f"{INFO}/WHEEL": WHEEL, "big/ext.so": bad.module}[name]
        rows = record({**MEMBERS, name: (content + zeros)[:10_000]})
        path = bad.pack({**MEMBERS, name: content + zeros}, record=rows, compression=zipfile.ZIP_DEFLATED)
        bad.refused(f"{name} states 10 kB", stated(path, name, 10_000))
    path = bad.pack(MEMBERS, record=zeros, compression=zipfile.ZIP_DEFLATED)
    bad.refused("RECORD states 10 kB", stated(path, f"{INFO}/RECORD", 10_000))
    del zeros


@behaviour
def two_entries_with_one_name_are_refused():
    with warnings.catch_warnings(action="ignore"):
        path = bad.pack(MEMBERS)
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr("big/ext.so", b"other")
    bad.refused("one name", path)


@behaviour
def two_entries_in_one_place_are_refused():
    path = bad.pack({**MEMBERS, "big/ext.so2": bad.module})
    data = bytearray(path.read_bytes())
    (first, _), (second, _) = (next(headers(data, name)) for name in ("big/ext.so", "big/ext.so2"))
    data[second + 42:second + 46] = data[first + 42:first + 46]
    path.write_bytes(data)
    bad.refused("one place", path)


@behaviour
def an_encrypted_entry_is_refused():
    bad.refused("encrypted", with_bit(bad.pack(MEMBERS), f"{INFO}/METADATA", 1))


@behaviour
def a_record_of_other_files_is_refused():
    right = record(MEMBERS)
    lines = right.splitlines(keepends=True)
    for what, rows in (("omits a file", b"".join(lines[1:])), ("lists a missing file", b"big/no.so,,\n" + right),
                       ("states another size", right.replace(b",%d\n" % len(bad.module), b",1\n")),
                       ("is no CSV", b'"' + right), ("is empty", b"")):
        bad.refused(f"RECORD {what}", bad.pack(MEMBERS, record=rows), "CC2025")
    other = right.replace(b"sha256=", b"sha256=A", 1)
    bad.refused("RECORD states another digest", bad.pack(MEMBERS, record=other), "CC2025",
                (("show", "--verify"), REPAIR))


@behaviour
def an_archive_or_a_link_is_a_file_like_any_other():
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(50 << 20))
    LINK = "big/link.so"
    link = zipfile.ZipInfo(LINK)
    link.external_attr = 0o120777 << 16
    for more in ({"big/inner.zip": inner.getvalue()}, {link: b"/etc/passwd"}):
        bad.accepted(more, bad.pack({**MEMBERS, **more}))
        with zipfile.ZipFile(io.BytesIO(bad.take())) as archive:
            for name, data in more.items():
                equal(archive.read(name if isinstance(name, str) else LINK), data)
    equal(archive.getinfo(LINK).external_attr >> 28, 0o10, "a regular file, as pip installs it")


bad.sandbox.clean()
