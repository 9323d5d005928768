# SPDX-License-Identifier: Apache-2.0
"""Some files of a wheel that is too large to be downloaded whole, in the cache of wheels.py. wanted.json names them;
only their ranges are requested, and the list of files at the wheel's end.

locked.json has the hash of the wheel's RECORD, which has the hashes of its files.
"""

import base64
import csv
import fnmatch
import hashlib
import io
import json
import os
import shutil
import time
import urllib.request
import zipfile

import madewheel
import wheels

TRIES = 4
BLOCK = 1 << 20


class Remote(io.RawIOBase):
    """A file on a server, read in ranges; `received` counts bytes."""

    def __init__(self, url):
        self.url, self.at, self.received = url, 0, 0
        with self.answer(method="HEAD") as answer:
            self.size = int(answer.headers["Content-Length"])

    def answer(self, **options):
        for attempt in range(TRIES):
            try:
                return urllib.request.urlopen(urllib.request.Request(self.url, **options), timeout=60)
            except OSError:
                if attempt == TRIES - 1:
                    raise
                time.sleep(attempt)
        return None

    def seekable(self):
        return True

    def readable(self):
        return True

    def seek(self, offset, whence=os.SEEK_SET):
        self.at = offset + {os.SEEK_SET: 0, os.SEEK_CUR: self.at, os.SEEK_END: self.size}[whence]
        return self.at

    def readinto(self, buffer):
        end = min(self.at + len(buffer), self.size)
        if end <= self.at:
            return 0
        with self.answer(headers={"Range": f"bytes={self.at}-{end - 1}"}) as answer:
            if answer.status != 206:
                raise wheels.WheelError(f"{self.url}: the server sends no ranges")
            count = answer.readinto(memoryview(buffer)[:end - self.at])
        self.at += count
        self.received += count
        return count


def folder_of(requirement):
    return wheels.cache_root() / "members" / wheels.key_of(*wheels.parse(requirement), "x86_64")


def get(requirement):
    """The folder with these files and the wheel's dist-info, a site-packages directory that lacks all others."""
    folder = folder_of(requirement)
    if not folder.is_dir() and wheels.offline():
        raise wheels.WheelError(f"the files of {requirement} are not in the cache: ./dev test fetches them")
    return wheels.in_cache("members", folder.name, lambda aside: fetch(requirement, aside))


def fetch(requirement, folder):
    entry = wheels.locked("members", folder_of(requirement).name)
    name, version = wheels.parse(requirement)
    more = wheels.interpreter_of(entry["file"]) if entry else []
    url = wheels.report(name, version, more=more)["download_info"]["url"]
    remote = Remote(url)
    with zipfile.ZipFile(io.BufferedReader(remote, BLOCK)) as archive:
        [record] = [name for name in archive.namelist() if name.endswith(".dist-info/RECORD")]
        text = archive.read(record)
        digest = hashlib.sha256(text).hexdigest()
        if entry and entry["record"] != digest:
            raise wheels.WheelError(f"{requirement}: sha256 of RECORD is {digest}, locked.json says {entry['record']}")
        hashes = {row[0]: row[1] for row in csv.reader(text.decode().splitlines()) if row}
        patterns = [f"{os.path.dirname(record)}/*", *wheels.read_wanted("members")[requirement]]
        for item in archive.infolist():
            if any(fnmatch.fnmatch(item.filename, pattern) for pattern in patterns) and not item.is_dir():
                extract(archive, item, folder, hashes.get(item.filename, ""))
    stored = {"file": url.partition("#")[0].rpartition("/")[2], "record": digest, "bytes": remote.received}
    path = folder_of(requirement)
    (path.parent / f"{path.name}.json").write_text(json.dumps(stored) + "\n")


def extract(archive, item, folder, expected):
    if item.filename.startswith("/") or ".." in item.filename.split("/"):
        raise wheels.WheelError(f"'{item.filename}' leads out of the wheel")
    target = folder / item.filename
    target.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(item) as source, open(target, "wb") as sink:
        shutil.copyfileobj(source, sink, BLOCK)
    with open(target, "rb") as file:
        found = base64.urlsafe_b64encode(hashlib.file_digest(file, "sha256").digest()).decode().rstrip("=")
    if expected not in ("", f"sha256={found}"):
        raise wheels.WheelError(f"'{item.filename}' is not what RECORD says")


def file_of(requirement, folder, keep=()):
    """Makes a wheel of these files without headers, for tests that install it. It requires only those of the
    distributions in `keep` that the whole wheel requires."""
    tree = get(requirement)
    [info] = tree.glob("*.dist-info")
    lines = [line for line in (info / "METADATA").read_text().splitlines()
             if not line.startswith("Requires-Dist:") or wheels.name_of(line.partition(":")[2]) in keep]
    files = {str(path.relative_to(tree)): path.read_bytes() for path in sorted(tree.rglob("*"))
             if path.is_file() and "include" not in path.parts}
    files[f"{info.name}/METADATA"] = "\n".join([*lines, ""]).encode()
    del files[f"{info.name}/RECORD"]
    called = json.loads((tree.parent / f"{tree.name}.json").read_text())["file"]
    return madewheel.pack(folder / called, files, info.name)
