// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/host/HostProbe.h"
#include <gtest/gtest.h>

using cudacc::core::Dialect;
using cudacc::probe::dialectOfAnswer;

TEST(CompilerAnswer, isThatOfACompiler) {
  EXPECT_EQ(dialectOfAnswer("nvcc: NVIDIA (R) Cuda compiler driver\nCopyright (c) 2005-2025"),
            Dialect::Nvcc);
  EXPECT_EQ(dialectOfAnswer("Debian clang version 14.0.6\nTarget: x86_64"), Dialect::Clang);
  EXPECT_EQ(dialectOfAnswer("Intel(R) oneAPI DPC++/C++ Compiler 2024.0.0 (2024.0.0.20231017)"),
            Dialect::Clang);
  EXPECT_EQ(dialectOfAnswer("\nnvc++ 24.1-0 64-bit target on x86-64 Linux -tp zen2\nNVIDIA "
                            "Compilers and Tools\n"),
            Dialect::Gcc);
  EXPECT_EQ(dialectOfAnswer("mycc (Debian 12.2.0-14) 12.2.0\nCopyright (C) 2022 Free Software "
                            "Foundation, Inc.\nThis is free software; see the source for copying "
                            "conditions.  There is NO\nwarranty"),
            Dialect::Gcc);
}

// A wrapper of nvcc may print what its host compiler says, too.
TEST(CompilerAnswer, nvccComesFirst) {
  EXPECT_EQ(dialectOfAnswer("g++ 12\nsee the source for copying conditions\nnvcc: NVIDIA (R) Cuda "
                            "compiler driver\n"),
            Dialect::Nvcc);
}

TEST(CompilerAnswer, isNotThatOfOtherTools) {
  for (const char *text :
       {"", "tool 1.0", "GNU ar (GNU Binutils for Debian) 2.40\nThis program is free software",
        "cp (GNU coreutils) 9.1\nLicense GPLv3+", "LLVM (http://llvm.org/):\n  LLVM version 14.0.6",
        "nvlink: NVIDIA (R) Cuda linker", "cmake version 3.25.1"})
    EXPECT_FALSE(dialectOfAnswer(text)) << text;
}
