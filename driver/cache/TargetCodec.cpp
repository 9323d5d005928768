// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/TargetCodec.h"
#include "driver/cache/Codec.h"

namespace cudacc::cache {

using namespace core;

static constexpr llvm::StringLiteral targetMagic = "cuda-cc-target 5";

template <typename Lines, typename Value>
  requires std::same_as<std::remove_const_t<Value>, KeptTarget>
static void describe(Lines &lines, Value &kept) {
  lines.line("question", kept.question);
  // Names every member, so that adding one that is neither cached nor listed here does not compile.
  // The first three come from the declaration.
  auto &[declared, declaredAs, enforce, line, release, libraries, driverFloor, driver, driverCuda,
         gpus, gpuOrigin, layout, machine, sitePackages, torch, torchReleases, portableAs, problems,
         dataRelease, factsPackage, waivers] = kept.target;
  lines.line("line", line);
  lines.line("release", release);
  lines.line("driver-floor", driverFloor);
  lines.line("driver", driver);
  lines.line("driver-cuda", driverCuda);
  lines.line("gpu-origin", gpuOrigin);
  lines.line("torch", torch);
  lines.line("machine", machine);
  lines.line("layout", layout.value.kind, layout.origin.kind, layout.origin.name);
  lines.line("data", dataRelease);
  lines.line("facts-package", factsPackage);
  lines.rows("gpu", gpus);
  lines.rows("site", sitePackages);
  lines.rows("torch-release", torchReleases);
  lines.rows("portable", portableAs);
  lines.rows("waiver", waivers);
  lines.rows(
      "library", libraries,
      [](auto &row) {
        auto &[soname, dist, version, cuda, floats, origin, folder, ofConda, others, path] = row;
        return std::tie(soname, dist, version, cuda, floats, origin, folder, ofConda, path);
      },
      [](auto &lines, auto &row) { lines.rows("other-folder", row.otherFolders); });
  describeFindings(lines, problems);
}

std::string serialise(const KeptTarget &kept) { return write(targetMagic, kept); }

std::optional<KeptTarget> parseTarget(llvm::StringRef text) {
  KeptTarget kept;
  kept.target.libraries.reserve(64);
  return read(targetMagic, text, std::move(kept));
}

} // namespace cudacc::cache
