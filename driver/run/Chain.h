// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "driver/core/Runner.h"
#include "llvm/ADT/ArrayRef.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::run {

/// Holds the programs through which a call of cuda-cc led to another one, so that a script which
/// starts cuda-cc in place of a compiler, and is what cuda-cc then finds, ends with an error
/// instead of running for ever. Internal: no other program is to set it.
inline constexpr llvm::StringLiteral chainVariable = "CUDA_CC_CHAIN";

/// Programs in the order in which they were started, by absolute path.
class Chain {
public:
  /// As \p text in the variable says; empty: none.
  explicit Chain(llvm::StringRef text);
  void add(llvm::StringRef program);
  bool empty() const { return entries.empty(); }
  /// For the variable: of bounded length, one printable line.
  std::string text() const;
  /// Starting the last program is one time too many: nothing that builds does that.
  bool isEndless() const;
  /// What is wrong with an endless chain; without fixes.
  core::Finding finding() const;
  /// Decoded.
  std::vector<std::string> programs() const;

private:
  /// Encoded, so that equal programs are equal texts.
  std::vector<std::string> entries;
};

/// What the guard asks about the process that it runs in.
struct Process {
  std::function<int()> parent;
  /// CPU time of this process so far, in microseconds; exec does not set it back.
  std::function<uint64_t()> cpuTime;
};

/// A Runner that notices when the programs that are started lead back to cuda-cc without end, and
/// hands on what is started to another Runner.
///
/// The variable is given to programs that may lead back: to all that are no ELF files. A compiler
/// is one, and gets the environment as it is, unless there are signs of a loop of ELF programs
/// already: the variable is there; the parent process runs the program that is to be started; or
/// this process, which execs of one another have in common, has used more CPU time than any call of
/// cuda-cc needs.
class GuardedRunner final : public core::Runner {
public:
  /// Of a compiler's name and the programs in the chain: another one that can be started; or empty.
  using FindOther = std::function<std::string(llvm::StringRef, llvm::ArrayRef<std::string>)>;

  GuardedRunner(core::Runner &next, core::Files &files, const core::Environment &environment,
                Process process, FindOther findOther);

  llvm::Error exec(const core::Command &command) override;
  llvm::Expected<core::ExitStatus> spawn(const core::Command &command) override;
  llvm::Expected<Answer> ask(const core::Command &command) override;

private:
  core::Runner &next;
  core::Files &files;
  llvm::StringRef inherited;
  Process process;
  FindOther findOther;

  bool mayLeadBack(llvm::StringRef program);
  bool isParent(llvm::StringRef program);
  /// Name of the cache or farm that \p program is, or is a link to; empty: it is none.
  std::string launcherBehind(llvm::StringRef program);
  llvm::Error refuse(const Chain &chain);
  /// \p command itself, or \p changed with the variable. Error: it leads back without end.
  llvm::Expected<const core::Command *> guard(const core::Command &command,
                                              std::optional<core::Command> &changed);
};

} // namespace cudacc::run
