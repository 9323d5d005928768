#include <Python.h>
#include <cuda_runtime.h>
#include <cutensornet.h>

static PyObject *version(PyObject *, PyObject *) {
  return PyLong_FromSize_t(cutensornetGetVersion());
}

// Whether cuTensorNet starts on this machine's GPU.
static PyObject *starts(PyObject *, PyObject *) {
  cutensornetHandle_t handle;
  bool started = !cudaFree(nullptr) && !cutensornetCreate(&handle) && !cutensornetDestroy(handle);
  return PyBool_FromLong(started);
}

static PyMethodDef methods[] = {
    {"version", version, METH_NOARGS, ""}, {"starts", starts, METH_NOARGS, ""}, {}};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_network", "", -1, methods};
PyMODINIT_FUNC PyInit__network() { return PyModule_Create(&definition); }
