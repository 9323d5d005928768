// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Container.h"
#include "driver/binary/elf/Image.h"
#include "driver/core/DeviceCode.h"
#include <memory>

namespace cudacc::binary {

struct DeviceOptions {
  /// Also scan other data sections for containers (FB-33), and inflate compressed cubins to
  /// determine whether they have code.
  bool deep = false;
  /// Also compare the headers with their payloads (AV-W13).
  bool verify = false;
  /// Only the inflating of `deep`, for verdicts that need it (F10).
  bool inflate = false;
  /// Called for every container, equal ones included; may be null.
  OnContainer onContainer = nullptr;
};

/// Reads the device code of one linked file or object, or of all members of an archive in turn. The
/// limits of FB-22 and the counts of units apply to all of them together.
class DeviceReader {
public:
  /// \p device is filled by `read` and must outlive this object.
  DeviceReader(const DeviceOptions &options, core::DeviceCode &device);
  ~DeviceReader();

  /// Adds the device code of \p image. If section names cannot be read, the segments of a linked
  /// file or the data sections of an object are searched; containers without a wrapper are
  /// Home::Elsewhere then. Damaged or unknown device code is noted as a clause in \p device.
  /// Errors: reading fails, or the file's own tables are damaged.
  llvm::Error read(const Image &image);
  /// Adds adjacent containers from the file's beginning up to \p size; uses only the bytes of \p
  /// image.
  llvm::Error readContainers(const Image &image, uint64_t size);

private:
  struct State;
  std::unique_ptr<State> state;
};

/// Adds the device code of one ELF file to \p device.
llvm::Error readDevice(const Image &image, const DeviceOptions &options, core::DeviceCode &device);

} // namespace cudacc::binary
