// SPDX-License-Identifier: Apache-2.0
#include "Audited.h"

namespace cudacc::test {

using namespace audit;
using testing::ElementsAre;
using testing::IsEmpty;
using Kind = BuildCommand::Kind;

TEST(AuditCommands, acceptsABuildOfWhichEverythingIsOurs) {
  Audited build;
  build.good("k");
  core::AuditReport report = build.report();
  EXPECT_THAT(build.findings(), IsEmpty());
  EXPECT_EQ(report.verdict().outcome(), core::Outcome::Accept);
  EXPECT_EQ(report.runtime, "torch==2.7.0");
  EXPECT_EQ(report.targets, 1u);
  EXPECT_EQ(report.cudaTargets, 1u);
  EXPECT_EQ(report.artefacts, 1u);
}

TEST(AuditCommands, reportsATargetOnceWhoseCompilesBypassCudaCc) { // R8
  Audited build;
  size_t k = build.good("k");
  build.command(k, Kind::Compile, {"/cuda/bin/nvcc"}).sources = {"/s/one.cu"};
  build.command(k, Kind::Compile, {"/usr/bin/ccache", "/cuda/bin/nvcc"}).sources = {"/s/two.cu"};
  EXPECT_THAT(build.findings(), ElementsAre("CC6001 k compile /s/CMakeLists.txt:5"));
  core::AuditFinding row = build.report().findings[0];
  EXPECT_EQ(factOf(row.finding, "compile"), "/cuda/bin/nvcc one.cu -o /b/k.o");
  EXPECT_EQ(row.finding.severity, core::Severity::Error);
  EXPECT_TRUE(advises(row, FixKind::Front));
}

TEST(AuditCommands, acceptsOursBehindAndBeforeOthers) {
  Audited build;
  size_t k = build.good("k");
  build.command(k, Kind::Compile, {"/usr/bin/ccache", "/td/bin/nvcc"});
  build.command(k, Kind::Link, {"/usr/bin/time", "/td/bin/cuda-cc", "/usr/bin/c++"});
  EXPECT_THAT(build.findings(), IsEmpty());
}

TEST(AuditCommands, reportsADeviceLinkThatBypassesCudaCc) { // R21
  Audited build;
  size_t k = build.good("k");
  build.command(k, Kind::DeviceLink, {"/td/bin/nvcc"});
  EXPECT_THAT(build.findings(), IsEmpty());
  build.command(k, Kind::DeviceLink, {"/cuda/bin/nvcc"});
  EXPECT_THAT(build.findings(), ElementsAre("CC6002 k device link /s/CMakeLists.txt:5"));
}

TEST(AuditCommands, reportsALinkThatBypassesCudaCcWithAFix) { // R21
  Audited build;
  size_t mixed = build.library("mixed", "CXX");
  build.model.targets[mixed].groups.push_back({"CUDA", {"/s/m.cu"}});
  build.command(mixed, Kind::Compile, {"/td/bin/nvcc"});
  build.command(mixed, Kind::Link, {"/usr/bin/c++"});
  build.artefact("/b/libmixed.so", nullptr);
  // The artefact shows the same error: one cause, one finding.
  EXPECT_THAT(build.findings(), ElementsAre("CC6003 mixed link /s/CMakeLists.txt:5"));
  core::AuditFinding row = build.report().findings[0];
  EXPECT_TRUE(advises(row, FixKind::Launcher));
  EXPECT_EQ(row.finding.fixes[0], std::to_string(int(FixKind::Launcher)) + " /td");
  EXPECT_EQ(factOf(row.finding, "artefact"),
            "/b/libmixed.so needs libcudart.so.12, and has no manifest");
}

// No launcher affects the link of a CUDA-only target, because its link driver follows the compiler.
TEST(AuditCommands, aCudaLinkIsMendedByTheFront) { // R21
  Audited build;
  size_t k = build.library("k");
  build.artefact("/b/libk.so");
  build.command(k, Kind::Link, {"/usr/bin/g++"});
  core::AuditReport report = build.report();
  EXPECT_THAT(build.findings(), ElementsAre("CC6003 k link /s/CMakeLists.txt:5"));
  EXPECT_TRUE(advises(report.findings[0], FixKind::Front));
}

TEST(AuditCommands, aCxxLinkCountsWhereItReadsCuda) {
  for (const char *input :
       {"-lcublas", "/x/libcudart.so.12", "/b/libinner.a", "/b/inner.o", "-l:libnvJitLink.so.12"}) {
    Audited build;
    size_t inner = build.library("inner");
    build.model.targets[inner].type = TargetType::Static;
    build.model.targets[inner].artefacts = {"/b/libinner.a"};
    build.command(inner, Kind::Compile, {"/td/bin/nvcc"});
    size_t ext = build.library("ext", "CXX");
    build.artefact("/b/libext.so", nullptr).needed.clear();
    build.command(ext, Kind::Link, {"/usr/bin/c++"}).inputs = {"/b/e.o", input};
    EXPECT_THAT(build.findings(), ElementsAre("CC6003 ext link /s/CMakeLists.txt:6")) << input;
    build.model.commands.back().programs = {"/td/bin/cuda-cc", "/usr/bin/c++"};
    EXPECT_THAT(build.findings(), IsEmpty()) << input;
  }
}

TEST(AuditCommands, aCxxLinkWithoutCudaMayBypassCudaCc) {
  Audited build;
  size_t plain = build.library("plain", "CXX");
  build.command(plain, Kind::Link, {"/usr/bin/c++"}).inputs = {"/b/p.o", "/b/libk.so", "-lz",
                                                               "-lcurl"};
  build.artefact("/b/libplain.so", nullptr).needed = {"libk.so", "libc.so.6"};
  EXPECT_THAT(build.findings(), IsEmpty());
}

TEST(AuditCommands, namesACommandOfTheProject) { // R23
  Audited build;
  size_t k = build.good("k");
  build.command(k, Kind::Compile, {"/td/bin/nvcc"}).isOwn = true;
  EXPECT_THAT(build.findings(), IsEmpty());
  build.command(k, Kind::Compile, {"/cuda/bin/nvcc"}).isOwn = true;
  EXPECT_THAT(build.findings(), ElementsAre("CC6005 k command /s/CMakeLists.txt:5"));
  build.model.commands.back().target.reset();
  EXPECT_THAT(build.findings(), ElementsAre("CC6005 - command"));
}

TEST(AuditCommands, withoutCommandsTheCompilersOfTheTreeAreAsked) {
  Audited build;
  build.good("k");
  build.model.commands.clear();
  build.model.hasCommands = false;
  EXPECT_THAT(build.findings(), IsEmpty());
  build.model.toolchains[0] = {"CUDA", "/cuda/bin/nvcc", "13.0.88", "/usr/bin/g++", "/cuda"};
  EXPECT_THAT(build.findings(), ElementsAre("CC6001 k compile /s/CMakeLists.txt:5",
                                            "CC6003 k link /s/CMakeLists.txt:5"));
}

TEST(AuditTree, namesALinkDriverThatIsNotOurs) { // R44
  Audited build;
  build.good("k");
  build.model.toolchains[0].linkDriver = "/usr/bin/g++";
  EXPECT_THAT(build.findings(), ElementsAre("CC6004 - configure"));
  EXPECT_EQ(factOf(build.report().findings[0].finding, "driver"), "/usr/bin/g++");
  // If the compiler bypasses cuda-cc too, the findings of its targets already say so.
  build.model.toolchains[0].compiler = "/cuda/bin/nvcc";
  EXPECT_THAT(build.findings(), IsEmpty());
}

TEST(AuditTree, namesATreeWhoseCompilerChanged) { // AT27
  Audited build;
  build.good("k");
  ProgramFacts &nvcc = build.programs["/td/bin/nvcc"];
  nvcc.version = "13.0.88";
  EXPECT_THAT(build.findings(), IsEmpty());
  nvcc.version = "13.1.80";
  EXPECT_THAT(build.findings(), ElementsAre("CC6011 - configure"));
  EXPECT_EQ(factOf(build.report().findings[0].finding, "now"), "13.1.80");
  nvcc.problem = core::Finding{core::Code::DirectoryOutdated,
                               core::Severity::Error,
                               "outdated",
                               {},
                               {"make it again"},
                               "",
                               "",
                               ""};
  EXPECT_THAT(build.findings(), ElementsAre("CC6011 - configure"));
  EXPECT_EQ(build.report().findings[0].finding.fixes[0], "make it again");
  nvcc = {};
  EXPECT_THAT(build.findings(), testing::Contains("CC6011 - configure"));
  EXPECT_EQ(factOf(build.report().findings[0].finding, "now"), "it is gone");
}

TEST(AuditTree, warnsOfWhatItCannotSeeOrSeesTooLate) {
  Audited build;
  build.good("k");
  build.model.newer = {"/s/CMakeLists.txt"};
  build.model.isDescribed = false;
  build.model.targets.emplace_back().name = "outer";
  build.model.targets.back().isBuild = true;
  build.model.targets.back().place = {"/s/CMakeLists.txt", 28};
  EXPECT_THAT(build.findings(), ElementsAre("CC6012 - configure", "CC6014 - configure",
                                            "CC6013 outer command /s/CMakeLists.txt:28"));
  EXPECT_EQ(build.report().verdict().outcome(), core::Outcome::Accept);
}

TEST(AuditTree, ofWhichNoTargetIsKnownIsUnknown) {
  Audited build;
  // The description itself says that there are no targets.
  EXPECT_THAT(build.findings(), testing::IsEmpty());
  EXPECT_EQ(build.report().verdict().outcome(), core::Outcome::Accept);
  build.model.isDescribed = false;
  build.model.configuredAs = "/first";
  EXPECT_THAT(build.findings(), ElementsAre("CC6018 - configure"));
  EXPECT_EQ(factOf(build.report().findings[0].finding, "configured as"), "/first");
  EXPECT_EQ(build.report().verdict().exit(false), core::Exit::Undetermined);
  EXPECT_EQ(build.report().verdict().exit(true), core::Exit::Rejected);
}

} // namespace cudacc::test
