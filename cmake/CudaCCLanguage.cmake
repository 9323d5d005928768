# SPDX-License-Identifier: Apache-2.0
# In a toolchain directory this is cmake/modules/Platform/Linux-C.cmake, and the same for CXX, OBJC
# and OBJCXX. CMake reads it before it searches for the compiler of that language. CMake searches
# beside the compilers of other languages first, and beside the directory's nvcc lies cuda-cc as gcc
# and g++: it would take that one if CUDA is enabled before CXX, and not in the other order. So the
# compiler is searched here, by CMake's own macro, but without nvcc's folder. A compiler named by a
# variable, by -D or by a toolchain file is not searched at all.

function(_cuda_cc_find_compiler lang variables)
  if(CMAKE_${lang}_COMPILER OR CMAKE_GENERATOR_${lang} OR NOT COMMAND _cmake_find_compiler)
    return()
  endif()
  foreach(variable IN LISTS variables)
    if(NOT "$ENV{${variable}}" STREQUAL "")
      return()
    endif()
  endforeach()
  get_filename_component(root "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../.." ABSOLUTE)
  get_filename_component(bin "${CMAKE_CUDA_COMPILER}" DIRECTORY)
  if(NOT "${bin}" STREQUAL "${root}/bin")
    return()
  endif()
  # Hidden only in this scope; the result is stored in the cache.
  set(CMAKE_CUDA_COMPILER)
  set(CMAKE_${lang}_COMPILER_INIT)
  set(CMAKE_${lang}_COMPILER_LIST ${ARGN})
  _cmake_find_compiler(${lang})
endfunction()

# The names that CMake tries, in its order.
set(_cuda_cc_prefix "${_CMAKE_TOOLCHAIN_PREFIX}")
if(CMAKE_CURRENT_LIST_FILE MATCHES "-C[.]cmake$")
  _cuda_cc_find_compiler(C "CC" ${_cuda_cc_prefix}cc ${_cuda_cc_prefix}gcc cl bcc xlc icx clang)
elseif(CMAKE_CURRENT_LIST_FILE MATCHES "-CXX[.]cmake$")
  _cuda_cc_find_compiler(CXX "CXX" CC ${_cuda_cc_prefix}c++ ${_cuda_cc_prefix}g++ aCC cl bcc xlC icpx
                         icx clang++)
elseif(CMAKE_CURRENT_LIST_FILE MATCHES "-OBJC[.]cmake$")
  _cuda_cc_find_compiler(OBJC "OBJC;CC" clang ${_cuda_cc_prefix}cc ${_cuda_cc_prefix}gcc)
else()
  _cuda_cc_find_compiler(OBJCXX "OBJCXX;CXX" clang++ ${_cuda_cc_prefix}c++ ${_cuda_cc_prefix}g++)
endif()
unset(_cuda_cc_prefix)
