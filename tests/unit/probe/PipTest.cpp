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
  EXPECT_EQ(command(), "uv pip install --target='/w/my env/lib/python3.11/site-packages'");
  files.program("/w/my env/bin/python");
  EXPECT_EQ(command(), "pip --python '/w/my env/bin/python' install");
  auto replace = [&] {
    return probe::pipReplace("/w/my env", site, {"a", "b", "a"}, "b==1", files);
  };
  EXPECT_EQ(replace(),
            "pip --python '/w/my env/bin/python' uninstall -y a b && "
            "pip --python '/w/my env/bin/python' uninstall -y a && "
            "pip --python '/w/my env/bin/python' install --force-reinstall --no-deps b==1");
  files.file("/w/my env/pyvenv.cfg", "home = /usr/bin\nuv = 0.5.1\n");
  EXPECT_EQ(command(), "uv pip install --python '/w/my env/bin/python'");
  EXPECT_EQ(probe::pipReplace("/w/my env", site, {"a", "b"}, "b==1", files),
            "uv pip uninstall --python '/w/my env/bin/python' a b && "
            "uv pip install --python '/w/my env/bin/python' --force-reinstall --no-deps b==1");
  files.directory(site + "/pip");
  EXPECT_EQ(command(), "'/w/my env/bin/python' -m pip install");
  files.program("/w/install/bin/python");
  EXPECT_THAT(probe::pipReplace("/w/install", {}, {"a"}, "b==1", files),
              testing::StartsWith("pip --python /w/install/bin/python uninstall -y a && "));
  files.directory("/opt/packages");
  EXPECT_EQ(probe::pipReplace("/opt/packages", {}, {"a", "b"}, "b==1", files),
            "uv pip uninstall --system --target=/opt/packages a b && "
            "uv pip install --target=/opt/packages --force-reinstall --no-deps b==1");
  EXPECT_EQ(probe::pipInstallBeside("/opt/packages", files),
            "uv pip install --target=/opt/packages");
}

TEST(Pip, whatAnEnvironmentSaysIsNoCommand) {
  test::MemoryFiles files;
  EXPECT_EQ(probe::pipReplace("/w", {}, {"a;id"}, "a;id==1", files),
            "uv pip uninstall --system --target=/w 'a;id' && "
            "uv pip install --target=/w --force-reinstall --no-deps 'a;id==1'");
}
