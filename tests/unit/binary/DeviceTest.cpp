// SPDX-License-Identifier: Apache-2.0
// Sections, wrappers, the scan, and hostile files.
#include "FatbinSupport.h"
#include "driver/binary/elf/Layout.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::binary;
using namespace cudacc::binary::test;
using namespace llvm::ELF;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {
/// A file like those that nvcc makes with relocatable device code: a unit, its relocatable images,
/// and the result of the device link.
TestFile ordinary(Form form = Form::Relative, uint16_t machine = EM_X86_64) {
  TestFile file;
  file.form = form;
  file.machine = machine;
  std::string unit = container({cubin(80, cubinFile(80, ET_EXEC, 64)), ptx(80, 9, 0)});
  std::string linked = container({cubin(90, cubinFile(90, ET_EXEC, 64))});
  file.fatbin = linked + unit;
  file.relocatable = container({cubin(90, cubinFile(90, ET_REL, 64)), ptx(90, 9, 0)});
  file.wrappers = {{2, 0}, {1, linked.size()}, {1, 0, true}};
  return file;
}

const char *const ordinaryUnits[] = {
    "fatbin linked [sm_90 cubin yes]", "fatbin [sm_80 cubin yes, compute_80 PTX ISA 9.0]",
    "relocatable [sm_90 cubin no relocatable, compute_90 PTX ISA 9.0]"};

/// Reads any bytes, with decompression and verification; the test is that it returns.
void deviceSurvives(const std::string &content) {
  MemoryFile file(content);
  Bytes bytes(file, "x", 0, file.size());
  auto image = Image::open(bytes);
  if (!image)
    return llvm::consumeError(image.takeError());
  core::DeviceCode device;
  llvm::consumeError(readDevice(*image, {.deep = true, .verify = true}, device));
}

Elf64_Shdr *sectionAt(std::string &bytes, unsigned index) {
  auto *header = reinterpret_cast<Elf64_Ehdr *>(bytes.data());
  return reinterpret_cast<Elf64_Shdr *>(bytes.data() + header->e_shoff) + index;
}
} // namespace

TEST(Device, PointersInEveryForm) { // FB-11, FB-13
  for (uint16_t machine : {EM_X86_64, EM_AARCH64})
    for (Form form : AllForms) {
      TestFile file = ordinary(form, machine);
      // A symbol marks the section.
      if (form == Form::Symbolic)
        file.wrappers.pop_back();
      core::DeviceCode device = deviceOf(file.bytes());
      EXPECT_THAT(unitsOf(device), testing::ElementsAreArray(ordinaryUnits)) << int(form);
      EXPECT_THAT(device.brokenWrappers, IsEmpty()) << int(form);
      EXPECT_THAT(device.unknown, IsEmpty());
    }
}

TEST(Device, WhichWrapperPointsWhereFollowsFromThePointer) { // FB-13
  for (Form form : AllForms) {
    TestFile file = ordinary(form);
    std::swap(file.wrappers[0].version, file.wrappers[1].version);
    file.wrappers.pop_back();
    std::vector<std::string> units = unitsOf(file.bytes());
    ASSERT_EQ(units.size(), 3u);
    EXPECT_EQ(units[0], "fatbin [sm_90 cubin yes]") << int(form);
    EXPECT_EQ(units[1], "fatbin linked [sm_80 cubin yes, compute_80 PTX ISA 9.0]") << int(form);
  }
}

TEST(Device, WrappersThatPointNowhere) { // FB-12
  for (Form form : AllForms)
    for (uint64_t offset : {uint64_t(8), uint64_t(1) << 30, UINT64_MAX - 0x400000}) {
      TestFile file = ordinary(form);
      file.wrappers.resize(2);
      file.wrappers[1].offset = offset;
      core::DeviceCode device = deviceOf(file.bytes());
      ASSERT_EQ(device.brokenWrappers.size(), 1u) << int(form) << ' ' << offset;
      EXPECT_EQ(device.brokenWrappers[0].find("a wrapper that points at no container (at 0x"), 0u);
      EXPECT_EQ(device.units.size(), 3u);
    }
}

