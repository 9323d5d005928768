# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Parts of different releases are rejected with cuda-cc's message, not nvcc's (V-TG-08, N26, P30): nvcc 13.2 with
runtime headers 13.0, which is what `pip install nvidia-cuda-nvcc==13.0.88` installs, and headers of another release in
the host compiler's default directories."""
from sandbox import KERNEL, PROGRAM, Sandbox, environment_of, skip, toolkit, wheel

sandbox = Sandbox()
sandbox.write("k.cu", KERNEL)

def says(ended, *facts):
    """Joins long lines that were wrapped at blanks."""
    text = " ".join(ended.err.split())
    for fact in facts:
        assert fact in text, (fact, ended)

compile = ("-arch=sm_80", "-c", "k.cu", "-o", "k.o")

merged = environment_of(
    "nvidia-cuda-nvcc==13.2.86", "nvidia-nvvm==13.2.86", "nvidia-cuda-crt==13.2.86",
    "nvidia-cuda-runtime==13.0.96", "nvidia-cuda-cccl==13.0.85") / "nvidia/cu13"
for runtime in ("cuda==13.0", "cuda==13.2"):  # V-TG-08
    ended = sandbox.use(merged).refused(f"--cudacc-runtime={runtime}", *compile, code="CC3003",
                                        output="k.o")
    # Both origins, and the reason why they must agree (MS-2).
    says(ended, f"program: nvcc 13.2.86, CUDA 13.2, at {merged}/bin/nvcc (its own text)",
         f"headers: cudart 13.0 at {merged}/include/cuda_runtime_api.h (nvcc's own)",
         "rule: all of device-compiler/build", f"fix: pip install 'nvidia-cuda-nvcc=={runtime[6:]}.*'")
# TG-2: the incoherent set first, then all other errors.
ended = sandbox.refused("--cudacc-runtime=cuda==13.0", *compile, code="CC3003", output="k.o")
assert ended.codes == ["CC3003", "CC3001"], ended
ended = sandbox.refused("--cudacc-runtime=cuda==13.0", "--cudacc-runtime=driver>=470.57.02", *compile,
                        code="CC3003", output="k.o")
assert len(ended.codes) == 3 and ended.codes[:2] == ["CC3003", "CC3001"], ended  # V-EO-04

for runtime in ("cuda==13.0", "cuda==13.5"):  # N26, P30
    ended = sandbox.use(toolkit("mixed")).refused(f"--cudacc-runtime={runtime}", *compile,
                                                  code="CC3003", output="k.o")
    assert "13.0.88" in ended.err and "13.5" in ended.err, ended
    assert "fix:" in ended.err, ended

# CUDA headers in the host compiler's default directories: nvcc passes no include directory of its own.
MOUNTED = 'mount --bind "$1" /usr/local/include && shift && exec "$@"'
bare = environment_of("nvidia-cuda-nvcc==13.0.88", "nvidia-nvvm==13.0.88",
                      "nvidia-cuda-crt==13.0.88") / "nvidia/cu13"
sandbox.use(bare)

def beside(headers, *words):
    ended = sandbox.run("unshare", "-m", "sh", "-c", MOUNTED, "sh", headers, PROGRAM, *words)
    if "mount:" in ended.err or "unshare:" in ended.err:
        skip(f"no mounts here: {ended.err}")
    return ended

runtime = "--cudacc-runtime=cuda==13.0"
for version, line in (("12.9.79", "12.9"), ("13.2.75", "13.2")):
    name = "nvidia-cuda-runtime" + ("-cu12" if line < "13" else "")
    headers = next(wheel(f"{name}=={version}").glob("nvidia/*/include"))
    ended = beside(headers, runtime, *compile)
    assert ended.status == 3 and ended.codes[0] == "CC3003", ended
    says(ended, f"nvcc 13.0.88, CUDA 13.0, at {bare}/bin/nvcc",
         f"headers: cudart {line} at /usr/local/include/cuda_runtime_api.h (built-in directory of ",
         "fix:")
    assert not (sandbox.work / "k.o").exists()
    if line == "13.2":  # consequences of the first error are marked so (EO-3)
        says(ended, "consequence: of headers that do not belong to nvcc")
ended = beside(next(wheel("nvidia-cuda-runtime==13.0.96").glob("nvidia/*/include")), runtime,
               "--cudacc-print=verdict", *compile)
assert ended.status == 0 and '"accept"' in ended.out, ended
