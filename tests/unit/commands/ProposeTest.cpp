// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/init/Propose.h"
#include <gmock/gmock.h>

using namespace cudacc;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

commands::Project project(std::vector<std::string> requirements, std::string python = "") {
  commands::Project project;
  project.shown = "pyproject.toml";
  project.requiresPython = std::move(python);
  for (std::string &text : requirements)
    project.requirements.push_back({std::move(text), "dependencies", 3});
  return project;
}

std::vector<std::string> choices(const commands::Project &project) {
  std::vector<std::string> out;
  for (const commands::Choice &choice : commands::propose(&project, {}, {}).choices)
    out.push_back(choice.runtime.front());
  return out;
}

} // namespace

TEST(Propose, aFrameworkWithAVersionIsAChoice) {
  EXPECT_THAT(choices(project({"numpy>=1", "Torch == 2.5.1", "torch==2.5.1"})),
              ElementsAre("torch==2.5.1"));
  EXPECT_THAT(choices(project({"torch", "torch @ https://example.org/torch-2.5.1.whl"})),
              IsEmpty());
}

TEST(Propose, whatIsPassedOverSaysWhy) {
  commands::Project one = project({"torch"});
  commands::Proposal proposal = commands::propose(&one, {}, {});
  ASSERT_EQ(proposal.passed.size(), 1u);
  EXPECT_EQ(proposal.passed[0].label, "pyproject.toml:3 (dependencies)");
  EXPECT_EQ(proposal.passed[0].text, "torch is named without a version");
}

TEST(Propose, markersAreJudgedForThePythonsOfTheProject) {
  const char *old = "torch==2.4.1; python_version < '3.10'";
  EXPECT_THAT(choices(project({old}, ">=3.10")), IsEmpty());
  EXPECT_THAT(choices(project({old}, ">=3.9")), ElementsAre("torch==2.4.1"));
  EXPECT_THAT(choices(project({"torch==2.4.1; sys_platform == 'darwin'"})), IsEmpty());
}

TEST(Propose, theProjectComesBeforeLocksAndTheseBeforeEnvironments) {
  commands::Project one = project({"torch==2.5.1"});
  commands::Proposal proposal = commands::propose(&one, {"uv.lock"}, {{"env:.venv", "installed"}});
  ASSERT_EQ(proposal.choices.size(), 3u);
  EXPECT_EQ(proposal.choices[0].runtime.front(), "torch==2.5.1");
  EXPECT_EQ(proposal.choices[1].runtime.front(), "lock:uv.lock");
  EXPECT_EQ(proposal.choices[2].runtime.front(), "env:.venv");
}
