# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""audit of builds for whose description Ninja waits without end, a FIFO: one error after the time limit, and Ninja is
killed. A description that includes files is read."""
import concurrent.futures
import os
import time

from audited import cmakes
from sandbox import Sandbox, equal

LIMIT = 60
sandbox = Sandbox()
cmake = cmakes()["system"]
sandbox.write("p/CMakeLists.txt", "cmake_minimum_required(VERSION 3.21)\nproject(p LANGUAGES CXX)\n"
              "add_library(plain SHARED a.cpp)\n")
sandbox.write("p/a.cpp", "int a() { return 1; }\n")
for build in ("include", "subninja", "file"):
    done = sandbox.run(cmake, "-G", "Ninja", "-S", "p", "-B", build)
    equal(done.status, 0, done)
    more = sandbox.work / build / "more.ninja"
    if build == "file":
        more.write_text("# nothing\n")
    else:
        os.mkfifo(more)
    with open(sandbox.work / build / "build.ninja", "a") as description:
        description.write(f"{'include' if build == 'file' else build} more.ninja\n")


def timed(build):
    begun = time.monotonic()
    return sandbox.cc("audit", build), time.monotonic() - begun


def waiting():
    """Ninjas of this build."""
    found = []
    for process in os.listdir("/proc"):
        try:
            words = open(f"/proc/{process}/cmdline", "rb").read().split(b"\0")
        except OSError:
            continue
        if b"commands" in words and os.fsencode(sandbox.work) in b" ".join(words):
            found.append(words)
    return found


with concurrent.futures.ThreadPoolExecutor() as pool:
    calls = {build: pool.submit(timed, build) for build in ("include", "subninja")}
    ended, _ = timed("file")
    assert ended.status != 4 and not ended.codes, ended
    for call in calls.values():
        ended, took = call.result()
        equal((ended.status, ended.codes, ended.out), (4, ["CC2103"], ""), ended)
        assert "include or subninja" in ended.err, ended
        assert LIMIT <= took < LIMIT + 30, took
equal(waiting(), [], "killed")
sandbox.clean(sandbox.files())
