// SPDX-License-Identifier: Apache-2.0
#include "plugins/rtld/Loads.h"
#include "Written.h"
#include "gmock/gmock.h"

namespace cudacc::test {

static rtld::Loads sorted(std::initializer_list<const char *> lines) {
  Written written;
  written.line("S 7 1 /p /  0 ");
  for (const char *line : lines)
    written.line(line);
  return rtld::loadsOf(written.records().processes.at(0).events);
}

static std::vector<std::string> askedIn(const rtld::Load &load) {
  std::vector<std::string> names;
  for (const rtld::Asked &asked : load.asked)
    names.push_back(asked.name + (asked.opened ? "" : "?"));
  return names;
}

TEST(TraceLoads, theStartIsOneLoadAndEachDlopenAnother) {
  rtld::Loads loads =
      sorted({"O 7 1 0 ", "Q 7 1 1 liba.so", "O 7 2 0 /liba.so", "Q 7 2 1 libb.so",
              "O 7 3 0 /libb.so", "A 7 0", "R 7", "Q 7 1 1 /x.so", "A 7 1", "O 7 4 0 /x.so",
              "Q 7 4 1 liby.so", "Q 7 4 64 /lib/liby.so", "O 7 5 0 /lib/liby.so", "A 7 0"});
  ASSERT_EQ(loads.loads.size(), 2u);
  EXPECT_TRUE(loads.ready);
  EXPECT_TRUE(loads.loads[0].isStart);
  EXPECT_THAT(askedIn(loads.loads[0]), testing::ElementsAre("liba.so", "libb.so"));
  EXPECT_FALSE(loads.loads[1].isStart);
  EXPECT_THAT(askedIn(loads.loads[1]), testing::ElementsAre("/x.so", "liby.so"));
  ASSERT_EQ(loads.loads[1].asked[1].tried.size(), 1u);
  EXPECT_EQ(loads.loads[1].asked[1].tried[0].first, 64u);
}

TEST(TraceLoads, aProgramThatNeverRanIsStillAStart) {
  rtld::Loads loads = sorted({"O 7 1 0 ", "Q 7 1 1 libgone.so"});
  ASSERT_EQ(loads.loads.size(), 1u);
  EXPECT_TRUE(loads.loads[0].isStart);
  EXPECT_FALSE(loads.ready);
  EXPECT_THAT(askedIn(loads.loads[0]), testing::ElementsAre("libgone.so?"));
}

// A library whose initialiser opens another one does so after its own load is done.
TEST(TraceLoads, whatALoadBroughtMayCallDlopen) {
  rtld::Loads loads = sorted({"R 7", "Q 7 1 1 /x.so", "A 7 1", "O 7 4 0 /x.so", "A 7 0",
                              "Q 7 4 1 libcuda.so.1", "Q 7 4 1 libcuda.so"});
  ASSERT_EQ(loads.loads.size(), 3u);
  EXPECT_THAT(askedIn(loads.loads[1]), testing::ElementsAre("libcuda.so.1?"));
  EXPECT_THAT(askedIn(loads.loads[2]), testing::ElementsAre("libcuda.so?"));
}

TEST(TraceLoads, whatIsClosedAtOnceIsUndoneAndTheEndOfAProcessIsNot) {
  rtld::Loads failed =
      sorted({"R 7", "Q 7 1 1 /x.so", "A 7 1", "O 7 4 0 /x.so", "A 7 0", "C 7 4", "A 7 2", "A 7 0",
              "Q 7 1 1 /y.so", "A 7 1", "O 7 5 0 /y.so", "A 7 0"});
  ASSERT_EQ(failed.loads.size(), 2u);
  EXPECT_TRUE(failed.loads[0].undone);
  EXPECT_FALSE(failed.loads[1].undone);
  EXPECT_THAT(failed.loads[1].closed, testing::ElementsAre(4u));
  rtld::Loads ended = sorted({"R 7", "Q 7 1 1 /x.so", "A 7 1", "O 7 4 0 /x.so", "A 7 0", "A 7 2",
                              "C 7 1", "C 7 4", "A 7 0"});
  EXPECT_FALSE(ended.loads[0].undone);
}

TEST(TraceLoads, aChildHasWhatItsParentHadLoaded) {
  Written written;
  rtld::Records records = written.line("S 7 1 /p /  0 ")
                              .line("O 7 1 0 ")
                              .line("R 7")
                              .line("F 8 7 2")
                              .line("O 7 2 0 /later.so")
                              .line("Q 8 1 1 /x.so")
                              .line("O 8 2 0 /x.so")
                              .line("F 9 8 2")
                              .line("C 9 2")
                              .records();
  ASSERT_EQ(records.processes.size(), 3u);
  EXPECT_EQ(rtld::eventsOf(records, 1).size(), 4u);
  EXPECT_EQ(rtld::eventsOf(records, 2).size(), 5u);
  rtld::Loads loads = rtld::loadsOf(rtld::eventsOf(records, 2));
  ASSERT_EQ(loads.loads.size(), 2u);
  EXPECT_EQ(loads.loads[1].opened.at(0).path, "/x.so");
  EXPECT_TRUE(loads.loads[1].undone);
}

} // namespace cudacc::test
