// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/StoreCodec.h"
#include "driver/cache/Codec.h"

namespace cudacc::cache {

using namespace core;

static constexpr llvm::StringLiteral toolkitMagic = "cuda-cc-toolkit 4";
static constexpr llvm::StringLiteral hostMagic = "cuda-cc-host 3";

template <typename Lines, typename Inputs>
static void describeInputs(Lines &lines, Inputs &inputs) {
  lines.rows("input", inputs, [](auto &id) {
    return std::tie(id.path, id.device, id.inode, id.size, id.mtime, id.ctime);
  });
}

/// A value that lists no input files is damaged.
template <typename T>
static std::optional<T> readWithInputs(llvm::StringRef magic, llvm::StringRef text, T value = {}) {
  value.inputs.reserve(64);
  auto kept = read(magic, text, std::move(value));
  return kept && kept->inputs.empty() ? std::nullopt : std::move(kept);
}

template <typename Lines, Is<Toolkit> Value> static void describe(Lines &lines, Value &toolkit) {
  lines.line("nvcc", toolkit.nvcc);
  lines.line("driver", toolkit.driver);
  lines.line("root", toolkit.root);
  lines.line("layout", toolkit.layout);
  lines.rows("part", toolkit.components, [](auto &part) {
    return std::tie(part.name, part.path, part.cuda.major, part.cuda.minor, part.version,
                    part.evidence);
  });
  lines.rows("include", toolkit.includeDirs);
  lines.rows("system", toolkit.systemIncludeDirs);
  lines.rows("library", toolkit.libraryDirs);
  lines.rows("path", toolkit.pathDirs);
  lines.rows("conflict", toolkit.conflicts);
  describeInputs(lines, toolkit.inputs);
}

template <typename Lines, Is<HostCompiler> Value>
static void describe(Lines &lines, Value &compiler) {
  lines.line("path", compiler.path);
  lines.line("family", compiler.family);
  lines.line("version", compiler.version);
  lines.line("machine", compiler.machine);
  lines.rows("c", compiler.cIncludes);
  lines.rows("c++", compiler.cxxIncludes);
  lines.rows("library", compiler.libraryDirs);
  lines.line("library-path-at", compiler.libraryPathAt);
  describeInputs(lines, compiler.inputs);
}

std::string serialise(const Toolkit &toolkit) { return write(toolkitMagic, toolkit); }
std::optional<Toolkit> parseToolkit(llvm::StringRef text) {
  return readWithInputs<Toolkit>(toolkitMagic, text);
}

std::string serialise(const HostCompiler &compiler) { return write(hostMagic, compiler); }
std::optional<HostCompiler> parseHostCompiler(llvm::StringRef text) {
  return readWithInputs<HostCompiler>(hostMagic, text);
}

static constexpr llvm::StringLiteral environmentMagic = "cuda-cc-environment 5";

template <typename Lines, Is<PythonEnvironment> Value>
static void describe(Lines &lines, Value &environment) {
  lines.line("prefix", environment.prefix);
  lines.rows("site", environment.sitePackages);
  lines.rows("dist", environment.distributions, [](auto &dist) {
    return std::tie(dist.name, dist.version, dist.metadata, dist.where, dist.isPublished);
  });
  lines.rows("library", environment.libraries, [](auto &each) {
    return std::tie(each.soname, each.path, each.folder, each.dist, each.version, each.metadata,
                    each.bundled);
  });
  lines.optional("torch", environment.torch,
                 [](auto &torch) { return std::tie(torch.version, torch.cuda, torch.path); });
  lines.line("machine", environment.machine);
  describeFindings(lines, environment.problems);
  describeInputs(lines, environment.inputs);
}

std::string serialise(const PythonEnvironment &environment) {
  return write(environmentMagic, environment);
}
std::optional<PythonEnvironment> parseEnvironment(llvm::StringRef text) {
  return readWithInputs<PythonEnvironment>(environmentMagic, text);
}

static constexpr llvm::StringLiteral targetMagic = "cuda-cc-target 5";

template <typename Lines, Is<KeptTarget> Value> static void describe(Lines &lines, Value &kept) {
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
  describeInputs(lines, kept.inputs);
}

std::string serialise(const KeptTarget &kept) { return write(targetMagic, kept); }

std::optional<KeptTarget> parseTarget(llvm::StringRef text) {
  KeptTarget kept;
  kept.target.libraries.reserve(64);
  return readWithInputs(targetMagic, text, std::move(kept));
}

} // namespace cudacc::cache
