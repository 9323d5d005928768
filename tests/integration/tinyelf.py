# SPDX-License-Identifier: Apache-2.0
"""Small shared objects for x86-64, written without a linker: a hundredth of the time that gcc takes."""
import struct
from dataclasses import dataclass

LOAD, DYNAMIC, GNU_STACK = 1, 2, 0x6474e551
NODEFLIB, NOOPEN = 0x800, 0x40
HIDDEN = 0x8000

# void *opens(const char *file, int mode, void *(*dlopen)(const char *, int)): dlopen sees this object as its caller.
OPENS = bytes.fromhex("4883ec08 ffd2 4883c408 c3".replace(" ", ""))


@dataclass
class Import:
    name: str
    # The version node, and the file that verneed names; empty: unversioned.
    node: str = ""
    file: str = ""
    weak: bool = False
    # A function, which can be bound on its first call.
    lazy: bool = True


@dataclass
class Export:
    name: str
    node: str = ""
    hidden: bool = False


class Strings:
    def __init__(self):
        self.data, self.known = bytearray(1), {"": 0}

    def at(self, text):
        if text not in self.known:
            self.known[text] = len(self.data)
            self.data += text.encode() + b"\0"
        return self.known[text]


def elf_hash(name):
    value = 0
    for byte in name.encode():
        value = (value << 4) + byte
        high = value & 0xf0000000
        value = (value ^ high >> 24) & ~high & 0xffffffff
    return value


def gnu_hash(name):
    value = 5381
    for byte in name.encode():
        value = value * 33 + byte & 0xffffffff
    return value


def versions_of(imports, exports, soname, strings):
    """DT_VERDEF, its count, DT_VERNEED, its count, and the index of each node: of a definition by name, of a need by
    file and name."""
    indices, definitions, needs = {}, b"", b""
    nodes = list(dict.fromkeys(each.node for each in exports if each.node))
    names = [soname or "base", *nodes] if nodes else []
    for number, name in enumerate(names, 1):
        last = number == len(names)
        definitions += struct.pack("<HHHHIII", 1, number == 1, number, 1, elf_hash(name), 20, 0 if last else 28)
        definitions += struct.pack("<II", strings.at(name), 0)
        if number > 1:
            indices[name] = number
    files = {}
    for each in imports:
        if each.node:
            files.setdefault(each.file, {}).setdefault(each.node, []).append(each.weak)
    index = max(len(names), 1)
    for number, (file, wanted) in enumerate(files.items(), 1):
        size = 16 + 16 * len(wanted)
        needs += struct.pack("<HHIII", 1, len(wanted), strings.at(file), 16, 0 if number == len(files) else size)
        for at, (node, weak) in enumerate(wanted.items(), 1):
            index += 1
            indices[file, node] = index
            needs += struct.pack("<IHHII", elf_hash(node), 2 if all(weak) else 0, index, strings.at(node),
                                 0 if at == len(wanted) else 16)
    return definitions, len(names), needs, len(files), indices


