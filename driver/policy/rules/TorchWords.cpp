// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/TorchWords.h"
#include "driver/policy/rules/Demangled.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::policy {

using namespace core;
using llvm::StringRef;

/// Columns for the message in the first line of a finding: 77 less what surrounds it.
static constexpr size_t messageWidth = 77 - 25;
/// Most columns of a demangled name; columns and number of the further names below it.
static constexpr size_t nameWidth = 400, furtherWidth = 60, furtherShown = 3;

void addNames(llvm::ArrayRef<StringRef> names, Finding &finding) {
  finding.addFact("symbol", names.front().str());
  std::string name = demangled(names.front());
  if (name.size() > nameWidth)
    name = name.substr(0, nameWidth) + "...";
  if (!name.empty())
    finding.addFact("name", name);
  if (names.size() == 1)
    return;
  std::vector<std::string> further;
  for (StringRef each : names.drop_front().take_front(furtherShown))
    further.push_back(shortName(each, furtherWidth));
  std::string text = fmt::format("{} more: {}", names.size() - 1, llvm::join(further, ", "));
  if (names.size() - 1 > furtherShown)
    text += ", ...";
  finding.addFact("and", text);
}

static std::string torchOf(const TorchCause &cause) {
  return cause.torch.empty() ? "the runtime's torch" : "torch " + cause.torch;
}

static StringAbi otherOf(StringAbi abi) {
  return abi == StringAbi::Old ? StringAbi::New : StringAbi::Old;
}

static std::string describeAbi(StringAbi abi) {
  return definitionOf(abi) +
         (abi == StringAbi::Old ? ": std::string" : ": std::__cxx11::basic_string");
}

std::vector<std::string> torchFixes(const TorchCause &cause) {
  std::vector<std::string> fixes;
  std::string pin = cause.torch.empty() ? "torch" : "torch==" + cause.torch;
  std::string range = cause.range ? cause.range->specifier() : "";
  auto build = [&] {
    if (cause.abi != StringAbi::None) {
      fixes.push_back(
          fmt::format("compile every source with -D{} (CMake: ${{TORCH_CXX_FLAGS}} has it)",
                      definitionOf(cause.abi)));
      fixes.push_back(
          fmt::format("build with {} installed: torch.utils.cpp_extension sets it", pin));
    } else {
      fixes.push_back(
          fmt::format("build against {}: name it in build-system.requires of pyproject.toml, or "
                      "pip install --no-build-isolation where it is installed",
                      pin));
    }
  };
  auto run = [&] {
    if (!range.empty())
      fixes.push_back(fmt::format("{} 'torch{}'", cause.atLink ? "declare" : "pip install", range));
  };
  if (cause.atLink) {
    build();
    run();
  } else {
    run();
    build();
  }
  return fixes;
}

Finding torchFinding(const TorchCause &cause) {
  bool isAbi = cause.abi != StringAbi::None;
  std::string front = torchOf(cause) + " lacks ";
  StringRef first = cause.names.front();
  size_t width = front.size() < messageWidth ? messageWidth - front.size() : 8;
  Finding finding =
      isAbi ? makeFinding(Code::TorchStrings,
                          fmt::format("another std::string ABI than {} has", torchOf(cause)))
            : makeFinding(Code::TorchLacks, front + shortName(first, width));
  finding.symbol = first.str();
  addNames(cause.names, finding);
  if (isAbi) {
    finding.addFact("file", "built with " + describeAbi(otherOf(cause.abi)));
    finding.addFact("torch", "built with " + describeAbi(cause.abi));
  }
  if (cause.table) {
    finding.library = cause.table->library(first).str();
    std::string releases = releasesExporting(*cause.table, first, cause.machine);
    finding.addFact("exported by", releases.empty()
                                       ? "no release of torch that was read"
                                       : fmt::format("torch {}, {}", releases, finding.library));
  }
  if (cause.range)
    finding.addFact("file fits", "torch " + cause.range->text());
  finding.fixes = torchFixes(cause);
  return finding;
}

} // namespace cudacc::policy
