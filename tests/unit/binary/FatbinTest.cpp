// SPDX-License-Identifier: Apache-2.0
// Containers written by hand.
#include "FatbinSupport.h"
#include "driver/binary/elf/Layout.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::binary;
using namespace cudacc::binary::test;
using namespace llvm::ELF;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Fatbin, TheWorkedExample) { // FB-18
  static const unsigned char bytes[] = {
      0x50, 0xed, 0x55, 0xba, 0x01, 0x00, 0x10, 0x00, 0x30, 0x05, 0x00, 0x00, 0x00, 0x00, 0x00,
      0x00, 0x01, 0x00, 0x01, 0x01, 0x50, 0x00, 0x00, 0x00, 0xe0, 0x04, 0x00, 0x00, 0x00, 0x00,
      0x00, 0x00, 0xdb, 0x04, 0x00, 0x00, 0x40, 0x00, 0x00, 0x00, 0x00, 0x00, 0x09, 0x00, 0x50,
      0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x11, 0x80, 0x00, 0x00,
      0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x8d, 0x1b, 0x00,
      0x00, 0x00, 0x00, 0x00, 0x00, 0x48, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
      0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x28, 0xb5, 0x2f, 0xfd};
  std::string text(reinterpret_cast<const char *>(bytes), sizeof(bytes));
  text.resize(16 + 0x530);
  core::DeviceCode device = fatbin(text);
  ASSERT_EQ(device.units.size(), 1u);
  core::DeviceImage expected;
  expected.kind = core::ImageKind::Ptx;
  expected.compression = core::Compression::Zstd;
  expected.arch = {80, 0};
  expected.version = {9, 0};
  EXPECT_THAT(device.units[0].images, ElementsAre(expected));
  EXPECT_THAT(device.unknown, IsEmpty());
}

TEST(Fatbin, ContainersOneAfterAnother) { // FB-14
  std::string one = container({ptx(80, 9, 0)}), two = container({ptx(90, 9, 1, SuffixA)});
  EXPECT_THAT(unitsOf(fatbin(one + two + one)), ElementsAre("fatbin [compute_80 PTX ISA 9.0] x2",
                                                            "fatbin [compute_90a PTX ISA 9.1]"));
  EXPECT_THAT(unitsOf(fatbin(std::string(24, '\0') + one + std::string(4096, '\0') + two +
                             std::string(8, '\0'))),
              ElementsAre("fatbin [compute_80 PTX ISA 9.0]", "fatbin [compute_90a PTX ISA 9.1]"));
  // A container whose size is no multiple of eight is followed by padding.
  TestEntry odd = ptx(75, 8, 8);
  std::string bytes = container({odd});
  uint64_t size = bytes.size() - 16;
  bytes += "abc";
  size += 3;
  bytes.replace(8, 8, reinterpret_cast<const char *>(&size), 8);
  bytes.resize(bytes.size() + 5);
  core::DeviceCode device = fatbin(bytes + two);
  EXPECT_THAT(unitsOf(device),
              ElementsAre("fatbin [compute_75 PTX ISA 8.8]", "fatbin [compute_90a PTX ISA 9.1]"));
  EXPECT_EQ(device.unknown.size(), 1u);
}

TEST(Fatbin, AnEmptyContainer) { // FB-15
  core::DeviceCode device = fatbin(container({}));
  EXPECT_THAT(unitsOf(device), ElementsAre("fatbin []"));
  EXPECT_THAT(device.unknown, IsEmpty());
  EXPECT_TRUE(fatbin("").empty());
}

TEST(Fatbin, KindsVersionsAndArchitectures) { // FB-16
  TestEntry lto = ptx(80, 1, 65);
  lto.header.kind = LtoIrEntry;
  lto.header.flags |= LtoIrPacked;
  TestEntry named = cubin(100, withCode, SuffixF | 0x1000000);
  named.extension = std::string(40, 'n');
  named.header.nameAt = 64;
  named.header.nameSize = 33;
  EXPECT_THAT(
      unitsOf(fatbin(container({lto, named, cubin(120, withCode, SuffixA), ptx(52, 7, 8)}))),
      ElementsAre("fatbin [lto_80 LTO-IR 1.65, sm_100f cubin yes, sm_120a cubin yes, "
                  "compute_52 PTX ISA 7.8]"));
}

