// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/Overrides.h"
#include "driver/policy/coherence/Guard.h"
#include "driver/tables/lookup/Device.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;

/// DR-1: a release is up to three numbers joined by dots; one is a branch.
static std::optional<Version> readRelease(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 4> parts;
  text.split(parts, '.');
  unsigned number;
  if (parts.size() > 3 ||
      llvm::any_of(parts, [&](llvm::StringRef part) { return part.getAsInteger(10, number); }))
    return std::nullopt;
  return Version::parse(text);
}

static Finding refusal(Code code, const DriverFacts &driver, CudaVersion cuda,
                       llvm::StringRef floor) {
  std::string name =
      driver.release.empty() ? fmt::format("of CUDA {}", driver.cuda) : driver.release;
  Finding finding =
      makeFinding(code, fmt::format("driver {} does not run CUDA {} code", name, cuda.major));
  finding.origin = "driver " + name;
  if (!floor.empty()) {
    finding.addFact("needs",
                    fmt::format("driver {} for machine code of CUDA {}", floor, cuda.major));
    finding.addFix(fmt::format("declare driver>={}", floor));
  }
  finding.addFix(assumptionAsFix());
  return finding;
}

static Finding notKnown(Code code, const DriverFacts &driver, std::string message) {
  Finding finding = makeFinding(code, std::move(message));
  finding.severity = driver.declared ? Severity::Error : Severity::Remark;
  return finding;
}

/// DR-4, DR-5: a driver of an older minor of the same major, or a release that the tables do not
/// know.
static std::optional<Finding> judgeBranch(const DriverFacts &driver, CudaVersion code) {
  llvm::StringRef floor = tables::driverFloor(code.major);
  auto least = Version::parse(floor);
  if (!least && code.major < 11)
    return refusal(Code::DriverBranch, driver, code, floor);
  if (!least)
    return notKnown(Code::DriverNewMajor, driver,
                    fmt::format("no table says which driver runs CUDA {} code", code));
  auto release = readRelease(driver.release);
  if (!release)
    return notKnown(Code::DriverRelease, driver,
                    driver.release.empty() ? "the driver's release cannot be determined"
                                           : "the driver is not known: " + driver.release);
  if (release->at(0) >= least->at(0))
    return std::nullopt;
  // DR-3: a driver that is older than every table is of an older major.
  return refusal(driver.cuda.known() ? Code::DriverBranch : Code::DriverMajor, driver, code, floor);
}

std::optional<Finding> judgeDriverFacts(const DriverFacts &driver, CudaVersion code) {
  if (driver.state == DriverFacts::State::NotAsked || !code.known())
    return std::nullopt;
  if (driver.state == DriverFacts::State::Absent)
    return notKnown(Code::DriverAbsent, driver, "there is no driver to run the code");
  // Check DR-3 before reading the release: an unreadable release must not weaken a definite answer.
  if (driver.cuda.known() && driver.cuda.major < code.major)
    return refusal(Code::DriverMajor, driver, code, tables::driverFloor(code.major));
  if (!driver.cuda.known() || driver.cuda < code)
    return judgeBranch(driver, code);
  // DR-7: the kernel module's release is older than the CUDA version of the user-mode libraries.
  auto release = readRelease(driver.release),
       least = Version::parse(tables::driverFloor(code.major));
  if (!release || !least || release->at(0) >= least->at(0))
    return std::nullopt;
  Finding note = refusal(Code::DriverBranch, driver, code, {});
  note.fixes.clear();
  note.severity = Severity::Remark;
  note.message = fmt::format("CUDA {} on driver {} is a forward compatibility package", driver.cuda,
                             driver.release);
  return note;
}

std::optional<Finding> judgeDriverFloor(const Target &target) {
  if (target.driver.empty())
    return std::nullopt;
  DriverFacts driver;
  driver.state = DriverFacts::State::Known;
  driver.declared = true;
  driver.cuda = target.driverCuda;
  driver.release = target.driver;
  auto finding = judgeDriverFacts(driver, target.line);
  if (finding)
    finding->addFact("runtime", target.describe());
  return finding;
}

} // namespace cudacc::policy
