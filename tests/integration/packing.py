# SPDX-License-Identifier: Apache-2.0
"""Wheels for tests: of the program under test, packed as ./dev dist packs the portable program, in a folder with the
wheels that a build with it needs; and of an extension."""
import base64
import hashlib
import os
import re
import stat
import sys
import zipfile
from pathlib import Path

from sandbox import environment_of, wheels

ROOT = Path(__file__).resolve().parents[2]
VERSION = re.search(r"project\(cuda-cc VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
MINOR = VERSION.rpartition(".")[0]
BACKEND = ("scikit-build-core==1.1.2", "packaging==25.0", "pathspec==0.12.1")
# Of a commit; any time after 1980 that is even.
EPOCH = "1700000000"
WHEEL = b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\nTag: cp311-cp311-linux_x86_64\n"


def installed(sandbox, prefix):
    """What `cmake --install` leaves of the build, stripped as it ships."""
    done = sandbox.run("cmake", "--install", os.environ["CUDACC_TEST_BUILD"], "--prefix", prefix, "--strip")
    assert done.status == 0, done
    return prefix


def pack(sandbox, folder, *words, **environment):
    """What packaging/wheel.py makes in the folder."""
    done = sandbox.run(sys.executable, "-B", ROOT / "packaging/wheel.py", folder, *words,
                       PYTHONPATH=environment_of(*BACKEND), SOURCE_DATE_EPOCH=EPOCH, **environment)
    assert done.status == 0, done
    return Path(done.out.strip())


def wheel(sandbox, folder):
    """Packs the wheel of the program under test in the folder; its path."""
    return pack(sandbox, folder, installed(sandbox, sandbox.root / "packed"), f"linux_{os.uname().machine}")


def links(sandbox):
    """A folder that is all the index of a build without network, with cuda-cc's wheel; that wheel."""
    folder = sandbox.work / "links"
    packed = wheel(sandbox, folder)
    for requirement in BACKEND:
        wheels.file_of(requirement, folder)
    return folder, packed


def modes(path):
    """{name: permissions} of the files in a wheel."""
    with zipfile.ZipFile(path) as archive:
        return {info.filename: stat.filemode(info.external_attr >> 16) for info in archive.infolist()}


def extension(folder, module, *requirements):
    """Makes a wheel `ext` with this module in its package."""
    name = "ext-1"
    requires = "".join(f"Requires-Dist: {each}\n" for each in requirements)
    files = {f"{name}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: ext\nVersion: 1\n{requires}",
             f"{name}.dist-info/WHEEL": WHEEL}
    with zipfile.ZipFile(folder / f"{name}-cp311-cp311-linux_x86_64.whl", "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
        archive.write(module, f"ext/{module.name}")
        rows = [*files, f"ext/{module.name}", f"{name}.dist-info/RECORD"]
        archive.writestr(rows[-1], "".join(f"{path},,\n" for path in rows))


def recorded(name, data):
    """The row of a file in RECORD."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def sound(folder, name, members, record=None, compression=zipfile.ZIP_STORED, requires=()):
    """Makes the wheel NAME-1.0 of these files, {path or ZipInfo: bytes}, with metadata and a RECORD that are right
    where `members` and `record` do not replace them; its path."""
    info = f"{name}-1.0.dist-info"
    lines = ["Metadata-Version: 2.1", f"Name: {name}", "Version: 1.0", *(f"Requires-Dist: {each}" for each in requires)]
    files = {f"{info}/METADATA": "\n".join([*lines, ""]).encode(),
             f"{info}/WHEEL": WHEEL, **members}
    rows = "".join(recorded(getattr(path, "filename", path), data) for path, data in files.items())
    made = folder / f"{name}-1.0-cp311-cp311-linux_x86_64.whl"
    rows += f"{info}/RECORD,,\n"
    with zipfile.ZipFile(made, "w", compression) as archive:
        for path, data in {**files, f"{info}/RECORD": rows.encode() if record is None else record}.items():
            archive.writestr(zipfile.ZipInfo(path) if isinstance(path, str) else path, data, compression)
    return made