TEST(Fatbin, Compression) { // FB-17
  auto compression = [](uint64_t flags, uint32_t compressed) {
    TestEntry entry = ptx(80, 9, 0, flags);
    entry.header.compressedSize = compressed;
    return fatbin(container({entry})).units.at(0).images.at(0).compression;
  };
  EXPECT_EQ(compression(ZstdPayload, 8), core::Compression::Zstd);
  EXPECT_EQ(compression(Lz4Payload, 8), core::Compression::Lz4);
  EXPECT_EQ(compression(0, 8), core::Compression::Unknown);
  EXPECT_EQ(compression(ZstdPayload | Lz4Payload, 8), core::Compression::Unknown);
  EXPECT_EQ(compression(ZstdPayload, 0), core::Compression::None);
}

TEST(Fatbin, UnknownKindsAndFlagsAreUnknown) { // FB-24
  TestEntry strange = ptx(80, 9, 0, uint64_t(1) << 63);
  strange.header.kind = 0x40;
  core::DeviceCode device = fatbin(container({strange, ptx(80, 9, 0, uint64_t(1) << 40)}));
  EXPECT_THAT(unitsOf(device),
              ElementsAre("fatbin [image of an unknown kind, compute_80 PTX ISA 9.0]"));
  ASSERT_EQ(device.unknown.size(), 1u);
  EXPECT_EQ(device.unknown[0].find("an entry of kind 0x40 (at 0x"), 0u);
  TestEntry wide = ptx(80, 9, 0);
  wide.header.arch = 0x10050;
  EXPECT_FALSE(fatbin(container({wide})).units.at(0).images.at(0).arch.known());
}

TEST(Fatbin, OtherVersionsAreSkippedBySize) { // FB-23
  std::string next = container({ptx(90, 9, 0)}), other = container({ptx(80, 9, 0)});
  other[4] = 2;
  core::DeviceCode device = fatbin(other + next);
  EXPECT_THAT(unitsOf(device), ElementsAre("fatbin [compute_90 PTX ISA 9.0]"));
  ASSERT_EQ(device.unknown.size(), 1u);
  EXPECT_EQ(device.unknown[0].find("a container of version 2, header size 16"), 0u);

  std::string longer = container({ptx(80, 9, 0)});
  longer[6] = 32;
  longer.insert(16, 16, 'x');
  EXPECT_THAT(unitsOf(fatbin(longer + next)), ElementsAre("fatbin [compute_90 PTX ISA 9.0]"));

  TestEntry marked = ptx(80, 9, 0);
  marked.header.mark = 0x0102;
  device = fatbin(container({marked, ptx(90, 9, 0)}));
  EXPECT_THAT(unitsOf(device),
              ElementsAre("fatbin [image of an unknown kind, compute_90 PTX ISA 9.0]"));
  EXPECT_EQ(device.unknown.size(), 1u);
}

