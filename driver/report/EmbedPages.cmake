# SPDX-License-Identifier: Apache-2.0
# cmake -DOUTPUT=FILE -P EmbedPages.cmake -- PAGE...
# Writes `{NUMBER, R"cudacc(TEXT)cudacc"},` for each page CCNUMBER.md, in the given order, which is
# that of Diagnostic.def.
set(text "")
set(inPages OFF)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(index RANGE ${last})
  set(argument "${CMAKE_ARGV${index}}")
  if(inPages)
    get_filename_component(name "${argument}" NAME_WE)
    string(SUBSTRING "${name}" 2 -1 number)
    file(READ "${argument}" page)
    string(APPEND text "{${number}, R\"cudacc(${page})cudacc\"},\n")
  elseif(argument STREQUAL "--")
    set(inPages ON)
  endif()
endforeach()
file(WRITE "${OUTPUT}" "${text}")
