// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/TorchWords.h"
#include "driver/policy/advice/RuntimeFixes.h"
#include "driver/policy/advice/TorchThatServes.h"
#include "driver/support/Demangled.h"
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
  std::string name = support::demangled(names.front());
  if (name.size() > nameWidth)
    name = name.substr(0, nameWidth) + "...";
  if (!name.empty())
    finding.addFact("name", name);
  if (names.size() == 1)
    return;
  std::vector<std::string> further;
  for (StringRef each : names.drop_front().take_front(furtherShown))
    further.push_back(support::shortName(each, furtherWidth));
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

void setServing(TorchCause &cause, versions::TorchRange byNames,
                llvm::ArrayRef<LibraryFloor> floors,
                llvm::ArrayRef<versions::Requirement> declared) {
  if (!byNames.any())
    return;
  cause.serving = torchThatServes(floors, byNames);
  for (versions::TorchRange::Release &each : cause.serving.releases) {
    auto version = *versions::Version::parse(each.release);
    bool isExcluded = llvm::any_of(declared, [&](const versions::Requirement &requirement) {
      return requirement.name == "torch" && !requirement.marker &&
             !requirement.specifiers.contains(version);
    });
    if (isExcluded)
      each.has = versions::Exported::No;
  }
  if (!cause.serving.any())
    cause.otherBuild = otherBuildThatServes(floors, byNames, declared);
  cause.range = std::move(byNames);
}

std::string releaseForTorch(StringRef package, StringRef torch) {
  auto version = versions::Version::parse(torch);
  std::string minor = version ? fmt::format("{}.{}", version->at(0), version->at(1))
                              : std::string("of this environment");
  return fmt::format("install a release of {} that is built for torch {}", package, minor);
}

static void addBuildFixes(const TorchCause &cause, std::vector<std::string> &fixes) {
  std::string pin = cause.torch.empty() ? "torch" : "torch==" + cause.torch;
  if (!cause.package.empty()) {
    fixes.push_back(releaseForTorch(cause.package, cause.torch));
    fixes.push_back(fmt::format("build it again against {}: pip install --no-build-isolation "
                                "--no-cache-dir --no-binary {} --force-reinstall --no-deps {}",
                                pin, cause.package, cause.package));
    return;
  }
  if (cause.abi != StringAbi::None) {
    fixes.push_back(
        fmt::format("compile every source with -D{} (CMake: ${{TORCH_CXX_FLAGS}} has it)",
                    definitionOf(cause.abi)));
    fixes.push_back(fmt::format("build with {} installed: torch.utils.cpp_extension sets it", pin));
    return;
  }
  fixes.push_back(
      fmt::format("build against {}: name it in build-system.requires of pyproject.toml, or "
                  "pip install --no-build-isolation . where it is installed",
                  pin));
}

static void addRunFixes(const TorchCause &cause, std::vector<std::string> &fixes) {
  std::string range = cause.serving.specifier();
  if (!range.empty())
    fixes.push_back(cause.atLink ? fmt::format("declare 'torch{}'", range)
                                 : "pip install " + pipArguments(cause.torch, "torch" + range));
  else if (!cause.otherBuild.empty())
    fixes.push_back(cause.atLink ? fmt::format("declare 'torch=={}'", cause.otherBuild)
                                 : fmt::format("pip install 'torch=={}' --index-url {}",
                                               cause.otherBuild, indexOf(cause.otherBuild)));
}

std::vector<std::string> torchFixes(const TorchCause &cause) {
  std::vector<std::string> fixes;
  if (cause.atLink)
    addBuildFixes(cause, fixes);
  addRunFixes(cause, fixes);
  if (!cause.atLink)
    addBuildFixes(cause, fixes);
  return fixes;
}

/// The releases that the file fits, and why they are fewer than those that have its names.
static void addFits(const TorchCause &cause, Finding &finding) {
  if (!cause.range)
    return;
  std::string byNames = cause.range->text(), all = cause.serving.any() ? cause.serving.text() : "";
  if (all == byNames)
    return finding.addFact("file fits", "torch " + byNames);
  if (!all.empty())
    return finding.addFact("file fits", fmt::format("torch {}; its names alone {}", all, byNames));
  finding.addFact("names fit", "torch " + byNames);
  finding.addFact("but", cause.otherBuild.empty()
                             ? "no build of these brings the CUDA that the file needs"
                             : fmt::format("of these, torch {} brings the CUDA that the file needs",
                                           cause.otherBuild));
}

Finding torchFinding(const TorchCause &cause) {
  bool isAbi = cause.abi != StringAbi::None;
  std::string front = torchOf(cause) + " lacks ";
  StringRef first = cause.names.front();
  size_t width = std::max(messageWidth, front.size() + 8) - front.size();
  Finding finding =
      isAbi ? makeFinding(Code::TorchStrings,
                          fmt::format("another std::string ABI than {} has", torchOf(cause)))
            : makeFinding(Code::TorchLacks, front + support::shortName(first, width));
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
  addFits(cause, finding);
  finding.fixes = torchFixes(cause);
  return finding;
}

} // namespace cudacc::policy
