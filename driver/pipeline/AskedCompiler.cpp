// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/AskedCompiler.h"
#include "driver/cache/CommandInputs.h"
#include "driver/cache/Store.h"
#include "driver/cli/Cli.h"
#include "driver/pipeline/Compilers.h"
#include "driver/probe/host/HostProbe.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace cudacc::pipeline {

using namespace core;

/// Longer answers are no version.
static constexpr uint64_t longestAnswer = uint64_t(1) << 16;
static constexpr unsigned longestSeconds = 10;

/// What \p program answers to --version; std::nullopt if it fails. Error: it cannot be asked.
static llvm::Expected<std::optional<std::string>> ask(System &system, const std::string &program,
                                                      Accesses &accesses) {
  Command command{program, {program, "--version"}, {}, {}};
  command.set.emplace_back("LC_ALL", "C");
  command.mostSeconds = longestSeconds;
  command.outputLimit = longestAnswer;
  auto answer = system.runner.observe(command, accesses);
  if (!answer)
    return answer.takeError();
  if (!answer->ended.ok())
    return std::nullopt;
  return std::move(answer->out);
}

/// The nvcc behind a wrapper: the last one that was started. Empty if none was, or if what is
/// started is not observed.
static std::string startedNvcc(System &system, const Accesses &accesses) {
  std::string nvcc;
  for (const Accesses::File &file : accesses.files)
    if (file.isStarted && llvm::sys::path::filename(file.path) == "nvcc" &&
        !system.selfFile.is(file.path))
      nvcc = file.path;
  return nvcc;
}

/// The path of the nvcc behind the program, a line break, and the answer, from the store if nothing
/// changed that decided about them.
static llvm::Expected<std::optional<std::string>> keptOrAsked(System &system,
                                                              const std::string &program) {
  cache::Store store(system.environment, system.files, system.uid);
  cache::CurrentFiles current(system.files, system.environment);
  if (auto text = store.answer(program))
    if (auto kept = cache::answerIn(*text, program, current))
      return std::move(*kept);
  Accesses accesses;
  int64_t started = cache::currentTime();
  auto answer = ask(system, program, accesses);
  if (!answer || !*answer)
    return answer;
  std::string text = fmt::format("{}\n{}", startedNvcc(system, accesses), **answer);
  if (auto inputs = cache::inputsOf(system.files, system.environment, accesses,
                                    {started, current.allVariables()}))
    store.keepAnswer(program, cache::answerText({program, text, std::move(*inputs)}));
  return text;
}

/// Whether the settings of \p call do anything.
static bool isLookedAt(const Declaration &declaration) {
  if (declaration.declared())
    return declaration.enforce.value != Enforce::Off;
  return declaration.require.value || declaration.manifest.value == ManifestMode::Always;
}

llvm::Error recognise(System &system, const CallDirectory &place, Call &call) {
  Invocation &invocation = call.invocation;
  if (!invocation.isOpen || !cli::mayCompile(invocation) || isDisabled(system, call))
    return llvm::Error::success();
  if (place.refused)
    return makeError(*place.refused);
  call.directory = place.directory;
  config::SearchNotes searched;
  auto declaration = readSettings(system, call, searched);
  if (!declaration)
    return declaration.takeError();
  call.declaration = std::move(*declaration);
  if (!isLookedAt(call.declaration))
    return llvm::Error::success();
  auto found = findCompiler(system, invocation, call.declaration, call.in());
  if (!found)
    return found.takeError();
  const std::string &program = found->compiler;
  auto answer = keptOrAsked(system, program);
  if (!answer)
    return answer.takeError();
  if (!*answer)
    return llvm::Error::success();
  auto [nvcc, text] = llvm::StringRef(**answer).split('\n');
  auto dialect = probe::dialectOfAnswer(text);
  if (!dialect)
    return llvm::Error::success();
  if (*dialect == Dialect::Nvcc && nvcc != program)
    call.nvccBehind = nvcc.str();
  return cli::parseAs(*dialect, invocation, system.environment, system.files);
}

std::optional<Finding> notRecognised(const Call &call) {
  if (!call.invocation.isOpen || !isLookedAt(call.declaration))
    return std::nullopt;
  Finding finding = makeFinding(Code::UnknownCompiler, fmt::format("{} is not known as a compiler",
                                                                   call.invocation.compiler));
  finding.addFact("so", "it runs as it is, and nothing is checked");
  finding.addFact("because", "it does not answer --version as nvcc, gcc or clang do");
  return finding;
}

} // namespace cudacc::pipeline
