// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/InspectParts.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::report {

std::string targetText(const core::LinkRecord &link) {
  if (link.targetSpec.empty() && link.targetCuda.empty())
    return "no runtime was declared";
  if (link.targetSpec.empty())
    return "for CUDA " + printable(link.targetCuda);
  std::string out = "for " + printable(link.targetSpec);
  return link.targetCuda.empty() ? out
                                 : fmt::format("{} (CUDA {})", out, printable(link.targetCuda));
}

std::vector<std::string> builtWith(const core::LinkRecord &link) {
  std::vector<std::string> built;
  if (!link.toolkitMax.empty())
    built.push_back(fmt::format("CUDA {}{}",
                                link.toolkitMin.empty() || link.toolkitMin == link.toolkitMax
                                    ? ""
                                    : printable(link.toolkitMin) + " to ",
                                printable(link.toolkitMax)));
  if (!link.host.empty())
    built.push_back(printable(link.host));
  if (!link.linker.empty())
    built.push_back(printable(link.linker));
  if (!link.cudart.empty())
    built.push_back("cudart " + printable(link.cudart));
  return built;
}

static void addLink(Block &block, const core::LinkRecord &link, bool sealed) {
  std::string head = targetText(link) + (sealed ? ", sealed" : ", not sealed");
  if (!link.tool.empty())
    head += ", by " + printable(link.tool);
  block.addText("manifest", head);
  if (!link.enforce.empty())
    block.addText("", "enforce = " + printable(link.enforce));
  if (link.develop)
    block.addText("", "develop: its search path names directories of the build machine");
  if (link.waivers)
    for (const std::string &waiver : *link.waivers)
      block.addText("", "waived: " + printable(waiver));
  std::vector<std::string> built = builtWith(link);
  if (!built.empty())
    block.addText("built with", llvm::join(built, ", "));
  Rows floor;
  for (const auto &[soname, version] : link.floor)
    floor.push_back({printable(soname), ">= " + printable(version)});
  if (!link.torch.empty())
    floor.push_back({"torch", printable(link.torch)});
  block.addTable("floor", std::move(floor));
}

std::string recordText(const core::ObjectRecord &record) {
  std::vector<std::string> parts;
  if (!record.toolkit.empty())
    parts.push_back("nvcc " + printable(record.toolkit));
  if (!record.headers.empty())
    parts.push_back("headers " + printable(record.headers));
  if (!record.host.empty())
    parts.push_back(printable(record.host));
  if (!record.tool.empty())
    parts.push_back(printable(record.tool));
  return parts.empty() ? "a record without facts" : llvm::join(parts, ", ");
}

/// Objects of the link that have no record, which the records above do not show.
static std::string unnotedText(const core::Manifest &manifest) {
  if (manifest.links.empty())
    return "";
  const core::LinkRecord &link = manifest.links.front();
  uint64_t noted = 0;
  for (const auto &[record, count] : manifest.objects)
    noted += count;
  if (!link.unnoted)
    return "how many have no record is unknown";
  if (*link.unnoted == 0)
    return "";
  return fmt::format("{} of {} without a record", *link.unnoted, noted + *link.unnoted);
}

void addManifest(Block &block, const core::Manifest &manifest) {
  if (manifest.empty())
    block.addText("manifest", "none");
  for (const core::LinkRecord &link : manifest.links)
    addLink(block, link, manifest.sealed);
  if (manifest.links.size() > 1)
    block.addText("", "more than one link record [CC4110]");
  if (manifest.onlyInSections)
    block.addText("", "in sections only: nothing of it is seen at run time");
  std::vector<std::pair<uint64_t, std::string>> objects;
  for (const auto &[record, count] : manifest.objects)
    objects.emplace_back(count, recordText(record));
  block.addCounted("objects", objects);
  if (std::string text = unnotedText(manifest); !text.empty())
    block.addText(manifest.objects.empty() ? "objects" : "", text);
  for (const std::string &problem : manifest.problems)
    block.addText("problem", printable(problem));
}

void addMembers(Block &block, llvm::ArrayRef<core::BinaryFacts::Member> members) {
  Rows rows;
  for (const core::BinaryFacts::Member &member : members) {
    std::string name = printable(member.name);
    for (const auto &[record, count] : member.manifest.objects)
      rows.push_back({std::exchange(name, ""),
                      (count > 1 ? fmt::format("{}x ", count) : "") + recordText(record)});
    if (member.manifest.objects.empty())
      rows.push_back({name, "no object record"});
  }
  if (rows.empty())
    block.addText("members", "none with a record");
  block.addTable("members", std::move(rows));
}

} // namespace cudacc::report
