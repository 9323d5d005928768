// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "driver/core/Invocation.h"
#include "driver/core/Toolkit.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace cudacc::probe {

/// Where the compiler of one call looks for headers, in its order.
///
/// Order, as gcc has it: -iquote, -I, nvcc's own -I (nvcc puts them behind the caller's, 12.4 and
/// 13.0), CPATH, -isystem, nvcc's own -isystem, C_INCLUDE_PATH or CPLUS_INCLUDE_PATH, the
/// compiler's built-in directories, -idirafter. A folder that is also a system folder does not
/// count where -I, -iquote or CPATH names it. Built-in directories are searched for nvcc's calls
/// only: in a host call they only say which -I do not count.
///
/// Refers to what it is made from.
class IncludePath {
public:
  /// Where a folder came from; with its text it makes `foundBy`, which only a hit needs.
  enum class Source : uint8_t {
    Quote,
    Angle,
    Own,
    Cpath,
    System,
    OwnSystem,
    LanguagePath,
    BuiltIn,
    After,
  };

  struct Folder {
    llvm::StringRef path;
    Source source;
    /// Part of gcc's system chain: a folder of it does not count where -I names it.
    bool ofSystem() const { return source >= Source::System; }
    /// Known only so that an -I can be recognised as a system folder.
    bool searched = true;
  };

  /// \p toolkit is null for a host call without CUDA sources, \p host where nothing is known of the
  /// compiler.
  IncludePath(const core::Invocation &call, const core::Toolkit *toolkit,
              const core::HostCompiler *host, const core::Environment &env, core::Files &files);

  /// Calls \p visit for every folder that has \p name, as the search for `<name>`, or `"name"`
  /// where
  /// \p quoted, comes to it, while it returns true. A file, or with \p wanted a folder. Cost: one
  /// stat per folder.
  void eachWith(llvm::StringRef name, bool quoted, llvm::function_ref<bool(const Folder &)> visit,
                core::FileStatus::Kind wanted = core::FileStatus::Kind::Regular);
  /// `"name"` may find another file than `<name>`.
  bool hasQuote() const { return !folders.empty() && folders.front().source == Source::Quote; }
  /// "-I third_party/cuda", "CPATH", "nvcc's own", "built-in directory of g++".
  std::string describe(const Folder &folder) const;

  core::Files &files;
  const core::Toolkit *toolkit;

private:
  void addList(std::optional<llvm::StringRef> list, Source source);
  bool isSystem(const Folder &folder);

  const core::HostCompiler *host;
  llvm::StringRef languagePath;
  llvm::SmallVector<Folder, 32> folders;
  /// Identity of the system folders; made when the first header is found.
  std::optional<llvm::SmallVector<core::FileId, 16>> systemIds;
};

} // namespace cudacc::probe
