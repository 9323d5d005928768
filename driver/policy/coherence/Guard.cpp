// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/coherence/Guard.h"
#include "driver/policy/advice/Overrides.h"
#include "driver/policy/advice/Words.h"
#include "driver/policy/coherence/GuardCase.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;
using tables::LibraryOrigin;
using tables::PartKind;
using tables::Side;

LibraryOrigin Item::origin() const {
  if (kind != PartKind::Library && kind != PartKind::Archive)
    return LibraryOrigin::Toolkit;
  auto known = tables::libraryByLinkName(name);
  return known ? known->origin : LibraryOrigin::Other;
}

std::string Item::describe() const {
  std::string text =
      fmt::format("{} {}", name, version.release.empty() ? lineText(cuda) : version.str());
  if (!version.release.empty() && cuda.known())
    text += fmt::format(", CUDA {},", cuda);
  if (!path.empty())
    text += " at " + path;
  if (!evidence.empty())
    text += fmt::format(" ({})", evidence);
  return text;
}

std::string lineText(CudaVersion line) { return line.known() ? line.str() : "not known"; }

Finding &GuardCase::add(Code code, std::string message) {
  return findings.emplace_back(makeFinding(code, std::move(message)));
}

void GuardCase::noteConsequence(Finding &finding, const Item &item) const {
  if (refused.count(&item))
    finding.addFact("consequence", fmt::format("of {}, which is refused by itself", item.name));
}

namespace {

/// EO-4: items with equal side, kind, name, path and versions are one entry.
std::vector<Item> record(llvm::ArrayRef<Item> items) {
  std::vector<Item> all;
  for (const Item &item : items)
    if (llvm::none_of(all, [&](const Item &each) {
          return each.side == item.side && each.kind == item.kind && each.name == item.name &&
                 each.path == item.path && each.version == item.version && each.cuda == item.cuda;
        }))
      all.push_back(item);
  return all;
}

void judgeNames(GuardCase &judged) {
  for (const Item &item : judged.items)
    if (!tables::partOf(item.side, item.kind, item.name)) {
      Finding &finding = judged.add(Code::Usage, "no part of CUDA is called " + item.name);
      finding.addFact("item", item.describe());
    }
}

/// Reports items of unknown release, so that a verdict without findings means that all items agree.
void judgeKnown(GuardCase &judged) {
  for (const Item &item : judged.items) {
    if (item.origin() != LibraryOrigin::Toolkit || item.separate ||
        (item.cuda.known() && item.conflict.empty()))
      continue;
    bool conflict = !item.conflict.empty();
    Finding &finding = judged.add(
        conflict ? Code::EvidenceConflict : Code::ToolkitVersionUnknown,
        conflict ? "two sources disagree about " + item.name
                 : fmt::format("the CUDA version of {} cannot be determined", item.name));
    finding.library = item.soname;
    finding.addFact("item", item.describe());
    if (conflict)
      finding.addFact("conflict", item.conflict);
    auto part = tables::partOf(item.side, item.kind, item.name);
    std::string others;
    for (const Item &each : judged.items) {
      auto other = tables::partOf(each.side, each.kind, each.name);
      if (&each != &item && each.side == item.side && part && other && !part->group.empty() &&
          part->group == other->group)
        support::appendItem(others, each.name);
    }
    if (!others.empty())
      finding.addFact("not compared", fmt::format("{} with {}", item.name, others));
  }
}

/// The CUDA major in the name of a wheel; 0 if it has none.
unsigned variantOf(StringRef dist) {
  unsigned major = 0;
  StringRef digits = dist.rsplit("-cu").second;
  return digits.size() == 2 && !digits.getAsInteger(10, major) ? major : 0;
}

} // namespace

