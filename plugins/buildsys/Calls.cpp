// SPDX-License-Identifier: Apache-2.0
#include "plugins/buildsys/Calls.h"
#include "driver/cli/Cli.h"
#include "driver/support/Paths.h"
#include "driver/support/ProgramNames.h"
#include "driver/versions/Format.h"

namespace cudacc::buildsys {

using namespace audit;
using core::CallKind;
using core::Invocation;
using llvm::StringRef;

static bool isOurs(StringRef word) { return support::isOurName(support::nameOf(word)); }

Calls::Calls(core::Files &files, llvm::ArrayRef<Toolchain> toolchains) : files(files) {
  for (const Toolchain &toolchain : toolchains) {
    compilers.insert(toolchain.compiler);
    if (!toolchain.linkDriver.empty())
      compilers.insert(toolchain.linkDriver);
  }
}

bool Calls::isCompiler(StringRef word) const {
  return compilers.contains(word) || cli::dialectOf(word).has_value();
}

/// Index of the compiler, after the programs that start it. In a command of the project, only known
/// launchers may precede it: `cmake -E copy nvcc there` does not start nvcc.
std::optional<size_t> Calls::compilerIn(llvm::ArrayRef<std::string> words, bool isRule) const {
  constexpr size_t most = 12;
  for (size_t i = 0; i != std::min(words.size(), most); ++i) {
    StringRef word = words[i], name = support::nameOf(word);
    if (isCompiler(word))
      return i;
    if (isOurs(word)) {
      bool last = i + 1 == words.size() || StringRef(words[i + 1]).starts_with("-") ||
                  (!isCompiler(words[i + 1]) && !isOurs(words[i + 1]));
      if (last)
        return i;
      continue;
    }
    bool starts = support::isLauncherName(name) || name == "env" || name == "time" ||
                  name == "nice" || name == "cmake" || word == "-E" || word == "--" ||
                  (i && word.contains('='));
    if (!starts && !isRule)
      return std::nullopt;
  }
  return std::nullopt;
}

/// Response files are relative to the directory of the command, not to that of this process.
static void resolveResponseFiles(std::vector<std::string> &words, StringRef directory) {
  for (size_t i = 0; i != words.size(); ++i) {
    StringRef word = words[i];
    if (word.consume_front("@") && !word.empty()) {
      words[i] = "@" + support::resolvePath(directory, word);
    } else if ((word == "--options-file" || word == "-optf") && i + 1 != words.size()) {
      words[i + 1] = support::resolvePath(directory, words[i + 1]);
      ++i;
    } else if (word.consume_front("--options-file=") || word.consume_front("-optf=")) {
      words[i] = "--options-file=" + support::resolvePath(directory, word);
    }
  }
}

static std::optional<BuildCommand::Kind> kindOf(const Invocation &call) {
  switch (call.kind) {
  case CallKind::Probe:
  case CallKind::Preprocess:
    return std::nullopt;
  case CallKind::Link:
  case CallKind::Run:
    return BuildCommand::Kind::Link;
  case CallKind::DeviceLink:
    return BuildCommand::Kind::DeviceLink;
  case CallKind::Compile:
  case CallKind::RelocatableLink:
  case CallKind::Archive:
    return BuildCommand::Kind::Compile;
  }
  return std::nullopt;
}

static void takeCall(BuildCommand &command, const Invocation &call, StringRef directory) {
  command.isCuda = call.dialect == core::Dialect::Nvcc || call.cudaSources != 0;
  if (call.output)
    command.output = support::resolvePath(directory, *call.output);
  for (StringRef source : call.sources)
    command.sources.push_back(support::resolvePath(directory, source));
  for (const core::LinkInput &input : call.linkInputs)
    command.inputs.push_back(input.kind == core::LinkInput::Kind::Library
                                 ? fmt::format("-l{}", input.text)
                                 : support::resolvePath(directory, input.text));
  command.declared = llvm::join(call.own[core::Key::Runtime], ";");
}

/// The programs that are started, without arguments: `cmake -E env X=1 ccache nvcc`.
static std::vector<std::string> programsOf(llvm::ArrayRef<std::string> words, StringRef directory) {
  std::vector<std::string> out;
  for (StringRef word : words)
    if (!word.starts_with("-") && !word.contains('=') && word != "env")
      out.push_back(word.contains('/') ? support::resolvePath(directory, word) : word.str());
  return out;
}

llvm::Expected<std::optional<BuildCommand>> Calls::read(std::vector<std::string> &words,
                                                        StringRef directory, bool isRule) const {
  auto at = compilerIn(words, isRule);
  if (!at)
    return std::nullopt;
  resolveResponseFiles(words, directory);
  llvm::SmallVector<StringRef, 64> line;
  if (!isOurs(words[*at]))
    line.push_back("cuda-cc");
  for (StringRef word : llvm::ArrayRef(words).drop_front(*at))
    line.push_back(word);
  auto call = cli::parse(line, core::Environment{}, files);
  if (!call)
    return call.takeError();
  auto kind = kindOf(*call);
  // Compiles without CUDA, which are most of the remaining commands.
  bool isCuda = call->dialect == core::Dialect::Nvcc || call->cudaSources != 0;
  if (!kind || (*kind == BuildCommand::Kind::Compile && !isCuda))
    return std::nullopt;
  BuildCommand command;
  command.kind = *kind;
  command.programs = programsOf(llvm::ArrayRef(words).take_front(*at + 1), directory);
  takeCall(command, *call, directory);
  return command;
}

} // namespace cudacc::buildsys
