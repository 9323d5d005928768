// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/inputs/ReadFile.h"
#include "driver/commands/wheel/SoundWheel.h"

namespace cudacc::commands {

/// One wheel, with all that was read of it.
struct ReadWheel {
  Inputs inputs;
  std::vector<ReadFile> files;
  WheelRecords records;

  const OpenedWheel &wheel() const { return inputs.wheels.front(); }
  SoundWheel sound() const { return {wheel(), records}; }
  /// The path in the wheel of one of `files`.
  const std::string &memberOf(size_t file) const {
    return wheel().entries[inputs.files[file].entry].name;
  }
};

/// Errors: the file is no wheel, or not sound (readRecords()). \p device: read device code.
llvm::Expected<std::unique_ptr<ReadWheel>> readWheel(pipeline::System &system,
                                                     const std::string &file, bool device);

} // namespace cudacc::commands
