# SPDX-License-Identifier: Apache-2.0
# cudacc_library(<name> SOURCES <files> [USES <libraries>] [LIBS <targets>])
# A static library of driver/ or plugins/; sources may lie in sub-folders. USES says which rooms its headers and sources may include;
# tests/unit/layout reads the includes and holds them to it.
# gcc 12 sees overlaps and overflows in std::string's operator+ that are not there (GCC PR105651).
# Where sources are compiled in batches (CMAKE_UNITY_BUILD) it takes each of them for a header.
set(CUDACC_OPTIONS -Wall -Wextra -Wunused-result -Werror=unused-result -fno-exceptions
                        -ffunction-sections -fdata-sections
                        $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-subobject-linkage>)

# Release only. The common headers were compiled for speed, so that gcc reads them anew.
set(CUDACC_SMALL $<$<CONFIG:Release>:-Os;-Wno-error=invalid-pch>)

# What nearly every source includes, compiled once: a third of the time of a clean build.
set(CUDACC_COMMON_HEADERS <map> <optional> <string> <utility> <vector> <llvm/ADT/ArrayRef.h>
                          <llvm/ADT/STLExtras.h> <llvm/ADT/SmallVector.h>
                          <llvm/ADT/StringExtras.h> <llvm/ADT/StringRef.h>
                          <llvm/Support/Error.h>)

# Compiles the sources of a target as all of them are compiled.
function(cudacc_compile_options target)
  target_compile_options(${target} PRIVATE ${CUDACC_OPTIONS})
  if(NOT TARGET cudacc_common)
    file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/common.cpp CONTENT "")
    add_library(cudacc_common OBJECT ${PROJECT_BINARY_DIR}/common.cpp)
    target_include_directories(cudacc_common SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
    target_compile_options(cudacc_common PRIVATE ${CUDACC_OPTIONS})
    target_precompile_headers(cudacc_common PRIVATE ${CUDACC_COMMON_HEADERS})
  endif()
  target_precompile_headers(${target} REUSE_FROM cudacc_common)
endfunction()

function(cudacc_library name)
  cmake_parse_arguments(LIB "" "" "SOURCES;USES;LIBS" ${ARGN})
  add_library(cudacc_${name} STATIC ${LIB_SOURCES})
  target_include_directories(cudacc_${name} PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  target_include_directories(cudacc_${name} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS} ${FMT_INCLUDE_DIRS})
  cudacc_compile_options(cudacc_${name})
  list(TRANSFORM LIB_USES PREPEND cudacc_ OUTPUT_VARIABLE uses)
  target_link_libraries(cudacc_${name} PUBLIC ${uses} ${LIB_LIBS} LLVMSupport)
endfunction()
