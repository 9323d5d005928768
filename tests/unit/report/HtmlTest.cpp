// SPDX-License-Identifier: Apache-2.0
#include "driver/report/html/Html.h"
#include "driver/report/html/HtmlWriter.h"
#include "gmock/gmock.h"

namespace cudacc::test {

using core::Code;
using core::Severity;
using report::HtmlFile;
using report::HtmlReport;
using report::HtmlWriter;
using testing::HasSubstr;
using testing::Not;

namespace {

constexpr const char *hostile = "</style><script>alert('\"&\")</script>\x1b[31m\xff\xe2\x80\xae";

core::LibraryFloor pageFloor(const char *soname, const char *version, versions::CudaVersion cuda) {
  core::LibraryFloor floor;
  floor.soname = soname;
  floor.least = *versions::Version::parse(version);
  floor.cuda = cuda;
  floor.requirement = "wheel>=" + std::string(version);
  floor.deciding = {"decides"};
  floor.imports = 2;
  return floor;
}

core::Judgement pageJudgement(const char *path, const char *runtime, versions::CudaVersion line) {
  core::Judgement judgement;
  judgement.path = path;
  judgement.runtime = runtime;
  judgement.line = line;
  judgement.floor = {pageFloor("libnvJitLink.so.12", "12.5.40", {12, 5})};
  return judgement;
}

core::Judgement pageRejection(const char *path, const char *runtime, versions::CudaVersion line) {
  core::Judgement judgement = pageJudgement(path, runtime, line);
  core::Finding finding;
  finding.code = Code::NvJitLinkNewer;
  finding.message = "the runtime's nvJitLink lacks __nvJitLinkCreate_12_5";
  finding.facts = {{"first in", "12.5 (CUDA 12.5)"}, {"has", "nvidia-nvjitlink-cu12 12.4.127"}};
  finding.fixes = {"raise the runtime to torch>=2.7.0,<2.11 (CUDA 12.6)"};
  finding.library = "libnvJitLink.so.12";
  finding.symbol = "__nvJitLinkCreate_12_5";
  judgement.verdict.add(finding);
  return judgement;
}

core::Judgement pageUnknown(const char *path, const char *runtime) {
  core::Judgement judgement;
  judgement.path = path;
  judgement.runtime = runtime;
  core::Finding finding;
  finding.code = Code::UnreadableFile;
  finding.message = "cannot be read";
  judgement.verdict.add(finding);
  return judgement;
}

std::string pageOf(llvm::ArrayRef<core::Judgement> judgements) {
  HtmlReport report;
  report.version = "1.2.3";
  report.judgements = judgements;
  report.files = report::filesInFull(judgements);
  return report::html(report);
}

/// Tags are closed in the reverse order of opening; void elements are known.
void expectBalanced(llvm::StringRef page) {
  std::vector<std::string> open;
  while (true) {
    size_t at = page.find('<');
    if (at == llvm::StringRef::npos)
      break;
    size_t end = page.find('>', at);
    ASSERT_NE(end, llvm::StringRef::npos);
    llvm::StringRef tag = page.slice(at + 1, end);
    page = page.drop_front(end + 1);
    llvm::StringRef name = tag.split(' ').first;
    if (name == "!doctype" || name == "meta")
      continue;
    if (name.consume_front("/")) {
      ASSERT_FALSE(open.empty()) << name.str();
      EXPECT_EQ(open.back(), name.str());
      open.pop_back();
    } else {
      open.push_back(name.str());
    }
  }
  EXPECT_TRUE(open.empty()) << open.back();
}

size_t countOf(llvm::StringRef page, llvm::StringRef what) { return page.count(what); }

} // namespace

// A column is as wide as a name that people read; the whole one stands below.
TEST(Html, aTableNamesSymbolsShortAndDemangled) {
  constexpr const char *mangled = "_ZN3c1010TensorImpl15decref_pyobjectEv";
  core::Judgement rejected = pageRejection("ext.so", "torch==2.5.1", {12, 4});
  rejected.floor.front().deciding = {mangled, "one", "two"};
  core::Finding &finding = rejected.verdict.findings.front();
  finding.symbol = mangled;
  finding.facts = {{"symbols", std::string(mangled) + ", second, third"}};
  std::string page = pageOf(rejected);
  EXPECT_THAT(page, HasSubstr("<td><code>c10::TensorImpl::decref_pyobject, second and 1 more"));
  EXPECT_THAT(page, HasSubstr("<td><code>c10::TensorImpl::decref_pyobject, one and 1 more"));
  EXPECT_THAT(page, HasSubstr("3 missing names in full"));
  EXPECT_THAT(page, HasSubstr(std::string("<code>") + mangled + "\nsecond\nthird\n"));
}

TEST(Html, nothingFromAFileIsMarkup) {
  EXPECT_EQ(report::escapedHtml("a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c&#39;");
  EXPECT_EQ(report::escapedHtml("a\n\x1b\xff"), "a\\n\\x1b\\xff");
  EXPECT_EQ(report::escapedHtml("\xe2\x80\xae"), "\\u{202e}");
  EXPECT_EQ(report::escapedHtml("\xc3\xbc"), "\xc3\xbc");
}

TEST(Html, elementsCloseInTheirOrderAndEmptyAttributesAreLeftOut) {
  HtmlWriter html;
  {
    auto outer = html.element("p", {{"class", ""}, {"title", "\"><script>"}});
    html.leaf("b", "<x>", "name");
  }
  EXPECT_EQ(html.take(), "<p title=\"&quot;&gt;&lt;script&gt;\"><b class=\"name\">&lt;x&gt;</b>"
                         "</p>\n");
}

TEST(Html, hostileNamesStayTextWhereverTheyStand) {
  core::Judgement judgement = pageRejection(hostile, hostile, {12, 4});
  core::Finding &finding = judgement.verdict.findings[0];
  finding.message = finding.library = finding.symbol = finding.origin = hostile;
  finding.facts = {{hostile, hostile}, {"symbols", hostile}, {"has", hostile}};
  finding.fixes = {hostile};
  judgement.floor[0].soname = judgement.floor[0].requirement = hostile;
  judgement.floor[0].deciding = {hostile};
  core::BinaryFacts facts;
  facts.imports = {{hostile, hostile, hostile, false}};
  facts.device.otherSections = facts.device.unknown = facts.manifest.problems = {hostile};
  core::LinkRecord link;
  link.tool = link.targetSpec = link.host = link.enforce = hostile;
  link.waivers = {hostile};
  link.floor[hostile] = hostile;
  facts.manifest.links = {link};
  core::LoadResult load;
  load.steps.resize(1);
  core::LoadStep &step = load.steps[0];
  step.by = core::LoadedBy::Rpath;
  step.name = step.askedBy = step.path = step.element = step.elementOf = hostile;
  step.skipped = load.searched = load.skipped = load.unknown = {hostile};
  load.failure = load.missing = load.askedBy = hostile;
  core::LoadedCopy copy;
  copy.name = copy.path = copy.because = copy.askedBy = copy.version = hostile;
  copy.isCuda = true;
  report::HtmlProcess process{hostile, copy, {{hostile, {hostile}, hostile}}};
  HtmlReport report;
  report.version = hostile;
  report.judgements = judgement;
  report.title = report.torch = hostile;
  report.files = report::filesInFull(judgement);
  report.files[0].facts = &facts;
  report.files[0].load = load;
  report.files[0].process = process;
  std::string page = report::html(report);
  expectBalanced(page);
  EXPECT_THAT(page, HasSubstr("&lt;/style&gt;&lt;script&gt;alert(&#39;&quot;&amp;&quot;)"
                              "&lt;/script&gt;\\x1b[31m\\xff\\u{202e}"));
  EXPECT_EQ(countOf(page, "<script"), 0u);
  EXPECT_EQ(countOf(page, "</style>"), 1u);
  EXPECT_EQ(page.find_first_of("\x1b\xff"), std::string::npos);
}

TEST(Html, verdictFirstThenTheFixThenTheReason) {
  std::string page = pageOf(pageRejection("ext.so", "torch==2.5.1", {12, 4}));
  expectBalanced(page);
  EXPECT_TRUE(llvm::StringRef(page).starts_with("<!doctype html>\n<html lang=\"en\">"));
  EXPECT_THAT(page, HasSubstr("<title>ext.so: reject on torch==2.5.1 (CUDA 12.4)</title>"));
  EXPECT_THAT(page, HasSubstr("<h1>ext.so: <span class=\"verdict reject"
                              "\">reject</span> on torch==2.5.1 (CUDA 12.4)</h1>"));
  size_t fix = page.find("<li>raise the runtime to torch&gt;=2.7.0,&lt;2.11 (CUDA 12.6)</li>");
  size_t why = page.find("<h2>Why</h2>"), symbols = page.find("<h2>Symbols</h2>");
  ASSERT_NE(fix, std::string::npos);
  EXPECT_LT(page.find("<h2>What to do first</h2>"), fix);
  EXPECT_LT(fix, why);
  EXPECT_LT(why, symbols);
  EXPECT_THAT(page.substr(symbols), HasSubstr("<td>12.5 (CUDA 12.5)</td>"));
  EXPECT_THAT(page, HasSubstr("<summary>CC4002: an nvJitLink entry point newer"));
  EXPECT_THAT(page, HasSubstr("<footer>cuda-cc 1.2.3</footer>"));
}

TEST(Html, thePageNeedsNothingElse) {
  std::string page = pageOf(pageRejection("ext.so", "torch==2.5.1", {12, 4}));
  EXPECT_THAT(page, HasSubstr("default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;"));
  for (const char *outside : {"http:", "https:", "src=", "url(", "@import", "<link",
                              "style=", "javascript:", "<script", "onload"})
    EXPECT_EQ(countOf(page, outside), 0u) << outside;
  EXPECT_EQ(page, pageOf(pageRejection("ext.so", "torch==2.5.1", {12, 4})));
}

TEST(Html, aCellSaysItsVerdictBySignAndWordToo) {
  std::vector<core::Judgement> judgements = {pageRejection("ext.so", "torch==2.5.1", {12, 4}),
                                             pageJudgement("ext.so", "torch==2.7.0", {12, 6}),
                                             pageUnknown("ext.so", "torch==9.9.9")};
  HtmlReport report;
  report.judgements = judgements;
  report.files = report::filesInFull(judgements);
  auto has = [](llvm::StringRef runtime, llvm::StringRef) {
    return runtime == "torch==2.7.0" ? "12.6.85" : runtime == "torch==2.5.1" ? "12.4.127" : "";
  };
  report.has = has;
  std::string page = report::html(report);
  expectBalanced(page);
  EXPECT_THAT(page, HasSubstr("<h1>ext.so on 3 runtimes: <span class=\"verdict reject\">1 rejected"
                              "</span> <span class=\"verdict unknown\">1 unknown</span> <span "
                              "class=\"verdict accept\">1 accepted</span></h1>"));
  EXPECT_THAT(page, HasSubstr("Needs libnvJitLink.so.12 &gt;= 12.5."));
  EXPECT_EQ(countOf(page, "<h2>Runtimes</h2>"), 1u);
  // A cell: the word, the version, and the reason where the pointer rests.
  EXPECT_THAT(page,
              HasSubstr("<td title=\"the runtime&#39;s nvJitLink lacks __nvJitLinkCreate_12_5\">"
                        "<span class=\"verdict reject\">reject</span> 12.4.127</td>"));
  EXPECT_THAT(page, HasSubstr("<td><span class=\"verdict accept\">accept</span> 12.6.85</td>"));
  EXPECT_THAT(page, HasSubstr("<td>not checked</td>"));
}

TEST(Html, releasesThatSayTheSameAreOneRow) {
  std::vector<core::Judgement> judgements = {pageRejection("ext.so", "torch==2.5.0", {12, 4}),
                                             pageRejection("ext.so", "torch==2.5.1", {12, 4}),
                                             pageRejection("ext.so", "torch==2.6.0", {12, 6}),
                                             pageJudgement("ext.so", "torch==2.7.0", {12, 6})};
  std::string page = pageOf(judgements);
  EXPECT_THAT(page, HasSubstr("<td>torch 2.5.0 to 2.5.1</td>"));
  EXPECT_THAT(page, HasSubstr("<td>torch 2.6.0</td>"));
  EXPECT_THAT(page, HasSubstr("<td>torch 2.7.0</td>"));
}

TEST(Html, ofManyFilesOnlyTheOthersArePrintedInFull) {
  std::vector<core::Judgement> judgements;
  for (const char *path : {"a.so", "b.so", "c.so", "d.so"})
    judgements.push_back(pageJudgement(path, "torch==2.7.0", {12, 6}));
  judgements[1] = pageUnknown("b.so", "torch==2.7.0");
  judgements[2] = pageRejection("c.so", "torch==2.7.0", {12, 6});
  std::vector<HtmlFile> files = report::filesInFull(judgements);
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].shown, 2u);
  EXPECT_EQ(files[1].shown, 1u);
  std::string page = pageOf(judgements);
  expectBalanced(page);
  EXPECT_THAT(page, HasSubstr("<a href=\"#file-1\">c.so</a>"));
  EXPECT_THAT(page, HasSubstr("<article id=\"file-2\""));
  EXPECT_THAT(page, HasSubstr("<td><code>d.so</code></td>"));
  EXPECT_EQ(countOf(page, "<article"), 2u);
  judgements.clear();
  for (int i = 0; i != 100; ++i)
    judgements.push_back(pageRejection(("f" + std::to_string(i) + ".so").c_str(), "r", {12, 4}));
  EXPECT_EQ(report::filesInFull(judgements).size(), 40u);
}

