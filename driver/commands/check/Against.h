// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/check/CheckArguments.h"
#include "driver/core/BinaryFacts.h"
#include "driver/core/Judgement.h"
#include "driver/policy/wheel/Needs.h"
#include "driver/tables/lookup/UserTables.h"

namespace cudacc::commands {

/// The runtime of one row of `--against`.
struct AgainstRow {
  /// As for `--runtime`: `torch==2.9.1`, further requirements after `;`.
  std::string text;
  /// The user named this release itself, not a range that contains it.
  bool named = false;
};

/// The runtimes of `--against`, in the order given, each release once: with `all` every known
/// release; for a range every known release in it, for any CUDA major. A requirement that is not a
/// range is a row itself.
/// - BadRequirement: the text is not a requirement, or no known release is in the range.
llvm::Expected<std::vector<AgainstRow>> rowsAgainst(const JudgeArguments &arguments,
                                                    const tables::UserTables *more);

/// Exit status of a call with `--against`. The result of a row is the worst of all files; a row
/// that the metadata of a wheel excludes is not counted. `all` needs one accepted row, requirements
/// need all rows accepted, `--min-accepted` needs that many.
int exitOfRows(llvm::ArrayRef<core::Judgement> judgements, const CheckArguments &arguments,
               bool strict);

/// Adds what a file needs. If the file does not determine its CUDA major, its floors depend on the
/// runtime's major, and only those for wheels named in its own wheel's metadata are added.
void addNeeds(const core::BinaryFacts &file, llvm::ArrayRef<core::LibraryFloor> floors,
              policy::Needs &needs);

} // namespace cudacc::commands
