# SPDX-License-Identifier: Apache-2.0
# For toolchain.cmake of a directory that builds for another machine, which CudaCCMachine.cmake
# names. Variables set already, by -D or by a toolchain file read before, are kept.

if(NOT CMAKE_SYSTEM_NAME)
  set(CMAKE_SYSTEM_NAME Linux)
  set(CMAKE_SYSTEM_PROCESSOR "${CUDA_CC_MACHINE}")
endif()
if(NOT CMAKE_C_COMPILER AND CUDA_CC_C_COMPILER)
  set(CMAKE_C_COMPILER "${CUDA_CC_C_COMPILER}")
endif()
if(NOT CMAKE_CXX_COMPILER AND CUDA_CC_CXX_COMPILER)
  set(CMAKE_CXX_COMPILER "${CUDA_CC_CXX_COMPILER}")
endif()
# These directories are searched first, not exclusively: CUDA's own libraries are elsewhere.
if(NOT CMAKE_FIND_ROOT_PATH AND CUDA_CC_FIND_ROOT)
  set(CMAKE_FIND_ROOT_PATH "${CUDA_CC_FIND_ROOT}")
endif()
