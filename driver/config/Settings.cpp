// SPDX-License-Identifier: Apache-2.0
#include "driver/config/Settings.h"
#include "driver/config/BackendKeys.h"
#include "driver/config/ParseOverride.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/Paths.h"
#include "driver/support/Text.h"
#include "driver/versions/EnumWords.h"
#include "driver/versions/Format.h"
#include "driver/versions/PlaceRequirement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace cudacc::config {

using namespace core;
using support::quoted;
using namespace support;

/// Quoted values are cut here, so that the first line of a diagnostic fits beside the longest key.
static constexpr size_t widest = 24;

/// Names that users try as keys, but that are requirements of the runtime.
static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> requirements[] = {
    {"gpu", "sm=80"}, {"sm", "sm=80"}, {"driver", "driver>=535.104"}};

const KeyInfo *findKey(llvm::StringRef name) {
  for (const KeyInfo &row : allKeys())
    if (row.name == name)
      return &row;
  return nullptr;
}

std::string placeOf(const Origin &origin) {
  std::string place = origin.str();
  if (origin.kind == Origin::Kind::File && origin.column)
    place += fmt::format(":{}", origin.column);
  return place;
}

llvm::Error unknownKey(llvm::StringRef name, const Origin &origin) {
  llvm::SmallVector<llvm::StringRef, 16> names;
  for (const KeyInfo &row : allKeys())
    names.push_back(row.name);
  for (const BackendKey &row : backendKeys())
    if (!findKey(row.name))
      names.push_back(row.name);
  names.emplace_back("matrix");
  std::vector<Fact> facts = {{"where", placeOf(origin)}};
  for (const auto &[word, example] : requirements)
    if (name == word)
      return makeError(Code::UnknownKey,
                       fmt::format("{} is not a key: it is part of the runtime", name),
                       std::move(facts), {fmt::format("write runtime = [..., \"{}\"]", example)});
  facts.push_back({"known", llvm::join(names, ", ")});
  llvm::StringRef near = nearest(name, names);
  return makeError(Code::UnknownKey, "unknown key " + quoted(name, widest), std::move(facts),
                   near.empty() ? std::vector<std::string>{}
                                : std::vector<std::string>{fmt::format("write {}", near)});
}

static llvm::Error badValue(const KeyInfo &row, std::string message, const Origin &origin,
                            llvm::StringRef near = "") {
  return makeError(
      Code::BadValue, std::move(message),
      {{"where", placeOf(origin)}, {"allowed", row.allowed.str()}, {"default", row.fallback.str()}},
      near.empty() ? std::vector<std::string>{}
                   : std::vector<std::string>{fmt::format("write {}", near)});
}

static llvm::Error badText(const KeyInfo &row, const Setting<std::string> &given) {
  llvm::SmallVector<llvm::StringRef, 4> words;
  row.words.split(words, ' ', -1, false);
  return badValue(row, fmt::format("{} cannot be {}", row.name, quoted(given.value, widest)),
                  given.origin, nearest(given.value, words));
}

llvm::Error wrongType(Key key, llvm::StringRef got, const Origin &origin) {
  static constexpr llvm::StringLiteral wanted[] = {"a string", "a string or a list of strings",
                                                   "true or false", "a table or a list of strings"};
  const KeyInfo &row = info(key);
  return badValue(row,
                  fmt::format("{} must be {}, not {}", row.name,
                              versions::entryOf<KeyInfo::ValueType::Pairs>(wanted, row.type), got),
                  origin);
}

/// The enumerator of that word. \p row lists the word of each.
template <typename T>
  requires std::is_enum_v<T>
static std::optional<T> parse(llvm::StringRef text, const Setting<T> &, const KeyInfo &row) {
  for (size_t i = 0; i <= row.words.count(' '); ++i)
    if (text == str(T(i)))
      return T(i);
  return std::nullopt;
}

static std::optional<bool> parse(llvm::StringRef text, const Setting<bool> &, const KeyInfo &) {
  return llvm::StringSwitch<std::optional<bool>>(text)
      .Cases("true", "1", true)
      .Cases("false", "0", false)
      .Default(std::nullopt);
}

static std::optional<Jobs> parse(llvm::StringRef text, const Setting<Jobs> &, const KeyInfo &) {
  static constexpr unsigned most = 4096;
  Jobs jobs;
  if (text == "auto")
    return jobs;
  bool isCount = !text.getAsInteger(10, jobs.count) && jobs.count > 0 && jobs.count <= most;
  return isCount ? std::optional(jobs) : std::nullopt;
}

static std::optional<LayoutChoice> parse(llvm::StringRef text, const Setting<LayoutChoice> &,
                                         const KeyInfo &) {
  if (text.consume_front("system:"))
    return text.starts_with("/") ? std::optional(LayoutChoice{Layout::System, text.str()})
                                 : std::nullopt;
  return llvm::StringSwitch<std::optional<LayoutChoice>>(text)
      .Case("wheels", LayoutChoice{Layout::Wheels, ""})
      .Case("conda", LayoutChoice{Layout::Conda, ""})
      .Case("none", LayoutChoice{Layout::None, ""})
      .Default(std::nullopt);
}

static std::optional<std::string> parse(llvm::StringRef text, const Setting<std::string> &,
                                        const KeyInfo &) {
  return text.empty() ? std::nullopt : std::optional(text.str());
}

