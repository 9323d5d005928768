#include "driver/probe/Settings.h"
#include "driver/core/Diagnostic.h"
#include "driver/probe/Paths.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace cudacc::probe {

using namespace core;

static constexpr KeyInfo keys[] = {
    {Key::Runtime, "runtime", ValueForm::Texts,
     "requirements such as torch==2.5.1, cuda==12.4, cuda>=12.4,<13", "undeclared", ""},
    {Key::Enforce, "enforce", ValueForm::Text, "toolkit, symbols, warn, off", "toolkit",
     "toolkit symbols warn off", false, "toolkit"},
    {Key::Require, "require", ValueForm::Flag, "true, false", "false", "true false", false,
     "true false"},
    {Key::Toolkit, "toolkit", ValueForm::Text, "auto, env, or a path to a toolkit or its nvcc",
     "auto", "auto env", false, "auto"},
    {Key::HostCompiler, "host-compiler", ValueForm::Text, "a compiler's name or path",
     "the one nvcc would take", ""},
    {Key::Launcher, "launcher", ValueForm::Texts,
     "a program such as ccache, and words of its own; or none", "none", "none", true, "none"},
    {Key::InstallDir, "install-dir", ValueForm::Text, "a path relative to site-packages",
     "both depths, in a package and beside it", ""},
    {Key::Layout, "layout", ValueForm::Text, "wheels, system:PATH, conda, none", "wheels",
     "wheels system:PATH conda none", false, "wheels"},
    {Key::Dtags, "dtags", ValueForm::Text, "rpath, runpath", "rpath for wheels", "rpath runpath",
     false, "rpath"},
    {Key::Facts, "facts", ValueForm::Text, "a path to a data file", "the built-in tables alone",
     ""},
    {Key::Severity, "severity", ValueForm::Pairs, "CODE=error, CODE=warning, CODE=remark",
     "that of each rule", ""},
    {Key::Waive, "waive", ValueForm::Texts,
     "CODE: REASON, or CODE WHAT: REASON with a library, symbol or file", "nothing is waived", ""},
    {Key::AssumeForwardCompatibility, "assume-forward-compatibility", ValueForm::Flag,
     "true, false", "false", "true false", false, "false"},
    {Key::Strict, "strict", ValueForm::Flag, "true, false", "false", "true false", false,
     "true false"},
    {Key::Develop, "develop", ValueForm::Flag, "true, false",
     "true for programs under an environment", "true false", false, "false"},
    {Key::Manifest, "manifest", ValueForm::Text, "declared, always, never", "declared",
     "declared always never", true, "declared always"},
};

/// Words that people try as keys and that are requirements of the runtime.
static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> requirements[] = {
    {"gpu", "sm=80"}, {"sm", "sm=80"}, {"driver", "driver>=535.104"}};

llvm::ArrayRef<KeyInfo> allKeys() { return keys; }
const KeyInfo &info(Key key) { return keys[size_t(key)]; }

const KeyInfo *findKey(llvm::StringRef name) {
  for (const KeyInfo &row : keys)
    if (row.name == name)
      return &row;
  return nullptr;
}

std::string placeOf(const Origin &origin) {
  std::string place = origin.str();
  if (origin.kind == Origin::Kind::File && origin.column)
    place += ":" + std::to_string(origin.column);
  return place;
}

llvm::Error unknownKey(llvm::StringRef name, const Origin &origin) {
  llvm::SmallVector<llvm::StringRef, 16> names;
  for (const KeyInfo &row : keys)
    names.push_back(row.name);
  std::vector<Fact> facts = {{"where", placeOf(origin)}};
  for (const auto &[word, example] : requirements)
    if (name == word)
      return fail(Code::UnknownKey, name.str() + " is no key: it is part of the runtime",
                  std::move(facts), {"write runtime = [..., \"" + example.str() + "\"]"});
  facts.push_back({"known", llvm::join(names, ", ")});
  llvm::StringRef near = nearest(name, names);
  return fail(Code::UnknownKey, "unknown key " + quoted(name), std::move(facts),
              near.empty() ? std::vector<std::string>{}
                           : std::vector<std::string>{"write " + near.str()});
}

static llvm::Error badValue(const KeyInfo &row, std::string message, const Origin &origin,
                            llvm::StringRef near = "") {
  return fail(
      Code::BadValue, std::move(message),
      {{"where", placeOf(origin)}, {"allowed", row.allowed.str()}, {"default", row.fallback.str()}},
      near.empty() ? std::vector<std::string>{} : std::vector<std::string>{"write " + near.str()});
}

static llvm::Error badText(const KeyInfo &row, const Setting<std::string> &given) {
  llvm::SmallVector<llvm::StringRef, 4> words;
  row.words.split(words, ' ', -1, false);
  return badValue(row, row.name.str() + " cannot be " + quoted(given.value), given.origin,
                  nearest(given.value, words));
}

