# SPDX-License-Identifier: Apache-2.0
# RUN: %python -B %s %cuda-cc %build
"""The table of torch's names beside the program: which files need it, and the result for a release that it lacks,
and if it is missing, truncated, damaged or of another program: unknown with one line, never a verdict. Files
without names of torch do not open it."""
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

WRITER = Path(sys.argv[2]) / "bin/cudacc-torch-names"
work = tempfile.TemporaryDirectory()
root = Path(work.name)
program, table = root / "bin/cuda-cc", root / "bin/torch-names.bin"
program.parent.mkdir()
# Symbolic links to the program are followed, so a copy is needed.
shutil.copy(sys.argv[1], program)
shutil.copy(Path(sys.argv[2]) / "bin/torch-names.bin", table)
whole = table.read_bytes()
DECREF = "_ZNK3c1010TensorImpl15decref_pyobjectEv"

def run(*words, **environment):
    return subprocess.run([str(word) for word in words], text=True, capture_output=True, cwd=root,
                          env={"PATH": os.environ["PATH"], "HOME": str(root), "TMPDIR": str(root), **environment})

def link(name, *words, code=f"void {DECREF}(void); void f(void) {{ {DECREF}(); }}"):
    (root / f"{name}.c").write_text(code + "\n")
    done = run("gcc", "-shared", "-fPIC", f"{name}.c", *words, "-o", f"{name}.so")
    assert done.returncode == 0, done.stderr
    return f"{name}.so"

link("libc10", "-Wl,-soname,libc10.so", code="int c10;")
extension = link("ext", "-Wl,--no-as-needed", "./libc10.so")
plain = link("plain", code="int f(void) { return 1; }")

def check(release, file=extension):
    done = run(program, "check", "--runtime", f"torch=={release}", file)
    assert "Traceback" not in done.stderr and not done.stderr.startswith("PLEASE"), done
    return done.returncode, done.stdout + done.stderr

# As it is built.
status, said = check("2.5.1")
assert status == 3 and "CC4129" in said and "c10::TensorImpl::decref_pyobject" in said, said
for release in ("2.10.0", "2.11.0", "2.15.0"):
    assert check(release)[0] == 0, check(release)

# A table with some releases: one that was not read is unknown, whatever its neighbours have.
def listing(release, *names):
    file = root / f"listing-{release}"
    file.write_text("".join([f"build {release} 62 new cp310 cp314\n", *(f"1 - {name}\n" for name in sorted(names))]))
    return file

table.unlink()
COMMON = "_ZN3c106detail14torchCheckFailEPKcS2_jRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
assert run(WRITER, table, listing("2.5.1", COMMON), listing("2.11.0", COMMON, DECREF)).returncode == 0
assert check("2.5.1")[0] == 3 and check("2.11.0")[0] == 0
for release in ("2.10.0", "2.9.1", "2.15.0"):
    status, said = check(release)
    assert status == 4 and "CC2104" in said and f"torch {release}" in said, said

# An error in the table is reported in one line.
def unknown(expected, release="2.11.0"):
    status, said = check(release)
    assert status == 4 and "CC2104" in said and "CC4129" not in said, said
    assert sum(expected in line for line in said.splitlines()) == 1, (expected, said)
    assert check(release, plain)[0] == 0, check(release, plain)
    assert "torch's names" not in check(release, plain)[1]

def with_table(content):
    if table.is_dir():
        table.rmdir()
    table.write_bytes(content)

for content, expected in ((whole[:len(whole) // 2], "is cut off"), (b"", "is cut off"), (whole[:20], "is cut off"),
                          (whole + b"x", "is too long"), (whole[:8] + b"\3" + whole[9:], "has schema 3, not 2"),
                          (whole[:-1] + bytes([whole[-1] ^ 1]), "is damaged"), (b"{}" * 100, "is not such a table")):
    with_table(content)
    unknown(expected)
    unknown(expected, "2.5.1")
table.unlink()
unknown("is missing")
table.mkdir()
unknown("cannot be read")
table.rmdir()
with_table(whole)
assert check("2.11.0")[0] == 0 and check("2.5.1")[0] == 3

# The installed table is preferred to one beside the program.
installed = root / "share/cuda-cc/torch-names.bin"
installed.parent.mkdir(parents=True)
installed.write_bytes(whole[:100])
unknown("is cut off")
table.rename(installed)
assert check("2.11.0")[0] == 0 and check("2.5.1")[0] == 3

# Calls that open it: not a compile, and not the check of a file without imports from torch.
libc = ctypes.CDLL(None)
watching = libc.inotify_init1(os.O_NONBLOCK)
IN_OPEN = 0x20
assert watching >= 0 and libc.inotify_add_watch(watching, str(installed).encode(), IN_OPEN) >= 0

def opens(*words, **environment):
    done = run(*words, **environment)
    assert done.returncode == 0, done
    try:
        return bool(os.read(watching, 4096))
    except BlockingIOError:
        return False

assert opens(program, "check", "--runtime", "torch==2.11.0", extension)
assert not opens(program, "check", "--runtime", "torch==2.11.0", plain)
for words in (("-c", "plain.c", "-o", "plain.o"), ("-shared", "plain.o", "-o", "again.so")):
    assert not opens(program, "gcc", *words, CUDA_CC_RUNTIME="torch==2.11.0"), words
