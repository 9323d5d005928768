# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""Tools that watch or change a build from below, by a preloaded library or by ptrace: they see and change the compilers
that cuda-cc starts as they do plain ones. The program itself is static, so that preloaded libraries are not in it."""
import json

from sandbox import PROGRAM, Sandbox, equal, skip, tools

sandbox = Sandbox()
names = [name for name in ("bear", "eatmydata", "faketime", "fakeroot", "proot", "strace") if tools(name)]
if not names:
    skip("none of these tools is installed")
sandbox.write("a.cpp", 'extern "C" int f() { return 1; }\n')
sandbox.write("dated.cpp", "const char *date = __DATE__;\n")
COMPILE = (PROGRAM, "g++", "-c", "a.cpp", "-o", "a.o")
LINK = (PROGRAM, "g++", "-shared", "a.o", "-o", "a.so")


def under(*words, **environment):
    done = sandbox.run(*words, **environment)
    equal(done.status, 0, done)
    return done


for declared in ({}, {"CUDA_CC_RUNTIME": "cuda==12.4"}):
    under(*COMPILE, **declared)
    under(*LINK, **declared)
    plain = (sandbox.work / "a.so").read_bytes()
    if "faketime" in names:
        under("faketime", "2001-02-03", PROGRAM, "g++", "-c", "dated.cpp", "-o", "dated.o", **declared)
        assert b"Feb  3 2001" in (sandbox.work / "dated.o").read_bytes(), "the compiler's clock"
    if "fakeroot" in names:
        words = " ".join(map(str, COMPILE)), " ".join(map(str, LINK))
        script = f"{words[0]}; chown 3:4 a.o; {words[1]}; stat -c %u:%g a.o a.so"
        done = under("fakeroot", "sh", "-ec", script, **declared)
        equal(done.out.split(), ["3:4", "0:0"], "owners that fakeroot remembers")
        equal((sandbox.work / "a.so").read_bytes(), plain, "the same output under fakeroot")
    tracing = ("-f", "-e", "trace=execve", "-o", "calls")
    for name, options in {"eatmydata": (), "proot": ("-0",), "strace": tracing}.items():
        if name in names:
            for words in (COMPILE, LINK):
                under(name, *options, *words, **declared)
            equal((sandbox.work / "a.so").read_bytes(), plain, f"the same output under {name}")
    if "strace" in names:
        assert "collect2" in (sandbox.work / "calls").read_text(), "what the compiler starts"

# bear records programs that are started by dynamic ones: compilers of a toolchain directory, and with --force-wrapper
# those that are called by name.
if "bear" in names:
    under("bear", "--force-wrapper", "--", "sh", "-c", f"{PROGRAM} g++ -c a.cpp -o a.o")
    [entry] = json.loads((sandbox.work / "compile_commands.json").read_text())
    equal(entry["file"], str(sandbox.work / "a.cpp"), entry)
