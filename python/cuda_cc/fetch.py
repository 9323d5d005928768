# SPDX-License-Identifier: Apache-2.0
"""Fetches the files of a toolkit and makes one folder of them, for `cuda-cc toolchain --fetch`.

cuda-cc starts it, with a request as JSON on stdin: {"plan": see docs/schema/fetch.json, "folder", "base"}. It answers
on stdout, {"folder"} or {"error": {"message", "facts", "fixes"}}, and shows progress on stderr. Wheels are installed by
the user's own uv or pip, archives downloaded below `base`. The folder is made aside and renamed, so it is whole or not
there; what was downloaded in part goes on where it ended.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 9):  # noqa: UP036  It is run by whichever python3 is first on PATH.
    sys.stdout.write('{"error": {"message": "fetching needs Python 3.9 or later", "facts": [], "fixes": []}}\n')
    raise SystemExit(4)

import concurrent.futures
import contextlib
import errno
import fcntl
import hashlib
import http.client
import importlib.util
import json
import lzma
import os
import re
import shutil
import stat
import subprocess
import tarfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any, BinaryIO

Part = dict[str, Any]

BLOCK = 1 << 20
DOWNLOADS = 4
ATTEMPTS = 4
TIMEOUT = 60
# Of an archive: the most that it may unpack to, per byte and besides, its members, and the memory of its dictionary.
MOST_GROWTH, MOST_BESIDES, MOST_MEMBERS, MOST_MEMORY = 40, 16 << 20, 100_000, 1 << 30
# Names of parts in version.json of NVIDIA's toolkits.
VERSIONED = {"nvcc": "cuda_nvcc", "cudart": "cuda_cudart", "cccl": "cuda_cccl"}
# The tags of the wheels for another machine that pip is to take: it takes those that are named, and none that is older.
GLIBC = range(17, 35)


class Problem(Exception):
    """What is reported in place of a folder."""

    def __init__(self, message: str, facts: list[tuple[str, str]], fixes: list[str] | None = None) -> None:
        super().__init__(message)
        self.answer = {"message": message, "facts": facts, "fixes": fixes or []}


class Progress:
    """A line on a terminal, with bytes and the time that is left; elsewhere nothing."""

    def __init__(self, total: int) -> None:
        self.total, self.done, self.shown, self.begun = total, 0, 0.0, time.monotonic()
        self.first = 0
        self.lock = threading.Lock()
        self.is_shown = sys.stderr.isatty()

    def add(self, count: int, kept: bool = False) -> None:
        with self.lock:
            self.done += count
            self.first += count if kept else 0
            now = time.monotonic()
            if self.is_shown and now - self.shown >= 0.2:
                self.shown = now
                seconds = now - self.begun
                rate = (self.done - self.first) / seconds if seconds else 0
                left = f", {max(self.total - self.done, 0) / rate:.0f} s left" if rate and self.total else ""
                sys.stderr.write(f"\r\x1b[Kfetching: {size(self.done)} of {size(self.total)}{left}")
                sys.stderr.flush()

    def clear(self) -> None:
        if self.is_shown and self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def size(count: float) -> str:
    return f"{count // 1e5 / 10:.1f} MB"


def say(text: str) -> None:
    sys.stderr.write(f"cuda-cc: {text}\n")
    sys.stderr.flush()


def kind(path: str) -> int:
    """What a path is, as of stat.S_IFMT; 0 if nothing is there. Raises OSError where that cannot be determined."""
    try:
        return stat.S_IFMT(os.lstat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return 0


def is_folder(path: str) -> bool:
    """Also behind links, as os.path.isdir, which takes an error for no."""
    try:
        return stat.S_ISDIR(os.stat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def walk(folder: str) -> Iterator[tuple[str, list[str], list[str]]]:
    """os.walk, which goes past folders that cannot be read."""

    def fail(error: OSError) -> None:
        raise error

    return os.walk(folder, onerror=fail)


def sha256(path: str) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


# Archives: download.


def _answer(url: str, start: int) -> Any:
    headers = {"User-Agent": "cuda-cc"}
    if start:
        headers["Range"] = f"bytes={start}-"
    return urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=TIMEOUT)


def _receive(url: str, path: str, most: int, progress: Progress) -> None:
    """Appends to the file what it lacks. A server that knows no ranges sends all again."""
    start = os.path.getsize(path) if os.path.exists(path) else 0
    if start >= most:
        return
    with _answer(url, start) as source:
        goes_on = start and getattr(source, "status", None) == 206
        if goes_on and not source.headers.get("Content-Range", "").startswith(f"bytes {start}-"):
            raise ConnectionError("the server sends another range than it was asked for")
        if start and not goes_on:
            progress.add(-start)
        left = most - (start if goes_on else 0)
        with open(path, "ab" if goes_on else "wb") as file:
            # A byte more than there may be shows that the file is another one.
            while left >= 0 and (block := source.read(min(BLOCK, left + 1))):
                left -= len(block)
                file.write(block)
                progress.add(len(block))


def download(url: str, part: Part, path: str, progress: Progress) -> None:
    """The file at the path, with the sha256 of the part."""
    expected, bytes_ = part["sha256"], part["bytes"]
    partial = path + ".part"
    if os.path.exists(partial):
        progress.add(os.path.getsize(partial), kept=True)
    problem = "the connection ended early"
    for attempt in range(ATTEMPTS):
        if attempt:
            time.sleep(2**attempt / 8)
        try:
            _receive(url, partial, bytes_, progress)
        except urllib.error.HTTPError as error:
            problem = f"{error.code} {error.reason}"
            if error.code == 416:
                os.unlink(partial)
            elif error.code < 500 and error.code not in (408, 429):
                break
        except (urllib.error.URLError, http.client.HTTPException, ConnectionError, TimeoutError) as error:
            problem = str(getattr(error, "reason", error)) or type(error).__name__
        if os.path.exists(partial) and os.path.getsize(partial) >= bytes_:
            break
    else:
        attempt = ATTEMPTS
    found = os.path.getsize(partial) if os.path.exists(partial) else 0
    if found < bytes_:
        raise Problem(f"{part['name']} could not be downloaded", [
            ("from", url), ("because", problem), ("received", f"{found} of {bytes_} bytes, which are kept")], [
            "run the command again: it goes on where it ended",
            f"without network: put {part['path']} into a folder, then CUDA_CC_REDIST_URL=file://FOLDER"])
    digest = sha256(partial)
    if digest != expected or found != bytes_:
        os.unlink(partial)
        raise Problem(f"{part['name']} has another sha256 than NVIDIA published", [
            ("from", url), ("expected", expected), ("found", digest)],
            ["name another mirror: CUDA_CC_REDIST_URL=URL"])
    os.replace(partial, path)


def download_all(parts: list[Part], base: str, folder: str) -> list[str]:
    """The archives of the parts, in this folder."""
    os.makedirs(folder, exist_ok=True)
    progress = Progress(sum(part["bytes"] for part in parts))
    paths = [os.path.join(folder, part["sha256"]) for part in parts]

    def fetch(part: Part, path: str) -> None:
        if os.path.exists(path) and sha256(path) == part["sha256"]:
            progress.add(part["bytes"], kept=True)
        else:
            download(f"{base.rstrip('/')}/{part['path']}", part, path, progress)

    with concurrent.futures.ThreadPoolExecutor(DOWNLOADS) as pool:
        futures = [pool.submit(fetch, part, path) for part, path in zip(parts, paths)]
        try:
            for future in futures:
                future.result()
        finally:
            for future in futures:
                future.cancel()
            progress.clear()
    return paths


# Archives: unpack.


class Unxz:
    """What an xz file contains, with limits on memory and size."""

    def __init__(self, file: BinaryIO, most: int) -> None:
        self.file, self.left, self.decoder = file, most, self._decoder()
        self.rest = b""

    @staticmethod
    def _decoder() -> lzma.LZMADecompressor:
        return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MOST_MEMORY)

    def read(self, count: int) -> bytes:
        while len(self.rest) < count:
            if self.decoder.eof:
                # Further streams may follow.
                more = self.decoder.unused_data or self.file.read(BLOCK)
                if not more.strip(b"\0"):
                    break
                self.decoder = self._decoder()
                block = self.decoder.decompress(more, BLOCK)
            elif self.decoder.needs_input:
                more = self.file.read(BLOCK)
                if not more:
                    raise EOFError("it ends early")
                block = self.decoder.decompress(more, BLOCK)
            else:
                block = self.decoder.decompress(b"", BLOCK)
            self.left -= len(block)
            if self.left < 0:
                raise ValueError("it unpacks to more than is plausible")
            self.rest += block
        found, self.rest = self.rest[:count], self.rest[count:]
        return found


def inside(name: str) -> list[str]:
    """The parts of a relative path that leads nowhere else. Raises ValueError."""
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if name.startswith("/") or ".." in parts or "\0" in name:
        raise ValueError(f"{name!r} leads out of it")
    return parts


class Tree:
    """A folder into which archives and wheels are merged. A file that is there stays: the first one counts."""

    def __init__(self, root: str) -> None:
        self.root = root
        os.makedirs(root)

    def path(self, parts: list[str]) -> str:
        """Where the file belongs; folders above it are made. Raises ValueError where one of them is a link or a
        file."""
        path = self.root
        for part in parts[:-1]:
            path = os.path.join(path, part)
            with contextlib.suppress(FileExistsError):
                os.mkdir(path)
            if not stat.S_ISDIR(os.lstat(path).st_mode):
                raise ValueError(f"{'/'.join(parts)} lies below a file or a link")
        return os.path.join(path, parts[-1])

    def put(self, parts: list[str], source: str) -> None:
        """Moves a file here."""
        path = self.path(parts)
        if not kind(path):
            os.rename(source, path)

    def put_all(self, folder: str, below: list[str]) -> None:
        for where, folders, files in walk(folder):
            folders[:] = [each for each in folders if each != "__pycache__" and not each.startswith(".")]
            relative = [] if where == folder else os.path.relpath(where, folder).split("/")
            for name in files:
                if name != "__init__.py":
                    self.put([*below, *relative, name], os.path.join(where, name))


def below(part: Part) -> list[str]:
    """Where the files of a part lie in a toolkit."""
    return ["targets", part["target"]] if "target" in part else []


class Archive:
    """Unpacks a tar file that may be hostile."""

    def __init__(self, tree: Tree, part: Part) -> None:
        self.tree, self.component, self.below, self.top = tree, part["name"], below(part), ""

    def unpack(self, path: str) -> None:
        most = MOST_GROWTH * os.path.getsize(path) + MOST_BESIDES
        with open(path, "rb") as file:
            content = Unxz(file, most)
            with tarfile.open(fileobj=content, mode="r|") as tar:  # type: ignore[call-overload]
                for number, member in enumerate(tar):
                    if number >= MOST_MEMBERS:
                        raise ValueError("it has more files than is plausible")
                    self._take(tar, member)
            # The checksums of xz are at the end, behind the last file.
            while content.read(BLOCK):
                pass

    def _within(self, name: str) -> list[str]:
        """Without the one folder that is at the top of the archive."""
        top, *parts = inside(name)
        self.top = self.top or top
        if top != self.top:
            raise ValueError(f"{name!r} is not below {self.top}")
        return parts

    def _take(self, tar: tarfile.TarFile, member: tarfile.TarInfo) -> None:
        parts = self._within(member.name)
        if member.mode & (stat.S_ISUID | stat.S_ISGID) and not member.isdir():
            raise ValueError(f"{member.name!r} has a set-uid or set-gid bit")
        if member.issparse():
            # It would be any number of bytes that are not in the archive.
            raise ValueError(f"{member.name!r} is sparse")
        if not parts or member.isdir():
            if not member.isdir():
                raise ValueError(f"{member.name!r} is not a folder")
            self.tree.path([*self.below, *parts, ""])
            return
        is_license = len(parts) == 1 and member.isreg()
        parts = ["licenses", f"{self.component}-{parts[0]}"] if is_license else [*self.below, *parts]
        path = self.tree.path(parts)
        if found := kind(path):
            if found != stat.S_IFREG and not member.issym():
                raise ValueError(f"{member.name!r} would replace a link or a folder")
            return
        if member.isreg():
            self._write(tar, member, path)
        elif member.issym():
            self._link(member, parts, path)
        elif member.islnk():
            self._copy(member, path)
        else:
            raise ValueError(f"{member.name!r} is neither a file, a folder nor a link")

    def _write(self, tar: tarfile.TarFile, member: tarfile.TarInfo, path: str) -> None:
        source = tar.extractfile(member)
        assert source
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW,
                             0o755 if member.mode & 0o111 else 0o644)
        with os.fdopen(descriptor, "wb") as file:
            shutil.copyfileobj(source, file, BLOCK)
            if file.tell() != member.size:
                raise EOFError("it ends early")

    @staticmethod
    def _link(member: tarfile.TarInfo, parts: list[str], path: str) -> None:
        # Behind a name, which may be another link, `..` is anywhere.
        target = [part for part in member.linkname.split("/") if part not in ("", ".")]
        upwards = 0
        while upwards < len(target) and target[upwards] == "..":
            upwards += 1
        if member.linkname.startswith("/") or upwards >= len(parts) or ".." in target[upwards:]:
            raise ValueError(f"the link {member.name!r} leads out of it")
        os.symlink(member.linkname, path)

    def _copy(self, member: tarfile.TarInfo, path: str) -> None:
        original = os.path.join(self.tree.root, *self.below, *self._within(member.linkname))
        real = os.path.realpath(original)
        if real != original or not os.path.isfile(real):
            raise ValueError(f"the hard link {member.name!r} leads to no file of it")
        os.link(original, path)


def unpack(path: str, part: Part, tree: Tree) -> None:
    try:
        Archive(tree, part).unpack(path)
    except (ValueError, EOFError, lzma.LZMAError, tarfile.TarError) as error:
        os.unlink(path)
        raise Problem(f"the archive of {part['name']} is broken", [("because", str(error))]) from None


# Wheels.


def installer(site: str, may_be_uv: bool, machine: str | None) -> list[str]:
    """The user's own uv or pip, with the options that both understand. uv does not report hashes. machine: another one
    than this."""
    options = ["--target", site, "--no-deps", "--only-binary", ":all:"]
    uv = shutil.which("uv") if may_be_uv else None
    if uv:
        platform = ["--python-platform", f"{machine}-manylinux_2_{GLIBC[-1]}"] if machine else []
        return [os.path.abspath(uv), "pip", "install", "--python", sys.executable, "--link-mode", "copy", *platform,
                *options]
    for minor in GLIBC if machine else ():
        options += ["--platform", f"manylinux_2_{minor}_{machine}"]
    if importlib.util.find_spec("pip"):
        # -I: the working directory may be a repository with a pip.py.
        pip = [sys.executable, "-I", "-m", "pip"]
    else:
        program = shutil.which("pip") or shutil.which("pip3")
        if not program:
            raise Problem("the wheels are fetched by uv or pip, and there is neither", [
                ("searched", f"uv, {sys.executable} -m pip, pip, pip3")], ["apt-get install python3-pip"])
        pip = [program]
    quiet = ["--no-compile", "--disable-pip-version-check", "--no-input", "--no-warn-script-location"]
    return [*pip, "install", *quiet, *options]


def wheels_failed(program: str, text: str, parts: list[Part]) -> Problem:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    names = " ".join(f"{part['name']}=={part['version']}" for part in parts)
    carry = [f"without network: pip download --no-deps -d DIR {names} elsewhere, then "
             "PIP_NO_INDEX=1 PIP_FIND_LINKS=DIR"]
    if "hash" in text.lower() and "match" in text.lower():
        return Problem("a wheel of the index has another sha256 than NVIDIA published",
                       [(program, line) for line in lines[-4:]], ["name another index: PIP_INDEX_URL=URL", *carry])
    return Problem(f"{program} could not install the wheels of the toolkit",
                   [(program, line) for line in lines[-4:]], ["set the index: PIP_INDEX_URL=URL", *carry])


def _note_hashes(report: str, parts: list[Part]) -> None:
    """Of the wheels that pip took, as it reports them."""
    with open(report, encoding="utf-8") as file:
        installed = json.load(file)["install"]
    hashes = {re.sub("[-_.]+", "-", each["metadata"]["name"]).lower():
              each["download_info"]["archive_info"]["hashes"]["sha256"] for each in installed}
    for part in parts:
        part["sha256"] = hashes[part["name"]]


def install(parts: list[Part], site: str, notes: bool) -> None:
    """Into a folder, in one call: a second one would pass over what is there. notes: the sha256 of each is wanted."""
    hashed = all("sha256" in part for part in parts)
    lines = [f"{part['name']}=={part['version']}" + (f" --hash=sha256:{part['sha256']}" if hashed else "")
             for part in parts]
    requirements = f"{site}.txt"
    with open(requirements, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    report = f"{site}.json"
    wants = ["--require-hashes"] if hashed else ["--report", report] if notes else []
    program = installer(site, may_be_uv="--report" not in wants, machine=parts[0].get("machine"))
    command = [*program, *wants, "-r", requirements]
    # What uv obeys of a working directory ends here: other projects use what it installs, too.
    place = os.path.dirname(site)
    with open(os.path.join(place, "uv.toml"), "w", encoding="utf-8"):
        pass
    # A user's own configuration of where to install does not count here.
    environment = {**os.environ, "PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0"}
    environment.pop("PIP_TARGET", None)
    shows = sys.stderr.isatty()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr if shows else subprocess.PIPE,
                          stderr=subprocess.STDOUT if not shows else subprocess.PIPE, env=environment,
                          cwd=place if os.path.basename(program[0]) == "uv" else None, check=False)
    if done.returncode:
        said = (done.stderr if shows else done.stdout) or b""
        raise wheels_failed(os.path.basename(command[0]), said.decode(errors="replace"), parts)
    if "--report" in wants:
        _note_hashes(report, parts)


def merge_wheels(site: str, tree: Tree, folder: list[str]) -> None:
    """Each wheel has a folder for its library, or one for all of a CUDA major, in which a toolkit's folders lie."""
    nvidia = os.path.join(site, "nvidia")
    for name in sorted(os.listdir(nvidia)) if is_folder(nvidia) else []:
        if is_folder(os.path.join(nvidia, name)) and name != "__pycache__":
            tree.put_all(os.path.join(nvidia, name), folder)
    for name in sorted(os.listdir(site)):
        if name.endswith(".dist-info"):
            for where, _, files in walk(os.path.join(site, name)):
                for file in files:
                    if "license" in file.lower():
                        tree.put(["licenses", f"{name.split('-')[0]}-{file}"], os.path.join(where, file))


