// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/BinaryCase.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

namespace cudacc::policy {

using namespace core;
using namespace versions;

namespace {

/// Everything that the fatbin entries of all units name.
struct Inventory {
  std::set<Arch> sass;
  /// PTX ISA and architecture.
  std::set<std::pair<CudaVersion, Arch>> ptx;
  CudaVersion lto;
  uint64_t codeless = 0;

  explicit Inventory(const DeviceCode &code) {
    for (const DeviceUnit &unit : code.units)
      for (const DeviceImage &image : unit.images)
        add(image, unit.count);
  }

  void add(const DeviceImage &image, uint64_t count) {
    if (image.kind == ImageKind::Ptx)
      ptx.insert({image.version, image.arch});
    else if (image.kind == ImageKind::LtoIr)
      lto = std::max(lto, image.version);
    else if (image.kind == ImageKind::Cubin && (image.code != HasCode::No || image.relocatable))
      sass.insert(image.arch);
    else if (image.kind == ImageKind::Cubin)
      codeless += count;
  }

  std::string str() const {
    std::vector<std::string> parts;
    for (Arch arch : sass)
      parts.push_back(arch.str());
    for (const auto &[isa, arch] : ptx)
      parts.push_back(fmt::format("PTX ISA {} for {}", isa, arch.str("compute_")));
    if (lto.known())
      parts.push_back(fmt::format("LTO-IR {}", lto));
    return llvm::join(parts, ", ");
  }
};

} // namespace

/// An unreadable container is an error only if a GPU or a driver is declared, since their rules
/// cannot be checked.
static void judgeUnknown(BinaryCase &judged, Code code, std::vector<std::string> clauses,
                         const char *message) {
  if (clauses.empty())
    return;
  Finding &finding = judged.add(code, message);
  for (std::string &clause : clauses)
    finding.addFact("container", std::move(clause));
  // For a file of device code nothing else is judged, so it is an error there too.
  if (judged.target.gpus.empty() && judged.target.driver.empty() &&
      judged.file.kind != BinaryKind::DeviceCode)
    finding.severity = Severity::Remark;
}

void judgeDevice(BinaryCase &judged) {
  const DeviceCode &code = judged.file.device;
  if (!code.brokenWrappers.empty()) {
    Finding &finding =
        judged.add(Code::FatbinWrapper, "a fatbin wrapper does not point at device code");
    for (const std::string &wrapper : code.brokenWrappers)
      finding.addFact("wrapper", wrapper);
    finding.addFix("link again; tools that move sections cause this");
  }
  judgeUnknown(judged, Code::UnknownContainer, code.unknown, "device code of an unknown form");
  judgeUnknown(judged, Code::LimitReached, code.limits, "device code was not read to its end");
  if (!code.disagreements.empty()) {
    Finding &finding =
        judged.add(Code::HeaderPayload, "headers of device code disagree with their contents");
    for (const std::string &each : code.disagreements)
      finding.addFact("entry", each);
  }
  // A link reports only what is wrong; a check also lists what is there.
  if (judged.input.atLink && !judged.input.remarks)
    return;
  Inventory inventory(code);
  if (std::string text = inventory.str(); !text.empty())
    judged.add(Code::Architectures, "device code: " + text);
  if (inventory.codeless != 0)
    judged.add(Code::CubinWithoutCode, fmt::format("{} {} without code", inventory.codeless,
                                                   inventory.codeless == 1 ? "cubin" : "cubins"));
  if (!code.otherSections.empty())
    judged.add(Code::OtherContainers,
               fmt::format("device code in {}, loaded by the file's own code",
                           llvm::join(code.otherSections, ", ")));
}

} // namespace cudacc::policy
