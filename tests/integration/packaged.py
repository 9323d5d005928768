# SPDX-License-Identifier: Apache-2.0
"""Wheels for tests of pages: one that installs the program under test, in place of the one that ./dev dist makes, and
one of an extension."""
import subprocess
import zipfile

from scene import PROGRAM


def wheel(folder):
    """Makes a wheel with the program under test in this folder."""
    version = subprocess.run([PROGRAM, "version"], capture_output=True, text=True, check=True).stdout.split()[1]
    name = f"cuda_cc-{version}"
    files = {f"{name}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: cuda-cc\nVersion: {version}\n",
             f"{name}.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\n"
                                        "Tag: py3-none-any\n"}
    folder.mkdir(parents=True, exist_ok=True)
    program = f"{name}.data/scripts/cuda-cc"
    with zipfile.ZipFile(folder / f"{name}-py3-none-any.whl", "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
        archive.write(PROGRAM, program)
        record = f"{name}.dist-info/RECORD"
        archive.writestr(record, "".join(f"{path},,\n" for path in [*files, program, record]))


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
