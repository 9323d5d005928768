# SPDX-License-Identifier: Apache-2.0
"""The declaration in a source distribution. An unpacked one has no workspace above it, so its own declaration gets the
runtime that it inherits, and its lock files lie inside, as `cargo package` does for a crate. What else it has stays."""

from __future__ import annotations

import contextlib
import copy
import gzip
import io
import json
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from cuda_cc._program import failure, find_program
from cuda_cc._project import PYPROJECT, loads, table_in

# Where files from outside of the project lie in the source distribution.
FOLDER = ".cuda-cc"
OWN_FILE = "cuda-cc.toml"
LOCK = "lock:"
# What a file of requirements reads besides.
NESTED = re.compile(r"^\s*(?:-[rc]|--(?:requirement|constraint)(?=[ =]))\s*=?\s*(\S+)", re.MULTILINE)
# Extended headers of an archive that follow from a member's name and content.
DERIVED = ("path", "size")
HEADER = re.compile(r"""\s*\[\s*tool\s*\.\s*(["']?)cuda-cc\1\s*\]\s*(#.*)?$""")


@dataclass
class _Carried:
    """What a source distribution needs besides what the other backend put there."""

    # Path inside of it -> path of the file.
    files: dict[str, str] = field(default_factory=dict)
    # Settings that are not as the project has them.
    settings: dict[str, Any] = field(default_factory=dict)


def _list(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value]


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise failure(f"{path} cannot be read for the source distribution: {error}") from None


