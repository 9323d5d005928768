# SPDX-License-Identifier: Apache-2.0
"""Reads from a library what versioned_symbols.json records about it."""

import re

import elf
from rowfile import RowFile

DRIVER = {"cuda", "nvidia-ml"}
COLUMNS = ("soname", "version_node", "nvidia_needed", "runpath", "rpath", "dlopens", "hash")


def shape_of(path, exports, stems):
    """The columns that are equal for all versions of a run, and the number of exports. \\p stems: the names of
    NVIDIA's libraries between `lib` and `.so`, in lower case."""
    needed, paths, tags = [], {}, set()
    for line in elf.readelf("-d", path):
        if match := re.search(r"\((\w+)\)\s+(?:[^\[]*\[(.*)\]$)?", line):
            tags.add(match[1])
            if match[1] == "NEEDED":
                needed.append(match[2])
            elif match[1] in ("RPATH", "RUNPATH"):
                paths[match[1]] = match[2]
    nodes = [match[1] for line in elf.readelf("-V", path)
             if (match := re.search(r"Rev: \d+\s+Flags: (?!BASE)\S+.*Name: (\S+)$", line))]
    # A complete string: no printable character before it, and NUL after it.
    names = {match.decode() for match in re.findall(
        rb"(?<![\x20-\x7e])lib[\w.+-]*\.so[.\d]*(?=\0)", path.read_bytes())}
    soname = elf.soname_of(path)
    opened = sorted(name for name in names - {*needed, soname} if elf.stem_of(name) in stems)
    hashes = tags & {"HASH", "GNU_HASH"}
    return {
        "soname": soname,
        "version_node": nodes[0] if len(nodes) == 1 else nodes or None,
        "exported_symbols": len(exports),
        "nvidia_needed": [name for name in needed if elf.stem_of(name) in stems | DRIVER],
        "runpath": paths.get("RUNPATH"),
        "rpath": paths.get("RPATH"),
        "dlopens": opened,
        "hash": "both" if len(hashes) == 2 else "gnu" if "GNU_HASH" in hashes else "sysv",
    }


class Runs(RowFile):
    """versioned_symbols.json: runs of consecutive versions with the same columns."""

    def add(self, dist, version, toolkit, shape):
        """Adds a version and returns what was done: it is already in a run, it extends a run, or it starts one.
        Nothing is done if it lies between two runs."""
        own = [index for index, row in enumerate(self.rows)
               if (row["soname"], row["dist"]) == (shape["soname"], dist)]
        last = self.rows[own[-1]] if own else None
        if last and elf.order(version) <= elf.order(last["to_version"]):
            return self._inside(own, version, shape)
        if last and all(last[column] == shape[column] for column in COLUMNS):
            last.update(to_version=version, to_toolkit=toolkit, wheels=last["wheels"] + 1,
                        exported_symbols=shape["exported_symbols"])
            last["source"] = source_of(last)
            return "the last run is longer"
        row = {**shape, "dist": dist, "from_version": version, "to_version": version,
               "from_toolkit": toolkit, "to_toolkit": toolkit, "wheels": 1, "source": "",
               "confidence": "verified"}
        row["source"] = source_of(row)
        self.rows.insert(own[-1] + 1 if own else len(self.rows), row)
        return "a run begins"

    def _inside(self, own, version, shape):
        for index in own:
            row = self.rows[index]
            if elf.order(row["from_version"]) <= elf.order(version) <= elf.order(row["to_version"]):
                different = [column for column in COLUMNS if row[column] != shape[column]]
                return f"its run says otherwise: {', '.join(different)}" if different else "known"
        return "between two runs: by hand"


def source_of(row):
    text = f"wheels {row['dist']} {row['from_version']}"
    return text if row["wheels"] == 1 else (
        f"{text} to {row['to_version']} ({row['wheels']} opened)")
