// SPDX-License-Identifier: Apache-2.0
#include "driver/config/ParseOverride.h"
#include "driver/config/Settings.h"
#include "tests/unit/config/Configured.h"

using namespace cudacc;
using namespace cudacc::core;
using test::Config;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

TEST_F(Config, unknownKeyNamesPlaceAndNearest) {
  files.file("/project/pyproject.toml",
             "[project]\nname = 'x'\n\n[tool.cuda-cc]\n  enforced = 'warn'\n");
  Finding finding = bad();
  EXPECT_EQ(finding.code, Code::UnknownKey);
  EXPECT_THAT(text(finding), HasSubstr("where: pyproject.toml:5:3"));
  EXPECT_THAT(text(finding), HasSubstr("fix: write enforce"));
  EXPECT_THAT(text(finding), HasSubstr("host-compiler"));
}

TEST_F(Config, requirementsAreNoKeys) {
  for (auto [line, fix] : {std::pair("gpu = 'sm_80'", "\"sm=80\""),
                           {"sm = 80", "\"sm=80\""},
                           {"driver = '550'", "\"driver>=535.104\""}}) {
    files.file("/project/cuda-cc.toml", line);
    Finding finding = bad();
    EXPECT_EQ(finding.code, Code::UnknownKey);
    EXPECT_THAT(text(finding), HasSubstr("where: cuda-cc.toml:1:1"));
    EXPECT_THAT(text(finding), HasSubstr("fix: write runtime = [..., " + std::string(fix)));
  }
}

TEST_F(Config, severityAsATableAndAsAList) {
  for (const char *file : {"[severity]\nCC3005 = 'warning'\nAV-W02 = \"error\"\n",
                           "severity = ['CC3005=warning', 'AV-W02 = error']\n",
                           "severity = { CC3005 = 'warning', AV-W02 = 'error' }\n"}) {
    files.file("/project/cuda-cc.toml", file);
    EXPECT_THAT(core::valueOf(core::Key::Severity, good()),
                testing::AnyOf("CC3005=warning; AV-W02=error", "AV-W02=error; CC3005=warning"))
        << file;
  }
  files.cwd = "/project/a";
  files.file("/project/a/pyproject.toml", "[tool.cuda-cc.severity]\nCC3005 = 'warning'\n");
  EXPECT_EQ(good().severity.at(0).value.str(), "CC3005=warning");
  EXPECT_EQ(good().severity.at(0).origin.str(), "pyproject.toml:2");
}

TEST_F(Config, valuesOfAnotherKindAreNamed) {
  for (auto [line, kind] : {std::pair("toolkit = 1.5", "a number"),
                            {"toolkit = true", "true or false"},
                            {"toolkit = 1979-05-27", "a date or time"},
                            {"toolkit = {}", "an empty table"},
                            {"toolkit = {a = 'b'}", "a table"},
                            {"toolkit = {a = 1}", "a table with values other than strings"},
                            {"toolkit = ['a']", "a list of strings"},
                            {"runtime = ['a', 1]", "a list with values other than strings"},
                            {"runtime = []", "an empty list"},
                            {"strict = 'yes'", "a string"}}) {
    files.file("/project/cuda-cc.toml", line);
    Finding finding = bad();
    EXPECT_EQ(finding.code, Code::BadValue) << line;
    EXPECT_THAT(text(finding), HasSubstr(std::string(", not ") + kind)) << line;
  }
}

TEST_F(Config, ourTableIsATable) {
  for (auto [file, where] :
       {std::pair("[tool]\ncuda-cc = 3\n", "pyproject.toml:2:11 is not valid TOML"),
        {"tool = 'cuda-cc'\n", "pyproject.toml:1:8 is not valid TOML"},
        {"[tool]\nx = 'cuda-cc", "pyproject.toml:2:"}}) {
    files.file("/project/pyproject.toml", file);
    Finding finding = bad();
    EXPECT_EQ(finding.code, Code::BrokenConfig);
    EXPECT_THAT(finding.message, HasSubstr(where));
  }
}

