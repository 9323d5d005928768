// SPDX-License-Identifier: Apache-2.0
#include "driver/resolve/FetchPlan.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/Json.h"
#include "driver/support/Sha256.h"
#include "driver/support/Text.h"
#include "driver/tables/lookup/Fetched.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::resolve {

using namespace core;
using namespace versions;
using llvm::StringRef;
using support::Value;

namespace {

class Planner {
public:
  Planner(const Target &target, const FetchRequest &request, const Machine &machine,
          const tables::UserTables *more)
      : target(target), request(request), machine(machine), more(more) {}

  llvm::Error chooseLine(StringRef asked);
  llvm::Error addAsked();
  FetchPlan finish();

private:
  const Target &target;
  const FetchRequest &request;
  const Machine &machine;
  const tables::UserTables *more;
  std::vector<tables::ToolkitPart> known = tables::toolkitParts();
  FetchPlan plan;

  const Machine &machineOf(const tables::ToolkitPart &part) const {
    return part.isTool || !request.compilesFor ? machine : *request.compilesFor;
  }
  FetchPart begun(const tables::ToolkitPart &part) const;
  bool addBase(CudaVersion line);
  bool addWheel(const tables::ToolkitPart &part, StringRef version);
  bool addArchive(const tables::ToolkitPart &part);
  bool add(const tables::ToolkitPart &part);
};

} // namespace

FetchPart Planner::begun(const tables::ToolkitPart &part) const {
  FetchPart added;
  added.part = part.name.str();
  if (machineOf(part).elf != machine.elf)
    added.machine = machineOf(part).name.str();
  return added;
}

bool Planner::addWheel(const tables::ToolkitPart &part, StringRef version) {
  FetchPart added = begun(part);
  added.name = part.distFor(plan.line.major).str();
  added.version = version.str();
  if (added.name.empty() || version.empty())
    return false;
  if (auto file = tables::publishedWheel(added.name, version, machineOf(part).name)) {
    added.sha256 = file->sha256.str();
    added.bytes = file->bytes;
    added.unpacked = file->unpacked;
  }
  plan.parts.push_back(std::move(added));
  return true;
}

bool Planner::addArchive(const tables::ToolkitPart &part) {
  std::string platform = fmt::format("linux-{}", machineOf(part).archives);
  std::optional<tables::PublishedFile> file;
  for (StringRef component : part.archives)
    if (!file)
      file = tables::publishedArchive(plan.release, component, platform);
  if (!file)
    return false;
  FetchPart added = begun(part);
  added.source = FetchPart::Source::Archive;
  added.name = file->name.str();
  added.version = file->version.str();
  added.path =
      fmt::format("{0}/{1}/{0}-{1}-{2}-archive.tar.xz", file->name, platform, file->version);
  added.sha256 = file->sha256.str();
  added.bytes = file->bytes;
  plan.parts.push_back(std::move(added));
  return true;
}

/// The compiler with what every compile needs; false if nothing with an nvcc of that line is known.
bool Planner::addBase(CudaVersion line) {
  plan.line = line;
  plan.parts.clear();
  auto release = tables::newestRelease(line, more);
  if (release && tables::wheelsHaveNvcc(line.major)) {
    plan.release = release->str();
    return llvm::all_of(known, [&](const tables::ToolkitPart &part) {
      return !part.always ||
             addWheel(part, tables::componentVersion(*release, part.distFor(line.major)));
    });
  }
  plan.release = tables::archivedRelease(line).str();
  for (const tables::ToolkitPart &part : known)
    if (part.always)
      addArchive(part); // Before CUDA 13 the archive of nvcc has crt and nvvm.
  return !plan.parts.empty();
}

/// The newest line that the runtime takes, or the one that is asked for.
llvm::Error Planner::chooseLine(StringRef asked) {
  auto wanted = CudaVersion::parse(asked);
  if (!asked.empty() && !wanted)
    return makeError(Code::Usage,
                     fmt::format("--nvcc is a CUDA version, not {}", support::quoted(asked)), {},
                     {fmt::format("--nvcc {}", target.line)});
  bool newerAllowed = target.enforce != Enforce::Toolkit;
  if (wanted && (wanted->major != target.line.major || (*wanted > target.line && !newerAllowed)))
    return makeError(Code::Usage, fmt::format("the runtime does not take nvcc {}", *wanted),
                     {{"runtime", fmt::format("CUDA {}, {}", target.line, target.describe())}},
                     {fmt::format("--nvcc {}", target.line)});
  std::vector<CudaVersion> lines = tables::toolkitLines(more);
  for (CudaVersion line : llvm::reverse(lines))
    if (wanted ? line == *wanted : line.major == target.line.major && line <= target.line)
      if (addBase(line))
        return llvm::Error::success();
  return makeError(Code::UnknownRelease,
                   fmt::format("no nvcc for CUDA {} is known that can be fetched",
                               wanted ? *wanted : target.line),
                   {{"runtime", target.describe()}}, {"name an installed toolkit: --toolkit PATH"});
}

