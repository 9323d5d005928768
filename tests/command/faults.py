# SPDX-License-Identifier: Apache-2.0
# UNSUPPORTED: sanitizers
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Each system call of the program fails, or the program is killed there (strace's injection): the result is the one
without the fault, or one error and nothing wrong or left behind; and the next call is right (F2, F3, F21).

Compilers are stand-ins, links are gcc's. `./dev test --all` tries all faults at all calls, else there is a part of
them; CUDACC_TEST_SEED repeats a run, and words of the command line choose scenarios. All reads and writes are short at
once, as strace would return a count without the data. Files are removed and exchanged before any call. Left out is
execve for a child (clone fails)."""
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import madewheel
import recorder
from binaries import CUDART, JITLINK, Binaries
from faulting import CHANGES, Faulted, Scenario, Trial

SEED = int(os.environ.get("CUDACC_TEST_SEED") or random.randrange(1 << 32))
ALL = bool(os.environ.get("CUDACC_TEST_ALL"))
# Of each scenario, without --all.
FAULTS = int(os.environ.get("CUDACC_TEST_LINES") or 2)
KILLS = (FAULTS + 1) // 2
print(f"CUDACC_TEST_SEED={SEED}", flush=True)
if not shutil.which("strace", path="/usr/bin:/bin"):
    print("SKIPPED: no strace")
    sys.exit(77)

# A compile writes what it was given, as do the steps that --dryrun prints; a link of nvcc is one by its host compiler,
# below strace where STANDIN_TRACE has strace's words.
STANDIN = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
const char version[] = VERSION;
static void take(FILE *out, const char *path) {
  FILE *in = fopen(path, "r");
  if (!in) { perror(path); exit(1); }
  for (int c; (c = getc(in)) != EOF;) putc(c, out);
  fclose(in);
}
static void dryrun(char **argv) {
  const char *output = "a.o", *tmp = getenv("TMPDIR");
  fprintf(stderr, "#$ _SPACE_= \n#$ PATH=" STEPS ":/usr/bin:/bin\n#$ gcc -E -x c++");
  const char *source = NULL;
  for (; *argv; ++argv)
    if (!strcmp(*argv, "-o")) output = *++argv;
    else if (!strcmp(*argv, "-include")) fprintf(stderr, " -include \"%s\"", *++argv);
    else if (**argv != '-') source = *argv;
  fprintf(stderr, " \"%s\" -o \"%s/tmpxft_00000001_00000000-5_k.ii\" \n", source, tmp);
  fprintf(stderr, "#$ ptxas -arch=sm_80 -m64 \"%s/tmpxft_00000001_00000000-5_k.ii\" -o "
                  "\"%s/tmpxft_00000001_00000000-6_k.cubin\" \n", tmp, tmp);
  fprintf(stderr, "#$ gcc -c -x c++ \"%s/tmpxft_00000001_00000000-6_k.cubin\" -o \"%s\" \n", tmp, output);
}
int main(int argc, char **argv) {
  const char *output = "a.out", *host = "gcc", *inputs[64], *includes[8];
  char *words[256], *tracing = getenv("STANDIN_TRACE");
  int count = 0, included = 0, compiles = !!strstr(argv[0], "ptxas"), n = 0;
  if (argc > 1 && !strcmp(argv[1], "--dryrun")) { dryrun(argv + 2); return 0; }
  for (char *word = tracing ? strtok(strdup(tracing), " ") : NULL; word; word = strtok(NULL, " "))
    words[n++] = word;
  int at = n++;
  for (int i = 1; i < argc; ++i) {
    if (!strncmp(argv[i], "-ccbin=", 7)) { host = argv[i] + 7; continue; }
    if (!strcmp(argv[i], "-ccbin")) { host = argv[++i]; continue; }
    if (!strncmp(argv[i], "-arch", 5) || !strncmp(argv[i], "-cudart", 7)) continue;
    words[n++] = argv[i];
    if (!strcmp(argv[i], "-c") || !strcmp(argv[i], "-E")) compiles = 1;
    else if (!strcmp(argv[i], "-x")) ++i;
    else if (!strcmp(argv[i], "-o")) words[n++] = (char *)(output = argv[++i]);
    else if (!strcmp(argv[i], "-include")) includes[included++] = argv[++i];
    else if (argv[i][0] != '-') inputs[count++] = argv[i];
  }
  words[n] = NULL;
  if (!access(strcat(strcpy(malloc(4096), host), "/gcc"), X_OK)) host = strcat(strcpy(malloc(4096), host), "/gcc");
  words[at] = (char *)host;
  if (!compiles) {
    unsetenv("STANDIN_TRACE");
    execvp(words[0], words);
    perror(words[0]);
    return 1;
  }
  FILE *out = fopen(output, "w");
  if (!out) { perror(output); return 1; }
  for (int i = 0; i < included; ++i) take(out, includes[i]);
  for (int i = 0; i < count; ++i) take(out, inputs[i]);
  return fclose(out) ? 1 : 0;
}
"""
# The build file's steps are run below strace too.
NINJA = r"""#!/bin/sh
[ -z "$STANDIN_TRACE" ] && exec /usr/bin/ninja "$@"
sed "s|exec \([^ ]* --cudacc-step\)|exec $STANDIN_TRACE \1|" "$2/build.ninja" > "$2/traced.ninja"
exec /usr/bin/ninja -f traced.ninja "$@"
"""
UV = """#!/bin/sh
while [ "$1" != --target ]; do shift; done
mkdir -p "$2/nvidia/x-1.dist-info" && cp -a {wheel} "$2/nvidia/cu13"
"""
# A linker of device code that returns its input.
JITLINKER = r"""
#include <string.h>
struct link { char data[4096]; size_t size; };
static struct link one;
int nvJitLinkVersion(unsigned *major, unsigned *minor) { return *major = 12, *minor = 4, 0; }
#define F(name) __nvJitLink##name##_12_4
int F(Create)(struct link **link, int count, const char **options) { return *link = &one, 0; }
int F(AddData)(struct link *link, int kind, const void *data, size_t size, const char *name) {
  return memcpy(link->data, data, link->size = size), 0;
}
int F(Complete)(struct link *link) { return 0; }
int F(Destroy)(struct link **link) { return 0; }
int F(GetLinkedPtxSize)(struct link *link, size_t *size) { return *size = link->size, 0; }
int F(GetLinkedPtx)(struct link *link, char *to) { return memcpy(to, link->data, link->size), 0; }
int F(GetLinkedCubinSize)(struct link *link, size_t *size) { return *size = link->size, 0; }
int F(GetLinkedCubin)(struct link *link, char *to) { return memcpy(to, link->data, link->size), 0; }
int F(GetErrorLogSize)(struct link *link, size_t *size) { return *size = 0; }
int F(GetErrorLog)(struct link *link, char *to) { return 0; }
int F(GetInfoLogSize)(struct link *link, size_t *size) { return *size = 0; }
int F(GetInfoLog)(struct link *link, char *to) { return 0; }
"""
UNDEFINED = b"ImportError: undefined symbol: __nvJitLinkCreate_12_5, version libnvJitLink.so.12\n"
WHEEL = "x-1.0-cp311-cp311-linux_x86_64.whl"
DECLARED = 'runtime = "cuda==12.4"\n'
SUPPORT = Path(os.environ["CUDACC_TEST_SUPPORT"])
FETCH = SUPPORT.parents[1] / "python/cuda_cc/fetch.py"

sandbox, made = Faulted(), Binaries()
inputs, work = sandbox.inputs, sandbox.template / "work"
(inputs / "bin").mkdir()


def script(name, text):
    path = inputs / "bin" / name
    path.write_text(text)
    path.chmod(0o755)


def toolkit(version):
    folder = inputs / f"cuda-{version}"
    recorder.toolkit(folder, version)
    (folder / "bin/nvcc").unlink()
    (folder / "steps").mkdir()
    (inputs / "nvcc.c").write_text(STANDIN)
    words = [f'-DVERSION="Cuda compilation tools, release {version}, V{version}.88"', f'-DSTEPS="{folder}/steps"']
    subprocess.run(["gcc", "-O1", "-s", *words, inputs / "nvcc.c", "-o", folder / "bin/nvcc"], check=True)
    for name in ("gcc", "ptxas"):
        shutil.copy(folder / "bin/nvcc", folder / "steps" / name)
    return folder


def fill():
    """What the calls read."""
    twelve, thirteen = toolkit("12.4"), toolkit("13.0")
    (twelve / "lib64/libcudart.so.12").write_text("")
    (inputs / "wheel").mkdir()
    shutil.copytree(thirteen, inputs / "wheel/cu13")
    shutil.rmtree(inputs / "wheel/cu13/lib64")
    (inputs / "wheel/cu13/version.json").unlink()
    (inputs / "wheel/cu13/lib").mkdir()
    (inputs / "wheel/cu13/lib/libcudart.so.13").write_text("cudart")
    script("uv", UV.format(wheel=inputs / "wheel/cu13"))
    (inputs / "bin/auditwheel").symlink_to(SUPPORT / "fakeauditwheel.py")
    script("ninja", NINJA)
    good = made.extension("good.so", {CUDART: ["cudaMalloc"]})
    newer = made.extension("newer.so", {JITLINK: ["__nvJitLinkCreate_12_5"], CUDART: ["cudaMalloc"]})
    for path, names in (("good.o", ["cudaMalloc"]), ("newer.o", ["__nvJitLinkCreate_12_5"])):
        made.object(path, names)
        shutil.copy(made.work / path, work)
    for name, full, names in ((CUDART, "libcudart.so.12.4.127", ["cudaMalloc"]),
                              (JITLINK, "libnvJitLink.so.12.5.82", ["__nvJitLinkCreate_12_5"])):
        shutil.copy(made.library(f"lib/{name}", name, names), inputs / full)
        (inputs / name).symlink_to(full)
    for folder, library in (("good", good), ("newer", newer)):
        (inputs / folder).mkdir()
        shutil.copy(library, inputs / folder / "ext.so")
        madewheel.write(inputs / folder / WHEEL, {"x/__init__.py": b"x = 1\n", "x/ext.so": library.read_bytes()})
    (inputs / "many").mkdir()
    for name in "abcde":
        shutil.copy(good, inputs / "many" / f"{name}.so")
    (inputs / "many/f.so").write_bytes(newer.read_bytes())
    made.site("venv", {"nvidia-cuda-runtime-cu12": ("12.4.127", {
        "nvidia/cuda_runtime/lib/libcudart.so.12": made.work / f"lib/{CUDART}"}),
        "good": ("1.0", {"good/ext.so": good}), "newer": ("1.0", {"newer/ext.so": newer})})
    shutil.copytree(made.work / "venv", inputs / "venv", symlinks=True)
    (inputs / "jitlink.c").write_text(JITLINKER)
    subprocess.run(["gcc", "-shared", "-fPIC", "-w", inputs / "jitlink.c", f"-Wl,-soname,{JITLINK}", "-o",
                    made.work / "jitlink.so"], check=True)
    made.site("jitlink", {"nvidia-nvjitlink-cu12": ("12.4.127", {f"nvidia/nvjitlink/lib/{JITLINK}": "jitlink.so"})})
    shutil.copytree(made.work / "jitlink", inputs / "jitlink")
    (work / "a.ptx").write_text(".version 8.4\n.target sm_90\n.address_size 64\n")
    (work / "old.ptx").write_text("an older output\n")
    (work / "log.txt").write_bytes(UNDEFINED)
    (work / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.21)\nproject(p LANGUAGES C)\n"
                                         "add_library(t SHARED a.c)\n")
    (work / "a.c").write_text("int a(void) { return 1; }\n")
    (inputs / "requirements.txt").write_text("nvidia-cuda-runtime-cu12==12.4.127\n")
    (work / "cuda-cc.toml").write_text(DECLARED)
    (work / "k.cu").write_text("kernel\n")
    (work / "old.so").write_text("an older output\n")
    (work / "old.o").write_text("an older output\n")


