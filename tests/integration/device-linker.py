# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""device-linker = "runtime": nvcc's device links by the nvJitLink of an environment, equal to nvlink of the same
version; what it cannot do is refused."""
import re
import shutil
import tempfile
from pathlib import Path

from behaviour import behaviour
from sandbox import PROGRAM, Sandbox, environment_of, equal, tools, wheel

sandbox = Sandbox("13.0")
venv = environment_of("nvidia-nvjitlink==13.0.88", "nvidia-cuda-runtime==13.0.96")
CUOBJDUMP = wheel("nvidia-cuda-cuobjdump==13.5.37") / "nvidia/cu13/bin/cuobjdump"
RUNTIME = [f"--cudacc-runtime=env:{venv}", "--cudacc-device-linker=runtime"]

sandbox.write("a.cu", """extern __device__ int other(int);
__device__ int kept = 3;
__global__ void first(int *p) { *p = other(*p) + kept; }
template <class T> __global__ void shaped(T *p) { *p = T(3); }
static __global__ void hidden(int *p) { *p = 1; }
void calls(int *p) { first<<<1, 1>>>(p); hidden<<<1, 1>>>(p); shaped<<<1, 1>>>((float *)p); }
""")
sandbox.write("b.cu", """__constant__ int factor;
__device__ int other(int x) { return x * 7 + factor; }
__global__ void second(int *p) { *p = other(2); }
__global__ void unused(int *p) { *p = 4; }
void more(int *p) { second<<<1, 1>>>(p); cudaMemcpyToSymbol(factor, p, 4); }
""")
sandbox.write("child.cu", """__global__ void child(int *p) { *p = 5; }
__global__ void parent(int *p) { child<<<1, 1>>>(p); }
void launches(int *p) { parent<<<1, 1>>>(p); }
""")
sandbox.write("plain.cu", "__global__ void plain(int *p) { *p = 6; }\nvoid runs(int *p) { plain<<<1, 1>>>(p); }\n")
sandbox.write("host.cpp", "int host() { return 1; }\n")
sandbox.write("main.cpp", "void calls(int *);\nint main(int count, char **) { if (count > 9) calls(nullptr); }\n")


def made(*words):
    done = sandbox.run(*words)
    equal(done.status, 0, done)


for name in ("a", "b", "child"):
    made("nvcc", "-arch=sm_90", "-dc", f"{name}.cu", "-o", f"{name}.o")
    made("nvcc", "-gencode", "arch=compute_90,code=lto_90", "-dc", f"{name}.cu", "-o", f"{name}.lto.o")
made("nvcc", "-gencode=arch=compute_80,code=sm_80", "-gencode=arch=compute_90,code=sm_90", "-dc", "a.cu", "-o", "a2.o")
made("nvcc", "-gencode=arch=compute_80,code=sm_80", "-gencode=arch=compute_90,code=sm_90", "-dc", "b.cu", "-o", "b2.o")
made("nvcc", "-gencode=arch=compute_75,code=sm_75", "-dc", "child.cu", "-o", "old.o")
made("nvcc", "-arch=sm_90", "-c", "plain.cu", "-o", "plain.o")
made("g++", "-c", "host.cpp", "-o", "host.o")
made("g++", "-c", "main.cpp", "-o", "main.o")
made("ar", "rcs", "libparts.a", "b.o", "host.o")
made("ar", "rcs", "libones.a", "b.o")
made("ar", "rcsT", "libthin.a", "b.o")
# A shared library hides archives of its name, in other folders too.
(sandbox.work / "hidden").mkdir()
made("gcc", "-shared", "host.o", "-o", "hidden/libthin.so")
made("cp", "libones.a", "hidden/libthin.a")


def facts(cubin):
    """Kernels, other symbols, and what the kernels need."""
    names = sandbox.run("readelf", "-sW", cubin).out.splitlines()
    symbols = sorted(line.split()[-1] for line in names if re.search(r" (FUNC|OBJECT) ", line))
    usage = sandbox.run(CUOBJDUMP, "-res-usage", cubin)
    equal(usage.status, 0, usage)
    return symbols, sorted(re.findall(r"Function (\S+):\n *(REG:.*)", usage.out))


def dlinked(program, folder, words):
    sandbox.work.joinpath(folder).mkdir(exist_ok=True)
    done = sandbox.run(*program, "-keep", "-keep-dir", folder, "-dlink", *words, "-o", f"{folder}/device.o")
    found = {path.name: path for path in sandbox.work.joinpath(folder).glob("device*")}
    return done, found


def same(what, *words, lists=None):
    """A device link by both: the same kernels, symbols and resource usage, and the same registrations."""
    ended, expected = dlinked(["nvcc"], f"{what}-nvlink", words)
    equal(ended.status, 0, ended)
    done, got = dlinked([PROGRAM, *RUNTIME], f"{what}-runtime", words)
    equal(done.status, 0, done)
    cubins = [name for name in expected if name.endswith(".cubin")]
    assert cubins, expected
    for name in cubins:
        equal(facts(got[name]), facts(expected[name]), f"{what}: {name}")
        assert b"nvJIT API" in got[name].read_bytes() and b"nvJIT API" not in expected[name].read_bytes(), what
    registered = [sorted(found["device.reg.c"].read_text().splitlines()) for found in (got, expected)]
    equal(registered[0], registered[1], what)
    for text in lists or ():
        assert text in done.err, done
        assert text in ended.err, ended
    return done


@behaviour
def objects_are_linked_without_unused_code():
    same("objects", "-arch=sm_90", "a.o", "b.o")
    assert "_Z6unusedPi" not in facts(sandbox.work / "objects-runtime/device.sm_90.cubin")[0], "unused code is removed"


@behaviour
def archives_are_searched_as_nvlink_searches_them():
    same("references", "-arch=sm_90", "a.o", "libones.a", "libones.a")
    assert "_Z6unusedPi" not in facts(sandbox.work / "references-runtime/device.sm_90.cubin")[0]
    same("hidden", "-arch=sm_90", "a.o", "-Lhidden", "-lthin", "b.o")
    same("archive", "-arch=sm_90", "libparts.a", "a.o", "-L.", "-lparts", "-lm", "plain.o", "host.o")
    same("thin", "-arch=sm_90", "a.o", "libthin.a")


@behaviour
def each_architecture_is_linked():
    same("archs", "-gencode=arch=compute_80,code=sm_80", "-gencode=arch=compute_90,code=sm_90", "a2.o", "b2.o")


@behaviour
def kernels_launch_kernels():
    same("launches", "-arch=sm_90", "child.o")


@behaviour
def code_for_debugging_is_linked():
    same("debug", "-arch=sm_90", "-G", "a.o", "b.o")


@behaviour
def an_object_without_the_architecture_is_warned_about():
    same("uncovered", "-arch=sm_90", "a.o", "b.o", "old.o",
         lists=["nvlink warning : SM Arch ('sm_90') not found in 'old.o'"])


@behaviour
def kernels_to_keep_are_chosen():
    same("chosen", "-arch=sm_90", "-Xnvlink", "-kernels-used=unused", "a.o", "b.o")


@behaviour
def the_use_of_resources_is_printed():
    done = same("verbose", "-arch=sm_90", "-res-usage", "a.o", "b.o")
    assert "used 8 registers" in done.err, done


@behaviour
def lto_equals_that_of_nvlink():
    """nvlink of a toolkit from wheels lacks libnvvm: it is given one."""
    nvvm = next(wheel("nvidia-nvvm==13.0.88").rglob("libnvvm.so.4"))
    place = sandbox.work / "nvvm"
    (place / "lib64").mkdir(parents=True)
    (place / "lib64/libnvvm.so").symlink_to(nvvm)
    (place / "libdevice").symlink_to(next((sandbox.toolkit / "nvvm").resolve().rglob("libdevice")))
    for what, words in (("lto", ["a.lto.o", "b.lto.o"]), ("lto-partly", ["a.lto.o", "b.o"]),
                        ("lto-registers", ["-maxrregcount=32", "a.lto.o", "b.lto.o"]),
                        ("lto-launches", ["child.lto.o"])):
        done, got = dlinked([PROGRAM, *RUNTIME], what, ["-dlto", "-arch=sm_90", *words])
        equal(done.status, 0, done)
        cubin = sandbox.work / f"{what}.cubin"
        ended = sandbox.run("nvlink", "-arch=sm_90", "-dlto", f"-nvvmpath={place}", *words,
                            f"-L{sandbox.toolkit}/lib64", "-lcudadevrt", "-o", cubin)
        equal(ended.status, 0, ended)
        equal(facts(got["device.sm_90.cubin"]), facts(cubin), what)


@behaviour
def the_host_link_finds_every_registration():
    done = sandbox.cc(*RUNTIME, "-arch=sm_90", "main.o", "a.o", "libparts.a", "-cudart", "shared", "-o", "program")
    equal((done.status, done.err), (0, ""), done)
    assert b"nvJIT API" in (sandbox.work / "program").read_bytes()


@behaviour
def a_link_of_host_code_alone_needs_no_nvjitlink():
    done = sandbox.cc(*RUNTIME, "-arch=sm_90", "host.o", "-shared", "-cudart", "shared", "-o", "libhost.so")
    equal((done.status, done.err), (0, ""), done)


def refused(*words, code, status=3, says=""):
    done = sandbox.cc(*RUNTIME, "-arch=sm_90", "-dlink", *words, "-o", "none.o")
    assert done.status == status and done.codes == [code] and says in done.err, done
    assert not (sandbox.work / "none.o").exists(), done


@behaviour
def what_the_linker_refuses_is_told_in_its_words():
    refused("a.o", code="CC5007", says="Undefined reference to '_Z5otheri' in 'a.o'")
    refused("a.o", "b.o", "libparts.a", code="CC5007", says="Multiple definition")
    refused("a.lto.o", "b.lto.o", code="CC5007", says="without LTO enabled")


@behaviour
def an_option_without_a_counterpart_is_refused():
    refused("-Xnvlink", "-dump-callgraph", "a.o", "b.o", code="CC1001", status=2, says="device-linker = \"nvlink\"")
    refused("--time", "times.csv", "a.o", "b.o", code="CC1001", status=2)


@behaviour
def a_file_that_is_no_object_is_refused():
    sandbox.write("text.o", "no object\n")
    refused("text.o", code="CC1009", status=2)


@behaviour
def a_linker_older_than_what_compiled_the_objects_is_refused():
    older = environment_of("nvidia-nvjitlink-cu12==12.4.127", "nvidia-cuda-runtime-cu12==12.4.127")
    done = sandbox.cc(f"--cudacc-runtime=env:{older}", "--cudacc-enforce=warn", "--cudacc-device-linker=runtime",
                      "-arch=sm_90", "-dlink", "a.o", "b.o", "-o", "none.o")
    assert done.status != 0 and "CC50" in done.err and not (sandbox.work / "none.o").exists(), done


@behaviour
def a_runtime_has_to_be_declared():
    done = sandbox.cc("--cudacc-device-linker=runtime", "-arch=sm_90", "-dlink", "a.o", "b.o", "-o", "none.o")
    assert (done.status, done.codes) == (2, ["CC1006"]), done


@behaviour
def a_library_of_another_release_than_its_metadata_says_is_refused():
    with tempfile.TemporaryDirectory(dir=sandbox.work) as folder:
        shutil.copytree(venv, folder, dirs_exist_ok=True)
        info, = Path(folder).glob("nvidia_nvjitlink-*.dist-info")
        info = info.rename(Path(folder) / "nvidia_nvjitlink-13.1.99.dist-info")
        text = (info / "METADATA").read_text().replace("Version: 13.0.88", "Version: 13.1.99")
        (info / "METADATA").unlink()
        (info / "METADATA").write_text(text)
        done = sandbox.cc(f"--cudacc-runtime=env:{folder}", "--cudacc-device-linker=runtime", "-arch=sm_90", "-dlink",
                          "a.o", "b.o", "-o", "none.o")
    assert (done.status, done.codes) == (4, ["CC5008"]) and "it reports 13.0" in done.err, done
    assert not (sandbox.work / "none.o").exists(), done


@behaviour
def nvlink_links_if_nothing_else_is_asked_for():
    for more in ([], [f"--cudacc-runtime=env:{venv}"]):
        done, got = dlinked([PROGRAM, *more], f"plain{len(more)}", ["-arch=sm_90", "a.o", "b.o"])
        equal(done.status, 0, done)
        assert b"nvJIT API" not in got["device.sm_90.cubin"].read_bytes()


@behaviour
def cmake_links_separable_code_of_a_static_library():
    if tools("cmake", "ninja"):
        sandbox.write("cuda-cc.toml", f'runtime = "env:{venv}"\ndevice-linker = "runtime"\n')
        sandbox.write("project/CMakeLists.txt", """cmake_minimum_required(VERSION 3.24)
project(separable LANGUAGES CXX CUDA)
add_library(parts STATIC ../b.cu)
add_executable(whole ../main.cpp ../a.cu)
target_link_libraries(whole PRIVATE parts)
set_target_properties(parts whole PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_RUNTIME_LIBRARY Shared)
""")
        done = sandbox.run("cmake", "-GNinja", "-S", "project", "-B", "build", "-DCMAKE_CUDA_ARCHITECTURES=90",
                           CUDACXX=PROGRAM)
        equal(done.status, 0, done)
        done = sandbox.run("cmake", "--build", "build", CUDACXX=PROGRAM)
        equal(done.status, 0, done)
        assert b"nvJIT API" in (sandbox.work / "build/whole").read_bytes(), done
