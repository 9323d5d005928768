// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/Colours.h"
#include "tests/support/FakeSystem.h"

using namespace cudacc;
using namespace cudacc::pipeline;

namespace {

/// Of stdout and stderr, which are both a terminal or neither.
bool areColoured(bool isTerminal, std::vector<llvm::StringRef> variables) {
  test::FakeSystem fake;
  fake.console.isTerminal = isTerminal;
  fake.system.environment.entries = std::move(variables);
  bool coloured = outStyle(fake.system).colour;
  EXPECT_EQ(errStyle(fake.system).colour, coloured);
  return coloured;
}

} // namespace

TEST(Colours, areForATerminalThatWantsThem) {
  EXPECT_TRUE(areColoured(true, {}));
  EXPECT_TRUE(areColoured(true, {"TERM=xterm", "NO_COLOR="}));
  EXPECT_FALSE(areColoured(false, {"TERM=xterm"}));
  EXPECT_FALSE(areColoured(true, {"NO_COLOR=1"}));
  EXPECT_FALSE(areColoured(true, {"TERM=dumb"}));
}
