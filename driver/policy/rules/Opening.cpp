// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/Opening.h"
#include "driver/policy/rules/BinaryCase.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/LibraryShape.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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

/// The file names that stand for one in a library's strings, which completes names without a
/// version by its own: cuDNN 9.1.0 tries libcudnn_ops.so.9.1.0, .so.9.1, .so.9 and .so.
static std::vector<std::string> namesTried(StringRef name, const Version &version) {
  std::vector<std::string> names;
  if (!name.ends_with(".so"))
    return {name.str()};
  llvm::SmallVector<StringRef, 4> parts;
  std::string text = version.str();
  StringRef(text).split(parts, '.');
  parts.truncate(std::min<size_t>(parts.size(), 3));
  for (; !parts.empty(); parts.pop_back())
    names.push_back(fmt::format("{}.{}", name, llvm::join(parts, ".")));
  names.push_back(name.str());
  return names;
}

std::vector<OpenedPart> partsOpenedBy(StringRef name, const Target &target) {
  std::optional<Opener> opener;
  if (const TargetLibrary *row = target.find(name))
    opener = Opener{row->soname, row->dist, row->version};
  else
    opener = originalOf(name, target.line.major);
  auto known = opener ? tables::libraryByFileName(opener->soname) : std::nullopt;
  auto shape =
      known ? tables::shapeOf(opener->soname, opener->dist, opener->version) : std::nullopt;
  std::vector<OpenedPart> parts;
  if (!shape || !shape->exact)
    return parts;
  auto own = tables::sonamesOf(opener->dist, opener->version);
  for (StringRef opened : shape->dlopens) {
    StringRef stem = opened.split(".so").first;
    if (!stem.starts_with(fmt::format("lib{}", known->name)))
      continue;
    auto part = llvm::find_if(own, [&](StringRef each) {
      return each == opened || (opened.ends_with(".so") && each.split(".so").first == stem);
    });
    if (part != own.end())
      parts.push_back(
          {part->str(), namesTried(opened, opener->version), opener->dist.str(), opener->version});
  }
  return parts;
}

std::vector<std::string> functionsOf(const OpenedPart &part) {
  std::vector<std::string> functions;
  for (unsigned major : tables::majorsOf(part.soname)) {
    auto table = tables::SymbolTable::find(part.soname, major, part.dist);
    for (size_t i = 0; table && functions.empty() && i != table->size(); ++i)
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
