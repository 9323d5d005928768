// SPDX-License-Identifier: Apache-2.0
#include "driver/support/PathSearch.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>
#include <unistd.h>

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::support;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

struct PathSearch : testing::Test {
  test::MemoryFiles files;
  Environment env;

  PathSearch() {
    for (const char *folder : {"/bin", "/usr/bin", "/opt/bin", "/project", "/project/tools"})
      files.program(std::string(folder) + "/g++");
  }
  std::vector<std::string> found(llvm::StringRef name = "g++") {
    std::vector<std::string> paths;
    searchProgram(name, env, files, [&](const std::string &path) {
      paths.push_back(path);
      return false;
    });
    return paths;
  }
};

TEST_F(PathSearch, foldersInOrderUntilOneIsTaken) {
  env.entries = {"PATH=/opt/bin:/none:/usr/bin/"};
  EXPECT_THAT(found(), ElementsAre("/opt/bin/g++", "/usr/bin/g++"));
  unsigned tried = 0;
  EXPECT_TRUE(searchProgram("g++", env, files, [&](const std::string &) { return ++tried == 1; }));
  EXPECT_EQ(tried, 1u);
}

TEST_F(PathSearch, whatCannotBeExecutedIsPassedBy) {
  files.file("/opt/bin/g++", "no program").directory("/bin/g++");
  env.entries = {"PATH=/opt/bin:/bin:/usr/bin"};
  EXPECT_THAT(found(), ElementsAre("/usr/bin/g++"));
}

// Not the working directory, which an unset PATH does not name.
TEST_F(PathSearch, withoutPathTheDefaultOfExecvpCounts) {
  EXPECT_THAT(found(), ElementsAre("/bin/g++", "/usr/bin/g++"));
  std::string systems(confstr(_CS_PATH, nullptr, 0), '\0');
  confstr(_CS_PATH, systems.data(), systems.size());
  EXPECT_STREQ(systems.c_str(), programPath(env).str().c_str());
}

TEST_F(PathSearch, anEmptyElementIsTheWorkingDirectory) {
  for (const char *path : {"PATH=", "PATH=:/none", "PATH=/none:", "PATH=/none::/none/too"}) {
    env.entries = {path};
    EXPECT_THAT(found(), testing::Contains("./g++")) << path;
  }
  env.entries = {"PATH=tools"};
  EXPECT_THAT(found(), ElementsAre("tools/g++"));
  env.entries = {"PATH=/none"};
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(PathSearch, noProgramHasTheEmptyName) { EXPECT_THAT(found(""), IsEmpty()); }

} // namespace
