# What toolchain.cmake has the first project() of a build include.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/CudaCC.cmake")
if(NOT DEFINED CUDA_CC_MANAGE_RPATH OR CUDA_CC_MANAGE_RPATH)
  cuda_cc_enable_all()
endif()
if(CUDA_CC_VERIFY_INSTALL)
  cuda_cc_install_verify()
endif()
