// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/doctor/DoctorReport.h"
#include "driver/report/html/Html.h"

namespace cudacc::commands {

/// Title of a page without files: `/env: torch 2.5.1, CUDA 12.4`.
std::string environmentTitle(const DoctorReport &report);
/// Writes the section about the environment.
void environmentHtml(report::HtmlWriter &html, const DoctorReport &report);
/// What the page shows of a file besides its judgement. The result refers to \p diagnosis.
report::HtmlProcess processOf(const Diagnosis &diagnosis);

} // namespace cudacc::commands
