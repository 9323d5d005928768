// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Diagnostic.h"
#include "driver/probe/toolkit/FactsPackage.h"
#include "tests/support/MemoryFiles.h"
#include "tests/unit/tables/UserTablesFile.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;

namespace {

std::string factsProblem(test::MemoryFiles &files) {
  auto read = probe::readFactsFile("/p/more.json", files);
  if (read)
    return "none";
  Finding finding = toFinding(read.takeError());
  return str(finding.code) + " " + finding.message + " in " + finding.facts.front().text;
}

} // namespace

TEST(FactsFile, IsReadOnce) {
  test::MemoryFiles files;
  files.file("/p/more.json", test::userTablesFile);
  auto read = probe::readFactsFile("/p/more.json", files);
  ASSERT_TRUE(bool(read));
  EXPECT_EQ(read->torch.size(), 1u);
  EXPECT_EQ(files.reads, 1u);
}

TEST(FactsFile, SaysWhyItCannotBe) {
  test::MemoryFiles files;
  EXPECT_EQ(factsProblem(files), "CC2016 the facts file does not exist in /p/more.json");
  files.directory("/p/more.json");
  EXPECT_EQ(factsProblem(files), "CC2016 the facts file is not a regular file in /p/more.json");
  test::MemoryFiles large;
  large.file("/p/more.json", std::string((1 << 20) + 1, ' '));
  EXPECT_EQ(factsProblem(large), "CC2016 the facts file is larger than 1 MiB in /p/more.json");
  test::MemoryFiles locked;
  locked.file("/p/more.json", "{}");
  locked.unreadable.insert("/p/more.json");
  EXPECT_THAT(factsProblem(locked), testing::StartsWith("CC2016 the facts file cannot be read: "));
  test::MemoryFiles broken;
  broken.file("/p/more.json", "{}");
  EXPECT_EQ(factsProblem(broken),
            "CC2016 the facts file is broken: \"schema\" is not 1 in more.json");
}
