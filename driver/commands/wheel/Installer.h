// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Runner.h"
#include "driver/pipeline/System.h"

namespace cudacc::commands {

/// Makes Python environments, by uv or else by Python's venv and pip. Both are configured as the
/// user's own: their variables and files apply.
class Installer {
public:
  /// Errors: InstallFailed, if neither uv nor a Python is on PATH. \p python: the program or
  /// version that the environments are for; empty for any.
  static llvm::Expected<Installer> find(pipeline::System &system, std::string python);

  /// `uv`, `pip`.
  llvm::StringRef name() const { return uv.empty() ? "pip" : "uv"; }
  /// Whether it can find the lowest version of a requirement itself. Else it has to be named.
  bool findsLowest() const { return !uv.empty(); }
  /// Makes an environment at \p folder and installs \p wheel there, with the highest versions of
  /// what it requires; but of \p lowest, requirements as in metadata, with the lowest that there
  /// are. If it does not find them, that is `name==version`. Error: InstallFailed, with the last
  /// lines of what was printed.
  llvm::Error install(const std::string &folder, const std::string &wheel,
                      llvm::ArrayRef<std::string> lowest) const;
  /// Runs Python code in the environment at \p folder, without the user's module and library paths.
  llvm::Expected<core::Runner::Answer> run(const std::string &folder, std::string code) const;

private:
  Installer(pipeline::System &system, std::string uv, std::string python)
      : system(&system), uv(std::move(uv)), python(std::move(python)) {}
  llvm::Error runTool(llvm::ArrayRef<std::string> words) const;

  pipeline::System *system;
  /// Path of uv; empty if there is none.
  std::string uv;
  /// With uv as given; else the path of a program.
  std::string python;
};

} // namespace cudacc::commands
