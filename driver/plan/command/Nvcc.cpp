// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/command/Nvcc.h"
#include "driver/plan/command/Edit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

namespace cudacc::plan {

using namespace core;

Plan planNvcc(const NvccParts &parts) {
  const Invocation &call = *parts.call;
  Plan plan;
  plan.command = parts.command;
  Edits edits;
  if (!parts.ccbin.empty()) {
    edits.prefix.push_back("-ccbin=" + parts.ccbin);
    edits.dropAll(call.ccbinWords);
    plan.reasons.push_back("host compiler through " + parts.ccbin);
    if (call.hasVariableFlags) {
      edits.mergeVariables = true;
      plan.command.unset.insert(plan.command.unset.end(),
                                {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"});
    }
    if (call.kind == CallKind::Link && call.needsForwarding)
      edits.prefix.push_back("-forward-unknown-to-host-compiler");
  }
  if (!parts.recordHeader.empty() && !call.danglingOption) {
    addRecord(call, parts.recordHeader, edits.suffix);
    plan.reasons.push_back("record " + parts.recordHeader);
  }
  apply(call, edits, plan.command.argv);
  return plan;
}

bool nvccCanLieIn(llvm::StringRef path) { return path.find_first_of("$`\n") == path.npos; }

bool nvccCanName(llvm::StringRef path, bool inList) {
  return path.find_first_of(inList ? ",'\"\\`" : "'\"\\`$\n") == path.npos &&
         (!inList || llvm::json::isUTF8(path));
}

std::vector<std::string> leakedByNvcc(llvm::ArrayRef<llvm::StringRef> environment) {
  static constexpr llvm::StringLiteral exported[] = {
      "TOP",           "INCLUDES",           "SYSTEM_INCLUDES", "LIBRARIES",
      "CICC_PATH",     "NVVMIR_LIBRARY_DIR", "_HERE_",          "_THERE_",
      "_TARGET_SIZE_", "_TARGET_DIR_",       "_NVVM_BRANCH_",   "_SPACE_",
      "_CUDART_",      "CUDA_ROOT",          "CUDAFE_FLAGS",    "PTXAS_FLAGS"};
  auto set = [&](llvm::StringRef name) {
    return llvm::any_of(environment, [&](llvm::StringRef entry) {
      return entry.consume_front(name) && entry.starts_with("=");
    });
  };
  std::vector<std::string> leaked;
  if (set("_HERE_") && set("TOP"))
    for (llvm::StringRef name : exported)
      if (set(name))
        leaked.push_back(name.str());
  return leaked;
}

} // namespace cudacc::plan
