// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/wheel/VariantFiles.h"
#include "driver/core/Judgement.h"
#include "driver/policy/wheel/Needs.h"
#include "driver/policy/wheel/Requirements.h"
#include "driver/report/text/Layout.h"
#include "llvm/Support/JSON.h"

namespace cudacc::commands {

/// What `wheel show` says of one wheel.
struct ShownWheel {
  /// A shared object, program, or file of device code. Sizes are in bytes, as installed and as
  /// compressed in the wheel.
  struct File {
    std::string path;
    uint64_t size = 0, compressed = 0;
    /// The CUDA major it is for; 0 if it uses none, or may be for several.
    unsigned major = 0;
    /// It NEEDs a library of CUDA's wheels, whatever the major.
    bool needsCuda = false;
    /// The group of alternatives it belongs to, with a `*` for the line: a runtime loads one of
    /// them. Empty if it belongs to none.
    std::string alternativeOf;
    /// Architectures of its device code: `sm_90`, `compute_90`, `lto_90`; sorted.
    std::vector<std::string> archs;
  };
  /// A copy of a library that a wheel of NVIDIA's brings.
  struct Copy {
    std::string path, soname;
    /// Distributions that bring it; several if the CUDA major is not known.
    std::vector<std::string> dists;
    uint64_t size = 0;
  };
  /// A library that the files import from or NEED.
  struct Need {
    core::LibraryFloor floor;
    /// The lines of alternatives that need it (`cu126`). Empty if all of the wheel does.
    std::vector<std::string> lines;
    /// If the floor has no distribution: those that bring the library in the CUDA majors that the
    /// files may be of.
    std::vector<std::string> dists;
    /// Versions of the distribution that satisfy, ascending, out of those whose exports were read.
    std::vector<std::string> versions;
  };

  std::string path;
  /// Of the distribution.
  std::string name, version;
  /// From the file name: `cp39-abi3-manylinux_2_28_x86_64`. Empty if that is no name of a wheel.
  std::string tags;
  uint64_t size = 0, unpacked = 0;
  std::vector<File> files;
  /// The other files.
  size_t others = 0;
  uint64_t othersSize = 0;
  std::vector<Copy> copies;
  std::vector<Need> needs;
  /// By the names that the files import, and of these the releases that bring the CUDA libraries
  /// that they need, too.
  versions::TorchRange torch, torchServing;
  /// policy::WheelCase::torchTag.
  std::string torchTag;
  /// Requires-Dist of the metadata that name torch or a wheel of NVIDIA's, as written.
  std::vector<std::string> declared;
  /// Those of which a lower version than they allow has all that the files import.
  std::vector<policy::HigherBound> higher;
  /// As dist-info/variant.json has them: one, in a variant. Empty for other wheels.
  std::vector<WrittenVariant> variants;
  /// What the metadata would have to say.
  policy::WheelRequirements requirements;
  /// What is wrong with the wheel as a whole.
  std::vector<core::Finding> findings;
  /// A row per file and release of torch or CUDA.
  std::vector<core::Judgement> judgements;

  /// Reject if a finding or every release does, unknown if nothing better can be said.
  core::Outcome outcome() const;
};

std::string showText(const ShownWheel &wheel, report::Style style = {});
/// A row of `wheels` in docs/schema/wheel-show.json.
llvm::json::Value showJson(const ShownWheel &wheel);

} // namespace cudacc::commands
