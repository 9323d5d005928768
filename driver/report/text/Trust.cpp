#include "driver/report/text/Trust.h"

namespace cudacc::report {

std::string trustList(const TrustReport &report) {
  std::string out;
  for (const TrustReport::Row &row : report.rows)
    out += printable(row.path) + (row.state == "trusted" ? "" : "  (" + row.state + ")") + "\n";
  return out;
}

std::string trustText(const TrustReport &report) {
  std::string out;
  for (const TrustReport::Row &row : report.rows)
    out += row.state + ": " + printable(row.path) + "\n";
  return out + "  kept in " + printable(report.list) + "\n";
}

} // namespace cudacc::report
