// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Input.h"
#include "driver/core/Runner.h"
#include "tests/support/MemoryFiles.h"

namespace cudacc::fuzz {

/// Several files in one input, in memory: a line `=== NAME` begins one, `=== NAME -> TARGET` is a
/// symbolic link.
struct Folder {
  test::MemoryFiles files;
  /// Name and content of the first one.
  llvm::StringRef name, text;

  /// \p at: the folder that gets the files, absolute.
  Folder(llvm::StringRef bytes, llvm::StringRef at) {
    files.directory(at);
    files.cwd = at.str();
    bytes.consume_front("=== ");
    for (bool isFirst = true; !bytes.empty(); isFirst = false) {
      auto [part, rest] = bytes.split("\n=== ");
      auto [line, content] = part.split('\n');
      auto [path, target] = line.split(" -> ");
      if (isFirst)
        std::tie(name, text) = std::pair(path, content);
      std::string full = (at + "/" + path).str();
      if (target.empty())
        files.file(full, content, 0755);
      else
        files.symlink(full, target);
      bytes = rest;
    }
  }
};

/// Starts nothing. Answers with the file in /answers that is called as the word at \p place.
struct Answers : core::Runner {
  core::Files &files;
  size_t place;

  Answers(core::Files &files, size_t place) : files(files), place(place) {}
  llvm::Error exec(const core::Command &) override { return none(); }
  llvm::Expected<core::ExitStatus> spawn(const core::Command &) override { return none(); }
  llvm::Expected<Answer> ask(const core::Command &command) override {
    if (place >= command.argv.size())
      return none();
    auto text = files.read(("/answers/" + command.argv[place]).str());
    if (!text)
      return text.takeError();
    Answer answer;
    answer.out = std::move(*text);
    return answer;
  }

private:
  static llvm::Error none() {
    return core::makeError(core::Code::SpawnFailed, "nothing can be started");
  }
};

} // namespace cudacc::fuzz
