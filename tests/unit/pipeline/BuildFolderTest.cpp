// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/BuildFolder.h"
#include <gmock/gmock.h>

using namespace cudacc::pipeline;
using testing::ElementsAre;
using End = StepFailure::End;

TEST(BuildFolder, aStepIsReadAsItWasWritten) {
  PlacedStep placed;
  placed.step.kind = cudacc::plan::StepKind::Copy;
  placed.step.name = "copy.0-a.o";
  placed.step.inputs = {"a b"};
  placed.order = 7;
  placed.variables = {{"PATH", "/bin"}};
  placed.key = "k";
  placed.generation = "g";
  auto read = readStep(stepText(placed));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->step.kind, placed.step.kind);
  EXPECT_THAT(read->step.inputs, ElementsAre("a b"));
  EXPECT_EQ(read->order, 7u);
  EXPECT_EQ(read->variables, placed.variables);
  EXPECT_EQ(read->key, "k");
  EXPECT_EQ(read->generation, "g");
  EXPECT_FALSE(readStep("damaged"));
}

// Of several steps that fail, each says what became of its own output.
TEST(BuildFolder, aFailureIsReadAsItWasWritten) {
  for (bool removed : {false, true}) {
    StepFailure read = readFailure(failureText({End::Failed, 2, "out\n", "err\n", removed}));
    EXPECT_EQ(read.end, End::Failed);
    EXPECT_EQ(read.status, 2);
    EXPECT_EQ(read.out, "out\n");
    EXPECT_EQ(read.err, "err\n");
    EXPECT_EQ(read.removedOutput, removed);
  }
  EXPECT_EQ(readFailure(failureText({})).end, End::RunWhole);
  for (const char *text : {"", "2", "cuda-cc step failure 1\n"})
    EXPECT_EQ(readFailure(text).end, End::RunWhole) << text;
}
