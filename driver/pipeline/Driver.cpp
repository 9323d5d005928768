#include "driver/pipeline/Driver.h"
#include "driver/Version.h"
#include "driver/binary/manifest/Note.h"
#include "driver/cli/Cli.h"
#include "driver/config/Config.h"
#include "driver/config/DirectoryForm.h"
#include "driver/config/Settings.h"
#include "driver/pipeline/Compilers.h"
#include "driver/pipeline/Declared.h"
#include "driver/pipeline/Directory.h"
#include "driver/pipeline/HostLink.h"
#include "driver/plan/command/Host.h"
#include "driver/plan/command/Link.h"
#include "driver/plan/command/Nvcc.h"
#include "driver/policy/rules/Judge.h"
#include "driver/policy/rules/TorchBuild.h"
#include "driver/probe/host/HostProbe.h"
#include "driver/probe/toolkit/Headers.h"
#include "driver/probe/toolkit/Locate.h"
#include "driver/probe/toolkit/ToolkitProbe.h"
#include "driver/probe/toolkit/TorchHeaders.h"
#include "driver/report/json/Json.h"
#include "driver/report/text/Help.h"
#include "driver/report/text/Text.h"
#include "driver/run/Log.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace cudacc::pipeline {

using namespace core;
using namespace versions;

Driver::Driver(System &system, const Subcommands &subcommands)
    : system(system), subcommands(subcommands),
      store(system.environment, system.files, system.uid) {}

int Driver::run(llvm::ArrayRef<llvm::StringRef> argv) {
  auto parsed = cli::parse(argv, system.environment, system.files);
  if (!parsed)
    return stop(takeFinding(parsed.takeError()));
  call = std::move(*parsed);
  if (standsBeforeShim()) {
    Command command{call.compiler, {call.compiler}, {}, {}};
    for (llvm::StringRef word : argv.drop_front())
      if (word.starts_with("--cudacc-"))
        command.argv.refer(word);
    for (llvm::StringRef word : call.args)
      command.argv.refer(word);
    return stop(takeFinding(system.runner.exec(command)));
  }
  if (call.own.help) {
    system.console.out(report::help());
    return 0;
  }
  if (llvm::Error error = readDirectory())
    return stop(takeFinding(std::move(error)));
  if (call.role == Role::Tool)
    if (auto refused = refuseDirectory(/*goesOn=*/subcommands.asksNoDeclaration(call.tool)))
      return stop(*refused);
  if (call.role == Role::Tool)
    return subcommands.run(system, call, directory ? &*directory : nullptr);
  return stages();
}

