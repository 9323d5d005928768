// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/Toolchain.h"
#include "driver/support/ShellWord.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::report {

using namespace core;

static std::string nvccOf(const DirectoryReport &report) {
  if (!report.toolkit)
    return "no nvcc was found: host compilers alone";
  const Component *nvcc = report.toolkit->find("nvcc");
  std::string version = nvcc && !nvcc->version.empty() ? nvcc->version : "of an unknown version";
  return fmt::format("nvcc {} of {}", version, printable(report.directory->nvcc));
}

static std::string runtimeOf(const DirectoryReport &report) {
  if (!report.target || !report.target->declared)
    return "no runtime is declared: nothing is enforced";
  return printable(report.target->describe());
}

std::string text(const DirectoryReport &report, Style style) {
  const ToolchainDirectory &directory = *report.directory;
  std::string compilers = support::joined(
      report.programs, ", ", [](llvm::StringRef program) { return printable(program.substr(4)); });
  std::string out = fmt::format("{}: {}\n", printable(directory.path), report.did);
  std::vector<std::vector<std::string>> rows = {{"runtime", runtimeOf(report)},
                                                {"nvcc", nvccOf(report)}};
  if (!directory.machine.empty())
    rows.push_back({"builds for", printable(directory.machine)});
  if (!compilers.empty())
    rows.push_back({"compilers", compilers});
  out += table(rows, 2);
  if (!report.did.starts_with("made"))
    return out;
  auto inside = [&](llvm::StringRef name) {
    return printable(support::shellWord(fmt::format("{}/{}", directory.path, name)));
  };
  std::vector<std::vector<std::string>> uses = {
      {"shell", ". " + inside("activate")},
      {"CMake", "-DCMAKE_TOOLCHAIN_FILE=" + inside("toolchain.cmake")},
      {"Meson", directory.machine.empty() ? "--native-file " + inside("native.ini")
                                          : "--cross-file " + inside("cross.ini")}};
  return out + painted(table(uses, 2), Paint::Dim, style);
}

std::string listing(const DirectoryReport &report) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const TreeEntry &entry : report.entries)
    lines.emplace_back(entry.path,
                       entry.kind == TreeEntry::Kind::Link ? " -> " + entry.text : " (written)");
  for (const std::string &program : report.programs)
    lines.emplace_back(program, " (cuda-cc)");
  llvm::sort(lines);
  std::string out;
  for (const auto &[path, what] : lines)
    out += fmt::format("{}{}\n", printable(path), printable(what));
  return out;
}

} // namespace cudacc::report
