// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/PlanCall.h"
#include "driver/Version.h"
#include "driver/binary/elf/StubLibrary.h"
#include "driver/binary/manifest/Note.h"
#include "driver/binary/manifest/NoteObject.h"
#include "driver/pipeline/DeviceLinker.h"
#include "driver/plan/command/Host.h"
#include "driver/plan/command/Link.h"
#include "driver/plan/command/Nvcc.h"
#include "driver/plan/command/RuntimePath.h"
#include "driver/plan/toolchain/Toolchain.h"
#include "driver/plan/toolchain/UserCompiler.h"
#include "driver/policy/advice/Overrides.h"
#include "driver/policy/rules/Judge.h"
#include "driver/policy/rules/TorchBuild.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace cudacc::pipeline {

using namespace core;

Verdict judge(const Call &call, const Target &target, const Found &found,
              policy::LookAround lookAround) {
  Verdict verdict;
  for (const Finding &problem : target.problems)
    if (problem.code == Code::UnusedFacts && !call.nested.isInherited)
      verdict.add(problem);
  verdict.append(policy::judgeCompile(target, found.judgedToolkit(), found.headers, lookAround));
  verdict.append(policy::judgeTorchHeaders(target, found.torchHeaders, call.invocation));
  if (found.link && found.link->problem) {
    verdict.add(*found.link->problem);
  } else if (found.link) {
    verdict.append(policy::judgeMachine(target, found.link->machine, found.link->libraries));
    verdict.append(policy::judgeLibraries(target, found.link->libraries, lookAround));
    verdict.append(policy::judgeSearchPath(target, call.invocation.rpaths));
  }
  if (!policy::overrides(call.declaration))
    return verdict;
  verdict.findings = policy::applyOverrides(call.declaration, plan::filesOf(call.invocation),
                                            std::move(verdict.findings))
                         .findings;
  // Remarks are for `check`.
  llvm::erase_if(verdict.findings,
                 [](const Finding &finding) { return finding.severity == Severity::Remark; });
  return verdict;
}

/// Value for -ccbin that sends nvcc's host compiler calls through a shim; its directory is added to
/// \p plan. Empty if there is none.
static std::string planShim(const Call &call, const Found &found, const std::string *place,
                            Plan &plan) {
  if (!canShim(call, found, place))
    return "";
  const NvccHost &host = found.nvccHost;
  std::string name = host.name.empty() ? "" : "/" + host.name;
  if (!found.shim)
    return fmt::format("{}/bin{}", call.directory->path, name);
  ToolchainDirectory made;
  made.declaration = call.declaration;
  // A shim only links, so one serves all launchers.
  made.declaration.launcher.clear();
  made.declarationFile = call.declaration.file;
  made.nvcc = call.compiler.compiler;
  made.compilers = host.names;
  plan::ToolchainContent content =
      plan::planToolchain(made, found.shim->program, found.shim->entries);
  std::string path = fmt::format("{}/directories/{}", *place, content.name);
  plan.directories.push_back({path, std::move(content.entries), std::move(content.programs),
                              std::move(content.fingerprint)});
  return fmt::format("{}/bin{}", path, name);
}

/// Path of the header with this compile's record, included by the command line; empty if left out.
static std::string planRecord(const Call &call, const Found &found, const std::string *place,
                              Plan &plan) {
  if (!place)
    return "";
  ObjectRecord record;
  record.tool = toolName();
  const Toolkit *toolkit = call.isNvcc() ? found.judgedToolkit() : nullptr;
  if (const Component *nvcc = toolkit ? toolkit->find("nvcc") : nullptr)
    record.toolkit = nvcc->version;
  if (!found.headers.empty() && found.headers.front().cuda.known())
    record.headers = found.headers.front().cuda.str();
  if (found.host && !found.host->family.empty())
    record.host = fmt::format("{}-{}", found.host->family, found.host->version);
  std::string path = fmt::format("{}/records/{}.h", *place, binary::recordName(record));
  // nvcc does not accept every path (plan::nvccCanName); the unit then counts as one without a
  // record.
  if (call.isNvcc() && !plan::nvccCanName(path))
    return "";
  plan.kept.push_back({path, binary::recordHeader(record)});
  return path;
}

