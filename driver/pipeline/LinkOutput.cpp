// SPDX-License-Identifier: Apache-2.0
// Reads, checks and seals the output of a link.
#include "driver/pipeline/LinkOutput.h"
#include "driver/binary/Reader.h"
#include "driver/binary/elf/NeededEntries.h"
#include "driver/binary/manifest/Compose.h"
#include "driver/loader/search/Expansion.h"
#include "driver/pipeline/JudgeFile.h"
#include "driver/plan/command/Link.h"
#include "driver/policy/advice/Overrides.h"
#include "driver/policy/rules/StableAbi.h"
#include "driver/policy/rules/TorchBuild.h"
#include "driver/process/Installation.h"
#include "driver/process/LibraryOutline.h"
#include "driver/process/LoadHere.h"
#include "driver/process/Others.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace cudacc::pipeline {

using namespace core;
using namespace versions;

static bool usesCuda(const BinaryFacts &facts) {
  return !facts.device.empty() || llvm::any_of(facts.needed, [](const auto &name) {
    return tables::libraryByFileName(name).has_value();
  });
}

namespace {
/// Whether an output may use symbols of a library.
class Uses {
public:
  Uses(Files &files, const BinaryFacts &output, llvm::ArrayRef<LinkedLibrary> libraries)
      : disk(files), output(output), libraries(libraries) {}

  bool operator()(const plan::CoupledLibrary &library) {
    if (llvm::is_contained(output.versionFiles, library.soname) || mayBind(library.path))
      return true;
    return llvm::any_of(libraries, [&](const LinkedLibrary &named) {
      return named.soname == library.soname && mayBind(named.path);
    });
  }

private:
  process::DiskTree disk;
  const BinaryFacts &output;
  llvm::ArrayRef<LinkedLibrary> libraries;

  /// Names of a library without symbol versions show in the output by nothing but themselves.
  bool mayBind(const std::string &path) {
    if (disk.versioned(path).value_or(false))
      return false;
    return llvm::any_of(output.imports, [&](const Import &import) {
      return import.file.empty() &&
             disk.exported(path, import.symbol, "") != versions::Exported::No;
    });
  }
};
} // namespace

/// Removes from \p facts the NEEDED entries that the link added although nothing needs them, since
/// the linker dropped the libraries that they serve (RP-5). Returns the patches that remove them
/// from \p file.
static llvm::Expected<std::vector<binary::Patch>>
dropUnserved(Files &files, const Call &call, llvm::ArrayRef<LinkedLibrary> libraries,
             llvm::ArrayRef<plan::CoupledLibrary> coupled, ReadableFile &file, BinaryFacts &facts) {
  Uses uses(files, facts, libraries);
  std::vector<std::string> names =
      plan::unservedIn(facts, call.invocation, libraries, coupled, uses);
  if (names.empty())
    return std::vector<binary::Patch>();
  llvm::erase_if(facts.needed, [&](const auto &name) { return llvm::is_contained(names, name); });
  return binary::removeNeeded(file, facts.path, names);
}

namespace {

/// Checks one output, and fills in the torch releases that it is compatible with.
class OutputJudge final : policy::OtherRuntimes {
public:
  OutputJudge(System &system, const Call &call, const Target &target, const Found &found,
              LinkedOutput &output)
      : system(system), call(call), target(target), found(found), output(output),
        disk(system.files) {}

  std::vector<Finding> judge(policy::LookAround lookAround);
  /// The findings under another runtime, for fixes.
  std::vector<Finding> judge(const Target &other) override;

private:
  System &system;
  const Call &call;
  const Target &target;
  const Found &found;
  LinkedOutput &output;
  process::DiskTree disk;
  TorchTables torchTables{system, call.declaration.facts};

  bool usesCuda() const;
  /// The load on a runtime that is known as wheels. For an environment or toolkit on disk `check`
  /// searches there; at the link the file is not yet where it will be installed.
  std::optional<LoadResult> loadOn(const Target &on) const;
  std::vector<std::string> places() const;
  std::vector<Finding> judge(const Target &on, const std::optional<LoadResult> &load, bool isOther,
                             policy::LookAround lookAround);
  std::optional<std::string> pathOfLinked(llvm::StringRef name) const;
  bool isBeside(llvm::StringRef name) const;
  bool mayBeFoundByPython(llvm::StringRef name) const;
  std::optional<LoadResult> failureInEnvironment();
  std::vector<Finding> reportable(std::vector<Finding> findings) const;
};

} // namespace

