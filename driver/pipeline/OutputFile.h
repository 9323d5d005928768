// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/Invocation.h"
#include <string>

namespace cudacc::pipeline {

/// The file that a link writes, distinguished from other files that may lie at the same path (F3).
class OutputFile {
public:
  /// To be created before the link. \p call and \p files outlive this.
  OutputFile(core::Files &files, const core::Invocation &call);

  /// To be called after the link. Error: its status could not be determined.
  llvm::Error written();
  bool isRegular() const { return after.kind == core::FileStatus::Kind::Regular; }
  /// The link wrote a regular file: a different one than before, or with different content.
  bool isMade() const { return made; }
  /// To be called if the content shows that this link wrote it. Size and times alone do not: a file
  /// that is written over within one step of the clock may keep them.
  void confirmMade() { made = isRegular(); }
  /// Removes the link's output, unless it is an input of the call or has been replaced since.
  void remove();

private:
  core::Files &files;
  const core::Invocation &call;
  std::string path;
  core::FileStatus before, after;
  /// Kept open during the link, so that a new file does not get the old one's inode.
  std::unique_ptr<core::ReadableFile> old;
  bool made = false;

  bool isInput() const;
};

} // namespace cudacc::pipeline
