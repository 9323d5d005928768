# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""CMake's configure step shows our code if the toolkit is rejected (R2, AT4); --version is never rejected
(AT5)."""
import re

from sandbox import PROGRAM, Sandbox, equal

sandbox = Sandbox("13.1")
sandbox.write("cuda-cc.toml", 'runtime = "cuda==13.0"\n')
sandbox.write("CMakeLists.txt", """cmake_minimum_required(VERSION 3.24)
project(pure LANGUAGES CUDA)
""")
done = sandbox.run("cmake", "-B", "build", CUDACXX=PROGRAM)
assert done.status, done
shown = re.sub(r"\s+", " ", done.out + done.err)
assert "[CC3001]" in shown, done
assert re.search(r"cuda-cc: error: .{1,77}\[CC3001\]", shown), "the first line is not torn"
for fact in ("13.1", "13.0", "cuda-cc.toml"):
    assert fact in shown, done

ended = sandbox.cc("--version")
plain = sandbox.run(sandbox.toolkit / "bin/nvcc", "--version")
equal((ended.status, ended.out, ended.err), (0, plain.out, ""), "--version")
equal(re.findall(r"V([\d.]+)", ended.out)[-1].split(".")[:2], ["13", "1"], "the last V")
sandbox.clean()
