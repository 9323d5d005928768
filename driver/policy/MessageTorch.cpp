#include "driver/policy/MessageTorch.h"
#include "driver/core/Machine.h"
#include "driver/policy/Demangled.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::policy {

using namespace core;
using facts::TorchNames;
using llvm::StringRef;

MessageTorch::MessageTorch(const Target *runtime, AskTorch ask)
    : runtime(runtime), ask(ask),
      machine(runtime && runtime->machine ? runtime->machine : ownMachine().elf) {}

const TorchNames *MessageTorch::table() const { return ask ? ask().names : nullptr; }

std::optional<RuntimeTorch> MessageTorch::torch() const {
  if (!runtime)
    return std::nullopt;
  std::vector<RuntimeTorch> releases = torchReleasesOf(*runtime);
  return releases.size() == 1 ? std::optional(releases.front()) : std::nullopt;
}

Exported MessageTorch::runtimeHas(StringRef symbol) const {
  auto release = torch();
  const TorchNames *names = release ? table() : nullptr;
  return names ? exportedByTorch(*names, symbol, *release, machine) : Exported::Unknown;
}

/// `2.0.0 to 2.6.0`: the builds with that ABI of strings; they follow each other.
static std::string buildsWith(const TorchNames &names, StringAbi abi, uint16_t machine) {
  std::string first, last;
  for (const TorchNames::Build &build : names.builds())
    if (build.machine == machine && build.oldStrings == (abi == StringAbi::Old)) {
      last = build.release;
      first = first.empty() ? last : first;
    }
  return first == last ? first : first + " to " + last;
}

/// `2.0.0 to 2.15.0`.
static std::string readFor(const TorchNames &names, uint16_t machine) {
  std::string first, last;
  for (const TorchNames::Build &build : names.builds())
    if (build.machine == machine) {
      last = build.release;
      first = first.empty() ? last : first;
    }
  return first.empty() ? "" : first + " to " + last;
}

std::string MessageTorch::abiValue(StringRef symbol, StringRef key) const {
  StringAbi its = stringAbiOf(symbol);
  if (its == StringAbi::None)
    return "";
  StringAbi other = its == StringAbi::Old ? StringAbi::New : StringAbi::Old;
  if (key == "abi")
    return definitionOf(its);
  const TorchNames *names = table();
  if (!names)
    return "";
  if (key == "otherabi") {
    std::string builds = buildsWith(*names, other, machine);
    return builds.empty() ? "" : builds + " are built with " + definitionOf(other);
  }
  // The definition to set: that of the declared torch, which has the other one.
  auto release = torch();
  StringAbi has = release ? stringAbiOf(*names, *release, machine) : StringAbi::None;
  return has == other ? definitionOf(other) : "";
}

std::string MessageTorch::tableValue(const TorchNames &names, StringRef symbol,
                                     StringRef key) const {
  if (key == "library")
    return names.library(symbol).str();
  std::string releases = releasesExporting(names, symbol, machine);
  if (key == "releases")
    return releases;
  if (key == "nowhere")
    return releases.empty() ? readFor(names, machine) : "";
  // pin
  std::string specifier = specifierExporting(names, symbol, machine);
  return specifier.empty() ? "" : "torch" + specifier;
}

std::string MessageTorch::value(StringRef symbol, StringRef key) const {
  if (key == "namespace")
    return symbol.contains("3c10") || symbol.contains("4c10d") ? "c10" : "torch";
  if (key == "name")
    return demangled(symbol);
  if (key == "runtime")
    return runtime && !runtime->torch.empty() ? runtime->describe() : "";
  if (key == "torch")
    return runtime ? runtime->torch : "";
  if (key == "abi" || key == "otherabi" || key == "definition")
    return abiValue(symbol, key);
  const TorchNames *names = table();
  return names ? tableValue(*names, symbol, key) : "";
}

} // namespace cudacc::policy
