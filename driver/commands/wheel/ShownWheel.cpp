// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/wheel/ShownWheel.h"
#include "driver/report/json/JsonParts.h"
#include "driver/report/text/Check.h"
#include "driver/report/text/CheckParts.h"
#include "driver/report/text/InspectParts.h"
#include "driver/report/text/Text.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include <map>
#include <set>

namespace cudacc::commands {

using namespace core;
using namespace report;
using llvm::json::Object;

/// The worst outcome of each runtime; runtimes that the metadata exclude are left out.
static std::map<llvm::StringRef, Outcome> outcomesOf(llvm::ArrayRef<Judgement> judgements) {
  std::map<llvm::StringRef, Outcome> outcomes;
  for (const Judgement &judgement : judgements) {
    if (!judgement.excludedBy.empty())
      continue;
    Outcome &worst = outcomes.emplace(judgement.runtime, Outcome::Accept).first->second;
    worst = worse(worst, judgement.verdict.outcome());
  }
  return outcomes;
}

Outcome ShownWheel::outcome() const {
  Outcome outcome = Verdict{findings}.outcome();
  if (outcome == Outcome::Reject || judgements.empty())
    return outcome;
  auto outcomes = outcomesOf(judgements);
  // None that the metadata allow is known.
  Outcome best = outcomes.empty() ? Outcome::Unknown : Outcome::Reject;
  for (const auto &[runtime, its] : outcomes)
    if (badness(its) < badness(best))
      best = its;
  return worse(best, outcome);
}

/// "accept", and why not otherwise.
static std::string headline(const ShownWheel &wheel, Style style) {
  Outcome outcome = wheel.outcome();
  std::string out = fmt::format("{}: {}", printable(wheel.path),
                                painted(core::str(outcome), paintOf(outcome), style));
  Verdict whole{wheel.findings};
  if (const Finding *finding = decisive(whole))
    return fmt::format("{}: {} [{}]\n", out, printable(messageOf(*finding)),
                       core::str(finding->code));
  if (wheel.judgements.empty())
    return out + ": it has no compiled code\n";
  auto outcomes = outcomesOf(wheel.judgements);
  size_t accepted =
      llvm::count_if(outcomes, [](const auto &each) { return each.second == Outcome::Accept; });
  return fmt::format("{}: loads on {} of {} releases that its metadata allow\n", out, accepted,
                     outcomes.size());
}

static void addFiles(Block &block, const ShownWheel &wheel) {
  Rows rows;
  size_t others = 0;
  uint64_t size = 0;
  for (const ShownWheel::File &file : wheel.files) {
    if (!file.major && !file.needsCuda && file.archs.empty()) {
      ++others;
      size += file.size;
      continue;
    }
    rows.push_back({printable(file.path), support::bytesText(file.size),
                    file.major       ? fmt::format("CUDA {}", file.major)
                    : file.needsCuda ? "CUDA"
                                     : "",
                    support::joined(file.archs, " ", printable)});
  }
  if (others)
    rows.push_back({count(others, "compiled file") + " without CUDA", support::bytesText(size)});
  if (wheel.others)
    rows.push_back({count(wheel.others, "other file"), support::bytesText(wheel.othersSize)});
  block.addTable("files", std::move(rows));
  std::map<llvm::StringRef, size_t> groups;
  for (const ShownWheel::File &file : wheel.files)
    if (!file.alternativeOf.empty())
      ++groups[file.alternativeOf];
  for (const auto &[pattern, files] : groups)
    block.addText("variants",
                  fmt::format("{}: a runtime loads one of {}", printable(pattern), files));
}

/// `6 from 13.0.48 to 13.2.51`.
static std::string versionsText(const ShownWheel::Need &need) {
  if (need.versions.empty())
    return "no version known";
  if (need.versions.size() == 1)
    return need.versions.front();
  return fmt::format("{} from {} to {}", need.versions.size(), need.versions.front(),
                     need.versions.back());
}

static void addNeeds(Block &block, const ShownWheel &wheel) {
  Rows rows;
  for (const ShownWheel::Need &need : wheel.needs) {
    if (!need.dists.empty()) {
      rows.push_back({printable(need.floor.soname), support::joined(need.dists, " or ", printable),
                      "by the CUDA major"});
      continue;
    }
    std::string requirement = need.floor.requirement;
    if (requirement.empty())
      requirement = need.floor.known() ? fmt::format(">= {}", need.floor.least) : "";
    rows.push_back({printable(need.floor.soname), requirement, versionsText(need)});
  }
  block.addTable("needs", std::move(rows));
  if (!wheel.torch.known())
    return;
  std::string byNames = wheel.torch.text(), serving = wheel.torchServing.text();
  block.addText("needs",
                !wheel.torchServing.any() || serving == byNames
                    ? fmt::format("torch {}, by the names imported", byNames)
                    : fmt::format("torch {}, by the CUDA that it brings; {} by the names imported",
                                  serving, byNames));
}

static void addMetadata(Block &block, const ShownWheel &wheel) {
  if (!wheel.torchTag.empty())
    block.addText("torch", fmt::format("+{}, of PyTorch's own index", printable(wheel.torchTag)));
  for (const std::string &each : wheel.declared)
    block.addText("metadata", printable(each));
  for (const policy::HigherBound &each : wheel.higher)
    block.addText("remark", fmt::format("{} is higher than needed: {} has all names",
                                        printable(each.declared), each.least));
  for (const std::string &each : wheel.requirements.added)
    block.addText("lacks", printable(each));
}

std::string showText(const ShownWheel &wheel, Style style) {
  Block block;
  block.style = style;
  block.addText("wheel",
                fmt::format("{} {}, {}; {}, unpacked {}", printable(wheel.name),
                            printable(wheel.version), printable(wheel.tags),
                            support::bytesText(wheel.size), support::bytesText(wheel.unpacked)));
  for (const WrittenVariant &variant : wheel.variants) {
    Rows rows;
    for (const std::string &property : variant.properties)
      rows.push_back({printable(variant.label), printable(property)});
    block.addTable("variant", std::move(rows));
  }
  addFiles(block, wheel);
  Rows copies;
  for (const ShownWheel::Copy &copy : wheel.copies)
    copies.push_back({printable(copy.path), support::bytesText(copy.size),
                      fmt::format("{} brings it", support::joined(copy.dists, " or ", printable))});
  block.addTable("bundled", std::move(copies));
  addNeeds(block, wheel);
  addMetadata(block, wheel);
  std::string out = headline(wheel, style) + block.text;
  // No installer combines the wheel with the others.
  std::vector<Judgement> allowed;
  llvm::copy_if(wheel.judgements, std::back_inserter(allowed),
                [](const Judgement &each) { return each.excludedBy.empty(); });
  if (!allowed.empty())
    out += releaseTables(allowed, style);
  return out + report::text(wheel.findings, style);
}

static llvm::json::Value fileJson(const ShownWheel::File &file) {
  Object out{{"path", fixed(file.path)},
             {"size", int64_t(file.size)},
             {"compressed", int64_t(file.compressed)},
             {"archs", strings(file.archs)}};
  if (file.major)
    out["cuda"] = fmt::format("{}", file.major);
  put(out, "alternative_of", file.alternativeOf);
  return out;
}

static llvm::json::Value copyJson(const ShownWheel::Copy &copy) {
  return Object{{"path", fixed(copy.path)},
                {"soname", fixed(copy.soname)},
                {"dists", strings(copy.dists)},
                {"size", int64_t(copy.size)}};
}

static llvm::json::Value needJson(const ShownWheel::Need &need) {
  Object out{{"soname", fixed(need.floor.soname)}, {"versions", strings(need.versions)}};
  put(out, "dist", need.floor.dist);
  putList(out, "dists", need.dists);
  putList(out, "lines", need.lines);
  if (need.floor.known())
    out["least"] = need.floor.least.str();
  put(out, "requirement", need.floor.requirement);
  putList(out, "exceptions", need.floor.exceptions);
  putList(out, "unknown", need.floor.unknown);
  return out;
}

static llvm::json::Value higherJson(const policy::HigherBound &bound) {
  return Object{{"declared", fixed(bound.declared)}, {"least", bound.least.str()}};
}

static llvm::json::Value variantJson(const WrittenVariant &variant) {
  return Object{{"label", fixed(variant.label)}, {"properties", strings(variant.properties)}};
}

static llvm::json::Array releasesJson(llvm::ArrayRef<Judgement> judgements) {
  std::map<llvm::StringRef, Outcome> outcomes = outcomesOf(judgements);
  llvm::json::Array out;
  std::set<llvm::StringRef> seen;
  for (const Judgement &judgement : judgements) {
    if (!seen.insert(judgement.runtime).second)
      continue;
    auto found = outcomes.find(judgement.runtime);
    Object row{{"runtime", fixed(judgement.runtime)}, {"excluded", found == outcomes.end()}};
    put(row, "line", judgement.line);
    if (found != outcomes.end())
      row["verdict"] = core::str(found->second);
    out.push_back(std::move(row));
  }
  return out;
}

llvm::json::Value showJson(const ShownWheel &wheel) {
  Object out{
      {"path", fixed(wheel.path)},
      {"verdict", core::str(wheel.outcome())},
      {"tags", fixed(wheel.tags)},
      {"size", int64_t(wheel.size)},
      {"unpacked", int64_t(wheel.unpacked)},
      {"files", array(wheel.files, fileJson)},
      {"others", Object{{"files", int64_t(wheel.others)}, {"size", int64_t(wheel.othersSize)}}},
      {"bundled", array(wheel.copies, copyJson)},
      {"needs", array(wheel.needs, needJson)},
      {"declared", strings(wheel.declared)},
      {"higher_than_needed", array(wheel.higher, higherJson)},
      {"variants", array(wheel.variants, variantJson)},
      {"requires_dist", strings(wheel.requirements.added)},
      {"releases", releasesJson(wheel.judgements)},
      {"findings", array(wheel.findings, findingJson)}};
  put(out, "name", wheel.name);
  put(out, "version", wheel.version);
  putTorch(out, wheel.torch);
  put(out, "torch_serving", wheel.torchServing.specifier());
  put(out, "torch_build", wheel.torchTag);
  return out;
}

} // namespace cudacc::commands
