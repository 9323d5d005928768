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
     "toolkit symbols warn off"},
    {Key::Require, "require", ValueForm::Flag, "true, false", "false", "true false"},
    {Key::Toolkit, "toolkit", ValueForm::Text, "auto, or a path to a toolkit or its nvcc", "auto",
     "auto"},
    {Key::HostCompiler, "host-compiler", ValueForm::Text, "a compiler's name or path",
     "the one nvcc would take", ""},
    {Key::InstallDir, "install-dir", ValueForm::Text, "a path relative to site-packages",
     "both depths, in a package and beside it", ""},
    {Key::Layout, "layout", ValueForm::Text, "wheels, system:PATH, conda, none", "wheels",
     "wheels system:PATH conda none"},
    {Key::Dtags, "dtags", ValueForm::Text, "rpath, runpath", "rpath for wheels", "rpath runpath"},
};

/// PRODUCT.md names them; they come with later versions.
static constexpr llvm::StringLiteral laterKeys[] = {
    "develop", "facts", "severity", "strict", "gpu", "driver", "assume-forward-compatibility"};

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
  if (llvm::is_contained(laterKeys, name))
    return fail(Code::UnknownKey, name.str() + " is not in this version yet", std::move(facts));
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

static llvm::Error laterValue(const KeyInfo &row, const Setting<std::string> &given) {
  return badValue(row, row.name.str() + " = " + quoted(given.value) + " is not in this version yet",
                  given.origin);
}

llvm::Error wrongType(Key key, llvm::StringRef got, const Origin &origin) {
  static constexpr llvm::StringLiteral wanted[] = {"a string", "a string or a list of strings",
                                                   "true or false"};
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

static llvm::Error applyFlag(const KeyInfo &row, const Setting<std::string> &given,
                             Setting<bool> &flag) {
  auto value = parseFlag(given.value);
  if (!value)
    return badText(row, given);
  flag = {*value, given.origin};
  return llvm::Error::success();
}

llvm::Error apply(Key key, const Given &given, Declaration &declaration) {
  const KeyInfo &row = info(key);
  if (key == Key::Runtime)
    return applyRuntime(row, given, declaration);
  // Of an option that is repeated the last counts, as with every compiler.
  const Setting<std::string> &last = given.back();
  switch (key) {
  case Key::Runtime:
    break;
  case Key::Enforce:
    if (auto mode = parseEnforce(last.value))
      return declaration.enforce = {*mode, last.origin}, llvm::Error::success();
    return badText(row, last);
  case Key::Require:
    return applyFlag(row, last, declaration.require);
  case Key::Layout:
    return applyLayout(row, last, declaration);
  case Key::Toolkit:
    if (last.value == "env")
      return laterValue(row, last);
    if (last.value.empty())
      return badText(row, last);
    declaration.toolkit = last;
    break;
  case Key::HostCompiler:
    if (last.value.empty())
      return badText(row, last);
    declaration.hostCompiler = last;
    break;
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
  }
  return llvm::Error::success();
}

std::string standing(llvm::StringRef requirement, llvm::StringRef folder, Files &files) {
  llvm::StringRef path = requirement.trim();
  llvm::StringRef form = path.consume_front("env:")    ? "env:"
                         : path.consume_front("lock:") ? "lock:"
                                                       : "";
  if (form.empty())
    return requirement.str();
  path = path.trim();
  if (path.empty() || path.starts_with("/") || path.starts_with("~"))
    return requirement.str();
  return form.str() + tidy(joinPath(folder, path), files);
}

std::string valueOf(Key key, const Declaration &declaration) {
  std::string text;
  switch (key) {
  case Key::Runtime:
    for (const Setting<std::string> &each : declaration.runtime)
      text += (text.empty() ? "" : "; ") + each.value;
    return text;
  case Key::Enforce:
    return str(declaration.enforce.value);
  case Key::Require:
    return declaration.require.value ? "true" : "false";
  case Key::Toolkit:
    return declaration.toolkit.value;
  case Key::HostCompiler:
    return declaration.hostCompiler.value;
  case Key::InstallDir:
    return declaration.installDir ? declaration.installDir->value : "";
  case Key::Layout:
    text = str(declaration.layout.value);
    return declaration.systemPath.empty() ? text : text + ":" + declaration.systemPath;
  case Key::Dtags:
    return declaration.dtags ? str(declaration.dtags->value) : "";
  }
  return text;
}

Origin originOf(Key key, const Declaration &declaration) {
  switch (key) {
  case Key::Runtime:
    return declaration.runtime.empty() ? Origin{} : declaration.runtime.front().origin;
  case Key::Enforce:
    return declaration.enforce.origin;
  case Key::Require:
    return declaration.require.origin;
  case Key::Toolkit:
    return declaration.toolkit.origin;
  case Key::HostCompiler:
    return declaration.hostCompiler.origin;
  case Key::InstallDir:
    return declaration.installDir ? declaration.installDir->origin : Origin{};
  case Key::Layout:
    return declaration.layout.origin;
  case Key::Dtags:
    return declaration.dtags ? declaration.dtags->origin : Origin{};
  }
  return {};
}

} // namespace cudacc::probe
