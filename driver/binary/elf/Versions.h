// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Dynamic.h"

namespace cudacc::binary {

/// What verneed and verdef say.
struct VersionNames {
  struct Version {
    std::string name;
    /// Index into `files`; meaningless for nodes that the file itself defines.
    uint32_t file = 0;
    bool defined = false;
  };
  /// By version index; an entry without name is no node, as the base version is none.
  std::vector<Version> byIndex;
  /// Files that verneed names, in its order.
  std::vector<std::string> files;
  /// What verneed asks for, in its order, as indices of `byIndex`; weak ones are no error where
  /// they are absent (VER_FLG_WEAK).
  struct Asked {
    uint16_t index = 0;
    bool isWeak = false;
  };
  std::vector<Asked> asked;

  /// The node of an entry of the version table, whose hidden bit does not matter; null: none.
  const Version *at(uint16_t entry) const;
  /// Nodes that the file defines, without the base version, by index.
  std::vector<std::string> defined() const;
};

llvm::Expected<VersionNames> readVersionNames(const Image &image, const Dynamic &dynamic);

} // namespace cudacc::binary
