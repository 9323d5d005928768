#include "driver/cli/OwnOptions.h"
#include "driver/cli/Options.h"
#include "driver/core/Diagnostic.h"
#include "llvm/ADT/STLExtras.h"

using namespace cudacc::core;
using llvm::Error;
using llvm::StringRef;

namespace cudacc::cli {

constexpr StringRef prefix = "--cudacc-";
constexpr StringRef printStages[] = {"invocation", "target", "toolkit", "verdict", "plan", "facts"};

static Error unknown(StringRef word) {
  llvm::SmallVector<StringRef, 16> names;
  for (const OptionRow &row : table(TableKind::Own).rows)
    names.push_back(StringRef(row.word).rtrim('='));
  StringRef name = word.take_until([](char c) { return c == '='; });
  bool missesValue = llvm::is_contained(names, name) && name == word;
  if (missesValue)
    return fail(Code::Usage, (name + " needs a value").str(), {},
                {("write it as one word: " + name + "=VALUE").str()});
  if (llvm::is_contained(names, name))
    return fail(Code::Usage, (name + " takes no value").str());
  StringRef near = nearest(name, names);
  std::vector<std::string> fixes;
  if (!near.empty())
    fixes.push_back(("did you mean " + near + "?").str());
  return fail(Code::UnknownOption, ("unknown option " + name).str(), {}, std::move(fixes));
}

static Error checkPrint(StringRef stage) {
  if (llvm::is_contained(printStages, stage))
    return Error::success();
  return fail(Code::BadValue, ("--cudacc-print=" + stage + " names no stage").str(), {},
              {"one of invocation, target, toolkit, verdict, plan, facts"});
}

static Error take(StringRef word, OwnOptions &own) {
  Match found = match(table(TableKind::Own), word);
  if (!found.row)
    return unknown(word);
  bool isSwitch = found.row->shape == Shape::Flag;
  std::string value = isSwitch ? "true" : found.joined.str();
  switch (found.row->action) {
  case Action::OwnRuntime:
    own.runtime.push_back(std::move(value));
    break;
  case Action::OwnEnforce:
    own.enforce = std::move(value);
    break;
  case Action::OwnToolkit:
    own.toolkit = std::move(value);
    break;
  case Action::OwnHostCompiler:
    own.hostCompiler = std::move(value);
    break;
  case Action::OwnLauncher:
    own.launcher.push_back(std::move(value));
    break;
  case Action::OwnPrint:
    own.print = std::move(value);
    return checkPrint(found.joined);
  case Action::OwnInstallDir:
    own.installDir = std::move(value);
    break;
  case Action::OwnDtags:
    own.dtags = std::move(value);
    break;
  case Action::OwnLayout:
    own.layout = std::move(value);
    break;
  case Action::OwnFacts:
    own.facts = std::move(value);
    break;
  case Action::OwnSeverity:
    own.severity.push_back(std::move(value));
    break;
  case Action::OwnWaive:
    own.waive.push_back(std::move(value));
    break;
  case Action::OwnAssume:
    own.assumeForwardCompatibility = std::move(value);
    break;
  case Action::OwnStrict:
    own.strict = std::move(value);
    break;
  case Action::OwnDevelop:
    own.develop = std::move(value);
    break;
  case Action::OwnManifest:
    own.manifest = std::move(value);
    break;
  case Action::OwnNoManifest:
    own.manifest = "never";
    break;
  case Action::OwnRequire:
    own.require = true;
    break;
  default:
    own.help = true;
    break;
  }
  return Error::success();
}

llvm::Expected<std::vector<StringRef>> takeOwnOptions(llvm::ArrayRef<StringRef> words,
                                                      OwnOptions &own) {
  std::vector<StringRef> rest;
  rest.reserve(words.size());
  for (StringRef word : words) {
    if (!word.starts_with(prefix))
      rest.push_back(word);
    else if (Error error = take(word, own))
      return error;
  }
  return rest;
}

} // namespace cudacc::cli
