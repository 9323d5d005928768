// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugins/meson/Build.h"
#include "tests/support/RecordedBuild.h"

namespace cudacc::test {

/// A build directory of tests/unit/meson/builds.
struct RecordedInfo : RecordedFolder {
  explicit RecordedInfo(llvm::StringRef name) : RecordedFolder("meson", name) {}

  std::string info(llvm::StringRef name) const { return "/b/meson-info/" + name.str() + ".json"; }
  llvm::Expected<audit::BuildModel> read(llvm::StringRef program = "/usr/bin/ninja") {
    return meson::readBuild(files, ninja, "/b", program);
  }
  audit::BuildModel model() { return llvm::cantFail(read()); }
};

} // namespace cudacc::test
