// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/archive/RelocatableObjects.h"
#include "driver/commands/nvlink/NvlinkCall.h"
#include "driver/pipeline/System.h"
#include "driver/policy/devicelink/ChooseLinker.h"

namespace cudacc::commands {

/// An object with relocatable device code.
struct NvlinkInput {
  /// `a.o`, `liba.a(b.o)`.
  std::string name;
  binary::RelocatableObject object;
};

/// What nvlink would link, in its order: objects first, then the members of archives.
struct NvlinkInputs {
  std::vector<NvlinkInput> objects;
  /// Objects of libcudadevrt.a: linked only if something needs them.
  std::vector<NvlinkInput> system;
  /// Each host object of the link lists what its host code refers to; libcudadevrt.a does not
  /// count.
  bool hasReferences = true;
};

/// Reads the files and libraries of \p call. As nvlink does, it skips libraries that are not found,
/// shared libraries, and an archive that is named again. Errors: InputType for a file that is
/// neither object nor archive; those of reading.
llvm::Expected<NvlinkInputs> readNvlinkInputs(pipeline::System &system, const NvlinkCall &call);

/// Whether the object has device code of which some can be linked for \p arch.
bool hasCodeFor(const NvlinkInput &input, versions::Arch arch);
bool hasLtoIr(const NvlinkInput &input);
/// What is known about the release of the code that would be linked for \p arch.
policy::LinkImage linkInputFor(const NvlinkInput &input, versions::Arch arch, bool lto);

/// The options by which nvJitLink removes what no host code refers to, as nvlink does by itself if
/// NvlinkInputs::hasReferences. Empty if no host code refers to a kernel: then it keeps everything.
std::vector<std::string> referenceOptions(llvm::ArrayRef<const NvlinkInput *> inputs, bool lto);

} // namespace cudacc::commands
