// SPDX-License-Identifier: Apache-2.0
#include "FatbinSupport.h"
#include "driver/binary/device/FatbinCubin.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::binary;
using namespace cudacc::binary::test;
using testing::ElementsAre;
using testing::IsEmpty;

/// `offset+size images`, and the bytes found there.
static std::vector<std::string> containersIn(const std::string &content,
                                             DeviceOptions options = {}) {
  std::vector<std::string> found;
  auto onContainer = [&](const Container &each) -> llvm::Error {
    found.push_back(llvm::cantFail(each.bytes.bytes(each.offset, each.size, "a container")));
    return llvm::Error::success();
  };
  options.onContainer = onContainer;
  deviceOf(content, options);
  return found;
}

TEST(Containers, eachIsPassedWithItsBytes) {
  std::string one = container({ptx(80, 9, 0)}), other = container({cubin(90, toLink)});
  TestFile file;
  file.fatbin = one + one;
  file.relocatable = other;
  EXPECT_THAT(containersIn(file.bytes()), ElementsAre(one, one, other));
}

TEST(Containers, noneOfAnUnknownOrDamagedForm) {
  std::string good = container({ptx(80, 9, 0)}), newer = good, cut = good;
  newer[4] = 2;
  cut[8] = '\xff';
  TestFile file;
  file.fatbin = newer;
  EXPECT_THAT(containersIn(file.bytes()), IsEmpty());
  file.fatbin = cut;
  EXPECT_THAT(containersIn(file.bytes()), IsEmpty());
  file.fatbin = good;
  EXPECT_THAT(containersIn(file.bytes()), ElementsAre(good));
}

TEST(Containers, anErrorEndsReading) {
  TestFile file;
  file.fatbin = container({ptx(80, 9, 0)}) + container({ptx(90, 9, 0)});
  test::MemoryFile content(file.bytes());
  Bytes bytes(content, "file.so", 0, content.size());
  Image image = llvm::cantFail(Image::open(bytes));
  unsigned calls = 0;
  auto onContainer = [&](const Container &) -> llvm::Error {
    ++calls;
    return core::makeError(core::Code::LimitReached, "enough");
  };
  DeviceOptions options;
  options.onContainer = onContainer;
  core::DeviceCode device;
  llvm::Error error = readDevice(image, options, device);
  EXPECT_EQ(core::toFinding(std::move(error)).message, "enough");
  EXPECT_EQ(calls, 1u);
}

TEST(CubinRelease, isTheElfVersionOfAbi7) { // SY-30
  std::string old = cubinFile(80, llvm::ELF::ET_REL, 64, 7);
  llvm::ELF::Elf64_Ehdr header;
  std::memcpy(&header, old.data(), sizeof(header));
  header.e_version = 124;
  std::memcpy(old.data(), &header, sizeof(header));
  EXPECT_EQ(cubinRelease(old), (versions::CudaVersion{12, 4}));
}

TEST(CubinRelease, isUnknownWithoutEvidence) {
  for (const std::string &text : {toLink, std::string("no cubin"), std::string()})
    EXPECT_FALSE(cubinRelease(text).known());
}
