# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""Scripts that start cuda-cc, and that cuda-cc then finds as the compiler, end at once with an error that shows
the chain of programs. Nested wrappers that finally start a compiler work, and compilers do not see the variable."""
import shutil
import subprocess
import sys
import time

from recording import PROGRAM, Place, equal, untouched

place = Place("12.4")
place.write("k.cu")
place.write("x.cpp")
RUNTIME = "--cudacc-runtime=cuda==12.4"
VARIABLE = "CUDA_CC_CHAIN"
ours = place.root / "ours"
ours.mkdir()
(ours / "cuda-cc").symlink_to(PROGRAM)
scripts = place.root / "scripts"
plain = [scripts, ours, *place.path]
place.path = plain


def script(name, text, interpreter="/bin/sh", folder=scripts):
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!{interpreter}\n{text}\n")
    path.chmod(0o755)
    return path


def endless(*words, chain, again=None, fixes=(), **environment):
    """It ends within seconds without starting a compiler. The chain is printed once, up to the repeated program,
    which is by default the first one."""
    begun = time.monotonic()
    ended = place.call(*words, **environment)
    took = time.monotonic() - begun
    equal((ended.status, ended.out, ended.started), (4, "", []), f"{words} {ended}")
    equal(ended.err.count("CC2004"), 1, ended.err)
    first, *shown = ended.err.split("  fix:")[0].splitlines()
    assert "starts cuda-cc, which starts it again" in first and len(first) <= 77, first
    # After a long path, the next element is on a new line.
    equal(" ".join(line.removeprefix("  chain:").strip() for line in shown),
          " ".join([*map(str, chain), f"{again or chain[0]}, again"]), ended.err)
    for fix in fixes:
        assert f"fix: {fix}" in " ".join(ended.err.split()), (fix, ended.err)
    # One iteration takes some milliseconds.
    assert took < 10, f"{took} s"


def clear():
    shutil.rmtree(scripts, ignore_errors=True)


# nvcc as a script: by exec, as a child process, in Python, and as one that tries twice.
fork = 'cuda-cc "$@"; status=$?; exit $status'
for text, interpreter in (('exec cuda-cc "$@"', "/bin/sh"), (fork, "/bin/sh"),
                          ('import os, sys; os.execvp("cuda-cc", ["cuda-cc", *sys.argv[1:]])',
                           sys.executable),
                          ('import subprocess, sys; sys.exit(subprocess.call(["cuda-cc", *sys.argv[1:]]))',
                           sys.executable)):
    nvcc = script("nvcc", text, interpreter)
    for words in (("-c", "k.cu"), ("k.cu", "-o", "k"), ("nvcc", "--version"), (nvcc, "-c", "k.cu"),
                  (RUNTIME, "--cudacc-enforce=off", "-c", "k.cu")):
        endless(*words, chain=[nvcc], fixes=[f"in {nvcc}, start cuda-cc {place.nvcc}, or",
                                             f'put cuda-cc in its place: ln -sf "$(command -v cuda-cc)" {nvcc}'])
twice = script("nvcc", 'cuda-cc "$@" || cuda-cc "$@"')
begun = time.monotonic()
ended = place.call("-c", "k.cu")
equal((ended.status, ended.started), (4, []), ended.err)
# Each of the four iterations tries twice.
equal(ended.err.count("CC2004"), 16, "tried twice")
clear()

# g++, by name, by path, and under cuda-cc's own name for it.
gxx = script("g++", 'exec cuda-cc g++ "$@"')
found = place.bin / "g++"
for words in (("g++", "-c", "x.cpp"), (RUNTIME, "g++", "-c", "x.cpp"), (gxx, "-c", "x.cpp"),
              (RUNTIME, "g++", "x.cpp", "-o", "x"), ("g++", "--version")):
    endless(*words, chain=[gxx], fixes=[f"in {gxx}, start cuda-cc {found}, or"])
# The proposed fix is a compiler's path.
script("g++", f'exec cuda-cc "{found}" "$@"')
equal(place.call("g++", "-c", "x.cpp").only.arguments, ["-c", "x.cpp"], "the fix")
# The other fix is cuda-cc in place of the script.
gxx.unlink()
gxx.symlink_to(PROGRAM)
untouched(place.call("g++", "-c", "x.cpp"), ["-c", "x.cpp"], "the other fix")
clear()

# Two scripts that call each other; the chain begins with the first one.
gxx = script("g++", 'exec cuda-cc clang++ "$@"')
clang = script("clang++", 'cuda-cc g++ "$@"; exit $?')
endless("g++", "-c", "x.cpp", chain=[gxx, clang])
other = script("c++", 'exec cuda-cc g++ "$@"')
endless("c++", "-c", "x.cpp", chain=[other, gxx, clang], again=gxx)
clear()

# nvcc's host compiler.
gxx = script("g++", 'exec cuda-cc g++ "$@"')
gcc = script("gcc", 'exec cuda-cc gcc "$@"')
endless("gcc", "-c", "x.c", chain=[gcc])
clear()

# Compiled programs: a compiler's environment is unchanged until a loop is suspected.
source = place.root / "wrapper.c"
source.write_text("""#include <unistd.h>
#include <sys/wait.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  char *words[64] = {"cuda-cc", "g++"};
  for (int i = 1; i <= argc; ++i) words[i + 1] = argv[i];
  int status = 0;