def at(version, **more):
    """The environment of a call with this toolkit."""
    return {"PATH": f"{inputs}/cuda-{version}/bin:{sandbox.path}", **more}


def compiles():
    words = ("-arch=sm_80", "-c", "k.cu", "-o", "old.o")
    yield Scenario("compile", words, environment=at("12.4"))
    kept = (sandbox.program, *words[:-1], "new.o")
    yield Scenario("compile, facts kept", words, environment=at("12.4"), before=(kept,))
    yield Scenario("compile, refused", words, status=3, environment=at("13.0"))
    yield Scenario("compile, refused, facts kept", words, status=3, environment=at("13.0"),
                   before=((sandbox.program, "--cudacc-runtime=cuda==13.0", *words[:-1], "new.o"),))
    yield Scenario("compile, by a variable", words, status=3, environment=at("13.0", CUDA_CC_RUNTIME="cuda==12.4"))
    (work / "words").write_text(" ".join(words))
    yield Scenario("compile, words of a file", ("@words",), status=3, environment=at("13.0"))
    yield Scenario("compile, switched off", words, environment=at("13.0", CUDA_CC_DISABLE="1"))


def steps():
    if not shutil.which("ninja", path="/usr/bin"):
        return
    words = ("-arch=sm_80", "-c", "k.cu", "-o", "old.o")
    environment = at("12.4", CUDA_CC_BACKEND="ninja")
    yield Scenario("ninja", words, environment=environment)
    yield Scenario("ninja, its steps", words, environment=environment, nested=True)
    again = ((sandbox.program, *words), ("rm", "old.o"))
    yield Scenario("ninja, nothing to do", words, environment=environment, before=again)
    yield Scenario("ninja, its steps, nothing to do", words, environment=environment, before=again, nested=True)