/// The shared library of that name that the command line links, or that lies in the linker's search
/// path.
std::optional<std::string> OutputJudge::pathOfLinked(llvm::StringRef name) const {
  std::vector<std::string> folders;
  for (llvm::StringRef folder : call.invocation.libraryDirs)
    folders.push_back(folder.str());
  if (found.host)
    llvm::append_range(folders, found.host->libraryDirs);
  auto isNamed = [&](const std::string &path) {
    return system.files.stat(path).kind == FileStatus::Kind::Regular &&
           (llvm::sys::path::filename(path) == name ||
            process::libraryNames(system.files, path).soname == name);
  };
  for (const LinkInput &input : call.invocation.linkInputs) {
    if (input.kind == LinkInput::Kind::File) {
      if (input.text.contains(".so") && isNamed(input.text.str()))
        return input.text.str();
      continue;
    }
    llvm::StringRef file = input.text;
    std::string library = file.consume_front(":") ? file.str() : fmt::format("lib{}.so", file);
    // Another library's name cannot become this one's.
    if (!name.starts_with(llvm::StringRef(library).split(".so").first))
      continue;
    for (const std::string &folder : folders)
      if (isNamed(fmt::format("{}/{}", folder, library)))
        return fmt::format("{}/{}", folder, library);
  }
  for (const std::string &folder : folders)
    if (system.files.stat(fmt::format("{}/{}", folder, name)).kind == FileStatus::Kind::Regular)
      return fmt::format("{}/{}", folder, name);
  return std::nullopt;
}

/// True if a library of that name lies where the output's own search path leads; it may be
/// installed together with the output.
bool OutputJudge::isBeside(llvm::StringRef name) const {
  std::string folder = llvm::sys::path::parent_path(output.facts.path).str();
  if (folder.empty())
    folder = ".";
  return llvm::any_of(loader::besideOrigin(output.facts.searchPath(), folder),
                      [&](const loader::Directory &each) {
                        return system.files.stat(each.prefix + name.str()).exists();
                      });
}

/// True if conda's Python may find the library: its search path contains the environment's library
/// folder, where conda's packages put CUDA's libraries.
bool OutputJudge::mayBeFoundByPython(llvm::StringRef name) const {
  if (const TargetLibrary *row = target.find(name))
    return row->folder.empty();
  return llvm::any_of(target.libraries, [](const auto &row) { return row.folder.empty(); });
}

/// `check` simulates the load at the place in the environment where the file will be installed. A
/// link asks only one part of that, which needs just its search path: whether CUDA's libraries are
/// found, and what these open. std::nullopt if they are, or if that is unknown.
std::optional<LoadResult> OutputJudge::failureInEnvironment() {
  if (!target.isInstalled() || !call.invocation.shared || output.facts.machine != ownMachine().elf)
    return std::nullopt;
  // What torch's Python code opens first is in no process here.
  bool isAlone = llvm::none_of(output.facts.needed, tables::isTorchLibrary);
  auto mayBeElsewhere = [&](const std::string &library) {
    return isBeside(library) || mayBeFoundByPython(library);
  };
  std::optional<LoadResult> first;
  llvm::StringRef name = llvm::sys::path::filename(output.facts.path);
  for (llvm::StringRef place : places()) {
    place.consume_front(process::TableTree::Site);
    std::string path = fmt::format("{}{}/{}", target.sitePackages.front(), place, name);
    process::PackageFiles package;
    package.add(path, output.facts, nullptr);
    process::PackageTree tree(package, disk);
    LoadResult load = process::loadHere(
        tree, output.facts, path, system.files.workingDirectory(),
        loader::libraryPath(system.environment.get("LD_LIBRARY_PATH").value_or("")),
        isAlone ? &target : nullptr);
    llvm::erase_if(load.notOpened,
                   [&](const NotOpened &each) { return mayBeElsewhere(each.library); });
    for (NotOpened &each : load.notOpened)
      each.opener = disk.real(each.opener);
    bool isMissing = !load.ok() && tables::libraryByFileName(load.missing);
    if (load.notOpened.empty() && (!isMissing || mayBeElsewhere(load.missing)))
      return std::nullopt;
    if (!first)
      first = std::move(load);
  }
  return first;
}

std::vector<std::string> OutputJudge::places() const {
  std::optional<llvm::StringRef> installDir;
  if (call.declaration.installDir)
    installDir = call.declaration.installDir->value;
  return process::Installation::placesFor(installDir);
}

