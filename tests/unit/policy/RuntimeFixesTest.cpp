// SPDX-License-Identifier: Apache-2.0
// If a runtime that a fix names is declared, the same question is answered with accept.
#include "driver/policy/advice/RuntimeFixes.h"
#include "driver/explain/Explain.h"
#include "driver/policy/advice/Words.h"
#include "driver/resolve/Runtimes.h"
#include "tests/unit/policy/BinaryJudging.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using test::extension;
using test::import;
using testing::AnyOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

namespace {

/// `torch==2.10.0` of "lower the runtime to torch==2.10.0 (CUDA 12.8)"; empty if it names none.
std::string runtimeIn(llvm::StringRef fix) {
  auto [verb, rest] = fix.split(" the runtime to ");
  return verb == "raise" || verb == "lower" ? rest.split(" (").first.split(':').first.str() : "";
}

struct RuntimeFixes : test::BinaryJudging {
  std::vector<std::string> named() const {
    std::vector<std::string> runtimes;
    for (const Finding &finding : findings)
      for (const std::string &fix : finding.fixes)
        if (std::string runtime = runtimeIn(fix); !runtime.empty())
          runtimes.push_back(runtime);
    return runtimes;
  }

  /// The number of fixes, under every known runtime, that name another one, each of which accepts
  /// the file.
  unsigned holdFor(const BinaryFacts &facts) {
    unsigned count = 0;
    for (const std::string &runtime : resolve::knownRuntimes()) {
      judge(runtime.c_str(), facts);
      for (const std::string &other : named()) {
        ++count;
        judge(other.c_str(), facts);
        EXPECT_EQ(outcome(), Outcome::Accept) << runtime << ": " << other;
      }
    }
    return count;
  }
};

/// Every other runtime has one finding.
struct Under : policy::OtherRuntimes {
  explicit Under(Code code) : code(code) {}
  std::vector<Finding> judge(const Target &) override {
    Finding finding;
    finding.code = code;
    return {finding};
  }
  Code code;
};

} // namespace

TEST_F(RuntimeFixes, acceptTheFile) {
  EXPECT_GT(holdFor(extension({import("libcudart.so.12", "cudaMalloc")})), 10u);
  EXPECT_GT(holdFor(extension({import("libcudart.so.13", "cudaMalloc")})), 10u);
  EXPECT_GT(holdFor(extension({import("libnvJitLink.so.12", "__nvJitLinkCreate_12_5")})), 5u);
  EXPECT_GT(holdFor(extension({import("libcusolver.so.11", "cusolverDnXgeev")})), 5u);
}

// Each library has a runtime that would accept it, but no runtime has both.
TEST_F(RuntimeFixes, namesNoneWhereNoneAcceptsTheFile) {
  BinaryFacts both = extension(
      {import("libcudart.so.12", "cudaMalloc"), import("libcublas.so.13", "cublasCreate_v2")});
  EXPECT_EQ(holdFor(both), 0u);
  judge("torch==2.11.0", both);
  EXPECT_EQ(outcome(), Outcome::Reject);
}

// An error that every runtime has is not fixed by another runtime.
TEST_F(RuntimeFixes, areAskedOfTheWholeFile) {
  BinaryFacts facts = extension({import("libcudart.so.12", "cudaMalloc")});
  judge("torch==2.11.0", facts);
  EXPECT_THAT(named(), ElementsAre("torch==2.10.0"));
  Under under(Code::NotFound);
  input.otherRuntimes = &under;
  judge("torch==2.11.0", facts);
  EXPECT_THAT(named(), IsEmpty());
}

// Nothing unproven is claimed: a library whose presence is unknown.
TEST_F(RuntimeFixes, unknownIsNoAccept) {
  BinaryFacts facts = extension({import("libcudart.so.12", "cudaMalloc")});
  Under under(Code::NoExportList);
  input.otherRuntimes = &under;
  judge("torch==2.11.0", facts);
  EXPECT_THAT(named(), IsEmpty());
}

