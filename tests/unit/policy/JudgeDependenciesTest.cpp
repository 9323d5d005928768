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
  EXPECT_THAT(findings[0].fixes, ElementsAre("pip install 'nvidia-nvjitlink-cu12>=12.4.99'"));
  EXPECT_THAT(withNvJitLink("12.4.127", needs("libcusparse.so.12")), IsEmpty());
  BinaryFacts object = needs("libcusparse.so.12");
  object.kind = BinaryKind::Relocatable;
  EXPECT_THAT(withNvJitLink("12.1.105", object), IsEmpty()) << "it loads nothing";
}

TEST_F(JudgingDependencies, whatLeadsToItIsRefusedAsWell) {
  // cuSOLVER NEEDs cuSPARSE; torch's own libraries have loaded it before an extension is loaded.
  for (const char *soname : {"libcusolver.so.11", "libtorch_python.so"})
    EXPECT_THAT(withNvJitLink("12.1.105", needs(soname)), testing::Contains(Code::NvJitLinkNewer))
        << soname;
  EXPECT_THAT(withNvJitLink("12.1.105", needs("libcudart.so.12")), IsEmpty());
}

TEST_F(JudgingDependencies, whatNobodyLoadsIsNoMatter) {
  Target target = targetOf("torch==2.6.0");
  TargetLibrary &library = rowOf(target, "libcusolverMp.so.0");
  library.dist = "nvidia-cusolvermp-cu12";
  library.version = *versions::Version::parse("0.9.1.9318.post1");
  EXPECT_THAT(judge(target, needs("libtorch_python.so")), IsEmpty()) << "torch does not";
  EXPECT_THAT(judge(target, needs("libcusolverMp.so.0")), ElementsAre(Code::ImportMissing));
  EXPECT_THAT(findings[0].fixes, ElementsAre("pip install 'nvidia-nccl-cu12>=2.29.2'"));
}

TEST(Inherited, areFindingsByWhichSymbolsCannotBeBound) {
  Finding lacks, path, warning;
  lacks.code = warning.code = Code::ImportMissing;
  path.code = Code::NotFound;
  warning.severity = Severity::Warning;
  auto own = policy::inherited({lacks, path, warning}, "pkg/libmid.so");
  ASSERT_EQ(own.size(), 1u);
  EXPECT_EQ(own[0].code, Code::ImportMissing);
  EXPECT_EQ(own[0].facts[0].text, "pkg/libmid.so");
}