static CallPlan planNvcc(const Call &call, const Found &found, const std::string *place) {
  Plan before;
  plan::NvccParts parts;
  parts.call = &call.invocation;
  parts.command = call.compiler.command;
  if (found.deviceLinker && place)
    parts.command = planDeviceLinker(call, *found.deviceLinker, *place, before);
  parts.ccbin = planShim(call, found, place, before);
  const std::string &host = found.nvccHost.compiler;
  if (!found.wantsShim && call.isNamed() && !plan::UserCompiler::find(found.nvccHost.name) &&
      plan::nvccCanName(host, /*inList=*/false))
    parts.ccbin = host;
  if (parts.ccbin.empty() && !call.invocation.ccbin)
    parts.ccbin = call.declaration.hostCompiler.value;
  if (call.declaration.declared() && call.invocation.takesRecord)
    parts.recordHeader = planRecord(call, found, place, before);
  CallPlan out;
  out.plan = plan::planNvcc(parts);
  out.plan.directories = std::move(before.directories);
  out.plan.kept = std::move(before.kept);
  llvm::append_range(out.plan.reasons, before.reasons);
  out.plan.judgesOutput = found.link.has_value();
  Nested nested = call.nested;
  nested.printsFacts = call.print == Stage::Facts && call.isLink();
  if (!call.invocation.own[Key::Manifest].empty())
    nested.manifest = call.invocation.own[Key::Manifest].back();
  nested.pass(out.plan.command);
  if (found.link)
    out.lacks = "no manifest and no search path";
  return out;
}

/// A program for an environment must find the runtime from its build directory (F18).
static bool develops(const Call &call, const Target &target) {
  bool wanted =
      call.declaration.develop ? call.declaration.develop->value : !call.invocation.shared;
  return wanted &&
         (!target.sitePackages.empty() ||
          llvm::any_of(target.libraries, [](const auto &row) { return !row.path.empty(); }));
}

static bool wantsManifest(const Call &call, const Target &target) {
  ManifestMode mode = call.declaration.manifest.value;
  return mode == ManifestMode::Always || (mode == ManifestMode::Declared && target.declared);
}

/// The record before the link. It contains every input of the policy, so that two links that differ
/// in one have different build-ids (IP-6).
static LinkRecord recordBefore(const Call &call, const Target &target, const Found &found) {
  LinkRecord record;
  record.tool = toolName();
  if (found.host && !found.host->family.empty())
    record.host = fmt::format("{}-{}", found.host->family, found.host->version);
  if (call.invocation.linkerName)
    record.linker = *call.invocation.linkerName;
  record.waivers.emplace();
  if (!target.declared)
    return record;
  const Enforce enforce = call.declaration.enforce.value;
  std::string policy = fmt::format("{}\n", str(enforce));
  record.targetCuda = target.line.str();
  for (const std::string &each : target.portableAs)
    record.targetSpec += (record.targetSpec.empty() ? "" : ";") + each;
  for (const TargetLibrary &library : target.libraries) {
    policy += fmt::format("{}={}\n", library.soname, library.version);
    if (llvm::any_of(found.link->libraries,
                     [&](const auto &on) { return on.soname == library.soname; }))
      record.targetLibs[library.soname] = library.version.str();
  }
  if (enforce != Enforce::Toolkit)
    record.enforce = str(enforce);
  record.waivers = target.waivers;
  for (const std::string &waiver : target.waivers)
    policy += waiver + "\n";
  record.develop = develops(call, target);
  record.policy = plan::digest(fmt::format("{}\n{}", record.targetCuda, policy));
  return record;
}

/// The reasons of waivers can have any length; in JSON each byte takes at most three.
static uint32_t capacityFor(const LinkRecord &record) {
  size_t capacity = binary::DefaultCapacity;
  for (const std::string &waiver : *record.waivers)
    capacity += 3 * waiver.size() + 8;
  return uint32_t(std::min<size_t>(llvm::alignTo(capacity, 8), binary::MaxCapacity));
}

