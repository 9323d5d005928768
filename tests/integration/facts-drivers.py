# SPDX-License-Identifier: Apache-2.0
# RUN: %python -B %s %support
"""./dev facts drivers: the libraries of a package become versions of both tables, in order, under the CUDA version that
the package's own libcuda returns; read again they change nothing."""
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(sys.argv[1]).resolve().parents[1]
TOOL = SOURCE / "driver/tables/update/drivers.py"
scratch = tempfile.TemporaryDirectory()
data = Path(scratch.name) / "data"
shutil.copytree(SOURCE / "driver/tables/data/symbols", data / "symbols")


def package(release, version):
    """A package with a driver of that release, whose libcuda returns that version."""
    root = Path(scratch.name) / release
    folder = root / "usr/lib/nvidia"
    folder.mkdir(parents=True)
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN/control").write_text(f"Package: libcuda1\nVersion: {release}-1\nArchitecture: amd64\n"
                                         "Maintainer: nobody\nDescription: made for a test\n")
    for name, soname, source in (
            ("libcuda", "libcuda.so.1", f"int cuDriverGetVersion(int *v) {{ *v = {version}; return 0; }} "
                                        "int cuMadeForATest(void) { return 0; }"),
            ("libnvidia-ml", "libnvidia-ml.so.1", "int nvmlMadeForATest(void) { return 0; }")):
        subprocess.run(["gcc", "-shared", "-fPIC", "-x", "c", "-", f"-Wl,-soname,{soname}",
                        "-o", folder / f"{name}.so.{release}"], input=source, text=True, check=True)
    deb = Path(scratch.name) / f"libcuda1_{release}-1_amd64.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-b", root, deb], check=True, stdout=subprocess.DEVNULL)
    return deb


def read(*packages):
    return subprocess.run([sys.executable, "-B", TOOL, "--data", data, *packages], text=True, capture_output=True)


def table(name):
    return json.loads((data / f"symbols/{name}.json").read_text())


before = {name: table(name) for name in ("cuda", "nvidia-ml")}
debs = package("999.1", 14020), package("560.35.03", 12060)
done = read(*debs)
assert done.returncode == 0, done.stderr
for name, symbol in (("cuda", "cuMadeForATest"), ("nvidia-ml", "nvmlMadeForATest")):
    after = table(name)
    releases = [row["dist_version"] for row in after["versions"]]
    assert len(releases) == len(before[name]["versions"]) + 2
    assert releases[-1] == "999.1" and releases.index("560.35.03") == releases.index("565.57.01") - 1, releases
    assert after["symbols"][symbol] == [[releases.index("560.35.03")] * 2, [len(releases) - 1] * 2]
    for release, toolkit in (("999.1", "14.2"), ("560.35.03", "12.6"), ("580.159.03", "13.0")):
        row = after["versions"][releases.index(release)]
        assert (row["toolkit"], row["cuda"]) == (toolkit, toolkit.split(".")[0]), row
    assert after["versions"][-1]["source"].endswith(".so.999.1 in libcuda1_999.1-1_amd64.deb")
whole = [table(name) for name in before]
assert read(*debs).returncode == 0 and whole == [table(name) for name in before]

broken = package("998.1", 0)
done = read(broken)
assert done.returncode == 1 and "cuDriverGetVersion gives no version" in done.stderr, done
assert whole == [table(name) for name in before]
