// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/Call.h"
#include "llvm/Support/Error.h"

namespace cudacc::pipeline {

/// Parses the line of a call whose compiler's name tells no dialect (Invocation::isOpen), where
/// that decides about anything: a runtime is declared, and the line may compile or link. The
/// program is asked once, and the answer is kept while all that it read and looked for is
/// unchanged. What answers like no compiler stays open and gets its line as it is. Errors: those
/// of the declaration and of the line.
llvm::Error recognise(System &system, const CallDirectory &place, Call &call);

/// The warning that such a program is not checked; std::nullopt if nothing would be.
std::optional<core::Finding> notRecognised(const Call &call);

} // namespace cudacc::pipeline
