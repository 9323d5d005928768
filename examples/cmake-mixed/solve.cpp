#include <cusolverDn.h>

extern "C" int scale(float *values, int count, float by);

extern "C" int solve(float *values, int count) {
  cusolverDnHandle_t handle = nullptr;
  if (cusolverDnCreate(&handle) != CUSOLVER_STATUS_SUCCESS)
    return 1;
  int status = scale(values, count, 0.5F);
  cusolverDnDestroy(handle);
  return status;
}
