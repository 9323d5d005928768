// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Fetched.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/TextTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::tables {

using llvm::StringRef;
using versions::CudaVersion;

static const std::vector<PublishedFile> &published() {
  static const auto all = rows::readTable<PublishedFile>("published");
  return all;
}

const std::vector<ToolkitPart> &toolkitParts() {
  static const auto all = rows::readTable<ToolkitPart>("toolkitParts");
  return all;
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

/// \p version is empty if the release alone says it.
static std::optional<PublishedFile> find(StringRef release, StringRef name, StringRef version,
                                         StringRef machine) {
  for (const PublishedFile &file : published())
    if (file.release == release && file.name == name && file.machine == machine &&
        (version.empty() || file.version == version))
      return file;
  return std::nullopt;
}

std::optional<PublishedFile> publishedWheel(StringRef dist, StringRef version, StringRef machine) {
  return find("", dist, version, machine);
}

StringRef archivedRelease(CudaVersion line) {
  StringRef found;
  for (const PublishedFile &file : published())
    if (CudaVersion::parse(file.release) == line)
      found = file.release;
  return found;
}

std::optional<PublishedFile> publishedArchive(StringRef release, StringRef component,
                                              StringRef platform) {
  platform.consume_front("linux-");
  return find(release, component, "", platform);
}

} // namespace cudacc::tables
