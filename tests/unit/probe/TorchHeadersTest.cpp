// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/toolkit/TorchHeaders.h"
#include "driver/probe/toolkit/TorchRelease.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// As in torch 2.0 to 2.15.
std::string versionH(unsigned minor, unsigned patch = 0) {
  return "#pragma once\n\n#define TORCH_VERSION_MAJOR 2\n#define TORCH_VERSION_MINOR " +
         std::to_string(minor) + "\n#define TORCH_VERSION_PATCH " + std::to_string(patch) +
         "\n#define TORCH_VERSION \\\n  \"2\"\n";
}

struct TorchHeaders : testing::Test {
  test::MemoryFiles files;
  Invocation call;
  std::optional<Toolkit> toolkit;
  using Kind = IncludeDir::Kind;

  TorchHeaders() {
    call.dialect = Dialect::Gcc;
    call.kind = CallKind::Compile;
    call.compiler = "g++";
  }
  /// A wheel's folder `torch`, as before 2.10.
  void older(const std::string &torch, unsigned minor, const char *python = "") {
    files.file(torch + "/include/torch/csrc/api/include/torch/version.h", versionH(minor));
    files.file(torch + "/include/c10/core/TensorImpl.h");
    if (*python)
      files.file(torch + "/version.py", python);
  }
  /// As since 2.10.
  void newer(const std::string &torch, unsigned minor, const char *python = "") {
    older(torch, minor, python);
    files.file(torch + "/include/torch/csrc/api/include/torch/version.h",
               "#include <torch/headeronly/version.h>\n");
    files.file(torch + "/include/torch/headeronly/version.h", versionH(minor));
  }
  void include(std::initializer_list<const char *> folders, Kind kind = Kind::Angle) {
    for (const char *folder : folders)
      call.includes.push_back({folder, kind});
  }
  std::vector<std::string> find() {
    Environment env;
    probe::IncludePath path(call, toolkit ? &*toolkit : nullptr, nullptr, env, files);
    std::vector<std::string> all;
    for (const FoundTorch &found : probe::findTorchHeaders(path))
      all.push_back((found.known() ? found.release.str() : found.problem) +
                    (found.label.empty() ? "" : "+" + found.label) + " (" + found.foundBy + ")" +
                    (found.guarded ? " guarded" : ""));
    return all;
  }
};

TEST_F(TorchHeaders, anOlderWheel) {
  older("/t", 5, "__version__ = '2.5.0+cu124'\ncuda: Optional[str] = '12.4'\n");
  include({"/t/include", "/t/include/torch/csrc/api/include"});
  EXPECT_THAT(find(), ElementsAre("2.5.0+cu124 (-I /t/include)"));
}

TEST_F(TorchHeaders, theHeadersOfTheCxxApiAlone) {
  older("/t", 5);
  newer("/n", 15);
  include({"/t/include/torch/csrc/api/include"}, Kind::System);
  EXPECT_THAT(find(), ElementsAre("2.5.0 (-isystem /t/include/torch/csrc/api/include)"));
  call.includes.clear();
  include({"/n/include/torch/csrc/api/include/"});
  EXPECT_THAT(find(), ElementsAre("2.15.0 (-I /n/include/torch/csrc/api/include/) guarded"));
}

TEST_F(TorchHeaders, aNewerWheel) {
  newer("/t", 15, "__version__ = '2.15.0'\ndebug = False\ncuda: Optional[str] = '13.0'\n");
  include({"/t/include", "/t/include/torch/csrc/api/include"});
  EXPECT_THAT(find(), ElementsAre("2.15.0+cu130 (-I /t/include) guarded"));
}

TEST_F(TorchHeaders, theFirstOnThePathCounts) {
  older("/a", 5);
  newer("/b", 15);
  include({"/b/include", "/a/include"});
  EXPECT_THAT(find(), ElementsAre("2.15.0 (-I /b/include) guarded"));
  call.includes.clear();
  include({"/b/include"});
  include({"/a/include"}, Kind::Angle);
  call.includes[0].kind = Kind::System;
  EXPECT_THAT(find(), ElementsAre("2.5.0 (-I /a/include)")) << "-I is searched first";
}

TEST_F(TorchHeaders, partsOfTwoInstallations) {
  older("/a", 5);
  newer("/b", 15);
  include({"/a/include", "/b/include/torch/csrc/api/include"});
  EXPECT_THAT(find(), ElementsAre("2.5.0 (-I /a/include)",
                                  "2.15.0 (-I /b/include/torch/csrc/api/include) guarded"));
}

TEST_F(TorchHeaders, nvccAndQuotes) {
  newer("/t", 15);
  call.dialect = Dialect::Nvcc;
  call.cudaSources = 1;
  toolkit.emplace();
  toolkit->includeDirs = {"/opt/cuda/include"};
  files.file("/opt/cuda/include/cuda.h");
  include({"/t/include"}, Kind::Quote);
  EXPECT_THAT(find(), ElementsAre("2.15.0 (-iquote /t/include) guarded"));
}

TEST_F(TorchHeaders, whatIsNotTorchs) {
  files.file("/own/torch/version.h", "#define MINE 1\n");
  files.file("/own/torch/csrc/kernel.h");
  files.file("/own/version.py", "__version__ = '1.2.3'\n");
  files.file("/lua/torch", "a program");
  include({"/own", "/lua", "/absent"});
  EXPECT_THAT(find(), IsEmpty());
}

TEST_F(TorchHeaders, whatCannotBeUnderstoodIsFound) {
  older("/t", 5);
  files.file("/t/include/torch/csrc/api/include/torch/version.h",
             "#define TORCH_VERSION_MAJOR 2\n#define TORCH_VERSION_MINOR\n");
  include({"/t/include"});
  EXPECT_THAT(find(), ElementsAre(HasSubstr("no TORCH_VERSION_MINOR with a number in /t/")));
  files.remove("/t/include/torch/csrc/api/include/torch/version.h");
  EXPECT_THAT(find(), ElementsAre(HasSubstr("no TORCH_VERSION_MAJOR in torch/headeronly")));
  // version.py beside them is used if no header has the release.
  files.file("/t/version.py", "__version__ = '2.4.1+cu121'\ncuda = '12.1'\n");
  EXPECT_THAT(find(), ElementsAre("2.4.1+cu121 (-I /t/include)"));
  files.file("/t/include/torch/headeronly/version.h", versionH(12)).unreadable = {
      "/t/include/torch/headeronly/version.h"};
  EXPECT_THAT(find(), ElementsAre(HasSubstr("version.h")));
}

TEST_F(TorchHeaders, aLabelCountsOnlyForTheReleaseOfTheHeaders) {
  older("/t", 5, "__version__ = '2.6.0+cu126'\ncuda = '12.6'\n");
  include({"/t/include"});
  EXPECT_THAT(find(), ElementsAre("2.5.0 (-I /t/include)"));
}

TEST_F(TorchHeaders, theCxxDistribution) {
  older("/libtorch", 5);
  files.file("/libtorch/build-version", "2.5.0+cu121\n");
  include({"/libtorch/include"});
  EXPECT_THAT(find(), ElementsAre("2.5.0+cu121 (-I /libtorch/include)"));
}

TEST_F(TorchHeaders, oneQuestionPerFolder) {
  for (int i = 0; i < 50; ++i)
    call.includes.push_back({files.cwd, Kind::Angle});
  find();
  EXPECT_EQ(files.stats, 50u);
  EXPECT_EQ(files.reads, 0u);
}

} // namespace
