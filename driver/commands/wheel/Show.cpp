// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/Subcommands.h"
#include "driver/commands/check/JudgedRows.h"
#include "driver/commands/inputs/WheelPackage.h"
#include "driver/commands/wheel/ReadWheel.h"
#include "driver/commands/wheel/RepairNeeds.h"
#include "driver/commands/wheel/ShownWheel.h"
#include "driver/commands/wheel/WheelArguments.h"
#include "driver/pipeline/AddedFacts.h"
#include "driver/policy/rules/JudgeBinary.h"
#include "driver/policy/wheel/Bundled.h"
#include "driver/report/json/Json.h"
#include "driver/report/text/DeviceNames.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "driver/versions/WheelName.h"
#include <map>

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

/// Bytes of variant.json; it lists the properties of one variant.
static constexpr uint64_t mostVariant = 1 << 20;

namespace {

/// What is read of one wheel, and what is derived from it.
class Show {
public:
  Show(pipeline::System &system, const WheelArguments &arguments, const Declaration &declaration,
       const tables::UserTables *more)
      : system(system), arguments(arguments), declaration(declaration), more(more) {}
  llvm::Expected<ShownWheel> run(const std::string &path, llvm::ArrayRef<Runtime> runtimes);

private:
  pipeline::System &system;
  const WheelArguments &arguments;
  const Declaration &declaration;
  const tables::UserTables *more;
  std::unique_ptr<ReadWheel> opened;
  binary::ReadOptions options;
  ShownWheel shown;

  const OpenedWheel &wheel() const { return opened->wheel(); }
  llvm::Error read(const std::string &path);
  void readVariant();
  void describe();
  void addFile(size_t index);
  void addCopy(const binary::WheelEntry &entry, const BinaryFacts &facts, unsigned major);
  void addCopies();
  void addDeclared(llvm::ArrayRef<versions::Requirement> declared);
  void addHigher(const policy::WheelCase &wheelCase);
  void addNeeds(llvm::ArrayRef<policy::WheelLine> lines);
  /// Every known build of torch with the label of the wheel.
  llvm::Expected<std::vector<Runtime>> taggedTorches() const;
  llvm::Error judge(llvm::ArrayRef<Runtime> runtimes);
};

} // namespace

llvm::Error Show::read(const std::string &path) {
  if (llvm::Error error = openWheel(system, path).moveInto(opened))
    return error;
  if (llvm::Error error = arguments.verify ? verifyRecords(system, *opened) : verifySizes(*opened))
    return error;
  for (const auto &[name, problem] : opened->inputs.problems)
    shown.findings.push_back(problem);
  readVariant();
  options.device = true;
  opened->files = readInputs(system, opened->inputs, options);
  return llvm::Error::success();
}

void Show::readVariant() {
  std::string name = fmt::format("{}/variant.json", opened->records.folder);
  if (llvm::none_of(wheel().entries, [&](const auto &entry) { return entry.name == name; }))
    return;
  auto text = readMember(wheel(), name, mostVariant);
  auto variants = text ? readVariants(*text) : text.takeError();
  if (variants)
    shown.variants = std::move(*variants);
  else
    shown.findings.push_back(toFinding(variants.takeError()));
}

/// Machine code first, each kind from the oldest architecture to the newest.
static std::vector<std::string> archsOf(const DeviceCode &device) {
  auto rankOf = [](ImageKind kind) {
    return kind == ImageKind::Cubin ? 0 : kind == ImageKind::Ptx ? 1 : 2;
  };
  std::map<std::pair<int, versions::Arch>, std::string> archs;
  for (const DeviceUnit &unit : device.units)
    for (const DeviceImage &image : unit.images)
      if (image.arch.known())
        archs[{rankOf(image.kind), image.arch}] = report::archOf(image);
  std::vector<std::string> names;
  for (auto &[arch, name] : archs)
    names.push_back(std::move(name));
  return names;
}

void Show::addCopy(const binary::WheelEntry &entry, const BinaryFacts &facts, unsigned major) {
  std::string soname = policy::nameBeforeGraft(facts.soname.empty() ? support::nameOf(entry.name)
                                                                    : StringRef(facts.soname));
  auto majors = tables::majorsOf(soname);
  if (majors.empty() || tables::isDriverLibrary(soname))
    return;
  if (llvm::is_contained(majors, major))
    majors = {major};
  std::vector<std::string> dists;
  for (unsigned each : majors)
    if (StringRef dist = tables::distOf(soname, each);
        !dist.empty() && dist != wheel().metadata.name && !llvm::is_contained(dists, dist))
      dists.push_back(dist.str());
  if (!dists.empty())
    shown.copies.push_back({entry.name, std::move(soname), std::move(dists), entry.size});
}

