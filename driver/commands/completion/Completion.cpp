// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/Subcommands.h"
#include "driver/commands/completion/Complete.h"

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

namespace {

struct CompletionArguments : Arguments {
  /// `words` are those of a command line up to the cursor.
  bool complete = false;
};

} // namespace

namespace {
struct Script {
  StringRef shell, text;
};
} // namespace

static constexpr Script scripts[] = {
#include "CompletionScripts.inc"
};

static llvm::Expected<int> completion(pipeline::System &system,
                                      const CompletionArguments &arguments) {
  if (arguments.complete) {
    system.console.out(printed(complete(system, arguments, arguments.words)));
    return 0;
  }
  for (const Script &each : scripts)
    if (arguments.words.size() == 1 && arguments.words[0] == each.shell) {
      system.console.out(each.text);
      return 0;
    }
  return makeError(Code::Usage, "cuda-cc completion takes a shell: bash, zsh or fish", {},
                   {"cuda-cc completion bash"});
}

static constexpr Option<CompletionArguments> completionOptions[] = {
    {"--format", &CompletionArguments::format, "text json"},
    {"--complete", &CompletionArguments::complete},
};

constexpr SubcommandBody completionSubcommand = bodyOf<completionOptions, completion>();

} // namespace cudacc::commands