TEST(Fatbin, DamageEndsInOneClauseAndTheNextContainerIsFound) { // FB-21, FB-22
  std::string next = container({ptx(90, 9, 0)});
  auto damaged = [&](void (*change)(EntryHeader &), const char *what) {
    TestEntry entry = ptx(80, 9, 0);
    std::string bytes = container({ptx(75, 9, 0), entry});
    size_t at = bytes.size() - entry.bytes().size();
    EntryHeader header;
    std::memcpy(&header, bytes.data() + at, sizeof(header));
    change(header);
    std::memcpy(bytes.data() + at, &header, sizeof(header));
    core::DeviceCode device = fatbin(bytes + next);
    EXPECT_THAT(unitsOf(device),
                ElementsAre("fatbin [compute_75 PTX ISA 9.0]", "fatbin [compute_90 PTX ISA 9.0]"));
    ASSERT_EQ(device.unknown.size(), 1u) << what;
    EXPECT_EQ(device.unknown[0].find(what), 0u) << device.unknown[0];
  };
  const char *size = "an entry header of a size it cannot have";
  const char *beyond = "an entry reaches beyond its container";
  damaged([](EntryHeader &header) { header.headerSize = 0; }, size);
  damaged([](EntryHeader &header) { header.headerSize = 63; }, size);
  damaged([](EntryHeader &header) { header.headerSize = 70000; }, size);
  damaged([](EntryHeader &header) { header.headerSize = 65536; }, beyond);
  damaged([](EntryHeader &header) { header.payloadSize += 8; }, beyond);
  damaged([](EntryHeader &header) { header.payloadSize = UINT64_MAX - 63; }, beyond);
  damaged([](EntryHeader &header) { header.payloadSize = UINT64_MAX; }, beyond);
  damaged([](EntryHeader &header) { header.compressedSize = UINT32_MAX; },
          "a compressed payload reaches beyond its entry");
  damaged(
      [](EntryHeader &header) {
        header.nameAt = UINT32_MAX;
        header.nameSize = UINT32_MAX;
      },
      "a name reaches beyond its entry header");
  // Fewer bytes than an entry header remain after the last entry.
  std::string bytes = container({ptx(75, 9, 0)});
  uint64_t stated = bytes.size() - 16 + 8;
  bytes.replace(8, 8, reinterpret_cast<const char *>(&stated), 8);
  core::DeviceCode device = fatbin(bytes + std::string(8, '\0') + next);
  EXPECT_THAT(unitsOf(device),
              ElementsAre("fatbin [compute_75 PTX ISA 9.0]", "fatbin [compute_90 PTX ISA 9.0]"));
  ASSERT_EQ(device.unknown.size(), 1u);
  EXPECT_EQ(device.unknown[0].find(beyond), 0u);
}

TEST(Fatbin, AContainerBeyondItsSection) { // FB-21
  for (uint64_t size : {uint64_t(1) << 20, UINT64_MAX, UINT64_MAX - 15}) {
    std::string bytes = container({ptx(80, 9, 0)});
    bytes.replace(8, 8, reinterpret_cast<const char *>(&size), 8);
    core::DeviceCode device = fatbin(bytes);
    EXPECT_TRUE(device.empty());
    ASSERT_EQ(device.unknown.size(), 1u);
    EXPECT_EQ(device.unknown[0].find("a container reaches beyond its section"), 0u);
  }
}

TEST(Fatbin, BytesThatAreNoContainer) {
  std::string junk = "not a container in any way......";
  core::DeviceCode device = fatbin(junk + container({ptx(80, 9, 0)}) + junk);
  EXPECT_THAT(unitsOf(device), ElementsAre("fatbin [compute_80 PTX ISA 9.0]"));
  EXPECT_EQ(device.unknown.size(), 2u);
  // The first eight bytes of a container at the very end.
  EXPECT_EQ(fatbin(container({}).substr(0, 8)).unknown.size(), 1u);
}

TEST(Fatbin, MembersOfAGroupComeFromTheExtension) { // FB-47
  TestEntry plain = group({{80, withCode}, {90, withoutCode}, {80, toLink}});
  EXPECT_THAT(unitsOf(fatbin(container({ptx(80, 9, 0), plain}))),
              ElementsAre("fatbin [compute_80 PTX ISA 9.0, sm_80 cubin yes, sm_90 cubin no, sm_80 "
                          "cubin no relocatable]"));
  std::string packed = container({zstd(plain)});
  EXPECT_THAT(
      unitsOf(fatbin(packed)),
      ElementsAre("fatbin [sm_80 cubin unknown, sm_90 cubin unknown, sm_80 cubin unknown]"));
  EXPECT_THAT(unitsOf(fatbin(packed, {.deep = true})),
              ElementsAre("fatbin [sm_80 cubin yes, sm_90 cubin no, sm_80 cubin no relocatable]"));
}

