// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::support {

/// Lines of tab-separated fields, the form of every file that cuda-cc keeps for itself. Backslash,
/// tab and line feed inside a field are written as `\\`, `\t`, `\n`. Read on the path of every
/// compile, so cheaper than JSON; what does not parse counts as not there and is made anew.
class FieldWriter {
public:
  FieldWriter() = default;
  /// A value that is kept, as readKept reads it.
  explicit FieldWriter(llvm::StringRef magic) : kept(true) { line({magic}); }
  void line(llvm::ArrayRef<llvm::StringRef> fields);
  std::string take() {
    if (kept)
      line({"end"});
    return std::move(text);
  }

private:
  bool kept = false;
  std::string text;
};

/// A value that is kept: \p magic, lines, and `end`, so that a text that was cut short is none.
/// False also when \p onLine, which gets the lines between, returned false.
bool readKept(llvm::StringRef text, llvm::StringRef magic,
              llvm::function_ref<bool(llvm::ArrayRef<std::string>)> onLine);

/// Calls \p onLine with the fields of each line; false when \p onLine returned false.
bool readFields(llvm::StringRef text, llvm::function_ref<bool(llvm::ArrayRef<std::string>)> onLine);

} // namespace cudacc::support
