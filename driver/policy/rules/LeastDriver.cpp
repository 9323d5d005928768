// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/LeastDriver.h"
#include "driver/policy/rules/Evidence.h"
#include "driver/tables/lookup/Device.h"
#include "driver/tables/lookup/Drivers.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;

CudaVersion leastToolkit(const BinaryFacts &file) {
  CudaVersion least = file.cudartRelease;
  for (const DeviceUnit &unit : file.device.units)
    for (const DeviceImage &image : unit.images) {
      if (image.kind == ImageKind::Ptx)
        least = std::max(least, tables::minCudaOfPtx(image.version).value_or(CudaVersion{}));
      else if (image.kind == ImageKind::LtoIr)
        if (auto lines = tables::linesOfLtoIr(image.version); !lines.empty())
          least = std::max(least, lines.front());
    }
  for (const auto &[record, count] : file.manifest.objects)
    least = std::max(least, CudaVersion::parse(record.toolkit).value_or(CudaVersion{}));
  return least;
}

bool hasStaticCudart(const BinaryFacts &file) {
  return file.staticCudart || llvm::any_of(file.manifest.links, [](const LinkRecord &link) {
           return link.cudart == "static";
         });
}

static bool needsCuda(const BinaryFacts &file) {
  return !file.device.empty() || hasStaticCudart(file) ||
         llvm::any_of(file.needed, [](const std::string &name) {
           return tables::libraryByFileName(name).has_value();
         });
}

LeastDriver leastDriver(const BinaryFacts &file, CudaVersion line) {
  LeastDriver least;
  if (!needsCuda(file))
    return least;
  unsigned major = line.major;
  // A static cudart is of the toolkit that linked it, whichever cudart the runtime has.
  if (hasStaticCudart(file))
    major = std::max(major, leastToolkit(file).major);
  least.code = tables::driverFloor(major).str();
  CudaVersion isa = highest(file.device, ImageKind::Ptx);
  if (!isa.known())
    return least;
  least.isa = isa;
  if (auto cuda = tables::minCudaOfPtx(isa))
    least.ptx = tables::firstDriverOf(*cuda).str();
  return least;
}

} // namespace cudacc::policy
