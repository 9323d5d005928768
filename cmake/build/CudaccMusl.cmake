# SPDX-License-Identifier: Apache-2.0
# cudacc_musl_functions(<target>)
# Gives a static program functions of its own where those of its libc are slow (driver/musl).
function(cudacc_musl_functions target)
  if(NOT TARGET cudacc_musl)
    add_library(cudacc_musl OBJECT ${PROJECT_SOURCE_DIR}/driver/musl/Bytes.cpp
                                   ${PROJECT_SOURCE_DIR}/driver/musl/Memory.cpp)
    set_target_properties(cudacc_musl PROPERTIES UNITY_BUILD OFF)
    target_include_directories(cudacc_musl PUBLIC ${PROJECT_SOURCE_DIR})
    # Optimised in every build, and not made of calls of themselves.
    target_compile_options(cudacc_musl PRIVATE ${CUDACC_OPTIONS} -O2 -fno-builtin)
  endif()
  target_link_libraries(${target} PRIVATE cudacc_musl)
  foreach(function malloc calloc realloc free)
    target_link_options(${target} PRIVATE -Wl,--wrap=${function})
  endforeach()
endfunction()
