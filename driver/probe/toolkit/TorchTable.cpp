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

llvm::Error TorchTable::view(const std::string &path) {
  auto text = files.read(path, largestTable);
  if (!text)
    return makeError(Code::BrokenFacts, "the table of torch's names cannot be read",
                     {{"problem", toFinding(text.takeError()).message}});
  bytes = std::move(*text);
  auto viewed = tables::TorchNames::view(bytes);
  if (!viewed)
    return viewed.takeError();
  table = std::move(*viewed);
  return llvm::Error::success();
}

void TorchTable::read() {
  // The names of a release that only the package has are then unknown, which is reported.
  if (!preferred.empty()) {
    if (llvm::Error error = view(preferred))
      llvm::consumeError(std::move(error));
    else
      return;
  }
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
  if (llvm::Error error = view(path)) {
    Finding found = toFinding(std::move(error));
    why.message = std::move(found.message);
    why.facts.insert(why.facts.end(), found.facts.begin(), found.facts.end());
  }
}

} // namespace cudacc::probe
