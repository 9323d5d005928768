// SPDX-License-Identifier: Apache-2.0
#include "driver/config/BackendKeys.h"
#include "driver/config/Settings.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::config {

using namespace core;
using support::Value;

static constexpr BackendKey backendKeyRows[] = {
#define BACKEND_KEY(Name, Type_, Allowed, Values) {Name, KeyInfo::ValueType::Type_, Allowed},
#include "driver/config/settings.def"
};

llvm::ArrayRef<BackendKey> backendKeys() { return backendKeyRows; }

const BackendKey *findBackendKey(llvm::StringRef name) {
  const auto *found =
      llvm::find_if(backendKeyRows, [&](const auto &row) { return row.name == name; });
  return found == std::end(backendKeyRows) ? nullptr : found;
}

static bool isDottedName(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 4> parts;
  text.split(parts, '.');
  return llvm::all_of(parts, [](llvm::StringRef part) {
    return !part.empty() && !llvm::isDigit(part[0]) && llvm::all_of(part, [](unsigned char c) {
      return llvm::isAlnum(c) || c == '_' || c >= 0x80;
    });
  });
}

/// `package.module` or `module:object`, as build-backend in `[build-system]`.
static bool namesBackend(llvm::StringRef text) {
  auto [module, object] = text.split(':');
  return isDottedName(module) && (module.size() == text.size() || isDottedName(object));
}

bool meansSetting(const BackendKey &key, const Value &value) {
  const KeyInfo *row = findKey(key.name);
  return row && value.isText() && llvm::is_contained(llvm::split(row->words, ' '), value.text);
}

static bool staysInProject(const Value &folder) {
  llvm::SmallVector<llvm::StringRef, 4> parts;
  llvm::StringRef(folder.text).split(parts, '/');
  return folder.isText() && !folder.text.empty() && folder.text[0] != '/' &&
         !llvm::is_contained(parts, "..");
}

llvm::Error onlyInPyproject(llvm::StringRef key, llvm::StringRef table, const Origin &at) {
  std::vector<std::string> fixes = {fmt::format("move it to {} of pyproject.toml", table)};
  if (const KeyInfo *row = findKey(key))
    fixes.push_back(fmt::format("for the setting, write one of {}", row->allowed));
  return makeError(Code::BadValue, fmt::format("{} is read from pyproject.toml alone", key),
                   {{"where", placeOf(at)}}, std::move(fixes));
}

llvm::Error checkBackendKey(const BackendKey &key, const Value &value, llvm::StringRef shown) {
  bool isList = key.type == KeyInfo::ValueType::Texts;
  Origin at{Origin::Kind::File, shown.str(), value.line, value.column};
  auto bad = [&](std::string message) {
    return makeError(Code::BadValue, std::move(message),
                     {{"where", placeOf(at)}, {"allowed", key.allowed.str()}});
  };
  if (!shown.ends_with("pyproject.toml"))
    return onlyInPyproject(key.name, "[tool.cuda-cc]", at);
  if (isList) {
    if (!value.isList() || value.items.empty() || !llvm::all_of(value.items, staysInProject))
      return bad(fmt::format("{} must be a list of folders of the project", key.name));
  } else if (!value.isText()) {
    return bad(fmt::format("{} must be a string", key.name));
  } else if (!namesBackend(value.text)) {
    return bad(fmt::format("{} cannot be {}", key.name, support::quoted(value.text, 24)));
  }
  return llvm::Error::success();
}

} // namespace cudacc::config
