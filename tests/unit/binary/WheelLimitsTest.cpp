// SPDX-License-Identifier: Apache-2.0
#include "WheelReading.h"
#include "driver/binary/archive/Deflated.h"

using namespace cudacc;
using namespace cudacc::binary;
using namespace cudacc::binary::test;

static std::string limitOf(core::ReadableFile &file, uint64_t at) {
  char byte;
  auto got = file.readAt(at, {&byte, 1});
  if (got)
    return "";
  core::Finding finding = core::toFinding(got.takeError());
  EXPECT_EQ(finding.code, core::Code::LimitReached) << finding.message;
  return finding.message;
}

TEST(Wheel, BombsAndOverlaps) { // FB-28
  // A stream that begins inside another one, and one stream under two names.
  ZipWriter inside;
  inside.add("a", std::string(100000, 'a'));
  inside.add("b", "b").directory.offset = 1;
  EXPECT_EQ(listError(inside.str()), "x.whl: two entries lie in one place");
  ZipWriter shared;
  shared.add("pad", "pad", Stored);
  shared.add("a", std::string(100000, 'a'));
  shared.str();
  shared.entries.push_back(shared.entries[1]);
  shared.entries[2].name = "b";
  EXPECT_EQ(listError(shared.str()), "x.whl: two entries lie in one place");
  ZipWriter ratio;
  ratio.add("a", "abc").directory.size = 1 << 20;
  EXPECT_EQ(firstOf(ratio.str()), "error: a: its stated size is more than its data can hold");
  ZipWriter large;
  for (const char *name :
       {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r"})
    large.add(name, "x").directory.size = 0xfffffffe;
  EXPECT_EQ(listError(large.str()), "x.whl: more than 64 GiB when unpacked");
}

TEST(Wheel, TheMostThatDeflateSaysIsRead) {
  std::string zeros(16 << 20, '\0');
  ZipWriter zip;
  zip.add("a", zeros);
  EXPECT_GT(zeros.size() / zip.entries[0].data.size(), 1000u);
  EXPECT_TRUE(firstOf(zip.str()) == zeros);
}

TEST(Wheel, TooManyEntries) { // AV-U03
  ZipWriter zip;
  zip.zip64 = true;
  zip.add("a", "", Stored);
  std::string bytes = zip.str();
  size_t end = bytes.size() - sizeof(EndRecord) - sizeof(Locator64) - sizeof(EndRecord64);
  uint64_t count = 1 << 20;
  std::memcpy(bytes.data() + end + offsetof(EndRecord64, entries), &count, 8);
  std::memcpy(bytes.data() + end + offsetof(EndRecord64, diskEntries), &count, 8);
  MemoryFile file(bytes);
  auto entries = readWheel(file, "x.whl");
  ASSERT_FALSE(bool(entries));
  EXPECT_EQ(core::toFinding(entries.takeError()).code, core::Code::LimitReached);
}

TEST(Wheel, WhatIsDenserThanAnyLibraryIsReadTo16MiB) { // AV-U03
  ZipWriter zip;
  zip.add("small", std::string(15 << 20, '\0'));
  zip.add("dense.so", std::string(20 << 20, '\0'));
  // A fiftieth; for most libraries not even a tenth.
  std::string usual;
  for (std::string part = noise(4 << 10); usual.size() < 40 << 20;)
    usual += part + std::string(76 << 10, '\0');
  zip.add("usual.so", usual);
  MemoryFile file(zip.str());
  std::vector<WheelEntry> entries = list(file);
  EXPECT_LT(entries[2].compressedSize, usual.size() / 20);
  EXPECT_EQ(readAll(*llvm::cantFail(openEntry(file, entries[0]))).size(), size_t(15) << 20);
  EXPECT_EQ(readAll(*llvm::cantFail(openEntry(file, entries[2]))), usual);
  auto dense = llvm::cantFail(openEntry(file, entries[1]));
  EXPECT_EQ(limitOf(*dense, (16 << 20) - 1), "");
  const char *said = "dense.so: it unpacks to more than 16 MiB, and 64 times its size";
  EXPECT_EQ(limitOf(*dense, 16 << 20), said);
  // The limit stays in effect, also for members that could be read before.
  EXPECT_EQ(limitOf(*dense, 0), said);
}

TEST(Wheel, AllMembersTogetherAreBounded) { // AV-U03
  constexpr uint64_t gib = uint64_t(1) << 30;
  for (auto [size, budget] :
       {std::pair(uint64_t(1), 4 * gib), std::pair(gib / 8, 8 * gib), std::pair(gib, 16 * gib)}) {
    InflateBudget left(size);
    EXPECT_TRUE(left.take(budget));
    EXPECT_FALSE(left.take(1));
  }
  ZipWriter zip;
  zip.add("first", noise(200 << 10));
  zip.add("second", noise(200 << 10));
  MemoryFile file(zip.str());
  std::vector<WheelEntry> entries = list(file);
  EXPECT_EQ(contents(file, entries[0]), noise(200 << 10));
  // As if the members before them were large.
  EXPECT_TRUE(entries[0].budget->take(4 * gib - (300 << 10)));
  auto second = llvm::cantFail(openEntry(file, entries[1]));
  EXPECT_EQ(limitOf(*second, 0), "");
  EXPECT_EQ(limitOf(*second, 190 << 10),
            "second: the wheel unpacks to more than 4 GiB, and 64 times its size or 16 GiB");
}
