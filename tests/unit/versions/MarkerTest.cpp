// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/Marker.h"
#include <gmock/gmock.h>

using namespace cudacc::versions;

static Truth on(llvm::StringRef text, const MarkerEnvironment &environment) {
  auto marker = Marker::parse(text);
  EXPECT_TRUE(marker) << text.str();
  return marker ? marker->evaluate(environment) : Truth::Unknown;
}

static const MarkerEnvironment here = MarkerEnvironment::linux("x86_64", "3.11.4");

TEST(Marker, comparesVersionsAsVersionsAndOtherTextAsText) {
  EXPECT_EQ(on("python_version >= '3.9'", here), Truth::True);
  EXPECT_EQ(on("python_version < '3.9'", here), Truth::False);
  EXPECT_EQ(on("'3.12' > python_full_version", here), Truth::True);
  EXPECT_EQ(on("python_full_version == '3.11.*'", here), Truth::True);
  EXPECT_EQ(on("python_version ~= '3.10'", here), Truth::True);
  EXPECT_EQ(on("sys_platform == 'linux'", here), Truth::True);
  EXPECT_EQ(on("sys.platform != \"win32\"", here), Truth::True);
  EXPECT_EQ(on("platform_machine in 'x86_64 amd64'", here), Truth::True);
  EXPECT_EQ(on("platform_machine not in 'aarch64'", here), Truth::True);
  EXPECT_EQ(on("'64' in platform_machine", here), Truth::True);
}

TEST(Marker, takesAFreeThreadedPythonForItsVersion) {
  EXPECT_EQ(on("python_version >= '3.9'", MarkerEnvironment::linux("x86_64", "3.13t")),
            Truth::True);
}

TEST(Marker, joinsAsPythonDoes) {
  EXPECT_EQ(on("os_name == 'nt' and os_name == 'nt' or os_name == 'posix'", here), Truth::True);
  EXPECT_EQ(on("os_name == 'nt' and (os_name == 'nt' or os_name == 'posix')", here), Truth::False);
  EXPECT_EQ(on("(((os_name=='posix')))", here), Truth::True);
}

TEST(Marker, asksForExtrasAndGroups) {
  MarkerEnvironment with = here;
  with.extras = {"cuda12"};
  with.groups = {"dev"};
  EXPECT_EQ(on("extra == 'CUDA12'", with), Truth::True);
  EXPECT_EQ(on("extra == 'cuda12'", here), Truth::False);
  EXPECT_EQ(on("extra != 'cuda13'", with), Truth::True);
  EXPECT_EQ(on("'cuda12' in extras and 'dev' in dependency_groups", with), Truth::True);
  EXPECT_EQ(on("'dev' not in dependency_groups", with), Truth::False);
}

TEST(Marker, isUnknownOnlyWhereTheAnswerHangsOnIt) {
  MarkerEnvironment bare = MarkerEnvironment::linux("x86_64");
  EXPECT_EQ(on("python_version >= '3.9'", bare), Truth::Unknown);
  EXPECT_EQ(on("python_version >= '3.9' or os_name == 'posix'", bare), Truth::True);
  EXPECT_EQ(on("python_version >= '3.9' and os_name == 'nt'", bare), Truth::False);
  EXPECT_EQ(on("os_name == 'posix' and python_version >= '3.9'", bare), Truth::Unknown);
  EXPECT_EQ(on("python_version >= '3.9' and os_name == 'posix'", bare), Truth::Unknown);
  EXPECT_EQ(on("platform_release >= '5'", here), Truth::Unknown);
}

TEST(Marker, refusesOtherText) {
  for (const char *text :
       {"", "os_name", "os_name ==", "'a' == 'b'", "os_name == posix", "os_name = 'posix'",
        "os_name == 'posix", "(os_name == 'posix'", "os_name == 'posix')", "os_name == 'a' and",
        "or os_name == 'a'", "os_name not == 'a'", "platform == 'x'",
        "os_name == 'a' os_name == 'b'", "os_name == 'a' andos_name == 'b'"})
    EXPECT_FALSE(Marker::parse(text)) << text;
  EXPECT_FALSE(Marker::parse(std::string(65, '(') + "os_name == 'a'" + std::string(65, ')')));
  EXPECT_TRUE(Marker::parse(std::string(64, '(') + "os_name == 'a'" + std::string(64, ')')));
  std::string longText = "os_name == 'a'";
  while (longText.size() <= 16 << 10)
    longText += " or os_name == 'a'";
  EXPECT_FALSE(Marker::parse(longText));
}
