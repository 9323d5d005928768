// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/wheel/RepairNeeds.h"
#include "driver/commands/inputs/WheelPackage.h"
#include "driver/policy/rules/Alternatives.h"
#include "driver/policy/rules/JudgeBinary.h"
#include "driver/policy/wheel/Needs.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

bool isOfRuntime(StringRef needed) {
  return tables::isDriverLibrary(needed) || tables::isTorchLibrary(needed) ||
         !tables::majorsOf(needed).empty();
}

std::vector<std::string> patternsOfRuntime(const std::set<unsigned> &majors) {
  auto torchs = tables::torchLibraryPatterns();
  std::vector<std::string> patterns(torchs.begin(), torchs.end());
  for (StringRef name : tables::linkNames()) {
    bool isDrivers = tables::libraryByLinkName(name)->origin == tables::LibraryOrigin::Driver;
    if (isDrivers || llvm::any_of(majors, [&](unsigned major) {
          return !tables::sonamesOf(name, major).empty();
        }))
      patterns.push_back(fmt::format("lib{}.so*", name));
  }
  return patterns;
}

namespace {

/// Sorts files into lines.
class Lines {
public:
  Lines(const Inputs &inputs, llvm::ArrayRef<ReadFile> files, unsigned runtimeMajor)
      : inputs(inputs), files(files), runtimeMajor(runtimeMajor) {}
  std::vector<policy::WheelLine> run();
  /// WheelCase::open.
  std::map<std::string, std::vector<std::string>> open;

private:
  struct Line {
    unsigned major = 0;
    std::vector<LibraryFloor> floors;
  };
  const Inputs &inputs;
  llvm::ArrayRef<ReadFile> files;
  unsigned runtimeMajor;
  /// By extra; files of no group are collected by their major first.
  std::map<std::string, Line> named, plain;

  bool isRead(size_t file) const {
    return files[file].state == ReadFile::State::Read &&
           files[file].facts.kind != BinaryKind::DeviceCode;
  }
  void add(Line &line, size_t file);
  void addOpen(size_t file, llvm::ArrayRef<unsigned> majors);
};

} // namespace

void Lines::add(Line &line, size_t file) {
  llvm::append_range(line.floors, policy::floorsOfNeeded(files[file].facts, line.major));
}

/// Adds a file that can be of each of these majors.
void Lines::addOpen(size_t file, llvm::ArrayRef<unsigned> majors) {
  bool isPart = false;
  for (auto &[extra, line] : named)
    if (llvm::is_contained(majors, line.major)) {
      add(line, file);
      isPart = true;
    }
  if (isPart)
    return;
  if (named.empty() && llvm::is_contained(majors, runtimeMajor)) {
    Line &line = named[fmt::format("cu{}", runtimeMajor)];
    line.major = runtimeMajor;
    return add(line, file);
  }
  for (const std::string &needed : files[file].facts.needed) {
    if (tables::isDriverLibrary(needed))
      continue;
    for (unsigned major : majors)
      if (StringRef dist = tables::distOf(needed, major); !dist.empty())
        if (auto &dists = open[needed]; !llvm::is_contained(dists, dist))
          dists.push_back(dist.str());
  }
}

/// One row per distribution, the highest; rows without a requirement stay as they are.
static std::vector<LibraryFloor> merged(llvm::ArrayRef<LibraryFloor> floors) {
  policy::Needs needs;
  needs.add(floors);
  std::vector<LibraryFloor> out = std::move(needs.floors);
  std::set<std::string> seen;
  for (const LibraryFloor &floor : floors)
    if (floor.requirement.empty() && seen.insert(floor.soname).second)
      out.push_back(floor);
  return out;
}

