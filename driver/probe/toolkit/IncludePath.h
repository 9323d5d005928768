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

/// The header search path of one compiler call.
///
/// Order, as in gcc: -iquote, -I, nvcc's own -I (nvcc puts them after the caller's, 12.4 and 13.0),
/// CPATH, -isystem, nvcc's own -isystem, C_INCLUDE_PATH or CPLUS_INCLUDE_PATH, the compiler's
/// built-in directories, -idirafter. A -I, -iquote or CPATH directory that is also a system
/// directory is searched only at the latter's position. Built-in directories are searched for nvcc
/// calls only; in a host call they only identify such -I directories.
///
/// Holds references to its constructor's arguments.
class IncludePath {
public:
  /// Where a directory comes from. The text for `foundBy` is made from it, on a hit only.
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
    /// Part of gcc's system chain: a -I that names this directory is ignored.
    bool ofSystem() const { return source >= Source::System; }
    /// If false, the directory only serves to recognise a -I as a system directory.
    bool searched = true;
  };

  /// \p toolkit is null for a host call without CUDA sources, \p host if the compiler is unknown.
  IncludePath(const core::Invocation &call, const core::Toolkit *toolkit,
              const core::HostCompiler *host, const core::Environment &env, core::Files &files);

  /// Calls \p visit for every directory that contains \p name, in the search order of `<name>`, or
  /// of `"name"` if \p quoted, until it returns false. \p wanted selects files or directories.
  /// Cost: one stat per directory.
  void eachWith(llvm::StringRef name, bool quoted, llvm::function_ref<bool(const Folder &)> visit,
                core::FileStatus::Kind wanted = core::FileStatus::Kind::Regular);
  /// Whether `"name"` may find another file than `<name>`.
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
  /// Identities of the system directories; determined when the first header is found.
  std::optional<llvm::SmallVector<core::FileId, 16>> systemIds;
};

} // namespace cudacc::probe
