# SPDX-License-Identifier: Apache-2.0
# The CMake toolchain file of the toolchain directory it lies in (made by `cuda-cc toolchain`):
#
#   cmake -B build -DCMAKE_TOOLCHAIN_FILE=DIR/toolchain.cmake
#
# The build then uses cuda-cc as nvcc, every C and C++ link goes through it,
# find_package(CUDAToolkit) finds only this directory, and the search paths of all targets contain
# the directories of the runtime.
#
#   CUDA_CC_CHAINLOAD_TOOLCHAIN_FILE   your own toolchain file, which is read first
#   CUDA_CC_MANAGE_RPATH               OFF: leave BUILD_RPATH and INSTALL_RPATH unchanged
#   CUDA_CC_VERIFY_INSTALL             ON: check the installed files as the last step
#
# It does not set the C and C++ compilers or CMAKE_SYSTEM_NAME, unless the directory builds for
# another machine. CMake reads this file several times, also in every try_compile, so nothing may be
# added twice.

if(CMAKE_VERSION VERSION_LESS 3.21)
  message(FATAL_ERROR "cuda-cc: this is CMake ${CMAKE_VERSION}, toolchain.cmake needs 3.21 (linker "
                      "launchers)")
endif()

if(CUDA_CC_CHAINLOAD_TOOLCHAIN_FILE)
  get_filename_component(CUDA_CC_CHAINLOAD_TOOLCHAIN_FILE "${CUDA_CC_CHAINLOAD_TOOLCHAIN_FILE}"
                         ABSOLUTE BASE_DIR "${CMAKE_SOURCE_DIR}")
  if(NOT EXISTS "${CUDA_CC_CHAINLOAD_TOOLCHAIN_FILE}")
    message(FATAL_ERROR "cuda-cc: there is no ${CUDA_CC_CHAINLOAD_TOOLCHAIN_FILE} "
                        "(CUDA_CC_CHAINLOAD_TOOLCHAIN_FILE)")
  elseif(CUDA_CC_CHAINLOAD_TOOLCHAIN_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
    message(FATAL_ERROR "cuda-cc: CUDA_CC_CHAINLOAD_TOOLCHAIN_FILE names toolchain.cmake itself")
  endif()
  include("${CUDA_CC_CHAINLOAD_TOOLCHAIN_FILE}")
endif()

cmake_policy(PUSH)
cmake_policy(VERSION 3.21)
set(CUDA_CC_TOOLCHAIN_DIR "${CMAKE_CURRENT_LIST_DIR}")

# The directory was made with a compiler for another machine.
include("${CUDA_CC_TOOLCHAIN_DIR}/cmake/CudaCCMachine.cmake" OPTIONAL)
if(CUDA_CC_MACHINE)
  include("${CUDA_CC_TOOLCHAIN_DIR}/cmake/CudaCCCross.cmake")
endif()

# For probes, compiles and device links. From nvcc's link line CMake takes the shim as the program
# that then links targets with only CUDA sources.
if(EXISTS "${CUDA_CC_TOOLCHAIN_DIR}/bin/nvcc")
  set(CMAKE_CUDA_COMPILER "${CUDA_CC_TOOLCHAIN_DIR}/bin/nvcc")
  # For C++ projects that search for the toolkit; the second one is for CMake's old FindCUDA.
  set(CUDAToolkit_NVCC_EXECUTABLE "${CMAKE_CUDA_COMPILER}" CACHE FILEPATH "cuda-cc as nvcc" FORCE)
  set(CUDA_NVCC_EXECUTABLE "${CMAKE_CUDA_COMPILER}" CACHE FILEPATH "cuda-cc as nvcc" FORCE)
  mark_as_advanced(CUDAToolkit_NVCC_EXECUTABLE CUDA_NVCC_EXECUTABLE)
endif()
set(CUDAToolkit_ROOT "${CUDA_CC_TOOLCHAIN_DIR}")
set(CUDA_TOOLKIT_ROOT_DIR "${CUDA_CC_TOOLCHAIN_DIR}" CACHE PATH "The toolchain directory" FORCE)
mark_as_advanced(CUDA_TOOLKIT_ROOT_DIR)

# Languages enabled after CUDA get the compilers that CMake would find with any other nvcc.
if(NOT "${CUDA_CC_TOOLCHAIN_DIR}/cmake/modules" IN_LIST CMAKE_MODULE_PATH)
  list(APPEND CMAKE_MODULE_PATH "${CUDA_CC_TOOLCHAIN_DIR}/cmake/modules")
endif()

# For links of C++, mixed and C targets. Appended behind the user's launcher, which might otherwise
# take it for one of its own arguments.
foreach(_cuda_cc_name IN ITEMS CMAKE_C_LINKER_LAUNCHER CMAKE_CXX_LINKER_LAUNCHER)
  if(NOT ${_cuda_cc_name} AND DEFINED ENV{${_cuda_cc_name}})
    set(${_cuda_cc_name} "$ENV{${_cuda_cc_name}}")
  endif()
  if(NOT "${CUDA_CC_TOOLCHAIN_DIR}/bin/cuda-cc" IN_LIST ${_cuda_cc_name})
    list(APPEND ${_cuda_cc_name} "${CUDA_CC_TOOLCHAIN_DIR}/bin/cuda-cc")
  endif()
endforeach()

foreach(_cuda_cc_name IN ITEMS CUDA_CC_CHAINLOAD_TOOLCHAIN_FILE)
  if(NOT _cuda_cc_name IN_LIST CMAKE_TRY_COMPILE_PLATFORM_VARIABLES)
    list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ${_cuda_cc_name})
  endif()
endforeach()

get_property(_cuda_cc_trying GLOBAL PROPERTY IN_TRY_COMPILE)
if(NOT _cuda_cc_trying)
  set(CudaCC_DIR "${CUDA_CC_TOOLCHAIN_DIR}/cmake")
  set(_cuda_cc_name "${CudaCC_DIR}/CudaCCProject.cmake")
  if(CMAKE_VERSION VERSION_LESS 3.24)
    # CMAKE_PROJECT_INCLUDE takes one file, so ours includes the user's.
    if(NOT "${CMAKE_PROJECT_INCLUDE}" STREQUAL _cuda_cc_name)
      set(CUDA_CC_PROJECT_INCLUDE "${CMAKE_PROJECT_INCLUDE}")
      set(CMAKE_PROJECT_INCLUDE "${_cuda_cc_name}")
    endif()
  elseif(NOT _cuda_cc_name IN_LIST CMAKE_PROJECT_TOP_LEVEL_INCLUDES)
    list(APPEND CMAKE_PROJECT_TOP_LEVEL_INCLUDES "${_cuda_cc_name}")
  endif()
endif()

unset(_cuda_cc_trying)
unset(_cuda_cc_name)
cmake_policy(POP)