void Show::addCopies() {
  std::set<unsigned> all;
  for (const ShownWheel::File &file : shown.files)
    if (file.major)
      all.insert(file.major);
  // A library that is the same in several majors (libcudnn.so.9) is there for the other files.
  unsigned common = all.size() == 1 ? *all.begin() : 0;
  for (size_t i = 0; i != opened->files.size(); ++i) {
    if (opened->files[i].state != ReadFile::State::Read)
      continue;
    unsigned own = policy::majorOf(opened->files[i].facts);
    addCopy(wheel().entries[opened->inputs.files[i].entry], opened->files[i].facts,
            own ? own : common);
  }
}

void Show::addFile(size_t index) {
  const ReadFile &file = opened->files[index];
  const binary::WheelEntry &entry = wheel().entries[opened->inputs.files[index].entry];
  if (file.state == ReadFile::State::Failed) {
    shown.findings.push_back(file.problem);
    shown.findings.back().addFact("file", entry.name);
  }
  if (file.state != ReadFile::State::Read) {
    ++shown.others;
    shown.othersSize += entry.size;
    return;
  }
  ShownWheel::File &row = shown.files.emplace_back();
  row.path = entry.name;
  row.size = entry.size;
  row.compressed = entry.compressedSize;
  row.major = policy::majorOf(file.facts);
  row.needsCuda = llvm::any_of(file.facts.needed, [](const std::string &needed) {
    return !tables::majorsOf(needed).empty();
  });
  row.archs = archsOf(file.facts.device);
}

void Show::describe() {
  shown.name = wheel().metadata.name;
  shown.version = wheel().metadata.version;
  if (auto name = versions::WheelName::parse(support::nameOf(wheel().path)))
    shown.tags = name->tags();
  shown.size = wheel().file->size();
  for (const binary::WheelEntry &entry : wheel().entries)
    shown.unpacked += entry.size;
  for (size_t i = 0; i != opened->files.size(); ++i)
    addFile(i);
  addCopies();
  std::vector<std::string> paths;
  for (const ShownWheel::File &file : shown.files)
    paths.push_back(file.path);
  for (const policy::Alternatives &group : policy::alternativesAmong(paths))
    for (size_t file : group.files)
      shown.files[file].alternativeOf = group.pattern;
}

/// Versions of the floor's distribution whose exports were read and satisfy it.
static std::vector<std::string> versionsFor(const LibraryFloor &floor, unsigned major) {
  auto table = tables::SymbolTable::find(floor.soname, major, floor.dist);
  std::vector<std::string> versions;
  if (!table || !floor.known())
    return versions;
  for (size_t i = 0; i != table->size(); ++i) {
    tables::SymbolVersion at = table->at(i);
    auto version = versions::Version::parse(at.version);
    if (version && !(*version < floor.least) && !llvm::is_contained(floor.exceptions, at.version))
      versions.push_back(at.version.str());
  }
  return versions;
}

void Show::addNeeds(llvm::ArrayRef<policy::WheelLine> lines) {
  for (const policy::WheelLine &line : lines)
    for (const LibraryFloor &floor : line.floors) {
      auto same = llvm::find_if(shown.needs, [&](const ShownWheel::Need &each) {
        return each.floor.soname == floor.soname && each.floor.dist == floor.dist &&
               each.floor.requirement == floor.requirement;
      });
      if (same == shown.needs.end())
        same = shown.needs.insert(same, {floor, {}, {}, versionsFor(floor, line.major)});
      if (!line.extra.empty())
        same->lines.push_back(line.extra);
    }
}

/// Whether the requirement is on torch or on a wheel that has one of CUDA's libraries.
static bool concernsCuda(const versions::Requirement &requirement,
                         llvm::ArrayRef<ShownWheel::Need> needs) {
  StringRef name = requirement.name;
  return name == "torch" || tables::isRequiredByTorch(name) ||
         llvm::any_of(needs, [&](const auto &need) { return need.floor.dist == name; });
}

void Show::addDeclared(llvm::ArrayRef<versions::Requirement> declared) {
  for (const versions::Requirement &each : declared)
    if (concernsCuda(each, shown.needs) && !llvm::is_contained(shown.declared, each.text))
      shown.declared.push_back(each.text);
}

void Show::addHigher(const policy::WheelCase &wheelCase) {
  policy::Needs needs;
  for (const policy::WheelLine &line : wheelCase.lines)
    needs.add(line.floors);
  needs.declared = wheelCase.declared;
  shown.higher = needs.higherBounds();
  // What only torch's Python interface asks for, no file shows.
  if (wheelCase.torch.known())
    llvm::append_range(shown.higher, policy::higherTorchBounds(wheelCase, more));
}

