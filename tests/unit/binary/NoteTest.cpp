// SPDX-License-Identifier: Apache-2.0
#include "Support.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace cudacc;
using namespace cudacc::binary;
using namespace cudacc::binary::test;

/// The worked example of docs/spec/manifest.md.
static std::string workedExample() {
  return llvm::fromHex("0c000000380000000200dac063756461"
                       "2d746172676574007b226b696e64223a"
                       "226c696e6b222c22736368656d61223a"
                       "312c22746172676574223a7b22637564"
                       "61223a2231322e34227d7d0000000000"
                       "0c000000200000000300dac063756461"
                       "2d74617267657400010001000c000400"
                       "0c0004000c0000000800040000000000"
                       "344e6b1daae36b11");
}

static std::string recordProblem(const std::string &json) {
  std::string problem;
  return parseLinkRecord(json, problem) ? "" : problem;
}

TEST(Note, EN_WorkedExampleByteForByte) {
  core::LinkRecord link;
  link.targetCuda = "12.4";
  std::string json = toJson(link);
  EXPECT_EQ(json, R"({"kind":"link","schema":1,"target":{"cuda":"12.4"}})");
  EXPECT_EQ(jsonCrc(json), 0x1D6B4E34u);
  core::SummaryRecord summary;
  summary.flags = core::SummaryRecord::Sealed;
  summary.toolkit = summary.target = {12, 4};
  summary.floor = {12, 0};
  summary.ptx = {8, 4};
  summary.linkCrc = jsonCrc(json);
  std::string bytes =
      encodeJsonRecord(LinkNote, json) + encodeRecord(SummaryNote, encodeSummary(summary));
  EXPECT_EQ(llvm::toHex(bytes), llvm::toHex(workedExample()));
}

TEST(Note, WorkedExampleReadsBack) { // RD-9
  std::string bytes = workedExample(), problem;
  auto records = findRecords(bytes);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].type, LinkNote);
  EXPECT_EQ(records[0].offset, 24u);
  auto json = jsonText(records[0].descriptor, problem);
  ASSERT_TRUE(json);
  auto link = parseLinkRecord(*json, problem);
  ASSERT_TRUE(link) << problem;
  EXPECT_EQ(link->targetCuda, "12.4");
  auto summary = decodeSummary(records[1].descriptor);
  ASSERT_TRUE(summary);
  EXPECT_TRUE(summary->crcValid);
  EXPECT_EQ(summary->flags, core::SummaryRecord::Sealed);
  EXPECT_EQ(summary->linkCrc, jsonCrc(*json));
  EXPECT_EQ(summary->ptx.str(), "8.4");
  EXPECT_FALSE(summary->ltoir.known());
}

TEST(Note, DescriptorsAreMultiplesOfEightAndNotEmpty) { // EN-4
  EXPECT_EQ(encodeRecord(ObjectNote, "").size(), 24u + 8);
  EXPECT_EQ(encodeRecord(ObjectNote, "123456789").size(), 24u + 16);
  // EN-6: at least one NUL.
  EXPECT_EQ(encodeJsonRecord(ObjectNote, "12345678").size(), 24u + 16);
}

TEST(Note, LongerSummariesAreRead) { // EN-7
  std::string bytes = encodeSummary({}) + std::string(8, 'x');
  ASSERT_TRUE(decodeSummary(bytes));
  EXPECT_TRUE(decodeSummary(bytes)->crcValid);
  EXPECT_FALSE(decodeSummary(llvm::StringRef(bytes).take_front(31)));
  bytes[5] ^= 1;
  EXPECT_FALSE(decodeSummary(bytes)->crcValid);
}