LINK = ("gcc", "-nostdlib", "-shared")
GOOD = (*LINK, "good.o", inputs / CUDART, "-o", "old.so")
# Nothing of the runtime is linked, so only the output shows what it needs.
NEWER = ("--cudacc-enforce=symbols", *LINK, "newer.o", inputs / JITLINK, "-o", "old.so")


def links():
    yield Scenario("link", GOOD)
    yield Scenario("link, facts kept", GOOD, before=((sandbox.program, *GOOD[:-1], "warm.so"),))
    yield Scenario("link, refused", NEWER, status=3)
    yield Scenario("link, refused, facts kept", NEWER, status=3, before=((sandbox.program, *GOOD[:-1], "warm.so"),))
    nvcc = ("-arch=sm_80", "-nostdlib", "-shared", "good.o", inputs / CUDART, "-o", "old.so")
    yield Scenario("link by nvcc", nvcc, environment=at("12.4"))
    yield Scenario("link by nvcc, its host compiler", nvcc, environment=at("12.4"), nested=True)
    yield Scenario("link by nvcc, refused", ("--cudacc-enforce=symbols", "-nostdlib", "-shared", "newer.o",
                                             inputs / JITLINK, "-o", "old.so"), status=3, environment=at("12.4"))


def directories():
    made_before = (sandbox.program, "toolchain", "td")
    yield Scenario("toolchain", ("toolchain", "td"), environment=at("12.4"), skips_denied=True)
    yield Scenario("toolchain, up to date", ("toolchain", "td"), environment=at("12.4"), before=(made_before,),
                   skips_denied=True)
    yield Scenario("toolchain, made again", ("toolchain", "td", "--runtime=cuda==12.5"), environment=at("12.4"),
                   before=(made_before,), skips_denied=True)
    yield Scenario("toolchain --check", ("toolchain", "--check", "td"), environment=at("12.4"), before=(made_before,))
    below = sandbox.now / "work/td/bin"
    yield Scenario("compile in a directory", ("-c", "k.cu", "-o", "old.o"), program=below / "nvcc",
                   environment=at("12.4"), before=(made_before,))
    yield Scenario("link in a directory", GOOD[1:], program=below / "gcc", environment=at("12.4"),
                   before=(made_before,))
    yield Scenario("link in a directory, refused", NEWER[2:], status=3, program=below / "gcc",
                   environment=at("12.4", CUDA_CC_ENFORCE="symbols"), before=(made_before,))
    yield Scenario("fetch", ("toolchain", "td", "--runtime=cuda==13.0", "--fetch", "--accept-license"),
                   watched=("work", "cache"), skips_denied=True)


