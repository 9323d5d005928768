# SPDX-License-Identifier: Apache-2.0
# RUN: %python -B %s %support %build
"""./dev facts torch-abi: releases that do not exist, as wheels of an index on this machine. The exports of their
libraries are in the table, in whatever order they were read. After an error the table is unchanged and no other file
is left; a table that the program cannot read is not overwritten."""
import functools
import hashlib
import http.server
import json
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from pathlib import Path

SOURCE = Path(sys.argv[1]).resolve().parents[1]
TOOL = SOURCE / "driver/tables/update/torch_names.py"
WRITER = Path(sys.argv[2]) / "bin/cudacc-torch-names"
work = tempfile.TemporaryDirectory()
root = Path(work.name)
index = root / "index"
index.mkdir()

COMPILERS = {"x86_64": "gcc", "aarch64": "aarch64-linux-gnu-gcc"}
OLD, NEW = "_ZN3c106detail14torchCheckFailEPKcS2_jRKSs", \
    "_ZN3c106detail14torchCheckFailEPKcS2_jRKNSt7__cxx1112basic_stringIcEE"

@functools.cache
def library(machine, functions, variables=()):
    """The bytes of a library that exports these names, and others that files cannot bind to."""
    source = root / "l.c"
    lines = [f"void {name}(void) {{}}" for name in functions]
    lines += [f"int {name};" for name in variables]
    source.write_text("\n".join([*lines, "__attribute__((visibility(\"hidden\"))) void hidden(void) {}",
                                 "static void local(void) {} void *unused(void);",
                                 "__attribute__((visibility(\"protected\"))) void (*guarded)(void) = local;",
                                 "__attribute__((weak)) void weak(void) { unused(); }"]))
    out = root / "l.so"
    subprocess.run([COMPILERS[machine], "-shared", "-fPIC", "-nostdlib", source, "-o", out], check=True)
    return out.read_bytes()

entries = []

