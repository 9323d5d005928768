// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/Words.h"
#include "driver/policy/coherence/Guard.h"
#include "driver/policy/rules/BinaryCase.h"
#include "driver/tables/lookup/Device.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

namespace cudacc::policy {

using namespace core;
using namespace versions;

namespace {

using Lines = llvm::SmallVector<CudaVersion, 3>;

/// Versions of the file's LTO-IR that a link may read; private containers are not judged.
std::set<CudaVersion> versionsIn(const DeviceCode &code) {
  std::set<CudaVersion> versions;
  for (const DeviceUnit &unit : code.units)
    if (unit.home != DeviceUnit::Home::Elsewhere)
      for (const DeviceImage &image : unit.images)
        if (image.kind == ImageKind::LtoIr)
          versions.insert(image.version);
  return versions;
}

/// The toolkits according to the objects' records; empty unless every object has one.
std::set<CudaVersion> recordedToolkits(const Manifest &manifest) {
  std::set<CudaVersion> toolkits;
  for (const LinkRecord &link : manifest.links)
    if (link.unnoted.value_or(1) != 0)
      return toolkits;
  for (const auto &[record, count] : manifest.objects)
    if (auto version = CudaVersion::parse(record.toolkit))
      toolkits.insert(*version);
  return toolkits;
}

std::string text(llvm::ArrayRef<CudaVersion> lines) {
  std::vector<std::string> parts;
  for (CudaVersion line : lines)
    parts.push_back(line.str());
  return llvm::join(parts, ", ");
}

struct LtoCase {
  BinaryCase &judged;
  CudaVersion version, consumer;
  const TargetLibrary *linker;
  bool recorded;

  Finding &add(Code code, const std::string &message, llvm::ArrayRef<CudaVersion> producers) {
    Finding &finding = judged.add(code, message);
    if (linker) {
      finding.library = linker->soname;
      finding.origin = linker->origin;
    }
    std::string from = producers.empty() ? "no toolkit that is known" : "CUDA " + text(producers);
    finding.addFact("LTO-IR", fmt::format("{}, written by {}{}", version, from,
                                          recorded ? " (the objects' records)" : ""));
    finding.addFact("linker",
                    linker ? fmt::format("{} {}, {}", linker->dist, linker->version, linker->origin)
                           : fmt::format("nvJitLink of CUDA {}", consumer));
    return finding;
  }
};

} // namespace

static void judgeVersion(LtoCase lto, Lines producers) {
  std::string of = fmt::format("LTO-IR {}", lto.version);
  if (producers.empty()) {
    lto.add(Code::UnknownContainer, of + " is of no known toolkit", {})
        .addFix("a newer cuda-cc may know it");
    return;
  }
  Lines taken, refused;
  for (CudaVersion producer : producers)
    (takesLtoIr(producer, lto.consumer) ? taken : refused).push_back(producer);
  if (taken.empty()) {
    Finding &finding =
        lto.add(Code::LtoIrNewer,
                fmt::format("{} does not link with nvJitLink {}", of, lto.consumer), producers);
    finding.addFact("because", "a linker takes LTO-IR of its own release or an older one");
    auto accepts = [&](llvm::StringRef requirement) { return lto.judged.accepts(requirement); };
    finding.fixes = fixesFor(lto.judged.target, producers.front(), lto.judged.lookAround, accepts);
    return;
  }
  if (!refused.empty()) {
    lto.add(Code::LtoIrSeveralMinors,
            fmt::format("{} may be newer than nvJitLink {}", of, lto.consumer), producers)
        .addFix("compile through cuda-cc, whose records name the toolkit");
    return;
  }
  if (producers.front().major < lto.consumer.major)
    lto.add(Code::LtoIrOlderMajor, of + " is of an older CUDA major than nvJitLink", producers)
        .addFact("because", "measured to link; NVIDIA promises it inside a major only");
}

void judgeLto(BinaryCase &judged) {
  const Target &target = judged.target;
  std::set<CudaVersion> toolkits = recordedToolkits(judged.file.manifest);
  const TargetLibrary *linker = nvJitLinkOf(target);
  CudaVersion consumer = linker && linker->cuda.known() ? linker->cuda : target.line;
  for (CudaVersion version : versionsIn(judged.file.device)) {
    Lines producers = tables::linesOfLtoIr(version), recorded;
    llvm::copy_if(producers, std::back_inserter(recorded),
                  [&](CudaVersion line) { return toolkits.count(line) != 0; });
    bool known = !recorded.empty();
    judgeVersion({judged, version, consumer, linker, known}, known ? recorded : producers);
  }
}

} // namespace cudacc::policy
