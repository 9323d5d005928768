// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cudacc::versions {

/// A processor architecture for which CUDA has libraries.
struct Machine {
  /// ELF e_machine.
  uint16_t elf;
  /// The name used by `uname -m`, Python, CMake and Meson: `aarch64`.
  llvm::StringRef name;
  /// An alternative name at the start of a compiler's triple: `arm64`.
  llvm::StringRef alias;
  /// Directories with its libraries below `targets` of a toolkit. The second may be empty.
  std::array<llvm::StringRef, 2> targets;
  /// The name in NVIDIA's archives: `linux-sbsa`. Those for Jetson are in no table.
  llvm::StringRef archives;
};

/// The machine for which this program was compiled.
const Machine &ownMachine();
/// Null if CUDA has no libraries for it or it is not known (0).
const Machine *machineOfElf(uint16_t elf);
/// Looks up `name`. Null as above.
const Machine *machineNamed(llvm::StringRef name);
/// The machine of a wheel's platform tag (`manylinux_2_28_aarch64`). Null as above, and for `any`
/// and other systems.
const Machine *machineOfPlatform(llvm::StringRef tag);
/// `targets/sbsa-linux`, for each directory of each machine.
std::vector<std::string> targetFolders();
/// The machine of a triple (`aarch64-linux-gnu`) or of a compiler name that begins with one. Null
/// if it names none, like `g++`.
const Machine *machineOfTriple(llvm::StringRef text);
/// `aarch64`, `machine 243`.
std::string describeMachine(uint16_t elf);

} // namespace cudacc::versions