TEST(Html, aSearchThatFailsShowsWhereItLooked) {
  core::Judgement judgement = pageJudgement("ext.so", "torch==2.5.1", {12, 4});
  HtmlReport report;
  report.judgements = judgement;
  report.files = report::filesInFull(judgement);
  core::LoadResult load;
  load.steps.resize(2);
  load.steps[0].path = load.steps[0].name = "ext.so";
  load.steps[1] = {"libcudart.so.12",
                   "ext.so",
                   core::LoadedBy::Runpath,
                   "/x/libcudart.so.12",
                   "$ORIGIN/x",
                   "ext.so",
                   {"/y/libcudart.so.12 (wrong ELF class)"}};
  load.failure = "libnvJitLink.so.12: cannot open shared object file";
  load.missing = "libnvJitLink.so.12";
  load.askedBy = "ext.so";
  load.searched = {"/one", "/two"};
  report.files[0].load = load;
  std::string page = report::html(report);
  expectBalanced(page);
  EXPECT_THAT(page, HasSubstr("found: RUNPATH $ORIGIN/x of ext.so; passed over: /y/libcudart.so.12"
                              " (wrong ELF class)"));
  EXPECT_THAT(page, HasSubstr("not found</span> <code>libnvJitLink.so.12</code>, asked for by "
                              "ext.so"));
  EXPECT_THAT(page, HasSubstr("<dt>searched</dt>\n<dd>/one</dd>\n<dd>/two</dd>\n"));
}

