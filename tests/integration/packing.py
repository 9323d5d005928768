# SPDX-License-Identifier: Apache-2.0
"""Wheels for tests: packed of the program under test as ./dev dist packs those of the portable program, in a folder
with the wheels that a build with it needs."""
import os
import stat
import sys
import zipfile
from pathlib import Path

from scene import environment_of, wheels

ROOT = Path(__file__).resolve().parents[2]
BACKEND = ("scikit-build-core==1.1.2", "packaging==25.0", "pathspec==0.12.1")
# Of a commit; any time after 1980 that is even.
EPOCH = "1700000000"


def installed(scene, prefix):
    """What `cmake --install` leaves of the build, stripped as it ships."""
    done = scene.run("cmake", "--install", os.environ["CUDACC_TEST_BUILD"], "--prefix", prefix, "--strip")
    assert done.status == 0, done
    return prefix


def pack(scene, folder, *words, **environment):
    """What packaging/wheel.py makes in the folder."""
    done = scene.run(sys.executable, "-B", ROOT / "packaging/wheel.py", folder, *words,
                     PYTHONPATH=environment_of(*BACKEND), SOURCE_DATE_EPOCH=EPOCH, **environment)
    assert done.status == 0, done
    return Path(done.out.strip())


def links(scene):
    """A folder that is all the index of a build without network, with cuda-cc's wheel; that wheel."""
    folder = scene.work / "links"
    wheel = pack(scene, folder, installed(scene, scene.work / "prefix"), f"linux_{os.uname().machine}")
    for requirement in BACKEND:
        wheels.file_of(requirement, folder)
    return folder, wheel


def modes(wheel):
    """{name: permissions} of the files in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {info.filename: stat.filemode(info.external_attr >> 16) for info in archive.infolist()}
