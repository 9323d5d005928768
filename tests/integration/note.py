# SPDX-License-Identifier: Apache-2.0
"""An independent reader of the manifest, which shares no code with cuda-cc (RD-1 to RD-7)."""

import json
import struct
import zlib
from dataclasses import dataclass, field

OWNER = b"cuda-target\0"
OBJECT, LINK, SUMMARY = 0xC0DA0001, 0xC0DA0002, 0xC0DA0003
PT_NOTE, PT_GNU_STACK, SHT_NOTE = 4, 0x6474E551, 7
SEALED = 1


@dataclass
class Manifest:
    links: list = field(default_factory=list)
    objects: list = field(default_factory=list)
    summaries: list = field(default_factory=list)
    """Type of each record, in the order of the file."""
    order: list = field(default_factory=list)

    def __bool__(self):
        return bool(self.order)

    @property
    def link(self):
        """The one link record, sealed and complete; otherwise an AssertionError with the reason."""
        assert len(self.links) == 1, f"{len(self.links)} link records"
        assert len(self.summaries) == 1, f"{len(self.summaries)} summary records"
        place = self.order.index(LINK)
        assert self.order[place + 1] == SUMMARY, "the summary does not follow its link record"
        text, summary = self.links[0], self.summaries[0]
        assert struct.unpack_from("<H", summary, 0)[0] == 1, "schema"
        assert struct.unpack_from("<H", summary, 2)[0] & SEALED, "not sealed"
        own, whole = struct.unpack_from("<II", summary, 24)
        assert own == zlib.crc32(text), "CRC of the link record"
        assert whole == zlib.crc32(summary[:28]), "CRC of the summary"
        return parse(text)

    @property
    def sealed(self):
        return all(struct.unpack_from("<H", each, 2)[0] & SEALED for each in self.summaries)


def parse(text):
    """JSON in the canonical form of MJ-1 and MJ-2."""
    def once(pairs):
        names = [name for name, _ in pairs]
        assert names == sorted(set(names)), f"keys not sorted or not unique: {names}"
        return dict(pairs)

    value = json.loads(text.decode("ascii"), object_pairs_hook=once)
    assert json.dumps(value, separators=(",", ":")).encode() == text, "not canonical"
    return value


def scan(data, found):
    at = data.find(OWNER)
    while at >= 0:
        if at >= 12:
            namesz, descsz, kind = struct.unpack_from("<III", data, at - 12)
            end = at + 12 + descsz
            if namesz == 12 and kind >> 8 == 0xC0DA00 and descsz <= 65536 and end <= len(data):
                take(kind, data[at + 12:end], found)
                at = data.find(OWNER, end)
                continue
        at = data.find(OWNER, at + 1)


def take(kind, descriptor, found):
    assert len(descriptor) % 8 == 0, f"EN-4: descriptor of {len(descriptor)} bytes"
    found.order.append(kind)
    if kind == SUMMARY:
        found.summaries.append(descriptor)
        return
    text, nul, rest = descriptor.partition(b"\0")
    assert nul and not rest.strip(b"\0"), "EN-6: bytes behind the text"
    (found.links if kind == LINK else found.objects).append(text)


class Elf:
    def __init__(self, data):
        assert data[:6] == b"\x7fELF\x02\x01", "no little-endian ELF64"
        self.data = data
        phoff, shoff = struct.unpack_from("<QQ", data, 32)
        phnum, _, shnum = struct.unpack_from("<HHH", data, 56)
        self.segments = [struct.unpack_from("<IIQQQQQQ", data, phoff + 56 * i)
                         for i in range(phnum)]
        self.sections = [struct.unpack_from("<IIQQQQIIQQ", data, shoff + 64 * i)
                         for i in range(shnum)] if shoff else []

    def manifest(self):
        found = Manifest()
        for segment in self.segments:
            if segment[0] == PT_NOTE:
                scan(self.data[segment[2]:segment[2] + segment[5]], found)
        if not self.segments:
            for section in self.sections:
                if section[1] == SHT_NOTE:
                    scan(self.data[section[4]:section[4] + section[5]], found)
        return found

    @property
    def executable_stack(self):
        """LK-9; a file without the segment has an executable stack."""
        flags = [segment[1] for segment in self.segments if segment[0] == PT_GNU_STACK]
        return not flags or bool(flags[0] & 1)

    def dynamic(self, *tags):
        """Strings of these dynamic tags, in the order of the file."""
        table = next((s for s in self.segments if s[0] == 2), None)
        if table is None:
            return []
        entries = list(struct.iter_unpack("<qQ", self.data[table[2]:table[2] + table[5]]))
        strings = self.offset(next(value for tag, value in entries if tag == 5))
        found = []
        for tag, value in entries:
            if tag == 0:
                break
            if tag in tags:
                start = strings + value
                found.append(self.data[start:self.data.index(0, start)].decode())
        return found

    def offset(self, address):
        for kind, _, offset, start, _, size, *_ in self.segments:
            if kind == 1 and start <= address < start + size:
                return offset + address - start
        raise AssertionError(f"no segment holds {address:#x}")

    @property
    def needed(self):
        return self.dynamic(1)

    @property
    def rpath(self):
        """Elements of DT_RPATH."""
        return split(self.dynamic(15))

    @property
    def runpath(self):
        return split(self.dynamic(29))


def split(values):
    return values[0].split(":") if values else []


def elf(path):
    with open(path, "rb") as file:
        return Elf(file.read())


def manifest(path):
    return elf(path).manifest()
