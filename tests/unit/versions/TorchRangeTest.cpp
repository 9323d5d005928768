// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/TorchRange.h"
#include <gmock/gmock.h>

using namespace cudacc::versions;

static TorchRange range(std::vector<TorchRange::Release> releases) {
  TorchRange range;
  range.imports = 1;
  range.releases = std::move(releases);
  return range;
}

static constexpr Exported yes = Exported::Yes, no = Exported::No, unknown = Exported::Unknown;

TEST(TorchRange, isARangeAndNoFloor) {
  TorchRange one = range({{"2.7.1", no}, {"2.8.0", yes}, {"2.9.1", yes}, {"2.10.0", no}});
  EXPECT_EQ(one.text(), ">=2.8,<2.10");
  EXPECT_EQ(one.specifier(), ">=2.8,<2.10");
}

// Releases after the newest one that was read are unknown.
TEST(TorchRange, endsAtTheNewestThatWasRead) {
  EXPECT_EQ(range({{"2.8.0", no}, {"2.9.1", yes}, {"2.15.0", yes}}).text(), ">=2.9.1,<=2.15.0");
}

// The guarantee of torch's stable ABI.
TEST(TorchRange, ofTheStableAbiIsOpen) {
  TorchRange stable = range({{"2.9.1", no}, {"2.10.0", yes}, {"2.15.0", yes}});
  stable.isStable = true;
  EXPECT_EQ(stable.text(), ">=2.10");
  EXPECT_EQ(stable.specifier(), ">=2.10");
  TorchRange other = range({{"2.9.1", yes}, {"2.10.0", yes}, {"2.15.0", yes}});
  stable.meet(other);
  EXPECT_EQ(stable.specifier(), ">=2.10,<=2.15.0");
}

TEST(TorchRange, mayHaveGaps) {
  TorchRange gap = range({{"2.1.0", yes}, {"2.2.0", no}, {"2.3.0", yes}, {"2.4.0", no}});
  EXPECT_EQ(gap.text(), ">=2.1,<2.2 or >=2.3,<2.4");
  EXPECT_EQ(gap.specifier(), ">=2.1,<2.4,!=2.2.0");
}

TEST(TorchRange, leavesOutWhatWasNotRead) {
  TorchRange unread = range({{"2.1.0", yes}, {"2.2.0", unknown}, {"2.3.0", yes}, {"2.4.0", no}});
  EXPECT_EQ(unread.text(), ">=2.1,<2.2 or >=2.3,<2.4 (not known: 2.2.0)");
  EXPECT_EQ(unread.specifier(), ">=2.1,<2.4,!=2.2.0");
}

TEST(TorchRange, mayBeEmpty) {
  EXPECT_EQ(range({{"2.1.0", no}}).text(), "none");
  EXPECT_EQ(range({{"2.1.0", no}}).specifier(), "");
  EXPECT_FALSE(range({{"2.1.0", no}}).any());
  EXPECT_FALSE(TorchRange().known());
}

TEST(TorchRange, meetsAnother) {
  TorchRange both = range({{"2.1.0", yes}, {"2.2.0", yes}, {"2.3.0", unknown}, {"2.4.0", no}});
  both.meet(TorchRange());
  EXPECT_EQ(both.specifier(), ">=2.1,<2.3");
  both.meet(range({{"2.1.0", no}, {"2.2.0", yes}, {"2.3.0", no}, {"2.4.0", yes}}));
  EXPECT_EQ(both.text(), ">=2.2,<2.3");
  EXPECT_EQ(both.imports, 2u);
}
