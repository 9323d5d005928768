// SPDX-License-Identifier: Apache-2.0
#include "FatbinSupport.h"
#include "ZipWriter.h"
#include "driver/binary/archive/InflateStream.h"
#include "driver/binary/archive/Wheel.h"
#include "driver/binary/device/KeptParts.h"

using namespace cudacc;
using namespace cudacc::binary;
using namespace cudacc::binary::test;

namespace {
/// Bytes that cannot be compressed and contain no recognised words.
std::string dense(size_t size, uint64_t seed = 88172645463325252) {
  std::string out(size, '\0');
  for (char &c : out) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    c = char(seed >> 24);
  }
  return out;
}

struct Opened {
  MemoryFile wheel;
  std::vector<WheelEntry> entries;
  std::unique_ptr<MemberFile> member;

  explicit Opened(const std::string &content) : wheel(zipped(content)) {
    entries = llvm::cantFail(readWheel(wheel, "x.whl"));
    wheel.bytesRead = wheel.calls = 0;
    member = llvm::cantFail(openEntry(wheel, entries[0]));
  }
  static std::string zipped(const std::string &content) {
    ZipWriter zip;
    zip.add("pkg/a.so", content);
    return zip.str();
  }
};

core::BinaryFacts factsOf(core::ReadableFile &file, const ReadOptions &options) {
  auto facts = read(file, "pkg/a.so", options);
  EXPECT_TRUE(bool(facts));
  return facts ? std::move(*facts) : core::BinaryFacts();
}

void expectSame(llvm::StringRef text, llvm::ArrayRef<char> bytes) {
  EXPECT_TRUE(text == llvm::StringRef(bytes.data(), bytes.size()));
}
} // namespace

/// Larger than the limit up to which files are kept whole, with containers far apart.
TEST(MembersOnce, ALibraryIsInflatedOnce) {
  TestFile file;
  for (unsigned i = 0; i != 60; ++i)
    file.fatbin += container({zstd(cubin(80 + i % 3, dense(150000 + 8 * i, i + 1))), ptx(90, 8, 4),
                              cubin(90, withCode + dense(40000, i + 77))});
  for (unsigned i = 0; i != 4; ++i)
    file.wrappers.push_back({1, 0, false});
  std::string bytes = file.bytes();
  ASSERT_GT(bytes.size(), size_t(10) << 20);
  ReadOptions options;
  options.device = true;
  MemoryFile plain(bytes);
  core::BinaryFacts expected = factsOf(plain, options);
  Opened opened(bytes);
  core::BinaryFacts facts = factsOf(*opened.member, options);
  EXPECT_EQ(unitsOf(bytes).size(), facts.device.units.size());
  EXPECT_GT(facts.device.units.size(), 1u);
  EXPECT_EQ(facts.device.units.size(), expected.device.units.size());
  EXPECT_EQ(opened.member->madeAgain(), 0u);
  // The directory and the local header are read too.
  EXPECT_LT(opened.wheel.bytesRead, opened.wheel.content.size() + (100 << 10));
}

/// Also where a block of output ends in the middle of a piece of input.
TEST(MembersOnce, InputIsReadInLargePieces) {
  std::string text;
  for (char c : dense(2 << 20))
    text += char('a' + (c & 31));
  Opened opened(text);
  ASSERT_FALSE(bool(opened.member->verify()));
  uint64_t pieces = opened.wheel.content.size() >> 16;
  EXPECT_GT(pieces, 10u);
  EXPECT_LT(opened.wheel.calls, pieces + 5);
}

TEST(MembersOnce, StaticCudartIsFoundInPassing) {
  NEED_TOOL("gcc");
  Scratch scratch;
  std::string digits(40, 'a'), so = scratch / "a.so";
  Ran ran = run({"gcc", "-shared", "-fPIC",
                 scratch.write("a.c", "static int libcudart_static_" + digits +
                                          "(void) { return 1; }\nint a(void) { return "
                                          "libcudart_static_" +
                                          digits + "(); }\n"),
                 "-O0", "-o", so});
  ASSERT_EQ(ran.status, 0) << ran.text;
  std::string with = slurp(so), without = with;
  // One character is not a digit, so it is another function.
  for (size_t at = 0; (at = without.find("libcudart_static_aaa", at)) != std::string::npos; ++at)
    without[at + 20] = 'x';
  ASSERT_NE(with, without);
  for (const auto &[bytes, has] : {std::pair(with, true), std::pair(without, false)}) {
    EXPECT_EQ(readBytes(bytes).staticCudart, false);
    MemoryFile plain(bytes);
    EXPECT_EQ(factsOf(plain, {}).staticCudart, has);
    Opened opened(bytes);
    ReadOptions options;
    auto places = [&] { return opened.member->staticCudart(); };
    options.staticCudart = places;
    EXPECT_EQ(factsOf(*opened.member, options).staticCudart, has);
    EXPECT_TRUE(opened.member->staticCudart());
  }
}

