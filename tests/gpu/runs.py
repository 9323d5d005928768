# SPDX-License-Identifier: Apache-2.0
# REQUIRES: gpu
# RUN: PYTHONPATH=%S/../integration %support/hide-cuda %python -B %s
"""A program that was linked, sealed and given a search path still runs its kernel on a GPU."""
from sandbox import Sandbox, equal

sandbox = Sandbox("13.0")
sandbox.write("sum.cu", """
#include <cstdio>
__global__ void add(int *x) { atomicAdd(x, threadIdx.x); }
int main() {
  int *x = nullptr, sum = 0;
  cudaMalloc(&x, sizeof *x);
  cudaMemset(x, 0, sizeof *x);
  add<<<1, 32>>>(x);
  cudaMemcpy(&sum, x, sizeof sum, cudaMemcpyDeviceToHost);
  std::printf("%d %s\\n", sum, cudaGetErrorString(cudaGetLastError()));
}
""")
sandbox.good("--cudacc-runtime=cuda==13.0", "-arch=native", "sum.cu", "-o", "sum")
equal(sandbox.run("./sum").out, "496 no error\n", "output")
