// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/completion/Complete.h"
#include "driver/cli/Cli.h"
#include "driver/cli/OwnOptions.h"
#include "driver/commands/Subcommands.h"
#include "driver/core/Settings.h"
#include "tests/support/FakeSystem.h"

using namespace cudacc;
using namespace cudacc::commands;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;

namespace {

struct Completing : testing::Test {
  test::FakeSystem fake;
  Arguments arguments;
  Completions last;

  Completing() {
    fake.files.program("/usr/bin/g++", "a program").program("/usr/bin/python3", "a program");
    fake.system.environment.entries = {"PATH=/usr/bin"};
  }

  /// Candidates for the last word.
  std::vector<std::string> offers(std::vector<std::string> words) {
    last = complete(fake.system, arguments, words);
    std::vector<std::string> values;
    for (const CompletionItem &each : last.candidates)
      values.push_back(each.value);
    return values;
  }
  /// What the shell completes.
  std::string shells(std::vector<std::string> words) {
    last = complete(fake.system, arguments, words);
    last.candidates.clear();
    return printed(last);
  }
};

TEST_F(Completing, offersTheSubcommandsOfThisVersion) {
  std::vector<std::string> names;
  for (const Subcommand &each : subcommands())
    names.push_back(each.name.str());
  EXPECT_EQ(offers({""}), names);
  for (const CompletionItem &each : last.candidates)
    EXPECT_NE(each.meaning, "") << each.value;
  EXPECT_EQ(offers({}), names);
  EXPECT_THAT(names, Contains("matrix"));
  EXPECT_EQ(offers({"help", ""}), names);
}

TEST_F(Completing, offersProgramsAndFilesWhereNoSubcommandBeginsSo) {
  EXPECT_EQ(shells({"g+"}), ":programs 0\n:files 0\n");
  EXPECT_EQ(shells({"ch"}), "");
}

// The help page names each with its meaning.
TEST_F(Completing, offersTheOptionsOfASubcommand) {
  for (const Subcommand &each : subcommands()) {
    std::vector<std::string> options = offers({each.name.str(), "--"});
    EXPECT_THAT(options, AllOf(Contains("--help"), Contains("--format"))) << each.name.str();
    EXPECT_EQ(options.size(), optionsOf(each.name).size() + 1) << each.name.str();
    for (const CompletionItem &option : last.candidates)
      EXPECT_NE(option.meaning, "") << each.name.str() << " " << option.value;
  }
  EXPECT_THAT(offers({"check", "--"}), Contains("--against"));
  EXPECT_THAT(offers({"inspect", "--"}), Not(Contains("--against")));
}

TEST_F(Completing, joinsTheMeaningOfAnOptionOverLines) {
  offers({"check", "--"});
  for (const CompletionItem &each : last.candidates)
    if (each.value == "--gpu" || each.value == "--format") {
      EXPECT_EQ(each.meaning, each.value == "--gpu"
                                  ? "must run on these: sm_90, 80,90a, sm>=80"
                                  : "text (default), JSON (docs/schema), SARIF 2.1.0");
    }
}

TEST_F(Completing, offersValuesAsOneWordOrTwo) {
  EXPECT_THAT(offers({"check", "--format", ""}), ElementsAre("text", "json", "sarif"));
  EXPECT_THAT(offers({"inspect", "--format", ""}), ElementsAre("text", "json"));
  EXPECT_THAT(offers({"check", "--format="}),
              ElementsAre("--format=text", "--format=json", "--format=sarif"));
  EXPECT_THAT(offers({"check", "--layout", ""}), ElementsAre("wheels", "system:", "conda", "none"));
  EXPECT_EQ(shells({"check", "--layout=system:/o"}), ":files 16\n");
  EXPECT_THAT(offers({"check", "--deep", "--gpu", ""}), Contains("sm_90"));
  // What nobody can know.
  EXPECT_THAT(offers({"check", "--driver", ""}), IsEmpty());
  EXPECT_EQ(printed(last), "");
}

TEST_F(Completing, offersNamesOfRequirementsThenReleases) {
  EXPECT_THAT(offers({"check", "--runtime", ""}),
              IsSupersetOf({"torch==", "cuda==", "vllm==", "env", "env:", "lock:"}));
  EXPECT_THAT(offers({"check", "--against", ""}), IsSupersetOf({"all", "torch=="}));
  EXPECT_THAT(offers({"check", "--runtime", "torch=="}),
              AllOf(Contains("torch==2.5.1"), Each(StartsWith("torch==")), Not(IsEmpty())));
  EXPECT_THAT(offers({"check", "--runtime=cuda==12"}),
              AllOf(Contains("--runtime=cuda==12.4"), Each(StartsWith("--runtime=cuda=="))));
  EXPECT_THAT(offers({"check", "--runtime", "no-such=="}), IsEmpty());
  EXPECT_EQ(shells({"check", "--runtime", "env:b"}), ":directories 4\n");
  EXPECT_EQ(shells({"check", "--runtime=lock:"}), ":files 15\n");
  EXPECT_THAT(offers({"target", "--diff", "cuda==12.4", "cuda=="}), Contains("cuda==12.6"));
  EXPECT_THAT(offers({"target", "cuda=="}), IsEmpty());
}

// F16
TEST_F(Completing, offersTheReleasesOfTheUsersOwnTables) {
  EXPECT_THAT(offers({"check", "--runtime", "cuda=="}), Not(Contains("cuda==14.1")));
  fake.files.file("/more.json", R"({"schema": 1, "description": "made up", "tables": {
    "ctk_component_versions": [{"ctk": "14.1.0", "components": {"nvidia-cuda-runtime": "14.1.20"},
      "wheel_overrides": {}, "note": null, "source": "a test", "confidence": "verified"}]}})");
  fake.system.environment.entries.push_back("CUDA_CC_FACTS=/more.json");
  EXPECT_THAT(offers({"check", "--runtime", "cuda=="}), Contains("cuda==14.1"));
  // What is broken is reported by the call itself.
  fake.files.file("/more.json", "{");
  EXPECT_THAT(offers({"check", "--runtime", "cuda=="}), Contains("cuda==12.4"));
}