// The declared driver is kept: CUDA 13 does not run with it.
TEST_F(RuntimeFixes, keepWhatElseIsDeclared) {
  BinaryFacts facts = extension({import("libcudart.so.13", "cudaMalloc")});
  Declaration declaration;
  declaration.runtime.push_back({"torch==2.10.0", {}});
  declaration.runtime.push_back({"driver>=535.104", {}});
  Target target = llvm::cantFail(resolve::resolve(declaration));
  target.declaredAs = declaration.runtime;
  judge(target, facts);
  EXPECT_EQ(outcome(), Outcome::Reject);
  EXPECT_THAT(named(), IsEmpty());
}

// The user who installed a file cannot rebuild it.
TEST_F(RuntimeFixes, ofAnInstalledFileSpeakToItsUser) {
  BinaryFacts facts = extension({import("libcudart.so.12", "cudaMalloc")});
  input.package = "faiss";
  judge("torch==2.11.0", facts);
  ASSERT_EQ(findings[0].fixes.size(), 4u);
  EXPECT_EQ(findings[0].fixes[0], "pip install 'torch<2.11'");
  EXPECT_EQ(findings[0].fixes[1],
            "install a release of faiss that is built for CUDA 13, up to 13.0");
  EXPECT_THAT(findings[0].fixes[2], StartsWith("ask the maintainers of faiss"));
  EXPECT_THAT(findings[0].fixes[3], StartsWith("build it again"));
  judge("cuda==13.0", facts);
  EXPECT_THAT(findings[0].fixes, Not(Contains(HasSubstr("torch"))));
  EXPECT_EQ(findings[0].fixes[0], "lower the runtime to cuda==12.9");
  // The newest release that pip would install has it too.
  judge("torch==2.5.1", extension({import("libnvJitLink.so.12", "__nvJitLinkCreate_12_5")}));
  EXPECT_EQ(findings[0].fixes[0], "pip install 'torch>=2.7.0,<2.11'");
}

// pip leaves an installed build of another CUDA line that satisfies the requirement.
TEST(RuntimeFixesForPip, forceWhatTheInstalledTorchSatisfies) {
  EXPECT_TRUE(policy::satisfies("2.9.0+cu130", "torch==2.9.0"));
  EXPECT_TRUE(policy::satisfies("2.9.0+cu130", "torch<2.11"));
  EXPECT_FALSE(policy::satisfies("2.9.0+cu130", "torch==2.9.0+cu126"));
  EXPECT_FALSE(policy::satisfies("2.9.0+cu130", "torch>=2.10"));
  EXPECT_FALSE(policy::satisfies("", "torch>=2.10"));
  EXPECT_EQ(policy::pipArguments("2.9.0+cu130", "torch<2.11"), "--force-reinstall 'torch<2.11'");
  EXPECT_EQ(policy::pipArguments("2.11.0", "torch<2.11"), "'torch<2.11'");
}

// TG-3: the runtime that is proposed for a toolkit accepts compiles with that toolkit.
TEST(RuntimeFixesOfCompiles, acceptTheToolkit) {
  unsigned count = 0;
  for (const char *nvcc : {"11.8.89", "12.5.82", "12.9.86", "13.0.88", "13.1.115", "13.5.37"}) {
    Toolkit toolkit;
    toolkit.nvcc = "/opt/cuda/bin/nvcc";
    toolkit.components.push_back(
        {"nvcc", toolkit.nvcc, *CudaVersion::parse(nvcc), nvcc, "its own text"});
    auto none = [] { return std::vector<core::FoundToolkit>(); };
    for (const std::string &runtime : resolve::knownRuntimes()) {
      Target target = test::BinaryJudging::targetOf(runtime.c_str());
      for (const Finding &finding : policy::judgeCompile(target, &toolkit, {}, none)) {
        bool isNamed = false;
        for (const std::string &fix : finding.fixes) {
          std::string other = runtimeIn(fix);
          if (other.empty())
            continue;
          isNamed = true;
          ++count;
          Target changed = test::BinaryJudging::targetOf(other.c_str());
          EXPECT_THAT(policy::judgeCompile(changed, &toolkit, {}, none), IsEmpty())
              << nvcc << " under " << runtime << ": " << other;
          if (llvm::StringRef(runtime).starts_with("cuda"))
            EXPECT_THAT(other, StartsWith("cuda=="));
        }
        EXPECT_TRUE(isNamed) << nvcc << " under " << runtime;
      }
    }
  }
  EXPECT_GT(count, 100u);
}

