// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/manifest/Seal.h"
#include "Support.h"
#include "driver/binary/manifest/NoteObject.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace cudacc;
using namespace cudacc::binary;
using namespace cudacc::binary::test;

static core::LinkRecord policyOnly() {
  core::LinkRecord record = fullLink();
  record.targetLibs.clear();
  record.needed.reset();
  record.floor.clear();
  record.noted.reset();
  record.unnoted.reset();
  return record;
}

static std::string object(uint32_t capacity = DefaultCapacity) {
  return noteObject(llvm::cantFail(placeholder(policyOnly(), {}, capacity)), llvm::ELF::EM_X86_64);
}

static std::string patched(std::string bytes, const std::vector<Patch> &patches) {
  for (const Patch &patch : patches)
    bytes.replace(patch.offset, patch.bytes.size(), patch.bytes);
  return bytes;
}

static core::Code failure(const NotePositions &positions, const core::LinkRecord &record) {
  auto patches = seal(positions, record, {});
  if (patches)
    return {};
  return core::toFinding(patches.takeError()).code;
}

TEST(Seal, FillsTheReservedBytesSummaryLast) { // IP-2
  std::string bytes = object();
  NotePositions positions;
  ASSERT_FALSE(readBytes(bytes, &positions).manifest.sealed);
  ASSERT_EQ(positions.pairs.size(), 1u);
  core::SummaryRecord summary;
  summary.flags = core::SummaryRecord::StaticCudart;
  summary.target = {12, 4};
  auto patches = llvm::cantFail(seal(positions, fullLink(), summary));
  ASSERT_EQ(patches.size(), 2u);
  EXPECT_EQ(patches[0].bytes.size(), DefaultCapacity);
  EXPECT_EQ(patches[1].bytes.size(), 32u);
  EXPECT_GT(patches[1].offset, patches[0].offset);
  std::string sealed = patched(bytes, patches);
  EXPECT_EQ(sealed.size(), bytes.size());
  core::BinaryFacts facts = readBytes(sealed);
  EXPECT_TRUE(facts.manifest.sealed);
  ASSERT_EQ(facts.manifest.links.size(), 1u);
  EXPECT_EQ(facts.manifest.links[0], fullLink());
  EXPECT_EQ(facts.manifest.summaries[0].target.str(), "12.4");
  EXPECT_EQ(facts.manifest.summaries[0].flags,
            core::SummaryRecord::StaticCudart | core::SummaryRecord::Sealed);
}

TEST(Seal, AKilledSealIsRecognisable) { // F2
  std::string bytes = object();
  NotePositions positions;
  readBytes(bytes, &positions);
  auto patches = llvm::cantFail(seal(positions, fullLink(), {}));
  patches.pop_back();
  EXPECT_FALSE(readBytes(patched(bytes, patches)).manifest.sealed);
}

TEST(Seal, DamageAfterSealingIsSeen) { // RD-7
  std::string bytes = object();
  NotePositions positions;
  readBytes(bytes, &positions);
  std::string sealed = patched(bytes, llvm::cantFail(seal(positions, fullLink(), {})));
  std::string otherTarget = sealed, otherSummary = sealed;
  otherTarget[sealed.find("12.4.127")] = '2';
  core::BinaryFacts facts = readBytes(otherTarget);
  EXPECT_EQ(facts.manifest.links.size(), 1u);
  EXPECT_FALSE(facts.manifest.sealed);
  otherSummary[positions.pairs[0].summary + 8] ^= 1;
  EXPECT_FALSE(readBytes(otherSummary).manifest.sealed);
}

TEST(Seal, WhatDoesNotFitIsCutThenRefused) { // IP-3
  std::string bytes = object(400);
  NotePositions positions;
  readBytes(bytes, &positions);
  core::BinaryFacts facts =
      readBytes(patched(bytes, llvm::cantFail(seal(positions, fullLink(), {}))));
  ASSERT_EQ(facts.manifest.links.size(), 1u);
  EXPECT_TRUE(facts.manifest.links[0].truncated);
  EXPECT_TRUE(facts.manifest.sealed);
  core::LinkRecord longest = fullLink();
  longest.linker = std::string(400, 'l');
  EXPECT_EQ(failure(positions, longest), core::Code::LimitReached);
}

TEST(Seal, ExactlyOneUnsealedPairIsOurs) { // EN-11
  EXPECT_EQ(failure(NotePositions(), fullLink()), core::Code::BrokenBinary);
  std::string bytes = object();
  NotePositions positions;
  readBytes(bytes, &positions);
  core::LinkRecord other = fullLink();
  other.policy = "fedcba9876543210";
  EXPECT_EQ(failure(positions, other), core::Code::BrokenBinary);
  positions.pairs.push_back(positions.pairs[0]);
  EXPECT_EQ(failure(positions, fullLink()), core::Code::BrokenBinary);
}

TEST(Seal, SealedRecordsOfLinkedInContentStay) { // AV-W10
  std::string first = object();
  NotePositions positions;
  readBytes(first, &positions);
  std::string sealed = patched(first, llvm::cantFail(seal(positions, fullLink(), {})));
  size_t noteAt = positions.pairs[0].link - NoteHeaderSize;
  size_t size = NoteHeaderSize * 2 + DefaultCapacity + 32;
  std::string both =
      noteObject(sealed.substr(noteAt, size) + llvm::cantFail(placeholder(policyOnly(), {})),
                 llvm::ELF::EM_X86_64);
  NotePositions two;
  EXPECT_EQ(readBytes(both, &two).manifest.links.size(), 2u);
  ASSERT_EQ(two.pairs.size(), 2u);
  auto patches = llvm::cantFail(seal(two, fullLink(), {}));
  EXPECT_EQ(patches[0].offset, two.pairs[1].link);
  EXPECT_TRUE(readBytes(patched(both, patches)).manifest.sealed);
}

/// An object file with \p count object records.
static std::string noted(unsigned count) {
  std::string records,
      record = encodeJsonRecord(ObjectNote, toJson(core::ObjectRecord{"t", "12.4", "", ""}));
  for (unsigned i = 0; i != count; ++i)
    records += record;
  return noteObject(records, llvm::ELF::EM_X86_64);
}

TEST(Seal, recordsBeyondTheLimitAreNotPassedOver) { // RD-6
  EXPECT_EQ(readBytes(noted(65536)).manifest.objects.at(0).second, 65536u);
  EXPECT_EQ(readError(noted(65537)), "file.so: more than 65536 records");
}

TEST(Seal, notesBeyondTheLimitAreNotPassedOver) { // RD-2
  auto filled = [](size_t size) {
    return noteObject(std::string(size, '\0'), llvm::ELF::EM_X86_64);
  };
  EXPECT_TRUE(readBytes(filled((16 << 20) - 128)).manifest.empty());
  EXPECT_EQ(readError(filled(16 << 20)), "file.so: more than 16 MiB of notes");
}
