# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""The program that fetches a toolkit, against a server on loopback: archives are downloaded, resumed, verified and
unpacked; what is cut, wrong, hostile or killed leaves no folder, and the next run completes."""
import atexit
import contextlib
import hashlib
import http.server
import io
import json
import lzma
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import zlib
from pathlib import Path

ROOT = Path(os.environ["CUDACC_TEST_SUPPORT"]).parents[1]
FETCH = ROOT / "python/cuda_cc/fetch.py"
place = Path(tempfile.mkdtemp())
atexit.register(shutil.rmtree, place, ignore_errors=True)
served: dict[str, bytes] = {}
# What the server does with a path: cut:N sends N bytes; once:N only the first time; and so on.
tricks: dict[str, str] = {}
asked: list[tuple[str, str]] = []


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        path, trick = self.path, tricks.get(self.path, "")
        wanted = self.headers.get("Range", "")
        asked.append((path, wanted))
        if trick == "redirect":
            self.send_response(302)
            self.send_header("Location", "/moved" + path)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        content = served.get(path.removeprefix("/moved"))
        if content is None or trick == "gone":
            self.send_error(404)
            return
        start = int(match[1]) if (match := re.fullmatch(r"bytes=(\d+)-", wanted)) and trick != "no ranges" else 0
        if trick == "endless":
            self.send_response(200)
            self.end_headers()
            self.close_connection = True
            with contextlib.suppress(ConnectionError):
                for _ in range(128):
                    self.wfile.write(bytes(1 << 20))
                asked.append((path, "all"))
            return
        if trick == "long":
            content += b"x" * 4096
        rest = content[start:]
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start + (trick == 'range')}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(rest)))
        self.end_headers()
        kind, _, count = trick.partition(":")
        if kind in ("cut", "once"):
            rest = rest[:int(count)]
            if kind == "once":
                del tricks[path]
        try:
            if kind == "slow":
                for at in range(0, len(rest), 1 << 14):
                    self.wfile.write(rest[at:at + (1 << 14)])
                    time.sleep(0.005)
            else:
                self.wfile.write(rest)
        except ConnectionError:
            pass
        if kind in ("cut", "once"):
            self.close_connection = True


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
BASE = f"http://127.0.0.1:{server.server_port}"
TOP = "cuda_nvcc-linux-x86_64-1.0-archive"


def member(name, content=b"", kind=tarfile.REGTYPE, mode=0o644, link=""):
    info = tarfile.TarInfo(name if name.startswith(("/", "..")) or "//" in name else f"{TOP}/{name}")
    info.type, info.mode, info.linkname, info.size = kind, mode, link, len(content)
    return info, content


def archive(*members, keep=None):
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        for info, content in members:
            tar.addfile(info, io.BytesIO(content))
    return lzma.compress(made.getvalue())[:keep]


NVCC = [member("", kind=tarfile.DIRTYPE, mode=0o755), member("LICENSE", b"words"),
        member("bin/nvcc", b"#!/bin/sh\n", mode=0o755), member("lib/libcudart.so.12", os.urandom(300_000)),
        member("lib/libcudart.so", kind=tarfile.SYMTYPE, link="libcudart.so.12"),
        member("include/a/b.h", b"int x;", mode=0o600)]


def with_dictionary(content):
    """The archive, which states that its dictionary has 4 GiB: the format's largest, in the header of its block."""
    size = (content[12] + 1) * 4
    header = bytearray(content[12:12 + size - 4])
    header[header.index(b"\x21\x01") + 2] = 40
    return content[:12] + header + zlib.crc32(header).to_bytes(4, "little") + content[12 + size:]


SPARSE = member("bin/nvcc")
SPARSE[0].pax_headers = {"GNU.sparse.map": "0,0", "GNU.sparse.size": str(50 << 20)}


