#include "driver/explain/Explain.h"
#include "driver/commands/Tools.h"
#include "driver/config/Config.h"
#include "driver/pipeline/Declared.h"
#include "driver/pipeline/TorchTables.h"
#include "driver/report/json/Json.h"
#include "driver/report/json/JsonExplanation.h"
#include "driver/report/text/Explanation.h"
#include "driver/report/text/Pages.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

/// `CC301`, `E_TARGET`, `AV-X01`: meant as a code, and none.
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

static int refuseCode(pipeline::World &world, StringRef word) {
  Finding finding;
  finding.code = Code::Usage;
  finding.message = ("'" + word + "' is no code of cuda-cc").str();
  std::vector<std::string> names;
  for (const CodeInfo &row : allCodes())
    names.push_back(str(row.code));
  std::vector<StringRef> candidates(names.begin(), names.end());
  if (StringRef near = nearest(word, candidates); !near.empty())
    finding.fixes.push_back(("cuda-cc explain " + near).str());
  return stop(world, finding);
}

static int showPage(pipeline::World &world, const Arguments &arguments, Code code) {
  StringRef page = report::page(code);
  if (arguments.json)
    world.console.out(report::print(llvm::json::Object{
        {"schema", 1}, {"code", str(code)}, {"title", info(code).title}, {"page", page}}));
  else
    world.console.out(page);
  return 0;
}

static constexpr size_t bufferSize = 1 << 16;

static llvm::Error readInput(pipeline::World &world, explain::Explainer &explainer) {
  std::vector<char> buffer(bufferSize);
  while (true) {
    long got = world.console.in(buffer);
    if (got < 0)
      return fail(Code::UnreadableFile, "cannot read stdin: " + llvm::sys::StrError(int(-got)));
    if (got == 0)
      return llvm::Error::success();
    explainer.add({buffer.data(), size_t(got)});
  }
}

static llvm::Error readFile(pipeline::World &world, StringRef path, explain::Explainer &explainer) {
  auto file = world.files.open(path);
  if (!file)
    return file.takeError();
  std::vector<char> buffer(bufferSize);
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

static llvm::Expected<Target> targetOf(pipeline::World &world, const Arguments &arguments,
                                       const ToolchainDirectory *directory) {
  auto declaration = declarationOf(world, arguments, directory, "");
  if (!declaration)
    return declaration.takeError();
  cache::Store store(world.environment, world.files, world.uid);
  return pipeline::resolveDeclaration(world, store, *declaration);
}

/// The declared runtime, if there is one. One that cannot be resolved is an error where the call
/// names it; else it is said, and the message explained all the same.
static llvm::Expected<std::optional<Target>>
runtimeOf(pipeline::World &world, const Arguments &arguments, const ToolchainDirectory *directory) {
  auto target = targetOf(world, arguments, directory);
  if (target)
    return std::optional(std::move(*target));
  Finding problem = takeFinding(target.takeError());
  if (!arguments.runtime.empty())
    return fail(std::move(problem));
  bool undeclared = problem.code == Code::Usage;
  if (!undeclared) {
    problem.severity = Severity::Warning;
    stop(world, problem);
  }
  return std::optional<Target>();
}

/// Where the text comes from: `-`, a file, or the words.
static llvm::Error read(pipeline::World &world, const Arguments &arguments,
                        explain::Explainer &explainer, bool &isLog) {
  const std::vector<std::string> &words = arguments.words;
  isLog = words.size() == 1 && (words[0] == "-" || world.files.stat(words[0]).exists());
  if (!isLog)
    explainer.add(llvm::join(words, " "));
  else if (words[0] == "-")
    return readInput(world, explainer);
  else
    return readFile(world, words[0], explainer);
  return llvm::Error::success();
}

static const std::vector<std::string> next = {
    "cuda-cc check FILE --runtime torch==2.5.1 judges a library or extension against a runtime",
    "cuda-cc inspect FILE shows what it needs and what device code it has",
    "cuda-cc explain - < build.log reads a whole log"};

int explain(pipeline::World &world, const Arguments &arguments,
            const ToolchainDirectory *directory) {
  if (arguments.words.empty()) {
    Finding finding;
    finding.code = Code::Usage;
    finding.message = "cuda-cc explain takes a code, a text, a file or -";
    finding.fixes = {"cuda-cc explain CC3001",
                     "cuda-cc explain 'undefined symbol: __nvJitLinkCreate_12_5'"};
    return stop(world, finding);
  }
  StringRef word = arguments.words[0];
  if (arguments.words.size() == 1) {
    if (auto code = parseCode(word))
      return showPage(world, arguments, *code);
    if (looksLikeCode(word))
      return refuseCode(world, word);
  }
  auto runtime = runtimeOf(world, arguments, directory);
  if (!runtime)
    return stop(world, takeFinding(runtime.takeError()));
  pipeline::TorchTables tables(world);
  explain::Explainer explainer(*runtime ? &**runtime : nullptr, tables);
  bool isLog = false;
  if (llvm::Error problem = read(world, arguments, explainer, isLog))
    return stop(world, takeFinding(std::move(problem)));
  Explained explained = explainer.finish(!isLog);
  bool isTorchs = llvm::any_of(explained.messages, [](const Explanation &each) {
    return each.family == "torch_abi" && !each.values.empty() && each.values[0].first == "symbol";
  });
  if (const Finding *problem = isTorchs ? tables().problem : nullptr)
    stop(world, *problem);
  world.console.out(arguments.json
                        ? report::print(report::toJson(explained, next))
                        : report::explained(explained, isLog, next, pipeline::outStyle(world)));
  return int(explained.messages.empty() ? Exit::Unlearnt : Exit::Ok);
}

} // namespace cudacc::commands
