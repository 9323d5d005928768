#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/Doctor.h"
#include "driver/core/Judgement.h"
#include "driver/core/LoadResult.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace cudacc::report {

/// A file that the page tells of in full.
struct HtmlFile {
  /// Its judgements, `count` of them from `first` on; `shown` is the one that is told in full.
  size_t first = 0, count = 0, shown = 0;
  core::Judgement judgement;
  /// Null: it could not be read.
  const core::BinaryFacts *facts = nullptr;
  /// What the loader does on the runtime of `judgement`; nothing: not known.
  std::optional<core::LoadResult> load;
  /// Of `doctor`; null: of `check`.
  const core::Diagnosis *diagnosis = nullptr;
};

/// What `--report` writes. Everything outlives the call of `html`.
struct HtmlReport {
  /// Of cuda-cc.
  std::string version;
  /// A row per file and runtime; those of one file follow each other.
  llvm::ArrayRef<core::Judgement> judgements;
  std::vector<HtmlFile> files;
  /// Null: of `check`.
  const core::DoctorReport *doctor = nullptr;
  /// Version of a library (by SONAME) that a runtime has; empty: not known.
  llvm::function_ref<std::string(llvm::StringRef runtime, llvm::StringRef soname)> has;
};

/// The files to be told of in full: those that are not accepted, worst first, up to a limit; a few
/// files all of them. `judgement` is the worst of each.
std::vector<HtmlFile> filesInFull(llvm::ArrayRef<core::Judgement> judgements);

/// One page that needs nothing else: no network, no script, no font. The same values make the same
/// bytes.
std::string html(const HtmlReport &report);

} // namespace cudacc::report