static bool staysInside(llvm::StringRef path) {
  llvm::SmallVector<llvm::StringRef, 8> parts;
  path.split(parts, '/');
  return !path.empty() && !path.starts_with("/") && !llvm::is_contained(parts, "..");
}

/// Whether \p text is an entry of `wheel`.
static bool isWheelChoice(llvm::StringRef text) {
  auto [key, value] = text.split('=');
  if (key == "requires")
    return value == "nvidia" || value == "torch" || value == "none";
  return (key == "unbundle" || key == "repair") && (value == "true" || value == "false");
}

/// Adds to \p error the facts that every BadValue has.
static llvm::Error placed(llvm::Error error, const KeyInfo &row, const Origin &origin) {
  Finding finding = toFinding(std::move(error));
  finding.facts.insert(finding.facts.begin(), {"where", placeOf(origin)});
  finding.facts.push_back({"allowed", row.allowed.str()});
  finding.facts.push_back({"default", row.fallback.str()});
  return makeError(std::move(finding));
}

namespace {

/// Parses the given texts into the field of a setting, by the field's type.
struct Applier {
  const KeyInfo &row;
  const Given &given;

  // The last of repeated options counts, as with every compiler.
  template <typename T> llvm::Error operator()(Setting<T> &setting) const {
    auto value = parse(given.back().value, setting, row);
    if (!value)
      return badText(row, given.back());
    setting = {std::move(*value), given.back().origin};
    return llvm::Error::success();
  }
  template <typename T> llvm::Error operator()(std::optional<Setting<T>> &setting) const {
    return (*this)(setting.emplace());
  }
  llvm::Error operator()(std::vector<Setting<std::string>> &list) const {
    list.clear();
    for (const Setting<std::string> &each : given) {
      if (llvm::StringRef(each.value).trim().empty())
        return badText(row, each);
      list.push_back(each);
    }
    return llvm::Error::success();
  }
  llvm::Error operator()(std::vector<Setting<SeverityChange>> &list) const {
    return parseEach(list, parseSeverityChange);
  }
  llvm::Error operator()(std::vector<Setting<Waiver>> &list) const {
    return parseEach(list, parseWaiver);
  }

private:
  template <typename T>
  llvm::Error parseEach(std::vector<Setting<T>> &list,
                        llvm::Expected<T> (*parseOne)(llvm::StringRef)) const {
    list.clear();
    for (const Setting<std::string> &each : given) {
      auto parsed = parseOne(each.value);
      if (!parsed)
        return placed(parsed.takeError(), row, each.origin);
      list.push_back({std::move(*parsed), each.origin});
    }
    return llvm::Error::success();
  }
};

} // namespace

llvm::Error apply(Key key, const Given &given, Declaration &declaration) {
  const KeyInfo &row = info(key);
  if (key == Key::InstallDir && !staysInside(given.back().value))
    return badText(row, given.back());
  if (llvm::Error error = visitSetting(key, declaration, Applier{row, given}))
    return error;
  for (const Setting<std::string> &each : declaration.wheel)
    if (key == Key::Wheel && !isWheelChoice(each.value))
      return badText(row, each);
  if (key == Key::Runtime)
    for (Setting<std::string> &each : declaration.runtime)
      each.value = llvm::StringRef(each.value).trim().str();
  if (key == Key::Launcher && given.size() == 1 && given.front().value == "none")
    declaration.launcher.clear();
  return llvm::Error::success();
}

llvm::Error checkTogether(const Declaration &declaration) {
  if (!declaration.develop || !declaration.develop->value ||
      llvm::any_of(declaration.runtime, [](const Setting<std::string> &each) {
        auto place = versions::PlaceRequirement::parse(each.value);
        return place && place->kind == versions::PlaceRequirement::Kind::Environment;
      }))
    return llvm::Error::success();
  std::string runtime = valueOf(Key::Runtime, declaration);
  return makeError(
      Code::BadValue, "develop = true needs an environment as runtime",
      {{"where", placeOf(declaration.develop->origin)},
       {"runtime", runtime.empty() ? "undeclared" : runtime},
       {"because", "it adds the directories of an environment to the search path"}},
      {"declare the environment: runtime = \"env\" or \"env:PATH\"", "leave develop away"});
}

/// True for `env:PATH` and `lock:PATH`.
static bool namesPath(llvm::StringRef requirement) {
  auto place = versions::PlaceRequirement::parse(requirement);
  return place && !place->path.empty();
}

bool onlyRestricts(Key key, llvm::StringRef value) {
  if (key == Key::Runtime)
    return !namesPath(value);
  if (key == Key::Severity) {
    auto change = llvm::expectedToOptional(parseSeverityChange(value));
    return change && !change->lowers();
  }
  return !value.empty() && llvm::is_contained(llvm::split(info(key).restricting, ' '), value);
}

std::string resolvePathAgainst(llvm::StringRef path, llvm::StringRef folder, Files &files) {
  if (path.empty() || path.starts_with("/") || path.starts_with("~"))
    return path.str();
  return normalizePath(joinPath(folder, path), files);
}

std::string resolveAgainst(llvm::StringRef requirement, llvm::StringRef folder, Files &files) {
  auto place = versions::PlaceRequirement::parse(requirement);
  if (!place || place->path.empty() || place->path.starts_with("/") || place->path.starts_with("~"))
    return requirement.str();
  return place->at(resolvePathAgainst(place->path, folder, files));
}

} // namespace cudacc::config
