// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/manifest/Seal.h"
#include "driver/core/BinaryFacts.h"
#include "driver/core/Manifest.h"
#include "driver/pipeline/Found.h"
#include "driver/pipeline/OutputFile.h"
#include "driver/pipeline/PlanCall.h"
#include "driver/policy/advice/LookAround.h"
#include "driver/versions/TorchRange.h"

namespace cudacc::pipeline {

/// The output of a link.
struct LinkedOutput {
  core::BinaryFacts facts;
  binary::NotePositions positions;
  /// This link wrote it, with a note whose record is to be completed.
  bool sealable = false;
  /// What else is to be changed in it; its facts are those afterwards.
  std::vector<binary::Patch> patches;
  /// The torch releases that it is compatible with, for the manifest.
  versions::TorchRange torch;
  /// Only the findings that a link prints.
  std::vector<core::Finding> findings;
};

/// Reads and checks the output of a successful link. \p file: the output; the record in it shows
/// whether this link wrote it. Errors: it cannot be read.
llvm::Expected<LinkedOutput> judgeOutput(System &system, const Call &call,
                                         const core::Target &target, const Found &found,
                                         const CallPlan &planned, OutputFile &file,
                                         policy::LookAround lookAround);

/// Completes the output: removes what the link added and the output does not need, and completes
/// the manifest. Errors: the output cannot be written.
llvm::Error seal(System &system, const Call &call, const core::Target &target, const Found &found,
                 const CallPlan &planned, const LinkedOutput &output);

} // namespace cudacc::pipeline
