// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/report/text/Inspect.h"

/// Types and functions shared by the parts of `inspect`.
namespace cudacc::report {

using Rows = std::vector<std::vector<std::string>>;

/// A block of labelled lines. A label is printed in front of the first line of its part.
struct Block {
  static constexpr unsigned indent = 2, textColumn = 15;
  static constexpr size_t rowsShown = 40;
  std::string text;
  Style style;

  /// \p lines may be several lines, each with a newline.
  void add(llvm::StringRef label, llvm::StringRef lines);
  void addText(llvm::StringRef label, llvm::StringRef line);
  void addTable(llvm::StringRef label, Rows rows);
  /// `12x text`, with the numbers aligned.
  void addCounted(llvm::StringRef label, llvm::ArrayRef<std::pair<uint64_t, std::string>> rows);
};

/// "device link: sm_80, PTX ISA 8.4 for compute_80; zstd".
std::string unitText(const core::DeviceUnit &unit);
/// "for torch==2.5.1 (CUDA 12.4)".
std::string targetText(const core::LinkRecord &link);
/// Descriptions of toolkits, compiler, linker and cudart.
std::vector<std::string> builtWith(const core::LinkRecord &link);
std::string recordText(const core::ObjectRecord &record);
/// The first three names and the number of others.
std::string symbolsText(llvm::ArrayRef<llvm::StringRef> symbols);

} // namespace cudacc::report