def checks():
    for verdict, status in (("good", 0), ("newer", 3)):
        for name in ("ext.so", WHEEL):
            yield Scenario(f"check {name}, {verdict}", ("check", inputs / verdict / name, "--runtime", "cuda==12.4"),
                           status=status)
        yield Scenario(f"check, JSON, {verdict}", ("check", inputs / verdict / "ext.so", "--format=json"),
                       status=status)
        yield Scenario(f"check in an environment, {verdict}",
                       ("check", inputs / verdict / "ext.so", "--runtime", f"env:{inputs}/venv"), status=status)
    yield Scenario("check a folder", ("check", inputs / "many"), status=3)
    yield Scenario("check by a lock", ("check", inputs / "good/ext.so", "--runtime",
                                       f"lock:{inputs}/requirements.txt"))
    yield Scenario("inspect", ("inspect", inputs / "good/ext.so", "--format=json"))
    yield Scenario("target", ("target", "--runtime", f"env:{inputs}/venv", "--format=json"))
    yield Scenario("wheel repair", ("wheel", "repair", inputs / "good" / WHEEL, "-w", "out", "--runtime=cuda==12.4"))
    yield Scenario("wheel repair, refused", ("wheel", "repair", inputs / "newer" / WHEEL, "-w", "out",
                                             "--runtime=cuda==12.4"), status=3)
    yield Scenario("device link of nothing", ("link", inputs / "good/ext.so", "-o", "x.cubin"), status=2)
    yield Scenario("config", ("config", "--cflags", "cudart"), environment=at("12.4"))


