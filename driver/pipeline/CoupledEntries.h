// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Patch.h"
#include "driver/core/BinaryFacts.h"
#include "driver/pipeline/PlanCall.h"

namespace cudacc::pipeline {

/// Removes from \p facts the NEEDED entries that the link added although nothing needs them, since
/// the linker dropped the libraries that they serve (RP-5). Returns the patches that remove them
/// from \p file.
llvm::Expected<std::vector<binary::Patch>>
dropUnserved(core::Files &files, const Call &call, llvm::ArrayRef<core::LinkedLibrary> libraries,
             llvm::ArrayRef<plan::CoupledLibrary> coupled, core::ReadableFile &file,
             core::BinaryFacts &facts);

} // namespace cudacc::pipeline
