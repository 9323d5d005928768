// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/coherence/GuardToolkit.h"
#include "driver/policy/rules/Judge.h"
#include "driver/resolve/Resolve.h"
#include "tests/unit/policy/GuardVectors.h"
#include "tests/unit/resolve/Resolving.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

Component partOf(const char *name, const char *version, const char *evidence = "its own text") {
  return {name, std::string("/opt/cuda/") + name, line(version), version, evidence};
}

Toolkit toolkitOf(const char *version) {
  Toolkit toolkit;
  toolkit.nvcc = "/opt/cuda/nvcc";
  toolkit.foundBy = "first on PATH";
  for (const char *part : {"nvcc", "cicc", "ptxas", "crt"})
    toolkit.components.push_back(partOf(part, version));
  return toolkit;
}

FoundHeader headerOf(const char *cuda, const char *path, const char *foundBy) {
  return {"cuda.h", path, line(cuda), foundBy, ""};
}

Target targetOf(std::vector<const char *> runtime) {
  Declaration declaration;
  for (const char *each : runtime)
    declaration.runtime.push_back({each, {Origin::Kind::File, "cuda-cc.toml", 3, 1}});
  return llvm::cantFail(resolve::resolve(declaration));
}

std::vector<Finding> judge(const Target &target, const Toolkit &toolkit,
                           llvm::ArrayRef<FoundHeader> headers) {
  return policy::judgeCompile(target, &toolkit, headers,
                              [] { return std::vector<core::FoundToolkit>(); });
}

std::string toolkitFact(const Finding &finding, llvm::StringRef label) {
  for (const Fact &fact : finding.facts)
    if (fact.label == label)
      return fact.text;
  return "";
}

} // namespace

TEST(GuardToolkit, everyMemberOfTheGroupCounts) { // RL-5
  Toolkit whole = toolkitOf("13.0.88");
  whole.components.push_back(partOf("libdevice", "13.0.88"));
  whole.components.push_back(partOf("cudadevrt", "13.0.96"));
  EXPECT_THAT(policy::judgeCoherence(whole, {}), IsEmpty());
  for (size_t i = 1; i < whole.components.size(); ++i) {
    Toolkit mixed = whole;
    mixed.components[i].cuda = {13, 2};
    EXPECT_THAT(codesOf(policy::judgeCoherence(mixed, {})), ElementsAre(Code::Group))
        << mixed.components[i].name;
  }
  // An unknown release is not a different one, and without nvcc's own there is nothing to compare.
  Toolkit unknown = whole;
  unknown.components[1].cuda = {};
  EXPECT_THAT(policy::judgeCoherence(unknown, {}), IsEmpty());
  unknown.components[0].cuda = {};
  unknown.components[2].cuda = {13, 2};
  EXPECT_THAT(policy::judgeCoherence(unknown, {}), IsEmpty());
}

TEST(GuardToolkit, theWheelsOfTheRuntimesReleaseAreTheWayOut) {
  Toolkit mixed = toolkitOf("13.2.78");
  mixed.layout = ToolkitLayout::WheelsCu13;
  mixed.components[1].cuda = {13, 0};
  EXPECT_THAT(policy::judgeCoherence(mixed, {}, {13, 0})[0].fixes,
              ElementsAre(HasSubstr("'nvidia-nvvm==13.0.*'")));
  EXPECT_THAT(policy::judgeCoherence(mixed, {}, {12, 9})[0].fixes,
              ElementsAre(HasSubstr("'nvidia-nvvm==13.2.*'")))
      << "there are none for another major";
}

// The toolkit's own copy belongs to it, a CCCL wheel floats.
TEST(GuardToolkit, aWheelOfCcclIsNoMember) { // RL-5
  Toolkit toolkit = toolkitOf("13.0.88");
  toolkit.components.push_back(partOf("cccl", "13.2.27", "nvidia_cuda_cccl-13.2.27.dist-info"));
  EXPECT_THAT(policy::judgeCoherence(toolkit, {}), IsEmpty());
  auto stranger = headerOf("13.2", "/usr/local/include/cuda.h", "built-in directory of g++");
  auto findings = policy::judgeCoherence(toolkit, stranger);
  ASSERT_THAT(codesOf(findings), ElementsAre(Code::Group));
  EXPECT_THAT(saying(findings), testing::Not(HasSubstr("cccl")));
  toolkit.components.back().evidence = "version.json";
  EXPECT_THAT(codesOf(policy::judgeCoherence(toolkit, {})), ElementsAre(Code::Group));
}