// The runtime that `explain` names has the symbol or library of the message.
TEST(RuntimeFixesOfMessages, haveWhatIsMissing) {
  unsigned count = 0;
  for (llvm::StringRef text :
       {"libcudart.so.12: cannot open shared object file",
        "libcudart.so.13: cannot open shared object file",
        "libnppc.so.13: cannot open shared object file",
        "undefined symbol: __nvJitLinkCreate_12_5, version libnvJitLink.so.12",
        "undefined symbol: cudaGetDriverEntryPointByVersion"})
    for (const std::string &runtime : resolve::knownRuntimes()) {
      Target target = test::BinaryJudging::targetOf(runtime.c_str());
      explain::Explainer explainer(&target);
      explainer.add(text);
      explain::Explained explained = explainer.finish(true);
      ASSERT_EQ(explained.messages.size(), 1u);
      for (const std::string &fix : explained.messages[0].fixes) {
        if (llvm::StringRef(runtime).starts_with("cuda"))
          EXPECT_THAT(fix, Not(HasSubstr("torch"))) << runtime;
        std::string other = runtimeIn(fix);
        if (other.empty())
          continue;
        ++count;
        Target changed = test::BinaryJudging::targetOf(other.c_str());
        explain::Explainer again(&changed);
        again.add(text);
        explain::Explained after = again.finish(true);
        for (const std::string &cause : after.messages.at(0).causes)
          EXPECT_THAT(cause,
                      Not(AnyOf(HasSubstr("is too old"), HasSubstr("and the runtime is CUDA"))))
              << runtime << ": " << other;
      }
    }
  EXPECT_GT(count, 50u);
}

// A name of an older major's library: the runtime must be lowered; no part of it is too old.
TEST(RuntimeFixesOfMessages, aSymbolOfAnotherMajor) {
  auto explained = [](const char *runtime) {
    Target target = test::BinaryJudging::targetOf(runtime);
    explain::Explainer explainer(&target);
    explainer.add("undefined symbol: __nvJitLinkCreate_12_5, version libnvJitLink.so.12");
    return explainer.finish(true).messages.at(0);
  };
  explain::Explanation message = explained("torch==2.11.0");
  EXPECT_EQ(message.causes[0], "the file is for CUDA 12, and the runtime is CUDA 13.0");
  EXPECT_EQ(message.fixes[0],
            "lower the runtime to torch==2.10.0 (CUDA 12.8): pip install 'torch<2.11'");
  EXPECT_THAT(message.causes, Not(Contains(HasSubstr("runtime is older"))));
  EXPECT_THAT(message.fixes, Not(Contains(HasSubstr("upgrade the framework"))));
  EXPECT_EQ(explained("cuda==13.0").fixes[0], "lower the runtime to cuda==12.9");
}

// A library of the runtime's own major that the runtime lacks: no other runtime is proposed.
TEST(RuntimeFixesOfMessages, aLibraryThatNoFrameworkBringsIsInstalled) {
  Target target = test::BinaryJudging::targetOf("torch==2.11.0");
  explain::Explainer explainer(&target);
  explainer.add("libnppc.so.13: cannot open shared object file");
  std::vector<std::string> fixes = explainer.finish(true).messages.at(0).fixes;
  EXPECT_THAT(fixes, Contains("pip install nvidia-npp"));
  EXPECT_THAT(fixes, Not(Contains(HasSubstr("the runtime to"))));
}

