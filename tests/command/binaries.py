# SPDX-License-Identifier: Apache-2.0
"""Small ELF files that look like CUDA extensions, made by gcc: their imports have the names, SONAMEs and version
nodes of NVIDIA's libraries, which need not be installed.
"""

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

sys.path.insert(0, os.environ["CUDACC_TEST_SUPPORT"])
import schema

PROGRAM = os.environ["CUDACC_TEST_PROGRAM"]
SOURCE = Path(os.environ["CUDACC_TEST_SUPPORT"]).parent.parent
JITLINK = "libnvJitLink.so.12"
CUDART = "libcudart.so.12"
WHEEL_PATHS = ("$ORIGIN/../nvidia/nvjitlink/lib", "$ORIGIN/../nvidia/cuda_runtime/lib")


def run(*words, cwd=None, **environment):
    done = subprocess.run([str(word) for word in words], cwd=cwd, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=600,
                          env={**os.environ, **environment})
    return done


class Binaries:
    def __init__(self):
        self.root = Path(tempfile.mkdtemp()).resolve()
        atexit.register(shutil.rmtree, self.root, ignore_errors=True)
        self.work = self.root / "work"
        self.work.mkdir()

    def gcc(self, *words):
        done = run("gcc", "-nostdlib", *words, cwd=self.work)
        assert done.returncode == 0, done.stderr

    def library(self, path, soname, names, node=None, *flags):
        """A shared library that exports the names under a node named like its SONAME."""
        path = self.work / path
        path.parent.mkdir(parents=True, exist_ok=True)
        source = self.root / "library.c"
        source.write_text("".join(f"void {name}(void) {{}}\n" for name in names))
        script = self.root / "library.map"
        script.write_text(f"{node or soname} {{ global: *; }};\n")
        self.gcc("-shared", "-fPIC", source, "-o", path, f"-Wl,-soname,{soname}",
                 f"-Wl,--version-script={script}", *flags)
        return path

    def extension(self, path, imports, paths=WHEEL_PATHS, *flags, shared=True):
        """An extension that calls names of libraries, {SONAME: names}."""
        path = self.work / path
        path.parent.mkdir(parents=True, exist_ok=True)
        libraries = [self.library(self.root / "link" / soname, soname, names)
                     for soname, names in imports.items()]
        names = [name for each in imports.values() for name in each]
        source = self.root / "extension.c"
        source.write_text("".join(f"void {name}(void);\n" for name in names) +
                          "void init(void) {" + "".join(f"{name}();" for name in names) + "}\n")
        rpath = [f"-Wl,--disable-new-dtags,-rpath,{':'.join(paths)}"] if paths else []
        self.gcc("-shared", "-fPIC", source, "-o", path, *libraries, *rpath,
                 "-Wl,-z,noexecstack", *flags)
        return path

    def object(self, path, names):
        source = self.root / "object.c"
        source.write_text("".join(f"void {name}(void);\n" for name in names) +
                          "void init(void) {" + "".join(f"{name}();" for name in names) + "}\n")
        self.gcc("-c", source, "-o", self.work / path)

    def wheel(self, path, members):
        """A wheel of {name: file or bytes}."""
        path = self.work / path
        path.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in members.items():
                data = content if isinstance(content, bytes) else Path(content).read_bytes()
                archive.writestr(name, data)
        return path

    def site(self, folder, dists):
        """An environment: {distribution: (version, {place: file})}; its site-packages."""
        site = self.work / folder / "lib/python3.11/site-packages"
        site.mkdir(parents=True, exist_ok=True)
        (self.work / folder / "pyvenv.cfg").write_text(
            "home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.11.2\n")
        for dist, (version, files) in dists.items():
            info = site / f"{dist.replace('-', '_')}-{version}.dist-info"
            info.mkdir()
            (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {dist}\n"
                                           f"Version: {version}\n")
            record = ""
            for place, file in files.items():
                (site / place).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(self.work / file, site / place)
                record += f"{place},,{(site / place).stat().st_size}\n"
            (info / "RECORD").write_text(record)
        return site

    def check(self, *words, **environment):
        return Checked(run(PROGRAM, "check", *words, cwd=self.work, **environment))


class Checked:
    def __init__(self, done):
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr
        self.first = self.out.split("\n")[0]

    def __repr__(self):
        return f"status {self.status}\n{self.out}\n{self.err}"

    @property
    def json(self):
        return schema.fit(json.loads(self.out), "check")

    def codes(self, severity="error"):
        return [finding["code"] for file in self.json["files"] for finding in file["findings"]
                if finding["severity"] == severity]


def equal(got, expected, what=""):
    assert got == expected, f"{what}\n  got      {got!r}\n  expected {expected!r}"
