// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/Arguments.h"
#include "driver/core/Diagnostic.h"
#include "driver/policy/wheel/Requirements.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"
#include <variant>

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

llvm::Error usageError(std::string message) {
  return makeError(Code::Usage, std::move(message), {}, {"cuda-cc help"});
}

static llvm::Error readFormat(StringRef tool, StringRef format, Arguments &arguments) {
  arguments.json = format == "json";
  bool hasSarif = tool == "check" || tool == "audit" || tool == "matrix";
  arguments.sarif = format == "sarif" && hasSarif;
  if (format == "text" || arguments.json || arguments.sarif)
    return llvm::Error::success();
  return usageError(fmt::format("--format is {}, not '{}'",
                                hasSarif ? "text, json or sarif" : "text or json", format));
}

static llvm::Error readAgainst(StringRef, StringRef value, Arguments &arguments) {
  if (value.trim().empty())
    return usageError("--against needs all, or a requirement: 'torch>=2.9,<2.12'");
  if (value == "all")
    arguments.againstAll = true;
  else
    arguments.against.push_back(value.str());
  return llvm::Error::success();
}

static llvm::Error readMinAccepted(StringRef, StringRef value, Arguments &arguments) {
  arguments.minAccepted.emplace();
  if (value.getAsInteger(10, *arguments.minAccepted) || !*arguments.minAccepted)
    return usageError(fmt::format("--min-accepted is a number of rows, not '{}'", value));
  return llvm::Error::success();
}

static llvm::Error readOnlyCuda(StringRef, StringRef value, Arguments &arguments) {
  arguments.onlyCuda = value == "cuda";
  return arguments.onlyCuda ? llvm::Error::success()
                            : usageError(fmt::format("--only is cuda, not '{}'", value));
}

static llvm::Error readResolution(StringRef, StringRef value, Arguments &arguments) {
  if (value != "lowest" && value != "highest" && value != "both")
    return usageError(fmt::format("--resolution is lowest, highest or both, not '{}'", value));
  arguments.resolution = value.str();
  return llvm::Error::success();
}

static llvm::Error readRequires(StringRef, StringRef value, Arguments &arguments) {
  arguments.wheelRequires = value.str();
  return policy::parseRequiresMode(value)
             ? llvm::Error::success()
             : usageError(fmt::format("--requires is nvidia, torch or none, not '{}'", value));
}

static llvm::Error readReport(StringRef, StringRef value, Arguments &arguments) {
  if (value.empty())
    return usageError("--report needs the name of a file");
  arguments.report = value.str();
  return llvm::Error::success();
}

namespace {

using Flag = bool Arguments::*;
using Text = std::optional<std::string> Arguments::*;
using List = std::vector<std::string> Arguments::*;
using Reader = llvm::Error (*)(StringRef tool, StringRef value, Arguments &arguments);
/// Kept in Arguments::kept.
struct Kept {
  bool takesValue;
};
constexpr Kept keptFlag{false}, keptValue{true};

struct Option {
  llvm::StringLiteral name;
  /// Subcommands that have it, separated by blanks; empty if all have it.
  llvm::StringLiteral tools;
  /// All but a Flag take a value.
  std::variant<Flag, Text, List, Reader, Kept> target;
  /// See OptionInfo.
  llvm::StringLiteral values = "";

  bool takesValue() const {
    if (const Kept *kept = std::get_if<Kept>(&target))
      return kept->takesValue;
    return !std::holds_alternative<Flag>(target);
  }
  bool belongsTo(StringRef tool) const {
    return tools.empty() || llvm::is_contained(llvm::split(tools, ' '), tool);
  }
};

} // namespace

