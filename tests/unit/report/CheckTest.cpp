// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/Check.h"
#include "driver/report/json/Json.h"
#include "driver/report/sarif/Sarif.h"
#include "llvm/ADT/SmallVector.h"
#include "gmock/gmock.h"

using namespace cudacc;
using core::Code;
using core::Severity;
using testing::HasSubstr;
using testing::Not;

namespace {

core::LibraryFloor floorOf(const char *soname, const char *version, versions::CudaVersion cuda,
                           const char *dist, const char *requirement) {
  core::LibraryFloor floor;
  floor.soname = soname;
  floor.least = *versions::Version::parse(version);
  floor.cuda = cuda;
  floor.dist = dist;
  floor.requirement = requirement;
  floor.imports = 2;
  return floor;
}

core::Judgement accepted(const char *path, const char *runtime, versions::CudaVersion line) {
  core::Judgement judgement;
  judgement.path = path;
  judgement.runtime = runtime;
  judgement.line = line;
  judgement.floor = {floorOf("libnvJitLink.so.12", "12.5.40", {12, 5}, "nvidia-nvjitlink-cu12",
                             "nvidia-nvjitlink-cu12>=12.5.40,<13"),
                     floorOf("libcudart.so.12", "12.0.107", {12, 0}, "nvidia-cuda-runtime-cu12",
                             "nvidia-cuda-runtime-cu12>=12.0.107,<13")};
  return judgement;
}

core::Finding lacks() {
  core::Finding finding;
  finding.code = Code::NvJitLinkNewer;
  finding.message = "the runtime's nvJitLink lacks __nvJitLinkCreate_12_5";
  finding.facts = {{"first in", "12.5.40 (CUDA 12.5)"}, {"has", "nvidia-nvjitlink-cu12 12.4.127"}};
  finding.fixes = {"raise the runtime to torch>=2.7.0,<2.11 (CUDA 12.6)",
                   "use a CUDA toolkit <= 12.4"};
  finding.library = "libnvJitLink.so.12";
  finding.symbol = "__nvJitLinkCreate_12_5";
  return finding;
}

core::Judgement rejected(const char *path, const char *runtime, versions::CudaVersion line) {
  core::Judgement judgement = accepted(path, runtime, line);
  judgement.verdict.add(lacks());
  return judgement;
}

core::Judgement unknown(const char *path, const char *runtime, versions::CudaVersion line) {
  core::Judgement judgement = accepted(path, runtime, line);
  core::Finding finding;
  finding.code = Code::NoExportList;
  finding.message = "not known whether libcufile.so.0 has cuFileOpen";
  judgement.verdict.add(finding);
  return judgement;
}

core::Finding warning(Severity severity, const char *message) {
  core::Finding finding;
  finding.code = severity == Severity::Warning ? Code::RunpathOverridable : Code::NoEvidence;
  finding.severity = severity;
  finding.message = message;
  return finding;
}

void expectNarrow(const std::string &text) {
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n');
  for (llvm::StringRef line : lines) {
    EXPECT_LE(report::columns(line), 100u) << line.str();
    EXPECT_EQ(line, line.rtrim()) << line.str();
  }
}

} // namespace

TEST(Check, verdictFirstThenTheFactsThatMadeIt) {
  EXPECT_EQ(report::check(rejected("ext.so", "torch==2.5.1", {12, 4})),
            "ext.so: reject on torch==2.5.1 (CUDA 12.4)\n"
            "  the runtime's nvJitLink lacks __nvJitLinkCreate_12_5 [CC4002]\n"
            "    first in:  12.5.40 (CUDA 12.5)\n"
            "    has:       nvidia-nvjitlink-cu12 12.4.127\n"
            "  fix: raise the runtime to torch>=2.7.0,<2.11 (CUDA 12.6), or\n"
            "  fix: use a CUDA toolkit <= 12.4\n");
}

TEST(Check, acceptedFilesSayWhatTheyNeedAndWhatIsRemarkable) {
  core::Judgement judgement = accepted("ext.so", "cuda==12.6", {12, 6});
  std::swap(judgement.floor[0], judgement.floor[1]);
  judgement.verdict.add(warning(Severity::Remark, "no manifest"));
  judgement.verdict.add(warning(Severity::Warning, "a RUNPATH"));
  EXPECT_EQ(report::check(judgement),
            "ext.so: accept on cuda==12.6\n"
            "  warning: a RUNPATH [CC4102]\n"
            "  remark: no manifest [CC2101]\n"
            "  needs  libnvJitLink.so.12 >= 12.5  nvidia-nvjitlink-cu12>=12.5.40,<13\n"
            "         libcudart.so.12 >= 12.0     nvidia-cuda-runtime-cu12>=12.0.107,<13\n");
}

