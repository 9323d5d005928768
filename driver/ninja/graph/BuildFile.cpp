// SPDX-License-Identifier: Apache-2.0
#include "driver/ninja/graph/BuildFile.h"
#include "driver/support/ShellWord.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

namespace cudacc::ninja {

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

/// Indices of the steps, first those that a host compile waits for, which are the longest chain.
/// Ninja starts what is ready in this order; newer ones know how long a step took.
static std::vector<size_t> orderOf(const StepGraph &graph) {
  llvm::StringMap<size_t> makers;
  for (auto [i, step] : llvm::enumerate(graph.steps))
    for (StringRef name : step.outputs)
      makers[name] = i;
  llvm::BitVector isEarly(graph.steps.size());
  for (size_t i = graph.steps.size(); i-- > 0;) {
    const Step &step = graph.steps[i];
    if (step.kind == StepKind::HostCompile)
      isEarly.set(i);
    for (StringRef name : step.inputs)
      if (auto maker = makers.find(name); isEarly.test(i) && maker != makers.end())
        isEarly.set(maker->second);
  }
  std::vector<size_t> order;
  for (bool early : {true, false})
    for (size_t i = 0; i < graph.steps.size(); ++i)
      if (isEarly.test(i) == early)
        order.push_back(i);
  return order;
}

std::optional<std::string> buildFile(const StepGraph &graph, llvm::ArrayRef<std::string> keys,
                                     StringRef runner) {
  std::string text = fmt::format("rule step\n  command = {} $step $key\n", escaped(runner, false));
  for (size_t i : orderOf(graph)) {
    const Step &step = graph.steps[i];
    std::string inputs = paths(step.inputs);
    text += fmt::format("build {}: step{}{}\n  step = {}\n  key = {}\n", paths(step.outputs),
                        inputs.empty() ? "" : " ", inputs,
                        escaped(support::shellWord(step.name), false), escaped(keys[i], false));
    for (const auto *names : {&step.inputs, &step.outputs})
      for (StringRef name : *names)
        if (name.contains('\n'))
          return std::nullopt;
  }
  return text;
}

} // namespace cudacc::ninja
