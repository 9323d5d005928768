# SPDX-License-Identifier: Apache-2.0
"""python3 -m unittest tests/support/test_wheels.py: needs no network, because pip is replaced by a script."""

import base64
import contextlib
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zipfile
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import fetch  # noqa: E402
import members  # noqa: E402
import summary  # noqa: E402
import toolkits  # noqa: E402
import wheels  # noqa: E402

# Answers `install --dry-run --report FILE` and `download --dest DIR` for the wheels of a folder.
FAKE_PIP = r'''
import hashlib, json, os, re, shutil, sys, time
from pathlib import Path
index, arguments = Path(os.environ["FAKE_INDEX"]), sys.argv[1:]
with open(index / "log", "a") as log:
    log.write(" ".join(arguments) + "\n")
with open(index / "variables", "a") as log:
    log.write(json.dumps(dict(os.environ)) + "\n")
def option(name):
    return arguments[arguments.index(name) + 1]
if arguments[0] == "install":
    requirement = arguments[-1]
else:
    requirement = Path(option("-r")).read_text().split()[0]
name, version = requirement.split("==")
wheel = index / f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
if not wheel.exists():
    sys.exit("ERROR: No matching distribution found for " + requirement)
if arguments[0] == "install":
    digest = os.environ.get("FAKE_DIGEST") or hashlib.sha256(wheel.read_bytes()).hexdigest()
    Path(option("--report")).write_text(json.dumps({"install": [{
        "metadata": {"name": name, "version": version},
        "download_info": {"archive_info": {"hashes": {"sha256": digest}}}}]}))
else:
    time.sleep(float(os.environ.get("FAKE_DELAY", "0")))
    content = wheel.read_bytes()
    keep = float(os.environ.get("FAKE_KEEP", "1"))
    (Path(option("--dest")) / wheel.name).write_bytes(content[:int(len(content) * keep)])
    if os.environ.get("FAKE_STATUS"):
        sys.exit("ERROR: connection lost")
'''