TEST(Note, HostileDescriptorSizes) { // RD-9
  std::string bytes = workedExample();
  llvm::support::endian::write32le(&bytes[4], 0xffffffff);
  EXPECT_EQ(findRecords(bytes).size(), 1u);
  bytes = workedExample().substr(0, 80);
  llvm::support::endian::write32le(&bytes[4], 56);
  EXPECT_EQ(findRecords(bytes).size(), 1u);
  llvm::support::endian::write32le(&bytes[4], 57);
  EXPECT_EQ(findRecords(bytes).size(), 0u);
  // RD-3: at most 64 KiB, even if more bytes are there.
  bytes.resize(100000);
  llvm::support::endian::write32le(&bytes[4], 65536);
  EXPECT_EQ(findRecords(bytes).size(), 1u);
  llvm::support::endian::write32le(&bytes[4], 65537);
  EXPECT_EQ(findRecords(bytes).size(), 0u);
}

TEST(Note, EveryTruncationIsSurvived) { // RD-9
  std::string bytes = workedExample();
  for (size_t size = 0; size <= bytes.size(); ++size) {
    // An allocation of exactly that size, for the address sanitizer.
    std::vector<char> exact(bytes.begin(), bytes.begin() + size);
    size_t expected = size >= 136 ? 2 : size >= 80 ? 1 : 0;
    EXPECT_EQ(findRecords({exact.data(), exact.size()}).size(), expected) << size;
  }
}

TEST(Note, OwnerTextInsideJsonIsNoRecord) { // RD-9
  core::LinkRecord link;
  link.targetSpec = "cuda-target";
  EXPECT_EQ(findRecords(encodeJsonRecord(LinkNote, toJson(link))).size(), 1u);
}

TEST(Note, ForeignOwnerOfTwelveBytes) { // RD-9
  std::string bytes = workedExample();
  bytes.replace(12, 12, llvm::StringRef("NVIDIA Corp\0", 12).str());
  EXPECT_EQ(findRecords(bytes).size(), 1u);
  EXPECT_TRUE(findRecords(bytes.substr(0, 80)).empty());
}

TEST(Note, RecordsAtOddOffsets) { // RD-9
  for (size_t shift : {1, 2, 3, 5, 7}) {
    std::string bytes = std::string(shift, 'c') + workedExample() + "tail";
    auto records = findRecords(bytes);
    ASSERT_EQ(records.size(), 2u);
    EXPECT_EQ(records[0].offset, 24 + shift);
  }
}

TEST(Note, UnknownTypesOfOursAreFoundAndOthersNot) { // RD-6
  EXPECT_EQ(findRecords(encodeRecord(0xC0DA00FF, "x")).size(), 1u);
  EXPECT_EQ(findRecords(encodeRecord(0xC0DA0101, "x")).size(), 0u);
}

TEST(Note, TextThatDoesNotEndOrGoesOn) { // RD-9
  std::string problem;
  EXPECT_FALSE(jsonText("12345678", problem));
  EXPECT_EQ(problem, "the text does not end");
  EXPECT_FALSE(jsonText(llvm::StringRef("{}\0\0x\0\0\0", 8), problem));
  EXPECT_EQ(problem, "bytes behind the end of the text");
  EXPECT_EQ(jsonText(llvm::StringRef("{}\0\0\0\0\0\0", 8), problem), "{}");
}

TEST(Note, MJ_ObjectRecordIsTheReferencesText) {
  EXPECT_EQ(toJson(fullObject()), R"({"headers":"12.4","host":"gcc-12.2.0","kind":"object",)"
                                  R"("schema":1,"tool":"cuda-cc-0.1.0","toolkit":"12.4.131"})");
}

TEST(Note, RecordsRoundTrip) {
  std::string problem;
  EXPECT_EQ(parseObjectRecord(toJson(fullObject()), problem), fullObject());
  EXPECT_EQ(parseLinkRecord(toJson(fullLink()), problem), fullLink()) << problem;
  EXPECT_EQ(parseLinkRecord(toJson(core::LinkRecord()), problem), core::LinkRecord());
  core::LinkRecord off = fullLink();
  off.enforce = "off";
  off.truncated = true;
  off.waivers = {{"AV-W01"}};
  EXPECT_EQ(parseLinkRecord(toJson(off), problem), off);
  core::ObjectRecord host{"cuda-cc-0.1.0", "", "12.4", ""};
  EXPECT_EQ(parseObjectRecord(toJson(host), problem), host);
}

