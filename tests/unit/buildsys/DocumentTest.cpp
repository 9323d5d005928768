// SPDX-License-Identifier: Apache-2.0
#include "plugins/buildsys/Document.h"
#include "driver/core/Diagnostic.h"
#include "tests/support/MemoryFiles.h"
#include "gmock/gmock.h"

namespace cudacc::test {

using buildsys::Document;
using testing::ElementsAre;

static const buildsys::DocumentKind letters = {"the letter", "write again"};

static llvm::Expected<Document> documentOf(const std::string &text) {
  MemoryFiles files;
  files.file("/d/a.json", text);
  return Document::read(files, "/d", "a.json", letters);
}

static std::string reasonOf(llvm::Error error) {
  return error ? core::toFinding(std::move(error)).facts.at(1).text : "";
}

TEST(Document, ofAListHasItemsAndLines) {
  std::vector<std::string> names;
  Document items = llvm::cantFail(documentOf(R"([{"name":"a"},{"name":null},{}])"));
  items.items(
      [&](const Document::Object &item) { names.push_back(items.text(item, "name").str()); });
  EXPECT_THAT(names, ElementsAre("a", "", "")) << "null is absent";
  EXPECT_EQ(reasonOf(items.take()), "");
  Document lines = llvm::cantFail(documentOf(R"(["x","y",1])"));
  names.clear();
  lines.lines([&](llvm::StringRef line) { names.push_back(line.str()); });
  EXPECT_THAT(names, ElementsAre("x", "y"));
  EXPECT_EQ(reasonOf(lines.take()), "an item of it has another type");
}

TEST(Document, hasMembersThatAreObjects) {
  Document document = llvm::cantFail(documentOf(R"({"a":{},"b":[],"c":{"x":true}})"));
  std::vector<std::string> keys;
  document.members(document.root(), [&](llvm::StringRef key, const Document::Object &) {
    keys.push_back(key.str());
  });
  EXPECT_THAT(keys, testing::UnorderedElementsAre("a", "c"));
  EXPECT_EQ(reasonOf(document.take()), "\"b\" is not an object");
}

TEST(Document, ofAnotherShapeIsBrokenAndEmpty) {
  Document list = llvm::cantFail(documentOf("[]"));
  EXPECT_TRUE(list.root().keys.empty());
  EXPECT_EQ(reasonOf(list.take()), "it is not an object");
  Document object = llvm::cantFail(documentOf("{}"));
  object.items([](const Document::Object &) { FAIL(); });
  EXPECT_EQ(reasonOf(object.take()), "it is not a list");
}

TEST(Document, isNamedByItsKindInMessages) {
  auto document = documentOf("{");
  ASSERT_FALSE(document);
  core::Finding finding = core::toFinding(document.takeError());
  EXPECT_EQ(finding.code, core::Code::BrokenDescription);
  EXPECT_EQ(finding.message, "the letter a.json cannot be read");
  EXPECT_THAT(finding.fixes, ElementsAre("write again"));
}

} // namespace cudacc::test
