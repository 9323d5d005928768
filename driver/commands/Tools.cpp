#include "driver/commands/Tools.h"
#include "driver/policy/advice/WaysOut.h"
#include "driver/probe/toolkit/Locate.h"
#include "driver/report/text/Help.h"
#include "driver/report/text/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"

namespace cudacc::commands {

using namespace core;

int stop(pipeline::System &system, const Finding &finding) {
  system.console.err(report::text(finding, pipeline::errStyle(system)));
  return int(exitOf(finding));
}

static Finding usage(std::string message) {
  Finding finding;
  finding.code = Code::Usage;
  finding.message = std::move(message);
  finding.fixes.push_back("cuda-cc help");
  return finding;
}

namespace {
enum class Option {
  Format,
  Runtime,
  Against,
  Only,
  MinAccepted,
  Gpu,
  Driver,
  Layout,
  Deep,
  Verify,
  Strict,
  Exports,
  Diff,
  Cflags,
  Libs,
  Rpath,
  Cmake,
  Json,
  DryRun,
  Toolkit,
  HostCompiler,
  Launcher,
  Check,
  Print,
  Prepare,
  Module,
  Output,
  Environment,
  Before,
  Report,
  List,
  Remove
};

struct OptionRow {
  Option option;
  llvm::StringLiteral name;
  /// Subcommands that have it, separated by blanks; empty: all.
  llvm::StringLiteral tools;
  bool takesValue = false;
};
} // namespace

static constexpr OptionRow options[] = {
    {Option::Format, "--format", "", true},
    {Option::Runtime, "--runtime", "target check config init toolchain explain", true},
    {Option::Against, "--against", "check", true},
    {Option::Only, "--only", "check", true},
    {Option::MinAccepted, "--min-accepted", "check", true},
    {Option::Gpu, "--gpu", "check", true},
    {Option::Driver, "--driver", "check", true},
    {Option::Layout, "--layout", "check", true},
    {Option::Deep, "--deep", "check inspect", false},
    {Option::Verify, "--verify", "check inspect", false},
    {Option::Strict, "--strict", "check audit doctor", false},
    {Option::Exports, "--exports", "inspect", false},
    {Option::Diff, "--diff", "target", false},
    {Option::Cflags, "--cflags", "config", false},
    {Option::Libs, "--libs", "config", false},
    {Option::Rpath, "--rpath", "config", false},
    {Option::Cmake, "--cmake", "config", false},
    {Option::Json, "--json", "config", false},
    {Option::DryRun, "--dry-run", "init", false},
    {Option::Toolkit, "--toolkit", "toolchain", true},
    {Option::HostCompiler, "--host-compiler", "toolchain", true},
    {Option::Launcher, "--launcher", "toolchain", true},
    {Option::Check, "--check", "toolchain", false},
    {Option::Print, "--print", "toolchain", false},
    {Option::Prepare, "--prepare", "audit", false},
    {Option::Module, "--module", "trace", true},
    {Option::Output, "--output", "trace", true},
    {Option::Environment, "--env", "doctor", true},
    {Option::Before, "--before", "doctor check", true},
    {Option::Report, "--report", "check doctor", true},
    {Option::List, "--list", "trust", false},
    {Option::Remove, "--remove", "trust", false},
};

static bool belongsTo(const OptionRow &row, llvm::StringRef tool) {
  return row.tools.empty() || llvm::is_contained(llvm::split(row.tools, ' '), tool);
}

static std::optional<Finding> readFormat(llvm::StringRef tool, llvm::StringRef format,
                                         Arguments &arguments) {
  arguments.json = format == "json";
  bool hasSarif = tool == "check" || tool == "audit";
  arguments.sarif = format == "sarif" && hasSarif;
  if (format == "text" || arguments.json || arguments.sarif)
    return std::nullopt;
  llvm::StringRef words = hasSarif ? "text, json or sarif" : "text or json";
  return usage(("--format is " + words + ", not '" + format + "'").str());
}

static std::optional<Finding> take(Option option, llvm::StringRef tool, llvm::StringRef value,
                                   Arguments &arguments) {
  switch (option) {
  case Option::Format:
    return readFormat(tool, value, arguments);
  case Option::Runtime:
    arguments.runtime.push_back(value.str());
    break;
  case Option::Against:
    if (value.trim().empty())
      return usage("--against needs all, or a requirement: 'torch>=2.9,<2.12'");
    if (value == "all")
      arguments.againstAll = true;
    else
      arguments.against.push_back(value.str());
    break;
  case Option::MinAccepted:
    arguments.minAccepted.emplace();
    if (value.getAsInteger(10, *arguments.minAccepted) || !*arguments.minAccepted)
      return usage(("--min-accepted is a number of rows, not '" + value + "'").str());
    break;
  case Option::Only:
    if (value != "cuda")
      return usage(("--only is cuda, not '" + value + "'").str());
    arguments.onlyCuda = true;
    break;
  case Option::Gpu:
    arguments.gpu.push_back(value.str());
    break;
  case Option::Driver:
    arguments.driver = value.str();
    break;
  case Option::Layout:
    arguments.layout = value.str();
    break;
  case Option::Deep:
    arguments.deep = true;
    break;
  case Option::Verify:
    arguments.verify = true;
    break;
  case Option::Strict:
    arguments.strict = true;
    break;
  case Option::Exports:
    arguments.exports = true;
    break;
  case Option::Diff:
    arguments.diff = true;
    break;
  case Option::Cflags:
    arguments.cflags = true;
    break;
  case Option::Libs:
    arguments.libs = true;
    break;
  case Option::Rpath:
    arguments.rpath = true;
    break;
  case Option::Cmake:
    arguments.cmake = true;
    break;
  case Option::Json:
    arguments.json = true;
    break;
  case Option::DryRun:
    arguments.dryRun = true;
    break;
  case Option::Toolkit:
    arguments.toolkit = value.str();
    break;
  case Option::HostCompiler:
    arguments.hostCompiler = value.str();
    break;
  case Option::Launcher:
    arguments.launcher.push_back(value.str());
    break;
  case Option::Check:
    arguments.check = true;
    break;
  case Option::Print:
    arguments.print = true;
    break;
  case Option::Prepare:
    arguments.prepare = true;
    break;
  case Option::Module:
    arguments.module = value.str();
    break;
  case Option::Output:
    arguments.output = value.str();
    break;
  case Option::Environment:
    arguments.environment = value.str();
    break;
  case Option::Before:
    arguments.before.push_back(value.str());
    break;
  case Option::Report:
    if (value.empty())
      return usage("--report needs the name of a file");
    arguments.report = value.str();
    break;
  case Option::List:
    arguments.list = true;
    break;
  case Option::Remove:
    arguments.remove = true;
    break;
  }
  return std::nullopt;
}

static bool asksForHelp(llvm::StringRef word) { return word == "--help" || word == "-h"; }

/// The text behind `explain` may begin with a dash, and hold words that do: it is somebody's error
/// message.
static bool isText(const Invocation &call, llvm::StringRef word) {
  if (call.tool != "explain" || word == "--" || (asksForHelp(word) && call.args.size() == 1))
    return false;
  return llvm::none_of(options, [name = word.split('=').first](const OptionRow &row) {
    return row.name == name && belongsTo(row, "explain");
  });
}

/// `--name=value` or `--name value`; `--` ends the options.
static std::optional<Finding> read(const Invocation &call, Arguments &arguments) {
  bool onlyWords = false;
  for (size_t i = 0; i < call.args.size(); ++i) {
    llvm::StringRef word = call.args[i];
    if (onlyWords || !word.starts_with("-") || word == "-" || isText(call, word)) {
      arguments.words.push_back(word.str());
      // What stands behind the name of a program is its own.
      onlyWords |= call.tool == "trace";
      continue;
    }
    if (word == "--") {
      onlyWords = true;
      continue;
    }
    if (asksForHelp(word)) {
      arguments.help = true;
      return std::nullopt;
    }
    auto [name, value] = word.split('=');
    bool joined = name.size() != word.size();
    const auto *row = llvm::find_if(options, [&name = name, &call](const OptionRow &each) {
      return each.name == name && belongsTo(each, call.tool);
    });
    if (row == std::end(options) || (joined && !row->takesValue))
      return usage("cuda-cc " + call.tool + " has no option '" + word.str() + "'");
    if (row->takesValue && !joined) {
      if (i + 1 == call.args.size())
        return usage(row->name.str() + " needs a value");
      value = call.args[++i];
    }
    if (auto problem = take(row->option, call.tool, value, arguments))
      return problem;
  }
  arguments.own = call.own;
  return std::nullopt;
}

/// The page of \p subcommand; empty: the whole.
static int help(pipeline::System &system, llvm::StringRef subcommand) {
  std::string text = subcommand.empty() ? report::help() : report::help(subcommand).str();
  if (text.empty())
    return stop(system, usage(("there is no help on '" + subcommand + "'").str()));
  system.console.out(text);
  return 0;
}

bool asksNoDeclaration(llvm::StringRef tool) {
  static constexpr llvm::StringLiteral tools[] = {"trust",   "help",  "version", "explain",
                                                  "inspect", "trace", "doctor"};
  return llvm::is_contained(tools, tool);
}

int run(pipeline::System &system, const Invocation &call, const ToolchainDirectory *directory) {
  Arguments arguments;
  if (auto problem = read(call, arguments)) {
    return stop(system, *problem);
  }
  if (arguments.help)
    return help(system, call.tool);
  if (arguments.report)
    if (auto problem = notReplaced(system, *arguments.report))
      return stop(system, *problem);
  static constexpr llvm::StringLiteral takeWords[] = {"explain",   "inspect", "check", "config",
                                                      "toolchain", "audit",   "trace", "doctor",
                                                      "help",      "trust"};
  if (!llvm::is_contained(takeWords, llvm::StringRef(call.tool)) && !arguments.diff &&
      !arguments.words.empty())
    return stop(system, usage("cuda-cc " + call.tool + " takes no '" + arguments.words[0] + "'"));
  if (call.tool == "help" && arguments.words.size() > 1)
    return stop(system, usage("cuda-cc help takes one subcommand"));
  if (call.tool == "help")
    return help(system, arguments.words.empty() ? "" : arguments.words.front());
  if (call.tool == "version")
    return version(system, arguments);
  if (call.tool == "explain")
    return explain(system, arguments, directory);
  if (call.tool == "inspect")
    return inspect(system, arguments);
  if (call.tool == "check")
    return check(system, arguments, directory);
  if (call.tool == "audit")
    return audit(system, arguments, directory);
  if (call.tool == "doctor")
    return doctor(system, arguments);
  if (call.tool == "target")
    return target(system, arguments, directory);
  if (call.tool == "config")
    return config(system, arguments, directory);
  if (call.tool == "toolchain")
    return toolchain(system, arguments, directory);
  if (call.tool == "trace")
    return trace(system, arguments);
  if (call.tool == "trust")
    return trust(system, arguments);
  if (call.tool == "init")
    return init(system, arguments, directory);
  return stop(system, usage("cuda-cc " + call.tool + " is not in this version"));
}

int checkOutput(pipeline::System &system, int status) {
  int error = system.console.outError();
  if (!error)
    return status;
  Finding finding;
  finding.code = Code::CannotWrite;
  finding.message = "cannot write stdout: " + llvm::sys::StrError(error);
  return stop(system, finding);
}

std::string runtimeForHere(pipeline::System &system) {
  return policy::buildableHere(
      probe::otherToolkits(system.environment, system.files, system.selfFile));
}

} // namespace cudacc::commands
