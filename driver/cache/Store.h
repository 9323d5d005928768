// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cache/StoreCodec.h"
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

/// What cuda-cc keeps between calls (F21): facts about toolkits and compilers, record headers,
/// manifest objects, anonymous toolchain directories. Files are named by their content or by the
/// identity of what they were read from, are written by renaming a temporary file, and are never
/// removed.
///
/// The contents end up in programs that others run, so nothing is used that another user could have
/// written: directories and files must belong to the user or to root, and be writable by nobody
/// else, except by the user's own group (umask 002). A file passed to other programs by path is
/// compared with its expected content first. What fails these checks is left alone, and the next
/// place is used.
class Store {
public:
  /// When new facts are written.
  enum class Keep {
    AtOnce,
    /// Not before writeKept is called.
    Later,
  };

  /// Uses `${XDG_DATA_HOME:-~/.local/share}/cuda-cc`, or a private directory under TMPDIR if there
  /// is no HOME, or if it is not writable or not the user's. Creates nothing yet.
  Store(const core::Environment &environment, core::Files &files, unsigned uid,
        Keep when = Keep::AtOnce);

  /// Use only the private directory under TMPDIR.
  void useFallbackOnly();

  /// The facts about the nvcc at \p path: the kept ones if every file they were read from is
  /// unchanged, else those of \p read, which are then kept.
  llvm::Expected<core::Toolkit> toolkit(llvm::StringRef path,
                                        llvm::function_ref<llvm::Expected<core::Toolkit>()> read);
  llvm::Expected<core::HostCompiler>
  hostCompiler(llvm::StringRef path, llvm::function_ref<llvm::Expected<core::HostCompiler>()> read);

  /// The contents of the environment at \p prefix, kept while its directories, metadata folders and
  /// configuration are unchanged. A library replaced in place goes unnoticed here; the link reads
  /// the file itself.
  llvm::Expected<core::PythonEnvironment>
  environment(llvm::StringRef prefix,
              llvm::function_ref<llvm::Expected<core::PythonEnvironment>()> read);

  /// The target for \p question, kept while the files it was resolved from are unchanged. \p place:
  /// its key; a later question about the same place replaces it.
  llvm::Expected<core::Target> target(llvm::StringRef place, llvm::StringRef question,
                                      llvm::function_ref<llvm::Expected<KeptTarget>()> read);

  /// What a program at \p path answered when it was asked what it is, in a form of the caller's,
  /// who checks that it is still valid; std::nullopt if nothing is kept.
  std::optional<std::string> answer(llvm::StringRef path);
  void keepAnswer(llvm::StringRef path, llvm::StringRef text);

  /// Writes the facts held back by Keep::Later.
  void writeKept();

  /// Root for content-addressed files and directories, as far as known without writing: the first
  /// one where nothing has failed yet. std::nullopt if there is none.
  std::optional<std::string> place();
  /// Makes sure that \p file, below a root, exists with its content, and writes it if needed.
  /// Returns false if that failed.
  bool provide(const core::PlannedFile &file);
  /// The same for a directory, which \p make creates. An existing directory with other content is
  /// not replaced, as it is damaged or another user's.
  bool provide(const core::PlannedDirectory &directory, llvm::function_ref<llvm::Error()> make);

  /// A lock held by one process at a time, until the object is destroyed. Null if no root is
  /// writable. Also removes the lock files of processes that were killed.
  std::unique_ptr<core::FileLock> lock(llvm::StringRef name);

  /// Why existing places are not used: label and reason.
  std::vector<core::Fact> refusedPlaces();

private:
  enum class State { Unasked, Absent, Private, Refused };
  struct Root {
    std::string path;
    /// HOME or TMPDIR, which are not created. Empty: XDG_DATA_HOME, which is.
    std::string within;
    /// Under TMPDIR, where every user may create directories.
    bool isFallback = false;
    State state = State::Unasked;
    /// Writing a file or directory there failed.
    bool failed = false;
    std::string why;
  };
  core::Files &files;
  unsigned uid;
  Keep when;
  /// Path below a root, and content.
  std::vector<std::pair<std::string, std::string>> unwritten;
  /// The process's group; determined once something is group-writable.
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
