// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/device/Device.h"
#include "driver/binary/elf/ReadOptions.h"
#include "driver/binary/manifest/Notes.h"
#include "driver/core/BinaryFacts.h"
#include "llvm/ADT/StringMap.h"

namespace cudacc::binary {

/// Merges the facts of an archive's members.
class Members {
public:
  Members(const ReadOptions &options, core::BinaryFacts &facts)
      : options(options), facts(facts),
        device({options.deep, options.verify, options.inflate, options.onContainer}, facts.device) {
  }

  /// \p bytes are those of one member.
  llvm::Error add(const std::string &name, Bytes &bytes);
  /// Makes the names that no member defines the archive's imports, in the order of first use.
  void finish();

private:
  /// How the members use one name.
  struct Name {
    uint32_t order = 0;
    bool needed = false, strong = false, defined = false;
  };
  const ReadOptions &options;
  core::BinaryFacts &facts;
  DeviceReader device;
  NoteBudget budget;
  DlopenNotes dlopens;
  llvm::StringMap<Name> names;
  uint64_t nameBytes = 0;

  llvm::Error addElf(const std::string &name, Bytes &bytes);
  llvm::Error addSymbols(const Image &image, Bytes &bytes);
  llvm::Expected<Name *> nameOf(llvm::StringRef text, Bytes &bytes);
};

} // namespace cudacc::binary
