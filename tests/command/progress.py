# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""Work that takes long shows how far it is, in one line of a terminal that is gone when the result is printed;
nothing anywhere else. A library that is loaded before libc's makes reading slow."""
import subprocess

import terminal
from binaries import CUDART, PROGRAM, Binaries, equal

sandbox = Binaries()
for name in ("a.so", "b.so", "c.so"):
    sandbox.extension(f"pkg/{name}", {CUDART: ["cudaMalloc"]})
source = sandbox.root / "slow.c"
source.write_text("""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/types.h>
#include <unistd.h>
ssize_t pread(int fd, void *buffer, size_t size, off_t at) {
  static ssize_t (*real)(int, void *, size_t, off_t);
  if (!real)
    real = dlsym(RTLD_NEXT, "pread");
  usleep(80000);
  return real(fd, buffer, size, at);
}
ssize_t pread64(int fd, void *buffer, size_t size, off_t at) { return pread(fd, buffer, size, at); }
""")
slow = sandbox.root / "slow.so"
subprocess.run(["gcc", "-shared", "-fPIC", source, "-o", slow], check=True)


def check(*words, on=(0, 1, 2), **more):
    environment = {"PATH": "/usr/bin:/bin", "TERM": "xterm", "NO_COLOR": "1", "HOME": str(sandbox.root),
                   "LD_PRELOAD": str(slow),
                   # In a sanitized build its library would have to be the first.
                   "ASAN_OPTIONS": "verify_asan_link_order=0", **more}
    return terminal.run([PROGRAM, "check", "pkg", "--runtime", "cuda==12.4", *words], on, cwd=sandbox.work,
                        env=environment)


LINE = "\r\x1b[K"
status, quick = check(LD_PRELOAD="")
assert LINE not in quick and "pkg/a.so" in quick, quick
said = check()
equal(said[0], status)
parts = said[1].split(LINE)
# Lines of progress, then the result on an empty line.
assert len(parts) > 2 and parts[0] == "", parts
assert all(part.startswith("reading") and "\n" not in part for part in parts[1:-1]), parts
assert any(" of 3: pkg/" in part for part in parts[1:-1]), parts
equal(parts[-1], quick)

# Nobody reads it, or cannot; or a program that reads stdout may print on the terminal as well.
for words, more in (((), {"TERM": "dumb"}), ((), {"CI": "true"}), ((), {"on": (0, 1)}),
                    (("--format=json",), {"on": (0, 2)}), (("--format=sarif",), {"on": (0, 2)})):
    text = check(*words, **more)[1]
    assert LINE not in text, (words, more, text)
assert LINE in check("--format=json")[1]