def write_wheel(folder, name, version, files, record=None):
    base = f"{name.replace('-', '_')}-{version}"
    rows = []
    with zipfile.ZipFile(folder / f"{base}-py3-none-any.whl", "w") as archive:
        for path, content in files.items():
            item = zipfile.ZipInfo(path)
            item.external_attr = (0o755 if "/bin/" in path else 0o644) << 16
            archive.writestr(item, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode()
            rows.append(f"{path},sha256={digest.rstrip('=')},{len(content)}")
        archive.writestr(f"{base}.dist-info/RECORD", record or "\n".join(rows) + "\n")


class WithFakePip(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.index = self.root / "index"
        self.index.mkdir()
        (self.root / "pip.py").write_text(FAKE_PIP)
        self.environment = {
            "CUDA_CC_CACHE": str(self.root / "cache"),
            "CUDA_CC_PIP": f"{sys.executable} {self.root / 'pip.py'}",
            "FAKE_INDEX": str(self.index),
        }
        # These tests use an empty locked.json, and do not run offline: they test downloads.
        self.locked = self.root / "locked.json"
        for patch in (mock.patch.dict(os.environ, self.environment),
                      mock.patch.object(wheels, "LOCKED", self.locked)):
            patch.start()
            self.addCleanup(patch.stop)
        os.environ.pop("CUDACC_TEST_OFFLINE", None)
        wheels.read_locked.cache_clear()
        self.addCleanup(wheels.read_locked.cache_clear)
        write_wheel(self.index, "nvidia-a", "1.0",
                    {"nvidia/a/lib/liba.so.1": b"a", "nvidia/a/bin/tool": b"t",
                     "nvidia/__init__.py": b""})
        write_wheel(self.index, "nvidia-b", "2.0",
                    {"nvidia/b/lib/libb.so.2": b"b", "nvidia/__init__.py": b"# b"})

    def calls(self):
        log = self.index / "log"
        return [line.split()[0] for line in log.read_text().splitlines()] if log.exists() else []

    def lock(self, **entries):
        """`nvidia_a="1.0"`: writes a locked.json that has this wheel of the index."""
        found = {}
        for name, version in entries.items():
            wheel = self.index / f"{name}-{version}-py3-none-any.whl"
            found[f"{name.replace('_', '-')}-{version}-x86_64"] = {
                "file": wheel.name, "sha256": wheels.sha256(wheel), "bytes": wheel.stat().st_size,
                "unpacked": 3 * wheel.stat().st_size}
        self.locked.write_text(json.dumps({"wheels": found}))
        wheels.read_locked.cache_clear()

    def left_over(self):
        return [path.name for path in self.root.glob("cache/*/*")
                if path.name.startswith((".partial", ".unpacked")) or path.name.endswith(".whl")]

    def refused(self, words, requirement="nvidia-a==1.0"):
        with self.assertRaisesRegex(wheels.WheelError, words):
            wheels.get(requirement)
        self.assertEqual(self.left_over(), [])
        self.assertFalse((self.root / "cache/wheels/nvidia-a-1.0-x86_64").exists())


class Get(WithFakePip):
    def test_unpacks_as_site_packages_with_modes_and_hash(self):
        folder = wheels.get("nvidia-a==1.0")
        self.assertEqual(folder.name, "nvidia-a-1.0-x86_64")
        self.assertEqual((folder / "nvidia/a/lib/liba.so.1").read_bytes(), b"a")
        self.assertTrue(os.access(folder / "nvidia/a/bin/tool", os.X_OK))
        self.assertFalse(os.access(folder / "nvidia/a/lib/liba.so.1", os.X_OK))
        stored = json.loads((folder.parent / "nvidia-a-1.0-x86_64.json").read_text())
        wheel = self.index / "nvidia_a-1.0-py3-none-any.whl"
        self.assertEqual(stored["sha256"], wheels.sha256(wheel))
        self.assertEqual(self.left_over(), [])

    def test_second_time_asks_pip_nothing(self):
        first = wheels.get("nvidia-a==1.0")
        calls = self.calls()
        self.assertEqual(wheels.get("Nvidia_A == 1.0"), first)
        self.assertEqual(self.calls(), calls)

    def test_platform_reaches_pip(self):
        folder = wheels.get("nvidia-a==1.0", "aarch64")
        self.assertEqual(folder.name, "nvidia-a-1.0-aarch64")
        log = (self.index / "log").read_text()
        self.assertIn("manylinux2014_aarch64", log)
        self.assertNotIn("x86_64", log)

    def test_hash_goes_to_pip_as_a_requirement(self):
        wheels.get("nvidia-a==1.0")
        self.assertIn("--require-hashes", (self.index / "log").read_text())

    def test_hash_mismatch_is_refused(self):
        with mock.patch.dict(os.environ, FAKE_DIGEST="0" * 64):
            self.refused("the index says 0000")

    def test_truncated_download_is_refused(self):
        with mock.patch.dict(os.environ, FAKE_KEEP="0.5"):
            self.refused("sha256 is")

    def test_broken_connection_is_refused_and_the_next_try_works(self):
        with mock.patch.dict(os.environ, FAKE_STATUS="1"):
            self.refused("connection lost")
        self.assertTrue(wheels.get("nvidia-a==1.0").is_dir())

    def test_file_that_is_no_wheel_is_refused(self):
        (self.index / "nvidia_a-1.0-py3-none-any.whl").write_bytes(b"hello")
        self.refused("not a wheel")

    def test_content_that_differs_from_record_is_refused(self):
        write_wheel(self.index, "nvidia-a", "1.0", {"nvidia/a/x": b"x"},
                    record="nvidia/a/x,sha256=AAAA,1\n")
        self.refused("not what RECORD says")

    def test_path_out_of_the_wheel_is_refused(self):
        write_wheel(self.index, "nvidia-a", "1.0", {"../x": b"x"})
        self.refused("leads out of the wheel")

    def test_unknown_version_says_what_pip_said(self):
        self.refused("No matching distribution", "nvidia-a==9")

    def test_bad_requirement_and_platform(self):
        for requirement in ("nvidia-a", "nvidia-a>=1", "../a==1", "a==1/2"):
            with self.assertRaises(wheels.WheelError):
                wheels.get(requirement)
        with self.assertRaises(wheels.WheelError):
            wheels.get("nvidia-a==1.0", "mips")

    def test_left_over_of_a_killed_run_is_not_seen(self):
        for name in (".partial", ".unpacked"):
            partial = self.root / f"cache/wheels/{name}-nvidia-a-1.0-x86_64"
            partial.mkdir(parents=True)
            (partial / "half").touch()
        self.assertFalse((wheels.get("nvidia-a==1.0") / "half").exists())
        self.assertEqual(self.left_over(), [])

    def test_two_processes_download_once(self):
        command = [sys.executable, HERE / "wheels.py", "get", "nvidia-a==1.0"]
        environment = {**os.environ, "FAKE_DELAY": "0.3"}
        runs = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
                for _ in range(2)]
        outputs = [run.communicate()[0] for run in runs]
        self.assertEqual([run.returncode for run in runs], [0, 0])
        self.assertEqual(outputs[0], outputs[1])
        self.assertEqual(self.calls(), ["install", "download"])

    def test_metadata_downloads_nothing(self):
        self.assertEqual(wheels.metadata_only("nvidia-a", "1.0")["version"], "1.0")
        self.assertEqual(self.calls(), ["install"])


class Env(WithFakePip):
    def test_merges_with_hard_links_and_the_later_wins(self):
        out = self.root / "site-packages"
        wheels.env(str(out), ["nvidia-a==1.0", "nvidia-b==2.0"])
        self.assertEqual((out / "nvidia/__init__.py").read_bytes(), b"# b")
        self.assertTrue((out / "nvidia/b/lib/libb.so.2").samefile(
            wheels.get("nvidia-b==2.0") / "nvidia/b/lib/libb.so.2"))
        self.assertEqual((wheels.get("nvidia-a==1.0") / "nvidia/__init__.py").read_bytes(), b"")

    def test_is_cached_by_content(self):
        first = wheels.env("-", ["nvidia-a==1.0", "nvidia-b==2.0"])
        self.assertEqual(first, wheels.env("-", ["nvidia-a == 1.0", "Nvidia-B==2.0"]))
        self.assertNotEqual(first, wheels.env("-", ["nvidia-b==2.0", "nvidia-a==1.0"]))

    def test_failure_leaves_nothing(self):
        with self.assertRaises(wheels.WheelError):
            wheels.env("-", ["nvidia-a==1.0", "nvidia-c==3.0"])
        self.assertEqual(self.left_over(), [])


class Pip(WithFakePip):
    def variables(self):
        return [json.loads(line) for line in (self.index / "variables").read_text().splitlines()]

    def test_keeps_no_cache_and_does_not_look_for_a_newer_one(self):
        wheels.get("nvidia-a==1.0")
        for each in self.variables():
            self.assertEqual((each["PIP_DISABLE_PIP_VERSION_CHECK"], each["PIP_NO_CACHE_DIR"],
                              each["PIP_NO_INPUT"]), ("1", "1", "1"))
            self.assertNotEqual(each["XDG_CACHE_HOME"], os.environ.get("XDG_CACHE_HOME"))
            self.assertFalse(Path(each["XDG_CACHE_HOME"]).exists())
            self.assertEqual(each["HOME"], os.environ["HOME"], "the user's configuration counts")

    def test_in_a_test_has_a_home_of_its_own_and_no_index(self):
        with mock.patch.dict(os.environ, CUDACC_TEST_OFFLINE="1"), self.assertRaises(wheels.WheelError):
            wheels.pip("install", "nvidia-c==1")
        [each] = self.variables()
        self.assertNotEqual(each["HOME"], os.environ["HOME"])
        self.assertFalse(Path(each["HOME"]).exists())
        self.assertEqual(each["PIP_NO_INDEX"], "1")

    def test_unpacks_on_the_disk_of_the_cache(self):
        wheels.get("nvidia-a==1.0")
        self.assertTrue(self.variables()[-1]["TMPDIR"].startswith(f"{self.root}/cache/wheels/.partial-"))


class Locked(WithFakePip):
    def test_the_index_is_not_asked_what_is_locked(self):
        self.lock(nvidia_a="1.0")
        self.assertTrue(wheels.get("nvidia-a==1.0").is_dir())
        self.assertEqual(self.calls(), ["download"])

    def test_another_file_of_that_name_is_refused(self):
        self.lock(nvidia_a="1.0")
        write_wheel(self.index, "nvidia-a", "1.0", {"nvidia/a/lib/liba.so.1": b"other"})
        self.refused("locked.json says")

    def test_a_wheel_for_one_python_is_fetched_by_any(self):
        for file, options in (
                ("jax-0.4.35-cp311-cp311-manylinux2014_x86_64.whl",
                 ["--python-version", "3.11", "--implementation", "cp", "--abi", "cp311"]),
                ("c-1-cp39-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
                 ["--python-version", "3.9", "--implementation", "cp", "--abi", "abi3"]),
                ("nvidia_a-1.0-py3-none-manylinux1_x86_64.whl", [])):
            self.assertEqual(wheels.interpreter_of(file), options)

    def test_a_test_uses_what_is_locked_and_there_and_fetches_nothing(self):
        wheels.get("nvidia-a==1.0")
        wheels.env("-", ["nvidia-a==1.0"])
        calls = self.calls()
        with mock.patch.dict(os.environ, CUDACC_TEST_OFFLINE="1"):
            for use in (wheels.get, lambda each: wheels.env("-", [each])):
                with self.assertRaisesRegex(wheels.WheelError, "nvidia-a==1.0 .* is not in .*locked.json"):
                    use("nvidia-a==1.0")
            self.lock(nvidia_a="1.0", nvidia_b="2.0")
            self.assertTrue(wheels.get("nvidia-a==1.0").is_dir())
            with self.assertRaisesRegex(wheels.WheelError, "nvidia-b==2.0 .* not in the cache"):
                wheels.get("nvidia-b==2.0")
        self.assertEqual(self.calls(), calls)

    def test_metadata_is_that_of_the_file(self):
        self.locked.write_text(json.dumps({"metadata": {"torch==2": {"name": "torch"}}}))
        self.assertEqual(wheels.metadata_of("torch == 2"), {"name": "torch"})
        with self.assertRaisesRegex(wheels.WheelError, "torch==3 is not in"):
            wheels.metadata_of("torch==3")
        self.assertEqual(self.calls(), [])

    def test_what_the_tests_want_is_locked(self):
        """The real files: wanted.json names only wheels and packages that locked.json has with a hash."""
        with mock.patch.object(wheels, "LOCKED", HERE / "locked.json"):
            wheels.read_locked.cache_clear()
            wanted, always = fetch.read(True), fetch.read(False)
            for item in fetch.items(wanted):
                self.assertGreater(min(item.bytes, item.unpacked), 0, item.name)
            every = wheels.read_locked(wheels.LOCKED)
        keys = {wheels.folder_of(*each).name for each in fetch.requirements(wanted)}
        self.assertEqual(set(every["wheels"]), keys)
        self.assertTrue(all(len(entry["sha256"]) == 64 for entry in every["wheels"].values()))
        self.assertEqual(set(every["metadata"]), set(wanted["metadata"]))
        self.assertEqual({key for key, entry in every["wheels"].items() if not entry.get("all")},
                         {wheels.folder_of(*each).name for each in fetch.requirements(always)})
        self.assertEqual({members.folder_of(each).name for each in wanted["members"]}, set(every["members"]))
        # Together with the 0.7 GB that apt-get downloads on a bare machine, it is about 8 GB.
        self.assertLess(sum(item["bytes"] for part in ("wheels", "members", "debian") for item in every[part].values()
                            if not item.get("all")), 7.4e9)


class Files(WithFakePip):
    def test_wheel_made_again_holds_the_same_under_the_same_name(self):
        write_wheel(self.index, "nvidia-d", "1", {
            "nvidia/d/bin/tool": b"t", "nvidia_d-1.data/purelib/nvidia/d/x": b"x",
            "nvidia_d-1.data/scripts/run": b"s"})
        made = wheels.file_of("nvidia-d==1", self.root)
        self.assertEqual(made.name, "nvidia_d-1-py3-none-any.whl")
        self.assertNotIn("data/purelib", "".join(zipfile.ZipFile(made).namelist()))
        again = self.root / "again"
        wheels.unpack(made, again)
        tree = wheels.get("nvidia-d==1")
        names = {path.relative_to(tree) for path in tree.rglob("*")}
        self.assertEqual({path.relative_to(again) for path in again.rglob("*")}, names)
        for name in names:
            if (tree / name).is_file() and name.name != "RECORD":
                self.assertEqual((again / name).read_bytes(), (tree / name).read_bytes())
                self.assertEqual((again / name).stat().st_mode, (tree / name).stat().st_mode)
        self.assertIn("nvidia/d/x,sha256=", (again / "nvidia_d-1.dist-info/RECORD").read_text())


class Fetch(WithFakePip):
    WANTED = {"wheels": ["nvidia-a==1.0"], "environments": {"e": ["nvidia-b==2.0"]}}

    def setUp(self):
        super().setUp()
        self.said = []
        self.lock(nvidia_a="1.0", nvidia_b="2.0")

    def fetch(self, **more):
        return fetch.fetch({**self.WANTED, **more}, self.said.append)

    def test_says_the_size_first_and_what_lies_there_last(self):
        self.assertEqual(self.fetch(), 0)
        size = sum((self.index / f"{name}-py3-none-any.whl").stat().st_size
                   for name in ("nvidia_a-1.0", "nvidia_b-2.0"))
        self.assertEqual(self.said[0], f"to fetch for the tests: 2 of 2 files, {fetch.amount(size)}, unpacked "
                                       f"{fetch.amount(3 * size)} in {self.root}/cache")
        self.assertRegex(self.said[-2], r"^fetched 2 of 2 files, .* \(100%\) in \d+ s$")
        self.assertRegex(self.said[-1], "^.*/cache holds .*; ./dev clean --cache removes it$")
        self.assertEqual(self.left_over(), [])

    def test_second_time_asks_nobody_and_says_so(self):
        self.fetch()
        calls, self.said = self.calls(), []
        self.assertEqual(self.fetch(), 0)
        self.assertEqual(self.calls(), calls)
        self.assertEqual(len(self.said), 1)
        self.assertRegex(self.said[0], "^what the tests need is in ")

    def test_plan_counts_what_is_missing_alone(self):
        wheels.get("nvidia-a==1.0")
        missing, fits = fetch.plan(self.WANTED, self.said.append)
        self.assertEqual(([item.name for item in missing], fits), (["nvidia-b==2.0 x86_64"], True))
        self.assertIn("1 of 2 files", self.said[0])

    def test_no_room_is_said_before_anything_is_fetched(self):
        with mock.patch.object(fetch, "room", lambda: 10):
            self.assertEqual(self.fetch(), 1)
        self.assertEqual(self.calls(), [])
        self.assertIn("CUDA_CC_CACHE", self.said[-1])

    def test_what_failed_is_named_and_the_rest_is_there(self):
        with mock.patch.object(fetch, "TRIES", 1):
            self.assertEqual(self.fetch(wheels=["nvidia-c==3"]), 1)
        self.assertTrue(any("nvidia-c==3" in line and "No matching" in line for line in self.said), self.said)
        self.assertTrue(wheels.folder_of("nvidia-b==2.0").is_dir())

    def test_broken_connection_is_tried_again_and_a_wrong_file_is_not(self):
        tried = []

        def fails(text):
            def get(*_):
                tried.append(text)
                raise wheels.WheelError(text)
            return fetch.Item(text, self.root / "x", 1, 1, get)

        for text in ("connection lost", "sha256 is another"):
            self.assertIn(text, str(fetch.attempt(fails(text), pause=0)))
        self.assertEqual(tried, ["connection lost"] * fetch.TRIES + ["sha256 is another"])

    def test_progress_is_told_while_a_file_is_on_its_way(self):
        folder = self.root / "cache/wheels/big"
        aside = folder.parent / ".partial-big/pip-x"
        aside.mkdir(parents=True)
        (aside / "half").write_bytes(b"x" * 500_000)
        item = fetch.Item("big", folder, 1_000_000, 1, None)
        lines, here = [], threading.Event()

        def write(line):
            lines.append(line)
            here.set()

        with fetch.Progress([item], write, look=0.01):
            self.assertTrue(here.wait(60))
            (aside / "little").write_bytes(b"x" * 8192)
            time.sleep(0.1)
            self.assertEqual(len(lines), 1, "too little for a line")
            here.clear()
            (aside / "more").write_bytes(b"x" * 200_000)
            self.assertTrue(here.wait(60))
        self.assertRegex(lines[0], r"^fetched 0 of 1 files, 0.5 MB of 1.0 MB \(5\d%\) in \d+ s$")
        self.assertRegex(lines[1], r"^fetched 0 of 1 files, 0.7 MB of 1.0 MB \(7\d%\) in \d+ s$")

    def test_toolkits_are_made_of_their_wheels_and_a_package_that_is_gone_is_no_failure(self):
        packages = toolkits.row("13.0")["packages"]
        for name, version in packages.items():
            write_wheel(self.index, name, version, {f"nvidia/cu13/lib/{name}": b"x"})
        for name, version in toolkits.row("12.5", "wheels")["packages"].items():
            write_wheel(self.index, name, version, {"nvidia/x": b"x"})

        def gone(_):
            def fetched(_):
                raise toolkits.Skipped("Debian moved on")
            return toolkits.of_archive("nvidia-cuda-toolkit-12.5", fetched)

        with mock.patch.object(toolkits, "debian", gone):
            self.assertEqual(self.fetch(toolkits=["13.0", "bare 13.0", "12.5"]), 0, self.said)
        names = sorted(path.name.split("-")[0] for path in (self.root / "cache/toolkits").glob("1*"))
        self.assertEqual(names, ["13.0"])
        self.assertTrue(any("Debian moved on: the tests that need it are skipped" in line for line in self.said))
        # A test reads the reason from the cache and queries no archive.
        with mock.patch.dict(os.environ, CUDACC_TEST_OFFLINE="1"):
            with self.assertRaisesRegex(toolkits.Skipped, "Debian moved on"):
                toolkits.debian("12.5")
            with self.assertRaisesRegex(wheels.WheelError, "12.4 is not in the cache"):
                toolkits.debian("12.4")

    def test_older_form_is_taken_over(self):
        cache = self.root / "cache"
        wheels.get("nvidia-a==1.0")
        kept = wheels.get("nvidia-a==1.0").stat().st_ino
        # Entries that no list names any more, a wheel without its folder, metadata, and symbolic links into them.
        write_wheel(self.index, "nvidia-e", "1", {"nvidia/e": b"e" * 100_000})
        wheels.get("nvidia-e==1")
        wheels.env("-", ["nvidia-a==1.0", "nvidia-e==1"])
        file = cache / "files/nvidia-b-2.0-x86_64/nvidia_b-2.0-py3-none-any.whl"
        file.parent.mkdir(parents=True)
        shutil.copy(self.index / file.name, file)
        (cache / "metadata/torch-2").mkdir(parents=True)
        calls = self.calls()
        fetch.migrate(self.WANTED, self.said.append)
        self.assertEqual(sorted(path.name for path in cache.iterdir()), ["form", "form.lock", "wheels"])
        self.assertEqual(sorted(path.name for path in (cache / "wheels").iterdir() if path.name[0] != "."),
                         [f"nvidia-{name}-x86_64{end}" for name in ("a-1.0", "b-2.0") for end in ("", ".json")])
        self.assertEqual(wheels.get("nvidia-a==1.0").stat().st_ino, kept)
        self.assertEqual(len(self.said), 1)
        self.assertRegex(self.said[0], "older form: .* became ")
        self.assertEqual(self.fetch(), 0)
        self.assertEqual(self.calls(), calls, "nothing was fetched again")
        # The conversion runs only once.
        wheels.get("nvidia-e==1")
        fetch.migrate(self.WANTED, self.said.append)
        self.assertTrue(wheels.folder_of("nvidia-e==1").is_dir())

    def test_new_cache_has_no_older_form(self):
        (self.root / "cache/venv").mkdir(parents=True)
        (self.root / "cache/venv/python").write_text("python")
        fetch.migrate(self.WANTED, self.said.append)
        self.assertEqual(self.said, [])
        self.assertTrue((self.root / "cache/venv/python").exists())

    def test_older_form_with_another_file_is_fetched_anew(self):
        write_wheel(self.index, "nvidia-a", "1.0", {"nvidia/a/other": b"other"})
        self.locked.unlink()
        wheels.read_locked.cache_clear()
        wheels.get("nvidia-a==1.0")
        write_wheel(self.index, "nvidia-a", "1.0", {"nvidia/a/x": b"x"})
        self.lock(nvidia_a="1.0", nvidia_b="2.0")
        fetch.migrate(self.WANTED, self.said.append)
        self.assertEqual(self.fetch(), 0)
        self.assertTrue((wheels.get("nvidia-a==1.0") / "nvidia/a/x").exists())

    def test_lock_writes_what_the_lists_name(self):
        self.locked.write_text(json.dumps({"wheels": {"nvidia-old-1-x86_64": {}}}))
        wheels.read_locked.cache_clear()
        fetch.lock({**self.WANTED, "metadata": ["nvidia-a==1.0"]}, {"wheels": ["nvidia-a==1.0"]},
                   self.said.append)
        found = json.loads(self.locked.read_text())
        self.assertEqual(list(found["wheels"]), ["nvidia-a-1.0-x86_64", "nvidia-b-2.0-x86_64"])
        entry = found["wheels"]["nvidia-a-1.0-x86_64"]
        self.assertEqual(entry["sha256"], wheels.sha256(self.index / entry["file"]))
        # Items that only --all downloads are refused to other tests, even if they are in the cache.
        with mock.patch.dict(os.environ, CUDACC_TEST_OFFLINE="1", CUDACC_TEST_ALL=""):
            wheels.read_locked.cache_clear()
            wheels.get("nvidia-a==1.0")
            with self.assertRaisesRegex(wheels.WheelError, "--all only"):
                wheels.get("nvidia-b==2.0")
            with mock.patch.dict(os.environ, CUDACC_TEST_ALL="1"):
                wheels.get("nvidia-b==2.0")
        self.assertEqual(found["metadata"], {"nvidia-a==1.0": {"name": "nvidia-a", "version": "1.0"}})


class Toolkits(WithFakePip):
    def test_every_minor_with_an_nvcc_in_wheels_has_its_links(self):
        for row in toolkits.rows():
            if row["origin"] != "wheels" or not row["has_nvcc"]:
                continue
            links = dict(toolkits.links(row["to_make_it_work"]))
            wanted = {"lib/libcudart.so": "libcudart.so.13",
                      "nvvm/lib64/libnvvm.so": "../../lib/libnvvm.so.4"}
            if row["profile_library_folder"] == "lib64":
                wanted["lib64"] = "lib"
            self.assertEqual(links, wanted, row["ctk"])

    def test_toolkit_of_wheels_has_links_and_bare_has_none(self):
        for name, version in toolkits.row("13.0")["packages"].items():
            write_wheel(self.index, name, version, {f"nvidia/cu13/lib/{name}": b"x"})
        toolkit = toolkits.get("13.0")
        self.assertEqual(os.readlink(toolkit / "lib64"), "lib")
        self.assertEqual(os.readlink(toolkit / "lib/libcudart.so"), "libcudart.so.13")
        self.assertFalse((toolkits.bare("13.0") / "lib64").exists())

    def test_mixed_is_an_old_nvcc_with_the_newest_rest(self):
        old = toolkits.row("13.0")["packages"]
        new = toolkits.row("13.5")["packages"]
        packages = {**new, "nvidia-cuda-nvcc": old["nvidia-cuda-nvcc"]}
        for name, version in packages.items():
            write_wheel(self.index, name, version, {f"nvidia/cu13/lib/{name}": version.encode()})
        lib = toolkits.mixed() / "lib"
        self.assertEqual((lib / "nvidia-cuda-nvcc").read_text(), old["nvidia-cuda-nvcc"])
        self.assertEqual((lib / "nvidia-nvvm").read_text(), new["nvidia-nvvm"])

    def test_debian_source_in_both_spellings(self):
        apt = self.root / "apt"
        (apt / "sources.list.d").mkdir(parents=True)
        (apt / "sources.list.d/other.list").write_text(
            "deb [signed-by=/o.gpg] https://other.example/debian bookworm stable\n")
        (apt / "sources.list").write_text("# deb x\ndeb http://one.example/debian bookworm main\n")
        self.assertEqual(toolkits.debian_source(apt), ("http://one.example/debian", ""))
        (apt / "sources.list.d/debian.sources").write_text(
            "# comment\nTypes: deb\nURIs: http://sec.example/debian-security\n"
            "Suites: bookworm-security\nComponents: main\n\n"
            "Types: deb\n# comment\nURIs: http://two.example/debian/\n"
            "Suites: bookworm bookworm-updates\nComponents: main\nSigned-By: /k.gpg\n")
        self.assertEqual(toolkits.debian_source(apt), ("http://two.example/debian/", "/k.gpg"))

    def test_no_debian_source_is_a_skip(self):
        with self.assertRaises(toolkits.Skipped):
            toolkits.debian_source(self.root)

    def fake_apt(self, madison="", update=0, said=""):
        tools = self.root / "tools"
        tools.mkdir(exist_ok=True)
        for name in ("apt-get", "apt-cache"):
            (tools / name).write_text(
                "#!/bin/sh\ncase \"$*\" in\n"
                f"*madison*) echo '{madison}';;\n*update*) echo '{said}'; exit {update};;\nesac\n")
            (tools / name).chmod(0o755)
        return mock.patch.multiple(
            toolkits, debian_source=lambda: ("http://one.example/debian", "/k.gpg")), \
            mock.patch.dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}")

    def test_package_that_moved_on_is_a_skip_with_its_reason(self):
        source, path = self.fake_apt("nvidia-cuda-toolkit | 13.0.88~13.0.2-1 | trixie/non-free")
        with source, path, contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(toolkits.main(["get", "12.4"]), 3)
        self.assertEqual(said.getvalue(),
                         "SKIPPED: Debian trixie has no nvidia-cuda-toolkit 12.4\n")

    def test_suite_that_is_gone_is_a_skip(self):
        source, path = self.fake_apt(update=100, said="E: ... does not have a Release file.")
        with source, path, self.assertRaises(toolkits.Skipped):
            toolkits.debian("12.5")

    def test_unreachable_mirror_is_an_error(self):
        source, path = self.fake_apt(update=100, said="E: Could not connect")
        with source, path, self.assertRaisesRegex(wheels.WheelError, "Could not connect"):
            toolkits.debian("12.5")
        self.assertEqual(self.left_over(), [])


