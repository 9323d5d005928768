# SPDX-License-Identifier: Apache-2.0
# Toolchain file of what ships: zig's clang, and musl, so that the program is static. CUDACC_MACHINE is x86_64 or
# aarch64, else this one; ./dev setup makes what lies in CUDACC_PORTABLE, compiler and libraries.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CUDACC_MACHINE CUDACC_PORTABLE)
if(NOT CUDACC_MACHINE)
  set(CUDACC_MACHINE ${CMAKE_HOST_SYSTEM_PROCESSOR})
endif()
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${CUDACC_MACHINE})

set(zig ${CUDACC_PORTABLE}/zig/ziglang/zig)
# Without optimisation zig adds checks that need its own runtime. Nothing is unwound.
set(options -target ${CUDACC_MACHINE}-linux-musl -fno-sanitize=undefined -fno-asynchronous-unwind-tables
            -fno-unwind-tables)
set(CMAKE_C_COMPILER ${zig} cc ${options})
set(CMAKE_CXX_COMPILER ${zig} c++ ${options})
set(CMAKE_ASM_COMPILER ${CMAKE_C_COMPILER})
foreach(tool AR RANLIB STRIP OBJCOPY)
  string(TOLOWER llvm-${tool}-19 program)
  find_program(CMAKE_${tool} ${program} REQUIRED)
endforeach()
# What glibc's programs load, or what loads libraries of theirs, is compiled and linked with this besides.
set(CUDACC_FOR_GLIBC "SHELL:-target ${CUDACC_MACHINE}-linux-gnu.2.17")

# zig keeps its builds of libc++ and musl beside itself, for all builds, and what it compiles in the build directory.
set(ENV{ZIG_GLOBAL_CACHE_DIR} ${CUDACC_PORTABLE}/zig-cache)
set(ENV{ZIG_LOCAL_CACHE_DIR} ${CMAKE_BINARY_DIR}/zig)
foreach(language C CXX)
  foreach(step COMPILER LINKER)
    set(CMAKE_${language}_${step}_LAUNCHER
        env ZIG_GLOBAL_CACHE_DIR=$ENV{ZIG_GLOBAL_CACHE_DIR} ZIG_LOCAL_CACHE_DIR=$ENV{ZIG_LOCAL_CACHE_DIR})
  endforeach()
endforeach()

# zig builds musl and libc++ when the first program is linked, and again for another level of optimisation or debugging
# than this, and with unwind tables (need_libraries of scripts/portable.sh has the same options). So CMake links nothing
# to find out what the compiler is: zig's clang is this version or a newer one.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-O2 -g0")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
foreach(language C CXX)
  set(CMAKE_${language}_COMPILER_ID_RUN 1)
  set(CMAKE_${language}_COMPILER_ID Clang)
  set(CMAKE_${language}_COMPILER_FRONTEND_VARIANT GNU)
  set(CMAKE_${language}_COMPILER_VERSION 22)
endforeach()
set(CMAKE_EXECUTABLE_FORMAT ELF)
set(CMAKE_C_STANDARD_COMPUTED_DEFAULT 17)
set(CMAKE_CXX_STANDARD_COMPUTED_DEFAULT 17)

# The same bytes wherever it is built.
set(prefixes "-ffile-prefix-map=${CUDACC_PORTABLE}=/portable -ffile-prefix-map=${CMAKE_SOURCE_DIR}=/source -ffile-prefix-map=${CMAKE_BINARY_DIR}=/build")
foreach(language ASM C CXX)
  set(CMAKE_${language}_FLAGS_INIT "${prefixes}")
endforeach()

# Libraries and headers of the build machine are for another libc.
set(CMAKE_FIND_ROOT_PATH ${CUDACC_PORTABLE}/${CUDACC_MACHINE})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
