# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S/../command %python -B %s
"""What cuda_cc.build adds to the source distribution that the backend behind it made: the runtime that the project
inherits from a workspace, and the files that its declaration names. What is unpacked declares what the project does;
all else is as it was."""
import gzip
import io
import json
import shutil
import sys
import tarfile
import unittest
from pathlib import Path

from recording import PROGRAM, Place

PACKAGE = Path(__file__).resolve().parents[2] / "python"
# The backend behind: packs what `ship` names, with an owner, a mode, a link, and names that need extended headers.
REAL = """import gzip, io, pathlib, tarfile
LONG = "é" * 60 + "/" + "n" * 120
def build_sdist(folder, settings=None):
    with gzip.GzipFile("ext-1.tar", "wb", fileobj=open(f"{folder}/ext-1.tar.gz", "wb"), mtime=99) as packed, \\
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT, pax_headers={"comment": "c"}) as tar:
        def add(name, content=None, **more):
            info = tarfile.TarInfo(f"ext-1/{name}")
            info.mtime, info.uid, info.uname, info.mode = 1234567890.5, 7, "u", 0o640
            for key, value in more.items():
                setattr(info, key, value)
            info.size = len(content or b"")
            tar.addfile(info, io.BytesIO(content) if content is not None else None)
        add("", type=tarfile.DIRTYPE, mode=0o755)
        add("run", b"#!/bin/sh", mode=0o755)
        add("link", type=tarfile.SYMTYPE, linkname="run")
        for name in pathlib.Path("ship").read_text().split():
            add(name, pathlib.Path(name).read_bytes())
        add(LONG, b"long")
        add("PKG-INFO", b"Name: ext")
    return "ext-1.tar.gz"
def build_wheel(folder, settings=None, metadata=None):
    return "none"
"""
CALL = "import sys, cuda_cc.build as b; print(b.build_sdist('.', {'cuda-cc.enforce': 'warn'}))"
BACKEND = 'backend = "real"\nbackend-path = ["tools"]\n'
UV_LOCK = """version = 1
requires-python = ">=3.9"

[[package]]
name = "nvidia-cuda-runtime"
version = "13.0.96"
source = { registry = "https://index.example.org/simple" }
"""