namespace {

LibraryFloor leastOf(const char *dist, const char *least,
                     std::vector<std::string> exceptions = {}) {
  LibraryFloor floor;
  floor.dist = dist;
  floor.least = *Version::parse(least);
  floor.exceptions = std::move(exceptions);
  return floor;
}

/// Accepts some requirements, and counts how many it was asked about.
struct Accepting {
  std::vector<llvm::StringRef> accepted = {};
  unsigned asked = 0;
  bool operator()(llvm::StringRef requirement) {
    ++asked;
    return llvm::is_contained(accepted, requirement);
  }
};

Target runtimeOf(const char *text) { return test::BinaryJudging::targetOf(text); }

/// The fix and, behind a bar, what pip does.
std::string serving(const Target &target, std::vector<LibraryFloor> floors, unsigned major = 0,
                    policy::Accepts accepts = nullptr) {
  auto fix = policy::runtimeServing(target, floors, major, accepts);
  return fix ? fmt::format("{}{}{}", fix->text, fix->pip.empty() ? "" : " | ", fix->pip) : "";
}

} // namespace

TEST(FirstTorch, isTheFirstOfItsMajorWhoseLibrariesSuffice) {
  using policy::firstTorchServing;
  EXPECT_EQ(firstTorchServing(leastOf("nvidia-nvjitlink-cu12", "12.5.40"), 12),
            "torch>=2.7.0,<2.11 (CUDA 12.6)");
  EXPECT_EQ(firstTorchServing(leastOf("nvidia-nvjitlink-cu12", "12.9.41"), 12), "");
  EXPECT_EQ(firstTorchServing({}, 13), "torch>=2.11.0 (CUDA 13.0)");
  // cuDNN is in no toolkit, and what the driver has in no wheel.
  EXPECT_EQ(firstTorchServing({leastOf("nvidia-cudnn-cu12", "9.1.0.70"), leastOf("", "525")}, 12),
            "torch>=2.4.0,<2.11 (CUDA 12.1)");
}

TEST(FirstTorch, isLookedForAmongEightThatSuffice) {
  Accepting eighth{{"torch>=2.3.1,<2.11"}}, ninth{{"torch>=2.4.0,<2.11"}};
  EXPECT_EQ(policy::firstTorchServing({}, 12, eighth), "torch>=2.3.1,<2.11 (CUDA 12.1)");
  EXPECT_EQ(policy::firstTorchServing({}, 12, ninth), "");
  EXPECT_EQ(ninth.asked, 8u);
}

TEST(TorchPins, thatAreOlderAreOneRange) {
  using policy::torchPinningOlder;
  EXPECT_EQ(torchPinningOlder(leastOf("nvidia-nvjitlink-cu12", "12.5.40"), 12),
            "torch 2.5.0 to 2.6.0");
  EXPECT_EQ(torchPinningOlder(leastOf("nvidia-cusparselt-cu12", "0.6.3"), 12), "torch 2.6.0");
  EXPECT_EQ(torchPinningOlder(leastOf("nvidia-cusparselt-cu12", "0.6.2"), 12), "");
  EXPECT_EQ(torchPinningOlder(leastOf("triton", "9"), 13), "torch 2.11.0 to 2.13.0");
}

TEST(TorchPins, areThoseOfTheInstalledBuild) {
  EXPECT_EQ(policy::pinnedByTorch(runtimeOf("torch==2.9.0"), "nvidia-cublas-cu12"), "12.8.4.1");
  EXPECT_EQ(policy::installing(runtimeOf("torch==2.5.1"), "nvidia-cudnn-cu12"),
            "pip install nvidia-cudnn-cu12==9.1.0.70");
  EXPECT_EQ(policy::installing(runtimeOf("cuda==12.4"), "nvidia-cudnn-cu12"),
            "pip install nvidia-cudnn-cu12");
  EXPECT_EQ(policy::installing(runtimeOf("cuda==12.4"), "nvidia-cublas-cu12"),
            "pip install nvidia-cublas-cu12==12.4.5.8");
}