TEST(Check, factsAndFixesArePrintedOnce) {
  core::Judgement judgement = rejected("ext.so", "torch==2.5.1", {12, 4});
  core::Finding second = lacks();
  second.message = "libcudart.so.12 lacks cudaGetDriverEntryPointByVersion";
  second.code = Code::ImportMissing;
  second.facts.push_back({"runtime", "torch==2.5.1"});
  judgement.verdict.add(second);
  std::string text = report::check(judgement);
  EXPECT_THAT(text, HasSubstr("lacks cudaGetDriverEntryPointByVersion [CC4001]\n"
                              "    runtime:  torch==2.5.1\n"));
  EXPECT_EQ(llvm::StringRef(text).count("first in:"), 1u);
  EXPECT_EQ(llvm::StringRef(text).count("fix: "), 2u);
}

TEST(Check, severalFilesAreATableWorstFirst) {
  std::vector<core::Judgement> judgements{
      accepted("a.so", "torch==2.5.1", {12, 4}), unknown("b.so", "torch==2.5.1", {12, 4}),
      rejected("c.so", "torch==2.5.1", {12, 4}), accepted("d.so", "torch==2.5.1", {12, 4})};
  judgements[3].verdict.add(warning(Severity::Warning, "w"));
  std::string text = report::check(judgements);
  EXPECT_TRUE(llvm::StringRef(text).starts_with(
      "4 files on torch==2.5.1 (CUDA 12.4): 1 rejected, 1 unknown, 2 accepted\n"
      "  reject   c.so  the runtime's nvJitLink lacks __nvJitLinkCreate_12_5 [CC4002]\n"
      "  unknown  b.so  not known whether libcufile.so.0 has cuFileOpen [CC2104]\n"
      "  accept   d.so  1 warning\n"
      "  accept   a.so\n"
      "\n"
      "c.so: reject on torch==2.5.1 (CUDA 12.4)\n"))
      << text;
  EXPECT_THAT(text, HasSubstr("\nb.so: unknown on torch==2.5.1 (CUDA 12.4)\n"));
  EXPECT_THAT(text, Not(HasSubstr("a.so: accept")));
  expectNarrow(text);
}

TEST(Check, runtimesThatSayTheSameShareARow) {
  std::vector<core::Judgement> judgements{rejected("a.so", "torch==2.4.1", {12, 1}),
                                          rejected("a.so", "torch==2.5.1", {12, 4}),
                                          accepted("a.so", "torch==2.7.1", {12, 6})};
  std::string text = report::check(judgements);
  EXPECT_TRUE(llvm::StringRef(text).starts_with(
      "a.so on 3 runtimes: 2 rejected, 1 accepted\n"
      "  reject  a.so  torch==2.4.1, torch==2.5.1  the runtime's nvJitLink lacks"))
      << text;
  EXPECT_THAT(text, HasSubstr("\n  accept  a.so  torch==2.7.1\n"));
}

TEST(Check, manyFilesAreCutWithACount) {
  std::vector<core::Judgement> judgements;
  for (int i = 0; i < 300; ++i)
    judgements.push_back(
        accepted(("x" + std::to_string(i) + ".so").c_str(), "cuda==12.4", {12, 4}));
  for (int i = 0; i < 25; ++i)
    judgements.push_back(
        rejected(("r" + std::to_string(i) + ".so").c_str(), "cuda==12.4", {12, 4}));
  std::string text = report::check(judgements);
  EXPECT_THAT(text, HasSubstr("325 files on cuda==12.4: 25 rejected, 300 accepted\n"));
  EXPECT_THAT(text, HasSubstr("\n  and 290 more\n"));
  EXPECT_THAT(text, HasSubstr("\nand 5 more; --format=json has all\n"));
}

