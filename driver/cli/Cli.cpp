// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/Cli.h"
#include "driver/cli/Expansion.h"
#include "driver/cli/Languages.h"
#include "driver/cli/OwnOptions.h"
#include "driver/cli/Quoting.h"
#include "driver/cli/Scanner.h"
#include "driver/cli/Start.h"
#include "llvm/ADT/STLExtras.h"

using namespace cudacc::core;
using llvm::Error;
using llvm::StringRef;

namespace cudacc::cli {

static void addVariable(std::vector<Word> &words, StringRef text, Word::Source source) {
  llvm::SmallVector<StringRef, 16> parts;
  splitVariable(text, parts);
  for (StringRef part : parts)
    words.push_back({part, source, 0});
}

/// The words that the compiler sees, including NVCC_*_FLAGS (R10).
static std::vector<Word> wholeLine(Invocation &call, const Environment &env) {
  StringRef prepend, append;
  if (call.dialect == Dialect::Nvcc) {
    prepend = env.getOr("NVCC_PREPEND_FLAGS");
    append = env.getOr("NVCC_APPEND_FLAGS");
    call.hasVariableFlags = !prepend.empty() || !append.empty();
  }
  std::vector<Word> words;
  words.reserve(call.args.size());
  addVariable(words, prepend, Word::Source::Prepend);
  for (uint32_t i = 0; i != call.args.size(); ++i)
    words.push_back({call.args[i], Word::Source::Argv, i});
  addVariable(words, append, Word::Source::Append);
  return words;
}

/// The command that `trace` runs, or the line that `completion` completes. Its options belong to
/// it, even if the command is cuda-cc.
static llvm::ArrayRef<StringRef> foreign(llvm::ArrayRef<StringRef> words) {
  if (words.empty() || (words.front() != "trace" && words.front() != "completion"))
    return {};
  const auto *end = std::find(words.begin(), words.end(), "--");
  return words.drop_front(end - words.begin());
}

llvm::Expected<Invocation> parse(llvm::ArrayRef<StringRef> argv, const Environment &env,
                                 Files &files) {
  Invocation call;
  StringRef self = argv.empty() ? StringRef() : argv.front();
  llvm::ArrayRef<StringRef> given = argv.drop_front(argv.empty() ? 0 : 1);
  auto args = takeOwnOptions(given, given.size() - foreign(given).size(), call.own, *call.arena);
  if (!args)
    return args.takeError();
  call.args = *args;
  if (decideStart(self, env, files, call))
    return call;
  if (Error error = parseAs(call.dialect, call, env, files))
    return error;
  return call;
}

Error parseAs(Dialect dialect, Invocation &call, const Environment &env, Files &files) {
  call.dialect = dialect;
  call.isOpen = false;
  std::vector<Word> line = wholeLine(call, env);
  Expansion expansion(dialect, files, *call.arena);
  // nvcc passes the @FILE of -Xcompiler on, and rejects others (N4).
  if (dialect != Dialect::Nvcc)
    if (Error error = expansion.expandHost(line))
      return error;
  Scanner scanner(call, files);
  if (Error error = scanner.scan(std::move(line), expansion))
    return error;
  scanner.finish();
  // gcc's own variables for a depfile.
  for (StringRef variable : {"DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES"})
    call.lacksPhonyTargets |= dialect == Dialect::Gcc && !env.getOr(variable).empty();
  return Error::success();
}

bool mayCompile(const Invocation &call) {
  static constexpr StringRef options[] = {"-c", "-o", "-shared", "-x", "-optf", "--options-file"};
  return llvm::any_of(call.args, [](StringRef word) {
    return word.starts_with("@") || llvm::is_contained(options, word) || hasInputSuffix(word);
  });
}

} // namespace cudacc::cli
