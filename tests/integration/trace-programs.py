# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""`trace` of programs of every kind: their output and exit status are unchanged; children and the programs that they
exec are traced; programs that cannot be traced are reported."""
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import schema
from behaviour import behaviour
from sandbox import PROGRAM, equal, tools
from tracing import Tracing, agrees, loaded, only

tree = Tracing()
work = tree.work
P = "libnvJitLink.so.12"
lib = tree.library(f"lib/{P}")
PYTHON = Path(sys.executable).resolve()
tree.write("main.c", "#include <stdio.h>\nint main(void) { puts(\"static\"); return 3; }\n")


def script(text):
    return [PYTHON, "-S", "-c", text]


@behaviour
def output_status_and_signals_are_those_of_the_program():
    for words in (["sh", "-c", "echo out; echo err >&2; exit 7"], ["true"], ["sh", "-c", "kill -9 $$"],
                  ["sh", "-c", "kill -TERM $$"], ["cat"], ["printf", "\\0\\377"], ["sh", "-c", "exit 255"]):
        equal(tree.traced(*words)["processes"], [])
    done = subprocess.run([PROGRAM, "trace", "--", "cat"], input=b"\0\xffin\n", capture_output=True,
                          env=tree.environment())
    equal((done.returncode, done.stdout), (0, b"\0\xffin\n"))


@behaviour
def a_signal_is_passed_on_and_the_program_s_handler_decides():
    child = subprocess.Popen([PROGRAM, "trace", "--", "sh", "-c",
                              "trap 'echo caught; exit 5' TERM; echo ready; while :; do sleep 0.05; done"],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             env=tree.environment())
    equal(child.stdout.readline(), "ready\n")
    child.send_signal(signal.SIGTERM)
    out, err = child.communicate(timeout=60)
    equal((out, child.returncode), ("caught\n", 5), err)


@behaviour
def children_and_what_they_exec_are_traced():
    value = agrees(tree.traced("sh", "-c", f"'{tree.opener}' '{lib}' | cat; '{tree.opener}' '{lib}'"))
    equal([each["program"] for each in value["processes"]], [str(tree.opener)] * 2)
    assert value["seen"]["processes"] >= 4, value["seen"]


@behaviour
def a_child_that_has_closed_all_descriptors_is_traced():
    value = agrees(tree.traced(*script(
        f"import ctypes, os\nif os.fork() == 0:\n  os.closerange(0, 1000)\n"
        f"  ctypes.CDLL({str(lib)!r})\n  os._exit(0)\nos.wait()")))
    equal(loaded(value, "nvJitLink"), [str(lib)])


@behaviour
def a_program_that_closed_all_descriptors_and_execs_another_keeps_its_own_files():
    value = agrees(tree.traced(*script(
        f"import ctypes, os\nctypes.CDLL({str(lib)!r})\nos.closerange(3, 1000)\n"
        f"open('own.txt', 'w').write('mine')\nos.execv('{tree.opener}', ['o', {str(lib)!r}])")))
    equal([Path(each["program"]).name for each in value["processes"]], [PYTHON.name, "opener"])
    equal(value["processes"][0]["pid"], value["processes"][1]["pid"])
    equal((work / "own.txt").read_text(), "mine")


@behaviour
def many_threads_and_children_at_once_leave_complete_records():
    value = agrees(tree.traced(*script(
        "import ctypes, os, threading\n"
        "def load():\n  for _ in range(200):\n    try: ctypes.CDLL('libcublas.so.12')\n"
        "    except OSError: pass\n"
        "children = [os.fork() for _ in range(3)]\n"
        "threads = [threading.Thread(target=load) for _ in range(4)]\n"
        "[t.start() for t in threads]; [t.join() for t in threads]\n"
        # Each program waits for its children, because a grandchild might still write while the records are read.
        "try:\n  while True: os.wait()\nexcept ChildProcessError: pass\n"
        "if 0 in children: os._exit(0)")))
    equal(value["unknown"], [])
    equal({len(only(each["libraries"])["not_found"]) for each in value["processes"]}, {800})
    equal(len(value["processes"]), 8)


@behaviour
def records_that_have_no_room_are_reported_and_the_program_continues():
    """Also if ld.so.conf names few folders."""
    value = tree.traced(*script(
        "import ctypes\nfor _ in range(40000):\n  try: ctypes.CDLL('libcublas.so.12' + 'x' * 230)\n"
        "  except OSError: pass\nprint('done')"))
    equal(value["unknown"], ["the records had no room: what came last was not seen"])


@behaviour
def an_audit_library_of_the_caller_runs_first():
    source = tree.write("own.c", """#define _GNU_SOURCE
