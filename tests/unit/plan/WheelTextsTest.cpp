// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/wheel/MetadataEdit.h"
#include "driver/plan/wheel/Record.h"
#include <gmock/gmock.h>

using namespace cudacc::plan;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Record, fieldsInQuotesAreRead) {
  auto rows = parseRecord("a.py,sha256=x,1\r\n\"b,\"\"c\"\".so\",sha256=y,22\n"
                          "x-1.dist-info/RECORD,,\n");
  ASSERT_TRUE(rows);
  ASSERT_THAT(*rows, SizeIs(3));
  EXPECT_EQ(rows->at(0).path, "a.py");
  EXPECT_EQ(rows->at(1).path, "b,\"c\".so");
  EXPECT_EQ(rows->at(1).size, "22");
  EXPECT_EQ(rows->at(2).digest, "");
}

TEST(Record, whatIsPrintedIsReadBack) {
  std::string text = "a.py,sha256=x,1\n\"b,\"\"c\"\".so\",sha256=y,22\nR,,\n"
                     "c,\"x,y\",\"\"\"\"\n";
  auto rows = parseRecord(text);
  ASSERT_TRUE(rows);
  EXPECT_EQ(printRecord(*rows), text);
}

TEST(Record, brokenLinesAreRefused) {
  EXPECT_TRUE(parseRecord("a,b,c"));
  EXPECT_THAT(*parseRecord(""), IsEmpty());
  EXPECT_FALSE(parseRecord("a,b\n"));
  EXPECT_FALSE(parseRecord("a,b,c,d\n"));
  EXPECT_FALSE(parseRecord("\"a,b,c\n"));
  EXPECT_FALSE(parseRecord("\"a\"x,b,c\n"));
  EXPECT_FALSE(parseRecord("a,,\na,,\n"));
}

TEST(MetadataEdit, requirementsFollowTheLastOne) {
  EXPECT_EQ(
      addRequirements("Name: x\nRequires-Dist: numpy\nrequires-dist: torch\n >=2\nKeywords: k\n\n"
                      "Requires-Dist: in the description\n",
                      {"a>=1", "b"}, {}),
      "Name: x\nRequires-Dist: numpy\nrequires-dist: torch\n >=2\nRequires-Dist: a>=1\n"
      "Requires-Dist: b\nKeywords: k\n\nRequires-Dist: in the description\n");
}

TEST(MetadataEdit, withoutAnyTheyEndTheHeaders) {
  EXPECT_EQ(addRequirements("Name: x\n\nAbout: it\n", {"a"}, {}),
            "Name: x\nRequires-Dist: a\n\nAbout: it\n");
  EXPECT_EQ(addRequirements("Name: x", {"a"}, {}), "Name: x\nRequires-Dist: a\n");
  EXPECT_EQ(addRequirements("Name: x\n", {"a"}, {}), "Name: x\nRequires-Dist: a\n");
}

TEST(MetadataEdit, extrasAreDeclared) {
  EXPECT_EQ(
      addRequirements("Name: x\nProvides-Extra: test\n\nText", {"a; extra == \"cu12\""}, {"cu12"}),
      "Name: x\nProvides-Extra: test\nProvides-Extra: cu12\n"
      "Requires-Dist: a; extra == \"cu12\"\n\nText");
}

TEST(MetadataEdit, lineEndsAndBytesStay) {
  EXPECT_EQ(addRequirements("Name: x\r\n\r\n\xff text", {"a"}, {}),
            "Name: x\r\nRequires-Dist: a\r\n\r\n\xff text");
  EXPECT_EQ(addRequirements("Name: x\n\ntext", {}, {}), "Name: x\n\ntext");
}
