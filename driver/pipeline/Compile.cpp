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
  Finding finding =
      makeFinding(Code::RuntimeRequired, "no runtime is declared",
                  {{"required", fmt::format("by {}", call.declaration.require.origin)}});
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

/// The compiler gets the call unchanged.
static bool passesThrough(System &system, const Call &call) {
  return isUnjudged(system, call) || isDisabled(system, call);
}

/// Reads the declaration of \p call. Errors do not matter to a call that is not checked: the
/// compile that follows a probe reports them (R2), and CUDA_CC_DISABLE is needed for a broken
/// declaration.
static llvm::Error readDeclaration(System &system, Call &call) {
  auto declaration = readSettings(system, call, call.searched);
  if (declaration) {
    call.declaration = std::move(*declaration);
    return llvm::Error::success();
  }
  if (isUnjudged(system, call) || (isDisabled(system, call) && !call.searched.required)) {
    llvm::consumeError(declaration.takeError());
    return llvm::Error::success();
  }
  return declaration.takeError();
}

/// Fills \p call; true: it passes through.
static llvm::Expected<bool> readCall(System &system, CallDirectory place, Call &call) {
  call.directory = std::move(place.directory);
  bool required = call.directory && call.directory->declaration.require.value;
  bool goesOn = isUnjudged(system, call) || (isDisabled(system, call) && !required);
  if (llvm::Error error = admit(call.directory, std::move(place.refused), goesOn))
    return error;
  if (call.isNamed() && !passesThrough(system, call))
    if (llvm::Error error = checkDirectory(system, *call.directory))
      return error;
  if (call.isNvcc() || !isUnjudged(system, call))
    if (llvm::Error error = readDeclaration(system, call))
      return error;
  bool passes = passesThrough(system, call);
  if (passes)
    call.declaration.launcher.clear();
  auto compiler = findCompiler(system, call.invocation, call.declaration, call.in());
  if (!compiler)
    return compiler.takeError();
  call.compiler = std::move(*compiler);
  // The wrapper is started, and the toolkit is that of the nvcc behind it.
  if (!call.nvccBehind.empty())
    call.compiler.compiler = call.nvccBehind;
  addOwnHeaders(system, call);
  return passes;
}

namespace {
/// A call, and what its stages determined so far.
struct Compilation {
  System &system;
  CallDirectory place;
  Call call = {};
  Target target = {};
  Reporter report{system, call, target};
  std::optional<cache::Store> store = {};
  /// Where files are kept; std::nullopt: nowhere.
  std::optional<std::string> root = {};
  Found found = {};
  Verdict verdict = {};
  CallPlan planned = {};

  const std::string *kept() const { return root ? &*root : nullptr; }
};

/// The exit status of a call that ends in a stage.
using Ended = std::optional<int>;
} // namespace

