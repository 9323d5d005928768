// SPDX-License-Identifier: Apache-2.0
// Payloads: whether they have code, decompression, and comparison with their headers.
#include "FatbinSupport.h"
#include "driver/binary/device/FatbinInflate.h"
#include <gmock/gmock.h>
#include <zstd.h>

using namespace cudacc;
using namespace cudacc::binary;
using namespace cudacc::binary::test;
using namespace llvm::ELF;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {
using Texts = std::vector<std::string>;
} // namespace

TEST(FatbinPayload, HasCode) { // FB-40
  EXPECT_THAT(
      unitsOf(fatbin(container({cubin(80, withCode), cubin(80, withoutCode), cubin(80, toLink),
                                cubin(80, "no ELF file"), cubin(80, "")}))),
      ElementsAre("fatbin [sm_80 cubin yes, sm_80 cubin no, sm_80 cubin no relocatable, "
                  "sm_80 cubin unknown, sm_80 cubin unknown]"));
  // Section headers beyond the end, of another size, unterminated.
  auto broken = [](void (*change)(Elf64_Ehdr &)) {
    std::string bytes = withCode;
    Elf64_Ehdr header;
    std::memcpy(&header, bytes.data(), sizeof(header));
    change(header);
    std::memcpy(bytes.data(), &header, sizeof(header));
    return fatbin(container({cubin(80, bytes)})).units.at(0).images.at(0).code;
  };
  using enum core::HasCode;
  EXPECT_EQ(broken([](Elf64_Ehdr &) {}), Yes);
  EXPECT_EQ(broken([](Elf64_Ehdr &header) { header.e_shoff = UINT64_MAX - 4; }), Unknown);
  EXPECT_EQ(broken([](Elf64_Ehdr &header) { header.e_shoff += 64; }), Unknown);
  EXPECT_EQ(broken([](Elf64_Ehdr &header) { header.e_shentsize = 40; }), Unknown);
  EXPECT_EQ(broken([](Elf64_Ehdr &header) { header.e_shnum = 0xfeff; }), Unknown);
  EXPECT_EQ(broken([](Elf64_Ehdr &header) { header.e_type = ET_DYN; }), Unknown);
  EXPECT_EQ(broken([](Elf64_Ehdr &header) { header.e_ident[EI_CLASS] = ELFCLASS32; }), Unknown);
  EXPECT_EQ(broken([](Elf64_Ehdr &header) { header.e_ident[EI_DATA] = ELFDATA2MSB; }), Unknown);
  EXPECT_EQ(broken([](Elf64_Ehdr &header) { header.e_shoff = header.e_shnum = 0; }), No);
  // Extended numbering, whose first section states no number.
  EXPECT_EQ(broken([](Elf64_Ehdr &header) { header.e_shnum = 0; }), No);
}

TEST(FatbinPayload, CompressedCubinsAreUnknownUntilInflated) { // FB-40
  std::string bytes = container({zstd(cubin(80, withCode)), lz4(cubin(80, withoutCode)),
                                 lz4(cubin(80, toLink)), ptx(80, 9, 0)});
  EXPECT_THAT(unitsOf(fatbin(bytes)),
              ElementsAre("fatbin [sm_80 cubin unknown, sm_80 cubin unknown, sm_80 cubin unknown, "
                          "compute_80 PTX ISA 9.0]"));
  EXPECT_THAT(unitsOf(fatbin(bytes, {.deep = true})),
              ElementsAre("fatbin [sm_80 cubin yes, sm_80 cubin no, sm_80 cubin no relocatable, "
                          "compute_80 PTX ISA 9.0]"));
}

TEST(FatbinPayload, InflatingAloneDoesNotSearch) { // F10
  TestFile file;
  file.fatbin = container({zstd(cubin(80, withCode))});
  file.data = container({ptx(60, 7, 8)});
  EXPECT_THAT(unitsOf(file.bytes(), {.inflate = true}), ElementsAre("fatbin [sm_80 cubin yes]"));
}

