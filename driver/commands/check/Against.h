// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/Arguments.h"
#include "driver/core/BinaryFacts.h"
#include "driver/report/text/Check.h"
#include "driver/tables/lookup/UserTables.h"

namespace cudacc::commands {

/// A runtime that a row of `--against` is about.
struct AgainstRow {
  /// As `--runtime` takes it: `torch==2.9.1`, further requirements behind `;`.
  std::string text;
  /// The user wrote it so, and not a range of which it is one release.
  bool named = false;
};

/// What `--against` stands for, in the order given, each release once: every known one with `all`,
/// those that satisfy a requirement, of whatever CUDA majors; what names no range is a row itself.
/// - BadRequirement: text that is no requirement, and a range that no known release satisfies.
llvm::Expected<std::vector<AgainstRow>> rowsAgainst(const Arguments &arguments,
                                                    const tables::UserTables *more);

/// Exit status of a call with `--against`. A row has the worst of all files; one that the metadata
/// of a wheel excludes counts neither way. `all` needs one row that accepts, requirements need
/// every row, `--min-accepted` that many.
int exitOfRows(llvm::ArrayRef<core::Judgement> judgements, const Arguments &arguments, bool strict);

/// Adds what a file needs. Where it leaves its CUDA major open, each runtime has floors of another
/// one: those of the wheels that its own metadata names count.
void addNeeds(const core::BinaryFacts &file, llvm::ArrayRef<core::LibraryFloor> floors,
              report::Needs &needs);

} // namespace cudacc::commands
