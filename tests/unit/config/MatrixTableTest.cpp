// SPDX-License-Identifier: Apache-2.0
#include "driver/config/MatrixTable.h"
#include "tests/unit/config/Configured.h"

using namespace cudacc;
using namespace cudacc::core;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

struct MatrixConfig : test::Config {
  llvm::Expected<config::MatrixTable> find() {
    return config::findMatrixTable(Environment(), files, uid);
  }
  config::MatrixTable table() {
    auto table = find();
    if (table)
      return *table;
    ADD_FAILURE() << text(toFinding(table.takeError()));
    return {};
  }
  Finding refused() {
    auto table = find();
    if (!table)
      return toFinding(table.takeError());
    ADD_FAILURE() << "was accepted";
    return {};
  }
};

TEST_F(MatrixConfig, isReadFromBothFiles) {
  EXPECT_EQ(table().folder, "");
  files.file("/project/pyproject.toml", "[tool.cuda-cc.matrix]\n"
                                        "runtimes = ['cuda==12.4', 'env:.venv']\n"
                                        "toolkits = 'cuda/12.4'\n"
                                        "pythons = ['3.11', 'py/bin/python']\n"
                                        "artefacts = ['lib/*.so']\n"
                                        "build = 'make'\ntest = 'pytest'\ntorch-abi = 'none'\n");
  files.cwd = "/project/a/b";
  config::MatrixTable made = table();
  EXPECT_EQ(made.folder, "/project");
  EXPECT_THAT(listed(made.runtimes), ElementsAre("cuda==12.4 (/project/pyproject.toml:2)",
                                                 "env:/project/.venv (/project/pyproject.toml:2)"));
  EXPECT_EQ(made.toolkits.at(0).value, "/project/cuda/12.4");
  EXPECT_EQ(made.pythons.at(0).value, "3.11");
  EXPECT_EQ(made.pythons.at(1).value, "/project/py/bin/python");
  EXPECT_EQ(made.artefacts.at(0).value, "lib/*.so");
  EXPECT_EQ(made.build.value + made.test.value + made.torchAbi.value, "makepytestnone");
  // Settings beside it are read as ever.
  EXPECT_FALSE(good().declared());
  files.file("/project/cuda-cc.toml", "runtime = 'cuda==12.4'\n[matrix]\nbuild = 'cmake'\n");
  EXPECT_EQ(table().build.value, "cmake");
  EXPECT_THAT(table().runtimes, IsEmpty());
  EXPECT_TRUE(good().declared());
}

TEST_F(MatrixConfig, keysAndFormsAreChecked) {
  for (auto [line, why] : {std::pair("matrix = 3\n", "matrix must be a table"),
                           {"[matrix]\nruntime = 'x'\n", "fix: write runtimes"},
                           {"[matrix]\nartifacts = ['x']\n", "fix: write artefacts"},
                           {"[matrix]\nruntimes = []\n", "none of them empty"},
                           {"[matrix]\nruntimes = ['']\n", "none of them empty"},
                           {"[matrix]\nruntimes = [1]\n", "none of them empty"},
                           {"[matrix]\nbuild = ['make']\n", "build of matrix must be a string"},
                           {"[matrix]\nbuild = ' '\n", "build of matrix must be a string"}}) {
    files.file("/project/cuda-cc.toml", line);
    files.cwd = "/project";
    EXPECT_THAT(text(refused()), HasSubstr(why)) << line;
    // Every call says so: a typo is found before the matrix runs.
    EXPECT_THAT(text(bad()), HasSubstr(why)) << line;
    EXPECT_THAT(text(bad()), HasSubstr("where: cuda-cc.toml:")) << line;
  }
}

TEST_F(MatrixConfig, needsAFileThatNobodyElseCanWrite) {
  files.file("/project/cuda-cc.toml", "[matrix]\nbuild = 'make'\n", 0666);
  files.cwd = "/project";
  EXPECT_EQ(refused().code, Code::UntrustedDeclaration);
}

} // namespace
