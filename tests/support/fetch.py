# SPDX-License-Identifier: Apache-2.0
"""Downloads everything that the tests need into the cache of wheels.py before they run. Tests themselves
download nothing.

    fetch.py plan [--all]   prints how much is missing and where it will be stored; downloads nothing
    fetch.py [--all]        downloads it, and prints its progress from time to time
    fetch.py lock           rewrites locked.json from wanted.json, which is the file to edit

wanted.json lists requirements, environments (lists of requirements), toolkits (toolkits.py), Debian packages
(debs.py) and files of large wheels (members.py); those below "all" are needed only by ./dev test --all. locked.json
has the file name, hash and sizes of each wheel, so that every later download gets the same files, and the sizes of
Debian's packages at the time when it was written.
"""

import concurrent.futures
import json
import os
import shutil
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import debs
import members
import toolkits
import wheels

WANTED = Path(__file__).resolve().parent / "wanted.json"
# The version of the cache's format; wheels.py and ./dev read it. The first version had no such file.
FORM = "2"
# Seconds between two checks of the progress, the longest time between two lines, and a step in percent that
# also prints one.
LOOK, LINE, STEP = 2, 60, 5
AT_A_TIME = 4
TRIES = 3


@dataclass
class Item:
    """One thing to download: its name, its folder in the cache, its size as a file and unpacked, and the function."""
    name: str
    folder: Path
    bytes: int
    unpacked: int
    fetch: callable

    @property
    def there(self):
        return self.folder.is_dir()

    def arrived(self):
        """About how many bytes have been downloaded."""
        aside = self.folder.parent / f".partial-{self.folder.name}"
        return min(self.bytes, size_of(aside)) if aside.is_dir() else 0


def read(every):
    """wanted.json: everything, or without the part for --all."""
    wanted = json.loads(WANTED.read_text())
    more = wanted.pop("all", {})
    if every:
        for key, names in more.items():
            wanted[key] = wanted.get(key, []) + names
    return wanted


def size_of(folder):
    """Bytes used on the disk; files with several names count once."""
    seen, size = set(), 0
    for place, _, files in os.walk(folder):
        for name in files:
            try:
                found = os.lstat(os.path.join(place, name))
            except FileNotFoundError:
                continue
            if (found.st_dev, found.st_ino) not in seen:
                seen.add((found.st_dev, found.st_ino))
                size += found.st_blocks * 512
    return size


def amount(size):
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.1f} MB"


def requirements(wanted):
    """{(NAME==VERSION, platform)} of every wheel."""
    found = {(each, "x86_64") for each in wanted.get("wheels", [])}
    found |= {(each, "x86_64") for some in wanted.get("environments", {}).values() for each in some}
    found |= {(each, "x86_64") for word in wanted.get("toolkits", []) for each in toolkits.parts(word)[0]}
    found |= {(each, "aarch64") for each in wanted.get("wheels_aarch64", [])}
    return {("==".join(wheels.parse(each)), platform) for each, platform in found}


def items(wanted):
    """Everything to download, the largest first, so that the last downloads end at about the same time."""
    found = []

    def add(name, part, folder, fetch):
        entry = wheels.locked(part, folder.name) or {}
        found.append(Item(name, folder, entry.get("bytes", 0), entry.get("unpacked", 0), fetch))

    for requirement, platform in requirements(wanted):
        add(f"{requirement} {platform}", "wheels", wheels.folder_of(requirement, platform),
            lambda requirement=requirement, platform=platform: wheels.get(requirement, platform))
    for word in wanted.get("toolkits", []):
        package = toolkits.parts(word)[1]
        if package:
            add(package, "debian", wheels.cache_root() / "debian" / package,
                lambda word=word: toolkits.debian(word))
    for requirement in wanted.get("members", {}):
        add(f"files of {requirement}", "members", members.folder_of(requirement),
            lambda requirement=requirement: members.get(requirement))
    for name in wanted.get("unpacked", []):
        add(name, "debian", wheels.cache_root() / "debian" / name, lambda name=name: debs.get(name))
    return sorted(found, key=lambda item: (-item.bytes, item.name))


