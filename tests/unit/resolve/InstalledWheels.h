// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/policy/coherence/GuardEnvironment.h"
#include "tests/unit/resolve/Resolving.h"

/// Environments without files, and the target that they resolve to.
namespace cudacc::test {

inline constexpr const char *site = "/w/.venv/lib/python3.11/site-packages";

struct Installed {
  core::PythonEnvironment environment;

  Installed() {
    environment.prefix = "/w/.venv";
    environment.sitePackages = {site};
  }
  Installed &has(const std::string &dist, const std::string &version, const std::string &folder,
                 const std::string &soname) {
    std::string path = std::string(site) + "/" + folder + "/" + soname;
    environment.libraries.push_back({soname, path, folder, dist, version,
                                     dist + "-" + version + ".dist-info", dist == "torch"});
    return *this;
  }
  Installed &torch(const std::string &version, const std::string &cuda) {
    environment.torch = core::InstalledTorch{version, cuda, std::string(site) + "/torch"};
    return *this;
  }
};

/// The libraries of torch 2.5.1 that these tests use.
inline Installed torch251() {
  return Installed()
      .torch("2.5.1+cu124", "12.4")
      .has("nvidia-cuda-runtime-cu12", "12.4.127", "nvidia/cuda_runtime/lib", "libcudart.so.12")
      .has("nvidia-cudnn-cu12", "9.1.0.70", "nvidia/cudnn/lib", "libcudnn.so.9")
      .has("nvidia-cusparse-cu12", "12.3.1.170", "nvidia/cusparse/lib", "libcusparse.so.12")
      .has("nvidia-nvjitlink-cu12", "12.4.127", "nvidia/nvjitlink/lib", "libnvJitLink.so.12");
}

inline llvm::Expected<core::Target> ask(const Installed &installed,
                                        std::vector<const char *> runtime) {
  core::Declaration declaration;
  unsigned line = 3;
  for (const char *text : runtime)
    declaration.runtime.push_back(
        {text, core::Origin{core::Origin::Kind::File, "cuda-cc.toml", line++, 1}});
  return resolve::resolve(declaration,
                          [&](llvm::StringRef) -> llvm::Expected<core::PythonEnvironment> {
                            return installed.environment;
                          });
}

inline core::Target target(const Installed &installed,
                           std::vector<const char *> runtime = {"env:/w/.venv"}) {
  auto resolved = ask(installed, std::move(runtime));
  if (resolved) {
    llvm::append_range(resolved->problems,
                       policy::judgeEnvironment(installed.environment, *resolved, nullptr));
    return std::move(*resolved);
  }
  core::Finding finding = core::toFinding(resolved.takeError());
  ADD_FAILURE() << str(finding.code) << " " << finding.message;
  return {};
}

inline core::Finding refusal(const Installed &installed,
                             std::vector<const char *> runtime = {"env:/w/.venv"}) {
  auto resolved = ask(installed, std::move(runtime));
  if (!resolved)
    return core::toFinding(resolved.takeError());
  ADD_FAILURE() << "resolved to CUDA " << resolved->line.str();
  return {};
}

inline std::string row(const core::Target &target, const char *soname) {
  const core::TargetLibrary *library = target.find(soname);
  if (!library)
    return "";
  std::string version = library->version.release.empty() ? "unknown" : library->version.str();
  return library->dist + " " + version + ", CUDA " + library->cuda.str() + ", " + library->origin;
}

inline std::vector<std::string> archs(const core::Target &target) {
  std::vector<std::string> all;
  for (versions::Arch arch : target.gpus)
    all.push_back(arch.str());
  return all;
}

} // namespace cudacc::test
