# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S/../command %python -B %s
"""The PEP 517 backend among stand-ins: which hooks there are, what reaches the backend behind it, and how a build
is refused. Each hook runs in a process of its own, as frontends call it; what build tools show and what is built
is in the other tests of this folder, backend-*.py."""
import json
import shutil
import sys
import unittest
from pathlib import Path

from recording import PROGRAM, Place

PACKAGE = Path(__file__).resolve().parents[2] / "python"
HOOKS = ("get_requires_for_build_wheel", "get_requires_for_build_sdist", "get_requires_for_build_editable",
         "prepare_metadata_for_build_wheel", "prepare_metadata_for_build_editable", "build_wheel", "build_sdist",
         "build_editable")
# Of the backend behind: writes down how it was called, and makes a wheel of the files in `content`.
REAL = """import json, os, pathlib, zipfile
def note(hook, *values):
    names = ("PATH", "CXX", "NVCC", "CUDA_HOME", "ODD")
    said = {"hook": hook, "values": values, "environment": {name: os.environ.get(name) for name in names}}
    pathlib.Path(os.environ["SAID"]).write_text(json.dumps(said))
    os.environ["LEFT"] = "1"
def wheel(folder):
    with zipfile.ZipFile(f"{folder}/ext-1-py3-none-any.whl", "w") as archive:
        for path in sorted(pathlib.Path("content").iterdir()):
            archive.write(path, path.name)
        for name in ("METADATA", "WHEEL", "RECORD"):
            archive.writestr(f"ext-1.dist-info/{name}", "Metadata-Version: 2.1\\nName: ext\\nVersion: 1\\n")
    return "ext-1-py3-none-any.whl"
"""
BODIES = {
    "get_requires": "def {0}(config_settings=None):\n    note('{0}', config_settings)\n    return ['x>=1']\n",
    "prepare": "def {0}(metadata_directory, config_settings=None):\n"
               "    note('{0}', metadata_directory, config_settings)\n    return 'ext-1.dist-info'\n",
    "build_sdist": "def {0}(sdist_directory, config_settings=None):\n"
                   "    note('{0}', sdist_directory, config_settings)\n    return 'ext-1.tar.gz'\n",
    "build": "def {0}(wheel_directory, config_settings=None, metadata_directory=None):\n"
             "    note('{0}', wheel_directory, config_settings, metadata_directory)\n"
             "    return wheel(wheel_directory)\n",
}
CALL = """import json, os, sys
import cuda_cc.build as backend
before = dict(os.environ)
hook, arguments, keywords = json.loads(sys.argv[1])
value = getattr(backend, hook)(*arguments, **keywords)
assert dict(os.environ) == before, set(os.environ.items()) ^ set(before.items())
print(json.dumps(value))
"""


def backend_with(*hooks):
    kinds = {hook: next(kind for kind in BODIES if hook.startswith(kind)) for hook in hooks}
    return REAL + "".join(BODIES[kind].format(hook) for hook, kind in kinds.items())


