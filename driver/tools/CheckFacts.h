#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/elf/Reader.h"
#include "driver/tools/CheckInputs.h"
#include "driver/tools/Parallel.h"

namespace cudacc::tools {

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
ReadFile readInput(World &world, const Inputs &inputs, const Input &input,
                   const elf::ReadOptions &options);
/// Reads every input once, several at a time, in the order of the inputs.
std::vector<ReadFile> readInputs(World &world, const Inputs &inputs,
                                 const elf::ReadOptions &options, Progress &progress);

} // namespace cudacc::tools
