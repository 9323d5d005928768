# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""What somebody sees who tries cuda-cc: alone on a terminal it prints a short help, a mistyped subcommand is
named. Whatever nvcc could mean is nvcc's."""
import terminal
from recording import PROGRAM, Place, equal

place = Place()


def on_terminal(*words, program=PROGRAM, on=(0, 1, 2), **environment):
    """Exit status, what the terminal shows, and the programs that were started."""
    place.records.unlink(missing_ok=True)
    status, text = terminal.run([program, *words], on, cwd=place.work, env=place.environment(**environment))
    return status, text, [each.arguments for each in place.started()]


# nvcc exits with 1, too, where nothing is given.
status, text, started = on_terminal()
equal((status, started), (1, []))
assert text.startswith("cuda-cc: enforce a declared CUDA runtime") and "cuda-cc help SUBCOMMAND" in text, text
assert len(text.splitlines()) <= 12 and all(len(line) <= 80 for line in text.splitlines()), text

# nvcc's, where anything is given, somebody else reads or writes, or it runs as nvcc.
for words, more in (
        ((), {"on": (1, 2)}), ((), {"on": (0, 2)}), ((), {"on": (0, 1)}), ((), {"on": ()}),
        ((), {"NVCC_APPEND_FLAGS": "--version"}), ((), {"CUDA_CC_DISABLE": "1"}),
        ((), {"program": place.masquerade("nvcc") / "nvcc"}), (("",), {}), (("--version",), {}), (("nvcc",), {})):
    status, text, started = on_terminal(*words, **more)
    equal((status, text, len(started)), (0, "", 1), (words, more))

# A word that is nearly a subcommand, with or without a terminal.
for line, meant in (("chekc ext.so", "check"), ("chek", "check"), ("docter -v y", "doctor"), ("inspekt a b", "inspect"),
                    ("hlep", "help"), ("--cudacc-runtime=cuda==13.0 taget", "target"), ("completoin", "completion"),
                    ("lnik a", "link"), ("matirx --plan", "matrix")):
    ended = place.call(*line.split())
    equal((ended.status, ended.out, ended.started), (2, "", []), line)
    assert f"did you mean cuda-cc {meant}?" in ended.err and "CC1001" in ended.err, ended.err
equal(on_terminal("chekc")[0], 2)

# Anything that nvcc may accept, or refuse in its own words.
place.write("chek")
place.write("response", "chekc")
for line in ("chek", "./chekc", "chekc.o", "chekc.cu", "check.cu", "-o chekc", "@response", "frobnicate", "x=chekc",
             "vectro", "chekc --version", "chekc --help", "chekc --list-gpu-arch", "chekc -x cu", "-c chekc",
             "-lib chekc"):
    ended = place.call(*line.split())
    equal((ended.status, ended.err, len(ended.started)), (0, "", 1), line)
for variables in ({"NVCC_PREPEND_FLAGS": "-o"}, {"CUDA_CC_DISABLE": "1"}):
    ended = place.call("chekc", **variables)
    equal((ended.err, len(ended.started)), ("", 1), variables)
# As a compiler it has no subcommands.
ended = place.call("chekc", program=place.masquerade("nvcc") / "nvcc")
equal((ended.err, len(ended.started)), ("", 1))
