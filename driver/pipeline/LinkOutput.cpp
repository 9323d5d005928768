// What a link made: read back, judged, sealed.
#include "driver/binary/Reader.h"
#include "driver/loader/simulate/WheelTree.h"
#include "driver/pipeline/Definitions.h"
#include "driver/pipeline/HostLink.h"
#include "driver/pipeline/Installed.h"
#include "driver/pipeline/LoadHere.h"
#include "driver/pipeline/MountedFiles.h"
#include "driver/plan/command/Link.h"
#include "driver/policy/advice/Overrides.h"
#include "driver/policy/rules/JudgeBinary.h"
#include "driver/policy/rules/StableAbi.h"
#include "driver/policy/rules/TorchBuild.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/tables/lookup/Torch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <set>

namespace cudacc::pipeline {

using namespace core;
using namespace versions;

llvm::Expected<std::vector<Finding>> HostLink::judgeOutput(bool made,
                                                           policy::LookAround lookAround) {
  std::string output = plan::outputOf(call);
  if (system.files.stat(output).kind != FileStatus::Kind::Regular) {
    // /dev/null, a FIFO: never read back, never sealed (F3).
    sealable = false;
    return std::vector<Finding>{};
  }
  auto file = system.files.open(output);
  if (!file)
    return file.takeError();
  binary::ReadOptions options;
  options.device = true;
  options.thorough = false;
  // F10: compressed machine code is opened only where a declared GPU's verdict needs it.
  options.inflate = !target.gpus.empty();
  auto facts = binary::read(**file, output, options, &positions);
  if (!facts)
    return facts.takeError();
  artefact = std::move(*facts);
  sealable &= made;
  auto findings = judgeArtefact(lookAround);
  if (sealable && positions.empty()) {
    sealable = false;
    if (!usesCuda())
      return findings;
    Finding remark;
    remark.code = Code::NotesDropped;
    remark.severity = Severity::Remark;
    remark.message = "the linker dropped the manifest of " + output;
    remark.fixes.push_back("keep .note.* in the linker script");
    findings.push_back(std::move(remark));
  }
  return findings;
}

/// The shared library of that name that the line links, or that lies where the linker looks.
std::optional<std::string> HostLink::pathOfLinked(llvm::StringRef name) const {
  std::vector<std::string> folders;
  for (llvm::StringRef folder : call.libraryDirs)
    folders.push_back(folder.str());
  if (host)
    llvm::append_range(folders, host->libraryDirs);
  auto isNamed = [&](const std::string &path) {
    return system.files.stat(path).kind == FileStatus::Kind::Regular &&
           (llvm::sys::path::filename(path) == name ||
            libraryNames(system.files, path).soname == name);
  };
  for (const LinkInput &input : call.linkInputs) {
    if (input.kind == LinkInput::Kind::File) {
      if (input.text.contains(".so") && isNamed(input.text.str()))
        return input.text.str();
      continue;
    }
    llvm::StringRef file = input.text;
    std::string library = file.consume_front(":") ? file.str() : ("lib" + file + ".so").str();
    // Another library's name cannot become this one's.
    if (!name.starts_with(llvm::StringRef(library).split(".so").first))
      continue;
    for (const std::string &folder : folders)
      if (isNamed(folder + "/" + library))
        return folder + "/" + library;
  }
  for (const std::string &folder : folders)
    if (system.files.stat(folder + "/" + name.str()).kind == FileStatus::Kind::Regular)
      return folder + "/" + name.str();
  return std::nullopt;
}

/// A copy that lies where the search path of what was linked leads, and may be installed with it.
bool HostLink::isBeside(llvm::StringRef name) const {
  std::string folder = llvm::sys::path::parent_path(artefact.path).str();
  if (folder.empty())
    folder = ".";
  for (llvm::StringRef element : artefact.hasRunpath ? artefact.runpath : artefact.rpath)
    if (element.consume_front("$ORIGIN") || element.consume_front("${ORIGIN}"))
      if (system.files.stat(folder + element.str() + "/" + name.str()).exists())
        return true;
  return false;
}

/// conda's Python leads to its own library folder, and its packages put CUDA's libraries there.
bool HostLink::mayBeFoundByPython(llvm::StringRef name) const {
  if (const TargetLibrary *row = target.find(name))
    return row->folder.empty();
  return llvm::any_of(target.libraries, [](const auto &row) { return row.folder.empty(); });
}

/// In an environment `check` loads the file in the place where it will be installed. At the link
/// only one question of that is asked, which needs no more than its search path: whether CUDA's
/// libraries are found. Nothing: they are, or that is not known.
std::optional<LoadResult> HostLink::failureInEnvironment() const {
  if (target.sitePackages.empty() || !target.asWheels || !call.shared)
    return std::nullopt;
  std::optional<LoadResult> first;
  std::optional<llvm::StringRef> installDir;
  if (declaration.installDir)
    installDir = declaration.installDir->value;
  llvm::StringRef name = llvm::sys::path::filename(artefact.path);
  for (llvm::StringRef place : loader::WheelTree::placesFor(installDir)) {
    place.consume_front(loader::WheelTree::Site);
    std::string path = target.sitePackages.front() + place.str() + "/" + name.str();
    pipeline::MountedFiles files(system.files);
    files.mount(path, system.files.stat(artefact.path).id,
                [this] { return system.files.open(artefact.path); });
    System mounted{files,       system.runner,   system.console, system.environment,
                   system.self, system.selfFile, system.uid};
    pipeline::Disk disk(mounted);
    auto load =
        LoadHere(mounted, disk)
            .load(artefact, path,
                  loader::libraryPath(system.environment.get("LD_LIBRARY_PATH").value_or("")));
    if (!load || load->ok() || !tables::libraryByFileName(load->missing) ||
        isBeside(load->missing) || mayBeFoundByPython(load->missing))
      return std::nullopt;
    if (!first)
      first = std::move(load);
  }
  return first;
}

std::vector<Finding> HostLink::judgeArtefact(policy::LookAround lookAround) {
  if (!target.declared || target.enforce == Enforce::Off)
    return {};
  policy::Subject subject;
  subject.facts = &artefact;
  subject.target = &target;
  subject.atLink = true;
  subject.remarks = !declaration.severity.empty();
  // Where the runtime is a place, `check` asks its disk; here the file is not yet where it will
  // lie.
  auto loadOn = [&](const Target &on) -> std::optional<LoadResult> {
    if (!on.asWheels || !on.sitePackages.empty() || call.staticLink)
      return std::nullopt;
    loader::WheelTree tree(on, artefact.machine);
    std::optional<llvm::StringRef> installDir;
    if (declaration.installDir)
      installDir = declaration.installDir->value;
    bool afterFramework = false;
    LoadResult result =
        tree.load(artefact, loader::WheelTree::placesFor(installDir), &afterFramework);
    // Where it will lie in the model is no file of this machine.
    if (!result.steps.empty() && result.askedBy == result.steps.front().path)
      result.askedBy = artefact.path;
    return result;
  };
  std::optional<LoadResult> load = loadOn(target);
  if (!load && usesCuda())
    load = failureInEnvironment();
  subject.load = load ? &*load : nullptr;
  // As `check` judges it: a program may run here by its own search path (CC4118).
  pipeline::Disk disk(system);
  LoadHere loadHere(system, disk);
  auto here = [&] { return loadHere.load(artefact, artefact.path); };
  auto releaseOf = [&](llvm::StringRef path) { return loadHere.releaseOf(path); };
  subject.here = here;
  subject.releaseOf = releaseOf;
  auto pathOf = [&](llvm::StringRef name) { return pathOfLinked(name); };
  Definitions others(system.files, artefact, pathOf);
  subject.others = others;
  Definitions besideTorch(system.files, artefact, pathOf, tables::isTorchLibrary);
  subject.besideTorch = besideTorch;
  subject.torchTable = torchTables;
  if (policy::mayUseTorch(artefact))
    if (const tables::TorchNames *table = torchTables().names)
      torch = policy::torchRangeOf(policy::torchImports(artefact, table), *table, artefact.machine,
                                   besideTorch);
  Installed installed(system.files);
  InstalledTorchNames torchNames(target, installed);
  if (torchNames.any())
    subject.installedTorch = torchNames;
  auto under = [&](const Target &other) {
    policy::Subject same = subject;
    std::optional<LoadResult> loadOther = loadOn(other);
    auto noToolkits = [] { return std::vector<FoundToolkit>(); };
    same.target = &other;
    same.load = loadOther ? &*loadOther : nullptr;
    same.isTrial = true;
    // What is installed is the declared runtime's.
    same.installedTorch = nullptr;
    return policy::judgeBinary(same, installed, noToolkits);
  };
  subject.under = under;
  std::vector<Finding> findings;
  // The cause first: names that the declared torch lacks may follow from it.
  if (!torchLibraries.empty() && policy::usesUnstableTorch(artefact))
    findings = policy::judgeTorchLibraries(target, torchLibraries);
  llvm::append_range(findings, policy::judgeBinary(subject, installed, lookAround));
  return news(std::move(findings));
}

bool HostLink::usesCuda() const {
  return !artefact.device.empty() || llvm::any_of(artefact.needed, [](const auto &name) {
    return tables::libraryByFileName(name).has_value();
  });
}

/// What the link says of the findings on its output.
std::vector<Finding> HostLink::news(std::vector<Finding> findings) const {
  // F1: a link says nothing while all is well. What is no more than a remark is for `check`, and a
  // file without CUDA is none of ours.
  bool cuda = usesCuda();
  auto isQuiet = [&](const Finding &finding) {
    // What `symbols` is declared for is no news at every link; the manifest has it.
    return finding.severity == Severity::Remark || finding.code == Code::NewerButUnused ||
           (finding.severity == Severity::Warning && !cuda);
  };
  if (!policy::overrides(declaration)) {
    llvm::erase_if(findings, isQuiet);
    return policy::applyMode(target.enforce, std::move(findings));
  }
  std::vector<Finding> out;
  std::vector<std::string> files = plan::filesOf(call);
  for (Finding &finding : findings) {
    Severity least = isQuiet(finding) ? Severity::Error : Severity::Warning;
    auto left = policy::applyMode(target.enforce, {std::move(finding)});
    for (Finding &each : policy::settle(declaration, files, std::move(left)).findings)
      if (each.severity >= least)
        out.push_back(std::move(each));
  }
  return out;
}

/// The newest and the oldest toolkit over the records, each as the record has it.
static void spanToolkits(const Manifest &manifest, LinkRecord &record, SummaryRecord &summary) {
  CudaVersion oldest;
  for (const auto &[object, count] : manifest.objects) {
    const std::string &text = object.toolkit.empty() ? object.headers : object.toolkit;
    auto version = CudaVersion::parse(text);
    if (!version)
      continue;
    if (*version >= summary.toolkit)
      record.toolkitMax = text, summary.toolkit = *version;
    if (!oldest.known() || *version <= oldest)
      record.toolkitMin = text, oldest = *version;
  }
}

static void describeDevice(const DeviceCode &device, LinkRecord &record, SummaryRecord &summary) {
  std::set<Arch> archs;
  CudaVersion ltoir;
  for (const DeviceUnit &unit : device.units) {
    for (const DeviceImage &image : unit.images) {
      if (image.kind == ImageKind::Ptx)
        summary.ptx = std::max(summary.ptx, image.version);
      else if (image.kind == ImageKind::LtoIr)
        summary.ltoir = std::max(summary.ltoir, image.version);
      else if (image.kind == ImageKind::Cubin && image.code != HasCode::No && !image.relocatable)
        archs.insert(image.arch);
    }
    if (unit.home == DeviceUnit::Home::Relocatable)
      summary.flags |= SummaryRecord::Rdc;
  }
  record.sass.emplace();
  for (const Arch &arch : archs)
    record.sass->push_back(arch.str());
  if (summary.ptx.known())
    record.ptxMax = summary.ptx.str(), summary.flags |= SummaryRecord::Ptx;
  if (summary.ltoir.known())
    record.ltoirMax = summary.ltoir.str(), summary.flags |= SummaryRecord::LtoIr;
  if (!device.empty())
    summary.flags |= SummaryRecord::DeviceCode;
}

/// A minor says the whole of a floor only where the first release of that minor has every name, and
/// no later one lacks one again (elf.md 1.2, flag 0x100).
static bool isCoarse(const LibraryFloor &floor, unsigned major) {
  if (!floor.exceptions.empty())
    return true;
  auto table = tables::SymbolTable::find(floor.soname, major);
  if (!table)
    return false;
  for (size_t i = 0; i != table->size(); ++i)
    if (table->at(i).toolkit == floor.cuda)
      return table->at(i).version != floor.least.str();
  return false;
}

static void describeFloors(const BinaryFacts &artefact, unsigned major, LinkRecord &record,
                           SummaryRecord &summary) {
  bool whole = true;
  for (const LibraryFloor &floor : policy::floorsOf(artefact, major)) {
    if (!floor.known() || !floor.unknown.empty()) {
      whole = false;
      continue;
    }
    record.floor[floor.soname] = floor.least.str();
    summary.floor = std::max(summary.floor, floor.cuda);
    if (isCoarse(floor, major))
      summary.flags |= SummaryRecord::CoarseFloor;
  }
  if (!whole)
    summary.floor = {};
}

/// Units with and without a record, as far as the line tells.
void HostLink::countUnits(LinkRecord &record) const {
  uint64_t noted = 0;
  for (const auto &[object, count] : artefact.manifest.objects)
    noted += count;
  uint64_t named = call.sources.size();
  for (const LinkInput &input : call.linkInputs) {
    // nvcc's own stub for device code is no unit of the caller's.
    llvm::StringRef name = llvm::sys::path::filename(input.text);
    bool stub = name.starts_with("tmpxft_") && name.ends_with("_dlink.o");
    named += input.kind == LinkInput::Kind::File && name.ends_with(".o") && !stub;
  }
  record.noted = noted;
  // An archive's members may have brought any of the records: then the rest is not known.
  bool archives = llvm::any_of(call.linkInputs, [](const LinkInput &input) {
    return input.kind == LinkInput::Kind::File && input.text.ends_with(".a");
  });
  if (!archives || noted == 0)
    record.unnoted = named > noted ? named - noted : 0;
}

llvm::Error HostLink::seal() {
  if (!sealable)
    return llvm::Error::success();
  LinkRecord final = record();
  SummaryRecord summary;
  summary.target = target.line;
  spanToolkits(artefact.manifest, final, summary);
  final.needed.emplace();
  for (const std::string &needed : artefact.needed)
    if (tables::libraryByFileName(needed))
      final.needed->push_back(needed);
  final.rpath = artefact.hasRpath ? "rpath" : artefact.hasRunpath ? "runpath" : "none";
  auto names = [&](llvm::StringRef part) {
    return llvm::any_of(artefact.needed, [&](llvm::StringRef n) { return n.starts_with(part); });
  };
  bool archive = llvm::any_of(
      libraries, [](const auto &library) { return library.soname == "libcudart_static.a"; });
  final.cudart = names("libcudart.so") ? "shared" : archive ? "static" : "none";
  describeDevice(artefact.device, final, summary);
  if (unsigned major = target.declared ? target.line.major : policy::majorOf(artefact))
    describeFloors(artefact, major, final, summary);
  if (torch.known())
    final.torch = torch.specifier();
  countUnits(final);
  if (final.unnoted.value_or(1))
    summary.flags |= SummaryRecord::Unnoted;
  if (final.cudart == "static")
    summary.flags |= SummaryRecord::StaticCudart;
  if (!final.waivers->empty() || !final.enforce.empty())
    summary.flags |= SummaryRecord::Waiver;
  auto patches = binary::seal(positions, final, summary);
  if (!patches)
    return patches.takeError();
  for (const binary::Patch &patch : *patches)
    if (llvm::Error error = system.files.patch(artefact.path, patch.offset, patch.bytes))
      return error;
  return llvm::Error::success();
}

} // namespace cudacc::pipeline
