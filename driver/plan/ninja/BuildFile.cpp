// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/ninja/BuildFile.h"
#include "driver/support/ShellWord.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::plan {

using llvm::StringRef;

/// Escapes \p text: a path on a `build` line, where blanks and colons end it, or a value.
static std::string escaped(StringRef text, bool isPath) {
  std::string out;
  for (char c : text) {
    if (c == '$' || (isPath && (c == ' ' || c == ':')))
      out += '$';
    out += c;
  }
  return out;
}

static std::string paths(llvm::ArrayRef<std::string> names) {
  return support::joined(names, " ", [](StringRef name) { return escaped(name, true); });
}

std::optional<std::string> buildFile(const StepGraph &graph, llvm::ArrayRef<std::string> keys,
                                     StringRef runner) {
  std::string text =
      fmt::format("rule step\n  command = {} $step $key\n  restat = 1\n", escaped(runner, false));
  for (auto [step, key] : llvm::zip_equal(graph.steps, keys)) {
    std::string inputs = paths(step.inputs);
    text += fmt::format("build {}: step{}{}\n  step = {}\n  key = {}\n", paths(step.outputs),
                        inputs.empty() ? "" : " ", inputs,
                        escaped(support::shellWord(step.name), false), escaped(key, false));
    for (const auto *names : {&step.inputs, &step.outputs})
      for (StringRef name : *names)
        if (name.contains('\n'))
          return std::nullopt;
  }
  return text;
}

} // namespace cudacc::plan
