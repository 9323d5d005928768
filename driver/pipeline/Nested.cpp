// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/Nested.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::pipeline {

Nested Nested::read(const core::Environment &environment) {
  Nested nested;
  nested.isInherited = environment.get(variable).has_value();
  for (llvm::StringRef line : llvm::split(environment.getOr(variable), '\n')) {
    auto [key, value] = line.split('=');
    if (key == "facts")
      nested.printsFacts = value == "1";
    else if (key == "manifest")
      nested.manifest = value.str();
    else if (key == "lock")
      nested.locks.push_back(value.str());
  }
  return nested;
}

void Nested::pass(core::Command &command) const {
  std::string text;
  auto add = [&](llvm::StringRef key, llvm::StringRef value) {
    text.append({key.data(), key.size()}).append("=").append(value.str()).append("\n");
  };
  if (printsFacts)
    add("facts", "1");
  if (manifest)
    add("manifest", *manifest);
  for (const std::string &lock : locks)
    add("lock", lock);
  llvm::erase_if(command.set, [](const auto &each) { return each.first == variable; });
  if (!text.empty())
    command.set.emplace_back(variable, std::move(text));
  else if (isInherited)
    command.unset.push_back(variable.str());
}

} // namespace cudacc::pipeline
