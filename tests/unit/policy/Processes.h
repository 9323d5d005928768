// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/policy/remedies/Remedies.h"
#include "tests/unit/resolve/InstalledWheels.h"

/// Processes without files: an extension in the environment of torch251() without torch.
namespace cudacc::test {

struct Processes : testing::Test {
  core::BinaryFacts file;
  core::Target installed = target(
      Installed()
          .has("nvidia-cuda-runtime-cu12", "12.4.127", "nvidia/cuda_runtime/lib", "libcudart.so.12")
          .has("nvidia-cusparse-cu12", "12.3.1.170", "nvidia/cusparse/lib", "libcusparse.so.12")
          .has("nvidia-nvjitlink-cu12", "12.4.127", "nvidia/nvjitlink/lib", "libnvJitLink.so.12"));
  core::LoadResult load;
  core::BindingFailure binding;
  std::vector<core::LoadedCopy> loaded;
  std::vector<policy::FoundCopy> copies;
  std::vector<std::string> libraryPath, before;
  std::vector<core::FoundToolkit> toolkits;
  policy::ProcessCase process;
  std::vector<core::Finding> findings;

  Processes() {
    file.path = path();
    file.kind = core::BinaryKind::SharedObject;
    file.machine = 62;
  }
  static std::string path() { return std::string(site) + "/ext/native.so"; }

  void take(const char *name, const char *from, const char *version, const char *because,
            const char *element = "") {
    core::LoadedCopy copy;
    copy.name = name;
    copy.path = std::string(from) + "/" + name;
    copy.version = version;
    copy.because = because;
    copy.element = element;
    copy.isCuda = true;
    loaded.push_back(std::move(copy));
  }
  void lacks(const char *symbol, const char *soname, const char *importer = nullptr) {
    binding.importer = importer ? importer : path();
    binding.symbol = symbol;
    binding.node = binding.file = soname;
    binding.provider = std::string("/x/") + soname;
    binding.missing = {symbol};
    binding.words = binding.importer + ": undefined symbol: " + symbol + ", version " + soname;
  }
  void lacksFile(const char *name) {
    load.missing = name;
    load.askedBy = path();
    load.failure = std::string(name) + ": cannot open shared object file";
    load.searched = {"/w"};
  }
  policy::ProcessCase &made() {
    process.file = &file;
    process.path = path();
    process.target = process.installed = &installed;
    process.load = &load;
    process.binding = binding.importer.empty() ? nullptr : &binding;
    process.loaded = loaded;
    process.copies = copies;
    process.libraryPath = libraryPath;
    process.before = before;
    return process;
  }
  std::vector<core::Code> errors(std::vector<core::Finding> given = {}) {
    findings = policy::judgeProcess(made(), std::move(given));
    std::vector<core::Code> codes;
    for (const core::Finding &each : findings)
      if (each.severity == core::Severity::Error)
        codes.push_back(each.code);
    return codes;
  }
  std::vector<policy::Remedy> ways(const char *pip = "pip install") {
    policy::RemedyContext context;
    context.pip = pip;
    context.prefix = "/w/.venv";
    context.name = "ext/native.so";
    context.module = "ext.native";
    context.toolkits = toolkits;
    return policy::remediesFor(made(), context);
  }
};

} // namespace cudacc::test
