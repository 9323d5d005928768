# SPDX-License-Identifier: Apache-2.0
"""aarch64_exports.json: runs of versions whose wheel for aarch64 was compared with the one for x86-64."""

import json
import re

from elf import LINKER_NAMES, order
from rowfile import RowFile

# Linkers define these for aarch64 alone.
LINKER = LINKER_NAMES | {"__bss_start__", "__bss_end__", "_bss_end__"}
NODE = re.compile(r"lib\w+\.so\.\d+")
INTERNAL = re.compile(r"_Z|sm\d+_")
WORD = re.compile(r"[a-z0-9]+(?=[A-Z])")
COLUMNS = ("lacks", "more", "left_out")
NOT_READ = "not read for x86-64"


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


def said_by(found):
    """What versions of one run have in common: of the names left out, only whether there are any."""
    return found["lacks"], found["more"], found["left_out"] > 0


class Comparisons(RowFile):
    def __init__(self, path, files):
        """\\p files: the SymbolFiles, which have the versions in order."""
        super().__init__(path)
        # (soname, dist): {version: difference}
        self.found, self.versions = {}, {}
        for file in files:
            for row in file.versions:
                if row["source"].endswith(".whl"):
                    dist = re.sub(r"[-_.]+", "-", row["source"].split("-")[0]).lower()
                    self.versions.setdefault((row["soname"], dist), []).append(row["dist_version"])
        for row in self.rows:
            key = row["soname"], row["dist"]
            order = self.versions[key]
            for version in order[order.index(row["from_version"]):order.index(row["to_version"]) + 1]:
                self.add(*key, version, {column: row[column] for column in COLUMNS})

    def add(self, soname, dist, version, found):
        self.found.setdefault((soname, dist), {})[version] = found

    def unknown(self, data, dist):
        """{(dist, why): versions} of the wheels for aarch64, or of those of one distribution, that were not compared:
        a library that this wheel lacks, or a version that was not read for x86-64."""
        found = {}
        for row in json.loads((data / "nvidia_wheel_versions.json").read_text())["rows"]:
            libraries = {soname: versions for (soname, each), versions in self.versions.items() if each == row["dist"]}
            if not libraries or dist not in (None, row["dist"]):
                continue
            for version, *_, on_aarch64, state in row["versions"]:
                having = [soname for soname, versions in libraries.items() if version in versions]
                why = [soname for soname in having if version not in self.found.get((soname, row["dist"]), {})]
                if not having and state not in ("prerelease", "placeholder"):
                    why = [NOT_READ]
                for each in why if on_aarch64 else []:
                    found.setdefault((row["dist"], each), []).append(version)
        return found

    def missing(self, data, dist):
        """The versions that can be compared and were not, the newest of each distribution first."""
        found = {(each, version) for (each, why), versions in self.unknown(data, dist).items() if why != NOT_READ
                 for version in versions}
        return sorted(sorted(found, key=lambda pair: order(pair[1]), reverse=True), key=lambda pair: pair[0])

    def runs(self):
        for (soname, dist), found in sorted(self.found.items()):
            runs = []
            for version in self.versions[soname, dist]:
                if version not in found:
                    runs.append(None)
                elif runs and runs[-1] and said_by(runs[-1][0]) == said_by(found[version]):
                    runs[-1][0]["left_out"] = max(runs[-1][0]["left_out"], found[version]["left_out"])
                    runs[-1][1].append(version)
                else:
                    runs.append((dict(found[version]), [version]))
            for said, versions in filter(None, runs):
                yield {"soname": soname, "dist": dist, "from_version": versions[0], "to_version": versions[-1],
                       "wheels": len(versions), **said,
                       "source": f"wheels {dist} {versions[0]}" + (f" to {versions[-1]}" if versions[1:] else "")
                       + " for aarch64", "confidence": "verified"}

    def save(self):
        self.rows = list(self.runs())
        return super().save()