/// Path of the object with the manifest's note; empty if the link gets none.
static llvm::Expected<std::string> planNote(const LinkRecord &record, const Target &target,
                                            const LinkSurroundings &link, const std::string *place,
                                            Plan &plan) {
  if (link.machine == 0 || !place)
    return "";
  SummaryRecord summary;
  summary.target = target.line;
  auto bytes = binary::placeholder(record, summary, capacityFor(record));
  if (!bytes)
    return bytes.takeError();
  std::string object = binary::noteObject(*bytes, link.machine);
  std::string path =
      fmt::format("{}/notes/{}{}", *place, plan::digest(object), plan::noteObjectSuffix);
  plan.kept.push_back({path, std::move(object)});
  return path;
}

/// Coupled libraries with files that make the output NEED their SONAMEs. For a shared library a
/// stub without symbols is enough; for an executable it is not, as ld resolves the undefined
/// symbols of its libraries.
static std::vector<plan::CoupledLibrary> planCoupled(const Call &call, const LinkSurroundings &link,
                                                     const std::string *place, Plan &plan) {
  std::vector<plan::CoupledLibrary> added;
  for (plan::CoupledLibrary each : link.coupled) {
    if (each.path.empty() && call.invocation.shared && link.machine != 0 && place) {
      each.path = fmt::format("{}/stubs/{}/{}", *place, link.machine, each.soname);
      plan.kept.push_back({each.path, binary::stubLibrary(each.soname, link.machine)});
    }
    if (!each.path.empty())
      added.push_back(std::move(each));
  }
  return added;
}

static CallPlan planUnchanged(const Call &call, std::string reason) {
  CallPlan out;
  out.plan.command = plainCommand(call);
  out.plan.judgesOutput = true;
  out.plan.reasons.push_back(std::move(reason));
  return out;
}

static llvm::Expected<CallPlan> planLink(const Call &call, const Target &target, const Found &found,
                                         const std::string *place) {
  const LinkSurroundings &link = *found.link;
  bool asked = target.declared || call.declaration.manifest.value == ManifestMode::Always;
  if (asked && !link.isOrdinary)
    return planUnchanged(call, "no ordinary program or library is made: nothing is added");
  // A named directory has libraries of its own, whether or not a runtime is declared.
  if (!asked && !call.isNamed())
    return planUnchanged(call, "no runtime is declared: nothing is added");
  CallPlan out;
  Plan before;
  plan::LinkParts parts;
  parts.call = &call.invocation;
  parts.declaration = &call.declaration;
  parts.command = call.compiler.command;
  if (!found.headers.empty() && call.invocation.takesRecord)
    parts.recordHeader = planRecord(call, found, place, before);
  parts.libraries = link.libraries;
  if (wantsManifest(call, target)) {
    LinkRecord record = recordBefore(call, target, found);
    if (llvm::Error error =
            planNote(record, target, link, place, before).moveInto(parts.noteObject))
      return error;
    if (!parts.noteObject.empty())
      out.record = std::move(record);
    else if (link.machine != 0)
      out.lacks = "no manifest";
  }
  // In the store, where nobody else can put words. One output has only one link at a time.
  if (place)
    parts.scratch = fmt::format("{}/words/{}-", *place, plan::digest(link.output));
  parts.linkFolders = link.folders;
  if (target.declared) {
    plan::RuntimeUse use = runtimeUse(call, target, link.libraries);
    parts.searchPath = plan::runtimePath(call.declaration, target, use);
    if (develops(call, target))
      llvm::append_range(parts.searchPath, plan::runtimePlaces(target, use));
    out.coupled = planCoupled(call, link, place, before);
    for (const plan::CoupledLibrary &each : out.coupled)
      if (!llvm::is_contained(parts.needed, each.path))
        parts.needed.push_back(each.path);
  }
  out.plan = plan::planLink(parts);
  out.plan.kept = std::move(before.kept);
  out.plan.judgesOutput = asked || !out.plan.files.empty();
  return out;
}

llvm::Expected<CallPlan> planCall(const Call &call, const Target &target, const Found &found,
                                  const std::string *place) {
  if (call.isNvcc())
    return planNvcc(call, found, place);
  if (call.isLink())
    return planLink(call, target, found, place);
  Plan before;
  std::string record;
  if (!found.headers.empty() && call.invocation.takesRecord)
    record = planRecord(call, found, place, before);
  CallPlan out;
  out.plan = plan::planHostCompile(call.invocation, call.compiler.command, record);
  out.plan.kept = std::move(before.kept);
  return out;
}

} // namespace cudacc::pipeline
