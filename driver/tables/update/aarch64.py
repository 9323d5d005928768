# SPDX-License-Identifier: Apache-2.0
"""aarch64_exports.json: runs of versions whose wheel for aarch64 was compared with the one for x86-64."""

import json
import re

from elf import LINKER_NAMES

# Linkers define these for aarch64 alone.
LINKER = LINKER_NAMES | {"__bss_start__", "__bss_end__", "_bss_end__"}
NODE = re.compile(r"lib\w+\.so\.\d+")
INTERNAL = re.compile(r"_Z|sm\d+_")
WORD = re.compile(r"[a-z0-9]+(?=[A-Z])")
COLUMNS = ("lacks", "more", "left_out")


def words_of(names):
    return {match[0] for name in names if (match := WORD.match(name))}


def difference(file, index, exports):
    """How the names of a library differ from those of a version in its SymbolFile: C++ names, kernels and, where the
    data leave out internal names, names without a prefix of the interface are only counted."""
    ours = {name.partition("@")[0] for name, pairs in file.symbols.items()
            if any(first <= index <= last for first, last in pairs)}
    theirs = {name for full in exports if not NODE.fullmatch(name := full.partition("@")[0])} - LINKER
    words = words_of(file.symbols) if file.head["internal_names_left_out"] else None

    def is_said(name):
        match = WORD.match(name)
        return not INTERNAL.match(name) and (words is None or (match and match[0] in words))

    lacks, more = ours - theirs, theirs - ours
    said = sorted(filter(is_said, lacks)), sorted(filter(is_said, more))
    return {"lacks": said[0], "more": said[1], "left_out": len(lacks | more) - len(said[0]) - len(said[1])}


class Comparisons:
    def __init__(self, path, files):
        """\\p files: the SymbolFiles, which have the versions in order."""
        self.path, self.before = path, path.read_text()
        head = json.loads(self.before)
        self.description = head["description"]
        # (soname, dist): {version: difference}
        self.found, self.versions = {}, {}
        for file in files:
            for row in file.versions:
                if row["source"].endswith(".whl"):
                    dist = re.sub(r"[-_.]+", "-", row["source"].split("-")[0]).lower()
                    self.versions.setdefault((row["soname"], dist), []).append(row["dist_version"])
        for row in head["rows"]:
            key = row["soname"], row["dist"]
            order = self.versions[key]
            for version in order[order.index(row["from_version"]):order.index(row["to_version"]) + 1]:
                self.add(*key, version, {column: row[column] for column in COLUMNS})

    def add(self, soname, dist, version, found):
        self.found.setdefault((soname, dist), {})[version] = found

    def rows(self):
        for (soname, dist), found in sorted(self.found.items()):
            runs = []
            for version in self.versions[soname, dist]:
                if version not in found:
                    runs.append(None)
                elif runs and runs[-1] and runs[-1][0] == found[version]:
                    runs[-1][1].append(version)
                else:
                    runs.append((found[version], [version]))
            for said, versions in filter(None, runs):
                yield {"soname": soname, "dist": dist, "from_version": versions[0], "to_version": versions[-1],
                       "wheels": len(versions), **said,
                       "source": f"wheels {dist} {versions[0]}" + (f" to {versions[-1]}" if versions[1:] else "")
                       + " for aarch64", "confidence": "verified"}

    def save(self):
        head = json.dumps(self.description, ensure_ascii=False)
        rows = ",\n".join(json.dumps(row) for row in self.rows())
        text = f'{{\n"schema": 1,\n"description": {head},\n"rows": [\n{rows}\n]\n}}\n'
        if text != self.before:
            self.path.write_text(text)
        return text != self.before
