// SPDX-License-Identifier: Apache-2.0
// LDFLAGS of Python in the search path of extensions (CC4106).
#include "driver/probe/python/PythonLink.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using testing::Eq;
using testing::Optional;

namespace {
struct PythonLink : testing::Test {
  test::MemoryFiles files;
  core::Environment environment;

  std::optional<bool> isAdded(llvm::StringRef folder, llvm::StringRef prefix = "") {
    return probe::isAddedByPython(folder, prefix, environment, files);
  }

  /// As in pyenv and conda: a long value is written as several.
  void python(const std::string &prefix, const std::string &folder) {
    files.file(prefix + "/lib/python3.11/_sysconfigdata__linux_x86_64-linux-gnu.py",
               "build_time_vars = {'LDFLAGS': '-L" + folder + " '\n            '-Wl,-rpath," +
                   folder + " -Wl,-rpath-link," + folder + "',\n 'LIBDIR': '" + prefix +
                   "/lib'}\n");
    files.file(prefix + "/lib/libpython3.11.so", "");
  }
};
} // namespace

TEST_F(PythonLink, aPythonsOwnFolderThatItsFlagsName) {
  python("/home/u/.pyenv/versions/3.11.7", "/home/u/.pyenv/versions/3.11.7/lib");
  EXPECT_THAT(isAdded("/home/u/.pyenv/versions/3.11.7/lib"), Optional(true));
  EXPECT_THAT(isAdded("/home/u/.pyenv/versions/3.11.7/lib/"), Optional(true));
  EXPECT_THAT(isAdded("/home/u/.pyenv/versions/3.11.7/lib/x"), Eq(std::nullopt));
}

// Debian's Python adds no folder, so the entry was written by the user.
TEST_F(PythonLink, aPythonsFolderThatItsFlagsDoNotName) {
  files.file("/usr/lib/python3.11/_sysconfigdata__x86_64-linux-gnu.py",
             "build_time_vars = {'LDFLAGS': '-Wl,-z,relro'}\n");
  EXPECT_THAT(isAdded("/usr/lib"), Optional(false));
}

// The flags may name other folders, such as that of an own OpenSSL.
TEST_F(PythonLink, otherFoldersOfTheFlags) {
  python("/opt/py", "/opt/openssl/lib");
  files.file("/env/venv/pyvenv.cfg", "home = /opt/py/bin\nversion = 3.11.7\n");
  EXPECT_THAT(isAdded("/opt/openssl/lib", "/env/venv"), Optional(true));
  EXPECT_THAT(isAdded("/opt/openssl/lib"), Eq(std::nullopt));
  EXPECT_THAT(isAdded("/opt/openssl", "/env/venv"), Eq(std::nullopt));
  // conda: the environment is the Python's own prefix.
  EXPECT_THAT(isAdded("/opt/openssl/lib", "/opt/py"), Optional(true));
}

TEST_F(PythonLink, thePythonOnPath) {
  python("/opt/py", "/opt/openssl/lib");
  files.program("/opt/py/bin/python3");
  environment.entries = {"PATH=/opt/py/bin"};
  EXPECT_THAT(isAdded("/opt/openssl/lib"), Optional(true));
}

TEST_F(PythonLink, aFolderThatPythonDidNotAdd) {
  files.file("/usr/local/cuda/lib64/libcudart.so.13", "");
  EXPECT_THAT(isAdded("/usr/local/cuda/lib64"), Optional(false));
  EXPECT_THAT(isAdded("/home/other/miniconda3/lib"), Eq(std::nullopt));
}
