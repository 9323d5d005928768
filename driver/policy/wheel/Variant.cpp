// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/wheel/Variant.h"
#include "driver/policy/rules/Coverage.h"
#include "driver/policy/rules/Evidence.h"
#include "driver/policy/rules/JudgeBinary.h"
#include "driver/support/Text.h"
#include "driver/tables/lookup/Device.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;

namespace {

/// An architecture that a file was compiled for.
struct Compiled {
  ImageKind kind;
  Arch arch;

  std::string text() const {
    return fmt::format("{}_{}", arch.str(""), kind == ImageKind::Ptx ? "virtual" : "real");
  }
  auto operator<=>(const Compiled &) const = default;
};

class Derived {
public:
  Derived(llvm::ArrayRef<const BinaryFacts *> files, const std::set<unsigned> &majors)
      : files(files), majors(majors) {}
  VariantResult run();

private:
  llvm::ArrayRef<const BinaryFacts *> files;
  const std::set<unsigned> &majors;
  VariantResult result;

  void require(CudaVersion driver) {
    result.properties.lower = std::max(result.properties.lower, driver);
  }
  void fail(const std::string &message, std::vector<Fact> facts = {}) {
    result.findings.push_back(makeFinding(Code::NoVariant, message));
    result.findings.back().facts = std::move(facts);
  }
  void requireDriver(const BinaryFacts &file);
  std::set<Compiled> compiled() const;
  void addArchitectures();
};

/// The units that a GPU needs code from.
template <class Visit> void forEachUnit(const BinaryFacts &file, Visit visit) {
  for (const DeviceUnit &unit : file.device.units)
    if (unit.home == DeviceUnit::Home::Fatbin && needsCover(unit) != NeedsCover::No)
      visit(unit);
}

/// The GPUs to which the provider gives a value: machine code runs on later minors of its major;
/// PTX counts for the GPUs of its own major. What is written for one architecture is for that.
std::set<Arch> gpusOf(const Compiled &compiled) {
  Arch own{compiled.arch.number, 0};
  std::set<Arch> gpus{own};
  if (compiled.arch.suffix == 0)
    for (Arch known : tables::knownArchs()) {
      Arch gpu{known.number, 0};
      if (runsOn(ImageKind::Cubin, own, gpu))
        gpus.insert(gpu);
    }
  return gpus;
}

/// The oldest driver with which a unit has code for a GPU; std::nullopt if it has none with any.
std::optional<CudaVersion> driverFor(const DeviceUnit &unit, Arch gpu) {
  std::optional<CudaVersion> least;
  for (const DeviceImage &image : unit.images) {
    if (!runsOn(image.kind, image.arch, gpu))
      continue;
    if (image.kind == ImageKind::Cubin && image.code != HasCode::No && !image.relocatable)
      return CudaVersion{};
    if (image.kind != ImageKind::Ptx)
      continue;
    if (auto needs = tables::minCudaOfPtx(image.version))
      least = std::min(least.value_or(*needs), *needs);
  }
  return least;
}

} // namespace

void Derived::requireDriver(const BinaryFacts &file) {
  if (hasStaticCudart(file))
    require({leastToolkit(file).major, 0});
  for (const LibraryFloor &floor : floorsOf(file, *majors.begin())) {
    if (!tables::isDriverLibrary(floor.soname))
      continue;
    if (!floor.unknown.empty())
      fail(fmt::format("no driver is known to have {}", floor.unknown.front()),
           {{"file", file.path}});
    require(floor.cuda);
  }
}

std::set<Compiled> Derived::compiled() const {
  std::set<Compiled> all;
  for (const BinaryFacts *file : files)
    forEachUnit(*file, [&](const DeviceUnit &unit) {
      for (const DeviceImage &image : unit.images)
        if (image.arch.known() &&
            (image.kind == ImageKind::Ptx ||
             (image.kind == ImageKind::Cubin && image.code != HasCode::No && !image.relocatable)))
          all.insert({image.kind, image.arch});
    });
  return all;
}

void Derived::addArchitectures() {
  std::set<Compiled> candidates = compiled();
  std::map<std::string, std::vector<Fact>> lacking;
  for (const Compiled &candidate : candidates) {
    CudaVersion driver;
    const BinaryFacts *without = nullptr;
    for (const BinaryFacts *file : files)
      for (Arch gpu : gpusOf(candidate))
        forEachUnit(*file, [&](const DeviceUnit &unit) {
          auto needs = driverFor(unit, gpu);
          if (!needs)
            without = file;
          else
            driver = std::max(driver, *needs);
        });
    if (without) {
      lacking[candidate.text()].push_back({candidate.text(), fmt::format("not {}", without->path)});
      continue;
    }
    result.properties.architectures.push_back(candidate.text());
    require(driver);
  }
  llvm::sort(result.properties.architectures);
  if (!result.properties.architectures.empty() || candidates.empty())
    return;
  std::vector<Fact> facts;
  for (auto &[text, each] : lacking)
    llvm::append_range(facts, each);
  fail("there is no GPU for which all files have device code", std::move(facts));
}

VariantResult Derived::run() {
  if (majors.size() != 1) {
    std::vector<std::string> names;
    for (unsigned major : majors)
      names.push_back(fmt::format("CUDA {}", major));
    fail(majors.empty() ? "the files use no CUDA" : "the files are for several CUDA majors",
         majors.empty() ? std::vector<Fact>{}
                        : std::vector<Fact>{{"for", llvm::join(names, ", ")}});
    return std::move(result);
  }
  // Any release of a major runs on all drivers of that major.
  require({*majors.begin(), 0});
  for (const BinaryFacts *file : files)
    requireDriver(*file);
  addArchitectures();
  return std::move(result);
}

std::string VariantProperties::label() const {
  std::string text = fmt::format("cu{}", lower);
  for (auto [suffix, prefix] : {std::pair<StringRef, StringRef>{"_real", "_sm"},
                                std::pair<StringRef, StringRef>{"_virtual", "_ptx"}}) {
    StringRef before = prefix;
    for (StringRef each : architectures)
      if (each.consume_back(suffix)) {
        text += fmt::format("{}{}", before, each);
        before = "_";
      }
  }
  return text;
}

VariantResult variantOf(llvm::ArrayRef<const BinaryFacts *> files,
                        const std::set<unsigned> &majors) {
  return Derived(files, majors).run();
}

} // namespace cudacc::policy
