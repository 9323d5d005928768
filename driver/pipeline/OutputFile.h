// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/Invocation.h"
#include <string>

namespace cudacc::pipeline {

/// The file that a link writes, told apart from whatever lies under its name otherwise (F3).
class OutputFile {
public:
  /// Before the link. \p call and \p files outlive this.
  OutputFile(core::Files &files, const core::Invocation &call);

  /// The link has ended.
  void written();
  /// The link wrote the regular file that lies there: another one than before, or other content.
  bool isMade() const { return made; }
  /// Removes what the link made, unless it is an input of the call or another file by now.
  void remove();

private:
  core::Files &files;
  const core::Invocation &call;
  std::string path;
  core::FileStatus before, after;
  bool made = false;

  bool isInput() const;
};

} // namespace cudacc::pipeline
