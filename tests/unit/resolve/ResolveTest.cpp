// SPDX-License-Identifier: Apache-2.0
#include "driver/resolve/Resolve.h"
#include "driver/core/Diagnostic.h"
#include "driver/policy/advice/RuntimeFixes.h"
#include "driver/resolve/Runtimes.h"
#include "tests/unit/resolve/Resolving.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using test::declare;
using test::factOf;
using test::refusal;
using test::target;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// `12.4.127, CUDA 12.4, pinned by torch 2.5.1`; empty: no such row.
std::string rowText(const Target &target, const char *soname) {
  const TargetLibrary *library = target.find(soname);
  if (!library)
    return "";
  return library->version.str() + ", CUDA " + library->cuda.str() + ", " + library->origin;
}

} // namespace

// TG-1, and the target of V-TG-01.
TEST(Resolve, TorchReleaseIsItsPins) {
  Target torch = target({"torch==2.5.1"});
  EXPECT_TRUE(torch.declared);
  EXPECT_EQ(torch.line.str(), "12.4");
  EXPECT_EQ(torch.release, "12.4.1");
  EXPECT_EQ(torch.driverFloor, "525.60.13");
  EXPECT_EQ(torch.describe(), "torch==2.5.1 in cuda-cc.toml:3");
  EXPECT_EQ(rowText(torch, "libnvJitLink.so.12"), "12.4.127, CUDA 12.4, pinned by torch 2.5.1");
  EXPECT_EQ(rowText(torch, "libcublas.so.12"), "12.4.5.8, CUDA 12.4, pinned by torch 2.5.1");
  EXPECT_EQ(rowText(torch, "libcublasLt.so.12"), "12.4.5.8, CUDA 12.4, pinned by torch 2.5.1");
  EXPECT_EQ(rowText(torch, "libnvblas.so.12"), "12.4.5.8, CUDA 12.4, pinned by torch 2.5.1");
  EXPECT_EQ(torch.find("libcudnn.so.9")->version.str(), "9.1.0.70");
  EXPECT_FALSE(torch.find("libcudnn.so.9")->cuda.known());
  EXPECT_EQ(torch.find("libcudnn.so.8"), nullptr);
  EXPECT_EQ(torch.find("libcudart.so.13"), nullptr);
}

// TG-1: libraries that the declaration does not pin get the line's minimum.
TEST(Resolve, UnpinnedLibrariesHaveTheFloorOfTheLine) {
  Target torch = target({"torch==2.5.1"});
  EXPECT_EQ(rowText(torch, "libnppc.so.12"), "12.2.5.2, CUDA 12.4, floor of CUDA 12.4");
  EXPECT_EQ(rowText(torch, "libnppif.so.12"), "12.2.5.2, CUDA 12.4, floor of CUDA 12.4");
  EXPECT_EQ(rowText(torch, "libnvjpeg.so.12"), "12.3.1.89, CUDA 12.4, floor of CUDA 12.4");
  EXPECT_EQ(rowText(torch, "libnvfatbin.so.12"), "12.4.99, CUDA 12.4, floor of CUDA 12.4");
}

TEST(Resolve, RowsAreOrderedAndUnique) {
  for (const char *text : {"torch==2.5.1", "cuda==13.0", "torch>=2.5,<2.8", "torch==2.15.0"}) {
    Target each = target({text});
    EXPECT_GT(each.libraries.size(), 30u) << text;
    for (size_t i = 1; i < each.libraries.size(); ++i)
      EXPECT_LT(each.libraries[i - 1].soname, each.libraries[i].soname) << text;
    for (const TargetLibrary &library : each.libraries) {
      EXPECT_FALSE(library.dist.empty()) << library.soname;
      EXPECT_FALSE(library.folder.empty()) << library.soname;
      EXPECT_FALSE(library.origin.empty()) << library.soname;
    }
  }
}

TEST(Resolve, FoldersAreThoseOfTheMajorAndVersion) {
  Target old = target({"torch==2.5.1"});
  EXPECT_EQ(old.find("libnvJitLink.so.12")->folder, "nvidia/nvjitlink/lib");
  EXPECT_EQ(old.find("libcudart.so.12")->folder, "nvidia/cuda_runtime/lib");
  Target recent = target({"torch==2.11.0"});
  EXPECT_EQ(recent.find("libnvJitLink.so.13")->folder, "nvidia/cu13/lib");
  EXPECT_EQ(recent.find("libcudnn.so.9")->folder, "nvidia/cudnn/lib");
  EXPECT_EQ(target({"torch==2.7.1"}).find("libcusparseLt.so.0")->folder, "cusparselt/lib");
  EXPECT_EQ(target({"torch==2.8.0"}).find("libcusparseLt.so.0")->folder, "nvidia/cusparselt/lib");
}

