# SPDX-License-Identifier: Apache-2.0
# cudacc_order_text(<target> <file>)
# Places the functions and constants that <file> names next to each other in an executable, in release builds with GNU
# ld and in the portable program, which lld links. A compile touches a tenth of the program; spread over the whole file,
# that costs it page faults of microseconds each. Names that do not exist are ignored.
function(cudacc_order_text target file)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -Wl,--version OUTPUT_VARIABLE linker ERROR_QUIET)
  if(NOT CMAKE_BUILD_TYPE STREQUAL Release OR NOT (CUDACC_PORTABLE OR linker MATCHES "^GNU ld"))
    return()
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(STRINGS ${file} names REGEX "^[^#]")
  set(constants ${names})
  list(TRANSFORM names REPLACE "(.+)" "    *(.text.\\1)\n")
  list(TRANSFORM constants REPLACE "(.+)" "    *(.rodata.\\1)\n")
  # What runs before main as well, of which libc has functions in assembler.
  list(PREPEND names "    *crt1.o(.text .text.*)\n" "    *libc.a:*(.text)\n" "    *(.text.startup .text.startup.*)\n")
  list(JOIN names "" names)
  list(JOIN constants "" constants)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/${target}.ld)
  # INSERT adds to the linker's own script.
  file(CONFIGURE OUTPUT ${script} CONTENT
       "SECTIONS\n{\n  .text.first :\n  {\n@names@  }\n}\nINSERT BEFORE .text;\n\nSECTIONS\n{\n  .rodata.first :\n  {\n@constants@  }\n}\nINSERT BEFORE .rodata;\n" @ONLY)
  target_link_options(${target} PRIVATE -Wl,-T,${script})
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${script})
endfunction()
