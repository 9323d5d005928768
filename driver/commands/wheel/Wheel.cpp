// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/Subcommands.h"
#include "driver/commands/wheel/WheelArguments.h"
#include "driver/support/Text.h"

namespace cudacc::commands {

namespace {
/// What is done with a wheel: the first word behind `wheel`.
struct Verb {
  llvm::StringLiteral name;
  /// \p words: those behind the verb.
  llvm::Expected<int> (*run)(pipeline::System &system, const WheelArguments &arguments,
                             llvm::ArrayRef<std::string> words);
};
} // namespace

static constexpr Verb verbs[] = {
    {"prove", proveWheel},
    {"repair", repairWheel},
    {"show", showWheels},
};

static llvm::Expected<int> wheel(pipeline::System &system, const WheelArguments &arguments) {
  llvm::ArrayRef<std::string> words = arguments.words;
  for (const Verb &verb : verbs)
    if (!words.empty() && words.front() == verb.name)
      return verb.run(system, arguments, words.drop_front());
  std::string known =
      support::joined(verbs, ", ", [](const Verb &verb) { return verb.name.str(); });
  return usageError(words.empty() ? fmt::format("cuda-cc wheel takes one of: {}", known)
                                  : fmt::format("cuda-cc wheel takes one of: {}; not {}", known,
                                                support::quoted(words.front())));
}

static constexpr Option<WheelArguments> wheelOptions[] = {
    {"--format", &WheelArguments::format, "text json"},
    {"--runtime", &WheelArguments::runtime, "REQ"},
    {"--verify", &WheelArguments::verify},
    {"--before", &WheelArguments::before},
    {"-w", &WheelArguments::wheelDir, "DIR"},
    {"--requires", &WheelArguments::wheelRequires, "nvidia torch none"},
    {"--exclude", &WheelArguments::exclude},
    {"--unbundle", &WheelArguments::unbundle},
    {"--variant", &WheelArguments::variant},
    {"--resolution", &WheelArguments::resolution, "lowest highest both"},
    {"--import", &WheelArguments::imports},
    {"--extra", &WheelArguments::extras},
    {"--python", &WheelArguments::python, "PROGRAM"},
};

constexpr SubcommandBody wheelSubcommand = bodyOf<wheelOptions, wheel>();

} // namespace cudacc::commands
