// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "plugins/audit/BuildModel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

namespace cudacc::buildsys {

/// Parses simple commands of a build as cuda-cc would parse them as calls, including response
/// files.
class Calls {
public:
  /// \p toolchains: compilers that the configuration found, under any name.
  Calls(core::Files &files, llvm::ArrayRef<audit::Toolchain> toolchains);

  /// Parses \p words, which run in \p directory: a link, or a compile of CUDA; std::nullopt if
  /// neither. \p isRule: the command comes from a rule of the build system, where any launcher may
  /// precede a compiler. The caller sets `target` and `isOwn`. Response files that no longer exist
  /// after the build are not expanded. Names of response files in \p words are made absolute.
  llvm::Expected<std::optional<audit::BuildCommand>>
  read(std::vector<std::string> &words, llvm::StringRef directory, bool isRule) const;

private:
  core::Files &files;
  llvm::StringSet<> compilers;

  bool isCompiler(llvm::StringRef word) const;
  std::optional<size_t> compilerIn(llvm::ArrayRef<std::string> words, bool isRule) const;
};

} // namespace cudacc::buildsys