TEST(Resolve, RangeOverAMovedFolderNamesBoth) {
  const Target range = target({"torch>=2.7,<2.9"});
  const TargetLibrary *library = range.find("libcusparseLt.so.0");
  ASSERT_TRUE(library);
  EXPECT_EQ(library->folder, "cusparselt/lib");
  EXPECT_THAT(library->otherFolders, ElementsAre("nvidia/cusparselt/lib"));
}

TEST(Resolve, FloatingPinsAreFloors) {
  Target torch = target({"torch==2.1.0"});
  const TargetLibrary *library = torch.find("libnvJitLink.so.12");
  ASSERT_TRUE(library);
  EXPECT_TRUE(library->floats);
  EXPECT_EQ(rowText(torch, "libnvJitLink.so.12"),
            "12.1.105, CUDA 12.1, floats in torch 2.1.0, floor");
  EXPECT_FALSE(torch.find("libcublas.so.12")->floats);
}

// torch 2.0 mixes two toolkits: cuFFT of 11.8.0 with 11.7.1 (facts README, 1).
TEST(Resolve, TargetIsNoSingleNumber) {
  Target torch = target({"torch==2.0.1"});
  EXPECT_EQ(torch.line.str(), "11.7");
  EXPECT_EQ(rowText(torch, "libcufft.so.10"), "10.9.0.58, CUDA 11.8, pinned by torch 2.0.1");
  EXPECT_EQ(torch.find("libcublas.so.11")->cuda.str(), "11.7");
}

TEST(Resolve, ShortReleaseNumberIsThePep440One) {
  EXPECT_EQ(rowText(target({"torch==2.5"}), "libnvJitLink.so.12"),
            "12.4.127, CUDA 12.4, pinned by torch 2.5.0");
}

TEST(Resolve, LocalLabelChoosesTheLine) {
  Target torch = target({"torch==2.6.0+cu126"});
  EXPECT_EQ(torch.line.str(), "12.6");
  EXPECT_EQ(torch.release, "12.6.3");
  EXPECT_EQ(rowText(torch, "libnvJitLink.so.12"),
            "12.6.85, CUDA 12.6, pinned by torch 2.6.0+cu126");
  EXPECT_EQ(target({"torch==2.6.0"}).line.str(), "12.4");
  EXPECT_EQ(target({"torch==2.6.0+cu118"}).line.str(), "11.8");
}

TEST(Resolve, LinesKnownByNameOnlyHaveTheFloorOfTheLine) {
  Target torch = target({"torch==2.3.1+cu118"});
  EXPECT_EQ(torch.line.str(), "11.8");
  EXPECT_EQ(rowText(torch, "libcublas.so.11"), "11.11.3.6, CUDA 11.8, floor of CUDA 11.8");
}

TEST(Resolve, NewMajors) {
  EXPECT_EQ(target({"torch==2.11.0"}).line.str(), "13.0");
  EXPECT_EQ(target({"torch==2.11.0"}).driverFloor, "580.65.06");
  EXPECT_EQ(target({"torch==2.15.0"}).line.str(), "13.2");
}

TEST(Resolve, RangeIsTheMinimumVersionOfEachLibrary) {
  Target range = target({"torch>=2.5,<2.8"});
  EXPECT_EQ(range.line.str(), "12.4");
  EXPECT_EQ(range.release, "12.4.1");
  EXPECT_EQ(rowText(range, "libnvJitLink.so.12"), "12.4.127, CUDA 12.4, pinned by torch 2.5.0");
  EXPECT_EQ(rowText(range, "libnppc.so.12"), "12.2.5.2, CUDA 12.4, floor of CUDA 12.4");
  EXPECT_EQ(rowText(target({"torch>=2.6,<2.8"}), "libnccl.so.2"),
            "2.21.5, CUDA unknown, pinned by torch 2.6.0");
}