TEST(Check, theFolderOfLongPathsIsPrintedOnceAndReasonsAreNotSqueezed) {
  std::string root = "/home/somebody/.cache/envs/f79857/lib/";
  std::string deep = "a/folder/of/a/package/that/lies/deep/in/the/tree/sub/";
  std::vector<core::Judgement> judgements{
      rejected((root + "x.so").c_str(), "torch==2.5.1", {12, 4}),
      rejected((root + deep + "x.so").c_str(), "torch==2.5.1", {12, 4}),
      accepted((root + deep + "y.so").c_str(), "torch==2.5.1", {12, 4})};
  judgements[1].verdict.findings[0].message += " for a reason that takes more words than fit";
  std::string text = report::check(judgements);
  EXPECT_TRUE(llvm::StringRef(text).starts_with(
      "3 files on torch==2.5.1 (CUDA 12.4): 2 rejected, 1 accepted\n"
      "  in " +
      root +
      "\n"
      "  reject  x.so  the runtime's nvJitLink lacks __nvJitLinkCreate_12_5 [CC4002]\n"
      "  reject  " +
      deep +
      "x.so\n"
      "          the runtime's nvJitLink lacks __nvJitLinkCreate_12_5 for a reason that takes more "
      "words\n"
      "          than fit [CC4002]\n"
      "  accept  " +
      deep + "y.so\n"))
      << text;
  expectNarrow(text);
  EXPECT_THAT(report::matrix(judgements),
              HasSubstr("accepted\n  in " + root + "\n  torch  CUDA  verdict"));
  EXPECT_THAT(report::matrix(judgements), HasSubstr("__nvJitLinkCreate_12_5 (x.so)\n"));
  judgements[0].runtime = "env:/home/somebody/.cache/project/envs/f79857e7639da10f";
  judgements[2].runtime = "env:/home/somebody/.cache/project/envs/0123456789012345";
  text = report::check(judgements);
  EXPECT_THAT(text,
              HasSubstr("  reject  x.so\n"
                        "          on env:/home/somebody/.cache/project/envs/f79857e7639da10f: "
                        "the runtime's nvJitLink lacks\n"
                        "          __nvJitLinkCreate_12_5 [CC4002]\n"));
  EXPECT_THAT(text, HasSubstr("y.so\n          on env:/home/somebody"));
  expectNarrow(text);
  judgements.pop_back();
  judgements[1].path = judgements[0].path;
  EXPECT_THAT(report::check(judgements), Not(HasSubstr("  in /")));
}

// FB-30.
TEST(Check, whatFilesSayIsEscapedAndStaysWithin100Columns) { // FB-30
  core::Judgement judgement = rejected("dir/\033[2J\xff.so", "env:/a b/\n", {12, 4});
  judgement.verdict.findings[0].symbol = judgement.verdict.findings[0].message = "lacks \033]0;x\a";
  judgement.verdict.findings[0].facts.push_back({"\033l", std::string(200, 'x') + " y\r"});
  judgement.floor[0].soname = "lib\033.so";
  for (const std::string &text :
       {report::check(judgement), report::check({judgement, judgement, accepted("b", "c", {})}),
        report::matrix({judgement, accepted("b", "torch==2.5.1", {})}),
        report::print(report::sarif(judgement, {}, "1", 3))}) {
    EXPECT_THAT(text, Not(HasSubstr("\033")));
    EXPECT_THAT(text, Not(HasSubstr("\xff")));
    EXPECT_THAT(text, Not(HasSubstr("\r")));
  }
  EXPECT_THAT(report::check(judgement), HasSubstr("dir/\\x1b[2J\\xff.so: reject on env:/a b/\\n"));
  std::string json = report::print(report::toJson(llvm::ArrayRef<core::Judgement>(judgement), {}));
  EXPECT_THAT(json, Not(HasSubstr("\033")));
  EXPECT_TRUE(llvm::json::isUTF8(json));
}

TEST(Check, colourIsForVerdictsAndCodes) {
  EXPECT_THAT(report::check(rejected("ext.so", "cuda==12.4", {12, 4}), {true}),
              HasSubstr("ext.so: \033[1;31mreject\033[0m on cuda==12.4\n"));
  std::string table = report::check(
      {rejected("reject.so", "cuda==12.4", {12, 4}), accepted("a", "cuda==12.4", {12, 4})}, {true});
  EXPECT_THAT(table, HasSubstr("\n  \033[1;31mreject\033[0m  reject.so  the"));
  EXPECT_THAT(table, HasSubstr("\n  \033[32maccept\033[0m  a\n"));
}

TEST(Check, ofAlternativesOneIsNamed) {
  core::Judgement judgement = accepted("x.whl!libb_cuda124.so", "torch==2.5.1", {12, 4});
  judgement.alternatives = {"x.whl!libb_cuda121.so", "x.whl!libb_cuda124.so"};
  EXPECT_TRUE(llvm::StringRef(report::check(judgement))
                  .starts_with("x.whl!libb_cuda124.so (of 2 alternatives): accept on torch"));
}

