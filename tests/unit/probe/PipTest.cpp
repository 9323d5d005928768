// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/Pip.h"
#include "tests/support/MemoryFiles.h"
#include "gmock/gmock.h"

using namespace cudacc;

TEST(Pip, namesTheEnvironment) {
  test::MemoryFiles files;
  std::string site = "/w/my env/lib/python3.11/site-packages";
  auto command = [&] { return probe::pipInstallBeside(site, files); };
  files.directory(site);
  EXPECT_EQ(command(), "pip install --target='/w/my env'");
  files.program("/w/my env/bin/python");
  EXPECT_EQ(command(), "pip --python '/w/my env/bin/python' install");
  files.file("/w/my env/pyvenv.cfg", "home = /usr/bin\nuv = 0.5.1\n");
  EXPECT_EQ(command(), "uv pip install --python '/w/my env/bin/python'");
  files.directory(site + "/pip");
  EXPECT_EQ(command(), "'/w/my env/bin/python' -m pip install");
  files.directory("/opt/packages");
  EXPECT_EQ(probe::pipInstallBeside("/opt/packages", files), "pip install --target=/opt/packages");
}