TEST(Resolve, RangeHasOnlyWhatAllReleasesHave) {
  // torch 2.3 has cuDNN 8, torch 2.4 cuDNN 9.
  Target range = target({"torch>=2.3,<2.5"});
  EXPECT_EQ(range.find("libcudnn.so.8"), nullptr);
  EXPECT_EQ(range.find("libcudnn.so.9"), nullptr);
  EXPECT_NE(range.find("libnccl.so.2"), nullptr);
}

// F13
TEST(Resolve, RangeOverTwoMajorsNamesTheSplit) {
  Finding torch = refusal({"torch>=2.8,<2.13"});
  EXPECT_EQ(torch.code, Code::SpansMajors);
  EXPECT_EQ(torch.message, "torch>=2.8,<2.13 spans CUDA 12 and 13");
  EXPECT_EQ(factOf(torch, "splits at"), "torch 2.11.0 (CUDA 13.0)");
  EXPECT_EQ(factOf(torch, "declared"), "torch>=2.8,<2.13 in cuda-cc.toml:3");
  EXPECT_THAT(torch.fixes, ElementsAre("torch>=2.8,<2.11.0", "torch>=2.11.0,<2.13",
                                       "a build for each CUDA: cuda-cc matrix --runtime "
                                       "'torch>=2.8,<2.11.0' --runtime 'torch>=2.11.0,<2.13'"));
  Finding cuda = refusal({"cuda>=12.4"});
  EXPECT_EQ(cuda.code, Code::SpansMajors);
  EXPECT_EQ(factOf(cuda, "splits at"), "CUDA 13.0");
  EXPECT_THAT(cuda.fixes, ElementsAre("cuda>=12.4,<13.0", "cuda>=13.0",
                                      HasSubstr("matrix --runtime 'cuda>=12.4,<13.0'")));
}

TEST(Resolve, FixesOfASplitResolve) {
  for (const char *text : {"torch>=2.8,<2.11.0", "torch>=2.11.0,<2.13", "cuda>=12.4,<13.0"})
    target({text});
}

// F16
TEST(Resolve, UnknownTorchNamesTheFixes) {
  Finding finding = refusal({"torch==2.16.0"});
  EXPECT_EQ(finding.code, Code::UnknownRelease);
  EXPECT_EQ(exitOf(finding), Exit::Undetermined);
  EXPECT_EQ(factOf(finding, "newest"), "torch 2.15.0 (CUDA 13.2)");
  // One that never was: its neighbours, whose CUDA is not that of the newest.
  Finding never = refusal({"torch==2.5.7"});
  ASSERT_GE(never.fixes.size(), 3u);
  EXPECT_EQ(never.fixes[0], "torch==2.5.1");
  EXPECT_EQ(never.fixes[1], "torch==2.6.0");
  EXPECT_THAT(never.fixes, testing::Not(Contains(HasSubstr("cuda=="))));
  EXPECT_THAT(finding.fixes, Contains(HasSubstr("env:PATH")));
  EXPECT_THAT(finding.fixes, Contains(HasSubstr("cuda==13.2")));
  EXPECT_EQ(finding.origin, "cuda-cc.toml:3");
  EXPECT_EQ(factOf(refusal({"torch==2.5.7"}), "known"), "2.5.0, 2.5.1");
  EXPECT_EQ(refusal({"torch>=3"}).code, Code::UnknownRelease);
  EXPECT_EQ(refusal({"torch==1.12.1"}).code, Code::UnknownRelease);
}

TEST(Resolve, UnknownLabelNamesTheLinesOfTheRelease) {
  Finding finding = refusal({"torch==2.6.0+cu130"});
  EXPECT_EQ(finding.code, Code::UnknownRelease);
  EXPECT_EQ(factOf(finding, "lines"), "cu118, cu124 (PyPI), cu126");
  EXPECT_THAT(finding.fixes, Contains("torch==2.6.0+cu126"));
  EXPECT_EQ(refusal({"torch==2.6.0+cpu"}).code, Code::UnknownRelease);
  EXPECT_EQ(factOf(refusal({"torch==2.16.0+cu130"}), "newest"), "torch 2.15.0 (CUDA 13.2)");
}

TEST(Resolve, CudaLineIsItsFirstRelease) {
  Target cuda = target({"cuda==12.4"});
  EXPECT_EQ(cuda.line.str(), "12.4");
  EXPECT_EQ(cuda.release, "");
  EXPECT_EQ(rowText(cuda, "libnvJitLink.so.12"), "12.4.99, CUDA 12.4, floor of CUDA 12.4");
  EXPECT_EQ(cuda.find("libcudnn.so.9"), nullptr);
}

