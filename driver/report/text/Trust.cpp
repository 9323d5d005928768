// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/Trust.h"
#include "driver/versions/Format.h"

namespace cudacc::report {

std::string trustList(const TrustReport &report) {
  std::string out;
  for (const TrustReport::Row &row : report.rows)
    out += fmt::format("{}{}\n", printable(row.path),
                       row.state == "trusted" ? "" : fmt::format("  ({})", row.state));
  return out;
}

std::string trustText(const TrustReport &report) {
  std::string out;
  for (const TrustReport::Row &row : report.rows)
    out += fmt::format("{}: {}\n", row.state, printable(row.path));
  return fmt::format("{}  kept in {}\n", out, printable(report.list));
}

} // namespace cudacc::report
