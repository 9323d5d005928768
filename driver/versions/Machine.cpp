// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/Machine.h"
#include "driver/versions/Format.h"

namespace cudacc::versions {

/// EM_X86_64, EM_AARCH64. NVIDIA calls servers `sbsa`; `aarch64` meant Jetson until CUDA 13.
static constexpr Machine machines[] = {
    {62, "x86_64", "amd64", {"x86_64-linux", ""}, "x86_64"},
    {183, "aarch64", "arm64", {"sbsa-linux", "aarch64-linux"}, "sbsa"},
};

#if defined(__aarch64__)
static constexpr uint16_t own = 183;
#else
static constexpr uint16_t own = 62;
#endif

const Machine &ownMachine() { return *machineOfElf(own); }

const Machine *machineOfElf(uint16_t elf) {
  for (const Machine &machine : machines)
    if (machine.elf == elf)
      return &machine;
  return nullptr;
}

const Machine *machineNamed(llvm::StringRef name) {
  for (const Machine &machine : machines)
    if (machine.name == name)
      return &machine;
  return nullptr;
}

const Machine *machineOfPlatform(llvm::StringRef tag) {
  for (const Machine &machine : machines)
    if (llvm::StringRef system = tag; system.consume_back(machine.name))
      return system.contains("linux") ? &machine : nullptr;
  return nullptr;
}

std::vector<std::string> targetFolders() {
  std::vector<std::string> folders;
  for (const Machine &machine : machines)
    for (llvm::StringRef name : machine.targets)
      if (!name.empty())
        folders.push_back(fmt::format("targets/{}", name));
  return folders;
}

const Machine *machineOfTriple(llvm::StringRef text) {
  llvm::StringRef first = text.split('-').first;
  for (const Machine &machine : machines)
    if (first == machine.name || first == machine.alias)
      return &machine;
  return nullptr;
}

std::string describeMachine(uint16_t elf) {
  const Machine *known = machineOfElf(elf);
  return known ? known->name.str() : fmt::format("machine {}", elf);
}

} // namespace cudacc::versions
