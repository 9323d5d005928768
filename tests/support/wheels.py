"""NVIDIA's wheels, unpacked in a cache outside the tree.

    wheels.py get NAME==VERSION [--platform x86_64|aarch64]   prints the folder, a site-packages
    wheels.py env OUT NAME==VERSION... [--platform ...]       several of them merged into OUT
    wheels.py env - NAME==VERSION...                          likewise in the cache; prints the folder
    wheels.py metadata NAME==VERSION                          the wheel's metadata as JSON, no download
    wheels.py prefetch FILE                                   "wheels" and "environments" of a JSON file

Folders in the cache are shared through hard links: copy a file before changing it.
"""

import argparse
import base64
import concurrent.futures
import contextlib
import csv
import fcntl
import hashlib
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


class WheelError(Exception):
    pass


def cache_root():
    if os.environ.get("CUDA_CC_CACHE"):
        return Path(os.environ["CUDA_CC_CACHE"])
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "cuda-cc"


def name_of(requirement):
    """The distribution's name, as pip normalises it, of any requirement."""
    return re.sub(r"[-_.]+", "-", re.match(r"\s*([\w.-]+)", requirement)[1]).lower()


def parse(requirement):
    match = re.fullmatch(r"\s*([A-Za-z0-9][\w.-]*)\s*==\s*([\w.+!]+)\s*", requirement)
    if not match:
        raise WheelError(f"'{requirement}' is not of the form NAME==VERSION")
    return name_of(match[1]), match[2]


def pip_command():
    """CUDA_CC_PIP, else the environment that `dev setup` made, else this Python's own."""
    if os.environ.get("CUDA_CC_PIP"):
        return os.environ["CUDA_CC_PIP"].split()
    python = cache_root() / "venv/bin/python"
    return [str(python) if python.exists() else sys.executable, "-m", "pip"]


def pip(*arguments):
    command = [*pip_command(), *map(str, arguments)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
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
def locked(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def report(name, version, platform="x86_64"):
    """What pip would install, in the words of its installation report."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "report.json"
        pip("install", "--quiet", "--dry-run", "--ignore-installed", "--target", folder,
            *selection(platform), "--report", target, f"{name}=={version}")
        return json.loads(target.read_text())["install"][0]


def metadata_only(name, version, platform="x86_64"):
    return report(name, version, platform)["metadata"]


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def download(name, version, platform, folder):
    """The wheel's file in folder, and the hash of the index it was held against."""
    hashes = report(name, version, platform)["download_info"]["archive_info"]["hashes"]
    if "sha256" not in hashes:
        raise WheelError(f"{name}=={version}: the index gives no sha256")
    expected = hashes["sha256"]
    wanted = Path(folder) / "requirement.txt"
    wanted.write_text(f"{name}=={version} --hash=sha256:{expected}\n")
    pip("download", "--quiet", "--no-cache-dir", "--dest", folder, *selection(platform),
        "--require-hashes", "-r", wanted)
    files = list(Path(folder).glob("*.whl"))
    if len(files) != 1:
        raise WheelError(f"{name}=={version}: pip left {len(files)} wheels instead of one")
    found = sha256(files[0])
    if found != expected:
        raise WheelError(f"{name}=={version}: sha256 is {found}, the index says {expected}")
    return files[0], expected


def unpack(wheel, folder):
    """Lays a wheel out as pip does, held against the hashes of its own RECORD."""
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
            name = re.sub(r"^[^/]+\.data/(purelib|platlib)/", "", item.filename)
            target = folder / name
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


def get(requirement, platform="x86_64"):
    name, version = parse(requirement)
    wheels = cache_root() / "wheels"
    key = f"{name}-{version}-{platform}"
    folder = wheels / key
    if folder.is_dir():
        return folder
    with locked(wheels / ".locks" / key):
        if folder.is_dir():
            return folder
        aside = wheels / f".partial-{key}"
        shutil.rmtree(aside, ignore_errors=True)
        aside.mkdir(parents=True)
        try:
            file, digest = download(name, version, platform, aside)
            unpack(file, aside / "tree")
            stored = {"file": file.name, "sha256": digest, "bytes": file.stat().st_size}
            (wheels / f"{key}.json").write_text(json.dumps(stored) + "\n")
            os.rename(aside / "tree", folder)
        except (zipfile.BadZipFile, StopIteration) as error:
            raise WheelError(f"{name}=={version}: not a wheel: {error}") from error
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    return folder


def get_all(requirements, platform="x86_64"):
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return list(pool.map(lambda requirement: get(requirement, platform), requirements))


def link_or_copy(source, target):
    """Where the cache lies on another disk there are no hard links."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def link_file(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    link_or_copy(source, target)


def link_tree(source, target):
    """Puts a folder's files into another; where both have one, the later stays, as with pip."""
    for folder, _, files in os.walk(source):
        for file in files:
            path = Path(folder) / file
            link_file(path, target / path.relative_to(source))


def merge(requirements, target, platform="x86_64"):
    for folder in get_all(requirements, platform):
        link_tree(folder, target)
    return target


def in_cache(kind, key, make):
    """Folder KIND/KEY of the cache, made once: aside, then renamed."""
    base = cache_root() / kind
    folder = base / key
    if folder.is_dir():
        return folder
    with locked(base / ".locks" / key):
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
    key = hashlib.sha256("\n".join([platform, *lines]).encode()).hexdigest()[:16]
    return in_cache("envs", key, lambda folder: merge(lines, folder, platform))


def file_of(requirement, platform="x86_64"):
    """The wheel itself, for tests in which pip installs it."""
    name, version = parse(requirement)
    folder = in_cache("files", f"{name}-{version}-{platform}",
                      lambda aside: download(name, version, platform, aside))
    return next(folder.glob("*.whl"))


def metadata_of(requirement):
    """What the index says of a wheel for x86_64, kept; the wheel is not downloaded."""
    name, version = parse(requirement)

    def make(aside):
        (aside / "metadata.json").write_text(json.dumps(metadata_only(name, version)))

    folder = in_cache("metadata", f"{name}-{version}", make)
    return json.loads((folder / "metadata.json").read_text())


def read_wanted(key):
    """A part of the list of what the tests use."""
    return json.loads((Path(__file__).resolve().parent / "wanted.json").read_text())[key]


def prefetch(file):
    wanted = json.loads(Path(file).read_text())
    requirements = list(wanted.get("wheels", []))
    requirements += [r for e in wanted.get("environments", {}).values() for r in e]
    jobs = {(*parse(r), "x86_64"): r for r in requirements}
    jobs |= {(*parse(r), "aarch64"): r for r in wanted.get("wheels_aarch64", [])}
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        futures = {pool.submit(get, r, key[2]): r for key, r in jobs.items()}
        futures |= {pool.submit(file_of, r): r for r in wanted.get("files", [])}
        futures |= {pool.submit(metadata_of, r): r for r in wanted.get("metadata", [])}
        for future in concurrent.futures.as_completed(futures):
            try:
                future.result()
            except (WheelError, OSError) as error:
                failed += 1
                print(f"wheels.py: {futures[future]}: {error}", file=sys.stderr)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["get", "env", "metadata", "prefetch"])
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
        elif options.action == "metadata":
            print(json.dumps(metadata_only(*parse(arguments[0]), options.platform), indent=1))
        else:
            for file in arguments:
                prefetch(file)
    except (WheelError, OSError) as error:
        print(f"wheels.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
