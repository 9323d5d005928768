// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/archive/WheelWriter.h"
#include "WheelReading.h"
#include "driver/binary/archive/Digest.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::binary;
using namespace cudacc::binary::test;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// 2026-01-02, 03:04:06, and rwxr-xr-x of a regular file.
WheelEntry dated() {
  WheelEntry like;
  like.stamp = uint32_t((2026 - 1980) << 9 | 1 << 5 | 2) << 16 | (3 << 11 | 4 << 5 | 6 / 2);
  like.attributes = uint32_t(0100755) << 16;
  return like;
}

std::vector<std::string> namesOf(llvm::ArrayRef<WheelEntry> entries) {
  std::vector<std::string> names;
  for (const WheelEntry &entry : entries)
    names.push_back(entry.name);
  return names;
}

class WritingWheels : public testing::Test {
protected:
  cudacc::test::MemoryFiles files;

  std::string written(llvm::function_ref<void(WheelWriter &)> fill, llvm::StringRef path = "/w") {
    WheelWriter writer(files, path.str());
    fill(writer);
    if (auto error = writer.finish())
      ADD_FAILURE() << failure(std::move(error));
    return files.node(path) ? files.node(path)->content : "";
  }
  static void add(WheelWriter &writer, llvm::StringRef name, llvm::StringRef content) {
    auto digest = writer.add(name, content, dated());
    if (!digest)
      ADD_FAILURE() << failure(digest.takeError());
    else
      EXPECT_EQ(*digest, recordDigest(content));
  }
};

} // namespace

TEST(RecordDigest, isUrlSafeBase64WithoutPadding) {
  EXPECT_EQ(recordDigest(""), "sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU");
  MemoryFile file(noise(200000));
  auto digest = recordDigest(file);
  ASSERT_TRUE(bool(digest));
  EXPECT_EQ(*digest, recordDigest(noise(200000)));
}

TEST_F(WritingWheels, entriesAreReadBackInOrder) {
  std::string large = noise(3 << 20);
  MemoryFile wheel(written([&](WheelWriter &writer) {
    add(writer, "b/ext.so", large);
    add(writer, "a.py", "");
    add(writer, "\xc3\xa9.py", "x");
  }));
  std::vector<WheelEntry> entries = list(wheel);
  ASSERT_THAT(namesOf(entries), ElementsAre("b/ext.so", "a.py", "\xc3\xa9.py"));
  EXPECT_EQ(contents(wheel, entries[0]), large);
  EXPECT_EQ(contents(wheel, entries[1]), "");
  EXPECT_EQ(contents(wheel, entries[2]), "x");
  EXPECT_EQ(entries[0].stamp, dated().stamp);
  EXPECT_EQ(entries[0].attributes, dated().attributes);
  EXPECT_LT(entries[0].compressedSize, large.size());
}

TEST_F(WritingWheels, theSameCallsGiveTheSameBytes) {
  auto fill = [](WheelWriter &writer) { add(writer, "a", noise(70000)); };
  EXPECT_EQ(written(fill, "/one"), written(fill, "/two"));
}

// Whatever a compressor made of it, the compressed bytes stay.
TEST_F(WritingWheels, copiedEntriesKeepTheirCompressedBytes) {
  std::string text = noise(100000), deflated = ZipWriter::deflated(text, 9);
  ZipWriter zip;
  zip.add("a", text).data = deflated;
  zip.entries.back().directory.compressedSize = deflated.size();
  zip.add("s", "stored", Stored);
  MemoryFile from(zip.str());
  std::vector<WheelEntry> entries = list(from);
  MemoryFile wheel(written([&](WheelWriter &writer) {
    for (const WheelEntry &entry : entries)
      if (auto error = writer.copy(from, entry, dated()))
        ADD_FAILURE() << failure(std::move(error));
  }));
  std::vector<WheelEntry> copied = list(wheel);
  ASSERT_EQ(copied.size(), 2u);
  EXPECT_EQ(contents(wheel, copied[0]), text);
  EXPECT_EQ(contents(wheel, copied[1]), "stored");
  EXPECT_THAT(files.node("/w")->content, HasSubstr(deflated));
  EXPECT_EQ(copied[1].method, Stored);
  EXPECT_EQ(copied[0].attributes, dated().attributes);
}

