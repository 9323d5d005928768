// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/JudgeManifest.h"
#include "tests/unit/policy/BinaryJudging.h"

using namespace cudacc;
using namespace cudacc::core;
using policy::cudaIn;
using policy::hasLinkRecord;
using policy::judgeLinkRecord;
using test::extension;

TEST(LinkRecord, isAskedOfFilesThatUseCuda) {
  BinaryFacts facts = extension({}, {"libc.so.6"});
  EXPECT_EQ(cudaIn(facts), "");
  facts.device.units.resize(1);
  EXPECT_EQ(cudaIn(facts), "contains device code");
  facts.staticCudart = true;
  EXPECT_EQ(cudaIn(facts), "contains libcudart_static.a");
  facts.needed.push_back("libcudart.so.13");
  EXPECT_EQ(cudaIn(facts), "needs libcudart.so.13");
}

TEST(LinkRecord, isThatOfCudaCc) {
  BinaryFacts facts = extension({}, {"libc.so.6"});
  EXPECT_EQ(hasLinkRecord(facts), std::nullopt) << "no CUDA";
  facts.needed.push_back("libcudart.so.13");
  for (BinaryKind kind : {BinaryKind::SharedObject, BinaryKind::Executable}) {
    facts.kind = kind;
    EXPECT_EQ(hasLinkRecord(facts), false);
  }
  facts.kind = BinaryKind::Relocatable;
  EXPECT_EQ(hasLinkRecord(facts), std::nullopt) << "it is not linked yet";
  facts.kind = BinaryKind::SharedObject;
  for (const char *soname : {"libcublas.so.13", "libcublas-0123abcd.so.13"}) {
    facts.soname = soname;
    EXPECT_EQ(hasLinkRecord(facts), std::nullopt) << soname;
  }
  facts.soname = "libmine.so";
  EXPECT_EQ(hasLinkRecord(facts), false);
  facts.manifest.links.emplace_back();
  EXPECT_EQ(hasLinkRecord(facts), true);
}

TEST(LinkRecord, isMissedWithTheReason) {
  BinaryFacts facts = extension({}, {"libcudart.so.13"});
  auto finding = judgeLinkRecord(facts);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->code, Code::ArtefactUnmarked);
  EXPECT_EQ(finding->facts[0].text, "needs libcudart.so.13");
  facts.manifest.links.emplace_back();
  EXPECT_FALSE(judgeLinkRecord(facts));
  EXPECT_FALSE(judgeLinkRecord(extension({}, {"libc.so.6"})));
}
