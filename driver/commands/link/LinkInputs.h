// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Container.h"
#include "driver/core/DeviceCode.h"
#include "driver/core/Manifest.h"
#include "driver/pipeline/System.h"
#include "driver/policy/devicelink/ChooseLinker.h"
#include "plugins/devlink/Job.h"

namespace cudacc::commands {

/// Which release made a device image: nvcc's by the record of its object, and the newest that made
/// a cubin of the container; 0.0 if not known.
struct Producer {
  versions::CudaVersion recorded, cubins;
};

/// Device code that the linker is given as one input: a file of its own, or a container.
struct DeviceInput {
  /// `a.o`, `liba.a(b.o)`, `stdin`.
  std::string name;
  devlink::JobInputKind kind = devlink::JobInputKind::Fatbin;
  std::vector<core::DeviceImage> images;
  /// The file's own bytes, or those of the container.
  std::string bytes;
  Producer producer;
};

/// A container as an input. \p taken counts the bytes taken so far. Error: LimitReached, for more
/// than 4 GiB of device code in one file.
llvm::Expected<DeviceInput> inputOf(const binary::Container &container, llvm::StringRef name,
                                    uint64_t &taken);

/// Reads one file: cubin, PTX, LTO-IR, fatbin, object, archive or linked file, `-` for stdin.
/// Relocatable device code is taken where there is some, else whatever else can be linked. At most
/// 4 GiB of device code per file. Errors:
/// - InputType: no device code that can be linked.
/// - UnknownContainer: device code that is damaged, or of an unknown form.
/// - those of reading the file.
llvm::Expected<std::vector<DeviceInput>> readDeviceInputs(pipeline::System &system,
                                                          const std::string &path);

/// The architectures that all inputs can be linked for, ascending: those that machine code among
/// them is for, else the oldest one that an image names. Empty if there is none.
std::vector<versions::Arch> commonArchs(llvm::ArrayRef<DeviceInput> inputs);

/// The oldest architecture that an image of any input names.
std::optional<versions::Arch> oldestArch(llvm::ArrayRef<DeviceInput> inputs);

/// The newest toolkit that the records of \p manifest name; 0.0 if there are none.
versions::CudaVersion recordedToolkit(const core::Manifest &manifest);

/// What the decision has to know of an image. Of LTO-IR without a record the oldest release counts
/// that writes its version.
policy::LinkImage linkInputOf(llvm::StringRef name, const core::DeviceImage &image,
                              const Producer &producer);

/// What the decision has to know of the image of \p input that is linked for \p arch. std::nullopt
/// if it has none.
std::optional<policy::LinkImage> linkInputFor(const DeviceInput &input, versions::Arch arch,
                                              bool lto);

} // namespace cudacc::commands