#ifdef FORK
  if (fork()) { wait(&status); return WEXITSTATUS(status); }
#endif
  execvp("cuda-cc", words);
  return 1;
}
""")
for flags in ([], ["-DFORK"]):
    scripts.mkdir(exist_ok=True)
    subprocess.run(["/usr/bin/cc", *flags, source, "-o", scripts / "g++"], check=True)
    endless("g++", "-c", "x.cpp", chain=[scripts / "g++"])
# Too many different programs.
clear()
for i in range(40):
    script(f"g++-{i}", f'exec cuda-cc g++-{i + 1} "$@"')
ended = place.call("g++-0", "-c", "x.cpp")
equal((ended.status, ended.started, ended.err.count("CC2004")), (4, [], 1), ended.err)
assert str(scripts / "g++-32") in ended.err and len(ended.err) < 10000, ended.err
clear()

# A toolchain directory whose compiler is such a script.
gxx = script("g++", 'exec cuda-cc g++ "$@"')
ended = place.call("toolchain", "td", "--runtime=cuda==12.4", f"--host-compiler={gxx}")
equal(ended.status, 0, ended.err)
endless(place.work / "td/bin/g++", "-c", "x.cpp", program=None, chain=[gxx])
clear()

# Nesting that ends: each wrapper once or twice, then compilers.
mpicxx = script("mpicxx", 'exec cuda-cc g++ "$@"')
started = place.call("mpicxx", "-c", "x.cpp").only
equal((started.name, started.arguments), ("g++", ["-c", "x.cpp"]), "a wrapper")
equal(started.environment[VARIABLE], f"{mpicxx}:{found}", "below a script")
guarded = script("g++", 'test -z "$AGAIN" || exec "' + str(found) + '" "$@"\nAGAIN=1 exec cuda-cc g++ "$@"')
equal(place.call("mpicxx", "-c", "x.cpp").only.arguments, ["-c", "x.cpp"], "one that knows itself")
equal(place.call("ccache", "g++", "-c", "x.cpp").only.name, "ccache")
# A build started by a wrapper: consecutive calls are not added up.
build = script("build", 'for i in 1 2 3 4 5 6 7 8 9; do cuda-cc mpicxx -c x.cpp || exit; done')
equal(len(place.call("build").started), 9, "a build")
# A daemon started by a wrapper runs on, and keeps the variable with which it was started.
ended = place.call("g++", "-c", "x.cpp", AGAIN="1", **{VARIABLE: f"{mpicxx}:{build}"})
equal((ended.status, ended.started), (0, ended.started[:1]), ended.err)
for _ in range(6):
    equal(place.call("mpicxx", "-c", "x.cpp", **{VARIABLE: f"{mpicxx}:{build}"}).status, 0, "a daemon")
clear()

# Any other compiler gets the caller's environment.
for words in (("g++", "-c", "x.cpp"), ("-c", "k.cu"), ("ccache", "g++", "-c", "x.cpp"),
              (RUNTIME, "g++", "-c", "x.cpp")):
    assert VARIABLE not in place.call(*words).last.environment, words
