// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/remedies/Remedy.h"
#include "driver/versions/EnumWords.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::policy {

const char *str(Remedy::Kind kind) {
  static constexpr const char *words[] = {"undo",   "framework", "wheel",   "rebuild",
                                          "relink", "order",     "variable"};
  return versions::entryOf<Remedy::Kind::Variable>(words, kind);
}

std::string asFix(const Remedy &remedy) {
  return remedy.commands.empty() ? remedy.text : llvm::join(remedy.commands, " && ");
}

} // namespace cudacc::policy