int Driver::stages() {
  printStage =
      call.own.print ? llvm::StringRef(*call.own.print) : system.environment.getOr("CUDA_CC_PRINT");
  static constexpr llvm::StringLiteral known[] = {"",        "invocation", "target", "toolkit",
                                                  "verdict", "plan",       "facts"};
  if (!llvm::is_contained(known, printStage))
    return stop({Code::BadValue,
                 Severity::Error,
                 "CUDA_CC_PRINT is no stage",
                 {{"CUDA_CC_PRINT", printStage.str()},
                  {"allowed", "invocation, target, toolkit, verdict, plan, facts"}},
                 {},
                 "",
                 "",
                 ""});
  if (printed("invocation", [&] { return report::toJson(call); }))
    return 0;
  bool required = directory && directory->declaration.require.value;
  if (auto refused = refuseDirectory(/*goesOn=*/isUnjudged() || (disabled() && !required)))
    return stop(*refused);
  if (isNamed() && !isUnjudged() && !disabled())
    if (llvm::Error error = checkDirectory(system, *directory))
      return stop(takeFinding(std::move(error)));
  bool needsDeclaration = !isUnjudged() || call.dialect == Dialect::Nvcc;
  if (needsDeclaration)
    if (llvm::Error error = readDeclaration()) {
      if (!isUnjudged() && (!disabled() || searched.required))
        return stop(takeFinding(std::move(error)));
      // R2: a probe is never refused; the compile that follows says what is wrong. And what is
      // broken is where CUDA_CC_DISABLE is wanted.
      llvm::consumeError(std::move(error));
      declaration = {};
    }
  bool through = isUnjudged() || disabled();
  if (through)
    declaration.launcher.clear();
  auto started = findCompiler(system, call, declaration, directory ? &*directory : nullptr);
  if (!started)
    return stop(takeFinding(started.takeError()));
  compiler = std::move(*started);
  addOwnHeaders();
  if (compiler.judgesItself && printStage.empty())
    return handOver(plain());
  if (through) {
    if (!printStage.empty())
      return stop({Code::BadValue,
                   Severity::Error,
                   "this call has no stage " + printStage.str(),
                   {{"because", "it is not judged: the compiler gets it as it is"}},
                   {},
                   "",
                   "",
                   ""});
    return handOver(plain());
  }
  if (!declaration.declared() && declaration.require.value)
    return stop(runtimeRequired());
  if (declaration.declared()) {
    auto resolved =
        resolveDeclaration(system, store, declaration,
                           machineOf(call, declaration, directory ? &*directory : nullptr));
    if (!resolved)
      return stop(takeFinding(resolved.takeError()));
    target = std::move(*resolved);
  }
  if (printed("target", [&] { return report::toJson(target); }))
    return 0;
  if (!hasWork() && printStage.empty())
    return handOver(plain());
  return call.dialect == Dialect::Nvcc ? runNvcc() : runHost();
}

llvm::Error Driver::readDeclaration() {
  bool unseen = directory && directory->anonymous;
  const Declaration *baked = directory && !unseen ? &directory->declaration : nullptr;
  std::string from;
  // A directory that was made unseen stands for what it was declared by: CMake keeps its shim in
  // the cache, and the next link is held to what the file says then (F17).
  if (unseen)
    from = directory->declarationFile.empty()
               ? "/"
               : llvm::sys::path::parent_path(directory->declarationFile).str();
  auto read = config::readDeclaration(call.own, system.environment, system.files, baked, system.uid,
                                      from, &searched);
  if (!read)
    return read.takeError();
  declaration = unseen ? config::applyOver(*directory, std::move(*read)) : std::move(*read);
  return config::checkTogether(declaration);
}

bool Driver::enforced() const {
  return target.declared && target.enforce != Enforce::Off && target.enforce != Enforce::Warn;
}

/// CMake asks nvcc once, by `-v CMakeCUDACompilerId.cu`, which program it links with, and links
/// with that itself from then on: also once a runtime is declared.
static bool asksForLinkDriver(const Invocation &call) {
  return call.dialect == Dialect::Nvcc && call.verbose &&
         llvm::any_of(call.sources, [](llvm::StringRef source) {
           return llvm::sys::path::filename(source) == "CMakeCUDACompilerId.cu";
         });
}

bool Driver::hasWork() const {
  bool always = declaration.manifest.value == ManifestMode::Always;
  bool ownLibraries = isNamed() && call.dialect != Dialect::Nvcc;
  return declaration.declared() ||
         (call.kind == CallKind::Link && (always || ownLibraries || asksForLinkDriver(call)));
}

bool Driver::disabled() const {
  return system.environment.isOn("CUDA_CC_DISABLE") && !declaration.require.value &&
         call.own[Key::Require].empty() && !system.environment.isOn("CUDA_CC_REQUIRE_RUNTIME");
}

bool Driver::isUnjudged() const {
  if (call.kind == CallKind::Probe || call.kind == CallKind::Run)
    return true;
  bool isShim = directory && call.role == Role::Masquerade && call.dialect != Dialect::Nvcc;
  // nvcc's own host passes: the front has judged the call, and the record is in its line (R36).
  if (isShim && call.kind != CallKind::Link && system.environment.get("_HERE_"))
    return true;
  return call.kind == CallKind::Link && plan::carriesNote(call);
}

Command Driver::plain() const {
  Command command = compiler.command;
  for (llvm::StringRef arg : call.args)
    command.argv.refer(arg);
  return command;
}

