# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Processes killed during a link (F2, T23): the status is passed on, an output that was not sealed is recognised,
and no other file is left."""
import fcntl
import os
import signal
import subprocess
import time

import note
from behaviour import behaviour
from sandbox import MAIN, PROGRAM, Sandbox, equal, killed

sandbox = Sandbox()
sandbox.write("main.cpp", MAIN)
torch = "--cudacc-runtime=torch==2.5.1"


def script(name, text):
    path = sandbox.write(name, "#!/bin/sh\n" + text)
    path.chmod(0o755)


def compiler(text):
    """A compiler that behaves so at the link; queries that cuda-cc caches are answered by g++."""
    script("bin/g++", f'case "$*" in *"-o main") ;; *) exec /usr/bin/g++ "$@" ;; esac\n{text}')


@behaviour
def a_killed_linker_leaves_gccs_message_and_status_and_no_output():
    script("B/ld", "touch main\nkill -9 $$\n")
    before = sandbox.files()
    plain = sandbox.run("g++", "-BB", "main.cpp", "-o", "main")
    ended = sandbox.cc(torch, "g++", "-BB", "main.cpp", "-o", "main")
    equal((ended.status, ended.codes), (plain.status, []), ended)
    assert "signal 9" in ended.err, ended
    sandbox.clean(before | {"main"}, ended)
    (sandbox.work / "main").unlink(missing_ok=True)


@behaviour
def cuda_cc_ends_by_the_signal_of_its_compiler():
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV):
        compiler(f"kill -{int(number)} $$\n")
        ended = sandbox.cc(torch, "bin/g++", "main.cpp", "-o", "main")
        equal((ended.status, ended.out, ended.codes), (-number, "", []), ended)
        sandbox.clean(sandbox.files() - {"main"}, ended)


@behaviour
def an_output_that_is_not_sealed_is_recognised():
    """cuda-cc is killed when it exists."""
    compiler('/usr/bin/g++ "$@"\nkill -9 $PPID\n')
    ended = sandbox.cc(torch, "bin/g++", "main.cpp", "-o", "main")
    assert killed(ended.status), ended
    found = note.manifest(sandbox.work / "main")
    equal((len(found.links), found.sealed), (1, False), "the note tells")
    shown = sandbox.run(PROGRAM, "inspect", "main")
    equal(shown.status, 0, shown)
    assert "not sealed" in shown.out or "unsealed" in shown.out, shown
    shown = sandbox.run(PROGRAM, "inspect", "--format=json", "main")
    equal(shown.status, 0, shown)
    sandbox.clean()
    (sandbox.work / "main").unlink()


@behaviour
def the_same_call_again_completes_it():
    sandbox.good(torch, "g++", "main.cpp", "-o", "main")
    assert note.manifest(sandbox.work / "main").link
    (sandbox.work / "main").unlink()


def begin(output="main"):
    """Starts a link whose compiler waits; returns the process of cuda-cc and the compiler's number."""
    script("bin/g++", 'case "$*" in *"-o "*) ;; *) exec /usr/bin/g++ "$@" ;; esac\necho $$ > pid\nexec sleep 60\n')
    process = subprocess.Popen([PROGRAM, torch, "bin/g++", "main.cpp", "-o", output],
                               cwd=sandbox.work, env=sandbox.environment())
    pid = sandbox.work / "pid"
    for _ in range(6000):
        if pid.exists() and pid.read_text().endswith("\n"):
            break
        time.sleep(0.01)
    child = int(pid.read_text())
    pid.unlink()
    return process, child


def begun(number):
    """Sends a signal to a link whose compiler waits; returns how it ended, and the compiler's number."""
    process, child = begin()
    process.send_signal(number)
    return process.wait(60), child


@behaviour
def a_signal_reaches_the_compiler_whose_end_is_passed_on():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)  # the parent of the test may ignore it
        status, child = begun(number)
        equal(status, -number, "the signal reaches the compiler, whose end is passed on")
        assert not os.path.exists(f"/proc/{child}"), "the compiler is gone"


def locks():
    return set(os.listdir(sandbox.store / "1/locks"))


@behaviour
def the_next_call_removes_the_lock_of_a_killed_link():
    """And none that a process holds."""
    status, child = begun(signal.SIGKILL)
    os.kill(child, signal.SIGKILL)
    equal(status, -signal.SIGKILL, "kill -9")
    abandoned = locks()
    equal(len(abandoned), 1, "the lock of the killed link")
    process, child = begin("other")
    held = locks()
    equal(len(held), 1, "swept by the next link, which has its own")
    assert not held & abandoned, held
    sandbox.good(torch, "g++", "main.cpp", "-o", "third")
    equal(locks(), held, "the lock of a link that runs")
    with open(sandbox.store / "1/locks" / held.pop()) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            raise AssertionError("not held")
        except BlockingIOError:
            pass
    os.kill(child, signal.SIGTERM)
    equal(process.wait(60), -signal.SIGTERM, "ended")
    equal(locks(), set(), "none is left")
    (sandbox.work / "third").unlink()


sandbox.clean()
equal(sorted(os.listdir(sandbox.work)), ["B", "bin", "main.cpp"], "nothing in the folder of work")
