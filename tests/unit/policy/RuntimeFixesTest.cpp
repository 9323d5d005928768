// SPDX-License-Identifier: Apache-2.0
// If a runtime that a fix names is declared, the same question is answered with accept.
#include "driver/policy/advice/RuntimeFixes.h"
#include "driver/explain/Explain.h"
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
