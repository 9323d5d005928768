// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/ModuleName.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::versions {

using llvm::StringRef;

bool isSharedObjectName(StringRef file) { return file.ends_with(".so") || file.contains(".so."); }

bool isLibraryName(StringRef file) { return file.starts_with("lib") && isSharedObjectName(file); }

std::optional<std::string> pythonOfModule(StringRef file) {
  StringRef suffix = file.substr(file.find('.'));
  if (!stableAbiOf(suffix).empty())
    return "3";
  if (!suffix.consume_front(".cpython-3") || !suffix.ends_with(".so"))
    return std::nullopt;
  StringRef minor = suffix.take_until([](char c) { return c == '-' || c == '.'; });
  StringRef digits = minor.take_while(llvm::isDigit);
  if (digits.empty())
    return std::nullopt;
  return fmt::format("3.{}{}", digits, minor.ends_with("t") ? "t" : "");
}

StringRef stableAbiOf(StringRef file) {
  StringRef suffix = file.substr(file.find('.'));
  if (!suffix.consume_front(".") || !suffix.consume_back(".so"))
    return "";
  auto [abi, machine] = suffix.split('-');
  bool isNamed = machine.empty() ? abi == suffix : machine.ends_with("-linux-gnu");
  return isNamed && (abi == "abi3" || abi == "abi3t") ? abi : "";
}

std::string initFunctionOf(StringRef path) {
  StringRef stem = path.substr(path.rfind('/') + 1).split('.').first;
  if (stem == "__init__")
    stem = path.rsplit('/').first.rsplit('/').second;
  if (stem.empty() || !llvm::all_of(stem, [](char c) { return llvm::isAlnum(c) || c == '_'; }))
    return {};
  return fmt::format("PyInit_{}", stem);
}

} // namespace cudacc::versions
