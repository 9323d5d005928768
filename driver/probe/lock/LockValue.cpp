// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/lock/LockValue.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/Json.h"
#include "driver/support/Toml.h"
#include "driver/versions/Format.h"

namespace cudacc::probe {

using llvm::StringRef;

llvm::Error brokenLock(StringRef shown, unsigned line, StringRef what, StringRef why) {
  return core::makeError(core::Code::BrokenConfig,
                         fmt::format("{}:{} {}", shown, std::max(line, 1u), what),
                         {{"because", why.str()}});
}

llvm::Expected<Value> parseTomlLock(StringRef text, StringRef shown) {
  support::TextError error;
  if (auto value = support::readToml(text, error))
    return std::move(*value);
  return brokenLock(shown, error.line, "is not valid TOML", error.why);
}

llvm::Expected<Value> parseJsonLock(StringRef text, StringRef shown) {
  support::TextError error;
  support::JsonLimits limits;
  limits.depth = deepestLock;
  limits.values = mostLockValues;
  if (auto value = support::readJson(text, error, limits))
    return std::move(*value);
  return brokenLock(shown, error.line, "is not valid JSON", error.why);
}

} // namespace cudacc::probe