TEST_F(Config, manifestOfFileVariableAndOption) {
  EXPECT_EQ(good().manifest.value, ManifestMode::Declared);
  files.file("/project/cuda-cc.toml", "manifest = 'always'\n");
  EXPECT_EQ(good().manifest.value, ManifestMode::Always);
  variables = {"CUDA_CC_MANIFEST=never"};
  EXPECT_EQ(good().manifest.value, ManifestMode::Never);
  own[Key::Manifest] = {"declared"};
  EXPECT_EQ(good().manifest.value, ManifestMode::Declared);
  own[Key::Manifest] = {"alway"};
  Finding finding = bad();
  EXPECT_EQ(finding.code, Code::BadValue);
  EXPECT_THAT(text(finding), HasSubstr("fix: write always"));
}

// F12: each key is one setting; lists are not merged.
TEST_F(Config, precedenceOfSeverityWaiveStrictDevelop) { // F12
  files.file("/project/cuda-cc.toml", "severity = 'CC3005=warning'\nwaive = ['CC4003: f']\n"
                                      "strict = true\ndevelop = true\n"
                                      "assume-forward-compatibility = true\n");
  Declaration declaration = good();
  EXPECT_EQ(declaration.waive.at(0).value.reason, "f");
  EXPECT_TRUE(declaration.strict.value);
  EXPECT_TRUE(declaration.develop->value);
  EXPECT_TRUE(declaration.assumeForwardCompatibility.value);
  variables = {"CUDA_CC_SEVERITY=CC4102=error; CC4106=error", "CUDA_CC_STRICT=0",
               "CUDA_CC_DEVELOP=0"};
  declaration = good();
  EXPECT_EQ(core::valueOf(core::Key::Severity, declaration), "CC4102=error; CC4106=error");
  EXPECT_FALSE(declaration.strict.value);
  EXPECT_FALSE(declaration.develop->value);
  own[Key::Severity] = {"CC3001=remark"};
  own[Key::Waive] = {"CC4003: a", "CC4106 x.so: b;c"};
  own[Key::Strict] = {"true"};
  own[Key::Develop] = {"true"};
  own[Key::AssumeForwardCompatibility] = {"false"};
  declaration = good();
  EXPECT_EQ(core::valueOf(core::Key::Severity, declaration), "CC3001=remark");
  EXPECT_EQ(core::valueOf(core::Key::Waive, declaration), "CC4003: a; CC4106 x.so: b;c");
  EXPECT_EQ(declaration.waive[0].origin.str(), "--cudacc-waive");
  EXPECT_TRUE(declaration.strict.value);
  EXPECT_EQ(declaration.develop->origin.str(), "--cudacc-develop");
  EXPECT_FALSE(declaration.assumeForwardCompatibility.value);
}

TEST_F(Config, badOverridesSayWhereAndWhatIsAllowed) { // V-MD-08
  files.file("/project/cuda-cc.toml",
             "enforce = 'off'\nwaive = ['CC4003: good', 'CC2002: never']\n");
  std::string all = text(bad());
  EXPECT_THAT(all, HasSubstr("CC1003 CC2002 cannot be waived\nwhere: cuda-cc.toml:2:26"));
  EXPECT_THAT(all, HasSubstr("allowed: CODE: REASON"));
  EXPECT_THAT(all, HasSubstr("default: nothing is waived"));
  files.file("/project/cuda-cc.toml", "[severity]\n\nCC3005 = 'warn'\n");
  all = text(bad());
  EXPECT_THAT(all, HasSubstr("where: cuda-cc.toml:3:10"));
  EXPECT_THAT(all, HasSubstr("fix: write CC3005=warning"));
  files.file("/project/cuda-cc.toml", "");
  variables = {"CUDA_CC_STRICT=yes"};
  EXPECT_THAT(text(bad()), HasSubstr("strict cannot be \"yes\"\nwhere: CUDA_CC_STRICT"));
  variables.clear();
  own[Key::Severity] = {"CC9999=error"};
  EXPECT_THAT(text(bad()), HasSubstr("where: --cudacc-severity"));
}

