// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/policy/LinkQuestions.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::test;
using policy::judgeLinkOutput;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

struct OutputCase {
  const char *id, *linker, *cuda, *release;
  /// The class of the finding of a cubin and of PTX; `-`: none. A remark has a `?` in front.
  const char *cubin, *ptx;
};

const OutputCase cases[] = {
    {"V-LO-01", "12.9", "13.0", "580.65.06", "-", "-"},
    {"V-LO-02", "12.9", "12.4", "550.54.14", "?E_DRIVER_BRANCH", "E_PTX_NEWER"},
    {"V-LO-03", "12.9", "12.0", "520.30.01", "E_DRIVER_BRANCH", "E_PTX_NEWER"},
    {"V-LO-04", "13.0", "12.8", "570.26", "E_DRIVER_MAJOR", "E_PTX_NEWER"},
    {"V-LO-05", "12.9", "", "", "?CC4209", "?CC4209"},
    // LO-2: 12.5 and 12.6 write one ISA.
    {"", "12.6", "12.5", "555.42.02", "?E_DRIVER_BRANCH", "-"},
    // DR-4: the release decides and is not known.
    {"", "12.9", "12.4", "", "?U_DRIVER_RELEASE", "E_PTX_NEWER"},
    {"", "14.1", "14.0", "700.1", "?U_DRIVER_NEW_MAJOR", "CC2007"},
    // A release that no table has runs on a driver of its own CUDA.
    {"", "14.1", "14.1", "700.1", "-", "-"},
    // LO-4.
    {"", "", "12.4", "550.54.14", "-", "-"},
};

std::string classOf(llvm::ArrayRef<Finding> findings) {
  if (findings.empty())
    return "-";
  EXPECT_EQ(findings.size(), 1u);
  return (findings[0].severity == Severity::Error ? "" : "?") + className(findings[0].code);
}

} // namespace

TEST(LinkOutput, isJudgedByTheDriver) { // LO-1, LO-2
  for (const OutputCase &each : cases) {
    SCOPED_TRACE(testing::Message() << each.id << " " << each.linker << " on " << each.cuda);
    auto on = deployment(each.cuda, each.release);
    EXPECT_EQ(classOf(judgeLinkOutput(line(each.linker), on, false)), each.cubin);
    EXPECT_EQ(classOf(judgeLinkOutput(line(each.linker), on, true)), each.ptx);
  }
}

TEST(LinkOutput, ofTheDriverLoadsOnIt) { // LO-4
  EXPECT_EQ(classOf(judgeLinkOutput({}, {}, false)), "-");
}

static Target runtime(const char *cuda, Enforce enforce = Enforce::Toolkit) {
  Target target;
  target.declared = true;
  target.line = line(cuda);
  target.enforce = enforce;
  return target;
}

TEST(LinkOutput, isJudgedByTheRuntimesRelease) { // LO-5
  auto on = [](const Target &target, const char *linker, const char *isa = "") {
    return classOf(policy::judgeLinkedFor(target, {line(linker), "/venv/lib", line(isa)}));
  };
  EXPECT_EQ(on(runtime("12.8"), "12.8"), "-");
  EXPECT_EQ(on(runtime("12.8"), "12.4"), "-");
  EXPECT_EQ(on(runtime("12.8"), "12.9"), "E_TARGET_NEWER");
  EXPECT_EQ(on(runtime("12.8", Enforce::Symbols), "12.9"), "-");
  EXPECT_EQ(on(runtime("12.8", Enforce::Symbols), "13.0"), "E_TARGET_MAJOR");
  // The driver linked.
  EXPECT_EQ(on(runtime("12.8"), ""), "-");
  EXPECT_EQ(on(runtime("12.4"), "12.4", "8.4"), "-");
  EXPECT_EQ(on(runtime("12.4"), "12.4", "8.5"), "E_PTX_NEWER");
  // The release of the runtime's own nvJitLink counts.
  Target mixed = runtime("12.8");
  TargetLibrary own;
  own.soname = "libnvJitLink.so.12";
  own.cuda = line("12.9");
  mixed.libraries.push_back(own);
  EXPECT_EQ(on(mixed, "12.9"), "-");
}

TEST(LinkOutput, withoutDriverNamesTheOneThatItNeeds) { // LO-3
  EXPECT_THAT(saying(judgeLinkOutput({12, 9}, {}, false)),
              HasSubstr("needs: driver 525.60.13 or newer"));
  EXPECT_THAT(saying(judgeLinkOutput({12, 9}, {}, true)), HasSubstr("for PTX ISA 8.8"));
  EXPECT_THAT(saying(judgeLinkOutput({99, 1}, {}, true)), HasSubstr("a driver of CUDA 99.1"));
}

TEST(LinkOutput, aDeclaredDriverThatIsAbsentIsUnknown) { // DR-8
  policy::DriverFacts absent;
  absent.state = policy::DriverFacts::State::Absent;
  EXPECT_EQ(classOf(judgeLinkOutput({12, 9}, absent, false)), "?U_DRIVER_ABSENT");
  absent.declared = true;
  EXPECT_EQ(classOf(judgeLinkOutput({12, 9}, absent, true)), "U_DRIVER_ABSENT");
}

TEST(LinkOutput, aDriverOlderThanTheTablesLoadsNothing) {
  policy::DriverFacts old;
  old.state = policy::DriverFacts::State::Known;
  old.release = "390.46";
  EXPECT_EQ(classOf(judgeLinkOutput({12, 9}, old, false)), "E_DRIVER_MAJOR");
  EXPECT_EQ(classOf(judgeLinkOutput({12, 9}, old, true)), "E_PTX_NEWER");
}

TEST(LinkOutput, findingsNameTheLinkerAndAFix) {
  auto findings = judgeLinkOutput({13, 0}, deployment("12.8", "570.26"), false);
  EXPECT_THAT(saying(findings), HasSubstr("linked by: nvJitLink 13.0"));
  EXPECT_THAT(saying(findings), HasSubstr("declare driver>=580.65.06"));
  findings = judgeLinkOutput({13, 0}, deployment("12.8", "570.26"), true);
  EXPECT_THAT(saying(findings), HasSubstr("linked by: nvJitLink 13.0"));
  EXPECT_THAT(findings[0].fixes,
              testing::ElementsAre("link machine code: --emit cubin",
                                   "declare driver>=580.65.06, where the machines have it"));
  // No table has the first driver of CUDA 14.1.
  findings = judgeLinkOutput({14, 1}, deployment("14.0", "700.1"), true);
  EXPECT_THAT(findings[0].fixes, testing::ElementsAre("link machine code: --emit cubin"));
}
