# SPDX-License-Identifier: Apache-2.0
"""The parts of a test that stand alone: one that fails does not hide the others."""
import atexit
import os
import sys
import traceback

SKIPPED = 77
failed, skipped = [], []


def behaviour(function):
    """Runs the function, which is named as what it shows. If it fails, or is skipped with a reason, the rest of the
    test goes on, and the process ends accordingly."""
    try:
        function()
    except SystemExit as ended:
        if ended.code != SKIPPED:
            raise
        skipped.append(function.__name__)
    except Exception:
        failed.append(function.__name__)
        traceback.print_exc()
        print(f"FAILED: {function.__name__}", file=sys.stderr, flush=True)
    return function


def end():
    if failed or skipped:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(1 if failed else SKIPPED)


# Registered by an import at the start of a test, so it runs after what removes temporary files.
atexit.register(end)
