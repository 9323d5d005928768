// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/Opening.h"
#include "driver/policy/rules/BinaryCase.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Opens.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;

namespace {
/// A library of NVIDIA's that opens others by name.
struct Opener {
  StringRef soname, dist;
  Version version;
};
} // namespace

/// What a copy under a name of auditwheel's was: `libcudnn-0badf00d.so.9.1.0` is libcudnn.so.9 of
/// the newest wheel 9.1.0.x. std::nullopt if no wheel that was read is of that version.
static std::optional<Opener> originalOf(StringRef grafted, unsigned major) {
  std::string name = ungrafted(grafted);
  StringRef version = StringRef(name).split(".so.").second;
  for (StringRef soname = name; soname.contains(".so."); soname = soname.rsplit('.').first) {
    StringRef dist = tables::distOf(soname, major);
    if (dist.empty())
      continue;
    std::vector<Version> versions = tables::versionsOf(dist);
    for (const Version &each : llvm::reverse(versions))
      if (StringRef(each.str()).starts_with(fmt::format("{}.", version)))
        for (StringRef own : tables::sonamesOf(dist, each))
          if (own == soname)
            return Opener{own, dist, each};
  }
  return std::nullopt;
}

std::vector<OpenedPart> partsOpenedBy(StringRef name, const Target &target) {
  std::optional<Opener> opener;
  if (const TargetLibrary *row = target.find(name))
    opener = Opener{row->soname, row->dist, row->version};
  else
    opener = originalOf(name, target.line.major);
  std::vector<OpenedPart> parts;
  if (!opener)
    return parts;
  auto opens = tables::opensOf(opener->dist, opener->version, opener->soname);
  if (opens.empty())
    return parts;
  auto shape = tables::shapeOf(opener->soname, opener->dist, opener->version);
  if (!shape || !shape->exact)
    return parts;
  auto own = tables::sonamesOf(opener->dist, opener->version);
  for (const tables::Open &each : opens) {
    auto part = llvm::find_if(
        own, [&](StringRef soname) { return llvm::is_contained(each.opens, soname); });
    bool counts = each.missing != tables::Missing::GoesOn &&
                  each.confidence != tables::Confidence::Unverified;
    if (counts && part != own.end())
      parts.push_back({part->str(),
                       {each.opens.begin(), each.opens.end()},
                       opener->dist.str(),
                       opener->version,
                       each.raises,
                       each.missing == tables::Missing::EndsProcess});
  }
  return parts;
}

std::vector<std::string> functionsOf(const OpenedPart &part) {
  std::vector<std::string> functions;
  for (unsigned major : tables::majorsOf(part.soname)) {
    auto table = tables::SymbolTable::find(part.soname, major, part.dist);
    for (size_t i : llvm::seq(table ? table->size() : 0))
      if (table->at(i).dist == part.dist && Version::parse(table->at(i).version) == part.version)
        functions = table->names(i);
  }
  // The rest is for its siblings, which NEED it.
  StringRef family = StringRef(part.soname).drop_front(3).take_until([](char c) {
    return c == '_' || c == '-' || c == '.';
  });
  llvm::erase_if(functions, [&](StringRef name) { return !name.starts_with(family); });
  return functions;
}

} // namespace cudacc::policy
