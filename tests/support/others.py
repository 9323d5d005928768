# SPDX-License-Identifier: Apache-2.0
"""For tests in which another user takes part: he may not be able to enter the folder of the build or of the tests,
which may lie in a home directory."""

import os
import shutil
import sys
import tempfile

PROGRAM = os.environ["CUDACC_TEST_PROGRAM"]


def leave_home():
    """From here on temporary folders are made where everybody may enter; the caller opens those it makes."""
    for folder in ("/tmp", "/var/tmp"):
        if os.path.isdir(folder) and os.stat(folder).st_mode & 0o001:
            tempfile.tempdir = folder
            return
    print("SKIPPED: no folder for temporary files is open to all users")
    sys.exit(77)


def program_in(folder):
    """The program, copied into a folder of the test that everybody may enter."""
    return shutil.copy(PROGRAM, folder / "cuda-cc")
