// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/Reader.h"
#include "driver/commands/inputs/Inputs.h"
#include "driver/core/BinaryFacts.h"
#include "driver/pipeline/Parallel.h"
#include "driver/probe/python/Record.h"

namespace cudacc::commands {

/// The result of reading one input.
struct ReadFile {
  enum class State {
    /// Not named by the user and not judged: not ELF (archives included), or only for debuggers.
    Passed,
    /// Not named by the user: a relocatable object, which is not linked yet.
    Object,
    Read,
    Failed,
  };
  State state = State::Passed;
  core::BinaryFacts facts;
  /// Set if the state is Failed.
  core::Finding problem;
};

/// Reads one input, a member of a wheel to its end: another CRC is its problem (WR-10). \p records
/// explain the problem of a damaged file; null: it is not explained.
ReadFile readInput(pipeline::System &system, probe::InstallerRecords *records, const Inputs &inputs,
                   const Input &input, const binary::ReadOptions &options);
/// Reads every input once, in parallel. Results are in the order of the inputs.
std::vector<ReadFile> readInputs(pipeline::System &system, const Inputs &inputs,
                                 const binary::ReadOptions &options);

} // namespace cudacc::commands
