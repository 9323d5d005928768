// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/remedies/Remedy.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace cudacc::policy {

const char *str(Remedy::Kind kind) {
  switch (kind) {
  case Remedy::Kind::Undo:
    return "undo";
  case Remedy::Kind::Framework:
    return "framework";
  case Remedy::Kind::Wheel:
    return "wheel";
  case Remedy::Kind::Rebuild:
    return "rebuild";
  case Remedy::Kind::Relink:
    return "relink";
  case Remedy::Kind::Order:
    return "order";
  case Remedy::Kind::Variable:
    return "variable";
  }
  llvm_unreachable("no kind");
}

std::string asFix(const Remedy &remedy) {
  return remedy.commands.empty() ? remedy.text : llvm::join(remedy.commands, " && ");
}

} // namespace cudacc::policy
