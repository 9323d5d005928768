# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""cmake --install: where everything lies, and that it works from wherever it is moved to; completions, which the
program writes; the .deb, installed and purged."""
import os
import shutil
from pathlib import Path

from packed import Root, deb_fields, dpkg
from sandbox import PROGRAM, Sandbox, equal, tools

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ["CUDACC_TEST_BUILD"])
EPOCH = "1790000000"
sandbox = Sandbox()


def good(*words, **environment):
    done = sandbox.run(*words, **environment)
    assert done.status == 0, done
    return done


prefix = sandbox.work / "prefix"
good("cmake", "--install", BUILD, "--prefix", prefix)
files = {str(path.relative_to(prefix)) for path in prefix.rglob("*") if path.is_file()}
for name in ("bin/cuda-cc", "libexec/cuda-cc/devlink", "libexec/cuda-cc/libcuda-cc-rtld.so", "libexec/cuda-cc/fetch.py",
             "share/cmake/CudaCC/CudaCCConfig.cmake",
             "share/cuda-cc/torch-names.bin", "share/cuda-cc/meson/meson.build", "share/doc/cuda-cc/README.md",
             "share/doc/cuda-cc/docs/toolchain.md", "share/doc/cuda-cc/docs/schema/check.json",
             "share/man/man1/cuda-cc.1", "share/man/man1/cuda-cc-check.1", "share/man/man5/cuda-cc.toml.5"):
    assert name in files, (name, sorted(files))
allowed = ("bin/cuda-cc", "libexec/cuda-cc/", "share/cmake/CudaCC/", "share/cuda-cc/", "share/doc/cuda-cc/",
           "share/man/man1/", "share/man/man5/", "share/bash-completion/completions/cuda-cc",
           "share/zsh/site-functions/_cuda-cc", "share/fish/vendor_completions.d/cuda-cc.fish")
assert all(name.startswith(allowed) for name in files), sorted(files)
assert not [name for name in files if "/adr/" in name]

# No path of the build or of the first prefix is in what is installed; moved, all of it is found.
for name in files - {"bin/cuda-cc", "libexec/cuda-cc/devlink", "libexec/cuda-cc/libcuda-cc-rtld.so"}:
    content = (prefix / name).read_bytes()
    assert str(BUILD).encode() not in content and str(prefix).encode() not in content, name
Root(sandbox, prefix.rename(sandbox.work / "moved elsewhere")).works()

# DESTDIR goes in front of the prefix.
good("cmake", "--install", BUILD, "--prefix", "/opt/cuda-cc", DESTDIR=sandbox.work / "staged")
Root(sandbox, sandbox.work / "staged/opt/cuda-cc").works()

# Completions, by a program that runs here in place of the one that is built; this one has what a stub adds.
stub = sandbox.write(
    "stub", f'#!/bin/sh\n[ "$1" != completion ] || {{ echo "# for $2"; exit; }}\nexec {PROGRAM} "$@"\n')
stub.chmod(0o755)
good("cmake", "-S", ROOT, "-B", "own", "-G", "Ninja", "-DBUILD_TESTING=OFF",
     f"-DCUDACC_HOST_PROGRAM={stub}", CUDA_CC_CACHE=os.environ.get("CUDA_CC_CACHE"),
     SOURCE_DATE_EPOCH=EPOCH)
good("ninja", "-C", "own", "completions", "man")
good("cmake", f"-DCMAKE_INSTALL_PREFIX={sandbox.work}/shells", "-P", "own/packaging/cmake_install.cmake")
shells = sandbox.work / "shells/share"
for shell, name in (("bash", "bash-completion/completions/cuda-cc"), ("zsh", "zsh/site-functions/_cuda-cc"),
                    ("fish", "fish/vendor_completions.d/cuda-cc.fish")):
    equal((shells / name).read_text(), f"# for {shell}\n")
assert '"2026-09-21"' in (shells / "man/man1/cuda-cc.1").read_text()

if tools("dpkg-deb", "dpkg-shlibdeps") == ["dpkg-deb", "dpkg-shlibdeps"]:
    for out in ("out", "again"):
        good("cpack", "--config", BUILD / "CPackConfig.cmake", "-G", "DEB", "-B", sandbox.work / out,
             SOURCE_DATE_EPOCH=EPOCH)
    package = next((sandbox.work / "out").glob("*.deb"))
    equal(package.read_bytes(), (sandbox.work / "again" / package.name).read_bytes(), "two packages")
    fields = deb_fields(sandbox, package)
    equal((fields["Section"], fields["Package"]), ("devel", "cuda-cc"))
    assert fields["Depends"].startswith("libc6 (>=") and "," not in fields["Depends"], fields
    dpkg(sandbox, package)
    # A date is asked for where the changelog has none.
    if ", unreleased\n" in (ROOT / "CHANGELOG.md").read_text():
        done = sandbox.run("cpack", "--config", BUILD / "CPackConfig.cmake", "-G", "DEB", "-B",
                           sandbox.work / "undated")
        assert done.status and "set SOURCE_DATE_EPOCH" in done.out + done.err, done
        assert not list((sandbox.work / "undated").glob("*.deb"))
shutil.rmtree(sandbox.work)
