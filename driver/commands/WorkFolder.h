// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/System.h"
#include "driver/run/Signals.h"

namespace cudacc::commands {

/// A hidden folder for files of one call, removed with all that is in it when this ends. A signal
/// that would end the process is held back until then; long work asks for it between its steps.
class WorkFolder {
public:
  /// Makes a new folder in \p parent, which is made if it is missing, and then removed again if
  /// nothing else came into it.
  static llvm::Expected<std::unique_ptr<WorkFolder>> make(pipeline::System &system,
                                                          const std::string &parent);
  /// In TMPDIR.
  static llvm::Expected<std::unique_ptr<WorkFolder>> makeTemporary(pipeline::System &system);
  WorkFolder(const WorkFolder &) = delete;
  WorkFolder &operator=(const WorkFolder &) = delete;
  ~WorkFolder();

  /// Absolute.
  const std::string &path() const { return folder; }
  /// Whether a signal waits for the end of this.
  bool interrupted() const { return run::SignalsHeld::received() != 0; }
  /// Makes a folder in it.
  llvm::Expected<std::string> makeFolder(llvm::StringRef name);

private:
  WorkFolder(pipeline::System &system, std::string folder, std::string madeParent)
      : system(system), folder(std::move(folder)), madeParent(std::move(madeParent)) {}

  /// Delivers the signal last.
  run::SignalsHeld signals;
  pipeline::System &system;
  std::string folder;
  /// Empty if it existed.
  std::string madeParent;
};

} // namespace cudacc::commands
