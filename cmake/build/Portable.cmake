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
# Without optimisation zig adds checks that need its own runtime.
set(CMAKE_C_COMPILER ${zig} cc -target ${CUDACC_MACHINE}-linux-musl -fno-sanitize=undefined)
set(CMAKE_CXX_COMPILER ${zig} c++ -target ${CUDACC_MACHINE}-linux-musl -fno-sanitize=undefined)
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

# zig builds libc++ and musl once for each level of optimisation and of debugging in this.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-O2 -g0")

# The same bytes wherever it is built.
set(prefixes "-ffile-prefix-map=${CUDACC_PORTABLE}=/portable -ffile-prefix-map=${CMAKE_SOURCE_DIR}=/source -ffile-prefix-map=${CMAKE_BINARY_DIR}=/build")
foreach(language ASM C CXX)
  set(CMAKE_${language}_FLAGS_INIT "${prefixes}")
endforeach()

# Libraries and headers of the build machine are for another libc. LLVM is used from its build directory.
set(CMAKE_FIND_ROOT_PATH ${CUDACC_PORTABLE}/${CUDACC_MACHINE}
                         ${CUDACC_PORTABLE}/${CUDACC_MACHINE}/build-llvm)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
