// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Image.h"
#include "driver/core/DeviceCode.h"
#include <memory>

namespace cudacc::binary {

struct DeviceOptions {
  /// Also scan other data sections for containers (FB-33), and inflate compressed cubins to see
  /// whether they have code.
  bool deep = false;
  /// Also hold the headers against their payloads (AV-W13).
  bool verify = false;
  /// Of `deep` the inflating alone, where a verdict needs it (F10).
  bool inflate = false;
};

/// Reads the device code of one file: of a linked file or object, or of all members of an archive,
/// one after another. The limits of FB-22 and the counts of units hold for all of them together.
class DeviceReader {
public:
  /// \p device is filled by `read` and outlives this.
  DeviceReader(const DeviceOptions &options, core::DeviceCode &device);
  ~DeviceReader();

  /// Without names of sections the segments are searched instead, of an object the data sections;
  /// containers that no wrapper points to are Home::Elsewhere then.
  /// - What is damaged or unknown inside device code is a clause in \p device; an error is one of
  ///   reading, or of the file's own tables.
  llvm::Error read(const Image &image);
  /// Containers that lie one behind another up to \p size, with nothing around them; of the image
  /// only the bytes are looked at.
  llvm::Error readContainers(const Image &image, uint64_t size);

private:
  struct State;
  std::unique_ptr<State> state;
};

/// The device code of one ELF file, added to \p device.
llvm::Error readDevice(const Image &image, const DeviceOptions &options, core::DeviceCode &device);

} // namespace cudacc::binary