TEST_F(WritingWheels, damagedAndEncryptedEntriesAreErrors) {
  ZipWriter zip;
  zip.add("a", noise(1000)).directory.crc ^= 1;
  ZipWriter::Entry &encrypted = zip.add("b", "x");
  encrypted.directory.flags = encrypted.local.flags = EncryptedFlag;
  MemoryFile from(zip.str());
  std::vector<WheelEntry> entries = list(from);
  ASSERT_EQ(entries.size(), 2u);
  WheelWriter writer(files, "/w");
  auto damaged = openEntry(from, entries[0]);
  ASSERT_TRUE(bool(damaged));
  auto digest = writer.add("a", **damaged, dated());
  ASSERT_FALSE(bool(digest));
  EXPECT_THAT(failure(digest.takeError()), HasSubstr("its checksum is wrong"));
  EXPECT_THAT(failure(writer.copy(from, entries[1], dated())), HasSubstr("encrypted"));
}

TEST_F(WritingWheels, aDiskThatIsFullIsAnError) {
  files.readOnly.insert("/full");
  WheelWriter writer(files, "/full/w");
  add(writer, "a", noise(100));
  EXPECT_THAT(failure(writer.finish()), HasSubstr("cannot write"));
}

TEST_F(WritingWheels, moreEntriesThanTheOldFormatCounts) {
  ZipWriter zip;
  zip.add("a", "x", Stored);
  MemoryFile wheel(written([&](WheelWriter &writer) {
    for (int i = 0; i != 0xffff; ++i) {
      zip.entries.front().name = std::to_string(i);
      MemoryFile one(zip.str());
      if (auto error = writer.copy(one, list(one).front(), dated()))
        ADD_FAILURE() << failure(std::move(error));
    }
  }));
  EXPECT_EQ(list(wheel).size(), size_t(0xffff));
}

namespace {

/// Zeros from `begin` on, and other bytes before and behind them.
class Sparse : public core::ReadableFile {
public:
  std::string before, behind;
  uint64_t zeros = 0;
  uint64_t size() const override { return before.size() + zeros + behind.size(); }
  llvm::Expected<size_t> readAt(uint64_t offset, llvm::MutableArrayRef<char> out) override {
    size_t count = offset < size() ? std::min<uint64_t>(out.size(), size() - offset) : 0;
    uint64_t end = before.size() + zeros;
    std::memset(out.data(), 0, count);
    for (size_t i = 0; i != count && offset + i < before.size(); ++i)
      out[i] = before[offset + i];
    for (size_t i = offset < end ? std::min<uint64_t>(end - offset, count) : 0; i < count; ++i)
      out[i] = behind[offset + i - end];
    return count;
  }
};

/// Keeps what is appended in a Sparse: whole pieces of zeros are counted.
class SparseFiles : public cudacc::test::MemoryFiles {
public:
  Sparse file;
  llvm::Error append(llvm::StringRef, llvm::StringRef bytes) override {
    size_t head = file.behind.empty() ? bytes.find_first_not_of('\0') : 0;
    if (file.before.empty()) {
      file.before = bytes.str();
      return llvm::Error::success();
    }
    head = std::min(head, bytes.size());
    file.zeros += head;
    file.behind += bytes.drop_front(head);
    return llvm::Error::success();
  }
};

} // namespace

TEST_F(WritingWheels, sizesAndOffsetsBeyondFourGigabytes) {
  constexpr uint64_t size = (uint64_t(1) << 32) + 12345;
  Sparse from;
  ZipWriter zip;
  zip.add("large", "", Stored).local.flags = DescriptorFlag;
  from.before = zip.str().substr(0, sizeof(LocalRecord) + strlen("large"));
  from.zeros = size;
  WheelEntry entry;
  entry.name = "large";
  entry.size = entry.compressedSize = size;
  entry.end = from.size();
  SparseFiles disk;
  WheelWriter writer(disk, "/w");
  if (auto error = writer.copy(from, entry, dated()))
    FAIL() << failure(std::move(error));
  ZipWriter other;
  other.add("last", "x", Stored);
  MemoryFile small(other.str());
  if (auto error = writer.copy(small, list(small).front(), dated()))
    FAIL() << failure(std::move(error));
  if (auto error = writer.finish())
    FAIL() << failure(std::move(error));
  auto entries = readWheel(disk.file, "w");
  ASSERT_TRUE(bool(entries)) << failure(entries.takeError());
  EXPECT_EQ(entries->at(0).size, size);
  EXPECT_GT(entries->at(1).offset, size);
  auto content = openEntry(disk.file, entries->at(1));
  ASSERT_TRUE(bool(content));
  EXPECT_EQ(readAll(**content), "x");
}