llvm::Error wrongType(Key key, llvm::StringRef got, const Origin &origin) {
  static constexpr llvm::StringLiteral wanted[] = {"a string", "a string or a list of strings",
                                                   "true or false", "a table or a list of strings"};
  const KeyInfo &row = info(key);
  return badValue(row, (row.name + " must be " + wanted[size_t(row.form)] + ", not " + got).str(),
                  origin);
}

static std::optional<Enforce> parseEnforce(llvm::StringRef text) {
  return llvm::StringSwitch<std::optional<Enforce>>(text)
      .Case("toolkit", Enforce::Toolkit)
      .Case("symbols", Enforce::Symbols)
      .Case("warn", Enforce::Warn)
      .Case("off", Enforce::Off)
      .Default(std::nullopt);
}

static std::optional<ManifestMode> parseManifestMode(llvm::StringRef text) {
  return llvm::StringSwitch<std::optional<ManifestMode>>(text)
      .Case("declared", ManifestMode::Declared)
      .Case("always", ManifestMode::Always)
      .Case("never", ManifestMode::Never)
      .Default(std::nullopt);
}

static std::optional<bool> parseFlag(llvm::StringRef text) {
  return llvm::StringSwitch<std::optional<bool>>(text)
      .Cases("true", "1", true)
      .Cases("false", "0", false)
      .Default(std::nullopt);
}

static llvm::Error applyLayout(const KeyInfo &row, const Setting<std::string> &given,
                               Declaration &declaration) {
  llvm::StringRef text = given.value;
  bool system = text.consume_front("system:");
  auto layout = system ? std::optional(Layout::System)
                       : llvm::StringSwitch<std::optional<Layout>>(text)
                             .Case("wheels", Layout::Wheels)
                             .Case("conda", Layout::Conda)
                             .Case("none", Layout::None)
                             .Default(std::nullopt);
  if (!layout || (system && !text.starts_with("/")))
    return badText(row, given);
  declaration.layout = {*layout, given.origin};
  declaration.systemPath = system ? text.str() : "";
  return llvm::Error::success();
}

static bool staysInside(llvm::StringRef path) {
  llvm::SmallVector<llvm::StringRef, 8> parts;
  path.split(parts, '/');
  return !path.empty() && !path.starts_with("/") && !llvm::is_contained(parts, "..");
}

static llvm::Error applyRuntime(const KeyInfo &row, const Given &given, Declaration &declaration) {
  declaration.runtime.clear();
  for (const Setting<std::string> &each : given) {
    llvm::StringRef text = llvm::StringRef(each.value).trim();
    if (text.empty())
      return badText(row, each);
    declaration.runtime.push_back({text.str(), each.origin});
  }
  return llvm::Error::success();
}

static llvm::Error applyLauncher(const KeyInfo &row, const Given &given, Declaration &declaration) {
  declaration.launcher.clear();
  for (const Setting<std::string> &each : given)
    if (each.value.empty())
      return badText(row, each);
  if (given.size() > 1 || given.front().value != "none")
    declaration.launcher = given;
  return llvm::Error::success();
}

static llvm::Error applyFlag(const KeyInfo &row, const Setting<std::string> &given,
                             Setting<bool> &flag) {
  auto value = parseFlag(given.value);
  if (!value)
    return badText(row, given);
  flag = {*value, given.origin};
  return llvm::Error::success();
}

/// \p error with what every bad value is told.
static llvm::Error placed(llvm::Error error, const KeyInfo &row, const Origin &origin) {
  Finding finding = takeFinding(std::move(error));
  finding.facts.insert(finding.facts.begin(), {"where", placeOf(origin)});
  finding.facts.push_back({"allowed", row.allowed.str()});
  finding.facts.push_back({"default", row.fallback.str()});
  return fail(std::move(finding));
}

template <typename T>
static llvm::Error applyOverrides(const KeyInfo &row, const Given &given,
                                  std::vector<Setting<T>> &list) {
  list.clear();
  for (const Setting<std::string> &each : given) {
    auto parsed = T::parse(each.value);
    if (!parsed)
      return placed(parsed.takeError(), row, each.origin);
    list.push_back({std::move(*parsed), each.origin});
  }
  return llvm::Error::success();
}