TEST(Resolve, NamedReleaseIsThatRelease) {
  Target cuda = target({"cuda==12.4.1"});
  EXPECT_EQ(cuda.line.str(), "12.4");
  EXPECT_EQ(cuda.release, "12.4.1");
  EXPECT_EQ(rowText(cuda, "libnvJitLink.so.12"), "12.4.127, CUDA 12.4, part of CUDA 12.4.1");
  EXPECT_EQ(target({"cuda>=12.4.1,<13"}).release, "12.4.1");
}

// V-CN-08
TEST(Resolve, CudaRangeIsItsFloor) {
  Target cuda = target({"cuda>=12.4,<13"});
  EXPECT_EQ(cuda.line.str(), "12.4");
  EXPECT_EQ(rowText(cuda, "libnvJitLink.so.12"), "12.4.99, CUDA 12.4, floor of CUDA 12.4");
  EXPECT_EQ(target({"cuda~=12.4"}).line.str(), "12.4");
  EXPECT_EQ(target({"cuda==12.*"}).line.str(), "12.0");
  EXPECT_EQ(target({"cuda>12.6,<13"}).line.str(), "12.8");
  EXPECT_EQ(target({"cuda (>=12.4, <13)"}).line.str(), "12.4");
}

TEST(Resolve, UnknownCudaLine) {
  Finding finding = refusal({"cuda==12.7"});
  EXPECT_EQ(finding.code, Code::UnknownRelease);
  EXPECT_EQ(finding.message, "no known CUDA release satisfies cuda==12.7");
  EXPECT_EQ(factOf(finding, "known"), "12.0, 12.1, 12.2, 12.3, 12.4, 12.5, 12.6, 12.8, 12.9");
  EXPECT_EQ(factOf(refusal({"cuda==12.4.9"}), "known"), "12.4.0, 12.4.1");
  // The lines next to it, which are in the major that was asked for, if that is known.
  const std::string here = "env:PATH, what is installed there";
  EXPECT_THAT(finding.fixes, ElementsAre("cuda==12.6", "cuda==12.8", here, HasSubstr("facts")));
  EXPECT_THAT(refusal({"cuda==12.99"}).fixes,
              ElementsAre("cuda==12.9", here, HasSubstr("cuda-cc-facts"), HasSubstr("facts = ")));
  EXPECT_THAT(refusal({"cuda==12.7.1"}).fixes,
              ElementsAre("cuda==12.6", "cuda==12.8", here, HasSubstr("facts")));
  EXPECT_THAT(refusal({"cuda==12.4.9"}).fixes, ElementsAre("cuda==12.4", here, HasSubstr("facts")));
  EXPECT_THAT(refusal({"cuda==10.1"}).fixes, ElementsAre("cuda==11.4", here, HasSubstr("facts")));
  EXPECT_EQ(refusal({"cuda>=14"}).code, Code::UnknownRelease);
}

// V-CN-03, V-CN-04, CN-2
TEST(Resolve, TextThatIsNoRequirementShowsOne) {
  struct {
    const char *text, *fix;
  } cases[] = {{"cuda 12.4", "write cuda==12.4"},
               {"12.4", "write cuda==12.4"},
               {"cuda=12.4", "write cuda==12.4"},
               {"cuda12.4", "write cuda==12.4"},
               {"torch 2.5.1", "write torch==2.5.1"},
               {"torch=2.5.1", "write torch==2.5.1"},
               {"2.5.1", "write torch==2.5.1"},
               {"cuda", "write cuda==12.4"},
               {"torch", "write torch==2.5.1"},
               {"", "write cuda==12.4 or torch==2.5.1 or env:PATH"},
               {"  ", "write cuda==12.4 or torch==2.5.1 or env:PATH"},
               {"torh==2.5.1", "did you mean torch==2.5.1?"},
               {"cuda[x]==12.4", "write cuda==12.4"},
               {"numpy==1", "write cuda==12.4 or torch==2.5.1 or env:PATH"}};
  for (auto &each : cases) {
    Finding finding = refusal({each.text});
    EXPECT_EQ(finding.code, Code::BadRequirement) << each.text;
    EXPECT_EQ(exitOf(finding), Exit::Usage);
    EXPECT_THAT(finding.fixes, ElementsAre(each.fix)) << each.text;
    EXPECT_EQ(finding.origin, "cuda-cc.toml:3");
  }
}