std::optional<LoadResult> OutputJudge::loadOn(const Target &on) const {
  if (!on.asWheels() || call.invocation.staticLink)
    return std::nullopt;
  process::PackageFiles alone;
  LoadResult result =
      process::Installation(on, output.facts.machine, alone, false).load(output.facts, places());
  // The path in the simulated tree does not exist on this machine.
  if (!result.steps.empty() && result.askedBy == result.steps.front().path)
    result.askedBy = output.facts.path;
  return result;
}

/// Torch's own libraries in the environment; empty if it has none.
static std::vector<std::string> torchLibrariesIn(const Target &target, Files &files) {
  std::vector<std::string> paths;
  for (const std::string &site : target.sitePackages) {
    std::string folder = fmt::format("{}/{}", site, tables::torchFolder);
    for (const std::string &name : files.list(folder))
      if (tables::isTorchLibrary(name))
        paths.push_back(fmt::format("{}/{}", folder, name));
  }
  return paths;
}

std::vector<Finding> OutputJudge::judge(const Target &on, const std::optional<LoadResult> &load,
                                        bool isOther, policy::LookAround lookAround) {
  policy::FileCase judged;
  judged.facts = &output.facts;
  judged.target = &on;
  judged.exports = &disk;
  judged.load = load ? &*load : nullptr;
  judged.atLink = true;
  judged.remarks = !call.declaration.severity.empty();
  auto pathOf = [&](llvm::StringRef name) { return pathOfLinked(name); };
  if (policy::mayUseTorch(output.facts)) {
    judged.besideTorch = process::othersOf(disk, output.facts, pathOf, tables::isTorchLibrary);
    // The installed torch belongs to the declared runtime.
    if (!isOther)
      judged.torchLibraries = torchLibrariesIn(on, system.files);
    if (const tables::TorchNames *table = isOther ? nullptr : torchTables().names)
      output.torch =
          policy::torchRangeOf(policy::torchImports(output.facts, table), *table,
                               output.facts.machine, [&](llvm::StringRef symbol) {
                                 return policy::definedBy(disk, *judged.besideTorch, symbol);
                               });
  }
  judged.otherRuntimes = isOther ? nullptr : this;
  FilePlace place;
  // As in `check`: a program may run here by its own search path (CC4118).
  place.path = output.facts.path;
  return judgeFile(system, torchTables, disk, judged, place, lookAround,
                   [&] { return process::othersOf(disk, output.facts, pathOf); });
}

std::vector<Finding> OutputJudge::judge(const Target &other) {
  return judge(other, loadOn(other), true, [] { return std::vector<FoundToolkit>(); });
}

std::vector<Finding> OutputJudge::judge(policy::LookAround lookAround) {
  if (!target.declared || target.enforce == Enforce::Off)
    return {};
  std::optional<LoadResult> load = loadOn(target);
  if (!load && usesCuda())
    load = failureInEnvironment();
  std::vector<Finding> findings;
  // Reports the cause first: missing torch names may follow from it.
  if (!found.link->torchLibraries.empty() && policy::usesUnstableTorch(output.facts))
    findings = policy::judgeTorchLibraries(target, found.link->torchLibraries);
  llvm::append_range(findings, judge(target, load, false, lookAround));
  return reportable(std::move(findings));
}

bool OutputJudge::usesCuda() const { return cudacc::pipeline::usesCuda(output.facts); }
/// The findings on the output that a link prints.
std::vector<Finding> OutputJudge::reportable(std::vector<Finding> findings) const {
  // A successful link prints nothing (F1). Remarks are for `check`, and warnings about a file
  // without CUDA are out of scope.
  bool cuda = usesCuda();
  auto isQuiet = [&](const Finding &finding) {
    // With `symbols` declared this would repeat at every link; the manifest records it.
    return finding.severity == Severity::Remark || finding.code == Code::NewerButUnused ||
           (finding.severity == Severity::Warning && !cuda);
  };
  if (!policy::overrides(call.declaration)) {
    llvm::erase_if(findings, isQuiet);
    return policy::applyMode(target.enforce, std::move(findings));
  }
  std::vector<Finding> out;
  std::vector<std::string> files = plan::filesOf(call.invocation);
  for (Finding &finding : findings) {
    Severity least = isQuiet(finding) ? Severity::Error : Severity::Warning;
    auto left = policy::applyMode(target.enforce, {std::move(finding)});
    for (Finding &each : policy::applyOverrides(call.declaration, files, std::move(left)).findings)
      if (each.severity >= least)
        out.push_back(std::move(each));
  }
  return out;
}

