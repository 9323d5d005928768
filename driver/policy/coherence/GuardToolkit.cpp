// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/coherence/GuardToolkit.h"
#include "driver/policy/coherence/Guard.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;
using tables::PartKind;
using tables::Side;

/// The item name for headers that the call finds; the runtime's wheel has a cuda.h, too.
static constexpr StringRef foundHeaders = "cudart";

/// The kind of the part in the tables. std::nullopt if it is in no group of the build side, or is
/// represented by the headers that the call finds.
static std::optional<PartKind> kindOf(StringRef name) {
  if (name == foundHeaders)
    return std::nullopt;
  for (PartKind kind : {PartKind::Binary, PartKind::Header, PartKind::Archive, PartKind::Bitcode,
                        PartKind::Library})
    if (auto part = tables::partOf(Side::Build, kind, name); part && !part->group.empty())
      return kind;
  return std::nullopt;
}

static StringRef wheelOf(const Component &part) {
  StringRef evidence = part.evidence;
  return evidence.ends_with(".dist-info") ? evidence.rsplit('-').first.rsplit('-').first : "";
}

/// RL-5: a wheel of CCCL floats; the packages that require it do not bound its version.
static bool isFloating(const Component &part) {
  return part.name == "cccl" && !wheelOf(part).empty();
}

/// Fast path for nearly every call: no part is of another release than nvcc.
static bool agree(const Toolkit &toolkit, llvm::ArrayRef<FoundHeader> headers) {
  CudaVersion nvcc = toolkit.version();
  auto same = [&](CudaVersion cuda) { return !cuda.known() || cuda == nvcc; };
  // Of the headers only those that the call finds count.
  auto counts = [](const Component &part) {
    return part.name != foundHeaders && part.name != "cuda.h" && !isFloating(part);
  };
  return llvm::all_of(headers, [&](const FoundHeader &each) { return same(each.cuda); }) &&
         llvm::all_of(toolkit.components,
                      [&](const Component &part) { return !counts(part) || same(part.cuda); });
}

static std::vector<Item> itemsOf(const Toolkit &toolkit, llvm::ArrayRef<FoundHeader> headers) {
  std::vector<Item> items;
  for (const Component &part : toolkit.components) {
    auto kind = kindOf(part.name);
    if (!kind || isFloating(part))
      continue;
    Item &item = items.emplace_back();
    item.kind = *kind;
    item.name = part.name;
    item.path = part.path;
    item.dist = wheelOf(part).str();
    item.version = Version::parse(part.version).value_or(Version{});
    item.cuda = part.cuda;
    item.evidence = part.evidence;
  }
  for (const FoundHeader &header : headers) {
    Item &item = items.emplace_back();
    item.kind = PartKind::Header;
    item.name = foundHeaders.str();
    item.path = header.path;
    item.cuda = header.cuda;
    item.evidence = header.foundBy;
  }
  return items;
}

/// The wheels of the build in one release: the runtime's, whose cudart a framework may pin, else
/// nvcc's.
static std::string wayOut(const Toolkit &toolkit, CudaVersion runtime) {
  if (toolkit.layout != ToolkitLayout::WheelsCu13)
    return "use headers and compiler of one toolkit: take the -I, CPATH or package of the other "
           "release out";
  CudaVersion nvcc = toolkit.version(), line = runtime.major == nvcc.major ? runtime : nvcc;
  std::string fix = "pip install";
  for (StringRef dist :
       {"nvidia-cuda-nvcc", "nvidia-cuda-crt", "nvidia-nvvm", "nvidia-cuda-runtime"})
    fix += fmt::format(" '{}=={}.*'", dist, line);
  return fix;
}

std::vector<Finding> judgeCoherence(const Toolkit &toolkit, llvm::ArrayRef<FoundHeader> headers,
                                    CudaVersion runtime) {
  if (!toolkit.version().known() || agree(toolkit, headers))
    return {};
  auto findings = judgeItems(Side::Build, itemsOf(toolkit, headers), Target{});
  for (Finding &finding : findings)
    finding.addFix(wayOut(toolkit, runtime));
  return findings;
}

} // namespace cudacc::policy