llvm::Error apply(Key key, const Given &given, Declaration &declaration) {
  const KeyInfo &row = info(key);
  // Of an option that is repeated the last counts, as with every compiler.
  const Setting<std::string> &last = given.back();
  switch (key) {
  case Key::Runtime:
    return applyRuntime(row, given, declaration);
  case Key::Enforce:
    if (auto mode = parseEnforce(last.value))
      return declaration.enforce = {*mode, last.origin}, llvm::Error::success();
    return badText(row, last);
  case Key::Require:
    return applyFlag(row, last, declaration.require);
  case Key::Layout:
    return applyLayout(row, last, declaration);
  case Key::Toolkit:
    if (last.value.empty())
      return badText(row, last);
    declaration.toolkit = last;
    break;
  case Key::HostCompiler:
    if (last.value.empty())
      return badText(row, last);
    declaration.hostCompiler = last;
    break;
  case Key::Launcher:
    return applyLauncher(row, given, declaration);
  case Key::InstallDir:
    if (!staysInside(last.value))
      return badText(row, last);
    declaration.installDir = last;
    break;
  case Key::Dtags:
    if (last.value != "rpath" && last.value != "runpath")
      return badText(row, last);
    declaration.dtags = {last.value == "rpath" ? Dtags::Rpath : Dtags::Runpath, last.origin};
    break;
  case Key::Facts:
    if (last.value.empty())
      return badText(row, last);
    declaration.facts = last;
    break;
  case Key::Severity:
    return applyOverrides(row, given, declaration.severity);
  case Key::Waive:
    return applyOverrides(row, given, declaration.waive);
  case Key::AssumeForwardCompatibility:
    return applyFlag(row, last, declaration.assumeForwardCompatibility);
  case Key::Strict:
    return applyFlag(row, last, declaration.strict);
  case Key::Develop:
    return applyFlag(row, last, declaration.develop.emplace());
  case Key::Manifest:
    if (auto mode = parseManifestMode(last.value))
      return declaration.manifest = {*mode, last.origin}, llvm::Error::success();
    return badText(row, last);
  }
  return llvm::Error::success();
}

llvm::Error checkTogether(const Declaration &declaration) {
  if (!declaration.develop || !declaration.develop->value ||
      llvm::any_of(declaration.runtime, [](const Setting<std::string> &each) {
        llvm::StringRef text = llvm::StringRef(each.value).trim();
        return text == "env" || text.starts_with("env:");
      }))
    return llvm::Error::success();
  std::string runtime = valueOf(Key::Runtime, declaration);
  return fail(Code::BadValue, "develop = true needs an environment as runtime",
              {{"where", placeOf(declaration.develop->origin)},
               {"runtime", runtime.empty() ? "undeclared" : runtime},
               {"because", "it adds the directories of an environment to the search path"}},
              {"declare the environment: runtime = \"env\" or \"env:PATH\"", "leave develop away"});
}

template <typename T> static std::string joined(const std::vector<Setting<T>> &list) {
  std::string text;
  for (const Setting<T> &each : list) {
    text += text.empty() ? "" : "; ";
    if constexpr (std::is_same_v<T, std::string>)
      text += each.value;
    else
      text += each.value.str();
  }
  return text;
}

std::string valueOf(Key key, const Declaration &declaration) {
  std::string text;
  auto flag = [](bool value) { return value ? "true" : "false"; };
  switch (key) {
  case Key::Runtime:
    return joined(declaration.runtime);
  case Key::Enforce:
    return str(declaration.enforce.value);
  case Key::Require:
    return flag(declaration.require.value);
  case Key::Toolkit:
    return declaration.toolkit.value;
  case Key::HostCompiler:
    return declaration.hostCompiler.value;
  case Key::Launcher:
    return joined(declaration.launcher);
  case Key::InstallDir:
    return declaration.installDir ? declaration.installDir->value : "";
  case Key::Layout:
    text = str(declaration.layout.value);
    return declaration.systemPath.empty() ? text : text + ":" + declaration.systemPath;
  case Key::Dtags:
    return declaration.dtags ? str(declaration.dtags->value) : "";
  case Key::Facts:
    return declaration.facts.value;
  case Key::Severity:
    return joined(declaration.severity);
  case Key::Waive:
    return joined(declaration.waive);
  case Key::AssumeForwardCompatibility:
    return flag(declaration.assumeForwardCompatibility.value);
  case Key::Strict:
    return flag(declaration.strict.value);
  case Key::Develop:
    return declaration.develop ? flag(declaration.develop->value) : "";
  case Key::Manifest:
    return str(declaration.manifest.value);
  }
  return text;
}

template <typename T> static Origin firstOrigin(const std::vector<Setting<T>> &list) {
  return list.empty() ? Origin{} : list.front().origin;
}

Origin originOf(Key key, const Declaration &declaration) {
  switch (key) {
  case Key::Runtime:
    return firstOrigin(declaration.runtime);
  case Key::Enforce:
    return declaration.enforce.origin;
  case Key::Require:
    return declaration.require.origin;
  case Key::Toolkit:
    return declaration.toolkit.origin;
  case Key::HostCompiler:
    return declaration.hostCompiler.origin;
  case Key::Launcher:
    return firstOrigin(declaration.launcher);
  case Key::InstallDir:
    return declaration.installDir ? declaration.installDir->origin : Origin{};
  case Key::Layout:
    return declaration.layout.origin;
  case Key::Dtags:
    return declaration.dtags ? declaration.dtags->origin : Origin{};
  case Key::Facts:
    return declaration.facts.origin;
  case Key::Severity:
    return firstOrigin(declaration.severity);
  case Key::Waive:
    return firstOrigin(declaration.waive);
  case Key::AssumeForwardCompatibility:
    return declaration.assumeForwardCompatibility.origin;
  case Key::Strict:
    return declaration.strict.origin;
  case Key::Develop:
    return declaration.develop ? declaration.develop->origin : Origin{};
  case Key::Manifest:
    return declaration.manifest.origin;
  }
  return {};
}

} // namespace cudacc::probe