void judgeVariants(GuardCase &judged) {
  CudaVersion line = judged.target.line;
  if (!line.known())
    return;
  for (const Item &item : judged.items) {
    if (item.side != Side::Run || item.origin() == LibraryOrigin::Driver)
      continue;
    unsigned variant = item.major ? item.major : variantOf(item.dist);
    bool wheel = variant && variant != line.major;
    bool release = item.cuda.known() && item.cuda.major != line.major;
    if (!wheel && !release)
      continue;
    bool apart = item.origin() == LibraryOrigin::Other || !release;
    Finding &finding = judged.add(
        apart ? Code::Variant : Code::LibraryMajor,
        apart
            ? fmt::format("{} is not for CUDA {}", item.dist.empty() ? item.name : item.dist, line)
            : fmt::format("{} of CUDA {}, runtime has {}", item.name, item.cuda, line));
    finding.library = item.soname;
    finding.addFact("library", item.path.empty() ? item.describe() : item.path);
    finding.addFact("runtime", judged.target.describe());
    finding.addFix(fmt::format("install the variant for CUDA {}", line.major));
    judged.refused.insert(&item);
  }
}

void judgeConstraint(GuardCase &judged) {
  if (!judged.options.constraint)
    return;
  StringRef text = StringRef(*judged.options.constraint).trim();
  auto specifiers = text.empty() ? std::nullopt : SpecifierSet::parse(text);
  if (!specifiers) {
    Finding &finding =
        judged.add(Code::Usage, text.empty() ? "a version specifier is empty"
                                             : fmt::format("{} is not a version specifier", text));
    finding.addFix(text.empty() ? "==12.4" : fmt::format("=={}", text));
    return;
  }
  for (const Item &item : judged.items) {
    if (item.origin() != LibraryOrigin::Toolkit || !item.cuda.known())
      continue;
    Version line;
    line.release = {item.cuda.major, item.cuda.minor};
    if (specifiers->contains(line, /*pre=*/true))
      continue;
    Finding &finding = judged.add(Code::Constraint, fmt::format("{} of CUDA {} does not satisfy {}",
                                                                item.name, item.cuda, *specifiers));
    finding.addFact("item", item.describe());
    judged.refused.insert(&item);
  }
}

void judgeToolkitItems(GuardCase &judged) {
  CudaVersion line = judged.target.line;
  if (!line.known())
    return;
  // TG-2: the version of the toolkit is that of its device compiler; headers and the other parts
  // are compared with it by the group rules.
  const Item *toolkit = nullptr;
  for (const Item &item : judged.items)
    if (item.side == Side::Build && item.kind == PartKind::Binary && item.cuda.known() &&
        (!toolkit || item.name == "nvcc"))
      toolkit = &item;
  if (!toolkit || !exceeds(toolkit->cuda, line))
    return;
  bool major = toolkit->cuda.major != line.major;
  if (!major && judged.options.enforce == Enforce::Symbols)
    return;
  Finding &finding =
      judged.add(major ? Code::TargetMajor : Code::TargetNewer,
                 fmt::format("toolkit CUDA {} {} CUDA {}", toolkit->cuda,
                             major ? "is of another major than" : "is newer than runtime", line));
  finding.addFact("toolkit", toolkit->describe());
  finding.addFact("runtime", judged.target.describe());
  judged.refused.insert(toolkit);
}

GuardReport judgeItems(const GuardInput &input, const Target &target, const GuardOptions &options) {
  GuardCase judged{target, options, record(input.items)};
  if (options.enforce == Enforce::Off) {
    judgeNames(judged);
    return {std::move(judged.items), {std::move(judged.findings)}};
  }
  judgeNames(judged);
  if (options.reportUnknown)
    judgeKnown(judged);
  judgeVariants(judged);
  judgeConstraint(judged);
  size_t beforeTarget = judged.findings.size();
  judgeToolkitItems(judged);
  size_t beforeGroups = judged.findings.size();
  judgeGroups(judged);
  // TG-2: an incoherent toolkit is reported first, since it has no single version.
  std::rotate(judged.findings.begin() + ptrdiff_t(beforeTarget),
              judged.findings.begin() + ptrdiff_t(beforeGroups), judged.findings.end());
  judgeApiPairs(judged);
  judgeFloors(judged);
  judgePipes(judged, input.pipes);
  judgeDrivers(judged, input.driver, input.ptxOnly);
  return {std::move(judged.items), {applyMode(options.enforce, std::move(judged.findings))}};
}

} // namespace cudacc::policy
