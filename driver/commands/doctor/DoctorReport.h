// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Judgement.h"
#include "driver/core/LoadResult.h"
#include "driver/core/Toolkit.h"
#include "driver/policy/remedies/Remedy.h"
#include "driver/policy/rules/JudgeRunning.h"
#include "driver/probe/host/Driver.h"
#include "driver/report/html/Html.h"
#include "driver/report/text/Layout.h"
#include "llvm/Support/JSON.h"

namespace cudacc::commands {

/// The result of `doctor` for one file.
struct Diagnosis {
  core::Judgement judgement;
  /// What the process does, in glibc's own words; empty if it loads.
  std::string predicted;
  enum class Ends { Loads, Fails, Aborts, FirstCall };
  Ends ends = Ends::Loads;
  std::vector<core::LoadedCopy> loaded;
  /// The last load: that of the file itself, unless something before it failed.
  core::LoadResult load;
  std::vector<policy::Remedy> remedies;
};

/// The result of `doctor`.
struct DoctorReport {
  /// The environment's prefix, empty if there is none. `why`: how it was found, "--env",
  /// "VIRTUAL_ENV", "the file's place".
  std::string prefix, why;
  /// The Python that imports; empty if none was found.
  std::string python;
  std::string torch;
  versions::CudaVersion line;
  probe::RunningDriver driver;
  std::vector<core::FoundToolkit> toolkits;
  std::vector<policy::FoundCopy> copies;
  /// Elements of LD_LIBRARY_PATH.
  std::vector<std::string> libraryPath;
  /// Modules imported first.
  std::vector<std::string> before;
  /// Findings about the environment.
  std::vector<core::Finding> problems;
  std::vector<Diagnosis> files;
};

inline std::vector<core::Judgement> judgementsOf(const DoctorReport &report) {
  std::vector<core::Judgement> judgements;
  for (const Diagnosis &each : report.files)
    judgements.push_back(each.judgement);
  return judgements;
}

/// Title of a page without files: `/env: torch 2.5.1, CUDA 12.4`.
std::string environmentTitle(const DoctorReport &report);
/// Writes the section about the environment.
void environmentHtml(report::HtmlWriter &html, const DoctorReport &report);
/// What the page shows of a file besides its judgement. The result refers to \p diagnosis.
report::HtmlProcess processOf(const Diagnosis &diagnosis);

/// As `check`, with `environment` and, in each file, `predicted`, `ends`, `loaded` and `remedies`,
/// as described by docs/schema/doctor.json.
llvm::json::Value doctorJson(const DoctorReport &report);

/// The text of `cuda-cc doctor`: for each file the verdict, the loader's error, its causes, the
/// CUDA libraries in the process and the fixes, best first. Without files: the environment.
std::string doctorText(const DoctorReport &report, report::Style style = {});

} // namespace cudacc::commands
