#include "driver/policy/advice/Overrides.h"
#include "driver/policy/coherence/Guard.h"
#include "driver/policy/rules/BinaryCase.h"
#include "driver/policy/rules/LeastDriver.h"
#include "driver/tables/lookup/Device.h"
#include "driver/tables/lookup/Drivers.h"
#include "driver/tables/lookup/Symbols.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;

static Exported exportedByDriver(const BinaryCase &judged, StringRef soname, StringRef symbol) {
  const Target &target = judged.target;
  auto table = tables::SymbolTable::find(soname, target.line.major);
  if (!table)
    return Exported::Unknown;
  if (auto version = Version::parse(target.driver))
    if (Exported answer = table->exported(*version, symbol); answer != Exported::Unknown)
      return answer;
  return target.driverCuda.known() ? tables::driverExports(target.driverCuda, symbol)
                                   : Exported::Unknown;
}

/// The newest of the drivers that the names need: "CUDA 12.5, driver 555.42.02".
static std::string firstDriverWith(llvm::ArrayRef<StringRef> names) {
  CudaVersion newest;
  for (StringRef name : names)
    if (auto since = tables::driverSince(name))
      newest = std::max(newest, since->cuda);
  if (!newest.known())
    return "no driver that is known";
  StringRef driver = tables::firstDriverOf(newest);
  return "CUDA " + newest.str() + (driver.empty() ? "" : ", driver " + driver.str());
}

void judgeDriverImports(BinaryCase &judged, const LibraryImports &imports) {
  const Target &target = judged.target;
  if (target.driver.empty())
    return;
  std::vector<StringRef> missing, unknown;
  for (const LibraryImports::Name &name : imports.names) {
    Exported answer = exportedByDriver(judged, imports.soname, name.symbol);
    if (answer == Exported::No)
      missing.push_back(name.symbol);
    else if (answer == Exported::Unknown)
      unknown.push_back(name.symbol);
  }
  std::string driver = "driver " + target.driver;
  if (target.driverCuda.known())
    driver += ", CUDA " + target.driverCuda.str();
  for (auto *names : {&missing, &unknown}) {
    if (names->empty())
      continue;
    llvm::sort(*names);
    bool lacks = names == &missing;
    std::string symbol = names->front().str();
    Finding &finding =
        lacks ? judged.add(Code::ImportMissing, "the declared driver lacks " + symbol)
              : judged.add(Code::NoExportList, "not known whether the driver has " + symbol);
    finding.library = imports.soname;
    finding.symbol = symbol;
    finding.origin = driver;
    if (names->size() > 1)
      finding.facts.push_back({"symbols", listOf(*names)});
    if (lacks)
      finding.facts.push_back({"first in", firstDriverWith(*names)});
    finding.facts.push_back({"has", driver});
    finding.fixes.push_back(lacks
                                ? "declare a newer driver, or look the name up at run time with "
                                  "cuGetProcAddress"
                                : "look the name up at run time, where its absence can be handled");
  }
}

/// The cudart inside is of the toolkit that linked it, and refuses a driver of an older major
/// (error 35) whatever the runtime brings.
static void judgeStaticCudart(BinaryCase &judged) {
  const Target &target = judged.target;
  CudaVersion least = leastToolkit(judged.file), has = target.driverCuda;
  bool declared = has.known();
  if (!declared)
    has = target.line;
  if (!judged.file.staticCudart || least.major <= has.major)
    return;
  std::string major = std::to_string(least.major);
  Finding &finding =
      judged.add(Code::DriverMajor, "the cudart inside needs a driver of CUDA " + major);
  if (!declared)
    finding.severity = Severity::Warning;
  finding.facts.push_back({"because", "its device code is of CUDA " + least.str() + " or newer"});
  finding.facts.push_back(
      {declared ? "driver" : "runtime", declared ? target.driver + ", CUDA " + has.str()
                                                 : target.describe() + ", CUDA " + has.str()});
  finding.fixes.push_back("build with CUDA " + std::to_string(has.major) +
                          ", or link with -cudart shared");
  if (declared)
    finding.fixes.push_back(assumptionAsWayOut());
}

void judgeDriver(BinaryCase &judged) {
  judgeStaticCudart(judged);
  if (judged.file.device.empty() && judged.imports.empty())
    return;
  if (auto found = judgeDriverFloor(judged.target)) {
    Code code = found->code;
    std::string message = found->message;
    judged.add(code, std::move(message)) = std::move(*found);
  }
}

} // namespace cudacc::policy