/// The first row of a name that belongs to the subcommand counts.
static constexpr Option options[] = {
    {"--format", "check audit matrix", readFormat, "text json sarif"},
    {"--format", "", readFormat, "text json"},
    {"--runtime", "target check config init toolchain explain wheel", &Arguments::runtime, "REQ"},
    {"--for", "link", &Arguments::runtime, "REQ"},
    {"--against", "check", readAgainst, "all REQ"},
    {"--only", "check", readOnlyCuda, "cuda"},
    {"--min-accepted", "check", readMinAccepted},
    {"--gpu", "check", &Arguments::gpu, "SM"},
    {"--driver", "check", &Arguments::driver},
    {"--layout", "check", &Arguments::layout, "wheels system:PATH conda none"},
    {"--deep", "check inspect", &Arguments::deep},
    {"--verify", "check inspect wheel", &Arguments::verify},
    {"--strict", "check audit doctor matrix", &Arguments::strict},
    {"--relink", "check", &Arguments::relink},
    {"--require-manifest", "check", &Arguments::requireManifest},
    {"--exports", "inspect", &Arguments::exports},
    {"--diff", "target", &Arguments::diff, "REQ"},
    {"--cflags", "config", &Arguments::cflags},
    {"--libs", "config", &Arguments::libs},
    {"--rpath", "config", &Arguments::rpath},
    {"--cmake", "config", &Arguments::cmake},
    {"--json", "config", &Arguments::json},
    {"--dry-run", "init", &Arguments::dryRun},
    {"--toolkit", "toolchain", &Arguments::toolkit, "auto env PATH"},
    {"--host-compiler", "toolchain", &Arguments::hostCompiler, "PROGRAM"},
    {"--launcher", "toolchain", &Arguments::launcher, "PROGRAM"},
    {"--check", "target toolchain", &Arguments::check},
    {"--print", "toolchain", &Arguments::print},
    {"--prepare", "audit", &Arguments::prepare},
    {"--module", "trace", &Arguments::module},
    {"--output", "trace", &Arguments::output, "PATH"},
    {"--env", "doctor", &Arguments::environment, "DIR"},
    {"--before", "doctor check wheel", &Arguments::before},
    {"--as-here", "doctor check", &Arguments::asHere},
    {"--report", "check doctor matrix", readReport, "HTML"},
    {"-w", "wheel", &Arguments::wheelDir, "DIR"},
    {"--requires", "wheel", readRequires, "nvidia torch none"},
    {"--exclude", "wheel", &Arguments::exclude},
    {"--unbundle", "wheel", &Arguments::unbundle},
    {"--variant", "wheel", &Arguments::variant},
    {"--resolution", "wheel", readResolution, "lowest highest both"},
    {"--import", "wheel", &Arguments::imports},
    {"--extra", "wheel", &Arguments::extras},
    {"--python", "wheel", &Arguments::python, "PROGRAM"},
    {"--list", "trust", &Arguments::list},
    {"--remove", "trust", &Arguments::remove},
    {"--complete", "completion", &Arguments::complete},
    {"--runtime", "matrix", keptValue, "REQ"},
    {"--toolkit", "matrix", keptValue, "auto PATH"},
    {"--python", "matrix", keptValue, "PROGRAM"},
    {"--build", "matrix", keptValue, "cmake meson"},
    {"--artefact", "matrix", keptValue},
    {"--input", "matrix", keptValue, "PATH"},
    {"--test", "matrix", keptValue},
    {"--torch-abi", "matrix", keptValue, "minor stable none"},
    {"--dir", "matrix", keptValue, "DIR"},
    {"--jobs", "matrix", keptValue},
    {"--plan", "matrix", keptFlag},
    {"--github", "matrix", keptFlag},
    {"--gitlab", "matrix", keptFlag},
    {"-o", "link", keptValue, "PATH"},
    {"--output", "link", keptValue, "PATH"},
    {"--arch", "link", keptValue, "SM"},
    {"--lto", "link", keptFlag},
    {"--emit", "link", keptValue, "cubin ptx ltoir fatbin"},
    {"--backend", "link", keptValue, "auto nvjitlink driver"},
    {"--policy", "link", keptValue, "direction-aware cuda-core-1911"},
    {"--explain", "link", keptFlag},
    {"--time", "link", keptFlag},
    {"-g", "link", keptFlag},
    {"--lineinfo", "link", keptFlag},
    {"--verbose", "link", keptFlag},
    {"--maxrregcount", "link", keptValue},
    {"--optimize", "link", keptValue, "0 3"},
    {"--ptxas-options", "link", keptValue},
    {"--split-compile", "link", keptValue},
    {"--split-compile-extended", "link", keptValue},
    {"--kernels-used", "link", keptValue},
    {"--variables-used", "link", keptValue},
    {"--optimize-unused-variables", "link", keptFlag},
    {"--ftz", "link", keptValue, "true false"},
    {"--prec-div", "link", keptValue, "true false"},
    {"--prec-sqrt", "link", keptValue, "true false"},
    {"--fmad", "link", keptValue, "true false"},
};

