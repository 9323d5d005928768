# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%support %python -B %s %support
"""./dev facts versions: which cuDNN a wheel refuses, and what becomes of the rows of version_rules.json."""
import contextlib
import io
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import madewheel

UPDATE = Path(sys.argv[1]).resolve().parents[1] / "driver/tables/update"
sys.path.insert(0, str(UPDATE))
import version_checks  # noqa: E402

scratch = tempfile.TemporaryDirectory()
data = Path(scratch.name)
rules = data / "version_rules.json"
rules.write_text('{"schema": 1, "rows": [\n]}\n')
# Not ELF: what is compared is tested below.
version_checks.CHECKS["tensorflow"].read = lambda archive: json.loads(archive.read("least"))


def versions(release, least):
    wheel = data / f"tensorflow-{release}-py3-none-any.whl"
    madewheel.write(wheel, {"least": json.dumps(least).encode()})
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        status = version_checks.main(["tensorflow", release, "--wheel", str(wheel), "--data", scratch.name])
    return status, said.getvalue().strip().rpartition(": ")[2]


def rows():
    return [(row["from"], row["to"], row["library"], row["least"]) for row in json.loads(rules.read_text())["rows"]]


assert versions("2.1", None) == (0, "as the rows say")
assert rows() == []
assert versions("2.2", (8, 6)) == (3, "entered")
assert versions("2.4", (8, 6)) == (3, "entered")
assert versions("2.3", (8, 6)) == (0, "as the rows say")
assert versions("2.5", (9, 3)) == (3, "entered")
expected = [("2.2", "2.4", "libcudnn.so.8", "8.6"), ("2.5", "2.5", "libcudnn_graph.so.9", "9.3")]
assert rows() == expected, rows()
# Rows are neither contradicted nor entered before others; a release without a check extends none.
assert versions("2.3", (8, 9)) == (1, "its row says libcudnn.so.8 8.6")
assert versions("2.5", None) == (1, "its row says libcudnn_graph.so.9 9.3")
assert versions("2.4.1", (8, 9))[0] == 1
assert versions("2.6", None) == (0, "as the rows say")
assert rows() == expected, rows()


def refused(*arguments):
    done = subprocess.run([sys.executable, "-B", UPDATE / "version_checks.py", *arguments], capture_output=True,
                          text=True)
    return done.returncode, done.stderr.splitlines()[-1]


# One line says what is wrong.
assert refused("tensorflow", "x", "--wheel", data / "none.whl", "--data", data) == (1, "versions: Invalid version: 'x'")
assert refused("tensorflow", "2.3", "--wheel", data / "none.whl", "--data", data)[1].startswith("versions: [Errno 2]")
assert refused("tensorflow", "2.3", "--wheel", rules, "--data", data) == (1, "versions: File is not a zip file")
assert refused("tensorflow", "2.3", "--wheel", rules, "--data", data / "none")[1].startswith("versions: [Errno 2]")
assert refused("tensorflow", "--wheel", rules)[0] == 2
assert refused("torch")[0] == 2


def compared(*instructions):
    return version_checks.compared([f"  10:\t{each}" for each in instructions])


# TensorFlow's, as compilers have made it. A branch to another place is no such check.
assert compared("cmp    $0x9,%edi", "jne    20 <f>", "cmp    $0x2,%r14d", "jle    20 <f>") == (9, 3)
assert compared("cmp    $0x9,%eax", "jne    20 <f>", "cmpl   $0xa,-0x114(%rbp)", "jb     20 <f>") == (9, 10)
assert compared("movabs $0x600000008,%rdi", "xor    %esi,%esi",
                "call   30 <IsSourceCompatibleWithCudnnLibrary@plt>") == (8, 6)
assert compared("movabs $0x600000008,%rdi", "call   30 <other>") is None
assert compared("cmp    $0x9,%edi", "jne    20 <f>", "cmp    $0x2,%r14d", "jle    28 <f>") is None
assert compared("cmp    $0x9,%edi", "jne    20 <f>", "cmp    $0x2,%r14d", "jg     20 <f>") is None
assert compared("cmp    $0x1,%edi", "jne    20 <f>", "cmp    $0x2,%r14d", "jle    20 <f>") is None
