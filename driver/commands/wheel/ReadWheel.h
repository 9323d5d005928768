// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/inputs/Inputs.h"
#include "driver/commands/inputs/ReadFile.h"
#include "driver/plan/wheel/Record.h"
#include <map>

namespace cudacc::commands {

/// What a wheel says about itself.
struct WheelRecords {
  /// `x-1.0.dist-info`.
  std::string folder;
  /// METADATA, UTF-8.
  std::string metadata;
  /// Rows of RECORD, by path.
  std::map<std::string, plan::RecordRow, std::less<>> rows;
};

/// One wheel, with all that was read of it.
struct ReadWheel {
  Inputs inputs;
  std::vector<ReadFile> files;
  WheelRecords records;

  const OpenedWheel &wheel() const { return inputs.wheels.front(); }
  /// The path in the wheel of one of `files`.
  const std::string &memberOf(size_t file) const {
    return wheel().entries[inputs.files[file].entry].name;
  }
};

/// Opens the only wheel among what \p file names; its members are not read. What is wrong with
/// members is in `inputs.problems`. Errors: the file is no wheel, or lacks what
/// must be in every wheel: BrokenWheel (WR-1).
llvm::Expected<std::unique_ptr<ReadWheel>> openWheel(pipeline::System &system,
                                                     const std::string &file);

/// The same with all its members read. Errors: those of a member, too. \p device: read device code.
llvm::Expected<std::unique_ptr<ReadWheel>> readWheel(pipeline::System &system,
                                                     const std::string &file, bool device);

/// The content of a member. Errors: BrokenWheel if there is none, or it has more than \p limit
/// bytes.
llvm::Expected<std::string> readMember(const OpenedWheel &wheel, const std::string &name,
                                       uint64_t limit);

/// Error: SignedWheel, if a signature covers RECORD.
llvm::Error refuseSigned(const ReadWheel &wheel);

/// Compares names and sizes with RECORD. Error: BrokenWheel.
llvm::Error verifySizes(const ReadWheel &wheel);
/// Compares every file with RECORD, in parallel: names, sizes and digests. Errors: BrokenWheel, and
/// those of a file that cannot be unpacked.
llvm::Error verifyRecords(pipeline::System &system, const ReadWheel &wheel);
/// The same, and adds the digests that RECORD lacks.
llvm::Error completeRecords(pipeline::System &system, ReadWheel &wheel);

} // namespace cudacc::commands