std::vector<policy::WheelLine> Lines::run() {
  std::vector<std::string> paths;
  for (const Input &input : inputs.files)
    paths.push_back(input.name);
  std::set<size_t> grouped;
  for (const policy::Alternatives &group : policy::alternativesAmong(paths))
    for (size_t i = 0; i != group.files.size(); ++i) {
      if (!isRead(group.files[i]))
        continue;
      const policy::LineToken &token = group.tokens[i];
      std::string minor = token.minor ? fmt::format("{}", *token.minor) : "";
      Line &line = named[fmt::format("cu{}{}", token.major, minor)];
      line.major = token.major;
      add(line, group.files[i]);
      grouped.insert(group.files[i]);
    }
  for (size_t i = 0; i != files.size(); ++i) {
    unsigned major = isRead(i) && !grouped.count(i) ? policy::majorOf(files[i].facts) : 0;
    if (major == 0)
      continue;
    Line &line = plain[fmt::format("cu{}", major)];
    line.major = major;
    add(line, i);
  }
  // Files of one major go with every line of it; a major without a group is a line.
  for (auto &[extra, line] : plain) {
    bool isPart = false;
    for (auto &[name, other] : named)
      if (other.major == line.major) {
        llvm::append_range(other.floors, line.floors);
        isPart = true;
      }
    if (!isPart)
      named[extra] = std::move(line);
  }
  for (size_t i = 0; i != files.size(); ++i)
    if (isRead(i) && !grouped.count(i))
      if (auto majors = policy::majorsOf(files[i].facts); majors && majors->size() > 1)
        addOpen(i, *majors);
  std::vector<policy::WheelLine> lines;
  for (auto &[extra, line] : named)
    lines.push_back({named.size() == 1 ? "" : extra, line.major, merged(line.floors)});
  return lines;
}

/// Whether the text can be the name of an extra.
static bool isExtra(StringRef text) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '-' || c == '_' || c == '.'; };
  return !text.empty() && llvm::isAlnum(text.front()) && llvm::isAlnum(text.back()) &&
         llvm::all_of(text, isPart);
}

llvm::Error nameLine(policy::WheelCase &wheel, llvm::ArrayRef<std::string> extras) {
  if (extras.empty())
    return llvm::Error::success();
  auto refuse = [](StringRef what, std::vector<Fact> facts = {}) {
    return makeError(Code::Usage, what.str(), std::move(facts),
                     {"cuda-cc wheel repair --requires nvidia --extra cuda WHEEL"});
  };
  if (extras.size() > 1 || !isExtra(extras.front()))
    return refuse("--extra of repair is one name: letters, digits and '-'");
  if (policy::modeOf(wheel) != policy::RequiresMode::Nvidia)
    return refuse("--extra is for NVIDIA's wheels by name");
  if (wheel.lines.size() > 1) {
    std::vector<std::string> names;
    for (const policy::WheelLine &line : wheel.lines)
      names.push_back(line.extra);
    return refuse("each CUDA line of the wheel is an extra already",
                  {{"extras", llvm::join(names, ", ")}});
  }
  for (policy::WheelLine &line : wheel.lines)
    line.extra = versions::Requirement::normalise(extras.front());
  return llvm::Error::success();
}

RepairNeeds needsOf(const ReadWheel &wheel, unsigned runtimeMajor) {
  RepairNeeds needs;
  needs.wheel.declared = wheel.wheel().metadata.requirements;
  needs.wheel.declaredByExtra = requirementsByExtra(wheel.wheel());
  std::set<std::string> external;
  for (const ReadFile &file : wheel.files) {
    if (file.state != ReadFile::State::Read)
      continue;
    for (const std::string &needed : file.facts.needed) {
      if (isOfRuntime(needed))
        external.insert(needed);
      needs.wheel.needsTorch |= tables::isTorchLibrary(needed);
    }
  }
  needs.external.assign(external.begin(), external.end());
  Lines lines(wheel.inputs, wheel.files, runtimeMajor);
  needs.wheel.lines = lines.run();
  needs.wheel.open = std::move(lines.open);
  return needs;
}

} // namespace cudacc::commands