TEST(Matrix, aRowPerReleaseAndNeighboursThatSayTheSameAreOne) {
  std::vector<core::Judgement> judgements{
      rejected("ext.so", "torch==2.4.1", {12, 1}), rejected("ext.so", "torch==2.5.0", {12, 4}),
      rejected("ext.so", "torch==2.5.1", {12, 4}), accepted("ext.so", "torch==2.7.1", {12, 6}),
      unknown("ext.so", "torch==2.11.0", {13, 0}), rejected("ext.so", "cuda==12.4", {12, 4}),
      accepted("ext.so", "cuda==12.5", {12, 5}),   accepted("ext.so", "cuda==12.6", {12, 6})};
  EXPECT_EQ(report::matrix(judgements),
            "ext.so needs libnvJitLink.so.12 >= 12.5, libcudart.so.12 >= 12.0\n"
            "  torch           CUDA  verdict  first missing name\n"
            "  2.4.1           12.1  reject   __nvJitLinkCreate_12_5\n"
            "  2.5.0 to 2.5.1  12.4  reject   __nvJitLinkCreate_12_5\n"
            "  2.7.1           12.6  accept\n"
            "  2.11.0          13.0  unknown  not known whether libcufile.so.0 has cuFileOpen\n"
            "  CUDA          verdict  first missing name\n"
            "  12.4          reject   __nvJitLinkCreate_12_5\n"
            "  12.5 to 12.6  accept\n");
  EXPECT_THAT(report::matrix(judgements, {true}),
              HasSubstr("12.1  \033[1;31mreject\033[0m   __nv"));
}

TEST(Matrix, driversWarningsAndMetadataAreInTheRow) {
  std::vector<core::Judgement> judgements{
      accepted("a.so", "torch==2.5.1", {12, 4}), accepted("a.so", "torch==2.7.1", {12, 6}),
      accepted("b.so", "torch==2.5.1", {12, 4}), accepted("b.so", "torch==2.7.1", {12, 6})};
  for (core::Judgement &judgement : judgements)
    judgement.driver = {"525.60.13", "", {}};
  judgements[3].driver = {"525.60.13", "575.51.03", {8, 8}};
  core::Finding warning;
  warning.severity = core::Severity::Warning;
  judgements[0].verdict.add(warning);
  judgements[2].verdict.add(warning);
  judgements[1].excludedBy = {"torch==2.5.1"};
  report::MetadataLines metadata;
  metadata.requirements = {"x-cu12>=12.4,<13,!=12.6"};
  metadata.higher = {"x-cu12>=12.5, by symbols >=12.4"};
  EXPECT_THAT(
      report::matrix(judgements, {}, metadata),
      HasSubstr("  torch  CUDA  driver            verdict                      first missing "
                "name\n"
                "  2.5.1  12.4  525               accept, 2 warnings\n"
                "  2.7.1  12.6  525, 575 for PTX  accept, not by its metadata  it asks for "
                "torch==2.5.1\n"
                "  metadata asks for more: x-cu12>=12.5, by symbols >=12.4\n"
                "Requires-Dist: x-cu12>=12.4,<13,!=12.6\n"));
  std::string json = report::print(report::checkJson(judgements, {}, metadata.requirements));
  EXPECT_THAT(json, HasSubstr("\"x-cu12>=12.4,<13,!=12.6\""));
  EXPECT_THAT(json, HasSubstr("\"575.51.03\""));
  metadata.noTorch = "no release";
  EXPECT_THAT(report::matrix(judgements, {}, metadata), HasSubstr("torch: no release"));
}

TEST(Matrix, aFloorIsTheLeastLineThatServes) {
  core::Judgement judgement = accepted("ext.so", "torch==2.11.0", {13, 0});
  core::LibraryFloor both, one;
  both.soname = "libcusparse.so.12";
  one.soname = "libnvJitLink.so.13";
  both.least = one.least = *versions::Version::parse("13.0.39");
  both.cuda = one.cuda = {13, 0};
  judgement.floor = {both, one};
  EXPECT_THAT(report::matrix(judgement),
              HasSubstr("needs libcusparse.so.12 >= 13.0, libnvJitLink.so.13 >= 13.0\n"));
  judgement.floor[0].serves = {12, 0};
  EXPECT_THAT(report::matrix(judgement),
              HasSubstr("needs libnvJitLink.so.13 >= 13.0, libcusparse.so.12 >= 12.0, together "
                        "CUDA >= 13.0\n"));
}

TEST(Matrix, ofSeveralFilesTheWorstCounts) {
  std::vector<core::Judgement> judgements{
      accepted("a.so", "torch==2.5.1", {12, 4}), accepted("a.so", "torch==2.7.1", {12, 6}),
      rejected("b.so", "torch==2.5.1", {12, 4}), accepted("b.so", "torch==2.7.1", {12, 6})};
  EXPECT_EQ(report::matrix(judgements), "2 files against 2 runtimes: 1 rejected, 3 accepted\n"
                                        "  torch  CUDA  verdict  first missing name\n"
                                        "  2.5.1  12.4  reject   __nvJitLinkCreate_12_5 (b.so)\n"
                                        "  2.7.1  12.6  accept\n");
}

