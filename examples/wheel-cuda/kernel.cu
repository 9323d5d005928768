#include <cuda_runtime.h>

__global__ void fill(float *x, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < n)
    x[at] = float(at);
}

cudaError_t fillOnDevice(float *x, int n) {
  fill<<<(n + 255) / 256, 256>>>(x, n);
  return cudaGetLastError();
}
