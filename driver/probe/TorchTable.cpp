#include "driver/probe/TorchTable.h"
#include "driver/probe/Paths.h"
#include "driver/probe/TorchTablePlace.h"

namespace cudacc::probe {

using namespace core;

/// Twice what the file may have.
static constexpr uint64_t largest = 8 << 20;

const facts::TorchNames *TorchTable::names() {
  std::call_once(once, [this] { read(); });
  return table ? &*table : nullptr;
}

const Finding *TorchTable::problem() { return names() ? nullptr : &why; }

void TorchTable::read() {
  why.code = Code::BrokenFacts;
  why.severity = Severity::Remark;
  // Where it is installed; then beside the program, as in a build tree.
  std::string installed = tidy(joinPath(parentOf(self), torchTablePlace), files);
  std::string beside = joinPath(parentOf(self), "torch-names.bin");
  std::string path = files.stat(installed).exists() ? installed : beside;
  if (!files.stat(path).exists()) {
    why.message = "the table of torch's names is missing";
    why.facts = {{"wanted", installed}, {"or", beside}};
    why.fixes = {"install cuda-cc whole: cmake --install BUILD"};
    return;
  }
  why.facts = {{"where", path}};
  why.fixes = {"install cuda-cc again, which writes the file"};
  auto text = files.read(path, largest);
  if (!text) {
    why.message = "the table of torch's names cannot be read";
    why.facts.push_back({"problem", takeFinding(text.takeError()).message});
    return;
  }
  bytes = std::move(*text);
  auto viewed = facts::TorchNames::view(bytes);
  if (viewed) {
    table = std::move(*viewed);
    return;
  }
  Finding found = takeFinding(viewed.takeError());
  why.message = std::move(found.message);
  why.facts.insert(why.facts.end(), found.facts.begin(), found.facts.end());
}

} // namespace cudacc::probe
