// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/link/LinkInputs.h"
#include "driver/commands/link/LinkReport.h"
#include "driver/core/Diagnostic.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::commands;
using testing::ElementsAre;
using testing::IsEmpty;
using versions::Arch;

using Words = std::vector<std::pair<std::string, std::string>>;

static LinkRequest requestOf(Words words) {
  LinkArguments arguments;
  arguments.words = {"a.o"};
  arguments.kept = std::move(words);
  return llvm::cantFail(readLinkRequest(arguments));
}

static bool isRefused(Words words) {
  LinkArguments arguments;
  arguments.words = {"a.o"};
  arguments.kept = std::move(words);
  auto request = readLinkRequest(arguments);
  return !request && core::toFinding(request.takeError()).code == core::Code::Usage;
}

TEST(LinkRequest, optionsAsNvJitLinkSpellsThem) {
  EXPECT_THAT(requestOf({{"-g", ""},
                         {"--lineinfo", ""},
                         {"--maxrregcount", "32"},
                         {"--optimize", "0"},
                         {"--ptxas-options", "-v,-O1"},
                         {"--split-compile", "0"},
                         {"--kernels-used", "a,b"},
                         {"--ftz", "true"},
                         {"--fmad", "false"}})
                  .options,
              ElementsAre("-g", "-lineinfo", "-maxrregcount=32", "-O0", "-Xptxas=-v", "-Xptxas=-O1",
                          "-split-compile=0", "-kernels-used=a", "-kernels-used=b", "-ftz=1",
                          "-fma=0"));
}

TEST(LinkRequest, whatTheDriverLacksAndIgnores) { // LD-9
  LinkRequest request = requestOf({{"--time", ""},
                                   {"--split-compile", "2"},
                                   {"--ftz", "true"},
                                   {"--variables-used", "v"},
                                   {"-g", ""}});
  EXPECT_THAT(request.onlyNvJitLink, ElementsAre("--time", "--split-compile"));
  EXPECT_THAT(request.ignoredByDriver, ElementsAre("--ftz", "--variables-used"));
  EXPECT_TRUE(isIgnoredByDriver("-ftz=1"));
  EXPECT_FALSE(isIgnoredByDriver("-g"));
}

TEST(LinkRequest, theNameOfTheOutputFollowsItsKind) {
  EXPECT_EQ(outputOf(requestOf({})), "a.cubin");
  EXPECT_EQ(outputOf(requestOf({{"--arch", "sm_80,sm_90"}})), "a.fatbin");
  EXPECT_EQ(outputOf(requestOf({{"--emit", "ptx"}})), "a.ptx");
  EXPECT_EQ(outputOf(requestOf({{"--emit", "ptx"}, {"-o", "x"}})), "x");
  // Of architectures that the inputs or the runtime name; a name that was given stays.
  for (const char *given : {"", "a.cubin"}) {
    LinkRequest request = *given ? requestOf({{"-o", given}}) : requestOf({});
    llvm::cantFail(setArchs(request, {{80}, {90}}));
    EXPECT_EQ(request.emit, LinkEmit::Fatbin);
    EXPECT_EQ(outputOf(request), *given ? given : "a.fatbin");
  }
  EXPECT_EQ(pathForArch("dir.d/k.fatbin", {90, 'a'}), "dir.d/k.sm_90a.cubin");
  EXPECT_EQ(pathForArch("k", {80}), "k.sm_80.cubin");
}

TEST(LinkRequest, ptxAndLtoIrAreOptimised) {
  EXPECT_TRUE(requestOf({{"--emit", "ptx"}}).lto);
  EXPECT_TRUE(requestOf({{"--emit", "ltoir"}}).lto);
  EXPECT_FALSE(requestOf({{"--emit", "fatbin"}}).lto);
}

TEST(LinkRequest, valuesThatAreRefused) {
  EXPECT_TRUE(isRefused({{"--arch", "compute_90"}}));
  EXPECT_TRUE(isRefused({{"--arch", "sm_90,"}}));
  EXPECT_TRUE(isRefused({{"--emit", "ptx"}, {"--arch", "sm_80,sm_90"}}));
  EXPECT_TRUE(isRefused({{"--optimize", "1"}}));
  EXPECT_TRUE(isRefused({{"--maxrregcount", "-1"}}));
  EXPECT_FALSE(isRefused({{"--arch", "sm_90a"}, {"--emit", "ltoir"}}));
}

static DeviceInput inputOf(std::vector<core::DeviceImage> images) {
  DeviceInput input;
  input.name = "a.o";
  input.images = std::move(images);
  return input;
}

static core::DeviceImage image(core::ImageKind kind, Arch arch) {
  core::DeviceImage image;
  image.kind = kind;
  image.arch = arch;
  image.relocatable = kind == core::ImageKind::Cubin;
  return image;
}

TEST(CommonArchs, thoseOfMachineCodeElseTheOldestOne) {
  using core::ImageKind;
  DeviceInput both = inputOf({image(ImageKind::Cubin, {80}), image(ImageKind::Cubin, {90})}),
              one = inputOf({image(ImageKind::Cubin, {90})}),
              ptx = inputOf({image(ImageKind::Ptx, {80})}),
              newer = inputOf({image(ImageKind::Ptx, {86})});
  EXPECT_THAT(commonArchs({both}), ElementsAre(Arch{80}, Arch{90}));
  EXPECT_THAT(commonArchs({both, one}), ElementsAre(Arch{90}));
  EXPECT_THAT(commonArchs({both, ptx}), ElementsAre(Arch{80}, Arch{90}));
  EXPECT_THAT(commonArchs({ptx, newer}), ElementsAre(Arch{86}));
  EXPECT_THAT(commonArchs({inputOf({image(ImageKind::Cubin, {80})}), one}), IsEmpty());
}

TEST(LinkJob, theDriverGetsNoOptionThatItIgnores) {
  LinkOutcome outcome;
  outcome.request = requestOf({{"--ftz", "true"}, {"-g", ""}});
  outcome.inputs = {inputOf({})};
  outcome.links.resize(1);
  outcome.links[0].arch = {90};
  ArchLink *link = &outcome.links[0];
  devlink::Job driver = jobFor(outcome, policy::LinkBackend::Driver, link);
  EXPECT_THAT(driver.links[0].options, ElementsAre("-arch=sm_90", "-g"));
  EXPECT_EQ(driver.expected, std::nullopt);
  outcome.linkers.nvJitLink.version = {12, 9};
  devlink::Job library = jobFor(outcome, policy::LinkBackend::NvJitLink, link);
  EXPECT_THAT(library.links[0].options, ElementsAre("-arch=sm_90", "-ftz=1", "-g"));
  EXPECT_EQ(library.expected, (devlink::LibraryVersion{12, 9}));
}

TEST(LinkJob, aDeclaredDriverIsNotThisMachines) {
  LinkOutcome outcome;
  outcome.links.resize(1);
  ArchLink *link = &outcome.links[0];
  outcome.linkers.driver = {policy::DriverFacts::State::Known, {12, 4}, "550.54", false};
  EXPECT_EQ(jobFor(outcome, policy::LinkBackend::Driver, link).expected,
            (devlink::LibraryVersion{12, 4}));
  outcome.linkers.driver.declared = true;
  EXPECT_EQ(jobFor(outcome, policy::LinkBackend::Driver, link).expected, std::nullopt);
}
