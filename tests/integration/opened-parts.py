# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""A link says what `check` says of libraries that open others at their first call, with tables and in an environment:
NVRTC 13.0, whose wheel has no search path to its builtins, and the parts of cuDNN. The libraries do as was said."""
from proof import prefix
from sandbox import Sandbox, equal, wheel, wheels

# The process ends where a part of cuDNN is missing; NVRTC returns an error.
RUN = """import ctypes, sys
sys.exit(ctypes.CDLL(sys.argv[1]).call() != 0)
"""
NVRTC = """extern "C" int nvrtcCreateProgram(void **, const char *, const char *, int, void *, void *);
extern "C" int nvrtcCompileProgram(void *, int, void *);
extern "C" int call() {
  void *program;
  nvrtcCreateProgram(&program, "__global__ void f() {}", "f.cu", 0, nullptr, nullptr);
  return nvrtcCompileProgram(program, 0, nullptr);
}
"""
CUDNN = """extern "C" int cudnnCreateTensorDescriptor(void **);
extern "C" int call() { void *made; return cudnnCreateTensorDescriptor(&made); }
"""
FACTS = ("opened by:", "when:", "raises:")


def site_of(name, *requirements):
    site = sandbox.root / name
    wheels.merge(requirements, site)
    (site / "package").mkdir()
    return site, prefix(sandbox, site, f"venv-{name}")


def works(site):
    """Whether the output works where it will be installed."""
    (site / "package/ext.so").write_bytes((sandbox.work / "ext.so").read_bytes())
    return sandbox.run("python3", "-c", RUN, site / "package/ext.so").status == 0


def facts_of(text):
    """The titles, and the facts, which `check` prints once where they are the same."""
    lines = [" ".join(line.split()).removeprefix("cuda-cc: error: ") for line in text.splitlines()]
    return ([line for line in lines if "not found at run time" in line],
            {line for line in lines if line.startswith(FACTS)})


def refused(runtime, line, library, site):
    """The link and `check` say the same of the output, which does not work."""
    ended = sandbox.refused(f"--cudacc-runtime={runtime}", *line, code="CC4022", output="ext.so")
    assert f"{library} is not found at run time" in ended.err, ended
    made = sandbox.cc(f"--cudacc-runtime={runtime}", "--cudacc-enforce=warn", *line)
    equal(made.status, 0, made)
    checked = sandbox.cc("check", f"--runtime={runtime}", sandbox.work / "ext.so")
    equal((checked.status, facts_of(checked.out)), (3, facts_of(ended.err)), checked)
    equal(len(facts_of(ended.err)[1]), len(FACTS), ended)
    equal(works(site), False)
    (sandbox.work / "ext.so").unlink()


sandbox = Sandbox()
site, venv = site_of("nvrtc", "nvidia-cuda-nvrtc==13.0.88", "nvidia-cuda-runtime==13.0.96")
folder = wheel("nvidia-cuda-nvrtc==13.0.88") / "nvidia/cu13/lib"
sandbox.write("ext.cpp", NVRTC)
line = ("g++", "-shared", "-fPIC", "ext.cpp", "-o", "ext.so", f"-L{folder}", "-l:libnvrtc.so.13")
for runtime in ("torch==2.11.0", f"env:{venv}"):
    # cuda-cc writes a DT_RPATH, which also serves what libnvrtc opens.
    sandbox.good(f"--cudacc-runtime={runtime}", *line)
    equal(works(site), True)
    (sandbox.work / "ext.so").unlink()
    refused(runtime, (*line, "--cudacc-dtags=runpath"), "libnvrtc-builtins.so.13.0", site)

site, venv = site_of("cudnn", "nvidia-cudnn-cu12==9.1.0.70", "nvidia-cuda-runtime-cu12==12.4.127")
folder = wheel("nvidia-cudnn-cu12==9.1.0.70") / "nvidia/cudnn/lib"
sandbox.write("ext.cpp", CUDNN)
line = ("g++", "-shared", "-fPIC", "ext.cpp", "-o", "ext.so", f"-L{folder}", "-l:libcudnn.so.9")
sandbox.good(f"--cudacc-runtime=env:{venv}", *line)
equal(works(site), True)
(site / "nvidia/cudnn/lib/libcudnn_ops.so.9").unlink()
(sandbox.work / "ext.so").unlink()
refused(f"env:{venv}", line, "libcudnn_ops.so.9", site)
