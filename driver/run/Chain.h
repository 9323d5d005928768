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

/// Lists the programs through which one cuda-cc led to the next. A script that starts cuda-cc in
/// place of a compiler, and that cuda-cc then finds as the compiler, so ends with an error instead
/// of an endless loop. Internal: users should not set it.
inline constexpr llvm::StringLiteral chainVariable = "CUDA_CC_CHAIN";

/// Absolute paths of programs, in the order in which they were started.
class Chain {
public:
  /// Parses the variable's value; empty for no program.
  explicit Chain(llvm::StringRef text);
  void add(llvm::StringRef program);
  bool empty() const { return entries.empty(); }
  /// The variable's value: one printable line of bounded length.
  std::string text() const;
  /// The last program occurs too often, or the chain is too long, for any working build.
  bool isEndless() const;
  /// The finding for an endless chain, without fixes.
  core::Finding finding() const;
  /// Decoded.
  std::vector<std::string> programs() const;

private:
  /// Encoded paths; equal for equal programs.
  std::vector<std::string> entries;
};

/// Properties of the current process.
struct ThisProcess {
  std::function<int()> parent;
  /// CPU time of this process so far, in microseconds; exec does not reset it.
  std::function<uint64_t()> cpuTime;
};

/// A Runner that detects when started programs lead back to cuda-cc endlessly; it forwards to
/// another Runner.
///
/// The variable is set for programs that may lead back: all that are not ELF files. Compilers are
/// ELF files and get the environment unchanged, unless there are signs of a loop of ELF programs:
/// the variable is already set; the parent process runs the program that is to be started; or this
/// process, which is the same through a series of execs, has used more CPU time than any call of
/// cuda-cc needs.
class GuardedRunner final : public core::Runner {
public:
  /// Finds another program for a compiler's name, given the programs in the chain; empty if none.
  using FindOther = std::function<std::string(llvm::StringRef, llvm::ArrayRef<std::string>)>;

  GuardedRunner(core::Runner &next, core::Files &files, const core::Environment &environment,
                ThisProcess process, FindOther findOther);

  llvm::Error exec(const core::Command &command) override;
  llvm::Expected<core::ExitStatus> spawn(const core::Command &command) override;
  llvm::Expected<Answer> ask(const core::Command &command) override;
  llvm::Expected<Answer> observe(const core::Command &command, core::Accesses &accesses) override;

private:
  core::Runner &next;
  core::Files &files;
  llvm::StringRef inherited;
  ThisProcess process;
  FindOther findOther;

  bool mayLeadBack(llvm::StringRef program);
  bool isParent(llvm::StringRef program);
  /// Name of the compiler cache or compile farm that \p program is or links to; empty if none.
  std::string launcherBehind(llvm::StringRef program);
  llvm::Error refuse(const Chain &chain);
  /// Returns \p command itself, or \p changed with the variable set. Errors: an endless chain.
  llvm::Expected<const core::Command *> guard(const core::Command &command,
                                              std::optional<core::Command> &changed);
};

} // namespace cudacc::run
