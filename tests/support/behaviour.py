# SPDX-License-Identifier: Apache-2.0
"""The parts of a test that stand alone: one that fails does not hide the others."""
import atexit
import os
import sys
import traceback

failed = []


def behaviour(function):
    """Runs the function, which is named as what it shows. If it fails, the rest of the test goes on, and the process
    fails at its end."""
    try:
        function()
    except Exception:
        failed.append(function.__name__)
        traceback.print_exc()
        print(f"FAILED: {function.__name__}", file=sys.stderr, flush=True)
    return function


def end():
    if failed:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(1)


# Registered by an import at the start of a test, so it runs after what removes temporary files.
atexit.register(end)
