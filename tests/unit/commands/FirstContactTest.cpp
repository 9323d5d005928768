// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/FirstContact.h"
#include "driver/cli/Cli.h"
#include "driver/commands/help/Help.h"
#include "tests/support/FakeSystem.h"

using namespace cudacc;
using testing::HasSubstr;

namespace {

struct FirstContact : testing::Test {
  test::FakeSystem fake;

  FirstContact() { fake.console.inTerminal = fake.console.isTerminal = true; }

  std::optional<int> answer(std::vector<llvm::StringRef> words) {
    words.insert(words.begin(), "cuda-cc");
    auto call = cli::parse(words, fake.system.environment, fake.files);
    if (!call) {
      ADD_FAILURE() << core::toFinding(call.takeError()).message;
      return std::nullopt;
    }
    fake.console.complained.clear();
    return commands::answerForNvcc(fake.system, *call, words);
  }
};

TEST_F(FirstContact, isAShortHelpOnATerminal) {
  EXPECT_EQ(answer({}), 1);
  EXPECT_EQ(fake.console.complained, commands::shortHelp().str());
  EXPECT_EQ(fake.console.said, "");
}

TEST_F(FirstContact, isNvccsWithoutATerminal) {
  fake.console.inTerminal = false;
  EXPECT_EQ(answer({}), std::nullopt);
  fake.console.inTerminal = true;
  fake.console.isTerminal = false;
  EXPECT_EQ(answer({}), std::nullopt);
  EXPECT_EQ(fake.console.complained, "");
}

TEST_F(FirstContact, isNvccsWhereSomethingIsGiven) {
  EXPECT_EQ(answer({"--cudacc-enforce=off"}), std::nullopt);
  EXPECT_EQ(answer({"--cudacc-print=invocation"}), std::nullopt);
  EXPECT_EQ(answer({"cuda-cc"}), std::nullopt);
  EXPECT_EQ(answer({"x.cu"}), std::nullopt);
  fake.system.environment.entries = {"NVCC_PREPEND_FLAGS=-v"};
  EXPECT_EQ(answer({}), std::nullopt);
}

TEST_F(FirstContact, namesTheSubcommandThatIsMeant) {
  fake.console.inTerminal = fake.console.isTerminal = false;
  EXPECT_EQ(answer({"chekc", "ext.so"}), 2);
  EXPECT_THAT(fake.console.complained, HasSubstr("did you mean cuda-cc check?"));
  EXPECT_EQ(answer({"frobnicate"}), std::nullopt);
}

TEST_F(FirstContact, leavesFilesToNvcc) {
  fake.files.file("chekc");
  EXPECT_EQ(answer({"chekc"}), std::nullopt);
}

} // namespace
