# SPDX-License-Identifier: Apache-2.0
"""loads.py: opens each file in a process of its own, as Python opens an extension module (RTLD_NOW), and says
what the loader said. Run by the Python of the environment in question; knows nothing of cuda-cc.

Reads {"before": [MODULE...], "opened": [PATH...], "files": [PATH...], "limit": SECONDS} from standard input: what is
imported and opened before (MODULE:NAME for `from MODULE import NAME`, MODULE:NAME.F() for a call
of its function). Writes a line of JSON for the imports,
{"imports": {MODULE: ""|WORDS}}, then one per file: {"path": ..., "said": WORDS}. WORDS are empty where it loads,
dlerror's where it does not, else "ended with status 1", "ended by signal 11" or "took too long".
"""

import ctypes
import importlib
import json
import os
import select
import signal
import sys
import time

answers = os.fdopen(os.dup(1), "w")


def silence():
    """What libraries and packages print is nobody's answer."""
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)


def in_child(work, limit):
    """What `work` returns in a forked process, or how that ended."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.setpgid(0, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        os.write(writer, b"=" + work().encode(errors="replace") + b"\0")
        os._exit(0)
    os.close(writer)
    end, text = time.monotonic() + limit, b""
    # What the child started may hold the pipe for longer than the child lives: the last byte says it is all.
    while not text.endswith(b"\0"):
        if not select.select([reader], [], [], max(0, end - time.monotonic()))[0]:
            break
        more = os.read(reader, 1 << 16)
        if not more:
            break
        text += more
    os.close(reader)
    late = time.monotonic() >= end
    if not text.endswith(b"\0") and not late:
        status = os.waitpid(child, 0)[1]
    else:
        try:
            os.killpg(child, signal.SIGKILL)
        except OSError:
            os.kill(child, signal.SIGKILL)
        status = os.waitpid(child, 0)[1]
    if text.endswith(b"\0"):
        return text[1:-1].decode(errors="replace")
    if late:
        return "took too long"
    if os.WIFSIGNALED(status):
        return f"ended by signal {os.WTERMSIG(status)}"
    return f"ended with status {os.WEXITSTATUS(status)}"


def opened(path):
    try:
        ctypes.CDLL(path, os.RTLD_NOW)
        return ""
    except OSError as error:
        return str(error) or "no words"


def imported(name):
    try:
        module, _, attributes = name.partition(":")
        found = importlib.import_module(module)
        for attribute in attributes.split(".") if attributes else []:
            plain = attribute.removesuffix("()")
            if not hasattr(found, plain):
                importlib.import_module(f"{found.__name__}.{plain}")
            found = getattr(found, plain)() if plain != attribute else getattr(found, plain)
        return ""
    except BaseException as error:  # A package may raise anything, and end the process.
        return f"{type(error).__name__}: {error}"[:500]


def answer(value):
    answers.write(json.dumps(value) + "\n")
    answers.flush()


def main():
    request = json.load(sys.stdin)
    silence()
    sys.argv = [""]
    answer({"imports": {name: imported(name) for name in request["before"]}})
    for path in request["opened"]:
        opened(path)
    for path in request["files"]:
        answer({"path": path, "said": in_child(lambda path=path: opened(path), request["limit"])})
    answers.flush()
    os._exit(0)


main()
