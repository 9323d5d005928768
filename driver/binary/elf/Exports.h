// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/versions/Exported.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace cudacc::binary {

/// Looks up single exports of a library in its hash tables without listing all of them: a few
/// preads per name, whatever the library's size. Not thread-safe.
class ExportTable {
public:
  ~ExportTable();
  /// Errors: BrokenBinary if the file is no shared object or executable or if its dynamic section
  /// is damaged. \p path is used in messages.
  static llvm::Expected<std::unique_ptr<ExportTable>> open(std::unique_ptr<core::ReadableFile> file,
                                                           llvm::StringRef path);

  /// Looks up a symbol as glibc 2.36 binds it (do_lookup_x, check_match): by DT_GNU_HASH, else
  /// DT_HASH; without either, nothing is exported. \p node is the version node that the importer
  /// requires; empty for none.
  /// - The symbol has that node: Yes. Also if it has the base version and is not hidden, as all
  ///   symbols in a library without version definitions do (SY-10, SY-17).
  /// - The symbol has other nodes only: No (SY-11, SY-12, SY-13).
  /// - No node required: matches an unversioned symbol or base version, the first node of the
  ///   library, hidden or not, or the only default version.
  /// - A node required from a library without `versioned()`: Yes if the symbol exists. Whether the
  ///   loader then aborts or binds depends on verneed, not on the symbol (SY-14).
  /// - A damaged table, or a chain longer than any linker makes: Unknown.
  versions::Exported find(llvm::StringRef symbol, llvm::StringRef node);

  /// Whether the loader uses version information: DT_VERSYM with definitions or needs.
  bool versioned() const;

private:
  struct State;
  std::unique_ptr<State> state;
  explicit ExportTable(std::unique_ptr<State> state);
};

} // namespace cudacc::binary
