// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/Judgement.h"
#include "driver/core/LoadResult.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace cudacc::report {

class HtmlWriter;

/// A fix that was tried.
struct HtmlRemedy {
  std::string text;
  /// Lines for a shell.
  std::vector<std::string> commands;
  /// What is to be known before; empty: nothing.
  std::string price;
  core::Outcome after = core::Outcome::Unknown;
};

/// What a process on this machine does with a file.
struct HtmlProcess {
  /// glibc's own words; empty: it loads.
  llvm::StringRef predicted;
  llvm::ArrayRef<core::LoadedCopy> loaded;
  /// Best first.
  std::vector<HtmlRemedy> remedies;
};

/// A file that the page tells of in full.
struct HtmlFile {
  /// Its judgements, `count` of them from `first` on; `shown` is the one that is told in full.
  size_t first = 0, count = 0, shown = 0;
  core::Judgement judgement;
  /// Null: it could not be read.
  const core::BinaryFacts *facts = nullptr;
  /// What the loader does on the runtime of `judgement`; nothing: not known.
  std::optional<core::LoadResult> load;
  /// Nothing: it was compared with runtimes that are not this machine.
  std::optional<HtmlProcess> process;
};

/// What `--report` writes. Everything outlives the call of `html`.
struct HtmlReport {
  /// Of cuda-cc.
  std::string version;
  /// A row per file and runtime; those of one file follow each other.
  llvm::ArrayRef<core::Judgement> judgements;
  std::vector<HtmlFile> files;
  /// Where there are no judgements.
  std::string title = "nothing to check";
  /// The torch that is installed on this machine, which the files were judged for; empty: none, or
  /// they were judged for runtimes.
  std::string torch;
  /// Writes the section about this machine. Null: there is none.
  llvm::function_ref<void(HtmlWriter &)> environment = nullptr;
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
