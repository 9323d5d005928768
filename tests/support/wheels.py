# SPDX-License-Identifier: Apache-2.0
"""NVIDIA's wheels, unpacked in a cache outside the source tree.

    wheels.py get NAME==VERSION [--platform x86_64|aarch64]   prints the folder, a site-packages directory
    wheels.py env OUT NAME==VERSION... [--platform ...]       merges several of them into OUT
    wheels.py env - NAME==VERSION...                          the same in the cache; prints the folder
    wheels.py metadata NAME==VERSION                          prints the wheel's metadata as JSON

The cache keeps the unpacked files, not the wheel. They are shared through hard links: copy a file before
changing it.

locked.json names the file, with its hash, for each requirement of the tests; other files are refused. A
requirement that is not in it is looked up in the index. Tests never use the network: under
CUDACC_TEST_OFFLINE a requirement has to be in locked.json, and its wheel in the cache (fetch.py).
"""

import argparse
import base64
import concurrent.futures
import contextlib
import csv
import fcntl
import functools
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PLATFORMS = {
    "x86_64": ["manylinux_2_%d_x86_64" % n for n in range(39, 16, -1)]
    + ["manylinux2014_x86_64", "manylinux2010_x86_64", "manylinux1_x86_64", "any"],
    "aarch64": ["manylinux_2_%d_aarch64" % n for n in range(39, 16, -1)]
    + ["manylinux2014_aarch64", "any"],
}


LOCKED = Path(__file__).resolve().parent / "locked.json"

# pip must not write anything else (no cache, no record in HOME of its last check for a newer pip), and must not
# ask questions.
QUIET_PIP = {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_CACHE_DIR": "1", "PIP_NO_INPUT": "1",
             "PYTHONDONTWRITEBYTECODE": "1"}


class WheelError(Exception):
    pass


def offline():
    """Whether this runs in a test, where nothing is downloaded."""
    return os.environ.get("CUDACC_TEST_OFFLINE", "") not in ("", "0")


def cache_root():
    if os.environ.get("CUDA_CC_CACHE"):
        return Path(os.environ["CUDA_CC_CACHE"])
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "cuda-cc"


def name_of(requirement):
    """The distribution's name, normalised as by pip, of any requirement."""
    return re.sub(r"[-_.]+", "-", re.match(r"\s*([\w.-]+)", requirement)[1]).lower()


def parse(requirement):
    match = re.fullmatch(r"\s*([A-Za-z0-9][\w.-]*)\s*==\s*([\w.+!]+)\s*", requirement)
    if not match:
        raise WheelError(f"'{requirement}' is not of the form NAME==VERSION")
    return name_of(match[1]), match[2]


def pip_command():
    """CUDA_CC_PIP, else the pip of the environment that `dev setup` made, else that of this Python."""
    if os.environ.get("CUDA_CC_PIP"):
        return os.environ["CUDA_CC_PIP"].split()
    python = cache_root() / "venv/bin/python"
    return [str(python) if python.exists() else sys.executable, "-m", "pip"]


def pip(*arguments, scratch=None):
    """pip's output. In a test, pip gets a HOME of its own instead of the test's, in which no file may be left;
    otherwise it gets the user's, whose configuration names the index. scratch: where pip unpacks files."""
    command = [*pip_command(), *map(str, arguments)]
    with tempfile.TemporaryDirectory(prefix="pip-", dir=scratch) as folder:
        environment = {**os.environ, **QUIET_PIP, "XDG_CACHE_HOME": folder, "TMPDIR": folder}
        if offline():
            environment.update(HOME=folder, PIP_NO_INDEX="1")
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, env=environment)
    if done.returncode != 0:
        raise WheelError(f"pip ended with status {done.returncode}:\n{done.stdout.strip()}")
    return done.stdout


def selection(platform):
    if platform not in PLATFORMS:
        raise WheelError(f"unknown platform '{platform}' (known: {', '.join(PLATFORMS)})")
    options = ["--no-deps", "--only-binary", ":all:"]
    for tag in PLATFORMS[platform]:
        options += ["--platform", tag]
    return options


