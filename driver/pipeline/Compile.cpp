// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/Compile.h"
#include "driver/ninja/Ninja.h"
#include "driver/pipeline/AskedCompiler.h"
#include "driver/pipeline/Declared.h"
#include "driver/pipeline/Directory.h"
#include "driver/pipeline/Fetched.h"
#include "driver/pipeline/LinkOutput.h"
#include "driver/pipeline/OutputFile.h"
#include "driver/pipeline/PlanCall.h"
#include "driver/pipeline/Reporter.h"
#include "driver/pipeline/RunPlan.h"
#include "driver/policy/advice/Overrides.h"
#include "driver/report/json/Json.h"
#include "driver/run/RealRunner.h"
#include "driver/versions/Format.h"
#include <memory>

namespace cudacc::pipeline {

using namespace core;

/// Replaces the process with the compiler.
static int forward(System &system, Reporter &report, const Command &command,
                   llvm::json::Object logged = {}) {
  report.log("exec", nullptr, std::move(logged));
  if (llvm::Error error = system.runner.exec(command))
    return report.failWith(std::move(error));
  return 0;
}

/// Compiles with what the setting backend names.
static int compileBy(System &system, Reporter &report, const Call &call, const Command &command) {
  // A wrapper may do more than its nvcc.
  if (call.declaration.backend.value != Backend::Ninja || !call.isNvcc() ||
      !call.nvccBehind.empty())
    return forward(system, report, command);
  size_t launchers = call.compiler.command.argv.size() - 1;
  auto outcome = ninja::compile(
      system, {call.invocation, call.declaration, command, launchers, call.compiler.compiler});
  if (!outcome) {
    Finding because = toFinding(outcome.takeError());
    if (because.code == Code::NoNinja)
      report.printDiagnostics(because);
    return forward(system, report, command,
                   llvm::json::Object{{"whole", llvm::json::fixUTF8(because.message)}});
  }
  llvm::json::Array ran;
  for (const std::string &name : outcome->ran)
    ran.push_back(llvm::json::fixUTF8(name));
  report.log("ninja", nullptr, llvm::json::Object{{"ran", std::move(ran)}});
  return outcome->status;
}

namespace {
/// Looks for other toolkits, for fixes. A search that fails there changes no verdict.
struct ToolkitSearch {
  System &system;
  std::optional<std::string> failedBefore;

