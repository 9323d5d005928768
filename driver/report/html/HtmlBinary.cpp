// SPDX-License-Identifier: Apache-2.0
#include "driver/report/html/HtmlParts.h"
#include "driver/report/text/InspectParts.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::report {

static constexpr size_t unitsShown = 60;

void htmlDevice(HtmlWriter &html, const core::DeviceCode &device, llvm::StringLiteral level) {
  std::vector<core::Fact> facts;
  for (const std::string &section : device.otherSections)
    facts.push_back({"in other sections", section});
  for (const auto *problems :
       {&device.brokenWrappers, &device.unknown, &device.limits, &device.disagreements})
    for (const std::string &problem : *problems)
      facts.push_back({"problem", problem});
  if (device.units.empty() && facts.empty())
    return;
  HtmlSection section(html, level, "Device code");
  HtmlRows rows;
  for (const core::DeviceUnit &unit : device.units)
    if (rows.size() < unitsShown)
      rows.push_back({{fmt::format("{}x", unit.count)}, {unitText(unit)}});
  htmlTable(html, "Containers of images", {"count", "images"}, rows);
  htmlMore(html, device.units.size(), unitsShown);
  htmlFacts(html, facts);
}

static void linkFacts(const core::LinkRecord &link, std::vector<core::Fact> &facts) {
  std::vector<std::string> built = builtWith(link);
  if (!built.empty())
    facts.push_back({"built with", llvm::join(built, ", ")});
  if (!link.enforce.empty())
    facts.push_back({"enforce", link.enforce});
  if (link.develop)
    facts.push_back({"develop", "its search path names directories of the build machine"});
  if (link.waivers)
    for (const std::string &waiver : *link.waivers)
      facts.push_back({"waived", waiver});
  for (const auto &[soname, version] : link.floor)
    facts.push_back({"floor", fmt::format("{} >= {}", soname, version)});
  if (!link.torch.empty())
    facts.push_back({"torch", link.torch});
}

void htmlManifest(HtmlWriter &html, const core::Manifest &manifest, llvm::StringLiteral level) {
  HtmlSection section(html, level, "Manifest");
  if (manifest.empty() && manifest.problems.empty())
    return html.leaf("p", "None in this file.", "note");
  std::vector<core::Fact> facts;
  for (const core::LinkRecord &link : manifest.links) {
    std::string head = targetText(link) + (manifest.sealed ? ", sealed" : ", not sealed");
    facts.push_back({"link", link.tool.empty() ? head : fmt::format("{}, by {}", head, link.tool)});
    linkFacts(link, facts);
  }
  for (const auto &[record, number] : manifest.objects)
    if (facts.size() < unitsShown)
      facts.push_back({"objects", fmt::format("{}x {}", number, recordText(record))});
  for (const std::string &problem : manifest.problems)
    facts.push_back({"problem", problem});
  htmlFacts(html, facts);
}

} // namespace cudacc::report