def reports():
    """Of subcommands that print what they find."""
    for verdict, status in (("good", 0), ("newer", 3)):
        installed = inputs / "venv/lib/python3.11/site-packages" / verdict / "ext.so"
        yield Scenario(f"doctor, {verdict}", ("doctor", installed, "--env", inputs / "venv", "--report", "r.html"),
                       status=status, skips_denied=True)
    yield Scenario("doctor, surroundings", ("doctor", "--env", inputs / "venv"), skips_denied=True)
    yield Scenario("check --report", ("check", inputs / "good/ext.so", "--report", "r.html"))
    yield Scenario("check --format=sarif", ("check", inputs / "newer/ext.so", "--format=sarif"), status=3)
    undeclared = (("rm", "cuda-cc.toml"),)
    yield Scenario("explain, a file", ("explain", "log.txt"), before=undeclared, skips_denied=True)
    yield Scenario("explain, stdin", ("explain", "-"), stdin=UNDEFINED, before=undeclared)
    yield Scenario("trace", ("trace", "--output", "t.txt", "--", "/bin/true"), errors=(4, 126))
    yield Scenario("target --diff", ("target", "--diff", f"env:{inputs}/venv", "cuda==12.4"), status=1)
    yield Scenario("wheel show", ("wheel", "show", inputs / "newer" / WHEEL, "--verify"))


