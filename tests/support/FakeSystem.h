// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/System.h"
#include "tests/support/MemoryFiles.h"
#include "gmock/gmock.h"
#include <functional>

namespace cudacc::test {

/// Keeps all output; stdin is empty.
class KeptConsole : public run::Console {
public:
  std::string said, complained;
  /// Of stdin, and of stdout and stderr.
  bool inTerminal = false, isTerminal = false;

  void out(llvm::StringRef text) override { said += text; }
  void err(llvm::StringRef text) override { complained += text; }
  long in(llvm::MutableArrayRef<char>) override { return 0; }
  int outError() override { return 0; }
  bool inIsTerminal() override { return inTerminal; }
  bool outIsTerminal() override { return isTerminal; }
  bool errIsTerminal() override { return isTerminal; }
};

/// Records commands instead of running them.
class KeptRunner : public core::Runner {
public:
  std::vector<core::Command> started;
  /// Output of commands that are run to read their output.
  std::vector<core::Command> asked;
  core::ExitStatus ended;
  /// The effect of a spawned program; null if it has none.
  std::function<void(const core::Command &)> onSpawn;

  llvm::Error exec(const core::Command &command) override {
    started.push_back(command);
    return llvm::Error::success();
  }
  llvm::Expected<core::ExitStatus> spawn(const core::Command &command) override {
    started.push_back(command);
    if (onSpawn)
      onSpawn(command);
    return ended;
  }
  llvm::Expected<Answer> ask(const core::Command &command) override {
    asked.push_back(command);
    return Answer{};
  }
};

/// A system with an in-memory disk, a runner that starts nothing, and the environment that a test
/// sets.
struct FakeSystem {
  MemoryFiles files;
  KeptRunner runner;
  KeptConsole console;
  pipeline::System system{{files, runner, console, {}, "/bin/cuda-cc"},
                          probe::Self("/bin/cuda-cc", files)};
};

} // namespace cudacc::test
