// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/toolkit/TorchTable.h"
#include "driver/probe/toolkit/TorchTablePlace.h"
#include "driver/tables/generate/TorchNamesWriter.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>
#include <thread>

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using tables::TorchNamesWriter;
using testing::HasSubstr;

namespace {

std::string tableOf(const char *release) {
  TorchNamesWriter writer;
  llvm::cantFail(writer.add({release, 62, false, 0, "cp310"},
                            TorchNamesWriter::Name{"name", {false, true, 1}}));
  return llvm::cantFail(writer.bytes());
}

const char *const program = "/opt/cc/bin/cuda-cc";
const char *const installed = "/opt/cc/share/cuda-cc/torch-names.bin";
const char *const beside = "/opt/cc/bin/torch-names.bin";

std::string problem(test::MemoryFiles &files) {
  probe::TorchTable table(program, files);
  const Finding *problem = table.problem();
  if (!problem)
    return "";
  EXPECT_EQ(table.names(), nullptr);
  EXPECT_EQ(problem->severity, Severity::Remark);
  EXPECT_FALSE(problem->message.empty());
  EXPECT_FALSE(problem->facts.empty());
  EXPECT_FALSE(problem->fixes.empty());
  EXPECT_LE(("cuda-cc: remark: CC2016: " + problem->message).size(), 77u);
  return problem->message;
}

} // namespace

TEST(TorchTable, IsReadWhereItIsInstalled) {
  // As this build is configured; the others below use the usual folders.
  ASSERT_STREQ(probe::torchTablePlace, "../share/cuda-cc/torch-names.bin");
  test::MemoryFiles files;
  files.program(program).file(installed, tableOf("2.5.1")).file(beside, tableOf("2.6.0"));
  probe::TorchTable table(program, files);
  ASSERT_NE(table.names(), nullptr);
  EXPECT_EQ(table.problem(), nullptr);
  EXPECT_EQ(table.names()->exported("name", "2.5.1", 62), Exported::Yes);
  EXPECT_EQ(table.names()->exported("name", "2.6.0", 62), Exported::Unknown);
}

TEST(TorchTable, IsReadBesideTheProgram) {
  test::MemoryFiles files;
  files.program(program).file(beside, tableOf("2.6.0"));
  probe::TorchTable table(program, files);
  ASSERT_NE(table.names(), nullptr);
  EXPECT_EQ(table.names()->exported("name", "2.6.0", 62), Exported::Yes);
}

// A compile has the object and does not query it; the first query reads the file once.
TEST(TorchTable, IsReadWhenItIsAskedForAndOnce) {
  test::MemoryFiles files;
  files.program(program).file(installed, tableOf("2.5.1"));
  probe::TorchTable table(program, files);
  EXPECT_EQ(files.stats + files.reads + files.lists, 0u);
  std::vector<std::thread> threads;
  std::vector<const tables::TorchNames *> seen(4);
  for (auto &each : seen)
    threads.emplace_back([&] { each = table.names(); });
  for (std::thread &each : threads)
    each.join();
  EXPECT_EQ(files.reads, 1u);
  EXPECT_NE(seen[0], nullptr);
  EXPECT_THAT(seen, testing::Each(seen[0]));
}

TEST(TorchTable, SaysWhyThereIsNone) {
  test::MemoryFiles missing;
  missing.program(program);
  EXPECT_EQ(problem(missing), "the table of torch's names is missing");
  probe::TorchTable table(program, missing);
  EXPECT_EQ(table.problem()->facts.front().text, installed);
  EXPECT_EQ(table.problem()->facts.back().text, beside);

  test::MemoryFiles locked;
  locked.program(program).file(installed, tableOf("2.5.1"));
  locked.unreadable.insert(installed);
  EXPECT_EQ(problem(locked), "the table of torch's names cannot be read");

  test::MemoryFiles folder;
  folder.program(program).directory(installed);
  EXPECT_EQ(problem(folder), "the table of torch's names cannot be read");

  test::MemoryFiles large;
  large.program(program).file(installed, std::string((8 << 20) + 1, ' '));
  EXPECT_EQ(problem(large), "the table of torch's names cannot be read");
}

// A broken file is an error; if another one were used instead, the choice would depend on chance.
TEST(TorchTable, SaysWhatIsWrongWithIt) {
  std::string whole = tableOf("2.5.1"), newer = whole;
  newer[8] = 3;
  for (auto [content, why] : {std::pair(std::string(), "is cut off"),
                              {whole.substr(0, whole.size() / 2), "is cut off"},
                              {newer, "schema 3"},
                              {"torch-names", "is not such a table"}}) {
    test::MemoryFiles files;
    files.program(program).file(installed, content).file(beside, whole);
    EXPECT_THAT(problem(files), HasSubstr(why));
    EXPECT_THAT(problem(files), testing::Not(HasSubstr("\n")));
  }
}

// That of a facts package; the installed one if it cannot be read.
TEST(TorchTable, APackagesComesFirst) {
  test::MemoryFiles files;
  files.program(program).file(installed, tableOf("2.5.1")).file("/v/names.bin", tableOf("2.6.0"));
  probe::TorchTable table(program, files);
  table.prefer("/v/names.bin");
  ASSERT_NE(table.names(), nullptr);
  EXPECT_EQ(table.names()->exported("name", "2.6.0", 62), Exported::Yes);
  EXPECT_EQ(table.names()->exported("name", "2.5.1", 62), Exported::Unknown);
  for (const char *damage : {"", "CCTORCH"}) {
    files.file("/v/names.bin", damage);
    probe::TorchTable other(program, files);
    other.prefer("/v/names.bin");
    ASSERT_NE(other.names(), nullptr);
    EXPECT_EQ(other.problem(), nullptr);
    EXPECT_EQ(other.names()->exported("name", "2.5.1", 62), Exported::Yes);
  }
  probe::TorchTable absent(program, files);
  absent.prefer("/v/none.bin");
  EXPECT_NE(absent.names(), nullptr);
}
