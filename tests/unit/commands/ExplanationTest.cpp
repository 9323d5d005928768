// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/explain/ExplanationReport.h"
#include "driver/report/json/Json.h"
#include "gmock/gmock.h"

using namespace cudacc;

namespace {

explain::Explained explainedExample() {
  explain::Explanation message;
  message.id = "nvjitlink-symbol";
  message.family = "nvjitlink_minor";
  message.message = "undefined symbol: __nvJitLinkCreate_12_5, version libnvJitLink.so.12";
  message.line = 7;
  message.count = 2;
  message.what = "libnvJitLink.so.12 is too old: __nvJitLinkCreate_12_5 came with CUDA 12.5";
  message.values = {{"symbol", "__nvJitLinkCreate_12_5"}, {"library", "libnvJitLink.so.12"}};
  message.facts = {{"needs", "nvidia-nvjitlink-cu12>=12.5,<13"}};
  message.causes = {
      "an older copy was found first, by a search path that somebody else has set for "
      "all the programs"};
  message.fixes = {"raise the runtime to torch>=2.7.0,<2.11 (CUDA 12.6)",
                   "unset \033[1mLD_LIBRARY_PATH"};
  message.source = "facts";
  explain::Explained explained;
  explained.messages = {message};
  return explained;
}

} // namespace

TEST(Explanation, verdictThenNumbersThenCausesThenFixes) {
  EXPECT_EQ(
      commands::explanationText(explainedExample(), false, {}),
      "libnvJitLink.so.12 is too old: __nvJitLinkCreate_12_5 came with CUDA 12.5\n"
      "  needs: nvidia-nvjitlink-cu12>=12.5,<13\n"
      "  cause: an older copy was found first, by a search path that somebody else has set for "
      "all the\n"
      "         programs\n"
      "  fix:   raise the runtime to torch>=2.7.0,<2.11 (CUDA 12.6)\n"
      "  fix:   unset \\x1b[1mLD_LIBRARY_PATH\n");
}

TEST(Explanation, aLogsMessagesSayWhereTheyStand) {
  explain::Explained explained = explainedExample();
  EXPECT_THAT(commands::explanationText(explained, true, {}),
              testing::HasSubstr("  text:  line 7, 2 times: undefined symbol: __nvJitLink"));
  explained.messages.push_back(explained.messages[0]);
  explained.messages[1].fixes.pop_back();
  explained.more = 3;
  std::string text = commands::explanationText(explained, false, {});
  EXPECT_THAT(text, testing::HasSubstr("LD_LIBRARY_PATH\n\nlibnvJitLink.so.12 is too old"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("see line")));
  EXPECT_THAT(text, testing::EndsWith("\n\n3 further messages are left out\n"));
}

TEST(Explanation, whatIsSaidAlreadyIsNotSaidAgain) {
  explain::Explained explained = explainedExample();
  explained.messages.push_back(explained.messages[0]);
  explained.messages[1].what = "libnvJitLink.so.12 is too old: another";
  explained.messages[1].message = "undefined symbol: another";
  explained.messages[1].line = 9;
  EXPECT_THAT(
      commands::explanationText(explained, true, {}),
      testing::EndsWith("\n\nlibnvJitLink.so.12 is too old: another\n"
                        "  text: line 9, 2 times: undefined symbol: another; see line 7\n"));
}

TEST(Explanation, nothingKnownSaysWhatToRunNext) {
  EXPECT_EQ(commands::explanationText({}, false, {"cuda-cc inspect FILE"}),
            "nothing in this text is a message that cuda-cc knows\n  next: cuda-cc inspect FILE\n");
  EXPECT_EQ(report::print(commands::explanationJson(explain::Explained(), {"x"}), true),
            R"({"messages":[],"next":["x"],"schema":1})"
            "\n");
}

TEST(Explanation, coloursOnlyWhenAsked) {
  EXPECT_EQ(commands::explanationText(explainedExample(), true, {}).find('\033'),
            std::string::npos);
  EXPECT_NE(commands::explanationText(explainedExample(), true, {}, {true}).find("\033[32m"),
            std::string::npos);
}

TEST(Explanation, jsonHasAll) {
  explain::Explained explained = explainedExample();
  explained.runtime = "torch==2.5.1";
  explained.messages[0].message = "bad \xff";
  std::string text = report::print(commands::explanationJson(explained, {"x"}), true);
  for (const char *part :
       {R"("runtime":"torch==2.5.1")", R"("count":2)", R"("line":7)",
        R"("values":{"library":"libnvJitLink.so.12","symbol":"__nvJitLinkCreate_12_5"})",
        R"("facts":[{"label":"needs","text":"nvidia-nvjitlink-cu12>=12.5,<13"}])",
        R"("family":"nvjitlink_minor")", R"("source":"facts")"})
    EXPECT_THAT(text, testing::HasSubstr(part));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("next")));
}