TEST_F(Completing, offersWhatASubcommandTakes) {
  EXPECT_EQ(shells({"check", ""}), ":files 0 so whl a o fatbin cubin ptx ltoir\n");
  EXPECT_EQ(shells({"check", "--strict", "--", "--x"}),
            ":files 0 so whl a o fatbin cubin ptx ltoir\n");
  EXPECT_EQ(shells({"toolchain", ""}), ":directories 0\n");
  EXPECT_EQ(shells({"check", "--report="}), ":files 9 html\n");
  EXPECT_THAT(offers({"explain", ""}), Contains("CC3001"));
  EXPECT_EQ(shells({"explain", ""}), ":files 0\n");
  EXPECT_THAT(offers({"config", ""}), Contains("nvJitLink"));
  EXPECT_THAT(offers({"completion", ""}), ElementsAre("bash", "zsh", "fish"));
  EXPECT_THAT(offers({"version", ""}), IsEmpty());
  EXPECT_THAT(offers({"link", ""}), IsEmpty());
}

TEST_F(Completing, leavesOtherPrograms) {
  EXPECT_EQ(shells({"g++", "-O"}), ":command 0\n");
  EXPECT_EQ(shells({"--cudacc-enforce=off", "ccache", "g++", ""}), ":command 1\n");
  EXPECT_EQ(shells({"trace", "--module", "x", "python3", "-"}), ":command 3\n");
  EXPECT_EQ(shells({"trace", "--", "python3", "--cudacc-"}), ":command 2\n");
  EXPECT_EQ(shells({"trace", "--module", "x", "pyth"}), ":programs 0\n");
  EXPECT_EQ(shells({"-c", "x"}), ":files 0\n");
  EXPECT_EQ(shells({"x.cu", ""}), ":files 0\n");
}

TEST_F(Completing, offersSettingsAnywhere) {
  for (std::vector<std::string> words : {std::vector<std::string>{"-"},
                                         {"g++", "--cudacc-"},
                                         {"check", "--cudacc-"},
                                         {"x.cu", "--cudacc-"}}) {
    std::vector<std::string> options = offers(words);
    for (const std::string &name : cli::ownOptionNames()) {
      EXPECT_TRUE(llvm::is_contained(options, name) || llvm::is_contained(options, name + "="))
          << name;
    }
    EXPECT_THAT(options, AllOf(Contains("--cudacc-runtime="), Contains("--cudacc-strict"),
                               Contains("--cudacc-help")));
  }
}

TEST_F(Completing, offersTheValuesOfEverySetting) {
  EXPECT_THAT(offers({"g++", "--cudacc-print="}), Contains("--cudacc-print=plan"));
  EXPECT_THAT(offers({"--cudacc-runtime=torch=="}), Contains("--cudacc-runtime=torch==2.5.1"));
  EXPECT_THAT(offers({"--cudacc-severity=CC300"}), Contains("--cudacc-severity=CC3001="));
  EXPECT_THAT(offers({"--cudacc-severity=CC3001="}),
              ElementsAre("--cudacc-severity=CC3001=error", "--cudacc-severity=CC3001=warning",
                          "--cudacc-severity=CC3001=remark"));
  EXPECT_THAT(offers({"--cudacc-waive="}), Contains("--cudacc-waive=CC3001"));
  EXPECT_EQ(shells({"--cudacc-launcher=cc"}), ":programs 18\n");
  for (const core::KeyInfo &row : core::allKeys()) {
    std::string option = row.optionName() + "=";
    std::vector<std::string> values = offers({option});
    bool isFlag = row.option == core::KeyInfo::Option::On;
    EXPECT_EQ(values.empty() && last.names.empty(), isFlag) << option;
    EXPECT_THAT(values, Each(StartsWith(option)));
    for (llvm::StringRef word : llvm::split(row.words, ' '))
      if (!isFlag && !word.empty() && !word.contains(':')) {
        EXPECT_THAT(values, Contains(option + word.str()));
      }
  }
}

TEST_F(Completing, printsALinePerCandidate) {
  EXPECT_EQ(printed({{{"a", "b c"}, {"d=", ""}}, {{ShellNames::Kind::Files, 3, "so whl"}}, 2}),
            "a\tb c\nd=\t\n:files 3 so whl\n:command 2\n");
}

} // namespace
