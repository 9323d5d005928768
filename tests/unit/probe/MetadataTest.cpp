// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/Metadata.h"
#include <gmock/gmock.h>

using namespace cudacc;
using testing::ElementsAre;

TEST(Metadata, saysWhatIsRequired) {
  auto metadata = probe::parseMetadata("Metadata-Version: 2.1\r\n"
                                       "Name: My.Package\r\n"
                                       "version: 1.0+cu124\r\n"
                                       "Requires-Dist: torch==2.5.1\r\n"
                                       "Requires-Dist: numpy; extra == \"all\"\r\n"
                                       "Requires-Dist: win; sys_platform == \"win32\"\r\n"
                                       "Requires-Dist: old; python_version < \"3.9\"\r\n"
                                       "Requires-Dist: torch>2\r\n"
                                       "Requires-Dist: == nothing\r\n"
                                       "\r\n"
                                       "Requires-Dist: described\r\n",
                                       "x86_64", "");
  EXPECT_EQ(metadata.name, "my-package");
  EXPECT_EQ(metadata.version, "1.0+cu124");
  EXPECT_THAT(metadata.required(), ElementsAre("torch", "old"));
  ASSERT_EQ(metadata.requirements.size(), 3u);
  EXPECT_FALSE(metadata.requirements[0].marker);
  // It depends on an unknown value.
  EXPECT_TRUE(metadata.requirements[1].marker);
}

TEST(Metadata, aMachineThatIsNotKnownLeavesItOpen) {
  const char *text = "Name: a\nRequires-Dist: b; platform_machine == \"aarch64\"\n";
  EXPECT_THAT(probe::parseMetadata(text, "", "").required(), ElementsAre("b"));
  EXPECT_THAT(probe::parseMetadata(text, "aarch64", "").required(), ElementsAre("b"));
  EXPECT_TRUE(probe::parseMetadata(text, "x86_64", "").required().empty());
}
