#include <Python.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusparse.h>
#include <nvJitLink.h>
#include <string>
#include <vector>

cudaError_t fillOnDevice(float *x, int n);

static const char twice[] = R"(.version 7.8
.target sm_80
.address_size 64
.visible .entry twice(.param .u64 p) {
  .reg .b64 %rd<4>; .reg .b32 %r<3>; .reg .f32 %f<3>;
  ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;
  ld.global.f32 %f1, [%rd3]; add.f32 %f2, %f1, %f1; st.global.f32 [%rd3], %f2; ret;
})";

// nvJitLink: the kernel above as an image for an architecture; empty if it could not be linked.
static std::vector<char> linked(int architecture) {
  std::string option = "-arch=sm_" + std::to_string(architecture);
  const char *options[] = {option.c_str()};
  std::vector<char> image;
  nvJitLinkHandle handle;
  if (nvJitLinkCreate(&handle, 1, options))
    return image;
  size_t size = 0;
  if (!nvJitLinkAddData(handle, NVJITLINK_INPUT_PTX, twice, sizeof twice, "twice") &&
      !nvJitLinkComplete(handle) && !nvJitLinkGetLinkedCubinSize(handle, &size)) {
    image.resize(size);
    nvJitLinkGetLinkedCubin(handle, image.data());
  }
  nvJitLinkDestroy(&handle);
  return image;
}

static bool doubled(float *x, int n) {
  cudaDeviceProp device;
  if (cudaGetDeviceProperties(&device, 0))
    return false;
  std::vector<char> image = linked(device.major * 10 + device.minor);
  cudaLibrary_t library;
  cudaKernel_t kernel;
  void *arguments[] = {&x};
  return !image.empty() &&
         !cudaLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0) &&
         !cudaLibraryGetKernel(&kernel, library, "twice") &&
         !cudaLaunchKernel((const void *)kernel, dim3(1), dim3(n), arguments, 0, nullptr);
}

// y = D x, where D has these values on its diagonal.
static bool scaled(const int *offsets, const int *columns, float *values, float *x, float *y,
                   int n) {
  float one = 1, zero = 0;
  size_t size = 0;
  void *buffer = nullptr;
  cusparseHandle_t handle;
  cusparseSpMatDescr_t matrix;
  cusparseDnVecDescr_t in, out;
  return !cusparseCreate(&handle) &&
         !cusparseCreateCsr(&matrix, n, n, n, (void *)offsets, (void *)columns, values,
                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                            CUDA_R_32F) &&
         !cusparseCreateDnVec(&in, n, x, CUDA_R_32F) &&
         !cusparseCreateDnVec(&out, n, y, CUDA_R_32F) &&
         !cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, in, &zero,
                                  out, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &size) &&
         !cudaMalloc(&buffer, size + 1) &&
         !cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, in, &zero, out,
                       CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer) &&
         !cudaDeviceSynchronize();
}

// The sum of (2 i) i for i below n: doubled by nvJitLink's kernel, multiplied by cuSPARSE, added up
// by cuBLAS.
static PyObject *solve(PyObject *, PyObject *argument) {
  int n = (int)PyLong_AsLong(argument);
  if (n < 1 || n > 1024) {
    if (!PyErr_Occurred())
      PyErr_SetString(PyExc_ValueError, "from 1 to 1024");
    return nullptr;
  }
  std::vector<int> counted(n + 1);
  for (int at = 0; at <= n; ++at)
    counted[at] = at;
  float *x = nullptr, *y = nullptr, sum = 0;
  int *indices = nullptr;
  cublasHandle_t blas;
  bool done =
      !cudaMalloc((void **)&x, n * sizeof *x) && !cudaMalloc((void **)&y, n * sizeof *y) &&
      !cudaMalloc((void **)&indices, (n + 1) * sizeof *indices) &&
      !cudaMemcpy(indices, counted.data(), (n + 1) * sizeof *indices, cudaMemcpyHostToDevice) &&
      !fillOnDevice(x, n) && !cudaMemcpy(y, x, n * sizeof *y, cudaMemcpyDeviceToDevice);
  float *product = nullptr;
  done = done && doubled(x, n) && !cudaMalloc((void **)&product, n * sizeof *product) &&
         scaled(indices, indices, x, y, product, n) && !cublasCreate(&blas) &&
         !cublasSasum(blas, n, product, 1, &sum);
  if (done)
    return PyFloat_FromDouble(sum);
  PyErr_Format(PyExc_RuntimeError, "CUDA: %s", cudaGetErrorString(cudaGetLastError()));
  return nullptr;
}

static PyObject *link(PyObject *, PyObject *argument) {
  return PyLong_FromSize_t(linked((int)PyLong_AsLong(argument)).size());
}

static PyMethodDef methods[] = {{"solve", solve, METH_O, ""}, {"link", link, METH_O, ""}, {}};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_math", "", -1, methods};
PyMODINIT_FUNC PyInit__math() { return PyModule_Create(&definition); }