int Driver::handOver(const Command &command) {
  log("exec");
  return stop(takeFinding(system.runner.exec(command)));
}

std::vector<FoundToolkit> Driver::nearbyToolkits() {
  return probe::otherToolkits(system.environment, system.files, system.selfFile);
}

Driver::Headers Driver::findHeaders(const Toolkit *toolkit, const HostCompiler *host) {
  Headers found;
  if (call.sources.empty())
    return found;
  probe::IncludePath path(call, toolkit, host, system.environment, system.files);
  found.cuda = probe::findCudaHeaders(path);
  if (!target.torchReleases.empty())
    found.torch = probe::findTorchHeaders(path);
  return found;
}

int Driver::runNvcc() {
  std::optional<Toolkit> toolkit;
  auto probed = store.toolkit(compiler.compiler, [&] {
    return probe::probeToolkit(compiler.compiler, compiler.foundBy, system.files,
                               {compiler.driver, {}});
  });
  if (probed) {
    toolkit = std::move(*probed);
    toolkit->foundBy = compiler.foundBy;
  } else if (enforced()) {
    return stop(takeFinding(probed.takeError()));
  } else {
    llvm::consumeError(probed.takeError());
  }
  const Toolkit *known = toolkit ? &*toolkit : nullptr;
  // What prints facts of a link is the shim's call.
  bool wantsShim =
      (call.kind == CallKind::Link || call.verbose) && (hasWork() || printStage == "facts");
  const ToolchainDirectory *own = directory ? &*directory : nullptr;
  NvccHost host = findNvccHost(system, call, declaration, known, own, wantsShim);
  std::optional<HostCompiler> hostFacts;
  if (!host.compiler.empty())
    hostFacts = askHost(host.compiler);
  const HostCompiler *hostKnown = hostFacts ? &*hostFacts : nullptr;
  Headers headers = findHeaders(known, hostKnown);
  if (printed("toolkit",
              [&] { return report::toJson(known, headers.cuda, hostKnown, headers.torch); }))
    return 0;
  Verdict verdict;
  auto around = [this] { return nearbyToolkits(); };
  verdict.append(policy::judgeCompile(target, known, headers.cuda, around));
  verdict.append(policy::judgeTorchHeaders(target, headers.torch, call));
  plan::NvccParts parts;
  parts.call = &call;
  parts.command = compiler.command;
  if (wantsShim)
    parts.ccbin = shimFor(host);
  // By its name nvcc would find the shim, which lies in front of PATH (P24).
  else if (isNamed() && plan::nvccCanName(host.compiler, /*inList=*/false))
    parts.ccbin = host.compiler;
  bool shimless = call.kind == CallKind::Link && parts.ccbin.empty() && !host.names.empty();
  HostLink link(system, store, call, declaration, target, nullptr);
  if (shimless)
    verdict.append(link.judgeInputs(host.compiler, around));
  settle(verdict);
  if (printed("verdict", [&] { return report::toJson(verdict, declaration.strict.value); }))
    return 0;
  if (verdict.outcome() != Outcome::Accept)
    return reject(verdict);
  tell(verdict.findings);
  if (parts.ccbin.empty() && !call.ccbin)
    parts.ccbin = declaration.hostCompiler.value;
  if (declaration.declared() && call.takesRecord)
    parts.recordHeader = recordHeader(known, headers.cuda, hostKnown);
  Plan plan = plan::planNvcc(parts);
  plan.judgesOutput = shimless;
  if (printStage == "facts" && call.kind == CallKind::Link)
    plan.command.set.emplace_back("CUDA_CC_PRINT", "facts");
  if (!call.own[Key::Manifest].empty())
    plan.command.set.emplace_back("CUDA_CC_MANIFEST", call.own[Key::Manifest].back());
  if (printed("plan", [&] { return report::toJson(plan); }))
    return 0;
  if (!shimless)
    return handOver(plan.command);
  tellNoStore("no manifest and no search path");
  return runLink(link, std::move(plan));
}