TEST(Html, fixesThatWereTriedAreShownAsTheyAreTyped) {
  core::Judgement judgement = pageRejection("ext.so", "env:/env", {12, 4});
  core::LoadedCopy copy;
  copy.name = "libnvJitLink.so.12";
  copy.version = "12.4.99";
  copy.isCuda = true;
  report::HtmlRemedy remedy{
      "take another wheel", {"pip install 'a>=1'", "second"}, "it is large", core::Outcome::Accept};
  HtmlReport report;
  report.judgements = judgement;
  report.torch = "2.5.1+cu124";
  auto environment = [](HtmlWriter &html) { html.leaf("h2", "Environment"); };
  report.environment = environment;
  report.files = report::filesInFull(report.judgements);
  report.files[0].process = report::HtmlProcess{"undefined symbol: x", copy, {remedy}};
  std::string page = report::html(report);
  expectBalanced(page);
  EXPECT_THAT(page, HasSubstr("<code>pip install &#39;a&gt;=1&#39;\nsecond\n</code></pre>"));
  EXPECT_THAT(page, HasSubstr("take another wheel <span class=\"note\">then: accept</span>"));
  EXPECT_THAT(page, HasSubstr("But it is large"));
  EXPECT_THAT(page, HasSubstr("<code>undefined symbol: x\n"));
  EXPECT_THAT(page, HasSubstr("</span> 12.4.99</td>"));
  EXPECT_THAT(page, HasSubstr("<h2>Environment</h2>"));
  // The fixes of the file were simulated; those of the findings were not.
  EXPECT_THAT(page, Not(HasSubstr("<li>raise the runtime")));
}