TEST(FatbinPayload, InflatingEndsAtItsLimits) { // FB-25
  TestEntry large = zstd(cubin(80, std::string(Inflater::Limit + 1, '\0')));
  core::DeviceCode device = fatbin(container({large}), {.deep = true});
  EXPECT_THAT(unitsOf(device), ElementsAre("fatbin [sm_80 cubin unknown]"));
  EXPECT_EQ(device.limits.size(), 1u);
  // The header contradicts it.
  large.header.plainSize = 1000;
  device = fatbin(container({large}), {.deep = true, .verify = true});
  EXPECT_THAT(unitsOf(device), ElementsAre("fatbin [sm_80 cubin unknown]"));
  EXPECT_EQ(device.disagreements.size(), 1u);
  EXPECT_THAT(device.limits, IsEmpty());
  // Frames that end early or late, or are not frames.
  for (TestEntry entry : {zstd(cubin(80, withCode)), lz4(cubin(80, withCode))}) {
    for (int difference : {-1, 1}) {
      TestEntry other = entry;
      other.header.plainSize += difference;
      EXPECT_THAT(unitsOf(fatbin(container({other}), {.deep = true})),
                  ElementsAre("fatbin [sm_80 cubin unknown]"));
      other = entry;
      other.payload.resize(other.payload.size() + 1);
      other.header.compressedSize += difference;
      EXPECT_THAT(unitsOf(fatbin(container({other}), {.deep = true})),
                  ElementsAre("fatbin [sm_80 cubin unknown]"));
    }
    entry.payload.assign(entry.payload.size(), '\xff');
    EXPECT_THAT(unitsOf(fatbin(container({entry}), {.deep = true})),
                ElementsAre("fatbin [sm_80 cubin unknown]"));
  }
}

TEST(FatbinPayload, HeadersAgainstPayloads) { // AV-W13
  auto disagreements = [](const TestEntry &entry) {
    return fatbin(container({entry}), {.verify = true}).disagreements;
  };
  std::string old = cubinFile(80, ET_EXEC, 64, 7);
  for (const TestEntry &good : {ptx(80, 9, 0), ptx(90, 9, 0, SuffixA), ptx(100, 9, 0, SuffixF),
                                cubin(80, withCode), cubin(80, old)}) {
    EXPECT_THAT(disagreements(good), IsEmpty());
    EXPECT_THAT(disagreements(zstd(good)), IsEmpty());
    EXPECT_THAT(disagreements(lz4(good)), IsEmpty());
  }
  EXPECT_THAT(fatbin(container({ptx(80, 9, 0)})).disagreements, IsEmpty());

  TestEntry newer = ptx(80, 9, 0);
  newer.header.minor = 1;
  for (const TestEntry &entry : {newer, zstd(newer), lz4(newer)}) {
    Texts texts = disagreements(entry);
    ASSERT_EQ(texts.size(), 1u);
    EXPECT_EQ(texts[0].find("a header says compute_80 PTX ISA 9.1, its payload is PTX ISA 9.0 for "
                            "compute_80 (at 0x"),
              0u)
        << texts[0];
  }
  TestEntry other = ptx(90, 9, 0, SuffixA);
  other.header.flags &= ~uint64_t(SuffixA);
  EXPECT_EQ(disagreements(other).size(), 1u);
  EXPECT_EQ(disagreements(cubin(90, withCode)).size(), 1u);
  EXPECT_EQ(disagreements(zstd(cubin(90, withCode))).size(), 1u);
  EXPECT_EQ(disagreements(cubin(90, old)).size(), 1u);
  EXPECT_EQ(disagreements(cubin(80, "no ELF file")).size(), 1u);
  TestEntry text = ptx(80, 9, 0);
  text.payload = "no PTX";
  EXPECT_EQ(disagreements(text).size(), 1u);
  TestEntry sized = zstd(ptx(80, 9, 0));
  ++sized.header.plainSize;
  EXPECT_EQ(disagreements(sized).size(), 1u);
  EXPECT_EQ(disagreements(zstd(group({{80, withCode}, {90, withCode}}))).size(), 1u);

  TestEntry lto = ptx(80, 1, 65);
  lto.header.kind = LtoIrEntry;
  lto.payload = std::string("\xed\x43\x4e\x7f\x01\x41\x02\x62", 8);
  EXPECT_THAT(disagreements(lto), IsEmpty());
  lto.header.minor = 64;
  EXPECT_EQ(disagreements(lto).size(), 1u);
  // FB-17: bytes that are not an uncompressed frame.
  lto.header.flags |= LtoIrPacked | ZstdPayload;
  lto.header.compressedSize = 8;
  EXPECT_THAT(disagreements(lto), IsEmpty());
}

// Two kilobytes may decompress to 64 MiB, a million times.
TEST(FatbinPayload, AllPayloadsTogetherAreBounded) { // FB-25
  std::string plain(Inflater::Limit, '\0'), packed(ZSTD_compressBound(plain.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 1));
  MemoryFile file(packed);
  Bytes bytes(file, "x", 0, packed.size());
  Inflater inflater;
  auto inflate = [&] {
    return llvm::cantFail(
               inflater.inflate(bytes, 0, packed.size(), plain.size(), core::Compression::Zstd))
        .state;
  };
  for (uint64_t made = 0; made != Inflater::FreeTotal; made += plain.size())
    ASSERT_EQ(inflate(), Inflater::State::Whole);
  EXPECT_EQ(inflate(), Inflater::State::TooMuch);
}
