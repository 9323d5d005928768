# SPDX-License-Identifier: Apache-2.0
"""Reads the exports of a shared library as the loader does, from program headers and the dynamic section, or from the
beginning of a library that is being decompressed.
It needs neither section headers nor an external tool: torch's libraries have up to 80,000 names and 1 GB."""

import struct

from elf import LINKER_NAMES

PT_LOAD, PT_DYNAMIC = 1, 2
DT_NULL, DT_HASH, DT_STRTAB, DT_SYMTAB, DT_STRSZ, DT_GNU_HASH = 0, 4, 5, 6, 10, 0x6FFFFEF5
STB_GLOBAL, STB_WEAK, STB_GNU_UNIQUE = 1, 2, 10
STV_DEFAULT, STV_PROTECTED = 0, 3
STT_OBJECT, STT_COMMON, STT_TLS = 1, 5, 6
SHN_ABS = 0xFFF1
# Where a hash table is looked for, and the limit of its counts; the longest name. patchelf moves the names.
HEAD, LONGEST = 1 << 18, 1 << 16
BLOCK = 1 << 20


class ElfError(Exception):
    pass


class Prefix:
    """A compressed member of an archive, of which no more is read than the last byte that was asked for."""

    def __init__(self, stream, size):
        self.stream, self.size, self.data = stream, size, bytearray()

    def __len__(self):
        return self.size

    def __getitem__(self, piece):
        while len(self.data) < piece.stop and (more := self.stream.read(min(BLOCK, piece.stop - len(self.data)))):
            self.data += more
        return bytes(self.data[piece])


def gnu_hash(name):
    value = 5381
    for byte in name:
        value = value * 33 + byte & 0xFFFFFFFF
    return value


class Library:
    """A 64-bit library in little-endian order, as bytes, a memory map or a Prefix."""

    def __init__(self, data):
        self.data = data
        if data[:6] != b"\x7fELF\x02\x01" or len(data) < 64:
            raise ElfError("no 64-bit ELF file in little-endian order")
        self.machine, = self._unpack("<H", 18)

    def _slice(self, offset, length):
        if offset + length > len(self.data):
            raise ElfError(f"it is cut off: {offset + length} bytes, and {len(self.data)} are there")
        return self.data[offset:offset + length]

    def _unpack(self, form, offset):
        return struct.unpack(form, self._slice(offset, struct.calcsize(form)))

    def _read_dynamic(self):
        place, = self._unpack("<Q", 32)
        size, count = self._unpack("<HH", 54)
        self.loads, dynamic = [], None
        for i in range(count):
            kind, _, offset, address, _, length, _, _ = self._unpack("<IIQQQQQQ", place + i * size)
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

    def _offset(self, address):
        for start, offset, length in self.loads:
            if start <= address < start + length:
                return address - start + offset
        raise ElfError(f"no segment has the address {address:#x}")

    def _chains(self, place):
        """The index of the first symbol in the GNU hash table at that offset, and the hashes of all in it."""
        buckets, first, bloom, _ = self._unpack("<4I", place)
        place += 16 + 8 * bloom
        last = max(self._unpack(f"<{buckets}I", place))
        place += 4 * buckets
        if last < first:
            return first, (), place
        while not self._unpack("<I", place + 4 * (last - first))[0] & 1:
            last += 1
        count = last + 1 - first
        return first, self._unpack(f"<{count}I", place), place + 4 * count

    def _count(self):
        """Returns the number of dynamic symbols, which only a hash table records."""
        if DT_HASH in self.tags:
            return self._unpack("<I", self._offset(self.tags[DT_HASH]) + 4)[0]
        first, hashes, _ = self._chains(self._offset(self.tags[DT_GNU_HASH]))
        return first + len(hashes)

    def _tables(self):
        """The dynamic symbols and their names, as the dynamic section tells."""
        self._read_dynamic()
        return (self._slice(self._offset(self.tags[DT_SYMTAB]), 24 * self._count()),
                self._slice(self._offset(self.tags[DT_STRTAB]), self.tags[DT_STRSZ]))

    def _tables_in_head(self):
        """The same without the dynamic section, which stands behind the device code: GNU's linkers write the hash
        table, the symbols and their names one after the other at the beginning. None unless the name of each symbol
        has the hash that the table has."""
        head = self.data[:min(HEAD, len(self.data))]
        for place in range(64, len(head) - 15, 8):
            buckets, first, bloom, shift = struct.unpack_from("<4I", head, place)
            if 0 < buckets < HEAD and 0 < first < HEAD and 0 < bloom < HEAD and not bloom & bloom - 1 and \
                    0 < shift < 32:
                try:
                    return self._tables_behind(place)
                except (struct.error, ElfError, ValueError):
                    pass
        return None

    def _tables_behind(self, place):
        first, hashes, end = self._chains(place)
        place = end + 7 & ~7
        symbols = self._slice(place, 24 * (first + len(hashes)))
        offsets = [offset for offset, *_ in struct.iter_unpack("<I20x", symbols)]
        place += len(symbols)
        texts = self._slice(place, min(max(offsets) + LONGEST, len(self.data) - place))
        names = [texts[offset:texts.index(b"\0", offset)] for offset in offsets[first:]]
        if not hashes or any(symbols[:24]) or [gnu_hash(name) | 1 for name in names] != [each | 1 for each in hashes]:
            raise ElfError("no symbols behind this place")
        return symbols, texts

    def exports(self):
        """{name: whether it is a variable} for all symbols that other files can bind to."""
        try:
            symbols, texts = isinstance(self.data, Prefix) and self._tables_in_head() or self._tables()
            names = {}
            for place, info, other, section, _, size in struct.iter_unpack("<IBBHQQ", symbols):
                if not section or info >> 4 not in (STB_GLOBAL, STB_WEAK, STB_GNU_UNIQUE) or \
                        other & 3 not in (STV_DEFAULT, STV_PROTECTED):
                    continue
                # The symbol of a version node.
                if (section, info & 15, size) == (SHN_ABS, STT_OBJECT, 0):
                    continue
                name = texts[place:texts.index(b"\0", place)].decode()
                if name not in LINKER_NAMES:
                    names[name] = info & 15 in (STT_OBJECT, STT_COMMON, STT_TLS)
            return names
        except (struct.error, KeyError, ValueError) as error:
            raise ElfError(f"its dynamic symbols cannot be read: {error}") from error