llvm::Expected<std::vector<Runtime>> Show::taggedTorches() const {
  WheelArguments tagged = arguments;
  tagged.against.clear();
  for (const tables::TorchRelease &release : tables::torchReleases(more))
    for (const tables::TorchLine &line : tables::torchLines(release))
      if (line.tag == shown.torchTag)
        tagged.against.push_back(fmt::format("torch=={}+{}", release.str(), line.tag));
  return tagged.against.empty() ? std::vector<Runtime>() : runtimesOf(system, tagged, declaration);
}

llvm::Error Show::judge(llvm::ArrayRef<Runtime> runtimes) {
  const probe::DistributionMetadata &metadata = wheel().metadata;
  shown.torchTag = policy::torchTagOf(metadata.version, metadata.requirements, {}, more);
  std::vector<Runtime> tagged;
  // What requires torch is loaded beside a torch, never beside a CUDA line alone.
  if (requiresTorch(metadata))
    runtimes = runtimes.take_while(
        [](const Runtime &each) { return StringRef(each.name).starts_with("torch=="); });
  if (requiresTorch(metadata) && !shown.torchTag.empty()) {
    auto found = taggedTorches();
    if (!found)
      return found.takeError();
    runtimes = tagged = std::move(*found);
  }
  JudgedRows rows(
      system, arguments, declaration, opened->inputs, opened->files, options,
      [&](const Input &) { return runtimes; }, /*wantsFixes=*/false);
  rows.judge(/*shortened=*/true);
  // Without a build of torch that is known, there is nothing to judge against.
  if (!runtimes.empty())
    shown.judgements = std::move(rows.judgements);
  shown.torch = rows.needs.torch;
  policy::WheelCase wheelCase = needsOf(*opened).wheel;
  addNeeds(wheelCase.lines);
  for (const auto &[soname, dists] : wheelCase.open) {
    LibraryFloor floor;
    floor.soname = soname;
    shown.needs.push_back({std::move(floor), {}, dists, {}});
  }
  wheelCase.torch = rows.needs.torch;
  wheelCase.torchTag = shown.torchTag;
  if (shown.torch.known() && wheelCase.lines.size() == 1)
    shown.torchServing =
        policy::torchThatServes(wheelCase.lines.front().floors, shown.torch, shown.torchTag, more);
  shown.requirements = policy::requirementsOf(wheelCase, more);
  for (Finding &finding : shown.requirements.findings) {
    // A version that no table has leaves the requirement open, not what the wheel is.
    if (finding.code == Code::NoRequirement && policy::isKnownTag(shown.torchTag, more))
      finding.severity = Severity::Remark;
    shown.findings.push_back(finding);
  }
  addHigher(wheelCase);
  addDeclared(wheelCase.declared);
  for (const auto &[extra, declared] : wheelCase.declaredByExtra)
    addDeclared(declared);
  return llvm::Error::success();
}

llvm::Expected<ShownWheel> Show::run(const std::string &path, llvm::ArrayRef<Runtime> runtimes) {
  shown.path = path;
  if (llvm::Error error = read(path))
    return error;
  describe();
  if (llvm::Error error = judge(runtimes))
    return error;
  return std::move(shown);
}

llvm::Expected<int> showWheels(pipeline::System &system, const WheelArguments &arguments,
                               llvm::ArrayRef<std::string> wheels) {
  if (wheels.empty())
    return usageError("cuda-cc wheel show takes wheels");
  auto declaration = readDeclaration(system, arguments);
  if (!declaration)
    return declaration.takeError();
  auto more = pipeline::readUserTables(system, *declaration);
  if (!more)
    return more.takeError();
  WheelArguments all = arguments;
  all.against = {"all"};
  auto runtimes = runtimesOf(system, all, *declaration);
  if (!runtimes)
    return runtimes.takeError();
  int status = 0;
  auto worsen = [&](int other) {
    // 3 takes precedence over 4.
    if (other == int(Exit::Rejected) || status == 0)
      status = other;
  };
  llvm::json::Array shown;
  for (const std::string &path : wheels) {
    auto one = Show(system, all, *declaration, *more ? &**more : nullptr).run(path, *runtimes);
    if (!one) {
      worsen(failWith(system, toFinding(one.takeError())));
      continue;
    }
    worsen(int(exitOf(one->outcome())));
    if (arguments.json)
      shown.push_back(showJson(*one));
    else
      system.console.out(showText(*one, pipeline::outStyle(system)));
  }
  if (arguments.json)
    system.console.out(
        report::print(llvm::json::Object{{"schema", 1}, {"wheels", std::move(shown)}}));
  return status;
}

} // namespace cudacc::commands
