// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/Subcommands.h"
#include "driver/Version.h"
#include "driver/commands/Page.h"
#include "driver/commands/help/Help.h"
#include "driver/pipeline/AddedFacts.h"
#include "driver/pipeline/Reporter.h"
#include "driver/pipeline/Watched.h"
#include "driver/report/json/Json.h"
#include "driver/report/text/Text.h"
#include "llvm/Support/Errno.h"

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

int failWith(pipeline::System &system, const Finding &finding) {
  system.console.err(report::text(finding, pipeline::errStyle(system)));
  return int(exitOf(finding));
}

/// Prints the help of \p subcommand; if it is empty, the help of cuda-cc.
static llvm::Expected<int> showHelp(pipeline::System &system, StringRef subcommand) {
  std::string text = subcommand.empty() ? commands::help() : helpPage(subcommand).str();
  if (text.empty())
    return usageError(fmt::format("there is no help on '{}'", subcommand));
  system.console.out(text);
  return 0;
}

static llvm::Expected<int> helpOn(pipeline::System &system, const Arguments &arguments) {
  if (arguments.words.size() > 1)
    return usageError("cuda-cc help takes one subcommand");
  return showHelp(system, arguments.words.empty() ? "" : arguments.words.front());
}

/// The version, and the release of the data on CUDA and torch releases that is in use.
static llvm::Expected<int> version(pipeline::System &system, const Arguments &arguments) {
  auto found = pipeline::findFacts(system, pipeline::factsVariable(system));
  if (!found)
    return found.takeError();
  // Reading the rows shows whether the package is whole.
  auto rows = pipeline::readUserTables(system, {}, *found);
  if (!rows)
    return rows.takeError();
  StringRef builtIn = tables::dataRelease();
  const probe::FactsPackage *package = found->package ? &*found->package : nullptr;
  StringRef release = package ? StringRef(package->release.release) : builtIn;
  system.console.err(report::text(found->refused, pipeline::errStyle(system)));
  if (arguments.json) {
    llvm::json::Object facts{{"release", release}, {"built_in", builtIn}};
    if (package)
      facts["package"] = llvm::json::fixUTF8(package->path);
    system.console.out(report::print(llvm::json::Object{
        {"schema", 1}, {"version", cudacc::version}, {"facts", std::move(facts)}}));
  } else {
    std::string from =
        package ? fmt::format("{}; built in: {}", package->path, builtIn) : "built in";
    system.console.out(fmt::format("cuda-cc {}\nfacts {} ({})\n", cudacc::version, release, from));
  }
  return 0;
}

static constexpr Option<Arguments> formats[] = {{"--format", &Arguments::format, "text json"}};
constexpr SubcommandBody helpSubcommand = bodyOf<formats, helpOn>();
constexpr SubcommandBody versionSubcommand = bodyOf<formats, version>();

static constexpr Subcommand allSubcommands[] = {
#define CUDACC_SUBCOMMAND(name, form, words, needsDeclaration)                                     \
  {#name, form, words, needsDeclaration, &name##Subcommand},
#include "driver/cli/subcommands.def"
};

llvm::ArrayRef<Subcommand> subcommands() { return allSubcommands; }

const Subcommand *subcommandOf(StringRef name) {
  const auto *found =
      llvm::find_if(allSubcommands, [&](const Subcommand &each) { return each.name == name; });
  return found == std::end(allSubcommands) ? nullptr : found;
}

std::vector<OptionInfo> optionsOf(StringRef tool) {
  const Subcommand *subcommand = subcommandOf(tool);
  return subcommand ? subcommand->body->options() : std::vector<OptionInfo>();
}

bool asksNoDeclaration(StringRef tool) {
  const Subcommand *subcommand = subcommandOf(tool);
  return subcommand && !subcommand->needsDeclaration;
}

/// `trace` leaves the terminal to the command that it runs, `matrix` to Ninja. A program that reads
/// JSON or SARIF may print on the terminal as well.
static bool showsProgress(pipeline::System &system, const Arguments &arguments, StringRef tool) {
  bool isForProgram = (arguments.json || arguments.sarif) && !system.console.outIsTerminal();
  return tool != "trace" && tool != "matrix" && !isForProgram && pipeline::isWatched(system);
}

llvm::Expected<int>
runRead(pipeline::System &system, StringRef tool, const Arguments &arguments,
        llvm::function_ref<llvm::Expected<int>(pipeline::System &system)> function) {
  if (arguments.help)
    return showHelp(system, tool);
  if (arguments.report && arguments.report->empty())
    return usageError("--report needs the name of a file");
  if (arguments.report)
    if (llvm::Error error = checkReplaceable(system, *arguments.report))
      return error;
  bool takesWords = arguments.takesWords || !subcommandOf(tool)->words.empty();
  if (!takesWords && !arguments.words.empty())
    return usageError(fmt::format("cuda-cc {} takes no '{}'", tool, arguments.words[0]));
  if (!showsProgress(system, arguments, tool))
    return function(system);
  pipeline::Watched watched(system);
  return function(watched.system);
}

int run(pipeline::System &system, const Invocation &call, const ToolchainDirectory *directory) {
  auto status = subcommandOf(call.tool)->body->run(system, call, directory);
  if (!status)
    return failWith(system, toFinding(status.takeError()));
  // What was taken for missing may be what a rejection is about.
  if (*status == int(Exit::Ok) || *status == int(Exit::Rejected))
    if (llvm::Error error = pipeline::failedSearch(system))
      return failWith(system, toFinding(std::move(error)));
  return *status;
}

int checkOutput(pipeline::System &system, int status) {
  int error = system.console.outError();
  if (!error)
    return status;
  std::string message = fmt::format("cannot write stdout: {}", llvm::sys::StrError(error));
  return failWith(system, toFinding(makeError(Code::CannotWrite, std::move(message))));
}

} // namespace cudacc::commands
