// SPDX-License-Identifier: Apache-2.0
#include "driver/ninja/BuildFolder.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::ninja;
using testing::ElementsAre;

TEST(BuildFolder, aStepIsReadAsItWasWritten) {
  PlacedStep placed;
  placed.step.kind = StepKind::Copy;
  placed.step.name = "copy.0-a.o";
  placed.step.inputs = {"a b"};
  placed.order = 7;
  placed.jobs = 3;
  placed.variables = {{"PATH", "/bin"}};
  placed.key = "k";
  placed.generation = "g";
  auto read = readStep(stepText(placed));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->step.kind, placed.step.kind);
  EXPECT_THAT(read->step.inputs, ElementsAre("a b"));
  EXPECT_EQ(read->order, 7u);
  EXPECT_EQ(read->jobs, 3u);
  EXPECT_EQ(read->variables, placed.variables);
  EXPECT_EQ(read->key, "k");
  EXPECT_EQ(read->generation, "g");
  EXPECT_FALSE(readStep("damaged"));
}

TEST(BuildFolder, aRecordIsReadAsItWasWritten) {
  StepRecord record;
  record.end = StepEnd::Done;
  record.out = "out\n";
  record.err = "err\n";
  record.started = 9;
  record.key = "key";
  record.generation = "5";
  record.read = {{"a", "b"}};
  record.made = {{"c", "d"}};
  record.inputs.absent = {"/p/absent\t1"};
  record.inputs.files.push_back({cache::CommandInputs::Kind::Other, {}, true, "e"});
  record.inputs.files[0].id.path = "/p/device";
  auto read = readRecord(recordText(record));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->end, StepEnd::Done);
  EXPECT_EQ(read->out, "out\n");
  EXPECT_EQ(read->err, "err\n");
  EXPECT_EQ(read->started, 9);
  EXPECT_EQ(read->key, "key");
  EXPECT_EQ(read->generation, "5");
  EXPECT_EQ(read->read, record.read);
  EXPECT_EQ(read->made, record.made);
  EXPECT_THAT(read->inputs.absent, ElementsAre("/p/absent\t1"));
  ASSERT_EQ(read->inputs.files.size(), 1u);
  EXPECT_EQ(read->inputs.files[0].id, record.inputs.files[0].id);
  EXPECT_EQ(read->inputs.files[0].kind, cache::CommandInputs::Kind::Other);
  EXPECT_FALSE(readRecord(recordText(record).substr(0, 100)));
}

namespace {
struct Left : testing::Test {
  test::MemoryFiles files;
  BuildFolder folder{files, "/b"};
  PlacedStep first, second;

  Left() {
    files.directory("/b");
    first.step.name = "first";
    second.step.name = "second";
    first.key = second.key = "k";
    second.order = 1;
  }
  StepRecord record(StepEnd end) {
    StepRecord record;
    record.end = end;
    record.status = 2;
    record.removedOutput = true;
    record.key = "k";
    return record;
  }
};
} // namespace

TEST_F(Left, aStepThatIsDoneHasARecord) {
  EXPECT_FALSE(folder.left(first));
  EXPECT_FALSE(folder.keep(first, record(StepEnd::Done)));
  ASSERT_TRUE(folder.left(first));
  EXPECT_EQ(folder.left(first)->end, StepEnd::Done);
  EXPECT_FALSE(folder.hasFailedBefore(1));
  first.key = "another";
  EXPECT_TRUE(folder.record(first.step));
  EXPECT_FALSE(folder.left(first));
  folder.forget(first.step);
  EXPECT_FALSE(folder.record(first.step));
}

// Of several steps that fail, each says what became of its own output.
TEST_F(Left, aFailureStandsBeforeTheRecord) {
  EXPECT_FALSE(folder.keep(second, record(StepEnd::Done)));
  EXPECT_FALSE(folder.keep(second, record(StepEnd::Failed)));
  ASSERT_TRUE(folder.left(second));
  EXPECT_EQ(folder.left(second)->end, StepEnd::Failed);
  EXPECT_EQ(folder.left(second)->status, 2);
  EXPECT_TRUE(folder.left(second)->removedOutput);
  EXPECT_FALSE(folder.hasFailedBefore(1));
  EXPECT_TRUE(folder.hasFailedBefore(2));
  EXPECT_FALSE(folder.forgetFailures());
  EXPECT_FALSE(folder.hasFailedBefore(2));
  EXPECT_EQ(folder.left(second)->end, StepEnd::Done);
}

TEST_F(Left, aDamagedFailureIsThatOfAStepThatWasKilled) {
  for (const char *text : {"", "2", "cuda-cc step record 4\n"}) {
    files.file("/b/failed-0", text);
    ASSERT_TRUE(folder.left(first));
    EXPECT_EQ(folder.left(first)->end, StepEnd::RunWhole) << text;
  }
}
