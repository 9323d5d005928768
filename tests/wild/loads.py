# SPDX-License-Identifier: Apache-2.0
"""loads.py: opens each file in a separate process, as Python opens an extension module (RTLD_NOW), and prints the
loader's message. It is run by the Python of the environment under test and does not use cuda-cc.

Reads {"before": [MODULE...], "opened": [PATH...], "files": [PATH...], "limit": SECONDS, "use": BOOL} from standard
input: "before" is imported and "opened" is opened first (MODULE:NAME for `from MODULE import NAME`, MODULE:NAME.F() for
a call of its function, MODULE?EXPRESSION for an expression of its names that must be true). Writes a line of JSON for
the imports, {"imports": {MODULE: ""|WORDS}}, then one per file: {"path": ..., "said": WORDS}. With "use", functions of
FIRST_CALLS are called, too. WORDS is empty if it loads, dlerror's message if it does not, or else "ended with status
1", "ended by signal 11" or "took too long".
"""

import ctypes
import importlib
import json
import os
import select
import signal
import sys
import time

# Functions that open parts of their library and need no GPU, with what they are given: `&` is the place for a handle,
# `*` the handle. A status other than 0 is told if the name is followed by `?`.
FIRST_CALLS = {
    "libcudnn.so": [("cudnnGetVersion",), ("cudnnCreateTensorDescriptor?", "&"),
                    ("cudnnCreateActivationDescriptor?", "&"), ("cudnnCreateConvolutionDescriptor?", "&"),
                    ("cudnnCreateRNNDescriptor?", "&")],
    "libnvrtc.so": [("nvrtcCreateProgram?", "&", b"__global__ void f() {}", b"f.cu", 0, None, None),
                    ("nvrtcCompileProgram?", "*", 0, None)],
    "libnvJitLink.so": [("nvJitLinkCreate?", "&", 1, [b"-arch=sm_80"])],
}

answers = os.fdopen(os.dup(1), "w")


def silence():
    """Discards what libraries and packages print."""
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)


def in_child(work, limit):
    """What `work` returns in a forked process, or how that process ended."""
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
    # Processes that the child started may keep the pipe open after it ends, so a last byte marks the end of the result.
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


def used(path):
    """Opens a library and calls its functions."""
    words = opened(path)
    if words:
        return words
    library, handle = ctypes.CDLL(path, os.RTLD_NOW), ctypes.c_void_p()
    name = os.path.basename(path).partition(".so")[0] + ".so"
    for function, *arguments in FIRST_CALLS.get(name, []):
        given = [ctypes.byref(handle) if each == "&" else handle if each == "*"
                 else (ctypes.c_char_p * len(each))(*each) if isinstance(each, list) else each for each in arguments]
        status = getattr(library, function.rstrip("?"))(*given)
        if function.endswith("?") and status:
            return f"{function.rstrip('?')} returned {status}"
    return ""


def imported(name):
    try:
        module, _, expression = name.partition("?")
        if expression:
            names = vars(importlib.import_module(module))
            return "" if eval(expression, dict(names)) else f"not {expression}"
        module, _, attributes = name.partition(":")
        found = importlib.import_module(module)
        for attribute in attributes.split(".") if attributes else []:
            plain = attribute.removesuffix("()")
            if not hasattr(found, plain):
                importlib.import_module(f"{found.__name__}.{plain}")
            found = getattr(found, plain)() if plain != attribute else getattr(found, plain)
        return ""
    except BaseException as error:  # A package may raise anything, and may exit.
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
    work = used if request.get("use") else opened
    for path in request["files"]:
        answer({"path": path, "said": in_child(lambda path=path: work(path), request["limit"])})
    answers.flush()
    os._exit(0)


main()
