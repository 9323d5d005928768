// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/Declaration.h"
#include "driver/core/Diagnostic.h"
#include "driver/core/LibraryFloor.h"
#include "driver/versions/TorchRange.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include <optional>

/// Functions shared by the writers of Json.h.
namespace cudacc::report {

/// A valid string for llvm::json, which asserts on bytes that are not UTF-8. The value owns it; for
/// a StringRef it would only keep a reference.
inline llvm::json::Value fixed(llvm::StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

inline llvm::json::ObjectKey key(llvm::StringRef text) {
  return llvm::json::isUTF8(text) ? llvm::json::ObjectKey(text.str())
                                  : llvm::json::ObjectKey(llvm::json::fixUTF8(text));
}

inline void put(llvm::json::Object &object, llvm::StringLiteral name, llvm::StringRef text) {
  if (!text.empty())
    object[name] = fixed(text);
}

inline void put(llvm::json::Object &object, llvm::StringLiteral name,
                versions::CudaVersion version) {
  if (version.known())
    object[name] = version.str();
}

inline void put(llvm::json::Object &object, llvm::StringLiteral name, const core::Origin &origin) {
  if (origin)
    object[name] = fixed(origin.str());
}

llvm::json::Value toJson(const core::Finding &finding);
inline llvm::json::Value findingJson(const core::Finding &finding) { return toJson(finding); }

/// `torch`: the releases that a file fits. Omitted if the file imports no torch symbols.
void putTorch(llvm::json::Object &out, const versions::TorchRange &range);

/// The minimum version of each library, by SONAME, if known.
llvm::json::Object floorsJson(llvm::ArrayRef<core::LibraryFloor> floors);

/// An empty value is written; only an absent one is omitted.
template <typename Text>
void put(llvm::json::Object &object, llvm::StringLiteral name, const std::optional<Text> &text) {
  if (text)
    object[name] = fixed(*text);
}

template <typename Strings> llvm::json::Array strings(const Strings &range) {
  llvm::json::Array out;
  for (const auto &each : range)
    out.push_back(fixed(each));
  return out;
}

template <typename Values, typename Writer>
llvm::json::Array array(const Values &range, Writer write) {
  llvm::json::Array out;
  for (const auto &each : range)
    out.push_back(write(each));
  return out;
}

/// Omits an empty list.
template <typename Values, typename Writer>
void putList(llvm::json::Object &object, llvm::StringLiteral name, const Values &range,
             Writer write) {
  if (!range.empty())
    object[name] = array(range, write);
}
template <typename Strings>
void putList(llvm::json::Object &object, llvm::StringLiteral name, const Strings &range) {
  putList(object, name, range, [](llvm::StringRef each) { return fixed(each); });
}

/// Adds `device` with one row per image, `units`, and other facts about the device code.
void putDevice(llvm::json::Object &object, const core::DeviceCode &device);

inline llvm::json::Array declaredJson(llvm::ArrayRef<core::Setting<std::string>> requirements) {
  return array(requirements, [](const core::Setting<std::string> &each) {
    llvm::json::Object row{{"requirement", fixed(each.value)}};
    put(row, "origin", each.origin);
    return llvm::json::Value(std::move(row));
  });
}

} // namespace cudacc::report
