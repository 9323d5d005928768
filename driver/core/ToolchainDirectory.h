#pragma once

#include "driver/core/Declaration.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cudacc::core {

/// What a toolchain directory knows about itself: read by the compilers in its `bin` from
/// `../cuda-cc.facts`.
struct ToolchainDirectory {
  static constexpr llvm::StringLiteral factsName = "cuda-cc.facts";

  /// Where it lies; not part of its content.
  std::string path;
  /// Made for direct calls, unseen (F21): its declaration is the file's, as it is now.
  bool anonymous = true;
  Declaration declaration;
  /// The file that the runtime was declared in; empty: option or variable.
  std::string declarationFile;
  /// nvcc that `bin/nvcc` stands for; empty: none.
  std::string nvcc;
  /// Name in `bin` -> absolute path of the compiler it stands for (R11).
  std::vector<std::pair<std::string, std::string>> compilers;

  /// What an anonymous directory's compiler is held to: \p now, read in its place from the file and
  /// the variables as they are, under what the call that made it said by options, and over
  /// variables that only that call had.
  Declaration over(Declaration now) const;
  const std::string *compiler(llvm::StringRef name) const;
  std::string serialise() const;
  /// Nothing when the text is not of this version of the form.
  static std::optional<ToolchainDirectory> parse(llvm::StringRef text);
};

} // namespace cudacc::core
