// SPDX-License-Identifier: Apache-2.0
#include "driver/config/ConfigFile.h"
#include "driver/config/BackendKeys.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/Paths.h"
#include "driver/support/ReadWhole.h"
#include "driver/support/Toml.h"
#include "driver/versions/Format.h"
#include "driver/versions/PlaceRequirement.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::config {

using namespace core;
using namespace support;
using support::Value;

static constexpr uint64_t largest = 1 << 20;

static llvm::Expected<std::string> readConfig(llvm::StringRef path, FileStatus &status,
                                              Files &files) {
  if (status.kind != FileStatus::Kind::Regular)
    return makeError(Code::UnreadableFile, "a configuration is not a regular file",
                     {{"where", path.str()}});
  if (status.id.size > largest)
    return makeError(Code::UnreadableFile, "a configuration is larger than 1 MiB",
                     {{"where", path.str()}});
  return readWithStatus(files, path, largest, status);
}

static bool isPath(llvm::StringRef text) {
  return text.contains('/') || text == "." || text == "..";
}

static llvm::Error notToml(llvm::StringRef shown, unsigned line, unsigned column,
                           const llvm::Twine &why) {
  Origin at{Origin::Kind::File, shown.str(), line, column};
  return makeError(Code::BrokenConfig, placeOf(at) + " is not valid TOML",
                   {{"because", why.str()}});
}

static bool holdsStrings(const Value &value) {
  return llvm::all_of(value.items, [](const Value &item) { return item.isText(); });
}

static bool holdsStringsAndFlags(const Value &value) {
  return llvm::all_of(value.items, [](const Value &item) {
    return item.isText() || item.kind == Value::Kind::Boolean;
  });
}

/// The value's kind for messages.
static const char *describe(const Value &value) {
  switch (value.kind) {
  case Value::Kind::Table:
    return value.items.empty()   ? "an empty table"
           : holdsStrings(value) ? "a table"
                                 : "a table with values other than strings";
  case Value::Kind::List:
    return holdsStrings(value) ? "a list of strings" : "a list with values other than strings";
  case Value::Kind::Text:
    return "a string";
  case Value::Kind::Number:
    return "a number";
  case Value::Kind::Boolean:
    return "true or false";
  case Value::Kind::None:
    break;
  }
  return "a date or time";
}

static bool isOfForm(const Value &value, const KeyInfo &row) {
  using ValueType = KeyInfo::ValueType;
  if (row.type == ValueType::Flag)
    return value.kind == Value::Kind::Boolean;
  if (row.key == Key::Jobs && value.integer())
    return true;
  return value.isText() || (row.isList() && value.isList() && holdsStrings(value)) ||
         (row.type == ValueType::Pairs && value.isTable() && !value.items.empty() &&
          (holdsStrings(value) || (row.key == Key::Wheel && holdsStringsAndFlags(value))));
}

/// Adds the texts of \p entry to its key; relative paths are resolved against the file's directory.
static llvm::Error take(llvm::StringRef key, const Value &entry, llvm::StringRef shown,
                        ConfigFile &config, Files &files) {
  auto originAt = [&](const Value &value, unsigned column) {
    return Origin{Origin::Kind::File, shown.str(), value.line, column};
  };
  if (const BackendKey *backend = findBackendKey(key); backend && !meansSetting(*backend, entry))
    return checkBackendKey(*backend, entry, shown);
  if (key == "matrix") {
    if (llvm::Error error =
            readMatrixTable(entry, shown, parentOf(config.path), files).moveInto(config.matrix))
      return error;
    return llvm::Error::success();
  }
  const KeyInfo *row = findKey(key);
  if (!row)
    return unknownKey(key, originAt(entry, entry.keyColumn));
  bool fits = isOfForm(entry, *row);
  if (!fits || (entry.isList() && entry.items.empty()))
    return wrongType(row->key, fits ? "an empty list" : describe(entry),
                     originAt(entry, entry.column));
  if (row->key == Key::Wheel && entry.find("repair") && !shown.ends_with("pyproject.toml"))
    return onlyInPyproject("repair", "[tool.cuda-cc.wheel]", originAt(entry, entry.column));
  Given &given = config.given[size_t(row->key)];
  llvm::ArrayRef<Value> texts =
      entry.isScalar() ? llvm::ArrayRef(entry) : llvm::ArrayRef(entry.items);
  for (size_t i = 0; i < texts.size(); ++i) {
    std::string value =
        entry.isTable() ? fmt::format("{}={}", entry.keys[i], texts[i].text) : texts[i].text;
    // The first word of a launcher is a program, the others are its arguments.
    bool pathLike = row->key == Key::Toolkit || row->key == Key::HostCompiler ||
                    (row->key == Key::Launcher && given.empty());
    if (pathLike && isPath(value) && value[0] != '/' && value[0] != '~')
      value = joinPath(parentOf(config.path), value);
    else if (row->key == Key::Runtime)
      value = resolveAgainst(value, parentOf(config.path), files);
    else if (row->key == Key::Facts)
      value = resolvePathAgainst(value, parentOf(config.path), files);
    given.push_back({std::move(value), originAt(texts[i], texts[i].column)});
  }
  return llvm::Error::success();
}

/// `cuda_cc`, `cudacc`, `CUDA-CC`.
static bool isNearName(llvm::StringRef name) {
  std::string letters = name.lower();
  llvm::erase_if(letters, [](char c) { return !llvm::isAlnum(c); });
  return letters == "cudacc";
}

