// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/BuildFolder.h"
#include <gmock/gmock.h>

using namespace cudacc::pipeline;
using testing::ElementsAre;

TEST(BuildFolder, aStepIsReadAsItWasWritten) {
  PlacedStep placed;
  placed.step.kind = cudacc::plan::StepKind::IncludeData;
  placed.step.name = "include.0-a.o";
  placed.step.isAdded = true;
  placed.step.inputs = {"a b"};
  placed.step.includedPath = "/b/0-a.o.data.s";
  placed.order = 7;
  placed.variables = {{"PATH", "/bin"}};
  auto read = readStep(stepText(placed));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->step.kind, placed.step.kind);
  EXPECT_TRUE(read->step.isAdded);
  EXPECT_THAT(read->step.inputs, ElementsAre("a b"));
  EXPECT_EQ(read->step.includedPath, "/b/0-a.o.data.s");
  EXPECT_EQ(read->order, 7u);
  EXPECT_EQ(read->variables, placed.variables);
  EXPECT_FALSE(readStep("damaged"));
}

// Of several steps that fail, each says what became of its own output.
TEST(BuildFolder, aFailureIsReadAsItWasWritten) {
  for (bool removed : {false, true}) {
    StepFailure read = readFailure(failureText({2, 0, removed}));
    EXPECT_EQ(read.status, 2);
    EXPECT_EQ(read.signal, 0);
    EXPECT_EQ(read.removedOutput, removed);
  }
  for (const char *text : {"", "2", "x 0 1", "1 y 0"})
    EXPECT_NE(readFailure(text).signal, 0) << text;
}
