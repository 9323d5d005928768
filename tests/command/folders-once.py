# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""However many files of a package fail, its folders are listed no more often."""
import subprocess

from binaries import CUDART, PROGRAM, Binaries, equal

place = Binaries()
library = place.extension("x.so", {CUDART: ["cudaMalloc"]}).read_bytes()


def lists(name, count, content):
    """How often folders are opened by doctor on a package of this many files."""
    site = place.work / f"{name}-{count}/lib/python3.11/site-packages"
    (site / "pkg").mkdir(parents=True)
    (site / "pkg-1.dist-info").mkdir()
    (site.parents[2] / "pyvenv.cfg").write_text("home = /usr/bin\n")
    for number in range(count):
        (site / f"pkg/libx{number}.so").write_bytes(content)
    log = place.work / "trace"
    done = subprocess.run(["strace", "-f", "-o", log, "-e", "trace=open,openat", PROGRAM, "doctor",
                           "--env", site.parents[2], site / "pkg"], capture_output=True, text=True,
                          env={"PATH": "/usr/bin:/bin", "HOME": str(place.root), "ASAN_OPTIONS": "detect_leaks=0"})
    equal((done.returncode, done.stdout.count("libx") >= count), (3, True), done)
    return sum("O_DIRECTORY" in line and str(site) in line for line in log.read_text().splitlines())


for name, content in (("damaged", library[:len(library) // 2]), ("unresolved", library)):
    few = lists(name, 4, content)
    equal((few > 0, lists(name, 12, content)), (True, few), name)