TEST(Reinstalling, namesWhatIsKnown) {
  TargetLibrary library;
  library.soname = "libx.so.1";
  EXPECT_EQ(policy::reinstalling(library), "install libx.so.1 again");
  library.version = *Version::parse("1.2");
  EXPECT_EQ(policy::reinstalling(library), "install libx.so.1 again");
  library.dist = "x";
  EXPECT_EQ(policy::reinstalling(library), "pip install --force-reinstall --no-deps x==1.2");
  library.version = {};
  EXPECT_EQ(policy::reinstalling(library), "install x again");
}

TEST(RuntimeByLine, hasNoFramework) {
  Target target;
  EXPECT_FALSE(policy::isDeclaredByLine(target));
  for (const char *text : {"cuda==12.4", "sm>=80", "driver>=535"}) {
    target.declaredAs.push_back({text, {}});
    EXPECT_TRUE(policy::isDeclaredByLine(target)) << text;
  }
  for (const char *other : {"torch==2.5.1", "jax[cuda12]==0.5", "env:/cuda", "lock:cuda.lock"}) {
    target.declaredAs.back().value = other;
    EXPECT_FALSE(policy::isDeclaredByLine(target)) << other;
  }
}

TEST(RuntimeByLine, isMovedToTheNearestLineThatSuffices) {
  LibraryFloor floor = leastOf("nvidia-nvjitlink-cu12", "12.5.40");
  EXPECT_EQ(serving(runtimeOf("cuda==12.4"), {floor}), "raise the runtime to cuda==12.5");
  floor.exceptions = {"12.5.40"};
  EXPECT_EQ(serving(runtimeOf("cuda==12.4"), {floor}), "raise the runtime to cuda==12.6");
  EXPECT_EQ(serving(runtimeOf("cuda==12.4"), {leastOf("nvidia-nvjitlink-cu12", "12.99")}), "");
  EXPECT_EQ(serving(runtimeOf("cuda==12.4"), {leastOf("nvidia-cudnn-cu12", "9.0")}),
            "raise the runtime to cuda==12.5");
  EXPECT_EQ(serving(runtimeOf("cuda==12.9"), {}), "lower the runtime to cuda==12.8");
  EXPECT_EQ(serving(runtimeOf("cuda==12.4"), {}, 13), "raise the runtime to cuda==13.0");
  EXPECT_EQ(serving(runtimeOf("cuda==13.0"), {}, 12), "lower the runtime to cuda==12.9");
  Accepting none;
  EXPECT_EQ(serving(runtimeOf("cuda==13.0"), {}, 12, none), "");
  EXPECT_EQ(none.asked, 8u);
}

// torch 2.6.0 is of the line of 2.5.1, and pip would install 2.10.0 of the range.
TEST(RuntimeOfTorch, isRaisedInItsLineFirst) {
  Accepting both{{"torch>=2.6.0,<2.11", "torch>=2.7.0,<2.11"}};
  EXPECT_EQ(serving(runtimeOf("torch==2.5.1"), {}, 12, both),
            "raise the runtime to torch>=2.6.0,<2.11 (CUDA 12.4) | pip install torch==2.6.0");
  both.accepted.push_back("torch==2.10.0");
  EXPECT_EQ(serving(runtimeOf("torch==2.5.1"), {}, 12, both),
            "raise the runtime to torch>=2.6.0,<2.11 (CUDA 12.4) | "
            "pip install 'torch>=2.6.0,<2.11'");
}

TEST(RuntimeOfTorch, isLoweredInItsMajorOnlyIfThatIsAccepted) {
  std::vector<LibraryFloor> removed = {
      leastOf("nvidia-cublas-cu12", "12.4.5.8", {"12.6.4.1", "12.8.4.1"})};
  EXPECT_EQ(serving(runtimeOf("torch==2.9.0"), removed), "");
  Accepting older{{"torch==2.6.0"}};
  EXPECT_EQ(serving(runtimeOf("torch==2.9.0"), removed, 0, older),
            "lower the runtime to torch==2.6.0 (CUDA 12.4) | pip install torch==2.6.0");
  EXPECT_EQ(serving(runtimeOf("torch==2.11.0"), {}, 12),
            "lower the runtime to torch==2.10.0 (CUDA 12.8) | pip install 'torch<2.11'");
  Accepting none;
  EXPECT_EQ(serving(runtimeOf("torch==2.11.0"), {}, 12, none), "");
  EXPECT_EQ(none.asked, 8u);
}

