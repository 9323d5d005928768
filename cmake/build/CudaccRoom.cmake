# cudacc_room(<name> SOURCES <files> [USES <rooms>] [LIBS <targets>])
# One static library per room of driver/. USES says which rooms its headers and sources may include;
# tests/unit/house reads the includes and holds them to it.
set(CUDACC_ROOM_OPTIONS -Wall -Wextra -Wunused-result -Werror=unused-result -fno-exceptions
                        -ffunction-sections -fdata-sections)

function(cudacc_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;USES;LIBS" ${ARGN})
  add_library(cudacc_${name} STATIC ${ROOM_SOURCES})
  target_include_directories(cudacc_${name} PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  target_include_directories(cudacc_${name} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS})
  target_compile_definitions(cudacc_${name} PUBLIC FMT_HEADER_ONLY=1)
  target_compile_options(cudacc_${name} PRIVATE ${CUDACC_ROOM_OPTIONS})
  list(TRANSFORM ROOM_USES PREPEND cudacc_ OUTPUT_VARIABLE uses)
  target_link_libraries(cudacc_${name} PUBLIC ${uses} ${ROOM_LIBS} LLVMSupport)
endfunction()