def library(soname="", needs=(), rpath=None, runpath=None, imports=(), exports=(), flags=0, now=False, sysv=False):
    """The bytes of a library. It exports `opens` besides `exports`; `sysv`: found by DT_HASH alone."""
    strings = Strings()
    exports = [Export("opens"), *exports]
    definitions, defined, wanted, files, indices = versions_of(imports, exports, soname, strings)
    symbols, versions = [bytes(24)], [0]
    for each in imports:
        binding = 2 if each.weak else 1
        symbols.append(struct.pack("<IBBHQQ", strings.at(each.name), binding << 4 | (2 if each.lazy else 1), 0, 0, 0,
                                   0))
        versions.append(indices[each.file, each.node] if each.node else 1)
    first = len(symbols)
    text_at = len(symbols)  # patched below
    for each in exports:
        symbols.append((strings.at(each.name), each))
        versions.append((indices[each.node] | (HIDDEN if each.hidden else 0)) if each.node else 1)
    if sysv:
        hashes = struct.pack("<III", 1, len(symbols), first)
        hashes += b"".join(struct.pack("<I", at + 1 if first <= at < len(symbols) - 1 else 0)
                           for at in range(len(symbols)))
    else:
        hashes = struct.pack("<IIIIQI", 1, first, 1, 6, (1 << 64) - 1, first)
        for at, each in enumerate(exports):
            hashes += struct.pack("<I", gnu_hash(each.name) & ~1 | (at == len(exports) - 1))

    entries = [(1, strings.at(name)) for name in needs]
    if soname:
        entries.append((14, strings.at(soname)))
    if rpath is not None:
        entries.append((15, strings.at(rpath)))
    if runpath is not None:
        entries.append((29, strings.at(runpath)))

    image = bytearray(64 + 4 * 56)

    def put(data, align=8):
        image.extend(bytes(-len(image) % align))
        at = len(image)
        image.extend(data)
        return at

    text_at = put(OPENS, 16)
    table = b"".join(each if isinstance(each, bytes) else
                     struct.pack("<IBBHQQ", each[0], 1 << 4 | 2, 0, 1, text_at, len(OPENS)) for each in symbols)
    symbols_at = put(table)
    hash_at = put(hashes)
    strings_at = put(strings.data)
    has_versions = bool(definitions or wanted)
    if has_versions:
        entries.append((0x6ffffff0, put(struct.pack(f"<{len(versions)}H", *versions))))
    if definitions:
        entries += [(0x6ffffffc, put(definitions)), (0x6ffffffd, defined)]
    if wanted:
        entries += [(0x6ffffffe, put(wanted)), (0x6fffffff, files)]

    lazy = [at for at, each in enumerate(imports, 1) if each.lazy]
    early = [at for at, each in enumerate(imports, 1) if not each.lazy]
    rela_at = put(bytes(24 * len(early)))
    plt_at = put(bytes(24 * len(lazy)))
    if early:
        entries += [(7, rela_at), (8, 24 * len(early)), (9, 24)]
    count = len(entries) + 5 + (4 if lazy else 0) + bool(now) + bool(flags) + 1
    # What follows is another segment, on another page.
    image.extend(bytes(-len(image) % 16))
    data_at = len(image)
    moved = 0x1000
    dynamic = data_at + moved
    slots = dynamic + 16 * count
    if lazy:
        entries += [(23, plt_at), (2, 24 * len(lazy)), (20, 7), (3, slots)]
    entries += [(4 if sysv else 0x6ffffef5, hash_at), (5, strings_at), (6, symbols_at), (10, len(strings.data)),
                (11, 24)]
    if now:
        entries.append((30, 8))
    if flags:
        entries.append((0x6ffffffb, flags))
    entries.append((0, 0))
    assert len(entries) == count
    for tag, value in entries:
        image += struct.pack("<QQ", tag, value)
    image += struct.pack("<QQQ", dynamic, 0, 0)
    for at, number in enumerate(early):
        struct.pack_into("<QQq", image, rela_at + 24 * at, slots + 24 + 8 * at, number << 32 | 6, 0)
    image += bytes(8 * len(early))
    for at, number in enumerate(lazy):
        struct.pack_into("<QQq", image, plt_at + 24 * at, slots + 24 + 8 * (len(early) + at), number << 32 | 7, 0)
    image += struct.pack("<Q", text_at) * len(lazy)

    size = len(image) - data_at
    image[:64] = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 3, 62, 1, 0, 64, 0, 0, 64, 56, 4, 64, 0, 0)
    for at, header in enumerate([(LOAD, 5, 0, 0, data_at, 0x1000), (LOAD, 6, data_at, dynamic, size, 0x1000),
                                 (DYNAMIC, 6, data_at, dynamic, 16 * count, 8), (GNU_STACK, 6, 0, 0, 0, 16)]):
        kind, access, offset, address, length, align = header
        struct.pack_into("<IIQQQQQQ", image, 64 + 56 * at, kind, access, offset, address, address, length, length,
                         align)
    return bytes(image)


def segment_of_dynamic(data):
    """Offset and size of PT_DYNAMIC."""
    start, count = struct.unpack_from("<Q", data, 32)[0], struct.unpack_from("<H", data, 56)[0]
    for at in range(start, start + 56 * count, 56):
        if struct.unpack_from("<I", data, at)[0] == DYNAMIC:
            return struct.unpack_from("<Q", data, at + 8)[0], struct.unpack_from("<Q", data, at + 32)[0]
    raise ValueError("no dynamic section")


def patched(program, needs, rpath, runpath, slots, path):
    """A program that was linked with the libraries `slots` and the RPATH `path`, with other names and paths."""
    data = bytearray(program)

    def write(old, new):
        old, new = old.encode() + b"\0", new.encode() + b"\0"
        at = data.index(b"\0" + old) + 1
        assert len(new) <= len(old), new
        data[at:at + len(old)] = new.ljust(len(old), b"\0")

    places = {slot: data.index(b"\0" + slot.encode() + b"\0") + 1 for slot in slots}
    offset, size = segment_of_dynamic(data)
    entries = [(at, *struct.unpack_from("<QQ", data, at)) for at in range(offset, offset + size, 16)]
    strings = next(value for _, tag, value in entries if tag == 5)
    unused = [strings + value for _, tag, value in entries if tag == 1]
    used = [place for place in sorted(places.values()) if place in unused][:len(needs)]
    for at, tag, value in entries:
        if tag == 1 and strings + value in places.values() and strings + value not in used:
            struct.pack_into("<Q", data, at, 0x6ffffdf0)
        if tag == 15 and rpath is None:
            struct.pack_into("<Q", data, at, 29 if runpath is not None else 0x6ffffdf1)
    assert len(used) == len(needs), needs
    for at, name in enumerate(needs):
        slot = next(slot for slot, where in places.items() if where == used[at])
        write(slot, name)
    write(path, rpath if rpath is not None else runpath or "")
    return bytes(data)
