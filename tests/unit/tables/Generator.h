// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <gmock/gmock.h>

namespace cudacc::test {

/// Runs the generator on the data and a folder with one more file.
class Generator : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("cudacc-facts", folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string path(llvm::StringRef name) { return (folder + "/" + name).str(); }
  void put(llvm::StringRef name, llvm::StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream out(path(name), error);
    ASSERT_FALSE(error);
    out << text;
  }
  std::string get(llvm::StringRef name) {
    auto buffer = llvm::MemoryBuffer::getFile(path(name));
    return buffer ? (*buffer)->getBuffer().str() : "";
  }
  /// Exit status; the output is in `said`.
  int run(llvm::StringRef data = CUDACC_TABLES_DATA) {
    std::string output = path("out.inc"), errors = path("errors");
    llvm::sys::fs::remove(errors);
    llvm::StringRef words[] = {CUDACC_GEN_TABLES, output, data, folder};
    std::optional<llvm::StringRef> streams[] = {std::nullopt, std::nullopt, errors};
    int status = llvm::sys::ExecuteAndWait(CUDACC_GEN_TABLES, words, std::nullopt, streams, 60);
    said = get("errors");
    return status;
  }
  void expectRefused(llvm::StringRef file, llvm::StringRef row, const char *problem) {
    std::string whole = row.str();
    for (llvm::StringRef key : {"source", "confidence"})
      if (std::string member = ("\"" + key + "\": \"").str(); !row.contains(member))
        whole.insert(1, member + "verified\"" + (whole == "{}" ? "" : ","));
    put(file, "{\"rows\": [" + whole + "]}");
    EXPECT_EQ(run(), 1) << whole;
    EXPECT_THAT(said, testing::HasSubstr((file + ": row 1").str()));
    EXPECT_THAT(said, testing::HasSubstr(problem));
    EXPECT_FALSE(llvm::sys::fs::exists(path("out.inc")));
    llvm::sys::fs::remove(path(file));
  }

  /// Columns that every row of the tables of releases has.
  const std::string sourced = R"("source": "made up", "confidence": "verified")";
  llvm::SmallString<128> folder;
  std::string said;
};

} // namespace cudacc::test