TEST(Device, WrappersThatAreNone) { // FB-12
  std::string bytes = ordinary().bytes();
  size_t at = sectionAt(bytes, 4)->sh_offset;
  bytes[at] ^= 1;
  EXPECT_EQ(deviceOf(bytes).brokenWrappers.size(), 1u);
  bytes[at] ^= 1;
  bytes[at + 4] = 3;
  core::DeviceCode device = deviceOf(bytes);
  EXPECT_THAT(device.brokenWrappers, IsEmpty());
  ASSERT_EQ(device.unknown.size(), 1u);
  EXPECT_EQ(device.unknown[0].find("a wrapper of version 3"), 0u);
  bytes[at + 4] = 2;
  sectionAt(bytes, 4)->sh_size -= 8;
  EXPECT_EQ(deviceOf(bytes).brokenWrappers.size(), 1u);
}

TEST(Device, AnObjectWithoutItsRelocation) { // FB-11
  std::string bytes = ordinary(Form::Object).bytes();
  sectionAt(bytes, 5)->sh_type = SHT_NULL;
  EXPECT_EQ(deviceOf(bytes).brokenWrappers.size(), 3u);
}

TEST(Device, Hints) { // FB-4
  for (auto [name, byNvcc, relocatable, managed] :
       {std::tuple{"__nv_module_id", true, false, false},
        {"__nv_managed_data__", false, false, true},
        {".nvHRKE", false, true, false},
        {".rodata.str1.1", false, false, false}}) {
    std::vector<OutSection> sections;
    sections.push_back({name, SHT_PROGBITS, SHF_ALLOC, 1, "x"});
    core::DeviceCode device =
        deviceOf(assemble(fileHeader(ET_REL, EM_X86_64), {}, std::move(sections)));
    EXPECT_EQ(device.byNvcc, byNvcc) << name;
    EXPECT_EQ(device.relocatable, relocatable) << name;
    EXPECT_EQ(device.managed, managed) << name;
    EXPECT_TRUE(device.empty());
  }
}

TEST(Device, OtherSectionsOnlyWhenDeep) { // FB-33
  TestFile file = ordinary();
  std::string hidden = container({zstd(cubin(75, cubinFile(75, ET_EXEC, 8)))});
  file.data = "12345678" + hidden + hidden + std::string(300000, 'x') + hidden;
  // The eight magic bytes and nothing after them.
  appendStruct(file.data, ContainerStart);
  appendStruct(file.data, uint64_t(64));
  file.data.resize(file.data.size() + 100);
  EXPECT_THAT(unitsOf(file.bytes()), testing::ElementsAreArray(ordinaryUnits));
  core::DeviceCode device = deviceOf(file.bytes(), {.deep = true});
  ASSERT_EQ(device.units.size(), 4u);
  EXPECT_EQ(unitsOf(device)[3], "elsewhere [sm_75 cubin unknown] x3");
  EXPECT_THAT(device.otherSections, ElementsAre(".rodata"));
  EXPECT_THAT(device.unknown, IsEmpty());
}

TEST(Device, WithoutSectionHeaders) { // FB-27
  for (Form form : {Form::Relative, Form::RelativeUnsorted, Form::InPlace, Form::Executable}) {
    TestFile file = ordinary(form);
    file.data = container({ptx(60, 7, 8)});
    std::vector<std::string> expected(std::begin(ordinaryUnits), std::end(ordinaryUnits));
    expected.push_back("elsewhere [compute_60 PTX ISA 7.8]");
    core::DeviceCode device = deviceOf(withoutSections(file.bytes()));
    EXPECT_EQ(unitsOf(device), expected) << int(form);
    EXPECT_THAT(device.brokenWrappers, IsEmpty());
  }
  // Without section names the result is the same.
  std::string bytes = ordinary().bytes();
  reinterpret_cast<Elf64_Ehdr *>(bytes.data())->e_shstrndx = 0;
  EXPECT_THAT(unitsOf(bytes), testing::ElementsAreArray(ordinaryUnits));
  // In an object, the place of the containers is then unknown.
  bytes = ordinary(Form::Object).bytes();
  reinterpret_cast<Elf64_Ehdr *>(bytes.data())->e_shstrndx = 0;
  core::DeviceCode device = deviceOf(bytes);
  EXPECT_EQ(device.units.size(), 3u);
  EXPECT_THAT(device.unknown, ElementsAre("device code in an object without names of sections"));
}

TEST(Device, ExtendedNumberOfTheNames) { // FB-27
  std::string bytes = ordinary().bytes();
  auto *header = reinterpret_cast<Elf64_Ehdr *>(bytes.data());
  sectionAt(bytes, 0)->sh_link = header->e_shstrndx;
  header->e_shstrndx = SHN_XINDEX;
  EXPECT_THAT(unitsOf(bytes), testing::ElementsAreArray(ordinaryUnits));
}

