#include "driver/core/Diagnostic.h"
#include "plugins/cmake/Commands.h"
#include "plugins/cmake/Generators.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::cmake {

using namespace core;
using llvm::StringRef;

/// Of one build; a command has a kilobyte.
static constexpr size_t largestAnswer = 512 << 20;

static llvm::Expected<std::string> askNinja(Runner &runner, StringRef ninja, StringRef build,
                                            StringRef file) {
  Command command;
  command.program = ninja.str();
  command.outputLimit = largestAnswer;
  for (StringRef word : {ninja, StringRef("-C"), build, StringRef("-f"), file, StringRef("-t"),
                         StringRef("commands")})
    command.argv.add(word.str());
  auto answer = runner.ask(command);
  if (!answer)
    return answer.takeError();
  if (answer->ended.status != 0 || answer->ended.signal != 0) {
    StringRef said = StringRef(answer->err).trim();
    return fail(Code::UnreadableFile, "Ninja cannot read the build",
                {{"asked", (ninja + " -C " + build + " -f " + file + " -t commands").str()},
                 {"answer", said.empty() ? "nothing" : said.split('\n').first.str()}},
                {"configure again"});
  }
  if (answer->out.size() >= largestAnswer)
    return fail(Code::LimitReached, "the build has more commands than can be read",
                {{"build", build.str()}});
  return std::move(answer->out);
}

llvm::Error readNinja(Files &files, Runner &runner, const Cache &cache, audit::BuildModel &model) {
  StringRef ninja = cache.get("CMAKE_MAKE_PROGRAM");
  if (!ninja.starts_with("/"))
    return fail(Code::UnreadableFile, "the cache does not say which Ninja builds",
                {{"CMAKE_MAKE_PROGRAM", ninja.str()}});
  std::vector<std::pair<std::string, std::string>> descriptions;
  for (StringRef name : llvm::split(cache.get("CMAKE_CONFIGURATION_TYPES"), ';')) {
    std::string file = ("build-" + name + ".ninja").str();
    if (!name.empty() && files.stat(model.build + "/" + file).exists())
      descriptions.emplace_back(file, name.str());
  }
  if (descriptions.empty())
    descriptions.emplace_back("build.ninja", "");
  Commands commands(files, model);
  for (const auto &[file, configuration] : descriptions) {
    auto text = askNinja(runner, ninja, model.build, file);
    if (!text)
      return text.takeError();
    Commands::From from;
    from.directory = model.build;
    from.configuration = descriptions.size() > 1 ? StringRef(configuration) : StringRef();
    for (StringRef line : llvm::split(*text, '\n')) {
      // Links begin with `: &&`, where commands before them would stand.
      from.isRule = line.starts_with(": &&");
      if (llvm::Error error = commands.add(line, from))
        return error;
    }
  }
  model.hasCommands = true;
  return llvm::Error::success();
}

} // namespace cudacc::cmake
