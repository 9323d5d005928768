// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Damage.h"

namespace cudacc::binary {

/// The contents of verneed and verdef.
struct VersionNames {
  struct Version {
    std::string name;
    /// Index into `files`; meaningless for nodes that the file itself defines.
    uint32_t file = 0;
    bool defined = false;
  };
  /// By version index; entries without a name are no nodes, such as the base version.
  std::vector<Version> byIndex;
  /// The files that verneed names, in order.
  std::vector<std::string> files;
  /// Entries of verneed, in order, as indices into `byIndex`; weak ones may be missing
  /// (VER_FLG_WEAK).
  struct Asked {
    uint16_t index = 0;
    bool isWeak = false;
  };
  std::vector<Asked> asked;
  /// What in the tables keeps the loader from loading the file.
  std::optional<Damage> damage;

  /// The node of a version table entry, ignoring the hidden bit; null if none.
  const Version *at(uint16_t entry) const;
  /// The nodes that the file defines, without the base version, sorted by index.
  std::vector<std::string> defined() const;
};

llvm::Expected<VersionNames> readVersionNames(const Image &image, const Dynamic &dynamic);

} // namespace cudacc::binary
