#include "driver/tools/Tools.h"
#include "driver/report/Help.h"
#include "driver/report/Text.h"
#include "llvm/ADT/StringSwitch.h"

namespace cudacc::tools {

using namespace core;

int stop(World &world, const Finding &finding) {
  report::Style style;
  style.colour = world.console.errIsTerminal() && world.environment.getOr("NO_COLOR").empty();
  world.console.err(report::text(finding, style));
  return int(exitOf(finding));
}

static Finding usage(std::string message) {
  Finding finding;
  finding.code = Code::Usage;
  finding.message = std::move(message);
  finding.fixes.push_back("cuda-cc help");
  return finding;
}

/// `--name=value` or `--name value`; nothing when \p word is another option.
static std::optional<std::string> valueOf(llvm::StringRef name,
                                          llvm::ArrayRef<llvm::StringRef> args, size_t &index) {
  llvm::StringRef word = args[index];
  if (!word.consume_front(name))
    return std::nullopt;
  if (word.consume_front("="))
    return word.str();
  if (!word.empty() || index + 1 == args.size())
    return std::nullopt;
  return args[++index].str();
}

static std::optional<Finding> read(const Invocation &call, Arguments &arguments) {
  for (size_t i = 0; i < call.args.size(); ++i) {
    if (auto format = valueOf("--format", call.args, i)) {
      if (*format != "text" && *format != "json")
        return usage("--format is text or json, not '" + *format + "'");
      arguments.json = *format == "json";
    } else if (auto runtime =
                   call.tool == "target" ? valueOf("--runtime", call.args, i) : std::nullopt) {
      arguments.runtime.push_back(*runtime);
    } else if (call.args[i].starts_with("-")) {
      return usage("cuda-cc " + call.tool + " has no option '" + call.args[i].str() + "'");
    } else {
      arguments.words.push_back(call.args[i].str());
    }
  }
  arguments.own = call.own;
  return std::nullopt;
}

int help(World &world) {
  world.console.out(report::help());
  return 0;
}

int run(World &world, const Invocation &call, const ToolchainDirectory *directory) {
  Arguments arguments;
  // The text behind `explain` may begin with a dash: it is somebody's error message.
  if (call.tool == "explain")
    for (llvm::StringRef arg : call.args)
      arguments.words.push_back(arg.str());
  else if (auto problem = read(call, arguments))
    return stop(world, *problem);
  bool takesWords = call.tool == "explain" || call.tool == "inspect";
  if (!takesWords && !arguments.words.empty())
    return stop(world, usage("cuda-cc " + call.tool + " takes no '" + arguments.words[0] + "'"));
  if (call.tool == "help")
    return help(world);
  if (call.tool == "version")
    return version(world, arguments);
  if (call.tool == "explain")
    return explain(world, arguments);
  if (call.tool == "inspect")
    return inspect(world, arguments);
  if (call.tool == "target")
    return target(world, arguments, directory);
  return stop(world, usage("cuda-cc " + call.tool + " is not in this version"));
}

} // namespace cudacc::tools