// docs/schema
TEST(CheckJson, hasTheKeysOfTheContract) {
  core::Judgement judgement = rejected("ext.so", "torch==2.5.1", {12, 4});
  judgement.floor.pop_back();
  judgement.floor[0].deciding = {"__nvJitLinkCreate_12_5"};
  judgement.verdict.findings[0].facts.clear();
  judgement.verdict.findings[0].fixes.pop_back();
  EXPECT_EQ(report::print(report::toJson(llvm::ArrayRef<core::Judgement>(judgement), {}), true),
            R"({"files":[{"findings":[{"code":"CC4002","facts":[],)"
            R"x("fixes":["raise the runtime to torch>=2.7.0,<2.11 (CUDA 12.6)"],)x"
            R"("library":"libnvJitLink.so.12",)"
            R"("message":"the runtime's nvJitLink lacks __nvJitLinkCreate_12_5",)"
            R"("severity":"error","symbol":"__nvJitLinkCreate_12_5"}],)"
            R"("floor":{"libnvJitLink.so.12":"12.5.40"},)"
            R"("libraries":[{"cuda":"12.5","deciding":["__nvJitLinkCreate_12_5"],)"
            R"("dist":"nvidia-nvjitlink-cu12","exceptions":[],"imports":2,)"
            R"("oldest_opened":false,"requirement":"nvidia-nvjitlink-cu12>=12.5.40,<13",)"
            R"("soname":"libnvJitLink.so.12","unknown":[],"version":"12.5.40"}],)"
            R"("line":"12.4","path":"ext.so","runtime":"torch==2.5.1","verdict":"reject"}],)"
            R"("runtimes":["torch==2.5.1"],"schema":1})"
            "\n");
  EXPECT_EQ(report::print(report::toJson(llvm::ArrayRef<core::Judgement>(), {}), true),
            R"({"files":[],"runtimes":[],"schema":1})"
            "\n");
}

TEST(Sarif, resultsRulesAndPlaces) {
  core::Judgement judgement = rejected("dist/a b%.whl!pkg/ext.so", "torch==2.5.1", {12, 4});
  judgement.verdict.add(warning(Severity::Remark, ""));
  std::string text = report::print(report::sarif({judgement, judgement}, {}, "0.3.0", 3));
  EXPECT_THAT(text, HasSubstr("\"uri\": \"dist/a%20b%25.whl\""));
  EXPECT_THAT(text, HasSubstr("\"fullyQualifiedName\": \"pkg/ext.so\""));
  EXPECT_THAT(text, HasSubstr("\"level\": \"note\""));
  EXPECT_EQ(llvm::StringRef(text).count("\"id\": \"CC4002\""), 1u) << "each rule once";
  EXPECT_EQ(llvm::StringRef(text).count("\"ruleId\": \"CC4002\""), 2u);
  auto value = llvm::json::parse(text);
  ASSERT_TRUE(bool(value));
  const auto *run = (*(*value).getAsObject()->getArray("runs"))[0].getAsObject();
  const auto *driver = run->getObject("tool")->getObject("driver");
  EXPECT_EQ(driver->getString("version"), "0.3.0");
  const auto &rules = *driver->getArray("rules");
  for (const auto &result : *run->getArray("results")) {
    auto index = *result.getAsObject()->getInteger("ruleIndex");
    EXPECT_EQ(rules[index].getAsObject()->getString("id"),
              result.getAsObject()->getString("ruleId"));
  }
  EXPECT_FALSE(rules[0].getAsObject()->getObject("help")->getString("text")->empty());
  std::string absolute =
      report::print(report::sarif(rejected("/opt/x.so", "cuda==12.4", {12, 4}), {}, "1", 3));
  EXPECT_THAT(absolute, HasSubstr("\"uri\": \"file:///opt/x.so\""));
}

// SARIF 2.1.0, 3.11.6.
TEST(Sarif, aNameIsNoLink) {
  core::Judgement judgement = rejected("x.so", "cuda==12.4", {12, 4});
  judgement.verdict.findings[0].message = "at::Tensor::operator[](long) is missing";
  EXPECT_THAT(report::print(report::sarif(judgement, {}, "1", 3)),
              HasSubstr("operator[\\\\](long) is missing"));
}
