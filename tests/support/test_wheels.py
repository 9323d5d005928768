"""python3 -m unittest tests/support/test_wheels.py: no network, a pip of our own."""

import base64
import contextlib
import hashlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

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
        patch = mock.patch.dict(os.environ, self.environment)
        patch.start()
        self.addCleanup(patch.stop)
        write_wheel(self.index, "nvidia-a", "1.0",
                    {"nvidia/a/lib/liba.so.1": b"a", "nvidia/a/bin/tool": b"t",
                     "nvidia/__init__.py": b""})
        write_wheel(self.index, "nvidia-b", "2.0",
                    {"nvidia/b/lib/libb.so.2": b"b", "nvidia/__init__.py": b"# b"})

    def calls(self):
        log = self.index / "log"
        return [line.split()[0] for line in log.read_text().splitlines()] if log.exists() else []

    def left_over(self):
        return [path.name for path in self.root.glob("cache/*/*")
                if path.name.startswith(".partial") or path.name.endswith(".whl")]

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
        partial = self.root / "cache/wheels/.partial-nvidia-a-1.0-x86_64/tree"
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

    def test_prefetch_counts_what_failed(self):
        file = self.root / "wanted.json"
        file.write_text(json.dumps({"wheels": ["nvidia-a==1.0"],
                                    "environments": {"e": ["nvidia-b==2.0", "nvidia-c==3"]}}))
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(wheels.prefetch(file), 1)
        self.assertIn("nvidia-c==3", said.getvalue())
        self.assertTrue((self.root / "cache/wheels/nvidia-b-2.0-x86_64").is_dir())


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

    def test_nothing_ran_is_a_failure(self):
        self.assertEqual(self.run_on(), (1, ["0 passed, 0 failed, 0 skipped"]))
        self.assertEqual(self.run_on(("SKIPPED", "x"))[0], 1)


if __name__ == "__main__":
    unittest.main()