def request(folder, *parts, base=BASE):
    rows = []
    for name, content in parts:
        path = f"{name}/{name}.tar.xz"
        served["/" + path] = content
        rows.append({"part": name, "source": "archive", "name": name, "version": "1.0", "path": path,
                     "sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)})
    return {"plan": {"schema": 1, "key": folder.name, "release": "12.4.1", "machine": "x86_64", "parts": rows},
            "folder": str(folder), "base": base}


def start(**more):
    return subprocess.Popen([sys.executable, "-I", "-B", FETCH], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env={**os.environ, "HOME": str(place)}, **more)


def fetch(asks, **more):
    with start(**more) as process:
        out, err = process.communicate(json.dumps(asks), timeout=60)
    assert "Traceback" not in err, err
    return process.returncode, json.loads(out)


def folder():
    return Path(tempfile.mkdtemp(dir=place)) / "toolkits/key"


def clean(made):
    """Nothing but kept downloads is beside the folder."""
    left = {path.name for path in made.parent.iterdir()} - {".locks", ".downloads", made.name}
    assert not left, left


def good(asks):
    status, answer = fetch(asks)
    made = Path(asks["folder"])
    assert (status, answer) == (0, {"folder": str(made)}), answer
    clean(made)
    assert not list((made.parent / ".downloads").iterdir())
    return made


def refused(asks, message, because=""):
    status, answer = fetch(asks)
    made = Path(asks["folder"])
    assert status == 4 and message in answer["error"]["message"], answer
    assert because in json.dumps(answer), answer
    assert not made.exists()
    clean(made)
    return answer["error"]


# What is in the folder.
made = good(request(folder(), ("cuda_nvcc", archive(*NVCC)), ("cuda_cccl", archive(
    member("include/cccl.h", b"1"), member("include/a/b.h", b"other")))))
assert os.access(made / "bin/nvcc", os.X_OK) and not os.access(made / "include/a/b.h", os.X_OK)
assert (made / "include/a/b.h").read_text() == "int x;" and (made / "include/a/b.h").stat().st_mode & 0o777 == 0o644
assert (made / "lib64").is_symlink() and (made / "lib64/libcudart.so").resolve().name == "libcudart.so.12"
assert (made / "licenses/cuda_nvcc-LICENSE").read_text() == "words"
versions = json.loads((made / "version.json").read_text())
assert versions["cuda"]["version"] == "12.4.1" and versions["cuda_nvcc"]["version"] == "1.0", versions
assert len(json.loads((made / "fetched.json").read_text())["parts"]) == 2

# A folder that is there is taken as it is.
asked.clear()
assert fetch({**request(made, ("cuda_nvcc", archive(*NVCC))), "folder": str(made)})[0] == 0 and not asked

# file:// and a redirect.
mirror = place / "mirror/cuda_nvcc"
mirror.mkdir(parents=True)
(mirror / "cuda_nvcc.tar.xz").write_bytes(archive(*NVCC))
good(request(folder(), ("cuda_nvcc", archive(*NVCC)), base=f"file://{place}/mirror"))
nvcc = archive(*NVCC)
tricks["/cuda_nvcc/cuda_nvcc.tar.xz"] = "redirect"
good(request(folder(), ("cuda_nvcc", nvcc)))

# A connection that ends early is taken up where it ended, in the same run and in the next.
tricks["/cuda_nvcc/cuda_nvcc.tar.xz"] = "once:100000"
asked.clear()
good(request(folder(), ("cuda_nvcc", nvcc)))
assert [wanted for _, wanted in asked] == ["", "bytes=100000-"], asked
asks = request(folder(), ("cuda_nvcc", nvcc))
tricks["/cuda_nvcc/cuda_nvcc.tar.xz"] = "cut:10000"
error = refused(asks, "cuda_nvcc could not be downloaded")
assert f"40000 of {len(nvcc)} bytes" in json.dumps(error), error
tricks.clear()
asked.clear()
good(asks)
assert asked == [("/cuda_nvcc/cuda_nvcc.tar.xz", "bytes=40000-")], asked
asks = request(folder(), ("cuda_nvcc", nvcc))
tricks["/cuda_nvcc/cuda_nvcc.tar.xz"] = "once:100000"
tricks_left = threading.Timer(0.1, lambda: tricks.update({"/cuda_nvcc/cuda_nvcc.tar.xz": "no ranges"}))
tricks_left.start()
good(asks)
tricks.clear()

asks = request(folder(), ("cuda_nvcc", nvcc))
tricks["/cuda_nvcc/cuda_nvcc.tar.xz"] = "cut:10000"
refused(asks, "could not be downloaded")
tricks["/cuda_nvcc/cuda_nvcc.tar.xz"] = "range"
refused(asks, "could not be downloaded", "another range")
tricks.clear()
good(asks)

# Another file, or none.
tricks["/cuda_nvcc/cuda_nvcc.tar.xz"] = "gone"
refused(asks := request(folder(), ("cuda_nvcc", nvcc)), "could not be downloaded", "404")
tricks["/cuda_nvcc/cuda_nvcc.tar.xz"] = "long"
refused(asks, "another sha256")
tricks["/cuda_nvcc/cuda_nvcc.tar.xz"] = "endless"
refused(asks, "another sha256")
assert asked[-1][1] != "all"
tricks.clear()
served["/cuda_nvcc/cuda_nvcc.tar.xz"] = nvcc[:-1] + b"x"
refused(asks, "another sha256", asks["plan"]["parts"][0]["sha256"])
served["/cuda_nvcc/cuda_nvcc.tar.xz"] = nvcc
good(asks)
refused(request(folder(), ("cuda_nvcc", nvcc), base="http://127.0.0.1:1"), "could not be downloaded", "refused")

# Archives with the sha256 that is expected, and broken or hostile.
outside = place / "outside"
for _, content, because in (
    ("truncated", archive(*NVCC, keep=len(nvcc) - 40), "ends early"),
    ("garbage", b"\0" * 100, ""),
    ("no tar", lzma.compress(b"x" * 5000), ""),
    ("absolute", archive(member("/etc/x", b"1")), "leads out"),
    ("dots", archive(member("bin/../../../x", b"1")), "leads out"),
    ("two tops", archive(*NVCC, member("other//x", b"")), "not below"),
    ("much memory", with_dictionary(nvcc), "limit"),
    ("link out", archive(member("a", kind=tarfile.SYMTYPE, link="../x")), "leads out"),
    ("link out by a link", archive(member("a/b/c", kind=tarfile.SYMTYPE, link="../.."),
                                   member("a/b/d", kind=tarfile.SYMTYPE, link="c/..")), "leads out"),
    ("absolute link", archive(member("a", kind=tarfile.SYMTYPE, link=str(outside))), "leads out"),
    ("through a link", archive(member("bin", kind=tarfile.SYMTYPE, link="lib"), member("bin/x", b"1")), "below"),
    ("over a link", archive(member("lib/a", b""), member("bin/x", kind=tarfile.SYMTYPE, link="../lib/a"),
                            member("bin/x", b"1")), "replace"),
    ("hard link out", archive(member("bin/a", kind=tarfile.LNKTYPE, link="../../etc/passwd")), "leads out"),
    ("hard link to a link", archive(member("bin/a", kind=tarfile.SYMTYPE, link="b"),
                                    member("bin/c", kind=tarfile.LNKTYPE, link=f"{TOP}/bin/a")), "no file"),
    ("hard link by a link", archive(member("lib/a", b"1"), member("bin", kind=tarfile.SYMTYPE, link="lib"),
                                    member("c", kind=tarfile.LNKTYPE, link=f"{TOP}/bin/a")), "no file"),
    ("device", archive(member("bin/null", kind=tarfile.CHRTYPE)), "neither"),
    ("fifo", archive(member("bin/pipe", kind=tarfile.FIFOTYPE)), "neither"),
    ("set-uid", archive(member("bin/nvcc", b"1", mode=0o4755)), "set-uid"),
    ("bomb", archive(member("bin/nvcc", b"\0" * (40 << 20))), "plausible"),
    ("sparse", archive(SPARSE), "is sparse"),
    ("below a file", archive(member("bin/a", b"1"), member("bin/a/x", b"1")), "below"),
):
    refused(request(folder(), ("cuda_nvcc", content)), "is broken", because)
assert not outside.exists() and not (place / "x").exists()
made = good(request(folder(), ("cuda_nvcc", archive(*NVCC, member(
    "bin/same", kind=tarfile.LNKTYPE, link=f"{TOP}/bin/nvcc")))))
assert (made / "bin/same").read_bytes() == (made / "bin/nvcc").read_bytes()

# A link in place of the lock is not followed.
asks = request(folder(), ("cuda_nvcc", nvcc))
victim = place / "victim"
victim.write_text("kept")
locks = Path(asks["folder"]).parent / ".locks"
locks.mkdir(parents=True)
(locks / "key").symlink_to(victim)
refused(asks, "could not be written", "symbolic links")
assert victim.read_text() == "kept"

# Two at once: one works, the other takes its result.
tricks["/cuda_nvcc/cuda_nvcc.tar.xz"] = "slow"
asks = request(folder(), ("cuda_nvcc", nvcc))
asked.clear()
both = [start() for _ in range(2)]
for process in both:
    process.stdin.write(json.dumps(asks))
    process.stdin.close()
said = [process.stderr.read() for process in both]
assert [process.wait() for process in both] == [0, 0] and len(asked) == 1, (said, asked)
assert sum("waiting for another process" in text for text in said) == 1, said

# A full disk, seen before anything is fetched, and on the way.
if subprocess.run(["unshare", "-rm", "true"], check=False, stderr=subprocess.DEVNULL).returncode == 0:
    small = place / "small"
    small.mkdir()
    mounted = ["unshare", "-rm", "sh", "-c", f'mount -t tmpfs -o size=1m none {small} && "$@" && ls -A {small}/t', "sh"]
    for content, because in ((os.urandom(300_000), "needed"), (b"\0" * (3 << 20), "No space left")):
        asks = request(small / "t/key", ("cuda_nvcc", archive(*NVCC[:3], member("lib/a.so", content))))
        done = subprocess.run([*mounted, sys.executable, "-I", "-B", "-c", "import subprocess, sys; sys.exit("
                               "subprocess.run(sys.argv[1:]).returncode != 4)", sys.executable, "-I", "-B", FETCH],
                              input=json.dumps(asks), capture_output=True, text=True, check=False)
        answer, *left = done.stdout.splitlines()
        error = json.loads(answer)["error"]
        assert error["message"] == "there is no room for the toolkit" and because in answer, done
        assert "cuda-cc cache prune" in error["fixes"] and not {"key", ".partial-key"} & set(left), done

# Killed at any time: no folder, and the next run completes.
whole = [(f"c{i}", archive(*NVCC, member(f"include/{i}.h", os.urandom(200_000)))) for i in range(2)]
for trick in ("", "slow"):
    for delay in (0.1, 0.2, 0.3):
        asks = request(folder(), *whole)
        tricks.update({f"/{name}/{name}.tar.xz": trick for name, _ in whole})
        process = start()
        process.stdin.write(json.dumps(asks))
        process.stdin.close()
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
        made = Path(asks["folder"])
        if made.exists():
            assert (made / "fetched.json").exists() and (made / "include/1.h").exists()
        tricks.clear()
        good(asks)
print("passed")