def say(text):
    print(f"dev: {text}", file=sys.stderr, flush=True)


def room():
    """Free bytes on the file system of the cache."""
    folder = wheels.cache_root()
    while not folder.exists():
        folder = folder.parent
    return shutil.disk_usage(folder).free


def plan(wanted, write=say):
    """Prints what is missing; returns the missing items and whether there is room for them."""
    every = items(wanted)
    missing = [item for item in every if not item.there]
    size, unpacked = sum(item.bytes for item in missing), sum(item.unpacked for item in missing)
    root = wheels.cache_root()
    if not missing:
        write(f"what the tests need is in {root}, {amount(size_of(root))}")
        return missing, True
    write(f"to fetch for the tests: {len(missing)} of {len(every)} files, {amount(size)}, unpacked "
          f"{amount(unpacked)} in {root}")
    # While one of the largest items is being unpacked, its files exist twice.
    needed = unpacked + 2 * sum(item.bytes for item in missing[:AT_A_TIME])
    if room() < needed:
        write(f"{root} has {amount(room())} free, and {amount(needed)} are needed: make room, or name another "
              "place with CUDA_CC_CACHE")
        return missing, False
    return missing, True


class Progress:
    """Prints a line about the progress from time to time, and one more for items that were slow."""

    def __init__(self, missing, write, look=LOOK):
        self.missing, self.write, self.look = missing, write, look
        self.done, self.ended = set(), threading.Event()
        self.total = sum(item.bytes for item in missing)
        self.begin = time.monotonic()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()

    def here(self):
        return sum(item.bytes if item.name in self.done else item.arrived() for item in self.missing)

    def share(self, here):
        return 100 * here // self.total if self.total else 100

    def line(self, here):
        return (f"fetched {len(self.done)} of {len(self.missing)} files, {amount(here)} of "
                f"{amount(self.total)} ({self.share(here)}%) in {time.monotonic() - self.begin:.0f} s")

    def run(self):
        share, last = 0, self.begin
        while not self.ended.wait(self.look):
            here, now = self.here(), time.monotonic()
            if self.share(here) >= share + STEP or now - last >= LINE:
                self.write(self.line(here))
                share, last = self.share(here), now


def attempt(item, pause=5):
    """Returns an error message, or None. Broken connections are retried, a wrong file is an error at once."""
    for number in range(TRIES):
        try:
            item.fetch()
            return None
        except toolkits.Skipped as reason:
            return reason
        except (wheels.WheelError, OSError) as error:
            problem = error
            if "sha256" in str(error) or number == TRIES - 1:
                break
            time.sleep(pause)
    return problem


def fetch(wanted, write=say):
    """Returns the exit status: 1 if a required item is missing."""
    missing, fits = plan(wanted, write)
    if not fits:
        return 1
    failed = 0
    if missing:
        with Progress(missing, write) as progress, \
                concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
            futures = {pool.submit(attempt, item): item for item in missing}
            for future in concurrent.futures.as_completed(futures):
                item, problem = futures[future], future.result()
                progress.done.add(item.name)
                if isinstance(problem, toolkits.Skipped):
                    write(f"{item.name}: {problem}: the tests that need it are skipped")
                elif problem:
                    failed += 1
                    write(f"{item.name}: {problem}")
        write(progress.line(progress.here()))
    for word in wanted.get("toolkits", []):
        try:
            toolkits.named(word)
        except toolkits.Skipped:
            pass
        except (wheels.WheelError, OSError) as error:
            if not failed:
                write(f"toolkit {word}: {error}")
            failed += 1
    if missing:
        root = wheels.cache_root()
        write(f"{root} holds {amount(size_of(root))} for the tests; ./dev clean --cache removes it")
    return int(failed > 0)