def changing():
    """Files that others remove, empty and replace meanwhile."""
    (inputs / "other.toml").write_text('runtime = "cuda==12.5"\n')
    (inputs / "other.cu").write_text("other kernel\n")
    declared = {"cuda-cc.toml": inputs / "other.toml"}
    yield Scenario("changing, compile", ("-c", "k.cu", "-o", "new.o"), environment=at("12.4"),
                   changing={"k.cu": inputs / "other.cu", **declared})
    yield Scenario("changing, ninja", ("-c", "k.cu", "-o", "new.o"), changing={"k.cu": inputs / "other.cu"},
                   environment=at("12.4", CUDA_CC_BACKEND="ninja"))
    yield Scenario("changing, link", (*GOOD[:-1], "new.so"), changing={"good.o": "newer.o", **declared})
    copied = (("cp", "-a", inputs / "good", inputs / "venv", inputs / "requirements.txt", "."),)
    for name in ("ext.so", WHEEL):
        yield Scenario(f"changing, check {name}", ("check", f"good/{name}"), before=copied,
                       changing={f"good/{name}": inputs / "newer" / name, **declared})
    site = "venv/lib/python3.11/site-packages"
    info = f"{site}/nvidia_cuda_runtime_cu12-12.4.127.dist-info"
    parts = {f"{site}/nvidia/cuda_runtime/lib/libcudart.so.12": inputs / JITLINK, f"{info}/RECORD": "k.cu",
             f"{info}/METADATA": "k.cu", "venv/pyvenv.cfg": "k.cu"}
    yield Scenario("changing, check in an environment", ("check", "good/ext.so", "--runtime=env:venv"), before=copied,
                   changing=parts)
    yield Scenario("changing, doctor", ("doctor", f"{site}/good/ext.so", "--env", "venv"), before=copied,
                   changing=parts)
    yield Scenario("changing, a lock", ("target", "--runtime=lock:requirements.txt"), before=copied,
                   changing={"requirements.txt": "k.cu"})
    yield Scenario("changing, wheel repair", ("wheel", "repair", f"good/{WHEEL}", "-w", "out"), before=copied,
                   changing={f"good/{WHEEL}": inputs / "newer" / WHEEL, **declared}, watched=("work/out",))
    toolkit = (("cp", "-a", inputs / "cuda-12.4", "tk"),)
    yield Scenario("changing, toolchain", ("toolchain", "td", "--toolkit=tk"), before=toolkit, changing={
        "tk/bin/nvcc": inputs / "cuda-13.0/bin/nvcc", "tk/version.json": inputs / "cuda-13.0/version.json", **declared})
    yield Scenario("changing, device link", ("link", "--arch=sm_90", "--lto", "--emit=ptx", "-o", "new.ptx", "a.ptx",
                                             "--for", f"env:{inputs}/jitlink"), changing={"a.ptx": "k.cu"})


def writers():
    """Other subcommands that write."""
    yield Scenario("init", ("init", "--runtime=cuda==12.5"), once=True,
                   before=(("rm", "cuda-cc.toml"),))
    (work / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    yield Scenario("init, appended", ("init", "--runtime=cuda==12.5"), once=True,
                   before=(("rm", "cuda-cc.toml"),))
    (work / "pyproject.toml").unlink()
    yield Scenario("trust", ("trust", inputs), watched=("work", "home"))
    trusted = ((sandbox.program, "trust", inputs, inputs / "good"),)
    yield Scenario("trust --remove", ("trust", "--remove", inputs), watched=("work", "home"), before=trusted, once=True)
    yield Scenario("wheel repair --variant", ("wheel", "repair", inputs / "good" / WHEEL, "-w", "out", "--variant",
                                              "--runtime=cuda==12.4"))
    yield Scenario("wheel repair --unbundle", ("wheel", "repair", inputs / "good" / WHEEL, "-w", "out", "--unbundle",
                                               "--runtime=cuda==12.4"))
    yield Scenario("device link", ("link", "--arch=sm_90", "--lto", "--emit=ptx", "--for", f"env:{inputs}/jitlink",
                                   "-o", "old.ptx", "a.ptx"))
    yield Scenario("log", ("-arch=sm_80", "-c", "k.cu", "-o", "old.o"),
                   environment=at("12.4", CUDA_CC_LOG=f"{sandbox.now}/home/log"))
    yield Scenario("audit --prepare", ("audit", "--prepare", "build"))
    configured = ((sandbox.program, "audit", "--prepare", "build"), ("cmake", "-S", ".", "-B", "build"))
    yield Scenario("audit", ("audit", "build", "--format=json"), before=configured, watched=("work/build",))


def caches():
    fetch = (sandbox.program, "toolchain", "td", "--runtime=cuda==13.0", "--fetch", "--accept-license")
    yield Scenario("cache list", ("cache", "list", "--format=json"), before=(fetch,), watched=("work", "cache"),
                   skips_denied=True)
    # What this open is denied, the write that follows is, too.
    but_locks = r"^(?!.*/\.locks/.*O_CREAT)"
    yield Scenario("cache prune", ("cache", "prune"), before=(fetch,), watched=("work", "cache"), skips_denied=True,
                   only=but_locks)


def matrices():
    table = {"runtimes": ["cuda==12.4"], "toolkits": [f"{inputs}/cuda-12.4"],
             "build": f"mkdir -p lib && cp {inputs}/good/ext.so lib/ext.so", "artefacts": ["lib/*.so"]}
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items())
    (work / "cuda-cc.toml").write_text(f"[matrix]\n{lines}")
    yield Scenario("matrix --plan", ("matrix", "--plan", "--format=json"))
    yield Scenario("matrix", ("matrix", "--format=json"), watched=("work/.cuda-cc/matrix/none",))
    (work / "cuda-cc.toml").write_text(DECLARED)


