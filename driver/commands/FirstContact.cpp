// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/FirstContact.h"
#include "driver/commands/Subcommands.h"
#include "driver/commands/help/Help.h"

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

/// A person reads what is printed. Where one of the three is no terminal, a script may compare it
/// with what nvcc prints.
static bool isInteractive(run::Console &console) {
  return console.inIsTerminal() && console.outIsTerminal() && console.errIsTerminal();
}

/// Whether nvcc takes the first word of the line for an input whose kind it does not know, which it
/// always refuses. It is not refused if an option takes it as its value (NVCC_PREPEND_FLAGS), if
/// `-x` gives its kind, or if the call only asks for something (`--version`).
static bool isRefusedInput(const Invocation &call) {
  return call.kind != CallKind::Probe && llvm::any_of(call.linkInputs, [&](const LinkInput &input) {
           const Word &word = call.words[input.word];
           return input.kind == LinkInput::Kind::File && word.source == Word::Source::Argv &&
                  word.arg == 0;
         });
}

/// The subcommand that the first word nearly is; empty if it may be anything else.
static StringRef meantSubcommand(pipeline::System &system, const Invocation &call) {
  if (!isRefusedInput(call) || system.files.stat(call.args.front()).exists())
    return {};
  std::vector<StringRef> names;
  for (const Subcommand &each : subcommands())
    names.push_back(each.name);
  return nearest(call.args.front(), names);
}

/// nvcc runs without being checked, or a stage is printed instead.
static bool isAskedFor(pipeline::System &system, const Invocation &call) {
  return call.own.print || !system.environment.getOr("CUDA_CC_PRINT").empty() ||
         system.environment.isOn("CUDA_CC_DISABLE");
}

std::optional<int> answerForNvcc(pipeline::System &system, const Invocation &call,
                                 llvm::ArrayRef<StringRef> argv) {
  bool isBare = argv.size() <= 1 && call.words.empty();
  bool isWord = !call.args.empty() && !call.args.front().empty() &&
                call.args.front().find_first_of("-./=@") == StringRef::npos;
  if (call.role != Role::Front || !(isBare || isWord) || isAskedFor(system, call))
    return std::nullopt;
  if (isBare) {
    if (!isInteractive(system.console))
      return std::nullopt;
    system.console.err(shortHelp());
    return 1;
  }
  StringRef meant = meantSubcommand(system, call);
  if (meant.empty())
    return std::nullopt;
  Finding finding = makeFinding(
      Code::Usage, fmt::format("'{}' is no subcommand, program or file", call.args.front()));
  finding.fixes = {fmt::format("did you mean cuda-cc {}?", meant), "cuda-cc help"};
  return failWith(system, finding);
}

} // namespace cudacc::commands
