// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/TargetTable.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"

namespace cudacc::report {

static constexpr llvm::StringLiteral undeclared =
    "no runtime is declared: compiles and links are the compiler's own\n"
    "  declare one with --cudacc-runtime=torch==2.5.1, CUDA_CC_RUNTIME, or in cuda-cc.toml:\n"
    "    runtime = \"torch==2.5.1\"\n";

std::string targetHead(const core::Target &target) {
  std::string out;
  for (const core::Setting<std::string> &each : target.declaredAs) {
    support::appendItem(out, printable(each.value), " and ");
    if (each.origin)
      out += fmt::format(" ({})", printable(each.origin.str()));
  }
  if (!target.line.known())
    return out + ": CUDA line unknown";
  out += fmt::format(": CUDA {}", target.line);
  if (target.machine && target.machine != versions::ownMachine().elf)
    out += " for " + versions::describeMachine(target.machine);
  // Minor-version compatibility covers machine code; PTX needs a driver of the line (DR-4, DR-6).
  if (!target.driverFloor.empty())
    return fmt::format("{}, driver >= {} (machine code), {} (PTX)", out,
                       printable(target.driverFloor), target.line);
  return fmt::format("{}, driver >= {} (PTX)", out, target.line);
}

std::string targetLine(const core::Target &target, Style) {
  size_t count = target.libraries.size();
  return fmt::format("{}, {} {}\n", targetHead(target), count,
                     count == 1 ? "library" : "libraries");
}

/// The declared GPU architectures, against which machine code and PTX are checked.
static std::string machines(const core::Target &target) {
  std::string out;
  if (!target.gpus.empty()) {
    std::string list =
        support::joined(target.gpus, ", ", [](versions::Arch arch) { return arch.str(); });
    out += wrapped("  GPUs: " + list, 0, 4) + "\n";
  }
  if (!target.driver.empty())
    out += fmt::format("  driver: {}{}\n", printable(target.driver),
                       target.driverCuda.known() ? fmt::format(", CUDA {}", target.driverCuda)
                                                 : ", of an unknown CUDA version");
  return out;
}

std::string targetTable(const core::Target &target, Style style) {
  if (!target.declared)
    return undeclared.str();
  std::string out = wrapped(targetHead(target), 0, 2) + "\n";
  std::vector<std::vector<std::string>> rows;
  for (const core::TargetLibrary &library : target.libraries) {
    if (rows.empty())
      rows.push_back({"library", "wheel", "version", "from"});
    std::string version = library.version.release.empty() ? "unknown" : library.version.str();
    // Omitted if it equals the target's own line, as for most libraries.
    std::string other = library.cuda.known() && library.cuda != target.line
                            ? fmt::format(", of CUDA {}", library.cuda)
                            : "";
    rows.push_back({printable(library.soname), printable(library.dist),
                    (library.floats ? ">=" : "") + version, printable(library.origin + other)});
  }
  std::string text = table(rows, 2);
  auto [head, body] = llvm::StringRef(text).split('\n');
  if (!rows.empty())
    out += fmt::format("{}\n{}", painted(head, Paint::Dim, style), body);
  // An environment exists already, so its layout is not a choice.
  if (target.layout.origin || (target.sitePackages.empty() && !rows.empty()))
    out += wrapped("  layout: " + printable(target.describeLayout()), 0, 4) + "\n";
  out += machines(target);
  if (target.enforce != core::Enforce::Toolkit)
    out += fmt::format("  enforce = \"{}\"\n", core::str(target.enforce));
  if (!target.factsPackage.empty())
    out +=
        wrapped(fmt::format("  facts: {}, {}", target.dataRelease, printable(target.factsPackage)),
                0, 4) +
        "\n";
  for (const std::string &waiver : target.waivers)
    out += fmt::format("  waived: {}\n", printable(waiver));
  return out;
}

} // namespace cudacc::report
