// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/report/text/Inspect.h"

/// What the parts of `inspect` share.
namespace cudacc::report {

using Rows = std::vector<std::vector<std::string>>;

/// A block of labelled lines: the label stands in front of the first line of its part.
struct Block {
  static constexpr unsigned indent = 2, textColumn = 15;
  static constexpr size_t rowsShown = 40;
  std::string text;
  Style style;

  /// \p lines may hold several lines, each ended.
  void add(llvm::StringRef label, llvm::StringRef lines);
  void addText(llvm::StringRef label, llvm::StringRef line);
  void addTable(llvm::StringRef label, Rows rows);
  /// `12x text`, the numbers aligned.
  void addCounted(llvm::StringRef label, llvm::ArrayRef<std::pair<uint64_t, std::string>> rows);
};

void addManifest(Block &block, const core::Manifest &manifest);
void addMembers(Block &block, llvm::ArrayRef<core::BinaryFacts::Member> members);
void addDevice(Block &block, const core::DeviceCode &device);
void addEvidence(Block &block, const Inspected &file);
void addExports(Block &block, const Inspected &file);
/// "device link: sm_80, PTX ISA 8.4 for compute_80; zstd".
std::string unitText(const core::DeviceUnit &unit);
/// "for torch==2.5.1 (CUDA 12.4)".
std::string targetText(const core::LinkRecord &link);
/// Toolkits, compiler, linker, cudart.
std::vector<std::string> builtWith(const core::LinkRecord &link);
std::string recordText(const core::ObjectRecord &record);
/// Three names and how many more.
std::string symbolsText(llvm::ArrayRef<llvm::StringRef> symbols);

} // namespace cudacc::report