/// A library of the runtime's own version, else of the toolkit's release.
bool Planner::add(const tables::ToolkitPart &part) {
  StringRef dist = part.distFor(target.line.major);
  for (const TargetLibrary &library : target.libraries)
    if (!dist.empty() && library.dist == dist && !library.version.release.empty())
      return addWheel(part, library.version.str());
  auto release = tables::newestRelease(plan.line, more);
  if (release && addWheel(part, tables::componentVersion(*release, dist)))
    return true;
  return addArchive(part);
}

static std::vector<StringRef> namesIn(llvm::ArrayRef<std::string> asked) {
  std::vector<StringRef> names;
  for (const std::string &word : asked)
    llvm::append_range(names, llvm::split(word, ','));
  return names;
}

llvm::Error Planner::addAsked() {
  std::vector<StringRef> names = namesIn(request.with);
  bool all = llvm::is_contained(names, "all");
  for (const tables::ToolkitPart &part : known) {
    bool isAsked = llvm::is_contained(names, part.name);
    bool isTaken = isAsked || all || llvm::is_contained(request.named, part.name);
    if (!part.always && isTaken && !add(part) && isAsked)
      return makeError(Code::UnknownRelease,
                       fmt::format("{} of CUDA {} is not known", part.name, plan.line));
  }
  for (StringRef name : names) {
    auto isIt = [&](const tables::ToolkitPart &part) { return part.name == name; };
    if (name == "all" || name == "none" || llvm::any_of(known, isIt))
      continue;
    std::string offered = support::joined(
        llvm::make_filter_range(known, [](const auto &part) { return !part.always; }), ", ",
        [](const tables::ToolkitPart &part) { return part.name.str(); });
    return makeError(Code::Usage, fmt::format("--with knows no {}", support::quoted(name)),
                     {{"known", "all, none, " + offered}});
  }
  return llvm::Error::success();
}

FetchPlan Planner::finish() {
  plan.machine = machine.name.str();
  plan.key = keyOf(plan);
  return std::move(plan);
}

std::string keyOf(const FetchPlan &plan) {
  // To be raised when the layout of the folder changes.
  std::string text = "1\n";
  for (const FetchPart &each : plan.parts)
    text += fmt::format("{} {} {}{}\n", each.name, each.version, each.sha256, each.machine);
  constexpr size_t digits = 12;
  std::string digest = llvm::toHex(support::Sha256::of(text), /*LowerCase=*/true);
  return fmt::format("cuda-{}-{}-{}", plan.release, plan.machine,
                     StringRef(digest).take_front(digits));
}

llvm::Expected<FetchPlan> planFetch(const Target &target, const FetchRequest &request,
                                    const Machine &machine, const tables::UserTables *more) {
  Planner planner(target, request, machine, more);
  if (llvm::Error error = planner.chooseLine(request.nvcc))
    return error;
  if (llvm::Error error = planner.addAsked())
    return error;
  return planner.finish();
}

llvm::Error checkLocked(const FetchPlan &plan, const Target &target, const FetchRequest &request,
                        StringRef file) {
  auto differs = [&](std::string problem) {
    return makeError(Code::Usage, "the lock has another toolkit than is asked for",
                     {{"lock", file.str()}, {"problem", std::move(problem)}},
                     {"remove it, and run the command again to write it"});
  };
  bool newerAllowed = target.enforce != Enforce::Toolkit;
  if (plan.line.major != target.line.major || (plan.line > target.line && !newerAllowed))
    return differs(
        fmt::format("CUDA {}, of which the runtime takes {}", plan.release, target.line));
  if (auto wanted = CudaVersion::parse(request.nvcc); wanted && *wanted != plan.line)
    return differs(fmt::format("CUDA {}, not {}", plan.release, *wanted));
  for (StringRef name : namesIn(request.with))
    if (name != "all" && name != "none" &&
        llvm::none_of(plan.parts, [&](const FetchPart &part) { return part.part == name; }))
      return differs(fmt::format("it has no {}", name));
  return llvm::Error::success();
}

