// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "plugins/audit/BuildModel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

namespace cudacc::buildsys {

/// Understands simple commands of a build as a call of cuda-cc would understand them, response
/// files included.
class Calls {
public:
  /// \p toolchains: compilers that the configuration found, whatever they are called.
  Calls(core::Files &files, llvm::ArrayRef<audit::Toolchain> toolchains);

  /// What \p words start, run in \p directory: a link, or a compile of CUDA; nothing: neither.
  /// \p isRule: a rule of the build system's, where any launcher may stand in front of a compiler.
  /// The target, and whose command it is, are left to the caller. Response files of which nothing
  /// is left after the build stay what they are; \p words then name them absolutely.
  llvm::Expected<std::optional<audit::Command>> read(std::vector<std::string> &words,
                                                     llvm::StringRef directory, bool isRule) const;

private:
  core::Files &files;
  llvm::StringSet<> compilers;

  bool isCompiler(llvm::StringRef word) const;
  std::optional<size_t> compilerIn(llvm::ArrayRef<std::string> words, bool isRule) const;
};

} // namespace cudacc::buildsys
