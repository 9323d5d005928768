#include "plugins/cmake/Commands.h"
#include "driver/cli/Cli.h"
#include "plugins/cmake/Paths.h"
#include "plugins/cmake/ShellLine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::cmake {

using namespace audit;
using core::CallKind;
using core::Invocation;
using llvm::StringRef;

static bool isOurName(StringRef word) {
  StringRef name = nameOf(word);
  return name == "cuda-cc" || name.starts_with("cuda-cc-");
}

static std::string keyOf(StringRef configuration, StringRef name) {
  return (configuration + StringRef("\0", 1) + name).str();
}

Commands::Commands(core::Files &files, BuildModel &model) : files(files), model(model) {
  for (const Toolchain &toolchain : model.toolchains) {
    compilers.insert(toolchain.compiler);
    if (!toolchain.linkDriver.empty())
      compilers.insert(toolchain.linkDriver);
  }
  for (size_t i = 0; i != model.targets.size(); ++i)
    index(i);
}

void Commands::index(size_t target) {
  const Target &row = model.targets[target];
  byName.try_emplace(keyOf(row.configuration, row.name), target);
  for (const std::string &path : row.artefacts)
    byArtefact.try_emplace(path, target);
  for (const std::string &path : row.generated)
    byGenerated.try_emplace(path, target);
}

bool Commands::isCompiler(StringRef word) const {
  return compilers.contains(word) || cli::dialectOf(word).has_value();
}

/// Most lines of a build compile C++, which nothing here asks about. Links begin with a colon,
/// commands of the project with a change of directory.
bool Commands::mayMatter(StringRef line) const {
  return line.starts_with(":") || line.starts_with("cd ") || line.contains("nvcc") ||
         line.contains("cuda") || line.contains(".cu") ||
         llvm::any_of(model.toolchains, [&](const Toolchain &each) {
           return each.language == "CUDA" && line.contains(each.compiler);
         });
}

/// Index of the compiler, behind whatever starts it. In front of one in a command of the project's
/// may stand only what is known to start others: `cmake -E copy nvcc there` starts none.
std::optional<size_t> Commands::compilerIn(llvm::ArrayRef<std::string> words, bool isRule) const {
  constexpr size_t most = 12;
  for (size_t i = 0; i != std::min(words.size(), most); ++i) {
    StringRef word = words[i], name = nameOf(word);
    if (isCompiler(word))
      return i;
    if (isOurName(word)) {
      bool last = i + 1 == words.size() || StringRef(words[i + 1]).starts_with("-") ||
                  (!isCompiler(words[i + 1]) && !isOurName(words[i + 1]));
      if (last)
        return i;
      continue;
    }
    bool starts = name == "ccache" || name == "sccache" || name == "distcc" || name == "icecc" ||
                  name == "env" || name == "time" || name == "nice" || name == "cmake" ||
                  word == "-E" || word == "--" || (i && word.contains('='));
    if (!starts && !isRule)
      return std::nullopt;
  }
  return std::nullopt;
}

llvm::Error Commands::add(StringRef line, const From &from) {
  if (!mayMatter(line))
    return llvm::Error::success();
  std::string directory = from.directory.str();
  size_t first = model.commands.size();
  for (std::vector<std::string> &words : splitShellLine(line)) {
    if (words[0] == "cd" && words.size() == 2) {
      directory = absolute(directory, words[1]);
      continue;
    }
    From own = from;
    own.directory = directory;
    if (llvm::Error error = addCommand(std::move(words), own))
      return error;
  }
  // What stands in front of a link or behind it belongs to the same target.
  std::optional<size_t> target;
  for (size_t i = first; i != model.commands.size(); ++i)
    if (model.commands[i].target)
      target = model.commands[i].target;
  for (size_t i = first; i != model.commands.size(); ++i)
    if (target)
      model.commands[i].target = target;
    else
      lost[line].push_back(i);
  return llvm::Error::success();
}

std::vector<std::string> Commands::unplaced() const {
  std::vector<std::string> lines;
  for (const auto &entry : lost)
    lines.push_back(entry.first().str());
  return lines;
}

void Commands::place(StringRef line, StringRef output) {
  output.consume_back(".util");
  auto commands = lost.find(line);
  auto made = byGenerated.find(output);
  if (commands != lost.end() && made != byGenerated.end())
    for (size_t index : commands->second)
      model.commands[index].target = made->second;
}

/// Response files are named from where the line runs, not from where this program does.
static void settleResponseFiles(std::vector<std::string> &words, StringRef directory) {
  for (size_t i = 0; i != words.size(); ++i) {
    StringRef word = words[i];
    if (word.consume_front("@") && !word.empty()) {
      words[i] = "@" + absolute(directory, word);
    } else if ((word == "--options-file" || word == "-optf") && i + 1 != words.size()) {
      words[i + 1] = absolute(directory, words[i + 1]);
      ++i;
    } else if (word.consume_front("--options-file=") || word.consume_front("-optf=")) {
      words[i] = "--options-file=" + absolute(directory, word);
    }
  }
}

static std::optional<Command::Kind> kindOf(const Invocation &call) {
  switch (call.kind) {
  case CallKind::Probe:
  case CallKind::Preprocess:
    return std::nullopt;
  case CallKind::Link:
  case CallKind::Run:
    return Command::Kind::Link;
  case CallKind::DeviceLink:
    return Command::Kind::DeviceLink;
  case CallKind::Compile:
  case CallKind::RelocatableLink:
  case CallKind::Archive:
    return Command::Kind::Compile;
  }
  return std::nullopt;
}