# The folder.


def complete(tree: Tree, plan: dict[str, Any]) -> None:
    """What an installed toolkit has, and wheels and archives have not."""
    root = tree.root
    lib, lib64 = os.path.join(root, "lib"), os.path.join(root, "lib64")
    if is_folder(lib) and not kind(lib64):
        os.symlink("lib", lib64)
    for folder in {os.path.join(root, *below(part), "lib") for part in plan["parts"]}:
        for name in sorted(os.listdir(folder)) if is_folder(folder) else []:
            stem = name.split(".so.")[0] + ".so"
            if ".so." in name and not kind(os.path.join(folder, stem)):
                os.symlink(name, os.path.join(folder, stem))
    nvvm = os.path.join(root, "nvvm/lib64")
    if kind(os.path.join(lib, "libnvvm.so")) and not kind(nvvm):
        os.makedirs(nvvm)
        os.symlink("../../lib/libnvvm.so", os.path.join(nvvm, "libnvvm.so"))
    versions = {"cuda": {"name": "CUDA SDK", "version": plan["release"]}}
    for part in plan["parts"]:
        versions[VERSIONED.get(part["part"], part["name"])] = {"name": part["name"], "version": part["version"]}
    for name, content in (("version.json", versions), ("fetched.json", plan)):
        with open(os.path.join(root, name), "w", encoding="utf-8") as file:
            json.dump(content, file, indent=1)
            file.write("\n")


