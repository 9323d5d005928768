// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Fetched.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Tables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::tables {

using llvm::StringRef;
using versions::CudaVersion;
using Fields = llvm::SmallVector<StringRef, 8>;

static void eachLine(StringRef lines, llvm::function_ref<void(const Fields &)> take) {
  for (StringRef line : llvm::split(lines.drop_back(), '\n')) {
    Fields fields;
    line.split(fields, ' ');
    take(fields);
  }
}

static uint64_t numberOf(StringRef text) {
  uint64_t number = 0;
  text.getAsInteger(10, number);
  return number;
}

std::vector<ToolkitPart> toolkitParts() {
  std::vector<ToolkitPart> parts;
  eachLine(rows::toolkitParts(), [&](const Fields &fields) {
    ToolkitPart &part = parts.emplace_back();
    part.name = fields[0];
    fields[1].split(part.archives, ',', -1, /*KeepEmpty=*/false);
    part.always = fields[2] == "1";
    part.isTool = fields[3] == "1";
    for (StringRef each : llvm::ArrayRef(fields).drop_front(4)) {
      auto [major, dist] = each.split(':');
      part.dists.emplace_back(unsigned(numberOf(major)), dist);
    }
  });
  return parts;
}

StringRef partOfLibrary(StringRef linkName, unsigned major) {
  for (StringRef soname : sonamesOf(linkName, major))
    if (StringRef dist = distOf(soname, major); !dist.empty())
      for (const ToolkitPart &part : toolkitParts())
        if (!part.always && part.distFor(major) == dist)
          return part.name;
  return "";
}

bool wheelsHaveNvcc(unsigned major) {
  return llvm::any_of(toolkitParts(), [&](const ToolkitPart &part) {
    return part.name == "nvcc" && !part.distFor(major).empty();
  });
}

std::optional<PublishedFile> publishedWheel(StringRef dist, StringRef version, StringRef machine) {
  std::optional<PublishedFile> found;
  eachLine(rows::toolkitWheels(), [&](const Fields &fields) {
    if (fields[0] == dist && fields[1] == version && fields[2] == machine)
      found = {fields[0], fields[1], fields[3], numberOf(fields[4]), numberOf(fields[5])};
  });
  return found;
}

StringRef archivedRelease(CudaVersion line) {
  StringRef found;
  eachLine(rows::archives(), [&](const Fields &fields) {
    if (CudaVersion::parse(fields[0]) == line)
      found = fields[0];
  });
  return found;
}

std::optional<PublishedFile> publishedArchive(StringRef release, StringRef component,
                                              StringRef platform) {
  std::optional<PublishedFile> found;
  StringRef machine = platform;
  machine.consume_front("linux-");
  eachLine(rows::archives(), [&](const Fields &fields) {
    if (fields[0] == release && fields[1] == component && fields[3] == machine)
      found = {fields[1], fields[2], fields[4], numberOf(fields[5]), numberOf(fields[6])};
  });
  return found;
}

} // namespace cudacc::tables
