// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/coherence/Guard.h"
#include "driver/policy/rules/Judge.h"
#include "driver/resolve/Machines.h"
#include "driver/resolve/Resolve.h"
#include "tests/unit/resolve/Resolving.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using test::codesOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

Target targetOf(std::vector<const char *> runtime, Enforce enforce) {
  Declaration declaration;
  for (const char *text : runtime)
    declaration.runtime.push_back({text, {Origin::Kind::Option, "--cudacc-runtime"}});
  declaration.enforce = {enforce, {}};
  return llvm::cantFail(resolve::resolve(declaration));
}

Toolkit toolkitOf(const char *nvcc, const char *crt) {
  Toolkit toolkit;
  toolkit.nvcc = "/opt/cuda/bin/nvcc";
  toolkit.components = {{"nvcc", "/opt/cuda/bin/nvcc", *CudaVersion::parse(nvcc), nvcc, "its text"},
                        {"crt", "/opt/cuda/include/crt", *CudaVersion::parse(crt), crt, "RECORD"}};
  return toolkit;
}

std::vector<Code> compiled(const Target &target, const char *nvcc, const char *header,
                           const char *crt = nullptr) {
  Toolkit toolkit = toolkitOf(nvcc, crt ? crt : nvcc);
  FoundHeader found{"cuda.h", "/inc/cuda.h", *CudaVersion::parse(header), "-I /inc", ""};
  return codesOf(policy::judgeCompile(target, &toolkit, found,
                                      [] { return std::vector<core::FoundToolkit>{}; }));
}

std::vector<Code> linked(const Target &target, const char *soname, CudaVersion cuda) {
  LinkedLibrary library;
  library.path = std::string("/opt/cuda/lib64/") + soname;
  library.soname = soname;
  library.cuda = cuda;
  return codesOf(
      policy::judgeLibraries(target, library, [] { return std::vector<core::FoundToolkit>{}; }));
}

} // namespace

// V-TG-10 to V-TG-13, the compile's part: a newer minor may compile, the link decides.
TEST(Modes, symbolsLetsANewerMinorCompile) { // V-TG-10 to V-TG-13
  Target symbols = targetOf({"cuda==12.4"}, Enforce::Symbols);
  EXPECT_THAT(compiled(symbols, "12.5.82", "12.5"), IsEmpty());
  EXPECT_THAT(compiled(symbols, "12.4.131", "12.4"), IsEmpty());
  EXPECT_THAT(linked(symbols, "libcusparse.so.12", {12, 5}), IsEmpty());
  Target toolkit = targetOf({"cuda==12.4"}, Enforce::Toolkit);
  EXPECT_THAT(compiled(toolkit, "12.5.82", "12.5"), ElementsAre(Code::TargetNewer));
  EXPECT_THAT(linked(toolkit, "libcusparse.so.12", {12, 5}), ElementsAre(Code::LibraryNewer));
}

// V-TG-05 to V-TG-07 under `symbols`, V-MD-04.
TEST(Modes, symbolsRefusesAnotherMajorAndAnIncoherentSet) {
  Target symbols = targetOf({"cuda==12.4"}, Enforce::Symbols);
  EXPECT_THAT(compiled(symbols, "13.0.88", "13.0"), ElementsAre(Code::TargetMajor));
  EXPECT_THAT(compiled(symbols, "11.8.89", "11.8"), ElementsAre(Code::TargetMajor));
  EXPECT_THAT(compiled(symbols, "12.4.131", "13.0"), Contains(Code::HeadersMajor));
  EXPECT_THAT(compiled(symbols, "12.5.82", "12.5", "12.6.77"), ElementsAre(Code::Group));
  EXPECT_THAT(linked(symbols, "libcudart.so.13", {13, 0}), ElementsAre(Code::LibraryMajor));
}

TEST(Modes, symbolsIsOfferedWhereTheVersionAloneRefuses) {
  Toolkit toolkit = toolkitOf("12.5.82", "12.5.82");
  auto fixes = [&](const char *runtime, Enforce mode) {
    return policy::judgeCompile(targetOf({runtime}, mode), &toolkit, {},
                                [] { return std::vector<core::FoundToolkit>{}; })
        .front()
        .fixes;
  };
  EXPECT_THAT(fixes("cuda==12.4", Enforce::Toolkit), Contains(HasSubstr("enforce = \"symbols\"")));
  EXPECT_THAT(fixes("cuda==13.0", Enforce::Toolkit), Not(Contains(HasSubstr("enforce ="))));
}

// V-DR-02, V-DR-05, DR-3: no machine code of a major runs with a driver older than its first.
TEST(Modes, declaredDriverBelowTheMajorIsRefused) { // DR-3
  Target old = targetOf({"cuda==13.0", "driver>=535.104"}, Enforce::Toolkit);
  EXPECT_THAT(compiled(old, "13.0.88", "13.0"), ElementsAre(Code::DriverMajor));
  auto finding = policy::judgeDriverFloor(old);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->message, "driver 535.104 does not run CUDA 13 code");
  EXPECT_THAT(finding->fixes, ElementsAre("declare driver>=580.65.06",
                                          HasSubstr("assume-forward-compatibility = true")));
  EXPECT_EQ(exitOf(*finding), Exit::Rejected);
  EXPECT_EQ(test::factOf(*finding, "runtime"), old.describe());
  Target older = targetOf({"cuda==12.9", "driver>=520.61.05"}, Enforce::Toolkit);
  EXPECT_EQ(policy::judgeDriverFloor(older)->code, Code::DriverMajor);
  Target warn = targetOf({"cuda==13.0", "driver>=535.104"}, Enforce::Warn);
  Toolkit toolkit = toolkitOf("13.0.88", "13.0.88");
  auto printed =
      policy::judgeCompile(warn, &toolkit, {}, [] { return std::vector<core::FoundToolkit>{}; });
  ASSERT_EQ(printed.size(), 1u);
  EXPECT_EQ(printed[0].severity, Severity::Warning);
}

TEST(Modes, driversAtTheEdgesOfTheTables) { // DR-5, DR-7
  policy::DriverFacts driver{policy::DriverFacts::State::Known, {13, 0}, "580.65.06"};
  EXPECT_FALSE(policy::judgeDriverFacts(driver, {13, 0}));
  driver = {policy::DriverFacts::State::Known, {10, 1}, "418.39"};
  auto finding = policy::judgeDriverFacts(driver, {10, 2});
  ASSERT_TRUE(finding);
  EXPECT_THAT(finding->fixes, ElementsAre(HasSubstr("assume-forward-compatibility")));
}

// V-DR-04, V-DR-08, DR-4: minor-version compatibility of machine code.
TEST(Modes, declaredDriverOfTheMajorIsEnough) { // DR-4
  for (auto &runtime : std::vector<std::vector<const char *>>{{"cuda==12.9", "driver>=525.60.13"},
                                                              {"cuda==13.2", "driver>=580.65.06"},
                                                              {"cuda==12.4", "driver>=535.104"},
                                                              {"cuda==12.4", "driver>=580.65.06"},
                                                              {"cuda==12.4"}})
    EXPECT_FALSE(policy::judgeDriverFloor(targetOf(runtime, Enforce::Toolkit))) << runtime.back();
  // A host compile without CUDA headers simply runs.
  Target old = targetOf({"cuda==13.0", "driver>=535.104"}, Enforce::Toolkit);
  EXPECT_THAT(
      policy::judgeCompile(old, nullptr, {}, [] { return std::vector<core::FoundToolkit>{}; }),
      IsEmpty());
}