static const Option *optionOf(StringRef tool, StringRef name) {
  const auto *found = llvm::find_if(
      options, [&](const Option &each) { return each.name == name && each.belongsTo(tool); });
  return found == std::end(options) ? nullptr : found;
}

std::vector<OptionInfo> optionsOf(StringRef tool) {
  std::vector<OptionInfo> found;
  for (const Option &each : options)
    if (&each == optionOf(tool, each.name))
      found.push_back({each.name, each.values, each.takesValue()});
  return found;
}

static llvm::Error apply(const Option &option, StringRef tool, StringRef value,
                         Arguments &arguments) {
  if (const Reader *read = std::get_if<Reader>(&option.target))
    return (*read)(tool, value, arguments);
  if (std::holds_alternative<Kept>(option.target))
    arguments.kept.emplace_back(option.name.str(), value.str());
  else if (const Flag *flag = std::get_if<Flag>(&option.target))
    arguments.**flag = true;
  else if (const Text *text = std::get_if<Text>(&option.target))
    arguments.**text = value.str();
  else if (const List *list = std::get_if<List>(&option.target))
    (arguments.**list).push_back(value.str());
  return llvm::Error::success();
}

static bool asksForHelp(StringRef word) { return word == "--help" || word == "-h"; }

/// The text after `explain` may begin with a dash, and contain words that do: it is a pasted error
/// message.
static bool isText(const Invocation &call, StringRef word) {
  if (call.tool != "explain" || word == "--" || (asksForHelp(word) && call.args.size() == 1))
    return false;
  return !optionOf("explain", word.split('=').first);
}

llvm::Expected<Arguments> readArguments(const Invocation &call,
                                        const ToolchainDirectory *directory) {
  Arguments arguments;
  arguments.directory = directory;
  bool onlyWords = false;
  for (size_t i = 0; i < call.args.size(); ++i) {
    StringRef word = call.args[i];
    if (onlyWords || !word.starts_with("-") || word == "-" || isText(call, word)) {
      arguments.words.push_back(word.str());
      // Words after the name of a program are its own arguments.
      onlyWords |= call.tool == "trace";
      continue;
    }
    if (word == "--") {
      onlyWords = true;
      continue;
    }
    if (asksForHelp(word)) {
      arguments.help = true;
      return arguments;
    }
    auto [name, value] = word.split('=');
    bool joined = name.size() != word.size();
    const Option *option = optionOf(call.tool, name);
    if (!option || (joined && !option->takesValue()))
      return usageError(fmt::format("cuda-cc {} has no option '{}'", call.tool, word));
    if (option->takesValue() && !joined) {
      if (i + 1 == call.args.size())
        return usageError(fmt::format("{} needs a value", option->name));
      value = call.args[++i];
    }
    if (llvm::Error error = apply(*option, call.tool, value, arguments))
      return error;
  }
  arguments.own = call.own;
  return arguments;
}

} // namespace cudacc::commands
