#include <cstdio>
#include <cuda_runtime.h>

int main() {
  int version = 0;
  cudaRuntimeGetVersion(&version);
  std::printf("CUDA runtime %d.%d\n", version / 1000, version % 1000 / 10);
  return 0;
}
