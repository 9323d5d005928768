# SPDX-License-Identifier: Apache-2.0
# LLVM's package, as far as the program asks it: where headers and libraries are.
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH prefix)
cmake_path(GET prefix PARENT_PATH lib)
cmake_path(GET lib PARENT_PATH prefix)
set(LLVM_INCLUDE_DIRS ${prefix}/include)
set(LLVM_MAIN_INCLUDE_DIR ${LLVM_INCLUDE_DIRS})
find_package(ZLIB REQUIRED)
add_library(zstd::libzstd_static STATIC IMPORTED)
set_target_properties(zstd::libzstd_static PROPERTIES IMPORTED_LOCATION ${lib}/libzstd.a)
add_library(LLVMSupport STATIC IMPORTED)
set_target_properties(LLVMSupport PROPERTIES IMPORTED_LOCATION ${lib}/libLLVMSupport.a)
