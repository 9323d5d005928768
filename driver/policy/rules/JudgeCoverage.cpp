// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/BinaryCase.h"
#include "driver/policy/rules/Coverage.h"
#include "driver/support/Text.h"
#include "driver/tables/lookup/Device.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

namespace cudacc::policy {

using namespace core;
using namespace versions;
using tables::Works;

namespace {

/// How the units of the file support one GPU; the counts are units.
struct GpuCover {
  Arch gpu;
  uint64_t bare = 0, unreadable = 0, unopened = 0, linkedLater = 0;
  /// What the units without usable code contain: "machine code for sm_80", "PTX ISA 8.5 for
  /// compute_80 (needs CUDA 12.5)".
  std::set<std::string> have;
};

std::string ptxText(const DeviceImage &image) {
  std::string text = fmt::format("PTX ISA {} for {}", image.version, image.arch.str("compute_"));
  if (auto needs = tables::minCudaOfPtx(image.version))
    text += fmt::format(" (needs CUDA {})", *needs);
  return text;
}

void describeUnit(const DeviceUnit &unit, std::set<std::string> &have) {
  for (const DeviceImage &image : unit.images) {
    if (image.kind == ImageKind::Ptx)
      have.insert(ptxText(image));
    else if (image.kind == ImageKind::Cubin && image.code == HasCode::Yes && !image.relocatable)
      have.insert(fmt::format("machine code for {}", image.arch));
  }
}

/// Counts a unit of a file of device code, which only serves as input of run-time linking, by what
/// such a link can make of it.
void addLinkable(const DeviceUnit &unit, Arch gpu, CudaVersion translator, GpuCover &cover) {
  bool linkable = coverOf(unit, gpu, translator) >= Cover::Ptx, unknown = false;
  for (const DeviceImage &image : unit.images) {
    if (image.kind == ImageKind::Cubin)
      linkable |= image.relocatable && runsOn(image.kind, image.arch, gpu);
    else if (image.kind == ImageKind::LtoIr)
      // LTO-IR runs on the same architectures as PTX.
      linkable |= runsOn(ImageKind::Ptx, image.arch, gpu);
    unknown |=
        image.kind == ImageKind::Unknown || (image.kind == ImageKind::LtoIr && !image.arch.known());
  }
  (linkable ? cover.linkedLater : unknown ? cover.unreadable : cover.bare) += unit.count;
}

GpuCover coverOfFile(const BinaryFacts &file, Arch gpu, CudaVersion translator) {
  const DeviceCode &code = file.device;
  GpuCover cover;
  cover.gpu = gpu;
  for (const DeviceUnit &unit : code.units) {
    if (file.kind == BinaryKind::DeviceCode && unit.home == DeviceUnit::Home::Relocatable) {
      addLinkable(unit, gpu, translator, cover);
      continue;
    }
    NeedsCover needs = needsCover(unit);
    if (unit.home != DeviceUnit::Home::Fatbin || needs == NeedsCover::No)
      continue;
    Cover has = coverOf(unit, gpu, translator);
    if (has >= Cover::Ptx)
      continue;
    if (has == Cover::Unreadable)
      cover.unreadable += unit.count;
    else if (has == Cover::Unopened || needs == NeedsCover::Maybe)
      cover.unopened += unit.count;
    else if (unit.linked && linksAtRunTime(code, gpu, translator))
      cover.linkedLater += unit.count;
    else {
      cover.bare += unit.count;
      describeUnit(unit, cover.have);
    }
  }
  return cover;
}

std::string names(llvm::ArrayRef<GpuCover> covers, uint64_t GpuCover::*which) {
  std::string text;
  for (const GpuCover &cover : covers)
    if (cover.*which != 0)
      support::appendItem(text, cover.gpu.str());
  return text;
}

std::string units(uint64_t count) {
  return fmt::format("{} {}", count, count == 1 ? "unit" : "units");
}

std::string translatorText(const BinaryCase &judged) {
  const Target &target = judged.target;
  CudaVersion translator = translatorOf(target);
  std::string text =
      target.driver.empty() ? "runtime CUDA" : fmt::format("driver {}, CUDA", target.driver);
  return fmt::format("{} {}", text, translator.known() ? translator.str() : "unknown");
}

Finding *addAbout(BinaryCase &judged, llvm::ArrayRef<GpuCover> covers, uint64_t GpuCover::*which,
                  Code code, const std::string &what) {
  std::string gpus = names(covers, which);
  if (gpus.empty())
    return nullptr;
  Finding &finding = judged.add(code, what + gpus);
  finding.origin = judged.target.gpuOrigin;
  for (const GpuCover &cover : covers)
    if (cover.*which != 0)
      finding.addFact(cover.gpu.str(),
                      units(cover.*which) +
                          (cover.have.empty() || which != &GpuCover::bare
                               ? ""
                               : fmt::format(" with {} only", llvm::join(cover.have, ", "))));
  finding.addFact("declared", judged.target.gpuOrigin);
  return &finding;
}

void judgeGpus(BinaryCase &judged, llvm::ArrayRef<GpuCover> covers) {
  if (Finding *finding = addAbout(judged, covers, &GpuCover::bare, Code::DeviceUncovered,
                                  "no device code runs on ")) {
    finding->addFact("translates", translatorText(judged));
    for (const GpuCover &cover : covers)
      if (cover.bare != 0)
        finding->addFix(
            fmt::format("compile with -gencode arch=compute_{0},code=sm_{0}", cover.gpu.number));
  }
  if (Finding *finding = addAbout(judged, covers, &GpuCover::unreadable, Code::UnknownContainer,
                                  "device code that cannot be read may be for "))
    finding->addFix("a newer cuda-cc may know it");
  if (Finding *finding = addAbout(judged, covers, &GpuCover::unopened, Code::LimitReached,
                                  "compressed device code was not opened for "))
    finding->addFix("check with --deep");
  if (Finding *finding = addAbout(judged, covers, &GpuCover::linkedLater, Code::RuntimeLinkedOnly,
                                  "only linking at run time makes code for "))
    finding->addFix("link the device code for it: -gencode at the device link too");
}

bool isNewer(const DeviceImage &image, CudaVersion translator) {
  return image.kind == ImageKind::Ptx &&
         tables::translatesPtx(translator, image.version) == Works::No;
}

bool hasCode(const DeviceUnit &unit) {
  return llvm::any_of(unit.images, [](const DeviceImage &image) {
    return image.kind == ImageKind::Cubin && image.code == HasCode::Yes && !image.relocatable;
  });
}

/// TG-5 (c): PTX that is too new, if no GPUs are declared or machine code covers all of them.
void judgeNewerPtx(BinaryCase &judged, bool covered) {
  CudaVersion translator = translatorOf(judged.target);
  std::set<std::string> beside, alone;
  uint64_t aloneUnits = 0;
  for (const DeviceUnit &unit : judged.file.device.units) {
    if (unit.home != DeviceUnit::Home::Fatbin || needsCover(unit) == NeedsCover::No)
      continue;
    bool usable = llvm::any_of(unit.images, [&](const DeviceImage &image) {
      return image.kind == ImageKind::Ptx && !isNewer(image, translator);
    });
    bool onlyPtx = !hasCode(unit) && !usable && needsCover(unit) == NeedsCover::Yes;
    for (const DeviceImage &image : unit.images)
      if (isNewer(image, translator))
        (onlyPtx ? alone : beside).insert(ptxText(image));
    if (onlyPtx &&
        llvm::any_of(unit.images, [&](const auto &image) { return isNewer(image, translator); }))
      aloneUnits += unit.count;
  }
  bool listed = !judged.target.gpus.empty();
  if (!listed && aloneUnits != 0) {
    Finding &finding =
        judged.add(Code::PtxNewer, "device code is only PTX newer than " + translatorText(judged));
    finding.addFact("has", fmt::format("{} in {}", llvm::join(alone, ", "), units(aloneUnits)));
    finding.addFact("because", "the driver refuses newer PTX with error 222");
    finding.addFix("compile machine code too: -gencode arch=compute_XY,code=sm_XY");
  }
  if (beside.empty() || !covered)
    return;
  Finding &finding =
      judged.add(listed ? Code::PtxNewerCovered : Code::NewerButUnused,
                 fmt::format("PTX newer than {} beside code that runs", translatorText(judged)));
  finding.addFact("has", llvm::join(beside, ", "));
  if (judged.ofNvidia)
    finding.severity = Severity::Remark;
}

/// FB-44: the file has only machine code, each for exactly one architecture.
void judgeSuffixes(BinaryCase &judged) {
  std::set<std::string> exact;
  for (const DeviceUnit &unit : judged.file.device.units) {
    if (unit.home != DeviceUnit::Home::Fatbin || !hasCode(unit))
      continue;
    std::set<std::string> here;
    for (const DeviceImage &image : unit.images) {
      bool code = image.kind == ImageKind::Cubin && image.code != HasCode::No && !image.relocatable;
      if (!code && image.kind != ImageKind::Ptx)
        continue;
      if (image.arch.suffix != 'a') {
        here.clear();
        break;
      }
      if (code)
        here.insert(image.arch.str());
    }
    exact.insert(here.begin(), here.end());
  }
  if (exact.empty())
    return;
  Finding &finding =
      judged.add(Code::SuffixOnly, "machine code for exactly " + llvm::join(exact, ", "));
  finding.addFact("because", "code with the suffix a runs on that GPU alone, and no other "
                             "code or PTX is beside it");
}

} // namespace

void judgeCoverage(BinaryCase &judged) {
  const Target &target = judged.target;
  CudaVersion translator = translatorOf(target);
  std::vector<GpuCover> covers;
  for (Arch gpu : target.gpus)
    covers.push_back(coverOfFile(judged.file, gpu, translator));
  judgeGpus(judged, covers);
  bool covered = llvm::all_of(covers, [](const GpuCover &cover) {
    return cover.bare + cover.unreadable + cover.unopened == 0;
  });
  judgeNewerPtx(judged, covered);
  if (!target.gpus.empty())
    judgeSuffixes(judged);
}

} // namespace cudacc::policy
