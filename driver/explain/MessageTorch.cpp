// SPDX-License-Identifier: Apache-2.0
#include "driver/explain/MessageTorch.h"
#include "driver/support/Demangled.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::explain {

using namespace core;
using namespace versions;
using llvm::StringRef;
using tables::TorchNames;

MessageTorch::MessageTorch(const Target *runtime, policy::AskTorch ask)
    : runtime(runtime), ask(ask),
      machine(runtime && runtime->machine ? runtime->machine : ownMachine().elf) {}

const TorchNames *MessageTorch::table() const { return ask ? ask().names : nullptr; }

std::optional<policy::RuntimeTorch> MessageTorch::torch() const {
  if (!runtime)
    return std::nullopt;
  std::vector<policy::RuntimeTorch> releases = policy::torchReleasesOf(*runtime);
  return releases.size() == 1 ? std::optional(releases.front()) : std::nullopt;
}

Exported MessageTorch::runtimeHas(StringRef symbol) const {
  auto release = torch();
  const TorchNames *names = release ? table() : nullptr;
  return names ? policy::exportedByTorch(*names, symbol, *release, machine) : Exported::Unknown;
}

/// `2.0.0 to 2.6.0`: the releases of the machine's builds for which \p isMeant is true; assumed to
/// be consecutive.
static std::string releasesWhere(const TorchNames &names, uint16_t machine,
                                 llvm::function_ref<bool(const TorchNames::Build &)> isMeant) {
  std::string first, last;
  for (const TorchNames::Build &build : names.builds())
    if (build.machine == machine && isMeant(build)) {
      last = build.release;
      first = first.empty() ? last : first;
    }
  return first == last ? first : fmt::format("{} to {}", first, last);
}

/// The oldest release that was read, if all that were read export the symbol.
static std::string oldestOfAll(const TorchNames &names, StringRef symbol, uint16_t machine) {
  std::string oldest;
  for (const auto &[build, has] : llvm::zip(names.builds(), names.exportedByAll(symbol))) {
    if (build.machine != machine)
      continue;
    if (has != Exported::Yes)
      return "";
    oldest = oldest.empty() ? build.release : oldest;
  }
  return oldest;
}

std::string MessageTorch::abiValue(StringRef symbol, StringRef key) const {
  policy::StringAbi its = policy::stringAbiOf(symbol);
  if (its == policy::StringAbi::None)
    return "";
  policy::StringAbi other =
      its == policy::StringAbi::Old ? policy::StringAbi::New : policy::StringAbi::Old;
  if (key == "abi")
    return policy::definitionOf(its);
  const TorchNames *names = table();
  if (!names)
    return "";
  if (key == "otherabi") {
    bool old = other == policy::StringAbi::Old;
    std::string builds = releasesWhere(
        *names, machine, [&](const TorchNames::Build &build) { return build.oldStrings == old; });
    return builds.empty()
               ? ""
               : fmt::format("{} are built with {}", builds, policy::definitionOf(other));
  }
  // The definition to set is the one of the declared torch, if that has the other ABI.
  auto release = torch();
  policy::StringAbi has =
      release ? policy::stringAbiOf(*names, *release, machine) : policy::StringAbi::None;
  return has == other ? policy::definitionOf(other) : "";
}

std::string MessageTorch::tableValue(const TorchNames &names, StringRef symbol,
                                     StringRef key) const {
  if (key == "library")
    return names.library(symbol).str();
  std::string releases = policy::releasesExporting(names, symbol, machine);
  std::string oldest = oldestOfAll(names, symbol, machine);
  if (key == "everywhere")
    return oldest;
  if (key == "releases")
    return releases;
  if (key == "nowhere")
    return releases.empty()
               ? releasesWhere(names, machine, [](const TorchNames::Build &) { return true; })
               : "";
  // Key `pin`. A name that all releases have says nothing about the release.
  if (!oldest.empty())
    return "";
  std::string specifier = policy::specifierExporting(names, symbol, machine);
  return specifier.empty() ? "" : "torch" + specifier;
}

std::string MessageTorch::value(StringRef symbol, StringRef key) const {
  if (key == "namespace")
    return symbol.contains("3c10") || symbol.contains("4c10d") ? "c10" : "torch";
  if (key == "name")
    return support::demangled(symbol);
  if (key == "runtime")
    return runtime && !runtime->torch.empty() ? runtime->describe() : "";
  if (key == "torch")
    return runtime ? runtime->torch : "";
  if (key == "abi" || key == "otherabi" || key == "definition")
    return abiValue(symbol, key);
  const TorchNames *names = table();
  return names ? tableValue(*names, symbol, key) : "";
}

} // namespace cudacc::explain
