// SPDX-License-Identifier: Apache-2.0
#include "Written.h"
#include "gmock/gmock.h"

namespace cudacc::test {

using rtld::Event;
using rtld::Records;
using Kind = Event::Kind;

static constexpr char begins[] = "S 7 1 /usr/bin/python3 /work /a:/b 1 %20 python3 -c import%20x";

TEST(TraceRecords, areReadAsTheyWereWritten) {
  Records records = Written()
                        .line(begins)
                        .line("O 7 1 0 ")
                        .line("Q 7 1 1 libnvJitLink.so.12")
                        .line("Q 7 1 4 /a%09b/libnvJitLink.so.12")
                        .line("O 7 2 0 /x/libnvJitLink.so.12")
                        .line("A 7 0")
                        .line("R 7")
                        .line("B 7 1 2 8 nvJitLinkVersion")
                        .line("C 7 2")
                        .records();
  ASSERT_EQ(records.processes.size(), 1u);
  const rtld::ProcessRecord &process = records.processes[0];
  EXPECT_EQ(process.pid, 7u);
  EXPECT_EQ(process.parent, 1u);
  EXPECT_EQ(process.program, "/usr/bin/python3");
  EXPECT_EQ(process.workingDirectory, "/work");
  EXPECT_EQ(process.libraryPath, "/a:/b");
  EXPECT_EQ(process.preload, " ");
  EXPECT_THAT(process.words, testing::ElementsAre("python3", "-c", "import x"));
  ASSERT_EQ(process.events.size(), 8u);
  EXPECT_EQ(process.events[2].flag, 4u);
  EXPECT_EQ(process.events[2].text, "/a\tb/libnvJitLink.so.12");
  EXPECT_EQ(process.events[6].kind, Kind::Bind);
  EXPECT_EQ(process.events[6].other, 2u);
  EXPECT_EQ(records.broken, 0u);
  EXPECT_FALSE(records.lost);
}

TEST(TraceRecords, anUnsetLibraryPathIsNotAnEmptyOne) {
  EXPECT_FALSE(Written().line("S 7 1 /p /  0 ").records().processes[0].libraryPath);
  EXPECT_EQ(Written().line("S 7 1 /p /  1 ").records().processes[0].libraryPath, "");
}

TEST(TraceRecords, afterExecTheProcessHasAnotherProgram) {
  Records records =
      Written().line(begins).line("R 7").line("S 7 1 /bin/true /  0 ").line("A 7 0").records();
  ASSERT_EQ(records.processes.size(), 2u);
  EXPECT_EQ(records.processes[0].events.size(), 1u);
  EXPECT_EQ(records.processes[1].program, "/bin/true");
  EXPECT_EQ(records.processes[1].events.size(), 1u);
}

TEST(TraceRecords, aForkedChildKnowsHowFarItsParentWas) {
  Records records = Written()
                        .line(begins)
                        .line("R 7")
                        .line("O 7 3 0 /after.so")
                        .line("F 8 7 1")
                        .line("C 8 2")
                        .line("C 7 1")
                        .line("F 9 99 1")
                        .line("F 9 9 1")
                        .line("F 6 8 1000")
                        .records();
  ASSERT_EQ(records.processes.size(), 3u);
  EXPECT_EQ(records.processes[2].forkedAt, 1u) << "no more than there are";
  EXPECT_EQ(records.processes[1].forkedFrom, 0u);
  EXPECT_EQ(records.processes[1].forkedAt, 1u);
  EXPECT_EQ(records.processes[1].program, "/usr/bin/python3");
  EXPECT_EQ(records.broken, 2u) << "a parent nobody saw, and itself";
}

// Records left by a program that was killed, or that writes into the file itself.
TEST(TraceRecords, hostileBytesAreCountedNotTrusted) {
  for (const char *line : {"", "X 7 1", "Q", "Q x 1 1 a", "Q 7 1 1", "Q 7 1 99999 a", "Q 7 -1 1 a",
                           "O 7 1 0", "C 7", "C 7 18446744073709551616", "A 7 x", "B 7 1 2 3",
                           "R 7 1", "S 7 1", "QQ 7 1 1 a", "Q 8 1 1 a"}) {
    Records records = Written().line(begins).line(line).line("R 7").records();
    ASSERT_EQ(records.processes.size(), 1u) << line;
    EXPECT_EQ(records.processes[0].events.size(), 1u) << line;
    EXPECT_EQ(records.broken, *line ? 1u : 0u) << line;
  }
}

TEST(TraceRecords, whatWasNeverFinishedIsPassedOver) {
  Written written;
  written.line(begins);
  written.raw(llvm::StringRef("\0\t7\t1\t1\tlib", 10)).raw(std::string(40, '\0'));
  written.line("R 7");
  written.raw(std::string(30, '\0')).line("A 7 0");
  Records records = written.records();
  ASSERT_EQ(records.processes.size(), 1u);
  ASSERT_EQ(records.processes[0].events.size(), 2u);
  EXPECT_EQ(records.broken, 0u);
}

TEST(TraceRecords, sayWhenThereWasNoRoom) {
  Written written(400);
  written.line(begins);
  for (int i = 0; i < 100; ++i)
    written.line("A 7 0");
  Records records = written.records();
  EXPECT_TRUE(records.lost);
  EXPECT_GT(records.processes[0].events.size(), 20u);
  EXPECT_EQ(records.broken, 0u);
}

TEST(TraceRecords, aFileThatIsNoneIsNoRecord) {
  EXPECT_EQ(rtld::readBuffer("").broken, 1u);
  EXPECT_EQ(rtld::readBuffer(std::string(100, 'x')).broken, 1u);
  Written written;
  written.line(begins);
  for (uint64_t used : {uint64_t(0), uint64_t(48), ~uint64_t(0)}) {
    written.setUsed(used);
    EXPECT_LE(written.records().processes.size(), 1u) << used;
  }
  std::string far = written.bytes;
  uint64_t end = ~uint64_t(0);
  std::memcpy(far.data() + offsetof(rtld::TraceBuffer, namesEnd), &end, sizeof end);
  EXPECT_TRUE(rtld::readBuffer(far).processes.empty());
}

TEST(TraceRecords, percentSignsThatStandForNothingStay) {
  Records records = Written().line("S 7 1 /p%zz%4 /%25  0 ").records();
  EXPECT_EQ(records.processes[0].program, "/p%zz%4");
  EXPECT_EQ(records.processes[0].workingDirectory, "/%");
}

} // namespace cudacc::test
