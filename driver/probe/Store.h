#pragma once

#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "driver/core/PythonEnvironment.h"
#include "driver/core/Runner.h"
#include "driver/core/Toolkit.h"
#include "driver/probe/TargetForm.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace cudacc::probe {

/// What cuda-cc keeps for itself between calls (F21): facts about toolkits and compilers, records'
/// headers, manifest objects, anonymous toolchain directories. Everything is named by content or by
/// the identity of what it was read from, written aside and renamed, and never removed.
class Store {
public:
  /// `${XDG_DATA_HOME:-~/.local/share}/cuda-cc`, else (no HOME, or not writable) a private
  /// directory under TMPDIR. Nothing is made yet.
  Store(const core::Environment &environment, core::Files &files, unsigned uid);

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
  /// is where it lies, and a later question about the same place takes its room.
  llvm::Expected<core::Target> target(llvm::StringRef place, llvm::StringRef question,
                                      llvm::function_ref<llvm::Expected<KeptTarget>()> read);

  /// Path of a kept file of that content; it is written when it is not there. Empty: nothing is
  /// writable.
  std::string file(llvm::StringRef folder, llvm::StringRef name,
                   llvm::function_ref<std::string()> content);

  /// Path of the directory \p name in \p folder, made by \p make (given the path) when it is not
  /// there. Empty: nothing is writable; \p make's last error is dropped.
  std::string directory(llvm::StringRef folder, llvm::StringRef name,
                        llvm::function_ref<llvm::Error(llvm::StringRef)> make);

  /// Held by one process at a time, for as long as the object lives. Null: nothing is writable.
  std::unique_ptr<core::FileLock> lock(llvm::StringRef name);

private:
  core::Files &files;
  unsigned uid;
  /// In order of preference.
  llvm::SmallVector<std::string, 2> roots;
  std::string fallback;

  bool isTrusted(llvm::StringRef root);
  bool ready(llvm::StringRef root);
  void keep(llvm::StringRef relative, llvm::StringRef text);
  template <typename T>
  llvm::Expected<T>
  keptOr(const std::string &relative, llvm::function_ref<std::optional<T>(llvm::StringRef)> parse,
         llvm::function_ref<bool(const T &)> isMeant, llvm::function_ref<llvm::Expected<T>()> read);

  bool unchanged(llvm::ArrayRef<core::FileId> inputs);
  std::string find(llvm::StringRef relative, core::FileStatus::Kind kind);
};

} // namespace cudacc::probe