TEST(Html, aLibraryThatOthersNeedHasItsColumn) {
  core::Judgement judgement = pageRejection("ext.so", "torch==2.5.1", {12, 4});
  core::Finding finding;
  finding.code = Code::NotFound;
  finding.library = "libcublasLt.so.13";
  judgement.verdict.add(finding);
  finding.severity = Severity::Remark;
  finding.library = "libcudart.so.12";
  judgement.verdict.add(finding);
  std::string page = pageOf(judgement);
  EXPECT_THAT(page, HasSubstr("<th scope=\"col\">libcublasLt.so.13 needed</th>"));
  EXPECT_THAT(page, Not(HasSubstr("<th scope=\"col\">libcudart.so.12")));
}

TEST(Html, anEnvironmentAloneHasAPage) {
  HtmlReport report;
  report.title = "/env: torch 2.5.1, CUDA 12.4";
  auto environment = [](HtmlWriter &html) { html.leaf("p", "nvidia-cuda-runtime-cu12"); };
  report.environment = environment;
  std::string page = report::html(report);
  expectBalanced(page);
  EXPECT_THAT(page, HasSubstr("<h1>/env: torch 2.5.1, CUDA 12.4</h1>"));
  EXPECT_THAT(page, HasSubstr("nvidia-cuda-runtime-cu12"));
}

} // namespace cudacc::test