def _declared() -> list[tuple[str, str]]:
    """The requirements and the files that declare them, whatever options and variables declare for this build."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("CUDA_CC_") or name == "CUDA_CC_TRUST"
    }
    command = [find_program(), "target", "--format=json"]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stderr.decode(errors="replace"))
        sys.stderr.write("cuda-cc: warning: the source distribution gets no runtime from above and no lock file\n")
        return []
    return [
        (each["requirement"], os.path.abspath(each["origin"].rpartition(":")[0]))
        for each in json.loads(done.stdout)["declared"]
    ]


def _with_nested(path: str) -> Iterator[str]:
    """The file, and files that it reads."""
    found = [path]
    for each in found:
        yield each
        for name in NESTED.findall(_read(each)):
            nested = os.path.normpath(os.path.join(os.path.dirname(each), name.strip("\"'")))
            if os.path.isfile(nested) and nested not in found:
                found.append(nested)


def _is_below(path: str, root: str) -> bool:
    return os.path.commonpath([path, root]) == root


def _carry(files: list[str], root: str, carried: _Carried) -> str:
    """Notes the files; the path of the first in the source distribution."""
    above = root
    if not all(_is_below(each, root) for each in files):
        above = os.path.commonpath([os.path.dirname(each) for each in files])
    prefix = "" if above == root else f"{FOLDER}/"
    for each in files:
        place = prefix + os.path.relpath(each, above)
        if carried.files.setdefault(place, each) != each:
            raise failure(f"two files of the declaration would be {place} in the source distribution")
    return prefix + os.path.relpath(files[0], above)


def _absolute(path: str, root: str) -> str:
    return os.path.normpath(os.path.join(root, os.path.expanduser(path)))


def _carry_runtime(declared: list[tuple[str, str]], root: str, name: str, carried: _Carried) -> None:
    own = os.path.join(root, name)
    inherited = any(origin != own for _, origin in declared)
    [written] = {origin: table_in(_read(origin), os.path.basename(origin)) for _, origin in declared}.values()
    runtime = []
    for (requirement, _), text in zip(declared, _list(written["runtime"])):
        if requirement.startswith(LOCK):
            files = list(_with_nested(_absolute(requirement[len(LOCK):], root)))
            place = _carry(files, root, carried)
            if inherited or os.path.normpath(text.strip()[len(LOCK):]) != place:
                text = LOCK + place
        elif inherited and re.match(r"\s*env\s*(:|$)", text):
            sys.stderr.write(f"cuda-cc: warning: the source distribution gets no runtime from above: {text} is a place "
                             "of this machine\n")
            carried.files.clear()
            return
        runtime.append(text)
    if inherited or runtime != _list(written["runtime"]):
        carried.settings["runtime"] = runtime


def _edits(lines: list[str], name: str, key: str, line: str) -> Iterator[list[str]]:
    """The file with the line in each place where it might belong, or in place of each setting of that key."""
    for at, old in enumerate(lines):
        if re.match(rf"\s*{key}\s*=", old):
            for end in range(at + 1, len(lines) + 1):
                yield [*lines[:at], line, *lines[end:]]
        elif name == PYPROJECT and HEADER.match(old):
            yield [*lines[:at], old if old.endswith("\n") else old + "\n", line, *lines[at + 1:]]
    if name == OWN_FILE:
        yield [line, *lines]


def _with_setting(text: str, name: str, key: str, value: Any) -> str:
    """The text with this setting and all else unchanged."""
    table_in(text, name)  # Reports what is not TOML.
    wanted = loads(text)
    table = wanted if name == OWN_FILE else wanted.setdefault("tool", {}).setdefault("cuda-cc", {})
    table[key] = value
    # Strings of JSON are strings of TOML, but for a character that no requirement or path has.
    line = f"{key} = {json.dumps(value, ensure_ascii=False)}\n"
    for edited in _edits(text.splitlines(keepends=True), name, key, line):
        made = "".join(edited)
        with contextlib.suppress(ValueError):
            if loads(made) == wanted:
                return made
    raise failure(
        f"{key} cannot be written into {name} of the source distribution",
        "write [tool.cuda-cc] as a line, with each setting in lines of its own below",
    )


class _Archive:
    """A .tar.gz of the other backend, to which files are added."""

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            with gzip.open(path) as file:
                self.content = file.read()
            with open(path, "rb") as file:
                self.time = int.from_bytes(file.read(8)[4:], "little")
            with tarfile.open(fileobj=io.BytesIO(self.content)) as tar:
                self.members = {each.name: each for each in tar.getmembers()}
        except (OSError, EOFError, tarfile.TarError) as error:
            raise failure(f"the source distribution {os.path.basename(path)} is no .tar.gz: {error}") from None
        self.top = next(iter(self.members), "").split("/")[0]
        if PYPROJECT not in self:
            raise failure(f"the source distribution {os.path.basename(path)} has no {PYPROJECT}")

    def __contains__(self, name: str) -> bool:
        return f"{self.top}/{name}" in self.members

    def text(self, name: str) -> str:
        with tarfile.open(fileobj=io.BytesIO(self.content)) as tar:
            file = tar.extractfile(f"{self.top}/{name}")
            assert file
            return file.read().decode()

    def put(self, files: Mapping[str, bytes]) -> None:
        """Replaces and adds files, with owner and time of pyproject.toml. All else stays as it is and where it is."""
        like = self.members[f"{self.top}/{PYPROJECT}"]
        todo = {f"{self.top}/{name}": content for name, content in files.items()}
        made = io.BytesIO()
        with gzip.GzipFile("", "wb", fileobj=made, mtime=self.time) as packed, \
                tarfile.open(fileobj=io.BytesIO(self.content)) as old, \
                tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT, pax_headers=old.pax_headers) as new:

            def add(info: tarfile.TarInfo, name: str, content: bytes) -> None:
                info = copy.copy(info)
                info.name, info.size = name, len(content)
                info.pax_headers = {key: value for key, value in info.pax_headers.items() if key not in DERIVED}
                new.addfile(info, io.BytesIO(content))

            for member in old:
                if member.name in todo:
                    add(member, member.name, todo.pop(member.name))
                else:
                    new.addfile(member, old.extractfile(member) if member.isreg() else None)
            for name, content in todo.items():
                add(like, name, content)
        temporary = f"{self.path}.cuda-cc"
        with open(temporary, "wb") as file:
            file.write(made.getvalue())
        os.replace(temporary, self.path)


def complete(sdist: str, root: str) -> None:
    """Puts into the source distribution at this path, of the project in this folder, what its declaration needs."""
    name = OWN_FILE if os.path.isfile(os.path.join(root, OWN_FILE)) else PYPROJECT
    table = table_in(_read(os.path.join(root, name)), name)
    # Other requirements mean the same everywhere.
    inherits = "runtime" not in table
    asks = inherits or any(isinstance(each, str) and each.strip().startswith(LOCK) for each in _list(table["runtime"]))
    facts = table.get("facts")
    if name == PYPROJECT and not asks and not facts:
        return
    carried = _Carried()
    if asks and (declared := _declared()):
        _carry_runtime(declared, root, name, carried)
    if isinstance(facts, str) and os.path.isfile(_absolute(facts, root)):
        place = _carry([_absolute(facts, root)], root, carried)
        if place != os.path.normpath(facts):
            carried.settings["facts"] = place
    archive = _Archive(sdist)
    files = {place: _read(file).encode() for place, file in carried.files.items() if place not in archive}
    text = archive.text(name) if name in archive else _read(os.path.join(root, name))
    for key, value in carried.settings.items():
        text = _with_setting(text, name, key, value)
    if carried.settings or name not in archive:
        files[name] = text.encode()
    if files:
        archive.put(files)