#include <link.h>
#include <unistd.h>
unsigned la_version(unsigned version) { return version; }
char *la_objsearch(const char *name, uintptr_t *cookie, unsigned flag) {
  (void)cookie;
  if (flag == LA_SER_ORIG && name[0] == '%')
    return (char *)"REPLACED";
  return (char *)name;
}
""".replace("REPLACED", str(lib)))
    tree.gcc("-shared", "-fPIC", source, "-o", work / "own-audit.so")
    value = tree.traced(tree.opener, "%anything", LD_AUDIT=work / "own-audit.so")
    equal(loaded(value, "nvJitLink"), [str(lib)])


@behaviour
def a_traced_program_may_call_cuda_cc_with_its_options():
    ended = tree.run(PROGRAM, "trace", "--output", work / "t", "--", PROGRAM, "--cudacc-help")
    assert ended.out.startswith("cuda-cc: enforce"), ended
    equal(tree.run(PROGRAM, "trace", "--cudacc-nonsense", "--", "true").status, 2)


@behaviour
def a_static_program_has_no_loader_to_ask():
    static = work / "static"
    tree.gcc("-static", work / "main.c", "-o", static)
    value = tree.traced(static)
    equal((value["seen"], value["status"]), ({"objects": 0, "processes": 0}, 3))
    assert "a static program has no loader to ask" in only(value["unknown"])
    text = tree.said(static, status=3)
    equal(text.splitlines()[0], "nothing was seen")


@behaviour
def a_program_with_another_user_s_rights_is_not_traced():
    if os.getuid() == 0 and not os.statvfs(work).f_flag & os.ST_NOSUID:
        setuid = work / "setuid"
        tree.gcc(work / "main.c", "-o", setuid)
        os.chown(setuid, 65534, -1)
        setuid.chmod(0o4755)
        for each in (tree.root, work):
            each.chmod(0o755)
        value = tree.traced(setuid)
        assert "another user's rights" in only(value["unknown"]), value


@behaviour
def a_program_that_cannot_be_started_gives_the_status_of_a_shell():
    for words, status in ((["no-such-program"], 127), (["./gone"], 127), ([str(work / "main.c")], 126),
                          ([str(work)], 126)):
        ended = tree.cc("trace", "--", *words)
        equal((ended.status, ended.out, ended.codes), (status, "", ["CC2010"]), ended)
        tree.nothing_left_behind()


@behaviour
def wrong_words_are_an_error_of_usage():
    for words in ([], ["--"], ["--nonsense", "--", "true"], ["--format=xml", "--", "true"]):
        equal(tree.cc("trace", *words).status, 2, words)


@behaviour
def without_dashes_the_command_begins_with_the_first_word_that_is_no_option():
    equal(tree.cc("trace", "sh", "-c", "exit 9").status, 9)


@behaviour
def a_report_that_cannot_be_written_changes_no_status_but_0():
    ended = tree.cc("trace", "--output", "/proc/nowhere/report", "--", "true")
    equal((ended.status, ended.codes), (4, ["CC2015"]), ended)
    ended = tree.cc("trace", "--output", "/proc/nowhere/report", "--", "sh", "-c", "exit 6")
    equal((ended.status, ended.codes), (6, ["CC2015"]), ended)
    ended = tree.cc("trace", "--", "sh", "-c", 'rm "$CUDA_CC_TRACE_BUFFER"; exit 6')
    equal((ended.status, ended.codes), (6, ["CC2005"]), ended)
    ended = tree.cc("trace", "--", "sh", "-c", 'printf junk > "$CUDA_CC_TRACE_BUFFER"; exit 6')
    equal(ended.status, 6, ended)
    assert ended.err.startswith("nothing was seen\n"), ended


@behaviour
def a_program_of_which_no_report_could_be_written_is_not_started():
    ended = tree.cc("trace", "--", "touch", work / "ran", TMPDIR="/proc/nowhere")
    equal((ended.status, ended.codes, (work / "ran").exists()), (4, ["CC2015"], False), ended)
    alone = work / "bin/cuda-cc"
    alone.parent.mkdir()
    shutil.copy2(PROGRAM, alone)
    ended = tree.run(alone, "trace", "--", "touch", work / "ran")
    equal((ended.status, ended.codes, (work / "ran").exists()), (4, ["CC2005"], False), ended)
    assert str(work / "libexec/cuda-cc/libcuda-cc-rtld.so") in ended.err, ended


@behaviour
def json_goes_to_stderr_if_no_file_is_named():
    ended = tree.cc("trace", "--format=json", "--", "true")
    schema.fit(json.loads(ended.err), "trace")


@behaviour
def the_audit_library_can_be_built_for_aarch64():
    for gxx in tools("aarch64-linux-gnu-g++"):
        root = Path(__file__).parents[2]
        done = tree.run(gxx, "-std=c++20", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared",
                        f"-I{root}", "-ffreestanding", "-fno-exceptions", "-fno-rtti",
                        "-fno-stack-protector", "-mno-outline-atomics", "-fvisibility=hidden",
                        "-nostdlib", "-Wl,-z,defs", root / "plugins/rtld/auditor/Auditor.cpp", "-o",
                        work / "arm.so")
        assert done.status == 0, done


@behaviour
def the_library_inside_the_program_needs_no_other():
    plugin = Path(os.environ["CUDACC_TEST_BUILD"]) / "libexec/cuda-cc/libcuda-cc-rtld.so"
    if plugin.exists():
        dynamic = tree.run("readelf", "-dW", plugin).out
        assert "(NEEDED)" not in dynamic and "TEXTREL" not in dynamic, dynamic
        symbols = tree.run("nm", "-D", plugin).out.split()[2::3]
        assert symbols and all(name.startswith("la_") for name in symbols), symbols
