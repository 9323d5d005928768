# cudacc_order_text(<target> <file>)
# Puts the functions that <file> names beside each other in the text of an executable. A process maps the
# pages that it enters, each a fault of microseconds; what a compile enters is a tenth of the program and
# would lie all over it. A name that is not there any more is passed over. Where the linker is neither
# GNU ld nor lld the text stays as it is.
function(cudacc_order_text target file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_EXE_LINKER_FLAGS}")
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} ${flags} -Wl,--version
                  OUTPUT_VARIABLE linker ERROR_QUIET)
  file(STRINGS ${file} names REGEX "^[^#]")
  if(linker MATCHES "^GNU ld")
    list(TRANSFORM names REPLACE "(.+)" "    *(.text.\\1)\n")
    list(JOIN names "" names)
    set(script ${CMAKE_CURRENT_BINARY_DIR}/${target}.ld)
    # INSERT adds to the linker's own script.
    file(CONFIGURE OUTPUT ${script} CONTENT
         "SECTIONS\n{\n  .text.first :\n  {\n@names@  }\n}\nINSERT BEFORE .text;\n" @ONLY)
    target_link_options(${target} PRIVATE -Wl,-T,${script})
  elseif(linker MATCHES "LLD")
    list(JOIN names "\n" names)
    set(script ${CMAKE_CURRENT_BINARY_DIR}/${target}.order)
    file(CONFIGURE OUTPUT ${script} CONTENT "@names@\n" @ONLY)
    target_link_options(${target} PRIVATE -Wl,--symbol-ordering-file=${script}
                                          -Wl,--no-warn-symbol-ordering)
  else()
    return()
  endif()
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${script})
endfunction()