  std::vector<FoundToolkit> look() {
    if (!failedBefore)
      failedBefore = system.files.failure();
    return nearbyToolkits(system);
  }
  llvm::Error failed() const {
    return failedSearch(failedBefore ? *failedBefore : system.files.failure());
  }
};
} // namespace

static Finding runtimeRequired(System &system, const Call &call) {
  Finding finding;
  finding.code = Code::RuntimeRequired;
  finding.message = "no runtime is declared";
  finding.facts = {{"required", fmt::format("by {}", call.declaration.require.origin)}};
  for (const std::string &path : call.searched.passedBy)
    finding.facts.push_back({"passed by", path});
  std::string runtime = runtimeForHere(system);
  finding.fixes = {
      fmt::format("declare one: --cudacc-runtime={0}, CUDA_CC_RUNTIME, or runtime = \"{0}\" in "
                  "cuda-cc.toml",
                  runtime)};
  return finding;
}

/// What it says could not be checked, and could not be read again by the compiler.
static llvm::Error unreadError(const UnreadWords &unread) {
  return makeError(Code::BrokenResponseFile, unread.what,
                   {{"because", "its words have to be known before the compiler reads them"}},
                   {unread.fix});
}

/// Fills \p call; true: the compiler gets the call unchanged. Errors in the declaration do not
/// matter to a call that is not checked: the compile that follows a probe reports them (R2).
static llvm::Expected<bool> readCall(System &system, CallDirectory place, Call &call) {
  call.directory = std::move(place.directory);
  bool required = call.directory && call.directory->declaration.require.value;
  bool goesOn = isUnjudged(system, call) || (isDisabled(system, call) && !required);
  if (llvm::Error error = admit(call.directory, std::move(place.refused), goesOn))
    return error;
  bool isUnjudgedCall = isUnjudged(system, call);
  if (call.isNamed() && !isUnjudgedCall && !isDisabled(system, call))
    if (llvm::Error error = checkDirectory(system, *call.directory))
      return error;
  if (!isUnjudgedCall || call.isNvcc()) {
    auto declaration = readSettings(system, call, call.searched);
    if (declaration)
      call.declaration = std::move(*declaration);
    else if (!isUnjudgedCall && (!isDisabled(system, call) || call.searched.required))
      return declaration.takeError();
    else
      // A broken declaration is what CUDA_CC_DISABLE is needed for.
      llvm::consumeError(declaration.takeError());
  }
  bool asIs = isUnjudgedCall || isDisabled(system, call);
  if (asIs)
    call.declaration.launcher.clear();
  auto compiler = findCompiler(system, call.invocation, call.declaration, call.in());
  if (!compiler)
    return compiler.takeError();
  call.compiler = std::move(*compiler);
  // The wrapper is started, and the toolkit is that of the nvcc behind it.
  if (!call.nvccBehind.empty())
    call.compiler.compiler = call.nvccBehind;
  addOwnHeaders(system, call);
  return asIs;
}

/// Runs a link whose output is checked: then the output is read back, and sealed or removed.
static int link(System &system, cache::Store &store, Reporter &report, const Call &call,
                const Target &target, const Found &found, CallPlan planned) {
  std::unique_ptr<FileLock> lock = lockOutput(system, store, call, planned.plan.command);
  OutputFile output(system.files, call.invocation);
  auto ended = spawn(system, store, planned.plan);
  if (!ended)
    return report.failWith(ended.takeError());
  if (ended->signal || ended->status) {
    report.log("child failed");
    if (auto finding = partsNotFetched(system, call, target))
      report.printDiagnostics(*finding);
    lock.reset();
    run::endLike(*ended);
  }
  // An output for which nothing is enforced is not removed.
  auto onUnreadableOutput = [&](llvm::Error error) {
    Finding finding = toFinding(std::move(error));
    if (isEnforced(target)) {
      output.remove();
      return report.failWith(finding);
    }
    finding.severity = Severity::Warning;
    report.printDiagnostics(finding);
    report.log("linked, not sealed");
    return 0;
  };
  if (llvm::Error error = output.written())
    return onUnreadableOutput(std::move(error));
  ToolkitSearch around{system, {}};
  auto linked =
      judgeOutput(system, call, target, found, planned, output, [&] { return around.look(); });
  if (!linked)
    return onUnreadableOutput(linked.takeError());
  if (llvm::Error error = around.failed())
    return onUnreadableOutput(std::move(error));
  // Printing the facts does not skip the verdict on the file, which follows.
  if (call.print == Stage::Facts)
    report.print(report::toJson(linked->facts));
  Verdict verdict{std::move(linked->findings)};
  if (verdict.outcome() != Outcome::Accept) {
    output.remove();
    return report.reject(verdict);
  }
  report.printDiagnostics(verdict.findings);
  if (llvm::Error error = seal(system, call, target, found, planned, *linked))
    return onUnreadableOutput(std::move(error));
  report.log("linked", &verdict);
  return 0;
}

/// The call is accepted as far as can be determined before it runs: writes what the plan names and
/// starts the compiler.
static int run(System &system, cache::Store &store, Reporter &report, const Call &call,
               const Target &target, const Found &found, CallPlan planned) {
  store.writeKept();
  if (!found.link || (!planned.plan.judgesOutput && call.print == Stage::None))
    return compileBy(system, report, call, planned.plan.command);
  if (!planned.lacks.empty())
    report.printNoStore(planned.lacks, store.refusedPlaces());
  return link(system, store, report, call, target, found, std::move(planned));
}

/// The call of a known target: probed, checked, planned and run.
static int checkAndRun(System &system, cache::Store &store, Reporter &report, const Call &call,
                       const Target &target) {
  // That a place is not writable may be noticed only here; the next place is then tried.
  while (true) {
    std::optional<std::string> root = store.place();
    const std::string *kept = root ? &*root : nullptr;
    auto found = find(system, store, call, target, kept);
    if (!found)
      return report.failWith(found.takeError());
    if (call.print == Stage::Toolkit)
      return report.print(report::toJson(found->judgedToolkit(), found->headers,
                                         call.isNvcc() ? found->knownHost() : nullptr,
                                         found->torchHeaders));
    ToolkitSearch around{system, {}};
    Verdict verdict = judge(call, target, *found, [&] { return around.look(); });
    if (isEnforced(target))
      if (llvm::Error error = around.failed())
        return report.failWith(std::move(error));
    if (call.print == Stage::Verdict)
      return report.print(report::toJson(verdict, call.declaration.strict.value));
    if (verdict.outcome() != Outcome::Accept)
      return report.reject(verdict);
    report.printDiagnostics(verdict.findings);
    auto planned = planCall(call, target, *found, kept);
    if (!planned)
      return report.failWith(planned.takeError());
    if (call.print == Stage::Plan)
      return report.print(report::toJson(planned->plan));
    if (provide(system, store, planned->plan) || !kept)
      return run(system, store, report, call, target, *found, std::move(*planned));
  }
}

int compile(System &system, Invocation invocation, CallDirectory place) {
  Call call;
  Target target;
  Reporter report(system, call, target);
  call.invocation = std::move(invocation);
  auto stage = readStage(call.invocation, system.environment);
  if (!stage)
    return report.failWith(stage.takeError());
  call.print = *stage;
  call.nested = Nested::read(system.environment);
  if (llvm::Error error = recognise(system, place, call))
    return report.failWith(std::move(error));
  if (call.print == Stage::Invocation)
    return report.print(report::toJson(call.invocation));

  auto asIs = readCall(system, std::move(place), call);
  if (!asIs)
    return report.failWith(asIs.takeError());
  if (call.compiler.judgesItself && call.print == Stage::None)
    return forward(system, report, plainCommand(call));
  if (*asIs && call.print != Stage::None)
    return report.failWith(
        makeError(Code::BadValue, fmt::format("this call has no stage {}", str(call.print)),
                  {{"because", "it is not checked: the compiler gets it unchanged"}}));
  if (auto finding = notRecognised(call)) {
    Verdict verdict{policy::applyOverrides(call.declaration, {}, {std::move(*finding)}).findings};
    if (verdict.outcome() != Outcome::Accept)
      return report.reject(verdict);
    report.printDiagnostics(verdict.findings);
  }
  if (*asIs)
    return forward(system, report, plainCommand(call));
  if (!call.declaration.declared() && call.declaration.require.value)
    return report.failWith(runtimeRequired(system, call));
  bool isLookedAt = call.declaration.declared() && call.declaration.enforce.value != Enforce::Off;
  if (isLookedAt && call.invocation.unread)
    return report.failWith(unreadError(*call.invocation.unread));

  if (call.nested.printsFacts && call.isLink())
    call.print = Stage::Facts;
  cache::Store store(system.environment, system.files, system.uid, cache::Store::Keep::Later);
  // Facts is the only stage that does not end the call: the link still runs.
  if (call.print == Stage::Facts)
    store.useFallbackOnly();
  if (call.declaration.declared()) {
    auto resolved = resolveDeclaration(system, store, call.declaration,
                                       machineOf(call.invocation, call.declaration, call.in()));
    if (!resolved)
      return report.failWith(resolved.takeError());
    target = std::move(*resolved);
  }
  if (call.print == Stage::Target)
    return report.print(report::toJson(target));
  if (!hasWork(call) && call.print == Stage::None)
    return compileBy(system, report, call, plainCommand(call));
  return checkAndRun(system, store, report, call, target);
}

} // namespace cudacc::pipeline
