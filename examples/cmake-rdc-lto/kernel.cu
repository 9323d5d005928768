#include <cuda_runtime.h>

__device__ float square(float x);

__global__ void squareEach(float *values) { values[threadIdx.x] = square(values[threadIdx.x]); }

extern "C" int squares(float *values, int count) {
  squareEach<<<1, count>>>(values);
  return cudaGetLastError();
}
