// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/Judgement.h"
#include "driver/core/LoadResult.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace cudacc::report {

class HtmlWriter;

/// A fix that was verified by simulation.
struct HtmlRemedy {
  std::string text;
  /// Shell commands, one per line.
  std::vector<std::string> commands;
  /// A drawback to mention. Empty if there is none.
  std::string price;
  core::Outcome after = core::Outcome::Unknown;
};

/// What a process on this machine does with a file.
struct HtmlProcess {
  /// glibc's error message. Empty if the file loads.
  llvm::StringRef predicted;
  llvm::ArrayRef<core::LoadedCopy> loaded;
  /// Best first.
  std::vector<HtmlRemedy> remedies;
};

/// A file that the page describes in detail.
struct HtmlFile {
  /// Its judgements are the `count` ones starting at `first`; `shown` is the one with details.
  size_t first = 0, count = 0, shown = 0;
  core::Judgement judgement;
  /// Null if the file could not be read.
  const core::BinaryFacts *facts = nullptr;
  /// The simulated load on the runtime of `judgement`. std::nullopt if not known.
  std::optional<core::LoadResult> load;
  /// std::nullopt if the file was checked against runtimes other than this machine's.
  std::optional<HtmlProcess> process;
};

/// The contents of a `--report` page. All references must outlive the call of `html`.
struct HtmlReport {
  /// cuda-cc's version.
  std::string version;
  /// One per file and runtime. Those of one file are consecutive.
  llvm::ArrayRef<core::Judgement> judgements;
  std::vector<HtmlFile> files;
  /// The title if there are no judgements, or a summary.
  std::string title = "nothing to check";
  /// The torch installed on this machine against which the files were checked. Empty if there is
  /// none or they were checked against declared runtimes.
  std::string torch;
  /// Writes a section in front of the files. Null if the page has none.
  llvm::function_ref<void(HtmlWriter &)> summary = nullptr;
  /// Writes the section about this machine. Null if the page has none.
  llvm::function_ref<void(HtmlWriter &)> environment = nullptr;
  /// Version of a library (by SONAME) in a runtime. Empty if not known.
  llvm::function_ref<std::string(llvm::StringRef runtime, llvm::StringRef soname)> has;
};

/// The files to describe in detail: those that are not accepted, worst first, up to a limit; if
/// there are only a few files, all of them. `judgement` is the worst one of each.
std::vector<HtmlFile> filesInFull(llvm::ArrayRef<core::Judgement> judgements);

/// One self-contained page: no network access, scripts or fonts. Equal values give equal bytes.
std::string html(const HtmlReport &report);

} // namespace cudacc::report
