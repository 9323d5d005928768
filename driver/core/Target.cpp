// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Target.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::core {

const TargetLibrary *Target::find(llvm::StringRef soname) const {
  auto it = llvm::find_if(libraries, [&](const auto &library) { return library.soname == soname; });
  return it == libraries.end() ? nullptr : &*it;
}

std::string Target::describe() const {
  std::string text;
  for (const Setting<std::string> &each : declaredAs) {
    if (!text.empty())
      text += " and ";
    text += each.value;
    if (each.origin)
      text += (each.origin.kind == Origin::Kind::File ? " in " : " from ") + each.origin.str();
  }
  return text;
}

void Target::findLayout(llvm::StringRef evidence) {
  if (libraries.empty() || !llvm::all_of(libraries, [](const auto &row) { return row.ofConda; }))
    return;
  layout = {{Layout::Conda, ""}, {Origin::Kind::File, evidence.str()}};
}

std::string Target::describeLayout() const {
  return fmt::format("{} ({})", layout.value.str(),
                     layout.origin ? layout.origin.str() : "nothing declares a layout");
}

} // namespace cudacc::core