TEST(Device, SectionsWithoutContentAndOverlappingOnes) { // FB-27
  std::string bytes = ordinary().bytes();
  sectionAt(bytes, 2)->sh_type = SHT_NOBITS;
  core::DeviceCode device = deviceOf(bytes);
  EXPECT_EQ(device.units.size(), 2u);
  ASSERT_FALSE(device.unknown.empty());
  EXPECT_EQ(device.unknown[0], "the content of section __nv_relfatbin is in another file");

  bytes = ordinary().bytes();
  sectionAt(bytes, 2)->sh_offset = uint64_t(1) << 40;
  EXPECT_EQ(deviceOf(bytes).unknown.at(0), "section __nv_relfatbin reaches beyond the end");

  // The same bytes named twice count once.
  bytes = ordinary().bytes();
  sectionAt(bytes, 3)->sh_name = sectionAt(bytes, 1)->sh_name;
  sectionAt(bytes, 3)->sh_offset = sectionAt(bytes, 1)->sh_offset;
  sectionAt(bytes, 3)->sh_size = sectionAt(bytes, 1)->sh_size;
  EXPECT_THAT(unitsOf(bytes), testing::ElementsAreArray(ordinaryUnits));
}

TEST(Device, MembersOfAnArchiveCountTogether) {
  std::string bytes = ordinary(Form::Object).bytes();
  core::DeviceCode device;
  DeviceReader reader({}, device);
  for (int i = 0; i != 3; ++i) {
    MemoryFile file(bytes);
    Bytes part(file, "liba.a", 0, file.size(), "a.o");
    llvm::cantFail(reader.read(llvm::cantFail(Image::open(part))));
  }
  ASSERT_EQ(device.units.size(), 3u);
  for (const core::DeviceUnit &unit : device.units)
    EXPECT_EQ(unit.count, 3u);
}

TEST(Device, AFileThatShrinksWhileItIsRead) {
  TestFile file = ordinary();
  file.fatbin.append(100000, '\0');
  std::string bytes = file.bytes();
  MemoryFile shrunk(bytes);
  Bytes part(shrunk, "dir/file.so", 0, shrunk.size());
  auto image = llvm::cantFail(Image::open(part));
  shrunk.statedSize = bytes.size();
  shrunk.content.resize(1000);
  core::DeviceCode device;
  llvm::Error error = readDevice(image, {}, device);
  ASSERT_TRUE(bool(error));
  EXPECT_EQ(core::toFinding(std::move(error)).code, core::Code::BrokenBinary);
}

/// Every structure with a layout of its own, in one small file.
static std::string everything(Form form) {
  TestFile file = ordinary(form);
  file.fatbin += container({zstd(ptx(80, 9, 0)), lz4(cubin(80, cubinFile(80, ET_EXEC, 8)))});
  file.fatbin += container({zstd(group({{80, cubinFile(80, ET_EXEC, 8)}}))});
  file.data = container({ptx(60, 7, 8)});
  return file.bytes();
}

TEST(Device, EveryPrefix) {
  for (Form form : {Form::Relative, Form::Object}) {
    std::string bytes = everything(form);
    ASSERT_LT(bytes.size(), 20000u);
    for (size_t size = 0; size < bytes.size(); ++size)
      deviceSurvives(bytes.substr(0, size));
    // Truncated at every byte of its device code, with intact tables.
    TestFile file;
    file.form = form;
    file.fatbin = container({zstd(ptx(80, 9, 0)), lz4(cubin(80, cubinFile(80, ET_EXEC, 8))),
                             zstd(group({{80, cubinFile(80, ET_EXEC, 8)}}))});
    for (; !file.fatbin.empty(); file.fatbin.pop_back())
      deviceSurvives(file.bytes());
  }
}

TEST(Device, EveryByteCorrupted) {
  for (Form form : {Form::Relative, Form::InPlace, Form::Object}) {
    std::string bytes = everything(form);
    for (size_t i = 0; i != bytes.size(); ++i)
      for (char value : {'\0', '\x7f', '\xff'}) {
        std::string bad = bytes;
        bad[i] = value;
        deviceSurvives(bad);
      }
  }
}

TEST(Device, WordsOfAllOnesEverywhere) {
  for (Form form : {Form::Relative, Form::Object}) {
    std::string bytes = everything(form);
    for (const std::string &start : {bytes, withoutSections(bytes)})
      for (size_t i = 0; i + 8 <= start.size(); i += 4)
        for (size_t width : {4, 8}) {
          std::string bad = start;
          bad.replace(i, width, width, '\xff');
          deviceSurvives(bad);
        }
  }
}