@contextlib.contextmanager
def exclusive(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def report(name, version, platform="x86_64", more=()):
    """What pip would install: its installation report. more: further options of pip."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "report.json"
        pip("install", "--quiet", "--dry-run", "--ignore-installed", "--target", folder,
            *selection(platform), *more, "--report", target, f"{name}=={version}")
        return json.loads(target.read_text())["install"][0]


def metadata_only(name, version, platform="x86_64"):
    return report(name, version, platform)["metadata"]


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def key_of(name, version, platform):
    return f"{name}-{version}-{platform}"


@functools.cache
def read_locked(path):
    return json.loads(Path(path).read_text()) if Path(path).exists() else {}


def locked(part, key):
    """The entry of locked.json for a key of "wheels", {"file", "sha256", "bytes", "unpacked"}, or None."""
    return read_locked(LOCKED).get(part, {}).get(key)


def interpreter_of(file):
    """pip's options for a wheel of a certain Python version, whichever Python runs pip."""
    match = re.search(r"-cp3(\d+)-(\w+)-[^-]+\.whl$", file)
    if not match:
        return []
    return ["--python-version", f"3.{match[1]}", "--implementation", "cp", "--abi", match[2]]


def download(name, version, platform, folder):
    """The wheel's file in folder, and the hash that it was compared with: locked.json's, else the index's."""
    entry = locked("wheels", key_of(name, version, platform))
    options = selection(platform)
    if entry:
        who, expected = "locked.json", entry["sha256"]
        options += interpreter_of(entry["file"])
    else:
        who = "the index"
        hashes = report(name, version, platform)["download_info"]["archive_info"]["hashes"]
        if "sha256" not in hashes:
            raise WheelError(f"{name}=={version}: the index gives no sha256")
        expected = hashes["sha256"]
    wanted = Path(folder) / "requirement.txt"
    wanted.write_text(f"{name}=={version} --hash=sha256:{expected}\n")
    pip("download", "--quiet", "--dest", folder, *options, "--require-hashes", "-r", wanted,
        scratch=folder)
    files = list(Path(folder).glob("*.whl"))
    if len(files) != 1:
        raise WheelError(f"{name}=={version}: pip left {len(files)} wheels instead of one")
    found = sha256(files[0])
    if found != expected:
        raise WheelError(f"{name}=={version}: sha256 is {found}, {who} says {expected}")
    return files[0], expected


def installed_name(path):
    """The path below site-packages at which pip installs a file of a wheel."""
    return re.sub(r"^[^/]+\.data/(purelib|platlib)/", "", path)


def unpack(wheel, folder):
    """Unpacks a wheel as pip does, and compares its files with the hashes in its RECORD."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        record = next(n for n in names if re.fullmatch(r"[^/]+\.dist-info/RECORD", n))
        rows = csv.reader(archive.read(record).decode().splitlines())
        hashes = {row[0]: row[1] for row in rows if row}
        for item in archive.infolist():
            if item.is_dir():
                continue
            if item.filename.startswith("/") or ".." in item.filename.split("/"):
                raise WheelError(f"{wheel.name}: '{item.filename}' leads out of the wheel")
            target = folder / installed_name(item.filename)
            target.parent.mkdir(parents=True, exist_ok=True)
            digest = hashlib.sha256()
            with archive.open(item) as source, open(target, "wb") as sink:
                while block := source.read(1 << 20):
                    digest.update(block)
                    sink.write(block)
            if (item.external_attr >> 16) & 0o111:
                target.chmod(0o755)
            expected = hashes.get(item.filename, "")
            if expected:
                found = base64.urlsafe_b64encode(digest.digest()).decode().rstrip("=")
                if expected != f"sha256={found}":
                    raise WheelError(f"{wheel.name}: '{item.filename}' is not what RECORD says")


def folder_of(requirement, platform="x86_64"):
    """The folder of a wheel in the cache; it may not exist yet."""
    return cache_root() / "wheels" / key_of(*parse(requirement), platform)


def store(file, digest, folder):
    """Unpacks the wheel's files into that folder of the cache; a file beside it has the wheel's name."""
    aside = folder.parent / f".unpacked-{folder.name}"
    shutil.rmtree(aside, ignore_errors=True)
    try:
        unpack(file, aside)
        stored = {"file": file.name, "sha256": digest, "bytes": file.stat().st_size}
        (folder.parent / f"{folder.name}.json").write_text(json.dumps(stored) + "\n")
        os.rename(aside, folder)
    except (zipfile.BadZipFile, StopIteration) as error:
        raise WheelError(f"{file.name}: not a wheel: {error}") from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def hold(requirement, platform):
    """Refuses, in a test, a wheel that fetch.py does not download, even if it is in this cache."""
    if not offline():
        return
    entry = locked("wheels", folder_of(requirement, platform).name)
    if not entry:
        raise WheelError(f"{requirement} for {platform} is not in tests/support/locked.json: name it in "
                         "wanted.json, then run ./dev lock")
    if entry.get("all") and not os.environ.get("CUDACC_TEST_ALL"):
        raise WheelError(f"{requirement} for {platform} is fetched for ./dev test --all only")


def get(requirement, platform="x86_64"):
    name, version = parse(requirement)
    folder = folder_of(requirement, platform)
    hold(requirement, platform)
    if folder.is_dir():
        return folder
    if offline():
        raise WheelError(f"{name}=={version} for {platform} is not in the cache: ./dev test fetches it")
    with exclusive(folder.parent / ".locks" / folder.name):
        if folder.is_dir():
            return folder
        aside = folder.parent / f".partial-{folder.name}"
        shutil.rmtree(aside, ignore_errors=True)
        aside.mkdir(parents=True)
        try:
            store(*download(name, version, platform, aside), folder)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    return folder


def get_all(requirements, platform="x86_64"):
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return list(pool.map(lambda requirement: get(requirement, platform), requirements))


def link_or_copy(source, target):
    """Copies if a hard link is impossible because the cache is on another file system."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def link_file(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    link_or_copy(source, target)


def link_tree(source, target):
    """Merges a folder's files into another. If both have a file, the later one is kept, as by pip."""
    for folder, _, files in os.walk(source):
        for file in files:
            path = Path(folder) / file
            link_file(path, target / path.relative_to(source))


def merge(requirements, target, platform="x86_64"):
    for folder in get_all(requirements, platform):
        link_tree(folder, target)
    return target


def in_cache(kind, key, make):
    """Folder KIND/KEY of the cache. It is made once, under a temporary name, and then renamed."""
    base = cache_root() / kind
    folder = base / key
    if folder.is_dir():
        return folder
    with exclusive(base / ".locks" / key):
        if not folder.is_dir():
            aside = base / f".partial-{key}"
            shutil.rmtree(aside, ignore_errors=True)
            aside.mkdir(parents=True)
            try:
                make(aside)
                os.rename(aside, folder)
            finally:
                shutil.rmtree(aside, ignore_errors=True)
    return folder


def env(out, requirements, platform="x86_64"):
    if out != "-":
        return merge(requirements, Path(out), platform)
    lines = ["==".join(parse(requirement)) for requirement in requirements]
    for line in lines:
        hold(line, platform)
    key = hashlib.sha256("\n".join([platform, *lines]).encode()).hexdigest()[:16]
    return in_cache("envs", key, lambda folder: merge(lines, folder, platform))


def file_of(requirement, folder, platform="x86_64"):
    """Makes a wheel, for tests in which pip installs it, from its unpacked files in the cache: with its name and
    the same files, not compressed."""
    tree = get(requirement, platform)
    called = json.loads((tree.parent / f"{tree.name}.json").read_text())["file"]
    record = next(tree.glob("*.dist-info/RECORD"))
    rows = [[installed_name(row[0]), *row[1:]] for row in csv.reader(record.read_text().splitlines()) if row]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    target = Path(folder) / called
    with zipfile.ZipFile(target, "w", strict_timestamps=False) as archive:
        for path in sorted(path for path in tree.rglob("*") if path.is_file() and path != record):
            archive.write(path, path.relative_to(tree))
        archive.writestr(str(record.relative_to(tree)), text.getvalue())
    return target


def metadata_of(requirement):
    """The index's data about a wheel for x86_64, as far as locked.json records them."""
    name, version = parse(requirement)
    found = locked("metadata", f"{name}=={version}")
    if found is None:
        raise WheelError(f"the metadata of {name}=={version} is not in tests/support/locked.json: name it in "
                         "wanted.json, then run ./dev lock")
    return found


def read_wanted(key):
    """One part of the list of what the tests use."""
    return json.loads((Path(__file__).resolve().parent / "wanted.json").read_text())[key]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["get", "env", "metadata"])
    parser.add_argument("arguments", nargs="+")
    parser.add_argument("--platform", default="x86_64")
    options = parser.parse_args()
    arguments = options.arguments
    try:
        if options.action == "get":
            for folder in get_all(arguments, options.platform):
                print(folder)
        elif options.action == "env":
            print(env(arguments[0], arguments[1:], options.platform))
        else:
            print(json.dumps(metadata_only(*parse(arguments[0]), options.platform), indent=1))
    except (WheelError, OSError) as error:
        print(f"wheels.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