// The headers that the call finds are checked.
TEST(GuardToolkit, onlyHeadersThatAreFoundCount) {
  Toolkit toolkit = toolkitOf("13.2.78");
  toolkit.components.push_back(partOf("cudart", "13.0.96", "CUDART_VERSION"));
  toolkit.components.push_back(partOf("cuda.h", "13.0.96", "CUDA_VERSION"));
  EXPECT_THAT(policy::judgeCoherence(toolkit, headerOf("13.2", "/a/cuda.h", "-I /a")), IsEmpty());
  EXPECT_THAT(codesOf(policy::judgeCoherence(toolkit, headerOf("13.0", "/b/cuda.h", "nvcc's own"))),
              ElementsAre(Code::Group));
  toolkit.components[1].cuda = {13, 0};
  auto findings = policy::judgeCoherence(toolkit, headerOf("13.2", "/a/cuda.h", "-I /a"));
  ASSERT_THAT(codesOf(findings), ElementsAre(Code::Group));
  EXPECT_THAT(factOf(findings[0], "headers"), testing::Not(HasSubstr("13.0.96")));
}

// EO-4, V-RL-17: a header that is found twice is one entry.
TEST(GuardToolkit, anItemFoundTwiceIsOne) { // EO-4, V-RL-17
  auto header = headerOf("12.9", "/a/cuda.h", "CPATH");
  auto findings = policy::judgeCoherence(toolkitOf("13.2.78"), {header, header});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(factOf(findings[0], "headers"),
            "crt 13.2.78, CUDA 13.2, at /opt/cuda/crt (its own text); cudart 12.9 at /a/cuda.h "
            "(CPATH)");
  auto second = headerOf("12.9", "/b/cuda.h", "CPATH");
  findings = policy::judgeCoherence(toolkitOf("13.2.78"), {header, second});
  EXPECT_THAT(factOf(findings[0], "headers"), HasSubstr("cudart 12.9 at /b/cuda.h"));
  EXPECT_EQ(factOf(findings[0], "agree"), "cudart: CUDA 12.9; nvcc, cicc, ptxas, crt: CUDA 13.2");
}

TEST(GuardToolkit, anItemSaysWhatIsKnownOfIt) { // EV-9
  policy::Item item;
  item.name = "cublas";
  item.path = "/w/libcublas.so.12";
  item.cuda = line("12.8");
  EXPECT_EQ(item.describe(), "cublas 12.8 at /w/libcublas.so.12");
  item.evidence = "RECORD";
  EXPECT_EQ(item.describe(), "cublas 12.8 at /w/libcublas.so.12 (RECORD)");
}

// MS-2: kind, version, path and origin of each part, the group by name, the fix.
TEST(GuardToolkit, bothOriginsAreNamed) { // MS-2
  auto header = headerOf("12.9", "/usr/local/include/cuda.h", "built-in directory of g++");
  auto findings = policy::judgeCoherence(toolkitOf("13.2.78"), header);
  ASSERT_EQ(findings.size(), 1u);
  const Finding &finding = findings[0];
  EXPECT_EQ(finding.message, "nvcc 13.2 and cudart 12.9 do not belong together");
  EXPECT_EQ(finding.severity, Severity::Error);
  EXPECT_EQ(toolkitFact(finding, "program"),
            "nvcc 13.2.78, CUDA 13.2, at /opt/cuda/nvcc (its own text)");
  EXPECT_EQ(finding.facts[4].text,
            "cudart 12.9 at /usr/local/include/cuda.h (built-in directory of g++)");
  EXPECT_EQ(toolkitFact(finding, "agree"), "nvcc, cicc, ptxas, crt: CUDA 13.2");
  EXPECT_THAT(toolkitFact(finding, "rule"), HasSubstr("device-compiler/build"));
  EXPECT_THAT(finding.fixes[0], HasSubstr("take the -I, CPATH or package"));
}

// TG-2, EO-2, EO-3, V-EO-04: the group first, then all other errors, with consequences of the first
// marked, the driver last.
TEST(GuardToolkit, allAtOnceInOrderWithConsequences) { // TG-2, V-EO-04
  Target target = targetOf({"cuda==12.4", "driver>=470.57.02"});
  auto header = headerOf("12.9", "/x/cuda.h", "CPATH");
  auto findings = judge(target, toolkitOf("12.5.82"), header);
  ASSERT_THAT(codesOf(findings),
              ElementsAre(Code::Group, Code::TargetNewer, Code::HeadersNewer, Code::DriverMajor));
  EXPECT_EQ(toolkitFact(findings[1], "consequence"), "");
  EXPECT_EQ(toolkitFact(findings[2], "consequence"), "of headers that do not belong to nvcc");
  // Headers that fit the runtime are no consequence.
  findings = judge(targetOf({"cuda==12.9"}), toolkitOf("12.5.82"), header);
  EXPECT_THAT(codesOf(findings), ElementsAre(Code::Group));
  EXPECT_THAT(judge(targetOf({"cuda==12.5"}), toolkitOf("12.5.82"), {}), IsEmpty());
}

// MD-3.
TEST(GuardToolkit, warnPrintsAll) {
  Target target = targetOf({"cuda==12.4"});
  target.enforce = Enforce::Warn;
  auto findings = judge(target, toolkitOf("12.5.82"), headerOf("12.9", "/x/cuda.h", "CPATH"));
  EXPECT_EQ(findings.size(), 3u);
  for (const Finding &finding : findings)
    EXPECT_EQ(finding.severity, Severity::Warning) << finding.message;
}