def make(plan: dict[str, Any], base: str, notes: bool, aside: str, downloads: str) -> str:
    """The path of the finished folder, below `aside`."""
    parts: list[Part] = plan["parts"]
    archives = [part for part in parts if part["source"] == "archive"]
    wheels = [part for part in parts if part["source"] == "wheel"]
    known = sum(part.get("bytes", 0) for part in parts)
    more = "" if all("bytes" in part for part in parts) else " and what the index says of the others"
    say(f"fetching CUDA {plan['release']}: {len(parts)} files, {size(known)}{more}")
    free = shutil.disk_usage(aside).free
    needed = sum(part.get("unpacked", 4 * part.get("bytes", 0)) + part.get("bytes", 0) for part in parts)
    if free < needed:
        raise Problem("there is no room for the toolkit", [
            ("folder", aside), ("free", size(free)), ("needed", f"about {size(needed)}")],
            ["cuda-cc cache prune", "keep it elsewhere: XDG_CACHE_HOME=DIR"])
    tree = Tree(os.path.join(aside, "tree"))
    paths = download_all(archives, base, downloads) if archives else []
    for part, path in zip(archives, paths):
        unpack(path, part, tree)
    # Those with a known sha256 cannot be installed together with others, nor those for another machine.
    groups: dict[Any, list[Part]] = {}
    for part in wheels:
        groups.setdefault(("sha256" in part, part.get("machine")), []).append(part)
    for number, some in enumerate(groups.values()):
        site = os.path.join(aside, f"site-{number}")
        install(some, site, notes)
        merge_wheels(site, tree, below(some[0]))
    complete(tree, plan)
    for path in paths:
        os.unlink(path)
    return tree.root


