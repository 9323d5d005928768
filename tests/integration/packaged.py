# SPDX-License-Identifier: Apache-2.0
"""cuda-cc as an installer gets it: a wheel."""
import base64
import csv
import hashlib
import io
import sysconfig
import zipfile
from pathlib import Path

from scene import PROGRAM

ROOT = Path(__file__).resolve().parents[2]
VERSION = "0.1.0"


def wheel(folder):
    """A wheel of the Python package and of the program under test, in that folder; its path."""
    folder.mkdir(parents=True, exist_ok=True)
    tag = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
    info = f"cuda_cc-{VERSION}.dist-info"
    files = {str(path.relative_to(ROOT / "python")): path.read_bytes()
             for path in sorted((ROOT / "python/cuda_cc").iterdir()) if path.is_file()}
    files |= {f"cuda_cc-{VERSION}.data/scripts/cuda-cc": Path(PROGRAM).read_bytes(),
              f"{info}/METADATA": f"Metadata-Version: 2.1\nName: cuda-cc\nVersion: {VERSION}\n".encode(),
              f"{info}/WHEEL": f"Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()}
    rows = [[name, "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("="),
             len(data)] for name, data in files.items()]
    record = io.StringIO()
    csv.writer(record, lineterminator="\n").writerows([*rows, [f"{info}/RECORD", "", ""]])
    target = folder / f"cuda_cc-{VERSION}-{tag}.whl"
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in [*files.items(), (f"{info}/RECORD", record.getvalue().encode())]:
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            archive.writestr(entry, data)
    return target


def extension(folder, module, *requirements):
    """Makes a wheel `ext` with this module in its package."""
    name = "ext-1"
    requires = "".join(f"Requires-Dist: {each}\n" for each in requirements)
    files = {f"{name}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: ext\nVersion: 1\n{requires}",
             f"{name}.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\n"
                                        "Tag: cp311-cp311-linux_x86_64\n"}
    with zipfile.ZipFile(folder / f"{name}-cp311-cp311-linux_x86_64.whl", "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
        archive.write(module, f"ext/{module.name}")
        rows = [*files, f"ext/{module.name}", f"{name}.dist-info/RECORD"]
        archive.writestr(rows[-1], "".join(f"{path},,\n" for path in rows))