class Backend(unittest.TestCase):
    def setUp(self):
        self.place = Place("13.0")
        self.addCleanup(shutil.rmtree, self.place.root, ignore_errors=True)
        self.data = self.place.root / "data"
        self.tmp = self.place.root / "tmp"
        self.tmp.mkdir()
        self.said = self.place.root / "said.json"
        (self.place.work / "content").mkdir()
        self.place.write("content/ext.py")
        self.place.write("tools/real.py", backend_with(*HOOKS))
        self.declare()

    def declare(self, runtime="cuda==13.0", *lines, backend='backend = "real"\nbackend-path = ["tools"]'):
        declared = f'runtime = "{runtime}"\n' if runtime else ""
        self.place.write("pyproject.toml", "\n".join(["[tool.cuda-cc]", declared + backend, *lines, ""]))

    def python(self, *words, **variables):
        return self.place.call(sys.executable, "-B", *words, program=None, **{
            "PYTHONPATH": PACKAGE, "CUDA_CC_PROGRAM": PROGRAM, "XDG_DATA_HOME": self.data, "SAID": self.said,
            "TMPDIR": self.tmp, **variables})

    def hook(self, name, *arguments, variables=None, **keywords):
        self.said.unlink(missing_ok=True)
        return self.python("-c", CALL, json.dumps([name, arguments, keywords]), **(variables or {}))

    def good(self, name, *arguments, **keywords):
        """What the hook returns and what the backend behind it saw."""
        done = self.hook(name, *arguments, **keywords)
        self.assertEqual(done.status, 0, done)
        return json.loads(done.out), json.loads(self.said.read_text())

    def refused(self, name, *arguments, text="", **keywords):
        """The hook ends the process, and the last that it writes is this; no traceback."""
        done = self.hook(name, *arguments, **keywords)
        self.assertNotEqual(done.status, 0, done)
        self.assertNotIn("Traceback", done.err)
        self.assertIn(text, done.err)
        self.assertFalse(list(self.place.work.glob("*.whl")), done)
        return done

    def toolchains(self):
        return sorted(self.data.glob("cuda-cc/projects/*/toolchain"))

    def test_hooks_are_those_of_the_backend_behind(self):
        for hooks in (HOOKS, ("build_wheel", "build_sdist"), HOOKS[1:4] + HOOKS[5:7]):
            self.place.write("tools/real.py", backend_with(*hooks))
            done = self.python("-c", f"import cuda_cc.build as b; print([h for h in {HOOKS!r} if hasattr(b, h)])")
            self.assertEqual(done.out, f"{list(hooks)}\n", done)
        self.assertEqual(self.python("-c", "import cuda_cc.build as b; print(hasattr(b, 'build'))").out, "False\n")

    def test_every_hook_runs_with_the_compilers_of_the_directory(self):
        arguments = {"get_requires": [], "prepare": ["meta"], "build_sdist": ["."], "build": ["."]}
        returns = {"get_requires": ["x>=1"], "prepare": "ext-1.dist-info", "build_sdist": "ext-1.tar.gz",
                   "build": "ext-1-py3-none-any.whl"}
        for hook in HOOKS:
            kind = next(kind for kind in BODIES if hook.startswith(kind))
            value, said = self.good(hook, *arguments[kind], variables={"ODD": "a\nb=c"})
            self.assertEqual((value, said["hook"]), (returns[kind], hook))
            [folder] = self.toolchains()
            environment = said["environment"]
            self.assertEqual([environment[name] for name in ("CXX", "NVCC", "CUDA_HOME", "ODD")],
                             [f"{folder}/bin/g++", f"{folder}/bin/nvcc", str(folder), "a\nb=c"], hook)
            self.assertTrue(environment["PATH"].startswith(f"{folder}/bin:"), hook)

    def test_arguments_by_name_and_by_position(self):
        _, said = self.good("build_wheel", ".", {"a": "b"}, "meta")
        self.assertEqual(said["values"], [".", {"a": "b"}, "meta"])
        _, said = self.good("build_wheel", wheel_directory=".", metadata_directory="meta")
        self.assertEqual(said["values"], [".", None, "meta"])
        _, said = self.good("build_sdist", sdist_directory=".", config_settings={})
        self.assertEqual(said["values"], [".", {}])
        _, said = self.good("prepare_metadata_for_build_wheel", metadata_directory="m", config_settings={"a": ["b"]})
        self.assertEqual(said["values"], ["m", {"a": ["b"]}])

    def test_settings_for_cuda_cc_stay_here(self):
        settings = {"--global-option": ["-q", "-v"], "cuda-cc.runtime": ["cuda>=13.0,<13.1", "sm>=80"], "other": ""}
        _, said = self.good("build_wheel", ".", settings)
        self.assertEqual(said["values"][1], {"--global-option": ["-q", "-v"], "other": ""})
        (self.place.work / "ext-1-py3-none-any.whl").unlink()
        done = self.refused("build_wheel", ".", {"cuda-cc.runtime": "cuda==12.4"}, text="[CC3002]")
        self.assertIn("from --cudacc-runtime", done.err)
        self.refused("build_wheel", ".", {"cuda-cc.runtme": "cuda==13.0"}, text="did you mean --cudacc-runtime?")

    def test_meson_is_given_the_machine_file_before_the_user_s(self):
        self.place.write("tools/mesonpy.py", backend_with(*HOOKS))
        self.declare(backend='backend = "mesonpy"\nbackend-path = ["tools"]')
        for settings, rest in ((None, []), ({"setup-args": "-Da=b"}, ["-Da=b"]),
                               ({"setup-args": ["-Da=b", "-Dc=d"]}, ["-Da=b", "-Dc=d"])):
            _, said = self.good("build_wheel", ".", settings)
            [folder] = self.toolchains()
            self.assertEqual(said["values"][1], {"setup-args": [f"--native-file={folder}/native.ini", *rest]})
            self.assertTrue((folder / "native.ini").is_file())

    def test_a_toolkit_that_is_too_new_stops_what_builds_alone(self):
        self.declare("cuda==12.4")
        for hook in ("build_wheel", "build_editable"):
            done = self.refused(hook, ".", text="error: toolkit CUDA 13.0 is of another major")
            self.assertFalse(self.said.exists(), done)
        _, said = self.good("build_sdist", ".")
        self.assertIsNone(said["environment"]["CXX"])
        self.assertEqual(self.hook("build_sdist", ".").err, "")
        self.place.write("tools/real.py", "def build_sdist(*_):\n    raise SystemExit('no compiler')\n")
        done = self.refused("build_sdist", ".", text="error: toolkit CUDA 13.0 is of another major")
        self.assertTrue(done.err.endswith("\nno compiler\n"), done)

    def test_a_wheel_that_is_not_accepted_is_removed(self):
        self.place.write("content/broken.so", "\x7fELF")
        done = self.refused("build_wheel", ".", text="broken.so")
        self.assertTrue(done.err.endswith(
            "\ncuda-cc: error: ext-1-py3-none-any.whl was not accepted, and is removed\n"), done.err)
        self.assertTrue(self.said.exists())

    def test_without_a_declaration_it_is_an_error(self):
        self.declare("")
        self.place.write("content/broken.so", "\x7fELF")
        self.refused("build_wheel", ".", text="no runtime is declared")
        _, said = self.good("build_wheel", ".", variables={"CUDA_CC_DISABLE": "1"})
        self.assertIsNone(said["environment"]["CXX"])
        (self.place.work / "ext-1-py3-none-any.whl").unlink()
        self.declare("", "require = true")
        self.refused("build_wheel", ".", text="[CC1006]")

    def test_a_variable_declares(self):
        self.declare("")
        _, said = self.good("build_wheel", ".", variables={"CUDA_CC_RUNTIME": "cuda==13.0"})
        self.assertTrue(said["environment"]["CXX"])

    def test_a_broken_declaration_passes_through(self):
        for line, text in (("enforce = 'tolkit'", "[CC1003]"), ("bakend = 'x'", "[CC1002]"),
                           ("runtime = 'nosuch==1'", "[CC10")):
            self.declare("", line)
            self.refused("build_wheel", ".", text=text)

    def test_editable_builds_of_an_environment_are_in_place(self):
        environment = self.place.root / "env"
        info = environment / "lib/python3.11/site-packages/nvidia_cuda_runtime-13.0.96.dist-info"
        info.mkdir(parents=True)
        (environment / "pyvenv.cfg").write_text("version = 3.11.2\n")
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: nvidia-cuda-runtime\nVersion: 13.0.96\n")
        (info / "RECORD").write_text("nvidia/cu13/lib/libcudart.so.13,,\n")
        library = info.parent / "nvidia/cu13/lib/libcudart.so.13"
        library.parent.mkdir(parents=True)
        self.place.call("/usr/bin/gcc", "-shared", "-Wl,-soname,libcudart.so.13", "-x", "c", "/dev/null", "-o", library,
                        program=None)
        self.declare(f"env:{environment}")
        def directory(hook, **variables):
            return Path(self.good(hook, ".", variables=variables)[1]["environment"]["CUDA_HOME"])

        editable, plain = directory("build_editable"), directory("build_wheel")
        self.assertEqual([editable.name, plain.name], ["editable", "toolchain"])
        said = [(folder / "cuda-cc.facts").read_text() for folder in (editable, plain)]
        self.assertEqual(["\ndevelop\t" in text for text in said], [True, False], said)
        self.assertEqual(directory("build_editable", CUDA_CC_DEVELOP="0").name, "toolchain")
        self.declare("cuda==13.0")
        self.assertEqual(directory("build_editable").name, "toolchain")

    def test_builds_for_several_runtimes_have_a_directory_each(self):
        for runtime in ("cuda==13.0", "cuda>=13.0,<13.1"):
            self.good("build_wheel", ".", variables={"CUDA_CC_RUNTIME": runtime})
            self.good("build_wheel", ".", {"cuda-cc.runtime": runtime})
        self.assertEqual(len(self.toolchains()), 4)

    def test_the_directory_of_a_project_stays_until_the_project_is_gone(self):
        self.good("build_wheel", ".")
        [first] = self.toolchains()
        made = first.stat().st_ino
        self.good("build_wheel", ".")
        self.assertEqual([folder.stat().st_ino for folder in self.toolchains()], [made])
        moved = self.place.root / "moved"
        self.place.work.rename(moved)
        self.place.work = moved
        self.good("build_wheel", ".")
        [second] = self.toolchains()
        self.assertNotEqual(first, second)

    def test_nothing_is_kept_of_what_is_temporary(self):
        self.place.work = shutil.copytree(self.place.work, self.tmp / "unpacked")
        _, said = self.good("build_wheel", ".")
        self.assertTrue(said["environment"]["CUDA_HOME"].startswith(f"{self.tmp}/cuda-cc-"))
        self.assertEqual([path.name for path in self.tmp.iterdir()], ["unpacked"])
        self.assertEqual(self.toolchains(), [])
        self.good("build_editable", ".")
        self.assertEqual(len(self.toolchains()), 1)

    def test_where_nothing_can_be_kept(self):
        self.data.write_text("no folder")
        _, said = self.good("build_wheel", ".")
        self.assertFalse(Path(said["environment"]["CUDA_HOME"]).exists())

    def test_the_backend_of_uv_is_no_active_environment(self):
        self.declare("env")
        folder = self.place.root / "uv/builds-v0/.tmpX"
        folder.mkdir(parents=True)
        done = self.refused("build_wheel", ".", text="[CC1007]", variables={"VIRTUAL_ENV": folder})
        self.assertIn("note: uv does not hand the active environment on", done.err)
        done = self.refused("build_wheel", ".", text="[CC1007]")
        self.assertNotIn("uv", done.err)

    def test_errors_about_the_backend_behind(self):
        for lines, text in (
                ("", "does not say which backend builds"),
                ('backend = ""', "does not say which backend builds"),
                ("backend = 1", "does not say which backend builds"),
                ('backend = "cuda_cc.build"', "cannot be cuda_cc.build"),
                ('backend = "no_such_thing.api"', 'fix: add "no-such-thing" to build-system.requires'),
                ('backend = "mesonpy"', 'fix: add "meson-python" to build-system.requires'),
                ('backend = "pdm.backend"', 'fix: add "pdm-backend" to build-system.requires'),
                *((f'backend = "{name}"', 'fix: write backend = "mesonpy"')
                  for name in ("meson-python", "meson_python", "Meson.Python")),
                ('backend = "poetry_core"', 'fix: write backend = "poetry.core.masonry.api"'),
                ('backend = "real"\nbackend-path = ["nowhere"]', "names no folder: nowhere"),
                ('backend = "real"\nbackend-path = [".."]', "leads out of the project: .."),
                ('backend = "real"\nbackend-path = "tools"', "must be a list of folders"),
                ('backend = "real:nothing"\nbackend-path = ["tools"]', "cannot be loaded"),
                ("backend = [", "not valid TOML")):
            self.declare(backend=lines)
            self.refused("build_wheel", ".", text=text)
        done = self.python("-c", "import sys; sys.modules.update(tomllib=None, tomli=None)\n"
                           "import cuda_cc.build as b; b.build_wheel")
        self.assertIn("add to build-system.requires: \"tomli; python_version < '3.11'\"", done.err)
        self.place.write("pyproject.toml", "tool = 1\n")
        self.refused("build_wheel", ".", text="tool in pyproject.toml must be a table")
        (self.place.work / "pyproject.toml").unlink()
        self.refused("build_wheel", ".", text="pyproject.toml cannot be read")

    def test_an_object_of_a_module(self):
        self.place.write("tools/real.py", backend_with(*HOOKS) + "class api:\n"
                         "    build_wheel = staticmethod(build_wheel)\n")
        self.declare(backend='backend = "real:api"\nbackend-path = ["tools"]')
        self.assertEqual(self.good("build_wheel", ".")[1]["hook"], "build_wheel")
        done = self.python("-c", "import cuda_cc.build as b; print(hasattr(b, 'build_sdist'))")
        self.assertEqual(done.out, "False\n", done)

    def test_errors_of_the_backend_behind_are_its_own(self):
        self.place.write("tools/real.py", "def build_wheel(*_):\n    raise KeyError('its own')\n")
        done = self.hook("build_wheel", ".")
        self.assertIn("KeyError: 'its own'", done.err)
        self.place.write("tools/real.py", "import nothing_of_the_kind\n")
        self.assertNotIn("fix:", self.refused("build_wheel", ".", text="nothing_of_the_kind").err)


unittest.main(verbosity=1)
