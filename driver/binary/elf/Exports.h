// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/versions/Exported.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace cudacc::binary {

/// Answers what one library exports by its hash tables, without listing them: a few preads per
/// name, whatever the library's size. Not for several threads at once.
class ExportTable {
public:
  ~ExportTable();
  /// BrokenBinary when the file is no shared object or executable, or its dynamic section is
  /// damaged. \p path is for messages.
  static llvm::Expected<std::unique_ptr<ExportTable>> open(std::unique_ptr<core::ReadableFile> file,
                                                           llvm::StringRef path);

  /// As glibc 2.36 binds (do_lookup_x, check_match): DT_GNU_HASH, else DT_HASH, else nothing is
  /// exported. \p node is the version node that the importer asks for; empty: none.
  /// - The node asked for: Yes; also for a name that lies under the base version and is not hidden,
  ///   as all do in a library without version definitions (SY-10, SY-17).
  /// - The name under another node only: No (SY-11, SY-12, SY-13).
  /// - No node asked for: an unversioned or base version, the first node of the library, hidden or
  ///   not, or the only default version.
  /// - A node asked of a library without `versioned()`: Yes when the name is there. The loader then
  ///   aborts or binds, by what verneed names, so this is not a question of the symbol (SY-14).
  /// - A damaged table, or a chain beyond what any linker makes: Unknown.
  versions::Exported find(llvm::StringRef symbol, llvm::StringRef node);

  /// Whether the loader sees version information: DT_VERSYM, and definitions or needs beside it.
  bool versioned() const;

private:
  struct State;
  std::unique_ptr<State> state;
  explicit ExportTable(std::unique_ptr<State> state);
};

} // namespace cudacc::binary
