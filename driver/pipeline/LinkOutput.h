// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/manifest/Seal.h"
#include "driver/core/BinaryFacts.h"
#include "driver/core/Manifest.h"
#include "driver/pipeline/Found.h"
#include "driver/policy/advice/LookAround.h"
#include "driver/versions/TorchRange.h"

namespace cudacc::pipeline {

/// What a link made.
struct LinkedOutput {
  core::BinaryFacts facts;
  binary::NotePositions positions;
  /// It holds our note, whose record is to be completed.
  bool sealable = false;
  /// The releases of torch that it fits, for the manifest.
  versions::TorchRange torch;
  /// Of the judgement, those that a link prints.
  std::vector<core::Finding> findings;
};

/// Reads and judges the output of a link that succeeded. \p sealable: the manifest object was
/// linked in by this link; else the file is judged and stays as it is. Error: it cannot be read.
llvm::Expected<LinkedOutput> judgeOutput(System &system, const Call &call,
                                         const core::Target &target, const Found &found,
                                         bool sealable, policy::LookAround lookAround);

/// Completes the manifest in the output. \p record: what was known before the link. Error: it
/// cannot be written.
llvm::Error seal(System &system, const Call &call, const core::Target &target, const Found &found,
                 const core::LinkRecord &record, const LinkedOutput &output);

} // namespace cudacc::pipeline
