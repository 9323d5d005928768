// SPDX-License-Identifier: Apache-2.0
#include "driver/resolve/InstalledCuda.h"
#include "driver/tables/lookup/Libraries.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::resolve {

using namespace core;
using namespace versions;
using llvm::StringRef;

bool PlacedLibrary::isRuntime() const {
  return !library->bundled && StringRef(library->soname).starts_with("libcudart.so.");
}

unsigned majorOfSuffix(StringRef dist) {
  unsigned major = 0;
  StringRef digits = dist.rsplit("-cu").second;
  return digits.size() == 2 && !digits.getAsInteger(10, major) ? major : 0;
}

/// Fills in dist, major and line. Many SONAMEs are the same in two majors; the distribution tells
/// them apart, else the folder.
static void place(PlacedLibrary &placed, const tables::UserTables *more) {
  const InstalledLibrary &library = *placed.library;
  auto majors = tables::majorsOf(library.soname);
  placed.major = majorOfSuffix(library.dist);
  if (!placed.major && majors.size() == 1)
    placed.major = majors.front();
  for (unsigned major : majors) {
    if (placed.major && placed.major != major)
      continue;
    StringRef dist = tables::distOf(library.soname, major);
    CudaVersion line = tables::lineOf(dist, placed.version, more);
    bool same = dist == library.dist;
    // A conda package has the version of the same component in wheels.
    bool conda = library.folder.empty() && line.known() && line.major == major;
    if (!same && !conda)
      continue;
    placed.major = major;
    placed.dist = dist;
    placed.line = line;
    break;
  }
  if (placed.dist.empty())
    placed.dist = library.dist;
  if (!placed.line.known())
    placed.line = tables::lineOf(library.dist, placed.version, more);
  if (placed.major)
    return;
  StringRef folder = library.folder;
  if (folder.consume_front("nvidia/cu"))
    folder.split('/').first.getAsInteger(10, placed.major);
}

std::vector<PlacedLibrary> placedLibraries(const PythonEnvironment &environment,
                                           const tables::UserTables *more) {
  std::vector<PlacedLibrary> all;
  for (const InstalledLibrary &library : environment.libraries) {
    if (!tables::libraryByFileName(library.soname))
      continue;
    PlacedLibrary &placed = all.emplace_back();
    placed.library = &library;
    placed.version = Version::parse(library.version).value_or(Version{});
    if (!library.bundled) {
      place(placed, more);
      continue;
    }
    // A library bundled with torch has no version of its own; it is of the toolkit that built
    // torch.
    placed.dist = library.dist;
    placed.line = lineOfTorch(environment);
    placed.major = placed.line.major;
  }
  return all;
}

CudaVersion lineOfTorch(const PythonEnvironment &environment) {
  if (!environment.torch)
    return {};
  return CudaVersion::parse(environment.torch->cuda).value_or(CudaVersion{});
}

} // namespace cudacc::resolve
