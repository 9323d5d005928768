# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""`python -m cuda_cc`: where the program is looked for, and that the call is its own."""
import shutil
import sys
import unittest
from pathlib import Path

from recording import PROGRAM, Place

PACKAGE = Path(__file__).resolve().parents[2] / "python"


class Program(unittest.TestCase):
    def setUp(self):
        self.place = Place()
        self.addCleanup(shutil.rmtree, self.place.root, ignore_errors=True)

    def install(self, site, script):
        shutil.copytree(PACKAGE / "cuda_cc", site / "cuda_cc", ignore=shutil.ignore_patterns("__pycache__"))
        if script:
            script.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(PROGRAM, script)

    def found(self, site, **variables):
        return self.place.call(sys.executable, "-B", "-m", "cuda_cc", "version", program=None, PYTHONPATH=site,
                               **variables)

    def test_beside_the_package(self):
        for number, (site, script) in enumerate((
                ("lib/python3.11/site-packages", "bin"), ("lib64/python3.9/site-packages", "bin"),
                ("local/lib/python3.11/dist-packages", "local/bin"), ("target", "target/bin"), ("lib/python", "bin"))):
            root = self.place.root / str(number)
            self.install(root / site, root / script / "cuda-cc")
            done = self.found(root / site, PATH="/nowhere")
            self.assertEqual((done.status, done.out.split()[0]), (0, "cuda-cc"), (site, done))

    def test_named_or_on_PATH_or_missing(self):
        site, root = self.place.root / "a/b/c/site", self.place.root
        self.install(site, None)
        done = self.found(site, PATH="/nowhere", HOME=root / "home")
        self.assertEqual(done.status, 1)
        self.assertIn("error: the program cuda-cc is not where its Python package was installed", done.err)
        shutil.copy(PROGRAM, root / "bin/cuda-cc")
        self.assertEqual(self.found(site, PATH=root / "bin", HOME=root / "home").status, 0)
        self.assertEqual(self.found(site, PATH="/nowhere", CUDA_CC_PROGRAM=PROGRAM).status, 0)
        done = self.found(site, PATH=root / "bin", CUDA_CC_PROGRAM=root / "bin")
        self.assertIn("CUDA_CC_PROGRAM is no program", done.err)

    def test_arguments_and_status_are_the_program_s(self):
        for words in (["explain", "CC9"], ["check"], ["g++", "a b.cpp", "-c"], []):
            plain = self.place.call(*words)
            done = self.place.call(sys.executable, "-B", "-m", "cuda_cc", *words, program=None, PYTHONPATH=PACKAGE,
                                   CUDA_CC_PROGRAM=PROGRAM)
            self.assertEqual((done.status, done.out, done.err), (plain.status, plain.out, plain.err), words)
            self.assertEqual([each.arguments for each in done.started], [each.arguments for each in plain.started])

    def test_a_store_that_others_can_write_is_not_used(self):
        data = self.place.root / "data"
        projects = data / "cuda-cc/projects"
        code = ("import sys; from cuda_cc import _toolchain\n"
                "with _toolchain.folder_for('/usr', [], False) as folder: print(folder)")
        variables = {"XDG_DATA_HOME": data, "PYTHONPATH": PACKAGE}

        def used():
            done = self.place.call(sys.executable, "-B", "-c", code, program=None, **variables)
            self.assertEqual((done.status, done.err), (0, ""), done)
            return Path(done.out.strip())

        mine = used()
        self.assertEqual((mine.parent, (mine / "project").read_text()), (projects, "/usr"))
        victim = Path(self.place.write("victim", "kept"))
        (mine / "project").unlink()
        (mine / "project").symlink_to(victim)
        for shared in (mine, projects, projects.parent):
            shared.chmod(0o777)
            self.assertNotIn(data, used().parents)
            shared.chmod(0o755)
        self.assertEqual(victim.read_text(), "kept")

    def test_a_program_that_cannot_be_started(self):
        broken = self.place.root / "cuda-cc"
        broken.write_text("no program")
        broken.chmod(0o755)
        done = self.found(PACKAGE, CUDA_CC_PROGRAM=broken)
        self.assertEqual((done.status, "Traceback" in done.err), (1, False), done)
        self.assertIn("cannot be started", done.err)

    def test_the_version_is_that_of_the_distribution(self):
        info = self.place.root / "site/cuda_cc-9.8.dist-info"
        self.install(info.parent, None)
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: cuda-cc\nVersion: 9.8\n")
        done = self.place.call(sys.executable, "-B", "-c", "import cuda_cc; print(cuda_cc.__version__)", program=None,
                               PYTHONPATH=info.parent)
        self.assertEqual(done.out, "9.8\n", done)


unittest.main(verbosity=1)