static llvm::Error broken(StringRef place, const std::string &problem) {
  return makeError(Code::BrokenFacts, "a lock of a fetched toolkit is broken",
                   {{"file", place.str()}, {"problem", problem}},
                   {"remove it, and run the command again to write it"});
}

/// Letters, digits and what names of distributions and components have besides.
static bool isName(StringRef text) {
  return !text.empty() && text.front() != '-' && text.front() != '.' &&
         llvm::all_of(text, [](char each) {
           return llvm::isAlnum(each) || StringRef("-_.+").contains(each);
         });
}

static bool isPath(StringRef text) { return llvm::all_of(llvm::split(text, '/'), isName); }

static bool isSha256(StringRef text) {
  return text.size() == 64 && llvm::all_of(text, [](char each) {
           return llvm::isDigit(each) || (each >= 'a' && each <= 'f');
         });
}

static llvm::Expected<FetchPart> readPart(const Value &value, StringRef place) {
  FetchPart part;
  part.part = value.textAt("part").str();
  part.name = value.textAt("name").str();
  part.version = value.textAt("version").str();
  part.sha256 = value.textAt("sha256").str();
  part.machine = value.textAt("machine").str();
  auto numberAt = [&](StringRef key) {
    const Value *number = value.find(key);
    return number ? uint64_t(std::max<int64_t>(0, number->integer().value_or(0))) : 0;
  };
  part.bytes = numberAt("bytes");
  part.unpacked = numberAt("unpacked");
  StringRef source = value.textAt("source");
  // A version is read with blanks around it, but written into a line.
  if (!isName(part.part) || !isName(part.name) || !isName(part.version) ||
      !versions::Version::parse(part.version))
    return broken(place, fmt::format("\"{}\" {} is no part", part.name, part.version));
  if (!part.machine.empty() && !versions::machineNamed(part.machine))
    return broken(place, fmt::format("\"{}\" is no machine", part.machine));
  if (!part.sha256.empty() && !isSha256(part.sha256))
    return broken(place, fmt::format("{} has no sha256", part.name));
  if (source == "archive") {
    part.source = FetchPart::Source::Archive;
    part.path = value.textAt("path").str();
    if (!isPath(part.path) || part.sha256.empty() || !part.bytes)
      return broken(place, fmt::format("{} lacks a path, sha256 or bytes", part.name));
  } else if (source != "wheel") {
    return broken(place, fmt::format("{} has no source", part.name));
  }
  return part;
}

llvm::Expected<FetchPlan> readFetchPlan(const Value &value, StringRef place) {
  FetchPlan plan;
  plan.release = value.textAt("release").str();
  plan.machine = value.textAt("machine").str();
  auto line = versions::CudaVersion::parse(plan.release);
  if (!line || !isName(plan.release))
    return broken(place, fmt::format("\"{}\" is no release", plan.release));
  plan.line = *line;
  if (!versions::machineNamed(plan.machine))
    return broken(place, fmt::format("\"{}\" is no machine", plan.machine));
  for (const Value &each : value.listAt("parts")) {
    auto part = readPart(each, place);
    if (!part)
      return part.takeError();
    plan.parts.push_back(std::move(*part));
  }
  if (plan.parts.empty())
    return broken(place, "there are no parts");
  plan.key = keyOf(plan);
  return plan;
}

llvm::Expected<std::vector<FetchPlan>> readFetchLock(StringRef text, StringRef place) {
  support::TextError error;
  auto value = support::readJson(text, error);
  if (!value || value->textAt("schema") != "1")
    return broken(place, value ? "it has another schema" : error.why);
  std::vector<FetchPlan> plans;
  for (const Value &each : value->listAt("toolkits")) {
    auto plan = readFetchPlan(each, place);
    if (!plan)
      return plan.takeError();
    for (const FetchPart &part : plan->parts)
      if (part.sha256.empty())
        return broken(place, fmt::format("{} has no sha256", part.name));
    plans.push_back(std::move(*plan));
  }
  return plans;
}

} // namespace cudacc::resolve