class Sdist(unittest.TestCase):
    def setUp(self):
        self.place = Place("13.0")
        self.addCleanup(shutil.rmtree, self.place.root, ignore_errors=True)
        self.root = self.place.work
        self.place.work = self.root / "packages/ext"
        self.put("packages/ext/tools/real.py", REAL)
        self.put("packages/ext/ship", "pyproject.toml")
        self.member()

    def put(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())

    def member(self, text="", name="pyproject.toml"):
        self.put(f"packages/ext/{name}", f"[tool.cuda-cc]\n{BACKEND}{text}")

    def call(self, **variables):
        return self.place.call(sys.executable, "-B", "-c", CALL, program=None, **{
            "PYTHONPATH": PACKAGE, "CUDA_CC_PROGRAM": PROGRAM, "XDG_DATA_HOME": self.place.root / "data", **variables})

    def made(self, **variables):
        done = self.call(**variables)
        self.assertEqual((done.status, done.out, done.err), (0, "ext-1.tar.gz\n", ""))
        return (self.place.work / "ext-1.tar.gz").read_bytes()

    def plain(self):
        """What the backend behind makes alone."""
        done = self.place.call(sys.executable, "-B", "-c", "import real; real.build_sdist('.')", program=None,
                               PYTHONPATH="tools")
        self.assertEqual((done.status, done.err), (0, ""))
        return (self.place.work / "ext-1.tar.gz").read_bytes()

    @staticmethod
    def members(archive):
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            return [(each.get_info(), tar.extractfile(each).read() if each.isreg() else None) for each in tar]

    def changed(self, archive):
        """{path: text} of what is new or other than the backend behind made. The rest is the same, in its order."""
        before, now = self.members(self.plain()), self.members(archive)
        names = [info["name"] for info, _ in before]
        self.assertEqual([info["name"] for info, _ in now][:len(names)], names)
        new = [pair for pair in now if pair not in before]
        for info, content in new:
            self.assertEqual((info["mtime"], info["uid"], info["mode"]), (1234567890.5, 7, 0o640), info)
            self.assertEqual(info["size"], len(content))
        self.assertEqual(archive[:8], self.plain()[:3] + b"\0" + (99).to_bytes(4, "little"))
        return {info["name"].removeprefix("ext-1/"): content.decode() for info, content in new}

    def target(self, folder):
        done = self.place.call("target", "--format=json", cwd=folder)
        self.assertEqual((done.status, done.err), (0, ""))
        return [(each["soname"], each["version"]) for each in json.loads(done.out)["libraries"]]

    def carried(self, **variables):
        """What is added; unpacked elsewhere, it declares the same."""
        archive = self.made(**variables)
        self.assertEqual(self.made(**variables), archive, "reproducible")
        elsewhere = self.place.root / "elsewhere"
        shutil.rmtree(elsewhere, ignore_errors=True)
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            tar.extractall(elsewhere, filter="data")
        self.assertEqual(self.target(elsewhere / "ext-1"), self.target(self.place.work))
        return self.changed(archive)

    def test_what_declares_for_itself_is_as_it_was(self):
        self.put("pyproject.toml", '[tool.cuda-cc]\nruntime = "cuda==12.4"\n')
        for runtime in ('"cuda==13.0"', '["torch==2.11.0", "sm>=80"]', '"env"', '"env:../../.venv"'):
            self.member(f"runtime = {runtime}\n")
            self.assertEqual(self.made(), self.plain(), runtime)

    def test_an_inherited_runtime_is_written_down(self):
        self.put("pyproject.toml", '[tool.cuda-cc]\nenforce = "warn"\nruntime = ["torch==2.11.0", "sm>=80"]\n')
        wanted = {"pyproject.toml": f'[tool.cuda-cc]\nruntime = ["torch==2.11.0", "sm>=80"]\n{BACKEND}'}
        self.assertEqual(self.carried(), wanted)
        # What options and variables say is about this build.
        self.assertEqual(self.changed(self.made(CUDA_CC_RUNTIME="cuda==13.0")), wanted)

    def test_the_table_is_where_it_is(self):
        self.put("pyproject.toml", '[tool.cuda-cc]\nruntime = "cuda==13.0"\n')
        line = 'runtime = ["cuda==13.0"]\n'
        text = '# [tool.cuda-cc]\nname = """\n[tool.cuda-cc]\n"""\n{}{}{}[tool.x]\nruntime = 1\n'
        for header in ("[tool.cuda-cc]\n", "[ tool . 'cuda-cc' ] # ours\n", "[tool.cuda-cc]\r\n"):
            self.put("packages/ext/pyproject.toml", text.format(header, "", BACKEND))
            self.assertEqual(self.carried(), {"pyproject.toml": text.format(header, line, BACKEND)})
        for text in ("[tool]\ncuda-cc = {backend = 'real', backend-path = ['tools']}\n",
                     "tool.cuda-cc.backend = 'real'\ntool.cuda-cc.backend-path = ['tools']\n"):
            self.put("packages/ext/pyproject.toml", text)
            done = self.call()
            self.assertIn("error: runtime cannot be written into pyproject.toml of the source distribution",
                          done.err)
            self.assertNotIn("Traceback", done.err)
            self.assertEqual(done.status, 1)

    def test_a_lock_outside_lies_inside(self):
        self.put("uv.lock", UV_LOCK)
        for text in ("runtime = {}\n", "dtags = 'rpath'\n  runtime={} # it\nrequire = true\n"):
            for runtime in ('"lock:../../uv.lock"', '[\n  "cuda>=13.0", # and\n  "lock:../../uv.lock",\n]'):
                self.member(text.format(runtime))
                added = self.carried()
                self.assertEqual(added.pop(".cuda-cc/uv.lock"), UV_LOCK)
                [changed] = added.values()
                self.assertIn('"lock:.cuda-cc/uv.lock"]\n', changed)
                self.assertNotIn("..", changed)
                self.assertEqual("require" in changed, "require" in text)

    def test_an_inherited_lock(self):
        self.put("uv.lock", UV_LOCK)
        self.put("pyproject.toml", '[tool.cuda-cc]\nruntime = "lock:uv.lock"\n')
        self.assertEqual(self.carried(), {
            ".cuda-cc/uv.lock": UV_LOCK,
            "pyproject.toml": f'[tool.cuda-cc]\nruntime = ["lock:.cuda-cc/uv.lock"]\n{BACKEND}'})

    def test_a_lock_of_the_project_keeps_its_place(self):
        self.put("packages/ext/locks/uv.lock", UV_LOCK)
        self.member('runtime = " lock:./locks//uv.lock"\n')
        self.assertEqual(self.carried(), {"locks/uv.lock": UV_LOCK})
        self.put("packages/ext/ship", "pyproject.toml locks/uv.lock")
        self.assertEqual(self.made(), self.plain())

    def test_files_that_a_file_of_requirements_names(self):
        self.put("req/all.txt", "-c ../pins.txt\n--requirement=more.txt\nnvidia-cuda-runtime\n")
        self.put("req/more.txt", "nvidia-cublas\n-rall.txt\n")
        self.put("pins.txt", "nvidia-cuda-runtime==13.0.96\nnvidia-cublas==13.1.0.3\n")
        self.member('runtime = "lock:../../req/all.txt"\n')
        added = self.carried()
        self.assertEqual(sorted(added), [".cuda-cc/pins.txt", ".cuda-cc/req/all.txt", ".cuda-cc/req/more.txt",
                                         "pyproject.toml"])

    def test_facts(self):
        text = '{"schema": 1}'
        self.put("packages/ext/facts.json", text)
        self.put("facts.json", text)
        for facts in ("facts.json", "./facts.json"):
            self.member(f'runtime = "cuda==13.0"\nfacts = "{facts}"\n')
            self.assertEqual(self.changed(self.made()), {"facts.json": text})
        self.member('facts = "../../facts.json"\nruntime = "cuda==13.0"\n')
        self.assertEqual(self.changed(self.made()), {
            ".cuda-cc/facts.json": text,
            "pyproject.toml": f'[tool.cuda-cc]\n{BACKEND}facts = ".cuda-cc/facts.json"\nruntime = "cuda==13.0"\n'})

    def test_a_file_of_its_own_is_shipped(self):
        self.put("packages/ext/cuda-cc.toml", 'runtime = "cuda==13.0"\n')
        self.assertEqual(self.carried(), {"cuda-cc.toml": 'runtime = "cuda==13.0"\n'})
        self.put("pyproject.toml", '[tool.cuda-cc]\nruntime = "cuda>=13.0,<13.1"\n')
        self.put("packages/ext/cuda-cc.toml", "[wheel]\nunbundle = true\n")
        self.assertEqual(self.carried(), {"cuda-cc.toml": 'runtime = ["cuda>=13.0,<13.1"]\n[wheel]\nunbundle = true\n'})
        self.put("packages/ext/ship", "pyproject.toml cuda-cc.toml")
        self.assertEqual(self.carried(), {"cuda-cc.toml": 'runtime = ["cuda>=13.0,<13.1"]\n[wheel]\nunbundle = true\n'})

    def test_what_cannot_be_carried_is_said(self):
        for text, said in (('runtime = "env:.venv"\n', "warning"), ("", "no runtime is declared"),
                           ('runtime = "lock:uv.lock"\n', "uv.lock")):
            self.put("pyproject.toml", f"[tool.cuda-cc]\n{text}")
            done = self.call()
            self.assertEqual(done.status, 0, done)
            self.assertIn("cuda-cc: warning: the source distribution gets no runtime from above", done.err)
            self.assertIn(said, done.err)
            self.assertEqual((self.place.work / "ext-1.tar.gz").read_bytes(), self.plain())

    def test_what_is_no_archive_is_refused(self):
        self.put("pyproject.toml", '[tool.cuda-cc]\nruntime = "cuda==13.0"\n')
        self.put("packages/ext/ship", "ship")
        empty = io.BytesIO()
        with tarfile.open(fileobj=empty, mode="w"):
            pass
        for write, text in ((REAL, "has no pyproject.toml"), (repr(b"PK"), "is no .tar.gz"),
                            (repr(gzip.compress(b"x" * 600)), "is no .tar.gz"),
                            (repr(gzip.compress(empty.getvalue())), "has no pyproject.toml")):
            body = write if "def " in write else ("def build_wheel(*_): pass\ndef build_sdist(folder, settings=None):\n"
                                                  f"    open('ext-1.tar.gz', 'wb').write({write})\n"
                                                  "    return 'ext-1.tar.gz'\n")
            self.put("packages/ext/tools/real.py", body)
            done = self.call()
            self.assertIn(text, done.err)
            self.assertNotIn("Traceback", done.err)
            self.assertEqual(done.status, 1)


unittest.main(verbosity=1)
