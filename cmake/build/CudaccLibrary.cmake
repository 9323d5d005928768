# SPDX-License-Identifier: Apache-2.0
# cudacc_library(<name> [OPTIMISED] SOURCES <files> [USES <libraries>] [LIBS <targets>])
# Adds a static library of driver/ or plugins/; sources may lie in sub-folders. USES lists the
# libraries whose headers it may include; tests/unit/layout checks the includes.

# gcc 12 reports false overlaps and overflows in std::string's operator+ (GCC PR105651). In a unity
# build (CMAKE_UNITY_BUILD) it treats sources as headers and warns about their anonymous namespaces
# (subobject-linkage).
set(CUDACC_OPTIONS -Wall -Wextra -Wunused-result -Werror=unused-result -fno-exceptions
                        -ffunction-sections -fdata-sections
                        $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-subobject-linkage>)

# Headers that nearly every source includes, precompiled once: saves a third of the time of a clean
# build.
set(CUDACC_COMMON_HEADERS <map> <optional> <string> <utility> <vector> <llvm/ADT/ArrayRef.h>
                          <llvm/ADT/STLExtras.h> <llvm/ADT/SmallVector.h>
                          <llvm/ADT/StringExtras.h> <llvm/ADT/StringRef.h>
                          <llvm/Support/Error.h>)

# Sets the common compile options and precompiled headers for a target. The preset dev optimises OPTIMISED
# targets alone, those that read every byte of a library: the others take half the time to compile so.
function(cudacc_compile_options target)
  cmake_parse_arguments(ARG "OPTIMISED" "" "" ${ARGN})
  set(options ${CUDACC_OPTIONS})
  set(common cudacc_common_optimised)
  if(NOT ARG_OPTIMISED)
    list(APPEND options $<$<CONFIG:Dev>:-O0>)
    set(common cudacc_common)
  endif()
  target_compile_options(${target} PRIVATE ${options})
  if(NOT TARGET ${common})
    file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/${common}.cpp CONTENT "")
    add_library(${common} OBJECT ${PROJECT_BINARY_DIR}/${common}.cpp)
    target_include_directories(${common} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
    target_compile_options(${common} PRIVATE ${options})
    target_precompile_headers(${common} PRIVATE ${CUDACC_COMMON_HEADERS})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${common})
endfunction()

function(cudacc_library name)
  cmake_parse_arguments(LIB "OPTIMISED" "" "SOURCES;USES;LIBS" ${ARGN})
  set(optimised)
  if(LIB_OPTIMISED)
    set(optimised OPTIMISED)
  endif()
  add_library(cudacc_${name} STATIC ${LIB_SOURCES})
  target_include_directories(cudacc_${name} PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  target_include_directories(cudacc_${name} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS} ${FMT_INCLUDE_DIRS})
  cudacc_compile_options(cudacc_${name} ${optimised})
  list(TRANSFORM LIB_USES PREPEND cudacc_ OUTPUT_VARIABLE uses)
  target_link_libraries(cudacc_${name} PUBLIC ${uses} ${LIB_LIBS} LLVMSupport)
endfunction()
