// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/StableAbi.h"
#include "driver/policy/rules/BinaryCase.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;

static StringRef nameOf(StringRef path) { return path.substr(path.find_last_of("/!") + 1); }

/// Python tag and ABI tag: `cp39` and `abi3` of `dist/x-1.0-cp39-abi3-linux_x86_64.whl!pkg/ext.so`;
/// empty if the path names no wheel.
static std::pair<StringRef, StringRef> tagsOf(StringRef path) {
  StringRef wheel = path.split('!').first;
  if (wheel == path || !wheel.consume_back(".whl"))
    return {};
  auto [front, platform] = nameOf(wheel).rsplit('-');
  auto [before, abi] = front.rsplit('-');
  return {before.rsplit('-').second, abi};
}

/// X of the oldest 3.X in `cp38.cp39`; std::nullopt if there is no CPython 3.
static std::optional<unsigned> versionOf(StringRef tag) {
  std::optional<unsigned> oldest;
  llvm::SmallVector<StringRef, 4> parts;
  tag.split(parts, '.');
  for (StringRef part : parts) {
    unsigned minor;
    if (part.consume_front("cp3") && !part.getAsInteger(10, minor))
      oldest = std::min(oldest.value_or(minor), minor);
  }
  return oldest;
}

std::string PythonAbi::Name::text() const {
  return since ? fmt::format("{}, since 3.{}", symbol, since)
               : fmt::format("{}, in no limited API", symbol);
}

/// `ext.cpython-311-x86_64-linux-gnu.so` is for a single version.
static bool isForOneVersion(StringRef name) { return name.contains(".cpython-"); }

std::optional<PythonAbi> pythonAbiOf(const BinaryFacts &file) {
  PythonAbi abi;
  StringRef name = nameOf(file.path);
  auto [python, tag] = tagsOf(file.path);
  llvm::SmallVector<StringRef, 2> tags;
  tag.split(tags, '.');
  bool tagged = llvm::is_contained(tags, "abi3");
  if (file.kind != BinaryKind::SharedObject ||
      (stableAbiOf(name) != "abi3" && (!tagged || isForOneVersion(name))))
    return std::nullopt;
  if (tagged) {
    abi.stated = versionOf(python);
    abi.tag = fmt::format("{}-{}", python, tag);
  }
  bool any = false;
  for (const Import &import : file.imports) {
    if (import.weak || !tables::isPythonName(import.symbol))
      continue;
    any = true;
    unsigned since = tables::limitedApiSince(import.symbol).value_or(0);
    abi.least = std::max(abi.least, since);
    if (since == 0 || (abi.stated && since > *abi.stated))
      abi.beyond.push_back({import.symbol, since});
  }
  if (!any)
    return std::nullopt;
  return abi;
}

bool isTorchShim(StringRef symbol) {
  return symbol.starts_with("aoti_torch_") || symbol.starts_with("torch_");
}

bool mentionsTorch(StringRef symbol) {
  static constexpr StringRef scopes[] = {"N2at",  "N3c10",  "N5torch",  "N6caffe2",
                                         "NK2at", "NK3c10", "NK5torch", "NK6caffe2"};
  return symbol.starts_with("_Z") &&
         llvm::any_of(scopes, [&](StringRef scope) { return symbol.contains(scope); });
}

bool usesUnstableTorch(const BinaryFacts &file) {
  return llvm::any_of(file.imports, [](const Import &import) {
    return !isTorchShim(import.symbol) &&
           (tables::isInTorchFashion(import.symbol) || mentionsTorch(import.symbol));
  });
}

bool usesStableTorchOnly(const BinaryFacts &file) {
  return llvm::any_of(file.imports,
                      [](const Import &import) { return isTorchShim(import.symbol); }) &&
         !usesUnstableTorch(file);
}

std::string stableFloorOf(const TorchRange &range) {
  std::string floor;
  for (const TorchRange::Release &each : llvm::reverse(range.releases)) {
    if (each.has != Exported::Yes)
      break;
    floor = each.release;
  }
  return floor;
}

std::string stableTorchText(StringRef floor) {
  return fmt::format("torch's stable ABI alone{}", floor.empty() ? "" : ", torch >= " + floor);
}

static void judgePython(BinaryCase &judged) {
  auto abi = pythonAbiOf(judged.file);
  if (!abi)
    return;
  // A name like CPython's may be defined by another library.
  llvm::erase_if(abi->beyond, [&](const PythonAbi::Name &name) {
    return name.since == 0 && definedByOthers(judged, name.symbol) == Exported::Yes;
  });
  if (abi->beyond.empty()) {
    if (!judged.input.atLink || judged.input.remarks)
      judged.add(Code::StableAbi, "Python's limited API alone, Python >= " + abi->leastText());
    return;
  }
  constexpr size_t shown = 8;
  Finding &finding =
      judged.add(Code::BeyondLimitedApi,
                 "it imports more than Python's limited API" +
                     (abi->stated ? fmt::format(" of 3.{}", *abi->stated) : std::string()));
  finding.symbol = abi->beyond.front().symbol.str();
  for (const PythonAbi::Name &name : llvm::ArrayRef(abi->beyond).take_front(shown))
    finding.addFact("symbol", name.text());
  if (abi->beyond.size() > shown)
    finding.addFact("and", fmt::format("{} more", abi->beyond.size() - shown));
  if (!abi->tag.empty())
    finding.addFact("stated", abi->tag + " in the wheel's name");
  bool areAllLater =
      llvm::all_of(abi->beyond, [](const PythonAbi::Name &name) { return name.since != 0; });
  unsigned wanted = abi->stated.value_or(abi->least);
  finding.addFix(
      fmt::format("define -DPy_LIMITED_API=0x03{:02x}0000 in every source file", wanted));
  if (areAllLater)
    finding.addFix(fmt::format("state what it needs: py_limited_api = cp3{}", abi->least));
  else
    finding.addFix("build a wheel for each Python, without abi3");
}

static void judgeTorchAbi(BinaryCase &judged) {
  if ((judged.input.atLink && !judged.input.remarks) || !usesStableTorchOnly(judged.file))
    return;
  std::string floor;
  if (judged.input.torchTable)
    if (const tables::TorchNames *names = judged.input.torchTable->names)
      floor = stableFloorOf(
          torchRangeOf(torchImports(judged.file, names), *names, judged.file.machine,
                       [&](StringRef symbol) { return definedBesideTorch(judged, symbol); }));
  judged.add(Code::StableAbi, stableTorchText(floor));
}

void judgeStableAbi(BinaryCase &judged) {
  judgePython(judged);
  judgeTorchAbi(judged);
}

} // namespace cudacc::policy
