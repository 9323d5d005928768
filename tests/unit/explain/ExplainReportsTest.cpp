// SPDX-License-Identifier: Apache-2.0
#include "driver/explain/Explain.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gmock/gmock.h>
#include <map>

using namespace cudacc;
using testing::HasSubstr;

namespace {

explain::Explained explainText(llvm::StringRef text) {
  explain::Explainer explainer;
  explainer.add(text);
  return explainer.finish(true);
}

/// The values in an explanation and in its verdict.
std::string saidBy(const explain::Explanation &message) {
  std::string all = message.what + "\n";
  for (const core::Fact &fact : message.facts)
    all += fact.label + ": " + fact.text + "\n";
  return all;
}

struct Report {
  std::string failure, reference, symptom, symbol, soname, cuda;
};

std::string textOf(const llvm::json::Object &row, llvm::StringRef key) {
  auto text = row.getString(key);
  return text ? text->str() : "";
}

std::vector<Report> reports() {
  auto file = llvm::MemoryBuffer::getFile(CUDACC_SOURCE_DIR
                                          "/tests/unit/explain/import_error_reports.json");
  auto document = llvm::json::parse((*file)->getBuffer());
  std::vector<Report> all;
  for (const llvm::json::Value &value : *document->getAsObject()->getArray("rows")) {
    const llvm::json::Object &row = *value.getAsObject();
    all.push_back({textOf(row, "failure_class"), textOf(row, "ref"), textOf(row, "symptom"),
                   textOf(row, "symbol"), textOf(row, "soname"), textOf(row, "needs_cuda")});
  }
  return all;
}

} // namespace

// Every report, by the text under which it was filed: its class, its symbol or library, its values.
TEST(ExplainReports, everyReportHasItsFamilyAndNumbers) { // KC-1, KC-2, KC-3, KC-5, KC-7
  // Reports about a failed load without the loader's message.
  const std::map<std::string, std::string> byWord = {{"jax-ml/jax#28929", "library_init"},
                                                     {"jax-ml/jax#18027", "library_init"},
                                                     {"jax-ml/jax#30050", "library_init"},
                                                     {"haotian-liu/LLaVA#1248", "library_init"},
                                                     {"bmaltais/kohya_ss#3320", "library_init"}};
  std::map<std::string, unsigned> counts;
  for (const Report &report : reports()) {
    ++counts[report.failure];
    explain::Explained explained = explainText(report.symptom);
    // Announced changes of packages and code, not failures; one names the function concerned.
    if (report.failure == "upstream_fix") {
      EXPECT_EQ(explained.messages.size(), report.symbol.empty() ? 0u : 1u) << report.reference;
      continue;
    }
    ASSERT_EQ(explained.messages.size(), 1u) << report.reference << ": " << report.symptom;
    const explain::Explanation &message = explained.messages[0];
    auto special = byWord.find(report.reference);
    EXPECT_EQ(message.family, special == byWord.end() ? report.failure : special->second)
        << report.symptom;
    EXPECT_FALSE(message.causes.empty() || message.fixes.empty()) << report.symptom;
    std::string said = saidBy(message);
    EXPECT_THAT(said, HasSubstr(report.symbol));
    if (!report.soname.empty()) {
      EXPECT_THAT(said, HasSubstr(report.soname.substr(0, report.soname.find(".so"))))
          << report.reference;
    }
    if (!report.cuda.empty()) {
      EXPECT_THAT(said, HasSubstr("CUDA " + report.cuda)) << report.symptom;
    }
  }
  EXPECT_EQ(counts["nvjitlink_minor"], 20u);
  EXPECT_EQ(counts["cudart_minor"], 10u);
  EXPECT_EQ(counts["upstream_fix"] + counts["missing_major"], 16u);
}

// The same in the loader's words.
TEST(ExplainReports, everySymbolOfAReportIsReadFromTheLoadersWords) {
  for (const Report &report : reports()) {
    if (report.symbol.empty() || report.soname.empty() || report.cuda.empty())
      continue;
    explain::Explained explained =
        explainText("ImportError: /x/site-packages/a/b.so: undefined symbol: " + report.symbol +
                    ", version " + report.soname);
    ASSERT_EQ(explained.messages.size(), 1u) << report.symbol;
    const explain::Explanation &message = explained.messages[0];
    EXPECT_THAT(message.what, HasSubstr(report.soname + " is too old: " + report.symbol +
                                        " came with CUDA " + report.cuda));
    EXPECT_EQ(message.values[0], (std::pair<std::string, std::string>("symbol", report.symbol)));
    EXPECT_EQ(message.values[1].second, report.soname);
  }
}

TEST(ExplainReports, everyLibraryOfAReportIsReadFromTheLoadersWords) {
  unsigned seen = 0;
  for (const Report &report : reports()) {
    if (report.soname.empty() || !report.symbol.empty())
      continue;
    ++seen;
    explain::Explained explained =
        explainText("OSError: " + report.soname +
                    ": cannot open shared object file: No such file or directory");
    ASSERT_EQ(explained.messages.size(), 1u) << report.soname;
    EXPECT_EQ(explained.messages[0].family, report.failure) << report.soname;
    EXPECT_THAT(explained.messages[0].what, HasSubstr(report.soname));
  }
  EXPECT_GE(seen, 10u);
}