static void takeCall(Command &command, const Invocation &call, StringRef directory) {
  command.isCuda = call.dialect == core::Dialect::Nvcc || call.cudaSources != 0;
  if (call.output)
    command.output = absolute(directory, *call.output);
  for (StringRef source : call.sources)
    command.sources.push_back(absolute(directory, source));
  for (const core::LinkInput &input : call.linkInputs)
    command.inputs.push_back(input.kind == core::LinkInput::Kind::Library
                                 ? ("-l" + input.text).str()
                                 : absolute(directory, input.text));
  command.declared = llvm::join(call.own.runtime, ";");
}

/// What starts a program, not what it is told: `cmake -E env X=1 ccache nvcc`.
static std::vector<std::string> programsOf(llvm::ArrayRef<std::string> words, StringRef directory) {
  std::vector<std::string> out;
  for (StringRef word : words)
    if (!word.starts_with("-") && !word.contains('=') && word != "env")
      out.push_back(word.contains('/') ? absolute(directory, word) : word.str());
  return out;
}

llvm::Error Commands::addCommand(std::vector<std::string> words, const From &from) {
  auto at = compilerIn(words, from.isRule);
  if (!at)
    return llvm::Error::success();
  settleResponseFiles(words, from.directory);
  llvm::SmallVector<StringRef, 64> line;
  if (!isOurName(words[*at]))
    line.push_back("cuda-cc");
  for (StringRef word : llvm::ArrayRef(words).drop_front(*at))
    line.push_back(word);
  auto call = cli::parse(line, core::Environment{}, files);
  if (!call)
    return call.takeError();
  auto kind = kindOf(*call);
  // A C++ compile, by far the most of what is left.
  bool isCuda = call->dialect == core::Dialect::Nvcc || call->cudaSources != 0;
  if (!kind || (*kind == Command::Kind::Compile && !isCuda))
    return llvm::Error::success();
  Command command;
  command.kind = *kind;
  command.programs = programsOf(llvm::ArrayRef(words).take_front(*at + 1), from.directory);
  takeCall(command, *call, from.directory);
  place(command, words, from);
  model.commands.push_back(std::move(command));
  return llvm::Error::success();
}

size_t Commands::targetNamed(StringRef name, StringRef configuration) {
  std::string key = keyOf(configuration, name);
  if (auto found = byName.find(key); found != byName.end())
    return found->second;
  Target target;
  target.name = name.str();
  target.configuration = configuration.str();
  target.type = TargetType::Other;
  model.targets.push_back(std::move(target));
  byName[key] = model.targets.size() - 1;
  return model.targets.size() - 1;
}

/// A link without description tells what kind of thing it makes.
static TargetType typeOf(const Command &command, llvm::ArrayRef<std::string> words) {
  if (command.kind != Command::Kind::Link)
    return TargetType::Other;
  return llvm::is_contained(words, "-shared") || llvm::is_contained(words, "--shared")
             ? TargetType::Shared
             : TargetType::Program;
}

/// A library with a version is linked under another name than the description has: the link is the
/// target's whose objects it reads.
std::optional<size_t> Commands::linkedBy(const Command &command, const From &from) const {
  if (command.kind != Command::Kind::Link || !from.isRule || !model.isDescribed)
    return std::nullopt;
  auto named = [&](StringRef name) -> std::optional<size_t> {
    auto found = byName.find(keyOf(from.configuration, name));
    if (found == byName.end() || !model.targets[found->second].isLinked())
      return std::nullopt;
    return found->second;
  };
  if (from.isScript)
    return named(from.target);
  for (const std::string &input : command.inputs)
    if (StringRef name = targetOfObject(input); !name.empty())
      if (auto target = named(name))
        return target;
  return std::nullopt;
}

void Commands::place(Command &command, llvm::ArrayRef<std::string> words, const From &from) {
  if (StringRef name = targetOfObject(command.output); !name.empty()) {
    // A file among the objects is made by a rule, whoever wrote a command that ends there.
    command.target = targetNamed(name, from.configuration);
    return;
  }
  if (auto made = byArtefact.find(command.output); made != byArtefact.end()) {
    command.target = made->second;
    return;
  }
  if (auto target = linkedBy(command, from)) {
    command.target = target;
    return;
  }
  bool isLink = command.kind == Command::Kind::Link;
  if (isLink && from.isRule && !model.isDescribed) {
    std::string name = from.target.empty() ? nameOf(command.output).str() : from.target.str();
    if (from.target.empty())
      for (const std::string &input : command.inputs)
        if (StringRef object = targetOfObject(input); !object.empty()) {
          name = object.str();
          break;
        }
    command.target = targetNamed(name, from.configuration);
    Target &target = model.targets[*command.target];
    target.type = typeOf(command, words);
    if (target.artefacts.empty())
      target.artefacts.push_back(command.output);
    return;
  }
  command.isOwn = true;
  if (!from.target.empty()) {
    command.target = targetNamed(from.target, from.configuration);
    return;
  }
  for (StringRef word : words)
    if (auto made = byGenerated.find(absolute(from.directory, word)); made != byGenerated.end())
      command.target = made->second;
}

} // namespace cudacc::cmake
