// SPDX-License-Identifier: Apache-2.0
#include "driver/run/ErrorText.h"
#include <cerrno>
#include <gmock/gmock.h>

using cudacc::run::errorText;

// As glibc's loader and compilers print them, whatever libc this is built with.
TEST(ErrorText, isGlibcs) {
  EXPECT_EQ(errorText(ENOENT), "No such file or directory");
  EXPECT_EQ(errorText(EACCES), "Permission denied");
  EXPECT_EQ(errorText(EMFILE), "Too many open files");
  EXPECT_EQ(errorText(EIO), "Input/output error");
  EXPECT_EQ(errorText(ELOOP), "Too many levels of symbolic links");
  EXPECT_EQ(errorText(ENAMETOOLONG), "File name too long");
  EXPECT_EQ(errorText(ENOSPC), "No space left on device");
  EXPECT_EQ(errorText(ENOEXEC), "Exec format error");
}
