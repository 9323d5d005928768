// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/inputs/Inputs.h"
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

/// A wheel and what it says about itself.
struct SoundWheel {
  const OpenedWheel &wheel;
  const WheelRecords &records;
};

/// Reads what must be in every wheel. Error: BrokenWheel (WR-1). The contents of other files are
/// not read.
llvm::Expected<WheelRecords> readRecords(const OpenedWheel &wheel);

/// The content of a member. Errors: BrokenWheel if there is none, or it has more than \p limit
/// bytes.
llvm::Expected<std::string> readMember(const OpenedWheel &wheel, const std::string &name,
                                       uint64_t limit);

/// Error: SignedWheel, if a signature covers RECORD.
llvm::Error refuseSigned(const OpenedWheel &wheel, const WheelRecords &records);

/// Compares names and sizes with RECORD. Error: BrokenWheel.
llvm::Error verifySizes(const OpenedWheel &wheel, const WheelRecords &records);
/// Compares every file with RECORD, in parallel: names, sizes and digests. Errors: BrokenWheel, and
/// those of a file that cannot be unpacked.
llvm::Error verifyRecords(pipeline::System &system, const OpenedWheel &wheel,
                          const WheelRecords &records);
/// The same, and adds the digests that RECORD lacks.
llvm::Error completeRecords(pipeline::System &system, const OpenedWheel &wheel,
                            WheelRecords &records);

} // namespace cudacc::commands