TEST_F(Config, developNeedsAnEnvironment) { // F18
  own[Key::Develop] = {"true"};
  auto together = [&] {
    llvm::Error error = config::checkTogether(good());
    return error ? text(toFinding(std::move(error))) : "";
  };
  EXPECT_THAT(together(), HasSubstr("where: --cudacc-develop\nruntime: undeclared"));
  own[Key::Runtime] = {"torch==2.5.1", "sm>=80"};
  EXPECT_THAT(together(), HasSubstr("CC1003 develop = true needs an environment"));
  for (const char *place : {"env", "env:/v", " env"}) {
    own[Key::Runtime] = {"torch==2.5.1", place};
    EXPECT_EQ(together(), "") << place;
  }
  own[Key::Runtime] = {"lock:uv.lock"};
  EXPECT_THAT(together(), HasSubstr("needs an environment"));
  own[Key::Develop] = {"false"};
  EXPECT_EQ(together(), "");
}

TEST_F(Config, aBakedSeverityIsNotContradicted) {
  baked.emplace();
  baked->severity = {{llvm::cantFail(config::parseSeverityChange("CC3005=warning")),
                      {Origin::Kind::File, "cuda-cc.toml", 4}}};
  own[Key::Severity] = {"CC3005 = warning"};
  EXPECT_EQ(good().severity.size(), 1u);
  own[Key::Severity] = {"CC3005=remark"};
  EXPECT_EQ(bad().code, Code::ContradictsBaked);
}

TEST_F(Config, badValueNamesSettingAllowedAndDefault) { // V-MD-02
  files.file("/project/cuda-cc.toml", "enforce = \"toolkti\"\n");
  Finding finding = bad();
  EXPECT_EQ(finding.code, Code::BadValue);
  std::string all = text(finding);
  EXPECT_THAT(all, HasSubstr("enforce cannot be \"toolkti\""));
  EXPECT_THAT(all, HasSubstr("where: cuda-cc.toml:1:11"));
  EXPECT_THAT(all, HasSubstr("allowed: toolkit, symbols, warn, off"));
  EXPECT_THAT(all, HasSubstr("default: toolkit"));
  EXPECT_THAT(all, HasSubstr("fix: write toolkit"));
  files.file("/project/cuda-cc.toml", "");
  variables = {"CUDA_CC_ENFORCE=strict"};
  EXPECT_THAT(text(bad()), HasSubstr("where: CUDA_CC_ENFORCE"));
}

TEST_F(Config, everyModeIsAValue) {
  for (auto [text, mode] : {std::pair("toolkit", Enforce::Toolkit),
                            {"symbols", Enforce::Symbols},
                            {"warn", Enforce::Warn},
                            {"off", Enforce::Off}}) {
    own[Key::Enforce] = {text};
    EXPECT_EQ(good().enforce.value, mode) << text;
  }
}

TEST_F(Config, environmentsStandOnTheFileOrTheWorkingDirectory) {
  files.file("/project/cuda-cc.toml",
             "runtime = [\"env:.venv\", \"sm>=80\", \"env:~/v\", \"env\"]");
  files.cwd = "/project/a/b";
  EXPECT_EQ(runtimes(good()).front(), "env:/project/.venv (/project/cuda-cc.toml:1)");
  EXPECT_EQ(good().runtime[1].value, "sm>=80");
  EXPECT_EQ(good().runtime[2].value, "env:~/v");
  EXPECT_EQ(good().runtime[3].value, "env");
  own[Key::Runtime] = {"env:../venv", "env:/abs/venv"};
  EXPECT_THAT(runtimes(good()), ElementsAre("env:/project/a/venv (--cudacc-runtime)",
                                            "env:/abs/venv (--cudacc-runtime)"));
  own[Key::Runtime].clear();
  variables = {"CUDA_CC_RUNTIME=env:. ; cuda==12.4"};
  EXPECT_THAT(runtimes(good()),
              ElementsAre("env:/project/a/b (CUDA_CC_RUNTIME)", "cuda==12.4 (CUDA_CC_RUNTIME)"));
}

