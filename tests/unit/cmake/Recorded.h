// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugins/cmake/Build.h"
#include "tests/support/RecordedBuild.h"

namespace cudacc::test {

inline void oneByOne(size_t count, llvm::function_ref<void(size_t)> work) {
  for (size_t index = 0; index != count; ++index)
    work(index);
}

/// A build directory of tests/unit/cmake/builds.
struct RecordedBuild : RecordedFolder {
  cmake::TrustedTools around{"/path/ninja", 1000};

  explicit RecordedBuild(llvm::StringRef name) : RecordedFolder("cmake", name) {}

  llvm::Expected<audit::BuildModel> read() {
    return cmake::readBuild(files, ninja, "/b", around, oneByOne);
  }
  audit::BuildModel model() { return llvm::cantFail(read()); }
  /// The one file of the reply whose name begins with this.
  std::string reply(llvm::StringRef prefix) {
    for (const std::string &name : files.list("/b/.cmake/api/v1/reply"))
      if (llvm::StringRef(name).starts_with(prefix))
        return "/b/.cmake/api/v1/reply/" + name;
    return "";
  }
};

} // namespace cudacc::test