def fetched():
    """The program that fetches, alone, from a folder: calls of Python itself are left alone."""
    parts, mirror = [], inputs / "mirror"
    path = mirror / "cuda_nvcc/cuda_nvcc.tar.xz"
    path.parent.mkdir(parents=True)
    top = "cuda_nvcc-linux-x86_64-1.0-archive"
    subprocess.run(["tar", "cJf", path, "--transform", f"s,^cuda-12.4,{top},", "cuda-12.4"], cwd=inputs, check=True)
    content = path.read_bytes()
    parts.append({"part": "nvcc", "source": "archive", "name": "cuda_nvcc", "version": "1.0",
                  "path": str(path.relative_to(mirror)), "sha256": hashlib.sha256(content).hexdigest(),
                  "bytes": len(content)})
    asks = {"plan": {"schema": 1, "key": "key", "release": "12.4.1", "machine": "x86_64", "parts": parts},
            "folder": f"{sandbox.now}/cache/toolkits/key", "base": f"file://{mirror}"}
    yield Scenario("fetch.py", ("-I", "-B", FETCH), program=sys.executable, stdin=json.dumps(asks).encode(),
                   watched=("cache/toolkits/key",), only=re.escape(f"{sandbox.now}/cache"))


def sampled(rng, trials, count):
    """Half of them where something is changed, which most calls do not."""
    changing = [each for each in trials if each[0] in CHANGES]
    chosen = rng.sample(changing, min((count + 1) // 2, len(changing)))
    others = [each for each in trials if each not in chosen]
    return chosen + rng.sample(others, min(count - len(chosen), len(others)))


def tried(scenario, rng):
    """Counts of faults, kills and changes, and what was wrong."""
    began = time.monotonic()
    trial = Trial(sandbox, scenario)
    faults, kills = trial.faults(), trial.kills()
    if not ALL:
        faults, kills = sampled(rng, faults, FAULTS), sampled(rng, kills, KILLS)
    wrong = [problem for each in [*faults, *kills] if (problem := trial.wrong(each))]
    # glibc's loader does not read on.
    if scenario.program != sys.executable and (problem := trial.short()):
        wrong.append(problem)
    moments = range(1, len(trial.calls)) if ALL else [rng.randrange(1, len(trial.calls)) for _ in range(KILLS)]
    changed = [(change, number) for change in trial.changes() for number in moments]
    wrong += [problem for each in changed if (problem := trial.changed(*each))]
    print(f"{scenario.name}: {len(faults)} faults, {len(kills)} kills at {len(trial.calls)} calls, {len(changed)} "
          f"changes, {len(wrong)} wrong, "
          f"{time.monotonic() - began:.1f} s", flush=True)
    for problem in wrong:
        print(problem, "\n", flush=True)
    return len(faults), len(kills), len(changed), len(wrong)


fill()
chosen, totals = sys.argv[1:] or [".*"], (0, 0, 0, 0)
for group in (compiles, steps, links, directories, checks, reports, changing, writers, caches, matrices, fetched):
    for each in group():
        if any(re.fullmatch(word, each.name) for word in chosen):
            totals = tuple(map(sum, zip(totals, tried(each, random.Random(f"{SEED} {each.name}")))))
assert not totals[3], f"{totals[3]} are wrong"
print(f"{totals[0]} faults, {totals[1]} kills and {totals[2]} changes were injected")