TEST_F(Config, toolkitOfTheEnvironmentIsAWordAndNoPath) {
  files.file("/project/cuda-cc.toml", "toolkit = 'env'\n");
  EXPECT_EQ(good().toolkit.value, "env");
}

TEST_F(Config, badValuesOfEveryKind) {
  for (llvm::StringRef line : {"enforce = true",
                               "enforce = 1",
                               "runtime = 12.4",
                               "runtime = []",
                               "runtime = ['a', 1]",
                               "runtime = ''",
                               "require = 'true'",
                               "layout = 'wheel'",
                               "layout = 'system:'",
                               "layout = 'system:lib'",
                               "dtags = 'RPATH'",
                               "install-dir = '/abs'",
                               "install-dir = '../x'",
                               "install-dir = ''",
                               "toolkit = ''",
                               "host-compiler = ''",
                               "launcher = ''",
                               "launcher = []",
                               "launcher = true",
                               "require = 0",
                               "toolkit = ['a']",
                               "enforce = {a = 1}",
                               "runtime = 2020-01-01",
                               "severity = true",
                               "severity = {}",
                               "severity = {CC3005 = 1}",
                               "severity = 'CC3005'",
                               "severity = []",
                               "waive = {CC4003 = 'x'}",
                               "waive = 'CC4003'",
                               "waive = true",
                               "strict = 'true'",
                               "strict = 1",
                               "develop = 'yes'",
                               "enforce = {a = 'b'}",
                               "severity = ['CC1003=error']",
                               "assume-forward-compatibility = 'true'"}) {
    files.file("/project/cuda-cc.toml", line);
    Finding finding = bad();
    EXPECT_EQ(finding.code, Code::BadValue) << line.str();
    EXPECT_THAT(text(finding), HasSubstr("where: cuda-cc.toml:1:")) << line.str();
  }
}

TEST_F(Config, aValueThatLosesIsCheckedToo) {
  files.file("/project/cuda-cc.toml", "enforce = 'of'\n");
  own[Key::Enforce] = {"warn"};
  EXPECT_EQ(bad().code, Code::BadValue);
}

TEST_F(Config, firstLineStaysWithin77Columns) {
  own[Key::Enforce] = {std::string(500, 'x')};
  EXPECT_LE(std::string("cuda-cc: error:  [CC1003]").size() + bad().message.size(), 77u);
}

TEST_F(Config, factsStandOnTheirFolder) {
  files.file("/project/cuda-cc.toml", "runtime = \"torch==9.9.0\"\nfacts = \"more.json\"\n");
  files.cwd = "/project/a";
  EXPECT_EQ(good().facts.value, "/project/more.json");
  EXPECT_EQ(good().facts.origin.line, 2u);
  variables = {"CUDA_CC_FACTS=../b/./v.json"};
  EXPECT_EQ(good().facts.value, "/project/b/v.json");
  own[Key::Facts] = {"o.json"};
  EXPECT_EQ(good().facts.value, "/project/a/o.json");
  EXPECT_EQ(good().facts.origin.str(), "--cudacc-facts");
  own[Key::Facts] = {"~/o.json"};
  EXPECT_EQ(good().facts.value, "~/o.json");
}

TEST_F(Config, factsAreAPath) {
  own[Key::Facts] = {""};
  EXPECT_EQ(bad().code, Code::BadValue);
  own[Key::Facts].clear();
  files.file("/project/cuda-cc.toml", "facts = [\"a.json\", \"b.json\"]\n");
  EXPECT_THAT(text(bad()), HasSubstr("facts must be a string, not a list"));
}

TEST_F(Config, factsAreBakedIn) {
  baked.emplace();
  baked->facts = {"/p/more.json", {Origin::Kind::File, "/p/cuda-cc.toml", 2}};
  EXPECT_EQ(good().facts.value, "/p/more.json");
  own[Key::Facts] = {"/p/more.json"};
  EXPECT_EQ(good().facts.value, "/p/more.json");
  own[Key::Facts] = {"/p/other.json"};
  EXPECT_EQ(bad().code, Code::ContradictsBaked);
}

} // namespace
