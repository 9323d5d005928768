// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/EnvironmentToolkit.h"
#include "driver/core/Diagnostic.h"
#include "tests/support/MemoryFiles.h"
#include "llvm/ADT/StringExtras.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using testing::HasSubstr;

namespace {

constexpr llvm::StringLiteral sitePackages = "/v/lib/python3.11/site-packages/";

struct EnvironmentToolkit : testing::Test {
  test::MemoryFiles files;
  Declaration declaration;
  std::vector<std::string> variables = {"PATH=/usr/bin", "HOME=/home/u"};
  std::string self = "/opt/cuda-cc/bin/cuda-cc";

  EnvironmentToolkit() {
    files.program(self, std::string(5000, 'c'));
    files.program("/usr/bin/nvcc");
    files.file("/v/pyvenv.cfg", "home = /usr/bin\nversion = 3.11.2\n");
    files.directory(sitePackages);
    declaration.toolkit = {"env", {Origin::Kind::File, "cuda-cc.toml", 2}};
    declareRuntime("env:/v");
  }

  void declareRuntime(const char *text) {
    declaration.runtime = {{text, {Origin::Kind::File, "cuda-cc.toml", 1}}};
  }
  std::string nvcc() {
    Environment env;
    for (const std::string &entry : variables)
      env.entries.push_back(entry);
    probe::Self me(self, files);
    auto located = pipeline::locateEnvironmentNvcc(declaration, env, files, me);
    if (located)
      return located->path + " (" + located->foundBy + ")";
    Finding finding = toFinding(located.takeError());
    std::string text = str(finding.code) + " " + finding.message;
    for (const Fact &fact : finding.facts)
      text += "\n" + fact.label + ": " + fact.text;
    return text + "\nfix: " + llvm::join(finding.fixes, "\nfix: ");
  }
};

} // namespace

TEST_F(EnvironmentToolkit, ofTheWheels) {
  files.program(sitePackages.str() + "nvidia/cu13/bin/nvcc");
  EXPECT_EQ(nvcc(), sitePackages.str() + "nvidia/cu13/bin/nvcc (toolkit in cuda-cc.toml:2)");
}

TEST_F(EnvironmentToolkit, ofConda) {
  files.directory("/v/conda-meta").program("/v/bin/nvcc");
  files.program(sitePackages.str() + "nvidia/cu13/bin/nvcc");
  EXPECT_EQ(nvcc(), "/v/bin/nvcc (toolkit in cuda-cc.toml:2)");
}

TEST_F(EnvironmentToolkit, ofTheActiveOneWhereTheRuntimeIsAnotherForm) {
  declareRuntime("torch==2.5.1");
  files.program(sitePackages.str() + "nvidia/cu13/bin/nvcc");
  EXPECT_THAT(nvcc(), HasSubstr("no Python environment is active"));
  variables.push_back("VIRTUAL_ENV=/v");
  EXPECT_THAT(nvcc(), HasSubstr("nvidia/cu13/bin/nvcc"));
  declareRuntime("env");
  EXPECT_THAT(nvcc(), HasSubstr("nvidia/cu13/bin/nvcc"));
}

// The nvcc on PATH is not used instead.
TEST_F(EnvironmentToolkit, noneNamesTheWheelToInstall) {
  std::string text = nvcc();
  EXPECT_THAT(text, HasSubstr("CC2003 the environment has no nvcc"));
  EXPECT_THAT(text, HasSubstr("environment: /v"));
  EXPECT_THAT(text, HasSubstr("setting: toolkit in cuda-cc.toml:2"));
  EXPECT_THAT(text, HasSubstr("fix: uv pip install --target=/v/lib/python3.11/site-packages "
                              "'cuda-toolkit[nvcc,cudart,cccl]'\n"));
  EXPECT_THAT(text, Not(HasSubstr("conda install")));
  // Of the runtime's release, which a framework may pin; for CUDA 12 no wheel has an nvcc.
  files.program("/v/bin/python");
  files.directory(sitePackages.str() + "nvidia_cuda_runtime-13.0.96.dist-info");
  EXPECT_THAT(nvcc(), HasSubstr("/v/bin/python install 'cuda-toolkit[nvcc,cudart,cccl]==13.0.*'"));
  // The files that the wheels of CUDA 12 have.
  files.program(sitePackages.str() + "nvidia/cuda_nvcc/bin/ptxas");
  EXPECT_THAT(nvcc(), HasSubstr("CC2003"));
  files.directory("/v/conda-meta");
  EXPECT_THAT(nvcc(), HasSubstr("conda install -p /v cuda-nvcc"));
}

TEST_F(EnvironmentToolkit, severalAreNotGuessedAmong) {
  files.program(sitePackages.str() + "nvidia/cu13/bin/nvcc")
      .program(sitePackages.str() + "nvidia/cu14/bin/nvcc");
  EXPECT_THAT(nvcc(), HasSubstr("CC2003 the environment has several nvcc"));
}

TEST_F(EnvironmentToolkit, neverItself) {
  files.symlink("/v/bin/nvcc", self);
  EXPECT_THAT(nvcc(), HasSubstr("CC2003"));
  files.program(sitePackages.str() + "nvidia/cu13/bin/nvcc");
  EXPECT_THAT(nvcc(), HasSubstr("nvidia/cu13/bin/nvcc"));
}

TEST_F(EnvironmentToolkit, noEnvironmentAtAll) {
  declareRuntime("env:/gone");
  EXPECT_THAT(nvcc(), HasSubstr("there is no /gone"));
}
