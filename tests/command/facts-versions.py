# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%support %python -B %s %support
"""./dev facts versions: which cuDNN a wheel refuses, and what becomes of the rows of version_rules.json."""
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
CALL = "def load():\n    check_cudnn_version(solib.get_cudnn_version())\n"


def versions(release, source):
    wheel = data / f"transformer_engine_cu12-{release}-py3-none-any.whl"
    madewheel.write(wheel, {"transformer_engine/common/__init__.py": source.encode()})
    done = subprocess.run([sys.executable, "-B", UPDATE / "version_checks.py", "transformer-engine-cu12", release,
                           "--wheel", wheel, "--data", data], capture_output=True, text=True)
    return done.returncode, (done.stdout or done.stderr).strip().rpartition(": ")[2]


def rows():
    return [(row["from"], row["before"], row["library"], row["least"], row["source"].rpartition(" of ")[2])
            for row in json.loads(rules.read_text())["rows"]]


# A constant alone refuses nothing, and neither does a release without it.
assert versions("9.0", "MIN_CUDNN_VERSION = (9, 3, 0)\n") == (0, "no check that is known")
assert versions("9.0", CALL) == (0, "no check that is known")
assert rows() == []
assert versions("9.1", f"MIN_CUDNN_VERSION = (9, 3, 0)\n{CALL}") == (3, "a row was added")
assert versions("9.2", f"MIN_CUDNN_VERSION = (9, 3, 0)\n{CALL}") == (0, "as in the row")
assert versions("9.3", f"MIN_CUDNN_VERSION = (9, 12, 1)\n{CALL}") == (3, "a row was added")
expected = [("9.1", "9.3", "libcudnn_graph.so.9", "9.3", "9.1 to 9.2"),
            ("9.3", None, "libcudnn_graph.so.9", "9.12.1", "9.3")]
assert rows() == expected, rows()
# Rows are not entered before others, and a check that is gone is an error.
assert versions("9.2.1", f"MIN_CUDNN_VERSION = (9, 4, 0)\n{CALL}")[0] == 1
assert versions("9.4", "") == (1, "the check that a row has was not found")
assert rows() == expected, rows()


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
