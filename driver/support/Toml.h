#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::support {

/// Lines and columns are 1-based.
struct TomlPlace {
  unsigned line = 0, column = 0;
};

/// One entry of a table, reduced to what settings can be.
struct TomlEntry {
  enum class Kind { String, Boolean, Strings, Pairs, Other };
  std::string key;
  TomlPlace keyAt;
  Kind kind = Kind::Other;
  /// String: one; Strings: all; Pairs, a table of strings: `key=value` each; Boolean: `true` or
  /// `false`; Other: none.
  std::vector<std::pair<std::string, TomlPlace>> texts;
  TomlPlace valueAt;
  /// "a number", "a table": for messages.
  std::string kindName;
};

/// The entries of the table at \p tablePath, sorted by place; nothing when there is no such table.
/// Errors: Code::BrokenConfig naming \p shown with line and column. Hostile nesting is refused
/// where it begins (F24).
llvm::Expected<std::optional<std::vector<TomlEntry>>>
readTomlTable(llvm::StringRef text, llvm::StringRef shown,
              llvm::ArrayRef<llvm::StringRef> tablePath);

} // namespace cudacc::support