TEST(Note, UnknownKeysAreIgnoredKnownOnesAreTyped) { // MJ-7
  EXPECT_EQ(recordProblem(R"({"kind":"link","schema":1,"new":{"x":[1]},"sass":["sm_90"]})"), "");
  EXPECT_NE(recordProblem(R"({"kind":"object","schema":1})"), "");
  EXPECT_NE(recordProblem(R"({"schema":1})"), "");
  EXPECT_NE(recordProblem(R"({"kind":"link"})"), "");
  EXPECT_NE(recordProblem(R"({"kind":"link","schema":2})"), "");
  EXPECT_NE(recordProblem(R"({"kind":"link","schema":"1"})"), "");
  EXPECT_NE(recordProblem(R"({"kind":"link","schema":1,"tool":1})"), "");
  EXPECT_NE(recordProblem(R"({"kind":"link","schema":1,"target":"12.4"})"), "");
  EXPECT_NE(recordProblem(R"({"kind":"link","schema":1,"target":{"libs":[]}})"), "");
  EXPECT_NE(recordProblem(R"({"kind":"link","schema":1,"objects":{"noted":"3"}})"), "");
}

TEST(Note, PlaceholderReservesAndIsNotSealed) { // IP-1
  auto bytes = placeholder(fullLink(), {});
  ASSERT_TRUE(bool(bytes));
  EXPECT_EQ(bytes->size(), 24u + 2048 + 24 + 32);
  auto records = findRecords(*bytes);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].descriptor.size(), 2048u);
  auto summary = decodeSummary(records[1].descriptor);
  EXPECT_TRUE(summary->crcValid);
  EXPECT_EQ(summary->flags, 0);
  EXPECT_EQ(summary->linkCrc, 0u);
}

TEST(Note, CapacityIsAMultipleOfEightUpTo65528) { // IP-1
  auto largest = placeholder(fullLink(), {}, MaxCapacity);
  ASSERT_TRUE(bool(largest));
  EXPECT_EQ(findRecords(*largest).size(), 2u);
  for (uint32_t bad : {0u, 2047u, 65536u}) {
    auto bytes = placeholder(fullLink(), {}, bad);
    ASSERT_FALSE(bool(bytes));
    EXPECT_EQ(core::toFinding(bytes.takeError()).code, core::Code::BadValue);
  }
}

TEST(Note, torchsReleasesAreAnOptionalKey) {
  core::LinkRecord record;
  record.torch = ">=2.8,<2.12";
  EXPECT_EQ(toJson(record), R"({"kind":"link","schema":1,"torch":">=2.8,<2.12"})");
  std::string problem;
  EXPECT_EQ(parseLinkRecord(toJson(record), problem), record) << problem;
  EXPECT_EQ(parseLinkRecord(R"({"kind":"link","schema":1,"torch":7})", problem), std::nullopt);
}

TEST(Note, OptionalKeysGoInOrder) { // IP-3
  core::LinkRecord record = fullLink();
  size_t whole = toJson(record).size() + 1;
  EXPECT_EQ(llvm::cantFail(fitJson(record, whole)), toJson(record));
  record.truncated = true;
  record.targetLibs.clear();
  EXPECT_EQ(llvm::cantFail(fitJson(fullLink(), whole - 1)), toJson(record));
  size_t withoutLibs = toJson(record).size();
  record.needed.reset();
  EXPECT_EQ(llvm::cantFail(fitJson(fullLink(), withoutLibs)), toJson(record));
  size_t withoutNeeded = toJson(record).size();
  record.floor.clear();
  EXPECT_EQ(llvm::cantFail(fitJson(fullLink(), withoutNeeded)), toJson(record));
  auto none = fitJson(fullLink(), 100);
  ASSERT_FALSE(bool(none));
  core::Finding finding = core::toFinding(none.takeError());
  EXPECT_EQ(finding.code, core::Code::LimitReached);
  EXPECT_EQ(finding.fixes.size(), 1u);
}
