// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <string>

namespace cudacc::versions {

/// A processor that CUDA has libraries for.
struct Machine {
  /// ELF e_machine.
  uint16_t elf;
  /// As `uname -m`, Python, CMake and Meson call it: `aarch64`.
  llvm::StringRef name;
  /// The other name that a compiler's triple may begin with: `arm64`.
  llvm::StringRef alias;
  /// Where libraries for it lie below `targets` of a toolkit; the second may be empty.
  std::array<llvm::StringRef, 2> targets;
};

/// The machine that this program was compiled for.
const Machine &ownMachine();
/// Null: none that CUDA has libraries for, or not known (0).
const Machine *machineOfElf(uint16_t elf);
/// By its name; null as above.
const Machine *machineNamed(llvm::StringRef name);
/// By what a triple (`aarch64-linux-gnu`), or the name of a compiler that begins with one, says;
/// null: `g++` says nothing.
const Machine *machineOfTriple(llvm::StringRef text);
/// `aarch64`, `machine 243`.
std::string describeMachine(uint16_t elf);

} // namespace cudacc::versions