@contextlib.contextmanager
def alone(path: str) -> Iterator[None]:
    """Of several that make the same folder one works and the others wait."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    while True:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o644), "w", encoding="utf-8") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say("waiting for another process that fetches the same")
                fcntl.flock(file, fcntl.LOCK_EX)
            # cuda-cc removes the file when it has held it.
            if os.path.exists(path) and os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
                yield
                return


def fetch(request: dict[str, Any]) -> None:
    plan, folder = request["plan"], request["folder"]
    place = os.path.dirname(folder)
    with alone(os.path.join(place, ".locks", plan["key"])):
        if os.path.isdir(folder):
            return
        aside = os.path.join(place, f".partial-{plan['key']}")
        shutil.rmtree(aside, ignore_errors=True)
        os.makedirs(aside)
        try:
            downloads = os.path.join(place, ".downloads")
            os.rename(make(plan, request["base"], request.get("hashes", False), aside, downloads), folder)
        finally:
            shutil.rmtree(aside, ignore_errors=True)


def main() -> int:
    os.umask(0o022)
    try:
        request = json.load(sys.stdin)
    except ValueError:
        # The program that asks has ended.
        return 1
    try:
        fetch(request)
        answer = {"folder": request["folder"]}
    except Problem as problem:
        answer = {"error": problem.answer}
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        answer = {"error": {
            "message": "there is no room for the toolkit" if full else "the toolkit could not be written",
            "facts": [("folder", request["folder"]), ("because", str(error))],
            "fixes": ["cuda-cc cache prune", "keep it elsewhere: XDG_CACHE_HOME=DIR"] if full else []}}
    except KeyboardInterrupt:
        return 130
    print(json.dumps(answer))
    return 4 if "error" in answer else 0


if __name__ == "__main__":
    sys.exit(main())