/// Runs a link whose output is checked: then the output is read back, and sealed or removed.
static int link(System &system, cache::Store &store, Reporter &report, const Call &call,
                const Target &target, const Found &found, CallPlan &planned) {
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

/// The call is accepted as far as can be determined before it runs: starts the compiler.
static int start(Compilation &made) {
  CallPlan &planned = made.planned;
  made.store->writeKept();
  if (!made.found.link || (!planned.plan.judgesOutput && made.call.print == Stage::None))
    return compileBy(made.system, made.report, made.call, planned.plan.command);
  if (!planned.lacks.empty())
    made.report.printNoStore(planned.lacks, made.store->refusedPlaces());
  return link(made.system, *made.store, made.report, made.call, made.target, made.found, planned);
}

static Ended recogniseCall(Compilation &made) {
  Call &call = made.call;
  auto stage = readStage(call.invocation, made.system.environment);
  if (!stage)
    return made.report.failWith(stage.takeError());
  call.print = *stage;
  call.nested = Nested::read(made.system.environment);
  if (llvm::Error error = recognise(made.system, made.place, call))
    return made.report.failWith(std::move(error));
  return std::nullopt;
}

/// Reads what is declared; a call for which nothing is checked ends here.
static Ended declareCall(Compilation &made) {
  System &system = made.system;
  Reporter &report = made.report;
  Call &call = made.call;
  auto passes = readCall(system, std::move(made.place), call);
  if (!passes)
    return report.failWith(passes.takeError());
  if (call.compiler.judgesItself && call.print == Stage::None)
    return forward(system, report, plainCommand(call));
  if (*passes && call.print != Stage::None)
    return report.failWith(
        makeError(Code::BadValue, fmt::format("this call has no stage {}", str(call.print)),
                  {{"because", "it is not checked: the compiler gets it unchanged"}}));
  if (auto finding = notRecognised(call)) {
    Verdict early{policy::applyOverrides(call.declaration, {}, {std::move(*finding)}).findings};
    if (early.outcome() != Outcome::Accept)
      return report.reject(early);
    report.printDiagnostics(early.findings);
  }
  if (*passes)
    return forward(system, report, plainCommand(call));
  if (!call.declaration.declared() && call.declaration.require.value)
    return report.failWith(runtimeRequired(system, call));
  bool isLookedAt = call.declaration.declared() && call.declaration.enforce.value != Enforce::Off;
  if (isLookedAt && call.invocation.unread)
    return report.failWith(unreadError(*call.invocation.unread));
  return std::nullopt;
}

static Ended resolveTarget(Compilation &made) {
  if (Ended ended = declareCall(made))
    return ended;
  System &system = made.system;
  Call &call = made.call;
  if (call.nested.printsFacts && call.isLink())
    call.print = Stage::Facts;
  made.store.emplace(system.environment, system.files, system.uid, cache::Store::Keep::Later);
  // Facts is the only stage that does not end the call: the link still runs.
  if (call.print == Stage::Facts)
    made.store->useFallbackOnly();
  if (!call.declaration.declared())
    return std::nullopt;
  auto resolved = resolveDeclaration(system, *made.store, call.declaration,
                                     machineOf(call.invocation, call.declaration, call.in()));
  if (!resolved)
    return made.report.failWith(resolved.takeError());
  made.target = std::move(*resolved);
  return std::nullopt;
}

static Ended findParts(Compilation &made) {
  const Call &call = made.call;
  if (!hasWork(call) && call.print == Stage::None)
    return compileBy(made.system, made.report, call, plainCommand(call));
  made.root = made.store->place();
  auto found = find(made.system, *made.store, call, made.target, made.kept());
  if (!found)
    return made.report.failWith(found.takeError());
  made.found = std::move(*found);
  return std::nullopt;
}

static Ended judgeCall(Compilation &made) {
  ToolkitSearch around{made.system, {}};
  made.verdict = judge(made.call, made.target, made.found, [&] { return around.look(); });
  if (isEnforced(made.target))
    if (llvm::Error error = around.failed())
      return made.report.failWith(std::move(error));
  return std::nullopt;
}

static Ended planCommand(Compilation &made) {
  if (made.verdict.outcome() != Outcome::Accept)
    return made.report.reject(made.verdict);
  made.report.printDiagnostics(made.verdict.findings);
  auto planned = planCall(made.call, made.target, made.found, made.kept());
  if (!planned)
    return made.report.failWith(planned.takeError());
  made.planned = std::move(*planned);
  return std::nullopt;
}

namespace {
/// A stage, and what --cudacc-print shows of it.
struct StageRow {
  Stage stage;
  Ended (*make)(Compilation &made);
  llvm::json::Value (*shown)(const Compilation &made);
};
} // namespace

static constexpr StageRow stages[] = {
    {Stage::Invocation, recogniseCall,
     [](const Compilation &made) { return report::toJson(made.call.invocation); }},
    {Stage::Target, resolveTarget,
     [](const Compilation &made) { return report::toJson(made.target); }},
    {Stage::Toolkit, findParts,
     [](const Compilation &made) {
       const Found &found = made.found;
       return report::toJson(found.judgedToolkit(), found.headers,
                             made.call.isNvcc() ? found.knownHost() : nullptr, found.torchHeaders);
     }},
    {Stage::Verdict, judgeCall,
     [](const Compilation &made) {
       return report::toJson(made.verdict, made.call.declaration.strict.value);
     }},
    {Stage::Plan, planCommand,
     [](const Compilation &made) { return report::toJson(made.planned.plan); }},
};

int compile(System &system, Invocation invocation, CallDirectory place) {
  Compilation made{system, std::move(place)};
  made.call.invocation = std::move(invocation);
  for (const StageRow &row : stages) {
    if (Ended ended = row.make(made))
      return *ended;
    if (made.call.print == row.stage)
      return made.report.print(row.shown(made));
  }
  // That a place is not writable may be noticed only here; the next place is then tried.
  while (!provide(system, *made.store, made.planned.plan) && made.kept())
    for (auto make : {findParts, judgeCall, planCommand})
      if (Ended ended = make(made))
        return *ended;
  return start(made);
}

} // namespace cudacc::pipeline
