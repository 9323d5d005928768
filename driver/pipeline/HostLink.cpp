#include "driver/pipeline/HostLink.h"
#include "driver/Version.h"
#include "driver/binary/Reader.h"
#include "driver/binary/elf/StubLibrary.h"
#include "driver/binary/manifest/Note.h"
#include "driver/binary/manifest/NoteObject.h"
#include "driver/pipeline/Declared.h"
#include "driver/pipeline/Environments.h"
#include "driver/pipeline/Installed.h"
#include "driver/plan/command/Coupled.h"
#include "driver/plan/command/Link.h"
#include "driver/plan/toolchain/Toolchain.h"
#include "driver/plan/toolchain/ToolkitTree.h"
#include "driver/probe/host/HostProbe.h"
#include "driver/probe/host/Libraries.h"
#include "driver/probe/toolkit/ToolkitProbe.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

namespace cudacc::pipeline {

using namespace core;
using namespace versions;

const HostCompiler *HostLink::hostFacts(const std::string &compiler) {
  if (host)
    return &*host;
  auto probed = store.hostCompiler(
      compiler, [&] { return probe::probeHostCompiler(compiler, system.files, system.runner); });
  if (probed)
    host = std::move(*probed);
  else
    llvm::consumeError(probed.takeError());
  return host ? &*host : nullptr;
}

/// Only what nvcc itself would search; a directory that somebody named holds all of it.
std::optional<Toolkit> HostLink::toolkitBehind() {
  if (directory->nvcc.empty() || !directory->anonymous)
    return std::nullopt;
  auto known = store.toolkit(directory->nvcc, [&] {
    return probe::probeToolkit(directory->nvcc, "the toolchain directory", system.files);
  });
  if (known)
    return std::move(*known);
  llvm::consumeError(known.takeError());
  return std::nullopt;
}

std::vector<Finding> HostLink::judgeInputs(const std::string &compiler,
                                           policy::LookAround lookAround) {
  hostFacts(compiler);
  std::optional<Toolkit> toolkit = directory ? toolkitBehind() : std::nullopt;
  std::vector<std::string> own;
  if (directory && !directory->anonymous)
    own = {directory->path + "/lib64", directory->path + "/lib64/stubs"};
  auto names = [&](llvm::StringRef path) { return libraryNames(system.files, path); };
  auto suffix = [&](llvm::StringRef path) { return newestNvJitLink(system.files, path); };
  uint16_t wanted = machine();
  auto fits = [&](llvm::StringRef path) {
    uint16_t found = wanted ? machineOf(system.files, path) : 0;
    return !found || found == wanted;
  };
  auto more = readSupplement(system, declaration);
  if (!more)
    return std::vector<Finding>{takeFinding(more.takeError())};
  probe::LibraryReader reader{names, suffix, fits, own, *more ? &**more : nullptr};
  const Toolkit *behind = toolkit ? &*toolkit : nullptr;
  const HostCompiler *known = host ? &*host : nullptr;
  libraries = probe::findLibraries(call, behind, known, system.environment, system.files, reader);
  if (!target.torchReleases.empty())
    torchLibraries =
        probe::findTorchLibraries(call, behind, known, system.environment, system.files, reader);
  auto findings = policy::judgeMachine(target, wanted, libraries);
  llvm::append_range(findings, policy::judgeLibraries(target, libraries, lookAround));
  llvm::append_range(findings, policy::judgeSearchPath(target, call.rpaths));
  return findings;
}

/// The e_machine the link makes; 0: one that our note cannot go into (ELF32, or another processor).
uint16_t HostLink::machine() const {
  llvm::StringRef name = host ? llvm::StringRef(host->machine) : "";
  for (uint32_t i = 0; i < call.words.size(); ++i) {
    llvm::StringRef word = call.words[i].text;
    if (word == "-m32" || word == "-mx32" || word == "-m16")
      return 0;
    if (word.consume_front("--target="))
      name = word;
    else if (word == "-target" && i + 1 < call.words.size())
      name = call.words[i + 1].text;
  }
  if (name.empty())
    return ownMachine().elf;
  const Machine *known = machineOfTriple(name);
  return known ? known->elf : 0;
}

/// A program under an environment must find the runtime from its build directory (F18).
bool HostLink::develops() const {
  bool wanted = declaration.develop ? declaration.develop->value : !call.shared;
  return wanted &&
         (!target.sitePackages.empty() ||
          llvm::any_of(target.libraries, [](const auto &row) { return !row.path.empty(); }));
}

bool HostLink::wantsManifest() const {
  ManifestMode mode = declaration.manifest.value;
  return mode == ManifestMode::Always || (mode == ManifestMode::Declared && target.declared);
}

/// The line names a library of NVIDIA's or of the framework.
bool HostLink::namesCuda() const { return !libraries.empty() || runtimeUse().framework; }

/// ld reads a script with INSERT beside its own, any other in the place of its own. A script that
/// cannot be read may be either.
bool HostLink::isAddition(llvm::StringRef script) const {
  constexpr uint64_t largestScript = 1 << 20;
  auto text = system.files.read(script, largestScript);
  if (text)
    return llvm::StringRef(*text).contains("INSERT");
  llvm::consumeError(text.takeError());
  return false;
}

/// What a manifest and a search path are for: a file that the system's loader starts or loads. Raw
/// images grow by the distance to our note, and kernels have their own layout.
bool HostLink::makesOrdinaryFile() const {
  bool ordinary = !call.freestanding && llvm::all_of(call.linkerScripts, [&](llvm::StringRef each) {
    return isAddition(each);
  });
  return ordinary || namesCuda();
}

/// What is known before the link: every input of the policy, so that two links that differ in it
/// have different build-ids (IP-6).
LinkRecord HostLink::record() const {
  LinkRecord record;
  record.tool = toolName();
  if (host && !host->family.empty())
    record.host = host->family + "-" + host->version;
  if (call.linkerName)
    record.linker = *call.linkerName;
  std::string policy = std::string(str(declaration.enforce.value)) + "\n";
  record.waivers.emplace();
  if (target.declared) {
    record.targetCuda = target.line.str();
    for (const std::string &each : target.portableAs)
      record.targetSpec += (record.targetSpec.empty() ? "" : ";") + each;
    for (const TargetLibrary &library : target.libraries) {
      policy += library.soname + "=" + library.version.str() + "\n";
      if (llvm::any_of(libraries, [&](const auto &on) { return on.soname == library.soname; }))
        record.targetLibs[library.soname] = library.version.str();
    }
    if (declaration.enforce.value != Enforce::Toolkit)
      record.enforce = str(declaration.enforce.value);
    record.waivers = target.waivers;
    for (const std::string &waiver : target.waivers)
      policy += waiver + "\n";
    record.develop = develops();
    record.policy = plan::digest(record.targetCuda + "\n" + policy);
  }
  return record;
}

/// Reasons of waivers are as long as people write them; in JSON a byte is three at most.
static uint32_t capacityFor(const LinkRecord &record) {
  size_t capacity = binary::DefaultCapacity;
  for (const std::string &waiver : *record.waivers)
    capacity += 3 * waiver.size() + 8;
  return uint32_t(std::min<size_t>(llvm::alignTo(capacity, 8), binary::MaxCapacity));
}

std::string HostLink::noteObject() {
  uint16_t for_ = machine();
  if (for_ == 0)
    return "";
  LinkRecord placeholder = record();
  SummaryRecord summary;
  summary.target = target.line;
  auto bytes = binary::placeholder(placeholder, summary, capacityFor(placeholder));
  if (!bytes) {
    llvm::consumeError(bytes.takeError());
    return "";
  }
  std::string object = binary::noteObject(*bytes, for_);
  std::string name = plan::digest(object) + plan::noteObjectSuffix.str();
  return store.file("notes", name, [&] { return object; });
}

/// The file of a coupled library: beside the one that needs it, or in its own folder of the same
/// site-packages.
std::string HostLink::fileOf(const TargetLibrary &wanted, const LinkedLibrary &beside) {
  if (!wanted.path.empty())
    return wanted.path;
  llvm::StringRef folder = llvm::sys::path::parent_path(beside.path);
  std::string same = (folder + "/" + wanted.soname).str();
  if (system.files.stat(same).kind == FileStatus::Kind::Regular)
    return same;
  const TargetLibrary *row = target.find(beside.soname);
  if (row && !row->folder.empty() && folder.consume_back(row->folder)) {
    std::string other = (folder + wanted.folder + "/" + wanted.soname).str();
    if (system.files.stat(other).kind == FileStatus::Kind::Regular)
      return other;
  }
  // ld resolves what an executable's libraries leave undefined; a name without symbols would break
  // that. A shared library needs the name only.
  uint16_t for_ = machine();
  if (!call.shared || for_ == 0)
    return "";
  return store.file("stubs/" + std::to_string(for_), wanted.soname,
                    [&] { return binary::stubLibrary(wanted.soname, for_); });
}

static void addOnce(std::vector<std::string> &list, const std::string &text) {
  if (!text.empty() && !llvm::is_contained(list, text))
    list.push_back(text);
}

std::vector<std::string> HostLink::coupledFiles() {
  std::vector<std::string> files;
  for (const LinkedLibrary &library : libraries) {
    const TargetLibrary *row = target.find(library.soname);
    if (!row || library.isArchive)
      continue;
    for (const TargetLibrary *coupled : plan::coupledTo(target, *row))
      addOnce(files, fileOf(*coupled, library));
  }
  return files;
}

/// In a named directory what it has; where no driver is installed its stub, too, which stands where
/// no search path leads.
std::vector<std::string> HostLink::linkFolders() const {
  if (!directory || directory->anonymous)
    return {};
  std::vector<std::string> folders = {directory->path + "/lib64"};
  auto hasDriver = [&](const std::string &folder) {
    return system.files.stat(folder + "/libcuda.so.1").exists();
  };
  std::string stub = directory->path + "/" + plan::neededDriver.str();
  if ((!host || llvm::none_of(host->libraryDirs, hasDriver)) && system.files.stat(stub).exists())
    folders.push_back(llvm::sys::path::parent_path(stub).str());
  return folders;
}

plan::RuntimeUse HostLink::runtimeUse() const {
  plan::RuntimeUse use;
  for (const LinkedLibrary &library : libraries)
    if (const TargetLibrary *row = target.find(library.soname); row && !library.isArchive)
      use.rows.push_back(row);
  use.framework = llvm::any_of(call.linkInputs, probe::namesTorch);
  return use;
}

Plan HostLink::plan(const Command &command, const std::string &recordHeader) {
  bool asked = target.declared || declaration.manifest.value == ManifestMode::Always;
  // A directory that somebody named has libraries of its own, declared or not.
  bool inDirectory = directory && !directory->anonymous;
  leavesAlone = asked ? !makesOrdinaryFile() : !inDirectory;
  if (leavesAlone) {
    Plan plan;
    plan.command = command;
    for (llvm::StringRef arg : call.args)
      plan.command.argv.refer(arg);
    plan.judgesOutput = true;
    plan.reasons.push_back(asked ? "no ordinary program or library is made: nothing is added"
                                 : "no runtime is declared: nothing is added");
    return plan;
  }
  plan::LinkParts parts;
  parts.call = &call;
  parts.declaration = &declaration;
  parts.command = command;
  parts.recordHeader = recordHeader;
  parts.libraries = libraries;
  parts.noteObject = wantsManifest() ? noteObject() : "";
  // One output has one link at a time.
  parts.scratch = system.environment.getOr("TMPDIR", "/tmp").str() + "/cuda-cc-" +
                  plan::digest(system.files.workingDirectory() + "/" + plan::outputOf(call)) + "-";
  sealable = !parts.noteObject.empty();
  if (!call.shared)
    parts.linkFolders = linkFolders();
  if (target.declared) {
    plan::RuntimeUse use = runtimeUse();
    parts.searchPath = plan::runtimePath(declaration, target, use);
    if (develops())
      llvm::append_range(parts.searchPath, plan::runtimePlaces(target, use));
    parts.needed = coupledFiles();
  }
  Plan plan = plan::planLink(parts);
  plan.judgesOutput = asked || !plan.files.empty();
  return plan;
}

} // namespace cudacc::pipeline
