// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/cmake/Recorded.h"
#include "Audited.h"
#include "tests/unit/meson/RecordedInfo.h"

// Complete builds as CMake and Meson wrote them, read and checked by the rules.
namespace cudacc::test {

namespace {

Audited auditedOf(audit::BuildModel model) {
  Audited out;
  out.model = std::move(model);
  for (const std::string &path : audit::artefactsOf(out.model)) {
    // The artefacts of the links in it: with CUDA, except for two C++ ones.
    bool isPlain =
        llvm::StringRef(path).ends_with("plain.so") || llvm::StringRef(path).ends_with("/tool");
    out.artefact(path);
    if (isPlain)
      out.artefacts[path].facts.needed = {"libc.so.6"};
  }
  return out;
}

Audited recorded(llvm::StringRef name) { return auditedOf(RecordedBuild(name).model()); }

} // namespace

TEST(RecordedAudit, ofCleanBuildsNamesTheInnerBuildAlone) {
  for (const char *name : {"3.25-ninja", "3.31-multi", "4.4-makefiles"}) {
    Audited build = recorded(name);
    EXPECT_THAT(build.findings(), testing::ElementsAre("CC6013 outer command /s/CMakeLists.txt:28"))
        << name;
    core::AuditReport report = build.report();
    EXPECT_EQ(report.targets, 12u) << name;
    EXPECT_EQ(report.cudaTargets, 8u) << name;
  }
}

TEST(RecordedAudit, ofABuildWithoutUsNamesEveryStepOfEveryTarget) {
  Audited build = recorded("3.25-round");
  for (auto &[path, artefact] : build.artefacts)
    artefact.facts.manifest.links.clear();
  EXPECT_THAT(
      build.findings(),
      testing::UnorderedElementsAre(
          "CC6001 kernels compile /s/CMakeLists.txt:8", "CC6001 mixed compile /s/CMakeLists.txt:9",
          "CC6001 rdc compile /s/CMakeLists.txt:11", "CC6001 archive compile /s/CMakeLists.txt:13",
          "CC6001 objs compile /s/CMakeLists.txt:20",
          "CC6001 inner compile /s/sub/CMakeLists.txt:2",
          "CC6002 rdc device link /s/CMakeLists.txt:11", "CC6003 kernels link /s/CMakeLists.txt:8",
          "CC6003 mixed link /s/CMakeLists.txt:9", "CC6003 rdc link /s/CMakeLists.txt:11",
          "CC6003 ext link /s/CMakeLists.txt:14", "CC6003 useobjs link /s/CMakeLists.txt:21",
          "CC6003 inner link /s/sub/CMakeLists.txt:2", "CC6005 ptx command /s/CMakeLists.txt:25",
          "CC6013 outer command /s/CMakeLists.txt:28"));
}

TEST(RecordedAudit, ofMesonsBuildsWithANativeFileFindsNothing) {
  for (const char *name : {"1.0.1", "1.12.1"}) {
    Audited build = auditedOf(RecordedInfo(name).model());
    build.programs["/usr/bin/g++"].exists = true;
    EXPECT_THAT(build.findings(), testing::IsEmpty()) << name;
    EXPECT_EQ(build.report().targets, 14u) << name;
  }
}

// Meson links targets without CUDA with the C++ compiler, which that file does not name.
TEST(RecordedAudit, ofMesonWithTheCudaCompilerAloneNamesTheLinksOfCxx) { // R21
  Audited build = auditedOf(RecordedInfo("1.12.1-round").model());
  for (const char *path : {"/b/libtwo.so", "/b/sub/libinner.so.1.2.3"})
    build.artefacts[path].facts.manifest.links.clear();
  EXPECT_THAT(build.findings(),
              testing::UnorderedElementsAre("CC6003 two link /s/meson.build:",
                                            "CC6003 inner link /s/sub/meson.build:"));
}

TEST(RecordedAudit, ofMesonWithAnotherCudaCompilerNamesEveryStep) {
  RecordedInfo build("1.12.1");
  for (std::string *text : {&build.ninja.answers["build.ninja"],
                            &build.files.node(build.info("intro-targets"))->content,
                            &build.files.node(build.info("intro-compilers"))->content})
    for (size_t at = 0; (at = text->find("/td/bin/nvcc", at)) != std::string::npos;)
      text->replace(at, 3, "/cuda");
  EXPECT_THAT(
      auditedOf(build.model()).findings(),
      testing::UnorderedElementsAre(
          "CC6001 pure compile /s/meson.build:", "CC6003 pure link /s/meson.build:",
          "CC6001 mixed compile /s/meson.build:", "CC6003 mixed link /s/meson.build:",
          "CC6001 archive compile /s/meson.build:", "CC6003 prog link /s/meson.build:",
          "CC6003 ext link /s/meson.build:", "CC6001 later compile /s/meson.build:",
          "CC6003 later link /s/meson.build:", "CC6005 ptx command /s/meson.build:",
          "CC6005 captured command /s/meson.build:", "CC6005 around command /s/meson.build:"));
}

} // namespace cudacc::test
