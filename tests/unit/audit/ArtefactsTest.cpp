// SPDX-License-Identifier: Apache-2.0
#include "Audited.h"

namespace cudacc::test {

using namespace audit;
using testing::ElementsAre;
using testing::IsEmpty;
using Kind = BuildCommand::Kind;

TEST(AuditArtefacts, namesOneWithoutManifestThoughItsLinkIsOurs) {
  Audited build;
  build.good("k");
  core::BinaryFacts &facts = build.artefact("/b/libk.so", nullptr);
  EXPECT_THAT(build.findings(), ElementsAre("CC6006 k artefact /s/CMakeLists.txt:5"));
  EXPECT_EQ(factOf(build.report().findings[0].finding, "artefact"),
            "/b/libk.so needs libcudart.so.12");
  facts.needed = {"libc.so.6"};
  EXPECT_THAT(build.findings(), IsEmpty()) << "no CUDA in it";
  facts.staticCudart = true;
  EXPECT_THAT(build.findings(), ElementsAre("CC6006 k artefact /s/CMakeLists.txt:5"));
  facts.staticCudart = false;
  facts.device.units.emplace_back();
  EXPECT_THAT(build.findings(), ElementsAre("CC6006 k artefact /s/CMakeLists.txt:5"));
}

// The artefact decides, whatever the commands look like.
TEST(AuditArtefacts, namesACxxTargetThatTurnsOutToUseCuda) {
  Audited build;
  size_t plain = build.library("plain", "CXX");
  build.command(plain, Kind::Link, {"/usr/bin/c++"});
  build.artefact("/b/libplain.so", nullptr);
  EXPECT_THAT(build.findings(), ElementsAre("CC6006 plain artefact /s/CMakeLists.txt:5"));
}

TEST(AuditArtefacts, namesOneThatWasMadeForAnotherTarget) {
  Audited build;
  build.good("k");
  build.artefact("/b/libk.so", "torch==2.5.1");
  EXPECT_THAT(build.findings(), ElementsAre("CC6007 k artefact /s/CMakeLists.txt:5"));
  core::Finding finding = build.report().findings[0].finding;
  EXPECT_EQ(finding.message, "libk.so was made for torch==2.5.1");
  EXPECT_EQ(factOf(finding, "declared"), "torch==2.7.0");
  build.artefact("/b/libk.so", "");
  EXPECT_EQ(build.report().findings.at(0).finding.message, "libk.so was made for no target");
}

TEST(AuditArtefacts, aLinkLineMayDeclareItsOwn) {
  Audited build;
  build.good("k");
  build.artefact("/b/libk.so", "torch==2.5.1");
  build.model.commands[1].declared = "torch==2.5.1";
  EXPECT_THAT(build.findings(), IsEmpty());
}

TEST(AuditArtefacts, withoutDirectoryTheDeclarationOfTheProjectCounts) {
  Audited build;
  build.good("k");
  for (auto &[path, facts] : build.programs)
    facts.directory = facts.runtime = "";
  EXPECT_THAT(build.findings(), IsEmpty()) << "nothing is declared";
  build.runtime = "cuda==12.4";
  EXPECT_THAT(build.findings(), ElementsAre("CC6007 k artefact /s/CMakeLists.txt:5"));
  EXPECT_EQ(build.report().runtime, "cuda==12.4");
}

// A C++ project has no CUDA compiler, so the launcher of its links identifies the toolchain
// directory.
TEST(AuditArtefacts, theRuntimeIsThatOfAnyProgramOfADirectory) {
  Audited build;
  build.good("k");
  build.model.toolchains.erase(build.model.toolchains.begin());
  build.runtime = "cuda==12.4";
  EXPECT_EQ(build.report().runtime, "torch==2.7.0");
  EXPECT_THAT(build.findings(), IsEmpty());
}

TEST(AuditArtefacts, oneThatIsNotBuiltIsUnknown) {
  Audited build;
  build.good("k");
  build.artefacts.clear();
  EXPECT_THAT(build.findings(), ElementsAre("CC6015 k artefact /s/CMakeLists.txt:5"));
  EXPECT_EQ(build.report().verdict().exit(), core::Exit::Undetermined);
  EXPECT_EQ(build.report().verdict().exit(true), core::Exit::Rejected);
  build.model.targets[0].language = "CXX";
  build.model.targets[0].groups.clear();
  build.model.commands.clear();
  EXPECT_THAT(build.findings(), IsEmpty()) << "no CUDA goes into it";
}

TEST(AuditArtefacts, ofSeveralConfigurationsOneIsEnough) {
  Audited build;
  build.good("k");
  size_t debug = build.library("k");
  build.model.targets[debug].configuration = "Debug";
  build.model.targets[debug].artefacts = {"/b/Debug/libk.so"};
  EXPECT_THAT(build.findings(), IsEmpty());
  EXPECT_EQ(build.report().targets, 1u);
  build.artefacts.clear();
  EXPECT_THAT(build.findings(), testing::SizeIs(1));
}

TEST(AuditArtefacts, oneThatCannotBeReadSaysWhy) {
  Audited build;
  build.good("k");
  build.artefacts["/b/libk.so"].problem = core::Finding{
      core::Code::BrokenBinary, core::Severity::Error, "libk.so: damaged", {}, {}, "", "", ""};
  EXPECT_THAT(build.findings(), ElementsAre("CC2014 k artefact /s/CMakeLists.txt:5"));
  EXPECT_EQ(build.report().verdict().exit(), core::Exit::Undetermined);
}

TEST(AuditArtefacts, reportsUndefinedNamesOfACudartThatIsNotLinked) {
  Audited build;
  size_t ext = build.library("ext", "CXX");
  build.command(ext, Kind::Link, {"/td/bin/cuda-cc", "/usr/bin/c++"});
  core::BinaryFacts &facts = build.artefact("/b/libext.so");
  facts.needed = {"libc.so.6"};
  facts.imports = {{"cudaGetDeviceCount", "", "", false},
                   {"__cudaRegisterFatBinary", "", "", false},
                   {"cudaOfTheProject", "", "", false},
                   {"memcpy", "GLIBC_2.14", "libc.so.6", false}};
  EXPECT_THAT(build.findings(), ElementsAre("CC6010 ext artefact /s/CMakeLists.txt:5"));
  EXPECT_EQ(factOf(build.report().findings[0].finding, "undefined"),
            "cudaGetDeviceCount, __cudaRegisterFatBinary");
  facts.needed.push_back("libcudart.so.12");
  EXPECT_THAT(build.findings(), IsEmpty());
  facts.needed.pop_back();
  facts.imports[0].weak = facts.imports[1].weak = true;
  EXPECT_THAT(build.findings(), IsEmpty()) << "weak names may stay undefined";
}

} // namespace cudacc::test
