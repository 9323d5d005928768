// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "driver/core/Invocation.h"
#include "driver/plan/ninja/StepGraph.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::pipeline {

/// The variables that change what `nvcc --dryrun` prints, or what its commands do, as text.
std::string variablesOfNvcc(const core::Environment &environment);
/// Those that change what the commands do. Programs that PATH leads to are compared as files.
std::string variablesOfSteps(const core::Environment &environment);

/// All variables but those that say nothing about what a program does, as text.
std::string allVariables(const core::Environment &environment);
/// True if \p program reads no other variables than variablesOfSteps() has: it is a known program,
/// and no script.
bool readsKnownVariables(core::Files &files, llvm::StringRef program);

/// An option of the call with which nvcc does more than the commands of its --dryrun, or prints
/// what it does; empty if there is none.
llvm::StringRef wholeOption(const core::Invocation &call);

/// What the options of nvcc ask of a depfile.
plan::DepfileRequest depfileRequest(const core::Invocation &call);

/// True if the steps depend on the GPUs of this machine.
bool asksForGpus(const core::Invocation &call);

} // namespace cudacc::pipeline
