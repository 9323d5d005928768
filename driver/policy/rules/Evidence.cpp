// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/Evidence.h"
#include "driver/tables/lookup/Device.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/versions/Format.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;

CudaVersion highest(const DeviceCode &device, ImageKind kind) {
  CudaVersion top;
  for (const DeviceUnit &unit : device.units)
    for (const DeviceImage &image : unit.images)
      if (image.kind == kind)
        top = std::max(top, image.version);
  return top;
}

static void addDevice(const DeviceCode &device, std::vector<Evidence> &out) {
  if (CudaVersion isa = highest(device, ImageKind::Ptx); isa.known())
    out.push_back({"SY-21",
                   fmt::format("PTX ISA {}", isa),
                   tables::minCudaOfPtx(isa).value_or(CudaVersion()),
                   {}});
}

static void addLtoIr(const DeviceCode &device, std::vector<Evidence> &out) {
  CudaVersion version = highest(device, ImageKind::LtoIr);
  if (!version.known())
    return;
  Evidence evidence{"SY-33", fmt::format("LTO-IR {}", version), {}, {}};
  if (auto lines = tables::linesOfLtoIr(version); !lines.empty()) {
    evidence.least = lines.front();
    evidence.most = lines.back();
  }
  out.push_back(std::move(evidence));
}

/// The version suffix of nvJitLink's names comes from the toolkit's nvJitLink header.
static void addNvJitLink(const BinaryFacts &facts, std::vector<Evidence> &out) {
  CudaVersion top;
  llvm::StringRef symbol;
  for (const Import &import : facts.imports)
    if (auto suffix = tables::nvJitLinkSuffix(import.symbol); suffix && *suffix > top) {
      top = *suffix;
      symbol = import.symbol;
    }
  if (top.known())
    out.push_back({"SY-22", fmt::format("imports {}", symbol), top, top});
}

static void addFloor(llvm::ArrayRef<LibraryFloor> floors, std::vector<Evidence> &out) {
  const LibraryFloor *top = nullptr;
  for (const LibraryFloor &floor : floors)
    if (floor.cuda.known() && !floor.oldestOpened && (!top || floor.cuda > top->cuda))
      top = &floor;
  if (top)
    out.push_back({"SY-23", "imports of " + top->soname, top->cuda, {}});
}

/// nvcc 13 launches kernels through names that begin with two underscores; names for per-thread
/// default streams end in `_ptsz`.
static void addLaunchStub(const BinaryFacts &facts, std::vector<Evidence> &out) {
  bool newer = false, older = false;
  for (const Import &import : facts.imports) {
    llvm::StringRef name = import.symbol;
    name.consume_back("_ptsz");
    newer |= name == "__cudaLaunchKernel" || name == "__cudaGetKernel";
    older |= name == "cudaLaunchKernel";
  }
  if (newer)
    out.push_back({"SY-24", "launches by __cudaLaunchKernel: nvcc of CUDA 13", {13, 0}, {}});
  else if (older && facts.device.byNvcc)
    out.push_back({"SY-24", "launches by cudaLaunchKernel: nvcc before CUDA 13", {}, {12, 9}});
}

std::vector<Evidence> evidenceOf(const BinaryFacts &facts, llvm::ArrayRef<LibraryFloor> floors) {
  std::vector<Evidence> out;
  addDevice(facts.device, out);
  addNvJitLink(facts, out);
  addFloor(floors, out);
  addLaunchStub(facts, out);
  if (facts.staticCudart)
    out.push_back({"SY-25", "static cudart", facts.cudartRelease, {}});
  addLtoIr(facts.device, out);
  return out;
}

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
  least.isa = isa;
  if (auto cuda = tables::minCudaOfPtx(isa))
    least.ptx = tables::firstDriverOf(*cuda).str();
  return least;
}

} // namespace cudacc::policy
