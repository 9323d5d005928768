// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/devicelink/LinkCase.h"
#include "driver/policy/rules/Coverage.h"
#include "driver/tables/lookup/Device.h"
#include "driver/versions/Format.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using tables::Works;

/// LO-3: `driver 525.60.13`, `a driver of CUDA 12.9 (575.51.03)`. A driver that no table has is
/// named by its CUDA version.
static std::string driverNeeded(CudaVersion linker, bool ptx) {
  if (!ptx) {
    llvm::StringRef floor = tables::driverFloor(linker.major);
    return floor.empty() ? fmt::format("a driver of CUDA {}", linker)
                         : fmt::format("driver {} or newer", floor);
  }
  CudaVersion isa = tables::ptxOf(linker), least = tables::minCudaOfPtx(isa).value_or(linker);
  llvm::StringRef first = tables::firstDriverOf(least);
  return first.empty() ? fmt::format("a driver of CUDA {} or newer", least)
                       : fmt::format("driver {} or newer, for PTX ISA {}", first, isa);
}

/// LO-3.
static Finding unknownDriver(CudaVersion linker, const DriverFacts &driver, bool ptx) {
  auto absent = judgeDriverFacts(driver, linker);
  Finding finding = absent ? std::move(*absent)
                           : makeFinding(Code::NotJudged, "whether the output loads is not judged: "
                                                          "no driver is known");
  finding.addFact("linked by", fmt::format("nvJitLink {}", linker));
  finding.addFact("needs", driverNeeded(linker, ptx));
  return finding;
}

/// LO-1.
static std::optional<Finding> judgeCubin(CudaVersion linker, const DriverFacts &driver) {
  if (auto finding = judgeDriverFacts(driver, linker))
    return finding;
  if (linker <= driver.cuda)
    return std::nullopt;
  Finding finding = makeFinding(Code::DriverBranch,
                                fmt::format("{} runs machine code of CUDA {} by minor-version "
                                            "compatibility",
                                            driverName(driver), linker));
  finding.severity = Severity::Remark;
  return finding;
}

/// LO-2.
static std::optional<Finding> judgePtxOutput(CudaVersion linker, const DriverFacts &driver) {
  if (linker <= driver.cuda)
    return std::nullopt;
  CudaVersion isa = tables::ptxOf(linker);
  Works works = driver.cuda.known() ? tables::translatesPtx(driver.cuda, isa) : Works::No;
  if (works == Works::Yes)
    return std::nullopt;
  Finding finding =
      works == Works::No
          ? makeFinding(Code::PtxNewer, fmt::format("PTX of nvJitLink {} is newer than {} "
                                                    "translates",
                                                    linker, driverName(driver)))
          : makeFinding(Code::UnknownRelease,
                        fmt::format("no table says which PTX nvJitLink {} writes", linker));
  finding.addFact("needs", driverNeeded(linker, true));
  finding.addFix("link machine code: --emit cubin");
  if (llvm::StringRef first = tables::firstDriverOf(linker); !first.empty())
    finding.addFix(fmt::format("declare driver>={}, where the machines have it", first));
  return finding;
}

std::vector<Finding> judgeLinkOutput(CudaVersion linker, const DriverFacts &driver, bool ptx) {
  if (!linker.known())
    return {}; // LO-4
  if (!isKnown(driver))
    return {unknownDriver(linker, driver, ptx)};
  auto finding = ptx ? judgePtxOutput(linker, driver) : judgeCubin(linker, driver);
  if (!finding)
    return {};
  finding->addFact("linked by", fmt::format("nvJitLink {}", linker));
  return {std::move(*finding)};
}

static std::optional<Finding> judgeLinkerRelease(const Target &target, const LinkedCode &linked) {
  if (!linked.linker.known() || !target.line.known())
    return std::nullopt;
  const TargetLibrary *row = nvJitLinkOf(target);
  CudaVersion runtime = row && row->cuda.known() ? row->cuda : target.line;
  bool isOtherMajor = linked.linker.major != runtime.major;
  if (!isOtherMajor && (linked.linker <= runtime || target.enforce == Enforce::Symbols))
    return std::nullopt;
  Finding finding = makeFinding(
      isOtherMajor ? Code::TargetMajor : Code::TargetNewer,
      fmt::format("nvJitLink {} {} runtime CUDA {}", linked.linker,
                  isOtherMajor ? "is of another major than" : "is newer than", runtime));
  finding.addFact("linker", linked.library);
  finding.addFact("runtime", target.describe());
  finding.addFix("link with the runtime's own nvJitLink: --for env:PATH");
  return finding;
}

static std::optional<Finding> judgePtxFor(const Target &target, const LinkedCode &linked) {
  CudaVersion translator = translatorOf(target);
  if (!translator.known() || tables::translatesPtx(translator, linked.isa) != Works::No)
    return std::nullopt;
  Finding finding = makeFinding(
      Code::PtxNewer, fmt::format("PTX ISA {} is newer than CUDA {}", linked.isa, translator));
  finding.addFact("runtime", target.describe());
  finding.addFix("emit a cubin");
  return finding;
}

std::vector<Finding> judgeLinkedFor(const Target &target, const LinkedCode &linked) {
  std::vector<Finding> findings;
  for (auto judge : {judgePtxFor, judgeLinkerRelease})
    if (auto finding = judge(target, linked))
      findings.push_back(std::move(*finding));
  return findings;
}

} // namespace cudacc::policy