TEST(Resolve, HostileTextIsOneShortLine) {
  Finding finding =
      refusal({"\x1b[31m\nx==\x01 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"});
  EXPECT_EQ(finding.code, Code::BadRequirement);
  EXPECT_EQ(finding.message.find('\x1b'), std::string::npos);
  EXPECT_EQ(finding.message.find('\n'), std::string::npos);
  EXPECT_LT(finding.message.size(), 100u);
  Declaration declaration;
  declaration.runtime.push_back({"torch==" + std::string(100000, '9'), {}});
  declaration.runtime.push_back({std::string(100000, '['), {}});
  auto resolved = resolve::resolve(declaration);
  ASSERT_FALSE(resolved);
  EXPECT_EQ(toFinding(resolved.takeError()).code, Code::BadRequirement);
}

// V-CN-09
TEST(Resolve, ContradictionNamesBothOrigins) {
  Finding finding = refusal({"cuda==12.4", "torch==2.7.1"});
  EXPECT_EQ(finding.code, Code::Constraint);
  EXPECT_EQ(exitOf(finding), Exit::Rejected);
  EXPECT_EQ(factOf(finding, "requires"),
            "cuda==12.4 in cuda-cc.toml:3; torch==2.7.1 in cuda-cc.toml:4, which is CUDA 12.6");
  EXPECT_EQ(refusal({"torch==2.5.1", "torch>=2.6,<2.8"}).code, Code::Constraint);
  EXPECT_EQ(refusal({"cuda==12.4", "cuda>=12.6,<13"}).code, Code::Constraint);
  EXPECT_EQ(refusal({"torch==2.6.0+cu126", "torch==2.6.0+cu118"}).code, Code::Constraint);
}

TEST(Resolve, ContradictionShowsTheBuildThatWouldDo) {
  EXPECT_THAT(refusal({"cuda==12.6", "torch==2.6.0"}).fixes, Contains("torch==2.6.0+cu126"));
}

TEST(Resolve, SeveralRequirementsHoldTogether) {
  Target both = target({"cuda>=12.6,<13", "torch>=2.5,<2.11"});
  EXPECT_EQ(both.line.str(), "12.6");
  EXPECT_EQ(both.describe(),
            "cuda>=12.6,<13 in cuda-cc.toml:3 and torch>=2.5,<2.11 in cuda-cc.toml:4");
  EXPECT_EQ(rowText(both, "libnvJitLink.so.12"), "12.6.85, CUDA 12.6, pinned by torch 2.7.0");
  EXPECT_EQ(rowText(target({"cuda==12.4", "torch==2.5.1"}), "libnvJitLink.so.12"),
            "12.4.127, CUDA 12.4, pinned by torch 2.5.1");
  // The upper bound comes from the other requirement.
  EXPECT_EQ(target({"cuda<13", "torch>=2.8"}).line.str(), "12.8");
  EXPECT_EQ(rowText(target({"cuda==12.4.1", "torch==2.5.1"}), "libnvfatbin.so.12"),
            "12.4.127, CUDA 12.4, part of CUDA 12.4.1");
}

TEST(Resolve, NothingDeclared) {
  Declaration declaration;
  declaration.enforce.value = Enforce::Warn;
  auto resolved = resolve::resolve(declaration);
  ASSERT_TRUE(bool(resolved));
  EXPECT_FALSE(resolved->declared);
  EXPECT_EQ(resolved->enforce, Enforce::Warn);
  EXPECT_TRUE(resolved->libraries.empty());
}

TEST(Fixes, FirstTorchOfTheMajor) {
  EXPECT_EQ(resolve::firstTorchWith({12, 5}), "torch>=2.7.0,<2.11 (CUDA 12.6)");
  EXPECT_EQ(resolve::firstTorchWith({12, 4}), "torch>=2.5.0,<2.11 (CUDA 12.4)");
  EXPECT_EQ(resolve::firstTorchWith({13, 1}), "torch>=2.15.0 (CUDA 13.2)");
  EXPECT_EQ(resolve::firstTorchWith({12, 9}), "");
  EXPECT_EQ(resolve::firstTorchWith({14, 0}), "");
}
