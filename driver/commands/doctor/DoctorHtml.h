// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/doctor/DoctorReport.h"
#include "driver/report/html/Html.h"

namespace cudacc::commands {

/// The title of a page without files: `/env: torch 2.5.1, CUDA 12.4`.
std::string environmentTitle(const DoctorReport &report);
/// The section about the environment.
void environmentHtml(report::HtmlWriter &html, const DoctorReport &report);
/// What the page says of a file beside its judgement; refers to \p diagnosis.
report::HtmlProcess processOf(const Diagnosis &diagnosis);

} // namespace cudacc::commands
