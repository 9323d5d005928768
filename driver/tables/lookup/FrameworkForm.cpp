#include "driver/tables/lookup/FrameworkForm.h"
#include "llvm/ADT/StringSwitch.h"

namespace cudacc::tables {

std::optional<FrameworkPins> frameworkPinsCalled(llvm::StringRef kind) {
  return llvm::StringSwitch<std::optional<FrameworkPins>>(kind)
      .Case("exact", FrameworkPins::Exact)
      .Case("floor", FrameworkPins::Floor)
      .Case("range", FrameworkPins::Range)
      .Case("built_with", FrameworkPins::BuiltWith)
      .Case("none", FrameworkPins::None)
      .Default(std::nullopt);
}

bool namesOneVersion(const versions::Specifier &clause) {
  return clause.op == versions::Specifier::Op::Equal && !clause.prefix;
}

} // namespace cudacc::tables
