// SPDX-License-Identifier: Apache-2.0
#include "driver/explain/Explain.h"
#include "driver/commands/Declaration.h"
#include "driver/commands/Subcommands.h"
#include "driver/commands/explain/ExplanationReport.h"
#include "driver/pipeline/Reporter.h"
#include "driver/pipeline/TorchTables.h"
#include "driver/policy/advice/Installer.h"
#include "driver/probe/python/Pip.h"
#include "driver/report/json/Json.h"
#include "driver/report/text/Pages.h"
#include "llvm/Support/Errno.h"

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

/// Whether the word is meant as a code, even if none of that name exists: `CC301`, `E_TARGET`,
/// `AV-X01`.
static bool looksLikeCode(StringRef word) {
  auto rest = [](StringRef text, StringRef characters) {
    return text.find_first_not_of(characters) == StringRef::npos;
  };
  static constexpr llvm::StringLiteral capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_-0123456789";
  if (StringRef number = word; number.consume_front_insensitive("CC"))
    return rest(number, "0123456789");
  for (StringRef front : {"AV-", "E_", "U_", "N_"})
    if (word.starts_with(front))
      return rest(word, capitals);
  return false;
}

static llvm::Error unknownCode(StringRef word) {
  std::vector<std::string> names, fixes;
  for (const CodeInfo &row : allCodes())
    names.push_back(str(row.code));
  std::vector<StringRef> candidates(names.begin(), names.end());
  if (StringRef near = nearest(word, candidates); !near.empty())
    fixes.push_back(fmt::format("cuda-cc explain {}", near));
  return makeError(Code::Usage, fmt::format("'{}' is not a code of cuda-cc", word), {},
                   std::move(fixes));
}

static int showPage(pipeline::System &system, const Arguments &arguments, Code code) {
  StringRef page = report::page(code);
  if (arguments.json)
    system.console.out(report::print(llvm::json::Object{
        {"schema", 1}, {"code", str(code)}, {"title", info(code).title}, {"page", page}}));
  else
    system.console.out(page);
  return 0;
}

static constexpr size_t chunkSize = 1 << 16;

static llvm::Error readInput(pipeline::System &system, explain::Explainer &explainer) {
  std::vector<char> buffer(chunkSize);
  while (true) {
    long got = system.console.in(buffer);
    if (got < 0)
      return makeError(Code::UnreadableFile,
                       fmt::format("cannot read stdin: {}", llvm::sys::StrError(int(-got))));
    if (got == 0)
      return llvm::Error::success();
    explainer.add({buffer.data(), size_t(got)});
  }
}

static llvm::Error readFile(pipeline::System &system, StringRef path,
                            explain::Explainer &explainer) {
  auto file = system.files.open(path);
  if (!file)
    return file.takeError();
  std::vector<char> buffer(chunkSize);
  for (uint64_t at = 0;;) {
    auto got = (*file)->readAt(at, buffer);
    if (!got)
      return got.takeError();
    if (*got == 0)
      return llvm::Error::success();
    explainer.add({buffer.data(), *got});
    at += *got;
  }
}

/// The declared runtime; std::nullopt if none is declared. One that cannot be resolved is an error
/// if the call names it; otherwise a warning, and the message is still explained.
static llvm::Expected<std::optional<Target>> runtimeOf(pipeline::System &system,
                                                       const Arguments &arguments) {
  auto declaration = requireDeclaration(system, arguments, "");
  auto target = declaration ? resolveOnce(system, *declaration)
                            : llvm::Expected<Target>(declaration.takeError());
  if (target)
    return std::optional(std::move(*target));
  Finding problem = toFinding(target.takeError());
  if (!arguments.runtime.empty())
    return makeError(std::move(problem));
  bool isUndeclared = problem.code == Code::Usage;
  problem.severity = Severity::Warning;
  if (!isUndeclared)
    failWith(system, problem);
  return std::optional<Target>();
}

/// Reads the text from stdin (`-`), from a file, or from the words.
static llvm::Error read(pipeline::System &system, const Arguments &arguments,
                        explain::Explainer &explainer, bool &isLog) {
  const std::vector<std::string> &words = arguments.words;
  isLog = words.size() == 1 && (words[0] == "-" || system.files.stat(words[0]).exists());
  // Else the name of a file would be taken for the text.
  if (words.size() == 1 && !isLog)
    if (llvm::Error error = pipeline::failedSearch(system))
      return error;
  if (!isLog)
    explainer.add(llvm::join(words, " "));
  else if (words[0] == "-")
    return readInput(system, explainer);
  else
    return readFile(system, words[0], explainer);
  return llvm::Error::success();
}

static std::vector<std::string> nextCalls() {
  return {
      "cuda-cc check FILE --runtime torch==2.5.1 judges a library or extension against a runtime",
      "cuda-cc inspect FILE shows what it needs and what device code it has",
      "cuda-cc explain - < build.log reads a whole log"};
}

static llvm::Expected<int> explain(pipeline::System &system, const Arguments &arguments) {
  if (arguments.words.empty())
    return makeError(
        Code::Usage, "cuda-cc explain takes a code, a text, a file or -", {},
        {"cuda-cc explain CC3001", "cuda-cc explain 'undefined symbol: __nvJitLinkCreate_12_5'"});
  StringRef word = arguments.words[0];
  if (arguments.words.size() == 1) {
    if (auto code = parseCode(word))
      return showPage(system, arguments, *code);
    if (looksLikeCode(word))
      return unknownCode(word);
  }
  auto runtime = runtimeOf(system, arguments);
  if (!runtime)
    return runtime.takeError();
  pipeline::TorchTables tables(system);
  explain::Explainer explainer(*runtime ? &**runtime : nullptr, tables);
  bool isLog = false;
  if (llvm::Error problem = read(system, arguments, explainer, isLog))
    return problem;
  explain::Explained explained = explainer.finish(!isLog);
  if (*runtime && !(*runtime)->sitePackages.empty())
    for (explain::Explanation &message : explained.messages)
      policy::nameInstaller(probe::pipInstallBeside((*runtime)->sitePackages.front(), system.files),
                            message.fixes);
  bool isTorchs = llvm::any_of(explained.messages, [](const explain::Explanation &each) {
    return each.family == "torch_abi" && !each.values.empty() && each.values[0].first == "symbol";
  });
  if (const Finding *problem = isTorchs ? tables().problem : nullptr)
    failWith(system, *problem);
  system.console.out(
      arguments.json ? report::print(explanationJson(explained, nextCalls()))
                     : explanationText(explained, isLog, nextCalls(), pipeline::outStyle(system)));
  return int(explained.messages.empty() ? Exit::Undetermined : Exit::Ok);
}

static constexpr Option<Arguments> explainOptions[] = {
    {"--format", &Arguments::format, "text json"},
    {"--runtime", &Arguments::runtime, "REQ"},
};

constexpr SubcommandBody explainSubcommand = bodyOf<explainOptions, explain>();

} // namespace cudacc::commands
