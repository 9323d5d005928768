# SPDX-License-Identifier: Apache-2.0
# The CMake toolchain file of the directory it lies in, which `cuda-cc toolchain` made:
#
#   cmake -B build -DCMAKE_TOOLCHAIN_FILE=DIR/toolchain.cmake
#
# Afterwards nvcc is cuda-cc, every C and C++ link goes through it, find_package(CUDAToolkit) stays
# inside the directory, and the search paths of all targets hold what the runtime needs.
#
#   CUDA_CC_CHAINLOAD_TOOLCHAIN_FILE   a toolchain file of your own; it is read first
#   CUDA_CC_MANAGE_RPATH               OFF: BUILD_RPATH and INSTALL_RPATH are left alone
#   CUDA_CC_VERIFY_INSTALL             ON: what was installed is judged as the last step
#
# It sets neither the C and C++ compilers nor CMAKE_SYSTEM_NAME: those are yours, but in a directory
# that builds for another machine. CMake reads this file several times, and again in every
# try_compile: what is there already is not added twice.

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

# Made with a compiler for another machine.
include("${CUDA_CC_TOOLCHAIN_DIR}/cmake/CudaCCMachine.cmake" OPTIONAL)
if(CUDA_CC_MACHINE)
  include("${CUDA_CC_TOOLCHAIN_DIR}/cmake/CudaCCCross.cmake")
endif()

# Probes, compiles and device links. As the first word of nvcc's link line CMake finds the shim that
# then links the targets of CUDA alone.
if(EXISTS "${CUDA_CC_TOOLCHAIN_DIR}/bin/nvcc")
  set(CMAKE_CUDA_COMPILER "${CUDA_CC_TOOLCHAIN_DIR}/bin/nvcc")
  # Projects of C++ alone that ask for the toolkit; the second is of CMake's old FindCUDA.
  set(CUDAToolkit_NVCC_EXECUTABLE "${CMAKE_CUDA_COMPILER}" CACHE FILEPATH "cuda-cc as nvcc" FORCE)
  set(CUDA_NVCC_EXECUTABLE "${CMAKE_CUDA_COMPILER}" CACHE FILEPATH "cuda-cc as nvcc" FORCE)
  mark_as_advanced(CUDAToolkit_NVCC_EXECUTABLE CUDA_NVCC_EXECUTABLE)
endif()
set(CUDAToolkit_ROOT "${CUDA_CC_TOOLCHAIN_DIR}")
set(CUDA_TOOLKIT_ROOT_DIR "${CUDA_CC_TOOLCHAIN_DIR}" CACHE PATH "The toolchain directory" FORCE)
mark_as_advanced(CUDA_TOOLKIT_ROOT_DIR)

# Languages that are enabled behind CUDA get the compilers that CMake would find with any other nvcc.
if(NOT "${CUDA_CC_TOOLCHAIN_DIR}/cmake/modules" IN_LIST CMAKE_MODULE_PATH)
  list(APPEND CMAKE_MODULE_PATH "${CUDA_CC_TOOLCHAIN_DIR}/cmake/modules")
endif()

# Links of C++, mixed and C targets. Behind a launcher of the user's, in whose own words ours would
# land otherwise.
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
    # Takes one file: ours includes the user's.
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
