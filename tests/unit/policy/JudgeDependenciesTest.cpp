// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/JudgeDependencies.h"
#include "tests/unit/policy/BinaryJudging.h"

using namespace cudacc;
using namespace cudacc::core;
using cudacc::test::BinaryJudging;
using cudacc::test::extension;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {
struct JudgingDependencies : BinaryJudging {
  /// torch 2.6.0 with another nvJitLink than the pinned one.
  std::vector<Code> withNvJitLink(const char *version, BinaryFacts facts) {
    Target target = targetOf("torch==2.6.0");
    setVersion(target, "libnvJitLink.so.12", version);
    return judge(target, facts);
  }
  static BinaryFacts needs(const char *soname) {
    BinaryFacts facts = extension({});
    facts.needed.push_back(soname);
    return facts;
  }
};
} // namespace

// KC-1: cuSPARSE 12.3.1.170 imports a symbol that nvJitLink 12.4 was the first to have.
TEST_F(JudgingDependencies, whatALibraryOfTheRuntimeLacksIsRefused) { // KC-1
  ASSERT_THAT(withNvJitLink("12.1.105", needs("libcusparse.so.12")),
              ElementsAre(Code::NvJitLinkNewer));
  EXPECT_THAT(findings[0].message, HasSubstr("libcusparse.so.12 imports __nvJitLink"));
  EXPECT_EQ(findings[0].library, "libnvJitLink.so.12");
  EXPECT_THAT(fact(findings[0], "has"), HasSubstr("nvidia-nvjitlink-cu12 12.1.105"));
  EXPECT_THAT(withNvJitLink("12.4.127", needs("libcusparse.so.12")), IsEmpty());
}

TEST_F(JudgingDependencies, whatLeadsToItIsRefusedAsWell) {
  // cuSOLVER NEEDs cuSPARSE; torch's own libraries have loaded it before an extension is loaded.
  for (const char *soname : {"libcusolver.so.11", "libtorch_python.so"})
    EXPECT_THAT(withNvJitLink("12.1.105", needs(soname)), testing::Contains(Code::NvJitLinkNewer))
        << soname;
  EXPECT_THAT(withNvJitLink("12.1.105", needs("libcudart.so.12")), IsEmpty());
}

TEST(Inherited, areFindingsByWhichSymbolsCannotBeBound) {
  Finding lacks, path, warning;
  lacks.code = warning.code = Code::ImportMissing;
  path.code = Code::NotFound;
  warning.severity = Severity::Warning;
  auto own = policy::inherited({lacks, path, warning}, "pkg/libmid.so");
  ASSERT_EQ(own.size(), 1u);
  EXPECT_EQ(own[0].facts[0].text, "pkg/libmid.so");
}
