// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include <optional>
#include <string>

namespace cudacc::probe {

/// Splits a line of RECORD (CSV, PEP 376): path, hash, size. A path with a comma or a quote stands
/// in quotes. Nothing for the size: the line has none.
std::pair<std::string, std::optional<uint64_t>> splitRecordLine(llvm::StringRef line);

/// Whether a line of it is about the file at \p path.
bool recordHas(llvm::StringRef record, llvm::StringRef path);

/// What an installer wrote down about one file.
struct RecordedFile {
  /// `nvidia-cublas-cu12==12.4.5.8`, as pip takes it.
  std::string package;
  /// In bytes; nothing: not written down.
  std::optional<uint64_t> size;
};

/// The distribution whose RECORD has the file at the absolute \p path, in the nearest folder above
/// it that has distributions. Nothing: none has it. Reads every RECORD there until one has it, so
/// it is asked only about files that are damaged.
std::optional<RecordedFile> recordedFile(llvm::StringRef path, core::Files &files);

} // namespace cudacc::probe