TEST(Fatbin, GroupsThatReachBeyond) { // FB-47
  TestEntry good = zstd(group({{80, withCode}, {90, withoutCode}}));
  auto problem = [](TestEntry entry) {
    core::DeviceCode device = fatbin(container({entry}));
    return device.unknown.size() == 1 ? device.unknown[0] : "";
  };
  EXPECT_EQ(problem(good), "");
  TestEntry bad = good;
  bad.extension[0] = 3;
  EXPECT_EQ(problem(bad).find("a group reaches beyond its header"), 0u);
  bad = good;
  bad.extension.replace(0, 4, "\xff\xff\xff\xff");
  EXPECT_EQ(problem(bad).find("a group reaches beyond its header"), 0u);
  for (uint32_t at : {0u, 63u, 64u + 8 + 128 - 7, 1u << 20, UINT32_MAX}) {
    bad = good;
    bad.header.optionsAt = at;
    EXPECT_EQ(problem(bad).find("a group reaches beyond its header"), 0u) << at;
  }
  bad = good;
  bad.extension.replace(8 + 4, 4, "\xff\xff\xff\xff");
  EXPECT_EQ(problem(bad).find("a member of a group reaches beyond its payload"), 0u);
  bad = good;
  bad.extension.replace(8 + 8, 8, 8, '\xff');
  EXPECT_EQ(problem(bad).find("a member of a group reaches beyond its payload"), 0u);
  bad = good;
  bad.extension[8] = 7;
  EXPECT_EQ(problem(bad).find("a member of a group of an unknown kind"), 0u);
}

TEST(Fatbin, MoreEntriesThanAnyCompilerMakes) { // FB-22
  TestEntry smallest = ptx(80, 9, 0);
  smallest.payload.clear();
  std::string one = smallest.bytes(), many;
  many.reserve(one.size() * ((1 << 20) + 1));
  for (int i = 0; i <= 1 << 20; ++i)
    many += one;
  std::string bytes;
  appendStruct(bytes, ContainerStart);
  appendStruct(bytes, uint64_t(many.size()));
  core::DeviceCode device = fatbin(bytes + many);
  ASSERT_EQ(device.units.size(), 1u);
  EXPECT_EQ(device.units[0].images.size(), size_t(1) << 20);
  EXPECT_THAT(device.limits, ElementsAre("more than 262144 containers or 1048576 images"));
}

TEST(Fatbin, MoreContainersThanAnyLinkerMakes) { // FB-22
  std::string bytes;
  for (int i = 0; i <= 1 << 18; ++i)
    bytes += container({});
  core::DeviceCode device = fatbin(bytes);
  EXPECT_THAT(unitsOf(device), ElementsAre("fatbin [] x262144"));
  EXPECT_THAT(device.limits, ElementsAre("more than 262144 containers or 1048576 images"));
}

TEST(Fatbin, AHeaderCostsOneSmallRead) { // PF-A2
  std::string one = container({zstd(ptx(80, 9, 0))}), many;
  for (int i = 0; i != 1000; ++i)
    many += one + container({cubin(90, std::string(20000, 'x'))});
  TestFile whole;
  whole.fatbin = many;
  MemoryFile file(whole.bytes());
  Bytes bytes(file, "file.so", 0, file.size());
  auto image = llvm::cantFail(Image::open(bytes));
  core::DeviceCode device;
  file.calls = file.bytesRead = 0;
  llvm::cantFail(readDevice(image, {}, device));
  EXPECT_THAT(unitsOf(device), ElementsAre("fatbin [compute_80 PTX ISA 9.0] x1000",
                                           "fatbin [sm_90 cubin unknown] x1000"));
  EXPECT_LT(file.calls, 2050u);
  EXPECT_LT(file.bytesRead, 600000u);
}
