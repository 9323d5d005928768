// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/Options.h"
#include "tests/unit/cli/Line.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace cudacc;
using namespace cudacc::cli;
using namespace cudacc::test;

namespace {

struct NvccOption {
  std::string longName, shortName;
  bool takesValue, joined;
};

std::vector<NvccOption> nvccOptions() {
  auto text = llvm::MemoryBuffer::getFile(CUDACC_SOURCE_DIR "/tests/unit/cli/nvcc_options.json");
  if (!text)
    return {};
  auto json = llvm::cantFail(llvm::json::parse((*text)->getBuffer()));
  std::vector<NvccOption> result;
  for (const llvm::json::Value &value : *json.getAsObject()->getArray("rows")) {
    const llvm::json::Object &row = *value.getAsObject();
    result.push_back({row.getString("long")->str(), row.getString("short")->str(),
                      *row.getBoolean("takes_value"), *row.getBoolean("joined")});
  }
  return result;
}

void expectValue(const std::string &word) {
  Match separate = match(table(TableKind::Nvcc), word);
  ASSERT_TRUE(separate.row) << word;
  EXPECT_EQ(separate.row->word, word);
  EXPECT_EQ(separate.separate, 1u) << word;
  std::string whole = word + "=a=b";
  Match equals = match(table(TableKind::Nvcc), whole);
  ASSERT_TRUE(equals.row) << word;
  EXPECT_EQ(equals.row->word, word + "=");
  EXPECT_EQ(equals.joined, "a=b") << word;
  EXPECT_EQ(equals.separate, 0u) << word;
  EXPECT_EQ(equals.row->action, separate.row->action) << word;
}

TEST(Options, EveryNvccOptionInEverySpelling) { // N9, N24
  std::vector<NvccOption> options = nvccOptions();
  ASSERT_EQ(options.size(), 167u);
  for (const NvccOption &option : options) {
    for (const std::string &word : {option.longName, option.shortName}) {
      if (option.takesValue) {
        expectValue(word);
        continue;
      }
      Match flag = match(table(TableKind::Nvcc), word);
      ASSERT_TRUE(flag.row) << word;
      EXPECT_EQ(flag.row->word, word);
      EXPECT_EQ(flag.separate, 0u) << word;
      // A flag never takes =true (N9).
      Match equals = match(table(TableKind::Nvcc), word + "=true");
      EXPECT_TRUE(!equals.row || equals.row->word != word + "=") << word;
    }
    if (!option.takesValue)
      continue;
    std::string whole = option.shortName + "7";
    Match joined = match(table(TableKind::Nvcc), whole);
    bool taken = joined.row && joined.row->word == option.shortName && joined.joined == "7";
    EXPECT_EQ(taken, option.joined) << option.shortName;
  }
}

TEST(Options, NothingButNvccsOptionsIsListed) {
  std::vector<NvccOption> options = nvccOptions();
  for (const OptionRow &row : table(TableKind::Nvcc).rows) {
    std::string word(llvm::StringRef(row.word).rtrim('=').ltrim('-'));
    EXPECT_TRUE(llvm::any_of(options, [&](const NvccOption &option) {
      return llvm::StringRef(option.longName).ltrim('-') == word ||
             llvm::StringRef(option.shortName).ltrim('-') == word;
    })) << row.word.data();
  }
}

TEST(Options, LongestSpellingWins) { // notes of nvcc_options
  const OptionTable &nvcc = table(TableKind::Nvcc);
  EXPECT_EQ(match(nvcc, "-ldir").row->word, "-ldir");
  EXPECT_EQ(match(nvcc, "-ldirX").row->word, "-l");
  EXPECT_EQ(match(nvcc, "-library-path=X").row->word, "-l");
  EXPECT_EQ(match(nvcc, "-target-dirX").row->word, "-t");
  EXPECT_EQ(match(nvcc, "-Ofc=max").row->word, "-Ofc=");
  EXPECT_EQ(match(nvcc, "-Ofcmax").row->word, "-O");
  EXPECT_EQ(match(nvcc, "-m64").row->word, "-m64");
  EXPECT_FALSE(match(nvcc, "-ofoo").row);
  EXPECT_FALSE(match(nvcc, "--o").row);
  EXPECT_FALSE(match(nvcc, "-output-file").row);
  EXPECT_FALSE(match(nvcc, "-xcu").row);
  EXPECT_FALSE(match(nvcc, "--").row);
  EXPECT_FALSE(match(nvcc, "-").row);
  EXPECT_FALSE(match(nvcc, "-\xc3\xbc").row);
  EXPECT_EQ(match(table(TableKind::Gcc), "-dumpdir").separate, 1u);
  EXPECT_EQ(match(table(TableKind::Linker), "-rpath-link").row->action, Action::Inert);
  EXPECT_EQ(match(table(TableKind::Linker), "-rpath").row->action, Action::RpathDir);
  EXPECT_EQ(match(table(TableKind::Gcc), "-isystemdir").joined, "dir");
}

TEST(Options, SameSpellingOtherMeaning) {
  EXPECT_EQ(match(table(TableKind::Nvcc), "-G").separate, 0u);
  EXPECT_EQ(match(table(TableKind::Clang), "-G").separate, 1u);
  EXPECT_FALSE(match(table(TableKind::Gcc), "-G").row);
  EXPECT_EQ(match(table(TableKind::Nvcc), "-t").separate, 1u);
  EXPECT_FALSE(match(table(TableKind::Gcc), "-t").row);
  EXPECT_EQ(match(table(TableKind::Nvcc), "-MD").separate, 0u);
  EXPECT_EQ(match(table(TableKind::Gcc), "-R").separate, 1u);
  EXPECT_FALSE(match(table(TableKind::Clang), "-R").row);
}

} // namespace
