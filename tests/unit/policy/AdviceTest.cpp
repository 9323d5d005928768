// SPDX-License-Identifier: Apache-2.0
// Fixes that no simulation can try.
#include "tests/unit/policy/Processes.h"

using namespace cudacc;
using namespace cudacc::core;
using cudacc::test::Processes;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

namespace {

struct AdviceCases : Processes {
  policy::Owner owner;
  std::string beside;
  Finding finding;

  const Finding &advised(Code code = Code::NotFound, const char *library = "") {
    finding = makeFinding(code, "message");
    finding.library = library;
    std::vector<Finding> findings{makeFinding(Code::RunpathOverridable, "a warning"), finding};
    policy::RemedyContext context;
    context.pip = "pip install";
    auto ownerOf = [&](llvm::StringRef) { return owner; };
    context.ownerOf = ownerOf;
    auto besides = [&](llvm::StringRef, llvm::StringRef) {
      return beside.empty() ? std::vector<std::string>() : std::vector{beside};
    };
    context.besides = besides;
    policy::advise(made(), context, findings);
    EXPECT_THAT(findings[0].fixes, IsEmpty());
    return finding = findings[1];
  }
  std::string because() const { return finding.facts.empty() ? "" : finding.facts[0].text; }
};

} // namespace

TEST_F(AdviceCases, aFileThatIsDamagedOrGoneIsInstalledAgain) {
  load.failure = "/w/libx.so: file too short";
  EXPECT_THAT(advised().fixes, ElementsAre("reinstall the package that contains /w/libx.so"));
  EXPECT_EQ(because(), "/w/libx.so is damaged: file too short");
  owner = {"x", "1.0"};
  EXPECT_THAT(advised().fixes, ElementsAre("pip install --force-reinstall --no-deps x==1.0"));
  // The finding says so itself.
  advised(Code::Damaged);
  EXPECT_EQ(because(), "");
  advised(Code::NotLoadable);
  EXPECT_EQ(because(), "");
  load.failure = "libx.so: file too short";
  EXPECT_THAT(advised().fixes, IsEmpty());
}

TEST_F(AdviceCases, aFileThatWasSkippedHasItsReason) {
  load.failure = "libx.so: cannot open shared object file";
  load.skipped = {"/w/libx.so: dangling link"};
  advised();
  EXPECT_EQ(because(),
            "/w/libx.so is a link to a file that is gone; with UV_LINK_MODE=copy uv makes none");
  for (const char *reason : {"wrong ELF class: ELFCLASS32", "ELF of machine 183"}) {
    load.skipped = {std::string("/w/libx.so: ") + reason};
    advised();
    EXPECT_EQ(because(), std::string("/w/libx.so is for another machine: ") + reason);
  }
  load.skipped = {"/w/libx.so: Permission denied"};
  EXPECT_THAT(advised().fixes, ElementsAre("chmod a+r /w/libx.so"));
  EXPECT_EQ(because(), "this user may not read /w/libx.so");
}

TEST_F(AdviceCases, aReleaseOfTheSystemIsNamed) {
  lacks("", "libc.so.6");
  binding.node = "GLIBC_2.38";
  EXPECT_THAT(advised().fixes, SizeIs(3));
  EXPECT_EQ(because(), "glibc 2.38 or newer (GLIBC_2.38)");
  EXPECT_THAT(finding.fixes[1], StartsWith("run it on a system or in a container with glibc 2.38"));
  binding.node = "GLIBCXX_3.4.30";
  EXPECT_THAT(advised().fixes, SizeIs(3));
  EXPECT_THAT(finding.fixes[0], StartsWith("let a newer libstdc++ be taken"));
  binding.node = "OWN_1";
  EXPECT_THAT(advised().fixes, IsEmpty());
  EXPECT_THAT(finding.facts, IsEmpty());
  binding.node = "GLIBC_2.38";
  binding.symbol = "f";
  EXPECT_THAT(advised().fixes, IsEmpty());
  binding.symbol = binding.node = "";
  EXPECT_THAT(advised().fixes, IsEmpty());
}

TEST_F(AdviceCases, aFolderOfLibrariesGetsItsNameAgain) {
  lacksFile("libx-96c42e41.so.1");
  beside = "/w/renamed.libs/libx-96c42e41.so.1";
  load.searched = {"/w", "/w/ext.libs"};
  EXPECT_THAT(advised().fixes, ElementsAre("mv /w/renamed.libs /w/ext.libs",
                                           "reinstall the package that contains " + beside));
  EXPECT_EQ(because(), "/w/renamed.libs");
  load.searched = {"/w"};
  EXPECT_THAT(advised().fixes, IsEmpty());
  load.searched = {"/w/ext.libs"};
  load.failure.clear();
  EXPECT_THAT(advised().fixes, IsEmpty());
}

