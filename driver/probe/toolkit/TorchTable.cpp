// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/toolkit/TorchTable.h"
#include "driver/probe/toolkit/TorchTablePlace.h"
#include "driver/support/Paths.h"

namespace cudacc::probe {

using namespace core;
using namespace support;

/// Twice the maximum size of the file.
static constexpr uint64_t largestTable = 8 << 20;

const tables::TorchNames *TorchTable::names() {
  std::call_once(once, [this] { read(); });
  return table ? &*table : nullptr;
}

const Finding *TorchTable::problem() { return names() ? nullptr : &why; }

// The installed place is tried first, then the program's directory, as in a build tree.
static std::string installedFor(llvm::StringRef self, Files &files) {
  return normalizePath(joinPath(parentOf(self), torchTablePlace), files);
}

static std::string besideOf(llvm::StringRef self) {
  return joinPath(parentOf(self), "torch-names.bin");
}

std::string TorchTable::find(llvm::StringRef self, Files &files) {
  for (std::string path : {installedFor(self, files), besideOf(self)})
    if (files.stat(path).exists())
      return path;
  return {};
}

std::optional<TreeEntry> TorchTable::linkFor(llvm::StringRef self, Files &files) {
  std::string path = find(self, files);
  if (path.empty())
    return std::nullopt;
  TreeEntry entry;
  llvm::StringRef inside = torchTablePlace;
  bool isInside = inside.consume_front("../") && !inside.contains("../");
  entry.path = isInside ? inside.str() : "bin/torch-names.bin";
  entry.text = files.realPath(path).value_or(path);
  entry.namesPlace = true;
  return entry;
}

void TorchTable::read() {
  why.code = Code::BrokenFacts;
  why.severity = Severity::Remark;
  std::string path = find(self, files);
  if (path.empty()) {
    why.message = "the table of torch's names is missing";
    why.facts = {{"wanted", installedFor(self, files)}, {"or", besideOf(self)}};
    why.fixes = {"install cuda-cc completely: cmake --install BUILD"};
    return;
  }
  why.facts = {{"where", path}};
  why.fixes = {"install cuda-cc again, which writes the file"};
  auto text = files.read(path, largestTable);
  if (!text) {
    why.message = "the table of torch's names cannot be read";
    why.addFact("problem", toFinding(text.takeError()).message);
    return;
  }
  bytes = std::move(*text);
  auto viewed = tables::TorchNames::view(bytes);
  if (viewed) {
    table = std::move(*viewed);
    return;
  }
  Finding found = toFinding(viewed.takeError());
  why.message = std::move(found.message);
  why.facts.insert(why.facts.end(), found.facts.begin(), found.facts.end());
}

} // namespace cudacc::probe