def wheel(release, python, machine="x86_64", strings=NEW, more=(), cuda=("at_cuda",), tag="", said=None,
          config=None, leave_out=(), abi=None, fields=(), damage=None):
    """Adds a wheel to the index. more: functions of libtorch_python.so."""
    name = f"torch-{release}{'-' + tag if tag else ''}-{python}-{abi or python}-manylinux_2_28_{machine}.whl"
    files = {"libc10.so": library(machine, (strings, "c10_both"), ("c10_data",)),
             "libtorch_cpu.so": library(machine, ("at_cpu", "c10_both")),
             "libtorch.so": library(machine, ("__fatbinwrap_0fd7ac14_1_a_cu_652c493b_13050",)),
             "libtorch_python.so": library(machine, ("thp", *more)), "libshm.so": library(machine, ("shm",)),
             "libtorch_global_deps.so": b"not read", "libgomp-a34b3233.so.1": b"not read"}
    if cuda:
        files["libtorch_cuda.so"] = library(machine, cuda)
    with zipfile.ZipFile(index / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, content in files.items():
            if file not in leave_out:
                archive.writestr(f"torch/lib/{file}", damage if file == "libc10.so" and damage else content)
        archive.writestr("torch/version.py", f"__version__ = '{said or release}+cu999'\n")
        if config is not None:
            archive.writestr("torch/share/cmake/Torch/TorchConfig.cmake",
                             f'set(TORCH_CXX_FLAGS "-D_GLIBCXX_USE_CXX11_ABI={config}")\n')
    data = (index / name).read_bytes()
    entry = {"filename": name, "url": f"../files/{name}", "size": len(data), "yanked": False,
             "hashes": {"sha256": hashlib.sha256(data).hexdigest()}, **dict(fields)}
    entries[:] = [each for each in entries if each["filename"] != name] + [entry]
    return name

class Handler(http.server.BaseHTTPRequestHandler):
    cut, slow, answers = set(), None, []

    def do_GET(self):
        name = self.path.rsplit("/", 1)[1]
        if not name:
            body = json.dumps({"files": entries}).encode() if self.path == "/simple/torch/" else b"<html>"
            begin = 0
        else:
            body, begin = (index / name).read_bytes(), 0
            if asked := self.headers.get("Range"):
                begin = int(asked.removeprefix("bytes=").rstrip("-"))
            self.answers.append((name, begin))
        self.send_response(206 if begin else 200)
        self.send_header("Content-Length", str(len(body) - begin))
        self.end_headers()
        if name == self.slow:
            self.wfile.write(body[:100])
            self.wfile.flush()
            time.sleep(60)
        elif name in self.cut and not begin:
            self.wfile.write(body[:1000])
        else:
            self.wfile.write(body[begin:])

    def log_message(self, *_):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
URL = f"http://127.0.0.1:{server.server_port}"

class Data:
    """A folder like driver/tables/data, and one for temporary files."""

    def __init__(self, name, releases=()):
        self.folder, self.scratch = root / name, root / f"{name}-scratch"
        self.folder.mkdir()
        self.scratch.mkdir()
        row = {"torch_versions": list(releases), "pypi_default": True}
        (self.folder / "torch_wheel_pins.json").write_text(json.dumps({"rows": [row]}))
        self.table = self.folder / "torch-names.bin"

    def command(self, *arguments, path="/simple"):
        return [sys.executable, "-B", TOOL, *arguments, "--index", URL + path, "--data", self.folder,
                "--scratch", self.scratch, "--writer", WRITER]

    def read(self, *arguments, **options):
        done = subprocess.run(self.command(*arguments, **options), text=True, capture_output=True)
        assert done.returncode == 0, done.stderr
        assert not list(self.scratch.iterdir())
        return done.stderr

    def refused(self, *arguments, **options):
        """Its output: one line, after those about the builds that were read."""
        before = self.bytes()
        done = subprocess.run(self.command(*arguments, **options), text=True, capture_output=True)
        assert done.returncode == 1, (done.returncode, done.stderr)
        assert not list(self.scratch.iterdir()), list(self.scratch.iterdir())
        assert self.bytes() == before
        assert "Traceback" not in done.stderr, done.stderr
        return done.stderr.splitlines()[-1]

    def bytes(self):
        """The content of all files in the folder."""
        return {path.name: path.read_bytes() for path in self.folder.iterdir()}

    def ask(self, release, names, machine=62):
        file = root / "asked"
        file.write_text("\n".join(names) + "\n")
        done = subprocess.run([WRITER, self.table, "ask", release, str(machine), file], text=True,
                              capture_output=True, check=True)
        return {line.split(" ")[2]: tuple(line.split(" ")[:2]) for line in done.stdout.splitlines()}

    def rows(self):
        return json.loads((self.folder / "torch_names.json").read_text())["rows"]

wheel("7.9.0", "cp310", strings=OLD, config=0)
wheel("7.9.0", "cp313", strings=OLD, config=0, more=("thp_of_13",))
wheel("7.9.0", "cp310", "aarch64", cuda=(), config=1)
wheel("7.9.0", "cp312", "aarch64", cuda=(), config=1)
# 7.10 is sorted after 7.9; libtorch_cuda.so has one name more.
for python in ("cp311", "cp312", "cp314"):
    wheel("7.10.0", python, cuda=("at_cuda", "at_cuda_new"))
# Not used: an older build of the same wheel, a yanked one, a free-threaded one, other systems.
wheel("7.10.0", "cp314", tag="3", cuda=("at_cuda", "at_cuda_new", "build3"))
wheel("7.10.0", "cp311", tag="3", cuda=("at_cuda", "at_cuda_new", "build3"))
wheel("7.10.0", "cp315", fields={"yanked": "broken"}.items())
wheel("7.10.0", "cp315", abi="cp315t")
entries.append({"filename": "torch-7.10.0-cp316-cp316-win_amd64.whl", "url": "x", "hashes": {}})
entries.append({"filename": "torch-7.10.0.tar.gz", "url": "x", "hashes": {}})

data = Data("one", ("1.13.0", "7.9.0", "7.10.0"))
Handler.cut.add("torch-7.9.0-cp313-cp313-manylinux_2_28_x86_64.whl")
said = data.read("7.9.0")
assert "7.9.0 x86_64: 10 names, 1 depend on the Python, std::string of _GLIBCXX_USE_CXX11_ABI=0; cp310, cp313" \
    in said, said
assert "7.9.0 aarch64: 8 names, 0 depend on the Python, std::string of _GLIBCXX_USE_CXX11_ABI=1; cp310, cp312" \
    in said, said
# The connection broke once; only the rest was requested again.
assert ("torch-7.9.0-cp313-cp313-manylinux_2_28_x86_64.whl", 1000) in Handler.answers, Handler.answers
Handler.cut.clear()
NAMES = ["c10_both", "c10_data", "at_cpu", "at_cuda", "thp", "thp_of_13", "shm", "weak", "guarded", "hidden",
         "local", "unused", "at_cuda_new", OLD, NEW, "__fatbinwrap_0fd7ac14_1_a_cu_652c493b_13050"]
assert data.ask("7.9.0", NAMES) == {
    "c10_both": ("yes", "libc10.so"), "c10_data": ("yes", "libc10.so"),
    "at_cpu": ("yes", "libtorch_cpu.so"), "at_cuda": ("yes", "libtorch_cuda.so"),
    "thp": ("yes", "libtorch_python.so"), "thp_of_13": ("unknown", "libtorch_python.so"),
    "shm": ("yes", "libshm.so"), "weak": ("yes", "libc10.so"), "guarded": ("yes", "libc10.so"),
    "hidden": ("no", "-"), "local": ("no", "-"), "unused": ("no", "-"), "at_cuda_new": ("no", "-"),
    OLD: ("yes", "libc10.so"), NEW: ("no", "-"),
    "__fatbinwrap_0fd7ac14_1_a_cu_652c493b_13050": ("unknown", "-")}, data.ask("7.9.0", NAMES)
assert data.ask("7.9.0", ["at_cuda", "at_cpu", NEW], 183) == {
    "at_cuda": ("no", "-"), "at_cpu": ("yes", "libtorch_cpu.so"), NEW: ("yes", "libc10.so")}
# Names that were not read are unknown, not absent.
assert data.ask("7.10.0", ["c10_both", "at_cuda_new"]) == {
    "c10_both": ("unknown", "-"), "at_cuda_new": ("unknown", "-")}
rows = data.rows()
assert [(row["torch"], row["machine"], row["cxx11_abi"], row["variables"]) for row in rows] == [
    ("7.9.0", "x86_64", False, 2), ("7.9.0", "aarch64", True, 2)], rows
assert rows[0]["cxx11_abi_evidence"] == ["torchCheckFail in libc10.so", "TorchConfig.cmake"]
assert [each["file"] for each in rows[0]["wheels"]] == [
    "torch-7.9.0-cp310-cp310-manylinux_2_28_x86_64.whl", "torch-7.9.0-cp313-cp313-manylinux_2_28_x86_64.whl"]

# Another release: existing builds stay, and only missing ones are downloaded.
Handler.answers.clear()
said = data.read("--all")
assert "7.9.0 " not in said and "7.10.0: no wheel for aarch64" in said, said
assert {name for name, _ in Handler.answers} == {
    "torch-7.10.0-3-cp311-cp311-manylinux_2_28_x86_64.whl",
    "torch-7.10.0-3-cp314-cp314-manylinux_2_28_x86_64.whl"}, Handler.answers
assert data.ask("7.10.0", ["build3", "at_cuda_new", "thp_of_13"]) == {
    "build3": ("yes", "libtorch_cuda.so"), "at_cuda_new": ("yes", "libtorch_cuda.so"),
    "thp_of_13": ("no", "-")}
assert data.ask("7.9.0", ["thp_of_13", "at_cuda_new"])["thp_of_13"][0] == "unknown"
Handler.answers.clear()
whole = data.bytes()
data.read("--all")
assert not Handler.answers and data.bytes() == whole
# All read again, in another order: the same bytes.
data.read("7.10.0")
assert data.bytes() == whole
for name, order in (("two", ("7.10.0", "7.9.0")), ("three", ("--all",))):
    other = Data(name, ("1.13.0", "7.9.0", "7.10.0"))
    other.read(*order)
    assert other.bytes() == whole, name
# A row without its build, and a build without its row, are read again.
for file in ("torch-names.bin", "torch_names.json"):
    (other.folder / file).unlink()
    other.read("--all")
    assert other.bytes() == whole, file

# Errors.
def wrong(expected, *arguments, **options):
    said = data.refused(*arguments, **options)
    assert said.startswith("torch_names.py: error: ") and expected in said, said

wrong("7.11.0 for x86_64", "7.11.0")
wrong("begin with 2.0.0", "1.13.0")
wrong("'nightly' is not a release", "nightly")
wrong("no list of files as JSON", "7.9.0", path="/html")
cases = (
    ("sha256 is", dict(fields={"hashes": {"sha256": "0" * 64}}.items())),
    ("gives no sha256", dict(fields={"hashes": {}}.items())),
    ("torch/version.py says 7.9.0", dict(said="7.9.0")),
    ("contradict each other", dict(config=0)),
    ("does not say which std::string", dict(strings="anything_else")),
    ("no libshm.so", dict(leave_out=("libshm.so",))),
    ("libc10.so: no 64-bit ELF file", dict(damage=b"\x7fELF\x01\x01" + bytes(100))),
    ("libc10.so: it is cut off", dict(damage=library("x86_64", ("a",))[:2000])),
    ("is for machine 183", dict(damage=library("aarch64", ("a",)))),
)
for expected, options in cases:
    wheel("7.11.0", "cp311", **options)
    wrong(expected, "7.11.0")
wheel("7.11.0", "cp311", strings=OLD)
wheel("7.11.0", "cp312", strings=NEW)
wrong("different std::strings", "7.11.0")
entries[:] = [each for each in entries if "cp312" not in each["filename"]]
file = wheel("7.11.0", "cp311")
(index / file).write_bytes(b"")
wrong("sha256", "7.11.0")

# A table of another version of cuda-cc is not overwritten.
file = wheel("7.11.0", "cp311")
good = data.table.read_bytes()
for broken, expected in ((good[:8] + b"\3" + good[9:], "schema 3, not 2"), (good[:-1], "is cut off")):
    data.table.write_bytes(broken)
    wrong(expected, "7.11.0")
data.table.write_bytes(good)

# Interrupted during a download.
Handler.slow = file
before = data.bytes()
started = subprocess.Popen(data.command("7.11.0"), text=True, stderr=subprocess.PIPE)
while not any(data.scratch.glob("*/*.whl")):
    assert started.poll() is None, started.stderr.read()
    time.sleep(0.05)
started.send_signal(signal.SIGTERM)
assert started.wait() == 143
assert not list(data.scratch.iterdir()) and data.bytes() == before
Handler.slow = None
data.read("7.11.0")
assert data.ask("7.11.0", ["c10_both"]) == {"c10_both": ("yes", "libc10.so")}