TEST_F(AdviceCases, aFileOfAnotherMachineIsInstalledAgainIfAPackageHasIt) {
  EXPECT_THAT(advised(Code::OtherMachine).fixes, IsEmpty());
  owner = {"x", "1.0"};
  EXPECT_THAT(advised(Code::OtherMachine).fixes,
              ElementsAre("pip install --force-reinstall --no-deps x==1.0"));
  // Nothing else is said of it.
  load.skipped = {"/w/libx.so: wrong ELF class"};
  EXPECT_THAT(advised(Code::OtherMachine).fixes, SizeIs(1));
}

TEST_F(AdviceCases, nothingIsSaidWithoutAnErrorOrAnOwner) {
  load.skipped = {"/w/libx.so: dangling link"};
  std::vector<Finding> findings{makeFinding(Code::RunpathOverridable, "a warning")};
  policy::RemedyContext context;
  policy::advise(made(), context, findings);
  EXPECT_THAT(findings[0].fixes, IsEmpty());
  std::vector<Finding> none;
  policy::advise(made(), context, none);
  load.skipped.clear();
  findings = {makeFinding(Code::OtherMachine, "an error")};
  policy::advise(made(), context, findings);
  EXPECT_THAT(findings[0].fixes, IsEmpty());
}

TEST_F(AdviceCases, theCompanionsOfTorchAreInstalledForItsBuild) {
  auto companion = [&](const char *dist, const char *version, const char *torch, unsigned minor,
                       unsigned major = 12) {
    owner = {dist, version};
    installed.torch = torch;
    installed.line = {major, minor};
    const Finding &found = advised(Code::ImportMissing, "libtorch.so");
    return found.fixes.empty() ? "" : found.fixes[0];
  };
  EXPECT_EQ(companion("torchvision", "0.20.0", "2.6.0+cu124", 4),
            "pip install --upgrade torchvision torch==2.6.0");
  EXPECT_EQ(companion("torchaudio", "2.0.0", "2.1.0", 1), "pip install torchaudio==2.1.0");
  EXPECT_EQ(companion("torchaudio", "2.0.0", "2.0.1", 7, 11), "");
  // Another index than PyPI's has the build.
  EXPECT_EQ(companion("torchaudio", "2.5.0+cu118", "2.6.0+cu118", 8, 11),
            "pip install torchaudio==2.6.0 --index-url https://download.pytorch.org/whl/cu118");
  EXPECT_EQ(companion("torchaudio", "2.8.0", "2.9.0+cu130", 0, 13),
            "pip install torchaudio==2.9.0 --index-url https://download.pytorch.org/whl/cu130");
  EXPECT_EQ(companion("torchaudio", "2.6.0+cu118", "2.6.0+cu118", 8, 11), "");
  EXPECT_EQ(companion("torchaudio", "2.6.0+cu126", "2.6.0+cu118", 8, 11),
            "pip install --force-reinstall --no-deps torchaudio==2.6.0 --index-url "
            "https://download.pytorch.org/whl/cu118");
  EXPECT_EQ(companion("torchaudio", "unknown", "2.6.0", 4), "");
  EXPECT_EQ(companion("torchaudio", "2.5.0", "unknown", 4), "");
}

TEST_F(AdviceCases, aPackageIsNotAskedForWhatTheRuntimeHasNot) {
  owner = {"x", "1.0"};
  EXPECT_THAT(advised(Code::ImportMissing, "libnvJitLink.so.12").fixes, SizeIs(2));
  EXPECT_THAT(advised(Code::Floor, "libnvJitLink.so.12").fixes, IsEmpty());
  // Only the process has it.
  Target taken = installed;
  taken.libraries.emplace_back().soname = "libcublas.so.12";
  made().target = &taken;
  std::vector<Finding> findings{makeFinding(Code::ImportMissing, "message")};
  findings[0].library = "libcublas.so.12";
  policy::RemedyContext context;
  auto ownerOf = [&](llvm::StringRef) { return owner; };
  context.ownerOf = ownerOf;
  policy::advise(process, context, findings);
  EXPECT_THAT(findings[0].fixes, IsEmpty());
  process.installed = nullptr;
  policy::advise(process, context, findings);
  EXPECT_THAT(findings[0].fixes, IsEmpty());
  process.installed = &installed;
  context.ownerOf = nullptr;
  findings[0].library = "libnvJitLink.so.12";
  policy::advise(process, context, findings);
  EXPECT_THAT(findings[0].fixes, IsEmpty());
}

TEST_F(AdviceCases, torchAndNobodyAreNotAskedForAnotherBuild) {
  for (const char *dist : {"torch", ""}) {
    owner = {dist, "1.0"};
    EXPECT_THAT(advised(Code::ImportMissing, "libnvJitLink.so.12").fixes, IsEmpty()) << dist;
  }
  owner = {"nvidia-cusolver", "1.0"};
  load.askedBy = "/w/libcusolver.so.12";
  EXPECT_THAT(advised(Code::ImportMissing, "libnvJitLink.so.12").fixes, IsEmpty());
}
