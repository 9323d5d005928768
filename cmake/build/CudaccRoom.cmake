# cudacc_room(<name> SOURCES <files> [USES <rooms>] [LIBS <targets>])
# One static library per room of driver/. USES says which rooms its headers and sources may include;
# tests/unit/house reads the includes and holds them to it.
# gcc 12 sees overlaps and overflows in std::string's operator+ that are not there (GCC PR105651).
set(CUDACC_ROOM_OPTIONS -Wall -Wextra -Wunused-result -Werror=unused-result -fno-exceptions
                        -ffunction-sections -fdata-sections
                        $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>)

# What nearly every source includes, compiled once: a third of the time of a clean build.
set(CUDACC_COMMON_HEADERS <map> <optional> <string> <utility> <vector> <llvm/ADT/ArrayRef.h>
                          <llvm/ADT/STLExtras.h> <llvm/ADT/SmallVector.h>
                          <llvm/ADT/StringExtras.h> <llvm/ADT/StringRef.h>
                          <llvm/Support/Error.h>)

# Compiles the sources of a room or a hall as all of them are compiled.
function(cudacc_compile_options target)
  target_compile_options(${target} PRIVATE ${CUDACC_ROOM_OPTIONS})
  if(NOT TARGET cudacc_common)
    file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/common.cpp CONTENT "")
    add_library(cudacc_common OBJECT ${PROJECT_BINARY_DIR}/common.cpp)
    target_include_directories(cudacc_common SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
    target_compile_options(cudacc_common PRIVATE ${CUDACC_ROOM_OPTIONS})
    target_precompile_headers(cudacc_common PRIVATE ${CUDACC_COMMON_HEADERS})
  endif()
  target_precompile_headers(${target} REUSE_FROM cudacc_common)
endfunction()

# Compiles the sources of a tool or a test in batches of so many: most of what a test costs are the
# headers and templates that its neighbours need as well. Not for rooms and halls: what ships is
# compiled file by file. -DCMAKE_UNITY_BUILD=OFF (preset `lint`) compiles everything so.
function(cudacc_batches target size)
  if(NOT DEFINED CMAKE_UNITY_BUILD OR CMAKE_UNITY_BUILD)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
    # gcc takes what is included for a header.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

function(cudacc_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;USES;LIBS" ${ARGN})
  add_library(cudacc_${name} STATIC ${ROOM_SOURCES})
  target_include_directories(cudacc_${name} PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  target_include_directories(cudacc_${name} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS})
  cudacc_compile_options(cudacc_${name})
  list(TRANSFORM ROOM_USES PREPEND cudacc_ OUTPUT_VARIABLE uses)
  target_link_libraries(cudacc_${name} PUBLIC ${uses} ${ROOM_LIBS} LLVMSupport)
endfunction()
