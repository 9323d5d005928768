// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cache/TargetCodec.h"
#include "driver/core/Diagnostic.h"
#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "driver/core/Plan.h"
#include "driver/core/PythonEnvironment.h"
#include "driver/core/Runner.h"
#include "driver/core/Toolkit.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::cache {

/// What cuda-cc keeps for itself between calls (F21): facts about toolkits and compilers, records'
/// headers, manifest objects, anonymous toolchain directories. Everything is named by content or by
/// the identity of what it was read from, written aside and renamed, and never removed.
///
/// What lies there ends up in other people's programs, so nothing is used that somebody else could
/// have written: places and files belong to the user or to root, and nobody else may write them. A
/// group may where it is the user's own (umask 002). What is handed on by its path is compared with
/// what it should be before. What does not hold is left alone, and the next place serves.
class Store {
public:
  /// When facts that were read anew are written.
  enum class Keep {
    AtOnce,
    /// By writeKept, if at all.
    Later,
  };

  /// `${XDG_DATA_HOME:-~/.local/share}/cuda-cc`, else (no HOME, not writable, or not the user's) a
  /// private directory under TMPDIR. Nothing is made yet.
  Store(const core::Environment &environment, core::Files &files, unsigned uid,
        Keep when = Keep::AtOnce);

  /// Nothing stays behind but in the private directory under TMPDIR.
  void useFallbackOnly();

  /// The facts of the nvcc at \p path: kept ones while every file they were read from is unchanged,
  /// else those that \p read brings, which are then kept.
  llvm::Expected<core::Toolkit> toolkit(llvm::StringRef path,
                                        llvm::function_ref<llvm::Expected<core::Toolkit>()> read);
  llvm::Expected<core::HostCompiler>
  hostCompiler(llvm::StringRef path, llvm::function_ref<llvm::Expected<core::HostCompiler>()> read);

  /// What lies in the environment at \p prefix: kept while its directories, metadata folders and
  /// configuration are unchanged. A library that is replaced in place is not seen (the link reads
  /// the file itself).
  llvm::Expected<core::PythonEnvironment>
  environment(llvm::StringRef prefix,
              llvm::function_ref<llvm::Expected<core::PythonEnvironment>()> read);

  /// The target that answers \p question, kept while the files behind it are unchanged; \p place
  /// is where it lies, and a later question about the same place replaces it.
  llvm::Expected<core::Target> target(llvm::StringRef place, llvm::StringRef question,
                                      llvm::function_ref<llvm::Expected<KeptTarget>()> read);

  /// Facts that were to be kept later.
  void writeKept();

  /// Where files and directories are kept by content, as far as can be known without writing: the
  /// first place in which nothing failed to be provided yet. Nothing: there is none.
  std::optional<std::string> place();
  /// Whether \p file, at a path below a place, has its content now: it is written where it is not
  /// there or is another one.
  bool provide(const core::PlannedFile &file);
  /// The same for a directory, which \p make makes. One that is there and is another is somebody
  /// else's, or damaged.
  bool provide(const core::PlannedDirectory &directory, llvm::function_ref<llvm::Error()> make);

  /// Held by one process at a time, for as long as the object lives. Null: nothing is writable.
  std::unique_ptr<core::FileLock> lock(llvm::StringRef name);

  /// Why places are not used that are there: label and reason.
  std::vector<core::Fact> refusedPlaces();

private:
  enum class State { Unasked, Absent, Private, Refused };
  struct Root {
    std::string path;
    /// Under TMPDIR, where anybody may make directories.
    bool isFallback = false;
    State state = State::Unasked;
    /// Something could not be provided there.
    bool failed = false;
    std::string why;
  };
  core::Files &files;
  unsigned uid;
  Keep when;
  /// Path below a root, and text.
  std::vector<std::pair<std::string, std::string>> unwritten;
  /// The group of this process, asked for when a group may write something.
  std::optional<unsigned> group;
  /// In order of preference.
  llvm::SmallVector<Root, 2> roots;

  bool isOwn(const core::FileStatus &status);
  bool isSafeParent(const core::FileStatus &status);
  State examine(Root &root);
  bool isUsable(Root &root) { return examine(root) == State::Private; }
  bool couldMake(const Root &root);
  bool ready(Root &root);
  bool foldersAreOwn(const Root &root, llvm::StringRef path);
  bool mayWrite(const Root &root, llvm::StringRef path);
  std::optional<std::string> readOwn(llvm::StringRef path, uint64_t limit);
  bool holds(const Root &root, llvm::StringRef path, llvm::StringRef text);
  bool holds(const Root &root, const core::PlannedDirectory &directory);
  bool provideAt(Root &root, llvm::StringRef path, llvm::function_ref<bool()> holds,
                 llvm::function_ref<llvm::Error()> make, bool replaces);
  Root *rootOf(llvm::StringRef path);
  void keep(llvm::StringRef relative, llvm::StringRef text);
  template <typename T>
  llvm::Expected<T>
  keptOr(const std::string &relative, llvm::function_ref<std::optional<T>(llvm::StringRef)> parse,
         llvm::function_ref<bool(const T &)> isMeant, llvm::function_ref<llvm::Expected<T>()> read);

  bool unchanged(llvm::ArrayRef<core::FileId> inputs);
};

} // namespace cudacc::cache
