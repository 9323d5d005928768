# SPDX-License-Identifier: Apache-2.0
"""Installations of packages, in roots of their own: they work, and nothing is left of them."""
import gzip
import os
import re
import stat
from pathlib import Path

import linking
from sandbox import equal


def good(sandbox, *words, **environment):
    done = sandbox.run(*words, **environment)
    assert done.status == 0, done
    return done


class Root:
    """An installed cuda-cc below a prefix."""

    def __init__(self, sandbox, prefix):
        self.sandbox, self.prefix = sandbox, prefix
        self.program = prefix / "bin/cuda-cc"
        self.linker = prefix / "libexec/cuda-cc/devlink"

    def works(self):
        """The program; the table of torch's names, the loader's audit library and the device linker beside it."""
        sandbox = self.sandbox
        assert good(sandbox, self.program, "version").out.startswith("cuda-cc "), self.program
        assert "44 libraries" in good(sandbox, self.program, "target", "--check", "--runtime", "torch==2.5.1").out
        sandbox.write("c10.c", "int c10;\n")
        sandbox.write("t.c", "void _ZNK3c1010TensorImpl15decref_pyobjectEv(void);\n"
                      "void f(void) { _ZNK3c1010TensorImpl15decref_pyobjectEv(); }\n")
        good(sandbox, "gcc", "-shared", "-fPIC", "-Wl,-soname,libc10.so", "c10.c", "-o", "libc10.so")
        good(sandbox, "gcc", "-shared", "-fPIC", "-Wl,--no-as-needed", "t.c", "libc10.so", "-o", "t.so")
        done = sandbox.run(self.program, "check", "--runtime", "torch==2.5.1", "t.so")
        assert done.status == 3 and "CC4129" in done.out, done
        done = good(sandbox, self.program, "trace", "--", "true")
        assert "libcuda-cc-rtld" not in done.err, done
        done = linking.run(linking.NVJITLINK, "/nonexistent/libnvJitLink.so.12", helper=self.linker)
        equal((done.status, done.reply.opening), (0, "not opened"), done)

    def modes(self):
        """Nothing is writable for others, or executable but programs and folders."""
        for path in [self.prefix, *self.prefix.rglob("*")]:
            mode = stat.S_IMODE(path.stat().st_mode)
            expected = 0o755 if path.is_dir() or path in (self.program, self.linker) else 0o644
            equal(oct(mode), oct(expected), path)

    def manuals(self):
        pages = sorted((self.prefix / "share/man").glob("man*/*"))
        assert len(pages) > 13 and all(page.suffix == ".gz" for page in pages), pages
        # As by gzip -n: neither a name nor a time.
        assert all(page.read_bytes()[3:8] == b"\0" * 5 for page in pages)
        assert b".SH NAME\n" in gzip.decompress(pages[0].read_bytes())

    def licences(self):
        """Each library that is linked statically has its licence in the copyright file."""
        text = (self.prefix / "share/doc/cuda-cc/copyright").read_text()
        for name in ("llvm", "fmt", "tomlplusplus", "zlib", "isa-l", "zstd", "lz4", "libcxx", "musl", "zig"):
            assert f"Files: Linked/{name}\n" in text, name
        named = set(re.findall(r"^License: (\S+)$", text, re.M))
        equal({each for each in named if f"License: {each}\n " not in text}, set(), "licences without a text")


def deb_fields(sandbox, package):
    text = good(sandbox, "dpkg-deb", "-f", package).out
    return dict(re.findall(r"^(\S+): (.*)", text, re.M))


def dpkg(sandbox, package):
    """Installs, tries and purges a .deb."""
    root = sandbox.work / "dpkg"
    for folder in ("info", "updates"):
        (root / "var/lib/dpkg" / folder).mkdir(parents=True)
    for file in ("status", "available"):
        (root / "var/lib/dpkg" / file).touch()
    options = [f"--root={root}", "--force-depends", "--force-not-root", "--force-script-chrootless",
               f"--log={sandbox.work}/dpkg.log"]
    before = list_of(root)
    # As somebody who is not root, dpkg can neither own files nor change to the root.
    if os.getuid() != 0:
        good(sandbox, "dpkg-deb", "-x", package, root)
    else:
        good(sandbox, "dpkg", *options, "--install", package, PATH=f"{sandbox.path}:/usr/sbin:/sbin")
    installed = Root(sandbox, root / "usr")
    installed.works()
    installed.modes()
    installed.manuals()
    installed.licences()
    doc = root / "usr/share/doc/cuda-cc"
    assert {"changelog.gz", "changelog.Debian.gz", "copyright"} <= {path.name for path in doc.iterdir()}
    first = gzip.decompress((doc / "changelog.Debian.gz").read_bytes()).decode().split("\n", 1)[0]
    equal(first, f"cuda-cc ({deb_fields(sandbox, package)['Version']}) unstable; urgency=medium")
    if os.getuid() == 0:
        good(sandbox, "dpkg", *options, "--purge", "cuda-cc", PATH=f"{sandbox.path}:/usr/sbin:/sbin")
        equal({path for path in list_of(root) - before if not path.startswith("var/lib/dpkg/")}, set(), "left")


def rpm(sandbox, package):
    """Installs an RPM below another prefix, tries and erases it."""
    root = sandbox.work / "rpm"
    root.mkdir()
    base = ["rpm", "--root", root]
    good(sandbox, *base, "--initdb")
    before = list_of(root)
    # Debian's rpm asks whether one means it.
    debian = ["--force-debian"] if Path("/etc/debian_version").exists() else []
    good(sandbox, *base, *debian, "-i", "--nodeps", "--prefix", "/opt/cuda-cc", package)
    installed = Root(sandbox, root / "opt/cuda-cc")
    installed.works()
    installed.modes()
    installed.manuals()
    installed.licences()
    assert not (root / "usr").exists(), list_of(root)
    good(sandbox, *base, *debian, "-e", "cuda-cc")
    left = {path for path in list_of(root) - before if not path.startswith(("var/lib/rpm", "root/", "opt"))}
    equal(left, set(), "left")
    assert not [path for path in (root / "opt").rglob("*") if path.is_file()]


def list_of(root: Path):
    return {str(path.relative_to(root)) for path in root.rglob("*")}
