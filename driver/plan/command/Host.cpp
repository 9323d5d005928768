// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/command/Host.h"
#include "driver/plan/command/Edit.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::plan {

core::Plan planHostCompile(const core::Invocation &call, core::Command command,
                           const std::string &recordHeader) {
  core::Plan plan;
  plan.command = std::move(command);
  Edits edits;
  if (!recordHeader.empty() && !call.danglingOption) {
    // After clang's `--` every argument is an input.
    bool closed =
        llvm::any_of(call.words, [](const core::Word &word) { return word.text == "--"; });
    auto &place = closed ? edits.prefix : edits.suffix;
    addRecord(call, recordHeader, place);
    plan.reasons.push_back("record " + recordHeader);
  }
  apply(call, edits, plan.command.argv);
  return plan;
}

} // namespace cudacc::plan
