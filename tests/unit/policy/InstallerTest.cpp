// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/Installer.h"
#include "gmock/gmock.h"

using namespace cudacc;
using testing::ElementsAre;

TEST(Installer, isNamedWhereACommandStands) {
  core::Finding finding;
  finding.fixes = {"pip install 'torch<2.11'",
                   "link with an nvJitLink: pip install x, and --for e",
                   "use that, and pip install y",
                   "name it, or pip install --no-build-isolation",
                   "/w/bin/python -m pip install z",
                   "uv pip install --target=/w x",
                   "name one: pip install --platform p -t DIR x",
                   "pip uninstall -y a && pip install b"};
  std::vector<core::Finding> findings{finding, {}};
  EXPECT_TRUE(policy::namesInstaller(findings));
  policy::nameInstaller("/w/bin/python -m pip install", findings);
  EXPECT_THAT(findings[0].fixes,
              ElementsAre("/w/bin/python -m pip install 'torch<2.11'",
                          "link with an nvJitLink: /w/bin/python -m pip install x, and --for e",
                          "use that, and /w/bin/python -m pip install y",
                          "name it, or pip install --no-build-isolation",
                          "/w/bin/python -m pip install z", "uv pip install --target=/w x",
                          "name one: pip install --platform p -t DIR x",
                          "/w/bin/python -m pip uninstall -y a && /w/bin/python -m pip install b"));
  EXPECT_FALSE(policy::namesInstaller(findings));
  findings[0].fixes = {"pip uninstall -y a"};
  EXPECT_TRUE(policy::namesInstaller(findings));
  // A rule that knows the command has said the same.
  std::vector<std::string> fixes = {"pip install x", "uv pip install x"};
  policy::nameInstaller("uv pip install", fixes);
  EXPECT_THAT(fixes, ElementsAre("uv pip install x"));
  // Without an environment the command stays.
  findings = {finding};
  policy::nameInstaller("", findings);
  EXPECT_EQ(findings[0].fixes, finding.fixes);
}