std::optional<HostCompiler> Driver::askHost(const std::string &path) {
  auto probed = store.hostCompiler(
      path, [&] { return probe::probeHostCompiler(path, system.files, system.runner); });
  if (probed)
    return std::move(*probed);
  llvm::consumeError(probed.takeError());
  return std::nullopt;
}

/// Without --cuda-path clang takes the toolkit of the ptxas on PATH, then these (clang 14 and 19).
std::string Driver::clangsOwnToolkit() {
  auto ptxas = probe::locateCompiler("ptxas", system.environment, system.files, system.selfFile);
  if (ptxas) {
    std::string real = system.files.realPath(ptxas->path).value_or(ptxas->path);
    std::string root = llvm::sys::path::parent_path(llvm::sys::path::parent_path(real)).str();
    if (system.files.stat(root + "/include/cuda.h").exists())
      return root;
  } else {
    llvm::consumeError(ptxas.takeError());
  }
  for (const char *root : {"/usr/local/cuda", "/usr/lib/cuda"})
    if (system.files.stat(std::string(root) + "/include/cuda.h").exists())
      return root;
  return "/usr/local/cuda";
}

std::optional<Toolkit> Driver::clangToolkit(bool &judged) {
  if (call.dialect != Dialect::Clang || call.cudaSources == 0)
    return std::nullopt;
  std::string root = call.cudaPath ? call.cudaPath->str() : clangsOwnToolkit();
  std::string nvcc = root + "/bin/nvcc";
  std::string foundBy = call.cudaPath ? "--cuda-path" : "where clang looks";
  judged = system.files.executable(nvcc);
  if (judged) {
    auto known =
        store.toolkit(nvcc, [&] { return probe::probeToolkit(nvcc, foundBy, system.files); });
    if (known) {
      known->foundBy = foundBy;
      return std::move(*known);
    }
    llvm::consumeError(known.takeError());
  }
  judged = false;
  Toolkit bare;
  bare.root = root;
  bare.includeDirs = {root + "/include"};
  return bare;
}

int Driver::runHost() {
  auto around = [this] { return nearbyToolkits(); };
  Verdict verdict;
  bool judgesToolkit = false;
  std::optional<Toolkit> toolkit;
  Headers headers;
  if (!call.sources.empty() && target.declared) {
    toolkit = clangToolkit(judgesToolkit);
    headers = findHeaders(toolkit ? &*toolkit : nullptr, nullptr);
  }
  const Toolkit *judged = judgesToolkit ? &*toolkit : nullptr;
  if (printed("toolkit",
              [&] { return report::toJson(judged, headers.cuda, nullptr, headers.torch); }))
    return 0;
  verdict.append(policy::judgeCompile(target, judged, headers.cuda, around));
  verdict.append(policy::judgeTorchHeaders(target, headers.torch, call));
  HostLink link(system, store, call, declaration, target, directory ? &*directory : nullptr);
  bool links = call.kind == CallKind::Link;
  if (links)
    verdict.append(link.judgeInputs(compiler.compiler, around));
  settle(verdict);
  if (printed("verdict", [&] { return report::toJson(verdict, declaration.strict.value); }))
    return 0;
  if (verdict.outcome() != Outcome::Accept)
    return reject(verdict);
  tell(verdict.findings);
  std::string record;
  if (!headers.cuda.empty() && call.takesRecord)
    record = recordHeader(nullptr, headers.cuda, link.hostFacts(compiler.compiler));
  if (!links) {
    Plan plan = plan::planHostCompile(call, compiler.command, record);
    if (printed("plan", [&] { return report::toJson(plan); }))
      return 0;
    return handOver(plan.command);
  }
  Plan plan = link.plan(compiler.command, record);
  if (printed("plan", [&] { return report::toJson(plan); }))
    return 0;
  if (!plan.judgesOutput && printStage.empty())
    return handOver(plan.command);
  if (link.lacksStore())
    tellNoStore("no manifest");
  return runLink(link, std::move(plan));
}

} // namespace cudacc::pipeline