static bool namesStaticCudart(const Found &found) {
  return llvm::any_of(found.link->libraries, [](const LinkedLibrary &library) {
    return library.soname == "libcudart_static.a";
  });
}

llvm::Expected<LinkedOutput> judgeOutput(System &system, const Call &call, const Target &target,
                                         const Found &found, const CallPlan &planned,
                                         OutputFile &file, policy::LookAround lookAround) {
  LinkedOutput output;
  std::string path = plan::outputOf(call.invocation);
  // Not read back and never sealed: /dev/null, a FIFO (F3).
  if (!file.isRegular())
    return output;
  auto opened = system.files.open(path);
  if (!opened)
    return opened.takeError();
  binary::ReadOptions options;
  options.device = true;
  options.thorough = false;
  options.cudart = target.declared && !namesStaticCudart(found);
  // Compressed machine code is decompressed only if the verdict for a declared GPU needs it (F10).
  options.inflate = !target.gpus.empty();
  auto facts = binary::read(**opened, path, options, &output.positions);
  if (!facts)
    return facts.takeError();
  output.facts = std::move(*facts);
  // An older output is sealed, or it would have been removed.
  if (planned.record && binary::hasPlaceholder(output.positions, *planned.record))
    file.confirmMade();
  output.sealable = planned.record && file.isMade();
  if (file.isMade() && !planned.coupled.empty()) {
    if (llvm::Error error = dropUnserved(system.files, call, found.link->libraries, planned.coupled,
                                         **opened, output.facts)
                                .moveInto(output.patches))
      return error;
  }
  output.findings = OutputJudge(system, call, target, found, output).judge(lookAround);
  if (!output.sealable || !output.positions.empty())
    return output;
  output.sealable = false;
  if (!usesCuda(output.facts))
    return output;
  Finding remark;
  remark.code = Code::NotesDropped;
  remark.severity = Severity::Remark;
  remark.message = "the linker dropped the manifest of " + path;
  remark.fixes.push_back("keep .note.* in the linker script");
  output.findings.push_back(std::move(remark));
  return output;
}

/// Counts the units on the command line, with or without a record.
static binary::UnitCount countUnits(const Invocation &call) {
  binary::UnitCount units;
  units.named = call.sources.size();
  for (const LinkInput &input : call.linkInputs) {
    if (input.kind != LinkInput::Kind::File)
      continue;
    // nvcc's own stub for device code is not one of the caller's units.
    llvm::StringRef name = llvm::sys::path::filename(input.text);
    bool stub = name.starts_with("tmpxft_") && name.ends_with("_dlink.o");
    units.named += name.ends_with(".o") && !stub;
    units.hasArchives |= input.text.ends_with(".a");
  }
  return units;
}

/// The patches that complete the manifest.
static llvm::Expected<std::vector<binary::Patch>> sealing(const Call &call, const Target &target,
                                                          const Found &found,
                                                          const LinkRecord &record,
                                                          const LinkedOutput &output) {
  binary::RecordSources sources;
  sources.facts = &output.facts;
  sources.line = target.line;
  sources.torch = output.torch.known() ? output.torch.specifier() : "";
  sources.hasStaticCudart = namesStaticCudart(found) || output.facts.staticCudart;
  sources.major = target.declared ? target.line.major : policy::majorOf(output.facts);
  if (sources.major)
    sources.floors = policy::floorsOf(output.facts, sources.major);
  sources.units = countUnits(call.invocation);
  auto [final, summary] = binary::composeRecords(record, sources);
  return binary::seal(output.positions, final, summary);
}

llvm::Error seal(System &system, const Call &call, const Target &target, const Found &found,
                 const CallPlan &planned, const LinkedOutput &output) {
  std::vector<binary::Patch> patches = output.patches;
  if (output.sealable) {
    auto last = sealing(call, target, found, *planned.record, output);
    if (!last)
      return last.takeError();
    llvm::append_range(patches, *last);
  }
  for (const binary::Patch &patch : patches)
    if (llvm::Error error = system.files.patch(output.facts.path, patch.offset, patch.bytes))
      return error;
  return llvm::Error::success();
}

} // namespace cudacc::pipeline
