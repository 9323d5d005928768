#include "tests/unit/cmake/Recorded.h"
#include "Audited.h"

// Whole builds as CMake wrote them, through the reader and the rules.
namespace cudacc::test {

namespace {

Audited recorded(llvm::StringRef name) {
  Audited out;
  out.model = RecordedBuild(name).model();
  for (const std::string &path : audit::artefactsOf(out.model)) {
    // What the links in there made: of CUDA but for two of C++ alone.
    bool isPlain =
        llvm::StringRef(path).ends_with("plain.so") || llvm::StringRef(path).ends_with("/tool");
    out.artefact(path);
    if (isPlain)
      out.artefacts[path].facts.needed = {"libc.so.6"};
  }
  return out;
}

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

} // namespace cudacc::test