// The range of the newest release that is known has no end.
TEST(RuntimeOfTorch, theNewestReleaseIsNamedExactly) {
  Target newer;
  newer.line = {13, 4};
  Accepting newest{{"torch==2.15.0"}};
  EXPECT_EQ(serving(newer, {}, 0, newest),
            "lower the runtime to torch==2.15.0 (CUDA 13.2) | pip install torch==2.15.0");
}

TEST(RuntimeWith, isTorchsWhereTorchIsDeclaredAndAccepted) {
  using policy::runtimeWith;
  EXPECT_EQ(runtimeWith(runtimeOf("torch==2.5.1"), {12, 6}, nullptr),
            "raise the runtime to torch>=2.7.0,<2.11 (CUDA 12.6)");
  EXPECT_EQ(runtimeWith(runtimeOf("cuda==12.4"), {12, 6}, nullptr),
            "raise the runtime to cuda==12.6");
  EXPECT_EQ(runtimeWith(runtimeOf("torch==2.5.1"), {11, 8}, nullptr),
            "lower the runtime to cuda==11.8");
  Accepting line{{"cuda==12.6"}}, none;
  EXPECT_EQ(runtimeWith(runtimeOf("torch==2.5.1"), {12, 6}, line),
            "raise the runtime to cuda==12.6");
  EXPECT_EQ(runtimeWith(runtimeOf("torch==2.5.1"), {12, 6}, none), "");
}

TEST(FixesForANewerToolkit, nameToolkitRuntimeAndMode) {
  auto nowhere = [] { return std::vector<FoundToolkit>(); };
  Target target = runtimeOf("cuda==12.4");
  EXPECT_THAT(policy::fixesFor(target, {12, 6}, nowhere, nullptr),
              ElementsAre("use a CUDA toolkit <= 12.4",
                          StartsWith("cuda-cc toolchain build/cuda --fetch    # nvcc 12.4"),
                          "raise the runtime to cuda==12.6",
                          StartsWith("set enforce = \"symbols\"")));
  // The command repeats what no file declares.
  target.declaredAs[0].origin = {Origin::Kind::Option, "--runtime"};
  Accepting none;
  EXPECT_THAT(
      policy::fixesFor(target, {13, 0}, nowhere, none),
      ElementsAre("use a CUDA 12 toolkit <= 12.4",
                  StartsWith("cuda-cc toolchain build/cuda --runtime cuda==12.4 --fetch ")));
  target.declared = false;
  EXPECT_THAT(policy::fixesFor(target, {13, 0}, nowhere, none),
              ElementsAre("use a CUDA 12 toolkit <= 12.4"));
}

TEST(RuntimeSubstitute, keepsTheMachinesThatAreDeclared) {
  Target target;
  for (const char *text : {"torch==2.5.1", "driver>=535.104", "no requirement"})
    target.declaredAs.push_back({text, {}});
  auto other = policy::substituteRuntime(target, "cuda==12.6");
  ASSERT_TRUE(other);
  EXPECT_EQ(other->describe(), "cuda==12.6 from --runtime and driver>=535.104");
  EXPECT_FALSE(policy::substituteRuntime(target, "torch==99.0"));
}

TEST(RuntimeSubstitute, isAcceptedIfItIsKnownAndHasNoError) {
  std::vector<bool> accepted;
  auto judge = [&](const Target &target, policy::LookAround, policy::Accepts accepts) {
    if (target.line.major == 12 && target.line.minor == 4)
      for (const char *other : {"cuda==12.6", "cuda==13.0", "torch==99.0"})
        accepted.push_back(accepts(other));
    std::vector<Finding> findings(target.line.major - 12);
    return findings;
  };
  auto nowhere = [] { return std::vector<FoundToolkit>(); };
  policy::judgeDeclared(runtimeOf("cuda==12.4"), nowhere, judge);
  EXPECT_THAT(accepted, ElementsAre(true, false, false));
}