TEST(MembersOnce, ANameMayLieAcrossPieces) {
  std::string text = std::string(1020, '.') + "libcudart_static_" + std::string(1011, '.');
  for (size_t piece : {512, 1024, 2048}) {
    KeptParts kept(text.size());
    for (size_t at = 0; at != text.size(); at += piece)
      kept.see(llvm::StringRef(text).substr(at, piece));
    ASSERT_TRUE(kept.staticCudart());
    EXPECT_EQ(*kept.staticCudart(), llvm::ArrayRef<uint64_t>{1020}) << piece;
  }
  // More than the limit, so their positions are unknown.
  KeptParts kept(1 << 20);
  std::string many;
  while (many.size() < 1 << 20)
    many += "libcudart_static_libcudart_static";
  many.resize(1 << 20);
  kept.see(many);
  EXPECT_FALSE(kept.staticCudart());
}

TEST(MembersOnce, GoingBackIsBounded) {
  std::string text = dense(10 << 20);
  Opened opened(text);
  char byte;
  ASSERT_EQ(llvm::cantFail(opened.member->readAt(text.size() - 1, {&byte, 1})), 1u);
  // Each read decompresses up to a MiB again; 4 times the size and 64 MiB are allowed.
  unsigned reads = 0;
  std::string said;
  for (; reads != 1000 && said.empty(); ++reads) {
    uint64_t at = (reads % 2 ? 2 : 6) * (1 << 20) + (1 << 20) - (70 << 10);
    auto got = opened.member->readAt(at, {&byte, 1});
    if (!got)
      said = core::toFinding(got.takeError()).message;
    else
      EXPECT_EQ(byte, text[at]);
  }
  EXPECT_EQ(said, "pkg/a.so: reading it goes back too often");
  EXPECT_GT(reads, 100u);
  EXPECT_LT(opened.member->madeAgain(), (64 << 20) + 5 * text.size());
}

TEST(MembersOnce, TheFirstBytesCostLittle) {
  std::string text = dense(300000);
  Opened opened(text);
  char head[18];
  ASSERT_EQ(llvm::cantFail(opened.member->readAt(0, head)), 18u);
  expectSame(llvm::StringRef(text).take_front(18), head);
  EXPECT_LT(opened.wheel.bytesRead, 2000u);
  std::string all(text.size(), '\0');
  ASSERT_EQ(llvm::cantFail(opened.member->readAt(0, {all.data(), all.size()})), all.size());
  EXPECT_TRUE(all == text);
}

/// Whatever the headers say, the kept parts equal the file's bytes.
TEST(MembersOnce, WhatIsKeptIsWhatPassed) {
  for (uint64_t seed = 1; seed != 8; ++seed) {
    std::string text = dense(9 << 20, seed * 7919);
    std::string head = withCode.substr(0, 64);
    std::memcpy(text.data(), head.data(), head.size());
    uint64_t start = ContainerStart, random = seed;
    for (unsigned i = 0; i != 200; ++i) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      std::memcpy(text.data() + (random >> 20) % (text.size() - 100) / 8 * 8, &start, 8);
    }
    KeptParts kept(text.size());
    for (size_t at = 0; at < text.size(); at += 65536)
      kept.see(llvm::StringRef(text).substr(at, 65536));
    std::string part(700, '\0');
    unsigned found = 0;
    for (uint64_t at = 0; at + part.size() < text.size(); at += 333)
      if (kept.read(at, {part.data(), part.size()})) {
        ++found;
        ASSERT_TRUE(llvm::StringRef(text).substr(at, part.size()) == part) << at;
      }
    EXPECT_GT(found, 100u);
  }
}
