# SPDX-License-Identifier: Apache-2.0
"""A behaviour that fails does not hide the next one, and the test fails; without one it passes."""
import subprocess
import sys
import unittest
from pathlib import Path

WORKS = """
@behaviour
def this_works():
    print("works")
"""
FAILS = """
@behaviour
def this_fails():
    assert 1 + 1 == 3
"""
SKIPS = """
@behaviour
def this_is_skipped():
    raise SystemExit(77)
"""


class Behaviour(unittest.TestCase):
    def test_all_run_and_one_that_fails_decides(self):
        for text, status in ((WORKS, 0), (FAILS + WORKS, 1), (WORKS + FAILS, 1), (SKIPS + WORKS, 77),
                             (SKIPS + FAILS + WORKS, 1)):
            ended = subprocess.run([sys.executable, "-c", "from behaviour import behaviour\n" + text],
                                   capture_output=True, text=True, cwd=Path(__file__).parent)
            self.assertEqual((ended.returncode, ended.stdout), (status, "works\n"), ended)
            self.assertEqual("FAILED: this_fails" in ended.stderr, status == 1, ended)
