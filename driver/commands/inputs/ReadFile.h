// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/Reader.h"
#include "driver/commands/inputs/Inputs.h"
#include "driver/core/BinaryFacts.h"
#include "driver/pipeline/Parallel.h"

namespace cudacc::commands {

/// What became of one input.
struct ReadFile {
  enum class State {
    /// Not loadable, and not named by the user: no ELF file, an object, an archive.
    Passed,
    /// An object or archive below a directory: nothing is linked yet.
    Object,
    Read,
    Failed,
  };
  State state = State::Passed;
  core::BinaryFacts facts;
  /// Failed only.
  core::Finding problem;
};

/// One of them again, with other options.
ReadFile readInput(pipeline::System &system, const Inputs &inputs, const Input &input,
                   const binary::ReadOptions &options);
/// Reads every input once, several at a time, in the order of the inputs.
std::vector<ReadFile> readInputs(pipeline::System &system, const Inputs &inputs,
                                 const binary::ReadOptions &options, pipeline::Progress &progress);

} // namespace cudacc::commands
