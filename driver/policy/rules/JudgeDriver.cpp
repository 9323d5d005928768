// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/Overrides.h"
#include "driver/policy/coherence/Guard.h"
#include "driver/policy/rules/BinaryCase.h"
#include "driver/policy/rules/Evidence.h"
#include "driver/policy/rules/Judge.h"
#include "driver/tables/lookup/Device.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;

static Exported exportedByDriver(const BinaryCase &judged, StringRef soname, StringRef symbol) {
  const Target &target = judged.target;
  auto table = tables::SymbolTable::find(soname, target.line.major);
  auto version = Version::parse(target.driver);
  if (!table || !version)
    return Exported::Unknown;
  if (Exported answer = table->exported(*version, symbol); answer != Exported::Unknown)
    return answer;
  auto cuda = tables::cudaOfDriver(*version);
  Exported answer = cuda ? tables::driverExports(cuda->cuda, symbol) : Exported::Unknown;
  return answer == Exported::No && !cuda->exact ? Exported::Unknown : answer;
}

/// The oldest driver that exports all names: "CUDA 12.5, driver 555.42.02", or the oldest one that
/// was read, "driver 570.195.03", where no header has them.
static std::string firstDriverWith(StringRef soname, llvm::ArrayRef<StringRef> names) {
  CudaVersion newest;
  for (StringRef name : names)
    if (auto since = tables::driverSince(name))
      newest = std::max(newest, since->cuda);
  auto table = tables::SymbolTable::find(soname, 0);
  for (size_t i = 0; !newest.known() && table && i != table->size(); ++i)
    if (llvm::all_of(names,
                     [&](StringRef name) { return table->exported(i, name) == Exported::Yes; }))
      return fmt::format("driver {}", table->at(i).version);
  if (!newest.known())
    return "no driver that is known";
  StringRef driver = tables::firstDriverOf(newest);
  return fmt::format("CUDA {}{}", newest, driver.empty() ? "" : fmt::format(", driver {}", driver));
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
    driver += fmt::format(", CUDA {}", target.driverCuda);
  for (auto *names : {&missing, &unknown}) {
    if (names->empty())
      continue;
    llvm::sort(*names);
    bool lacks = names == &missing;
    std::string symbol = names->front().str();
    Finding &finding = judged.addAbout(
        lacks ? Code::ImportMissing : Code::NoExportList,
        (lacks ? "the declared driver lacks " : "not known whether the driver has ") + symbol,
        imports.soname, driver, *names);
    if (lacks)
      finding.addFact("first in", firstDriverWith(imports.soname, *names));
    finding.addFact("has", driver);
    finding.addFix(lacks ? "declare a newer driver, or look the name up at run time with "
                           "cuGetProcAddress"
                         : "look the name up at run time, where its absence can be handled");
  }
}

/// At a link, a static cudart that the command line does not name, as one inside an object of
/// `ld -r`, is judged like one that it names.
static bool judgeCudartRelease(BinaryCase &judged) {
  if (!judged.input.atLink)
    return false;
  auto accepts = [&](StringRef requirement) { return judged.accepts(requirement); };
  Fact where{"library", "inside the output, by the functions of its symbol table"};
  auto found = judgeRelease(judged.target, "libcudart_static.a", judged.file.cudartRelease,
                            std::move(where), judged.lookAround, accepts);
  if (!found)
    return false;
  judged.add(found->code, found->message) = std::move(*found);
  return true;
}

/// A static cudart is of the toolkit that linked it, and rejects a driver of an older major (error
/// 35) whichever cudart the runtime has.
static void judgeStaticCudart(BinaryCase &judged) {
  if (!hasStaticCudart(judged.file))
    return;
  const Target &target = judged.target;
  CudaVersion least = leastToolkit(judged.file), has = target.driverCuda;
  bool declared = has.known();
  if (!declared)
    has = target.line;
  bool isNewer = judgeCudartRelease(judged);
  if ((isNewer && !declared) || least.major <= has.major)
    return;
  Finding &finding = judged.add(
      Code::DriverMajor, fmt::format("the cudart inside needs a driver of CUDA {}", least.major));
  if (!declared)
    finding.severity = Severity::Warning;
  finding.addFact("because",
                  fmt::format("{} of CUDA {} or newer",
                              judged.file.cudartRelease == least ? "its functions are those"
                                                                 : "the device code is",
                              least));
  finding.addFact(declared ? "driver" : "runtime",
                  declared ? fmt::format("{}, CUDA {}", target.driver, has)
                           : fmt::format("{}, CUDA {}", target.describe(), has));
  finding.addFix(fmt::format("build with CUDA {}, or link with -cudart shared", has.major));
  if (declared)
    finding.addFix(assumptionAsFix());
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