def migrate(wanted, write=say):
    """Converts a cache of the first format: removes wheels that were kept beside their unpacked files, metadata
    for which whole wheels were downloaded, and everything that no list names any more."""
    root = wheels.cache_root()
    form = root / "form"
    if form.exists() and form.read_text().strip() == FORM:
        return
    with wheels.exclusive(root / "form.lock"):
        if form.exists() and form.read_text().strip() == FORM:
            return
        before = size_of(root)
        keys = {wheels.folder_of(*each).name for each in requirements(wanted)}
        for file in root.glob("files/*/*.whl"):
            folder = root / "wheels" / file.parent.name
            entry = wheels.locked("wheels", folder.name)
            if entry and folder.name in keys and not folder.is_dir() and wheels.sha256(file) == entry["sha256"]:
                folder.parent.mkdir(exist_ok=True)
                wheels.store(file, entry["sha256"], folder)
        for folder in root.glob("wheels/*"):
            note = folder.parent / f"{folder.name}.json"
            if folder.name.startswith(".partial-"):
                shutil.rmtree(folder)
            elif folder.is_dir() and not folder.name.startswith(".") and not is_locked(note, keys):
                note.unlink(missing_ok=True)
                shutil.rmtree(folder)
        # Symbolic links into the removed folders; they are made again in seconds.
        for part in ("files", "metadata", "envs", "toolkits"):
            shutil.rmtree(root / part, ignore_errors=True)
        root.mkdir(parents=True, exist_ok=True)
        form.write_text(FORM + "\n")
        after = size_of(root)
        if after < before:
            write(f"{root} had an older form: {amount(before)} there became {amount(after)}")


def is_locked(note, keys):
    """Whether a folder of the cache contains the wheel that locked.json names."""
    try:
        digest = json.loads(note.read_text())["sha256"]
    except (OSError, ValueError, KeyError):
        return False
    entry = wheels.locked("wheels", note.stem)
    return bool(entry) and note.stem in keys and entry["sha256"] == digest


def lock(wanted, always, write=say):
    """Writes locked.json. Existing entries stay; the other items are downloaded and measured. Items that only
    --all downloads are marked."""
    old, new = wheels.read_locked(wheels.LOCKED), {"wheels": {}, "metadata": {}, "members": {}, "debian": {}}

    def wheel(each):
        folder = wheels.folder_of(*each)
        entry = old.get("wheels", {}).get(folder.name)
        if not entry:
            wheels.get(*each)
            stored = json.loads((folder.parent / f"{folder.name}.json").read_text())
            entry = {**stored, "unpacked": size_of(folder)}
        entry.pop("all", None)
        return folder.name, entry if each in usual else {**entry, "all": True}

    usual = requirements(always)
    with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
        new["wheels"] = dict(sorted(pool.map(wheel, requirements(wanted))))
    for requirement in sorted(wanted.get("metadata", [])):
        entry = old.get("metadata", {}).get(requirement)
        if not entry:
            said = wheels.metadata_only(*wheels.parse(requirement))
            entry = {key: said[key] for key in ("name", "version", "requires_dist", "provides_extra")
                     if key in said}
        new["metadata"][requirement] = entry
    for item in items(wanted):
        part = item.folder.parent.name
        if part != "wheels":
            entry = old.get(part, {}).get(item.folder.name)
            if not entry:
                item.fetch()
                entry = json.loads((item.folder.parent / f"{item.folder.name}.json").read_text())
                if part == "debian":
                    entry = {"bytes": entry["bytes"]}
                entry["unpacked"] = size_of(item.folder)
            new[part][item.folder.name] = entry
    for part in ("debian", "members"):
        new[part] = dict(sorted(new[part].items()))
    wheels.LOCKED.write_text(json.dumps(new, indent=1) + "\n")
    write(f"{wheels.LOCKED.name}: {len(new['wheels'])} wheels, "
          f"{amount(sum(entry['bytes'] for entry in new['wheels'].values()))}")
    return 0


def main(arguments):
    words = [word for word in arguments if word != "--all"] or ["fetch"]
    if len(words) > 1 or words[0] not in ("plan", "fetch", "lock"):
        print(__doc__)
        return 2
    [action], wanted = words, read("--all" in arguments)
    try:
        if action == "lock":
            return lock(read(True), read(False))
        migrate(read(True))
        return int(not plan(wanted)[1]) if action == "plan" else fetch(wanted)
    except (wheels.WheelError, toolkits.Skipped, OSError) as error:
        say(str(error))
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
