// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include <optional>
#include <string>

namespace cudacc::probe {

/// Splits a line of RECORD (CSV, PEP 376: path, hash, size) into path and size. A path that
/// contains a comma or a quote is quoted. The size is std::nullopt if the line has none.
std::pair<std::string, std::optional<uint64_t>> splitRecordLine(llvm::StringRef line);

/// Whether a line of \p record is for the file at \p path.
bool recordHas(llvm::StringRef record, llvm::StringRef path);

/// A file as an installer recorded it.
struct RecordedFile {
  /// `nvidia-cublas-cu12==12.4.5.8`, the form that pip accepts.
  std::string package;
  /// The folder that has it installed: site-packages.
  std::string site;
  /// In bytes; std::nullopt if not recorded.
  std::optional<uint64_t> size;
};

/// Returns the distribution whose RECORD lists the file at the absolute \p path, searching the
/// nearest parent directory that has distributions; std::nullopt if there is none. Since it may
/// read every RECORD there, it is called only for damaged files.
std::optional<RecordedFile> recordedFile(llvm::StringRef path, core::Files &files);

} // namespace cudacc::probe
