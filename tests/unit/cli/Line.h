// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cli/Cli.h"
#include "driver/core/Diagnostic.h"
#include "tests/support/MemoryFiles.h"
#include "llvm/ADT/StringExtras.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <deque>

namespace cudacc::test {

using core::CallKind;
using core::Dialect;
using core::Invocation;
using core::Role;
using Strings = std::vector<std::string>;

/// A call in a fake environment: a few compilers on PATH, sources in the working directory.
struct Line {
  MemoryFiles files;
  Strings variables = {"PATH=/usr/bin:/opt/my tools"};
  Strings argv;

  Line() {
    for (const char *name :
         {"g++", "gcc", "nvcc", "ccache", "mpicxx", "nvc++", "gfortran", "a.out"})
      files.program(std::string("/usr/bin/") + name);
    files.program("/opt/my tools/icpx").file("/project/notes", "text").file("/project/x.cu");
    files.program("/td/bin/cuda-cc").file("/td/cuda-cc.facts");
  }
  explicit Line(Strings words) : Line() { argv = std::move(words); }

  llvm::Expected<Invocation> tryParse() {
    // The result refers to the arguments, like that of a process.
    static std::deque<Strings> kept;
    const Strings &keptArgv = kept.emplace_back(argv), &keptEnv = kept.emplace_back(variables);
    static std::deque<std::vector<llvm::StringRef>> lines;
    const auto &words = lines.emplace_back(keptArgv.begin(), keptArgv.end());
    core::Environment env;
    env.entries.assign(keptEnv.begin(), keptEnv.end());
    return cli::parse(words, env, files);
  }
  Invocation parse() {
    auto call = tryParse();
    if (call)
      return std::move(*call);
    ADD_FAILURE() << core::toFinding(call.takeError()).message;
    return {};
  }
  core::Finding finding() {
    auto call = tryParse();
    if (!call)
      return core::toFinding(call.takeError());
    ADD_FAILURE() << "parsed";
    return {};
  }
};

/// argv from a text with single blanks between arguments; `~` stands for a blank inside one.
inline Strings words(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 16> parts;
  text.split(parts, ' ', -1, false);
  Strings result;
  for (llvm::StringRef part : parts) {
    result.push_back(part.str());
    std::replace(result.back().begin(), result.back().end(), '~', ' ');
  }
  return result;
}

/// Parses such a text.
inline Invocation parsed(llvm::StringRef text) { return Line(words(text)).parse(); }

inline Strings texts(const std::vector<core::Word> &list) {
  Strings result;
  for (const core::Word &word : list)
    result.push_back(word.text.str());
  return result;
}
inline Strings texts(llvm::ArrayRef<llvm::StringRef> list) {
  return Strings(list.begin(), list.end());
}
/// `lib:NAME` or `NAME`, followed by `*` if the argument contains more.
inline Strings texts(const std::vector<core::LinkInput> &list) {
  Strings result;
  for (const core::LinkInput &input : list)
    result.push_back((input.kind == core::LinkInput::Kind::Library ? "lib:" : "") +
                     input.text.str() + (input.shared ? "*" : ""));
  return result;
}
/// `I:`, `q:`, `s:` or `a:` before each directory.
inline Strings texts(const std::vector<core::IncludeDir> &list) {
  Strings result;
  for (const core::IncludeDir &dir : list)
    result.push_back(std::string(1, "qIsa"[size_t(dir.kind)]) + ":" + dir.path.str());
  return result;
}

} // namespace cudacc::test