class Summary(unittest.TestCase):
    def run_on(self, *tests):
        lines = []
        status = summary.summarise(
            [{"name": f"t{i}", "code": code, "output": output}
             for i, (code, output) in enumerate(tests)], lines.append)
        return status, lines

    def test_counts(self):
        status, lines = self.run_on(("PASS", ""), ("XFAIL", ""), ("FAIL", ""), ("XPASS", ""),
                                    ("TIMEOUT", ""), ("UNRESOLVED", ""), ("EXCLUDED", ""),
                                    ("UNSUPPORTED", "SKIPPED: no GPU"))
        self.assertEqual((status, lines[-1]), (1, "2 passed, 4 failed, 1 skipped"))
        self.assertIn("  t7: no GPU", lines)

    def test_reasons(self):
        for output, wanted in (
                ("Test requires the following unavailable features: gpu", "needs gpu"),
                ("Test does not support the following features and/or targets: x", "not with x"),
                ("$ run\nSKIPPED: Debian trixie has none\n", "Debian trixie has none"),
                ("", "no reason given")):
            self.assertEqual(summary.reason(output), wanted)

    def test_reports(self):
        _, lines = self.run_on(("PASS", "out\nREPORTED: 3 of 3 are right\n"), ("PASS", "REPORTED"),
                               ("FAIL", "REPORTED: 2 of 3 are right"))
        self.assertEqual(lines[:2], ["reported:", "  t0: 3 of 3 are right"])
        self.assertNotIn("  t2: 2 of 3 are right", lines)

    def test_runs_and_steps_are_added_up(self):
        with tempfile.TemporaryDirectory() as folder, \
                contextlib.redirect_stdout(io.StringIO()) as said:
            path = str(Path(folder) / "results.json")
            Path(path).write_text(json.dumps({"tests": [{"name": "t", "code": "PASS"}]}))
            self.assertEqual(summary.main([path, path, "--passed", "lint"]), 0)
            self.assertEqual(summary.main([path, "--failed", "fetching"]), 1)
            self.assertEqual(summary.main([path, path + ".missing"]), 1)
        self.assertEqual([line for line in said.getvalue().splitlines() if "passed, " in line],
                         ["3 passed, 0 failed, 0 skipped", "1 passed, 1 failed, 0 skipped",
                          "1 passed, 1 failed, 0 skipped"])
        self.assertIn("  fetching: FAIL", said.getvalue())

    def test_nothing_ran_is_a_failure(self):
        self.assertEqual(self.run_on(), (1, ["0 passed, 0 failed, 0 skipped"]))
        self.assertEqual(self.run_on(("SKIPPED", "x"))[0], 1)


if __name__ == "__main__":
    unittest.main()