static llvm::Error nearTable(llvm::StringRef name, const Origin &origin) {
  return makeError(Code::UnknownKey, fmt::format("[tool.{}] is not [tool.cuda-cc]", name),
                   {{"where", placeOf(origin)}}, {"write [tool.cuda-cc]"});
}

/// Whether a text may have our table, or one of a near name. Most pyproject.toml files do not;
/// parsing those would be wasted.
static bool mayHaveTable(llvm::StringRef text) {
  for (size_t at = text.find_insensitive("cuda"); at != llvm::StringRef::npos;
       at = text.find_insensitive("cuda", at + 1)) {
    llvm::StringRef rest = text.drop_front(at + 4).ltrim("-_.");
    if (rest.starts_with_insensitive("cc"))
      return true;
  }
  return false;
}

/// Null for a pyproject.toml without our table.
static llvm::Expected<const Value *> ownTable(const Value &root, bool pyproject,
                                              llvm::StringRef shown) {
  const Value *table = &root;
  if (!pyproject)
    return table;
  for (llvm::StringRef name : {"tool", "cuda-cc"}) {
    const Value *above = table;
    table = above->find(name);
    if (above != &root)
      for (auto [key, item] : llvm::zip_equal(above->keys, above->items))
        if (key != name && isNearName(key))
          return nearTable(key, {Origin::Kind::File, shown.str(), item.line, item.keyColumn});
    if (!table)
      break;
    if (!table->isTable())
      return notToml(shown, table->line, table->column,
                     fmt::format("{} must be a table, not {}", name, describe(*table)));
  }
  return table;
}

/// std::nullopt for a pyproject.toml without our table.
static llvm::Expected<std::optional<ConfigFile>> readCandidate(llvm::StringRef path,
                                                               FileStatus status, bool pyproject,
                                                               llvm::StringRef shown,
                                                               Files &files) {
  auto text = readConfig(path, status, files);
  if (!text)
    return text.takeError();
  if (pyproject && !mayHaveTable(*text))
    return std::nullopt;
  support::TextError error;
  std::optional<Value> root = support::readToml(*text, error);
  if (!root)
    return notToml(shown, error.line, error.column, error.why);
  auto table = ownTable(*root, pyproject, shown);
  if (!table)
    return table.takeError();
  if (!*table)
    return std::nullopt;
  ConfigFile config;
  config.path = path.str();
  config.status = status;
  std::vector<std::pair<llvm::StringRef, const Value *>> entries;
  for (auto [key, item] : llvm::zip_equal((**table).keys, (**table).items))
    entries.emplace_back(key, &item);
  llvm::sort(entries, [](const auto &a, const auto &b) {
    return std::pair(a.second->line, a.second->keyColumn) <
           std::pair(b.second->line, b.second->keyColumn);
  });
  for (const auto &[key, entry] : entries)
    if (llvm::Error error = take(key, *entry, shown, config, files))
      return error;
  return config;
}

/// A pyproject.toml that does not mention cuda-cc is not a declaration.
static bool mayDeclare(llvm::StringRef path, FileStatus status, bool pyproject, Files &files) {
  if (!pyproject)
    return true;
  auto text = llvm::expectedToOptional(readConfig(path, status, files));
  return !text || mayHaveTable(*text);
}

llvm::Expected<std::optional<ConfigFile>> findConfigFile(llvm::StringRef from, Files &files,
                                                         support::Trust &trust,
                                                         std::vector<std::string> *passedBy) {
  for (llvm::StringRef folder = from; folder.starts_with("/"); folder = parentOf(folder)) {
    for (llvm::StringRef name : fileNames) {
      bool pyproject = name == "pyproject.toml";
      std::string path = joinPath(folder, name);
      FileStatus status = files.stat(path);
      // A folder that the user cannot search has no declaration of theirs; compilers work there.
      if (!status.exists())
        continue;
      // Any user could put a file there that hides the declaration above it, or stops other users'
      // builds.
      if (support::Trust::isShared(files.stat(folder)) && !trust.isListed(path)) {
        if (passedBy && mayDeclare(path, status, pyproject, files))
          passedBy->push_back(path);
        continue;
      }
      auto config = readCandidate(path, status, pyproject,
                                  folder == files.workingDirectory() ? name : path, files);
      if (!config || *config)
        return config;
    }
    if (folder == "/")
      break;
  }
  return std::nullopt;
}

std::optional<Finding> refuse(const GivenKeys &given, llvm::StringRef path,
                              const FileStatus &status, const Environment &environment,
                              Files &files, support::Trust &trust) {
  std::vector<std::pair<const KeyInfo *, const Setting<std::string> *>> asked;
  for (const KeyInfo &row : allKeys())
    for (const Setting<std::string> &each : given[size_t(row.key)])
      if (!onlyRestricts(row.key, each.value))
        asked.emplace_back(&row, &each);
  if (asked.empty())
    return std::nullopt;
  auto doubt = trust.doubt(path, status);
  if (!doubt)
    return std::nullopt;
  std::vector<Fact> refused;
  for (const auto &[row, each] : asked) {
    std::string text = fmt::format("{} = {} in {}", row->name, each->value, placeOf(each->origin));
    auto named = versions::PlaceRequirement::parse(each->value);
    if (named && row->key == Key::Runtime) {
      std::string place =
          normalizePath(absolute(expandHome(named->path, environment.getOr("HOME")), files), files);
      auto theirs = trust.doubt(place);
      if (!theirs)
        continue;
      text += ": " + theirs->because;
    }
    refused.push_back({"refused", std::move(text)});
  }
  if (refused.empty())
    return std::nullopt;
  return doubt->finding("a declaration from a file that others can write", std::move(refused));
}

} // namespace cudacc::config
