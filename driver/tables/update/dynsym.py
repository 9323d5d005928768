# SPDX-License-Identifier: Apache-2.0
"""Reads the exports of a shared library as the loader does, from program headers and the dynamic section.
It needs neither section headers nor an external tool: torch's libraries have up to 80,000 names and 1 GB."""

import struct

from elf import LINKER_NAMES

PT_LOAD, PT_DYNAMIC = 1, 2
DT_NULL, DT_HASH, DT_STRTAB, DT_SYMTAB, DT_STRSZ, DT_GNU_HASH = 0, 4, 5, 6, 10, 0x6FFFFEF5
STB_GLOBAL, STB_WEAK, STB_GNU_UNIQUE = 1, 2, 10
STV_DEFAULT, STV_PROTECTED = 0, 3
STT_OBJECT, STT_COMMON, STT_TLS = 1, 5, 6


class ElfError(Exception):
    pass


class Library:
    """A 64-bit library in little-endian order, as bytes or a memory map."""

    def __init__(self, data):
        self.data = data
        if data[:6] != b"\x7fELF\x02\x01" or len(data) < 64:
            raise ElfError("no 64-bit ELF file in little-endian order")
        try:
            self.machine = struct.unpack_from("<H", data, 18)[0]
            self._read_headers()
        except (struct.error, KeyError) as error:
            raise ElfError(f"its dynamic section cannot be read: {error}") from error

    def _read_headers(self):
        place, = struct.unpack_from("<Q", self.data, 32)
        size, count = struct.unpack_from("<HH", self.data, 54)
        self.loads, dynamic = [], None
        for i in range(count):
            kind, _, offset, address, _, length, _, _ = struct.unpack_from("<IIQQQQQQ", self.data,
                                                                          place + i * size)
            if kind == PT_LOAD:
                self.loads.append((address, offset, length))
            elif kind == PT_DYNAMIC:
                dynamic = offset, length
        if not dynamic:
            raise ElfError("no dynamic section")
        self.tags = {}
        for tag, value in struct.iter_unpack("<qQ", self._slice(*dynamic)):
            if tag == DT_NULL:
                break
            self.tags[tag] = value

    def _slice(self, offset, length):
        if offset + length > len(self.data):
            raise ElfError(f"it is cut off: {offset + length} bytes, and {len(self.data)} are there")
        return self.data[offset:offset + length]

    def _offset(self, address):
        for start, offset, length in self.loads:
            if start <= address < start + length:
                return address - start + offset
        raise ElfError(f"no segment has the address {address:#x}")

    def _count(self):
        """Returns the number of dynamic symbols, which only a hash table records."""
        if DT_HASH in self.tags:
            return struct.unpack_from("<I", self.data, self._offset(self.tags[DT_HASH]) + 4)[0]
        place = self._offset(self.tags[DT_GNU_HASH])
        buckets, first, bloom, _ = struct.unpack_from("<4I", self.data, place)
        place += 16 + 8 * bloom
        last = max(struct.unpack_from(f"<{buckets}I", self.data, place))
        if last < first:
            return first
        place += 4 * buckets
        while not struct.unpack_from("<I", self.data, place + 4 * (last - first))[0] & 1:
            last += 1
        return last + 1

    def exports(self):
        """{name: whether it is a variable} for all symbols that other files can bind to."""
        try:
            symbols = self._slice(self._offset(self.tags[DT_SYMTAB]), 24 * self._count())
            texts = self._slice(self._offset(self.tags[DT_STRTAB]), self.tags[DT_STRSZ])
            names = {}
            for place, info, other, section, _, _ in struct.iter_unpack("<IBBHQQ", symbols):
                if not section or info >> 4 not in (STB_GLOBAL, STB_WEAK, STB_GNU_UNIQUE) or \
                        other & 3 not in (STV_DEFAULT, STV_PROTECTED):
                    continue
                name = texts[place:texts.index(b"\0", place)].decode()
                if name not in LINKER_NAMES:
                    names[name] = info & 15 in (STT_OBJECT, STT_COMMON, STT_TLS)
            return names
        except (struct.error, KeyError, ValueError) as error:
            raise ElfError(f"its dynamic symbols cannot be read: {error}") from error
