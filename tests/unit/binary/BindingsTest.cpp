// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/elf/Bindings.h"
#include "Support.h"
#include "llvm/ADT/StringExtras.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::binary;
using namespace cudacc::binary::test;

namespace {

/// A library that takes an address and calls two functions, all undefined.
class RealBindings : public testing::Test {
protected:
  Scratch scratch;

  std::string built(std::vector<std::string> flags) {
    std::string out = scratch / "user.so";
    std::string source = scratch.write(
        "user.c", "extern int data; extern int first(void); extern int second(void);\n"
                  "int *address = &data;\n"
                  "int use(void) { return first() + second(); }\n");
    std::vector<std::string> words{"gcc", "-shared", "-fPIC", "-O1", source, "-o", out};
    words.insert(words.end(), flags.begin(), flags.end());
    Ran ran = run(words);
    EXPECT_EQ(ran.status, 0) << ran.text;
    return out;
  }

  /// The first of two symbols in readelf's list.
  static std::string firstOf(const std::string &path, const char *one, const char *other) {
    std::string text = run({"readelf", "-rW", path}).text;
    return text.find(std::string(" ") + one + " +") < text.find(std::string(" ") + other + " +")
               ? one
               : other;
  }

  static std::string order(const std::string &path, std::vector<llvm::StringRef> wanted) {
    MemoryFile file(slurp(path));
    auto read = bindingOrder(file, path, wanted);
    if (!read)
      return core::toFinding(read.takeError()).message;
    std::string out;
    for (const Binding &each : *read)
      out += each.symbol + (each.isLazy ? "? " : " ");
    return out;
  }
};

} // namespace

TEST_F(RealBindings, dataThenFunctionsAsTheyAreCalled) { // SY-11
  std::string path = built({"-Wl,-z,lazy"});
  std::string first = firstOf(path, "first", "second");
  std::string second = first == "first" ? "second" : "first";
  EXPECT_EQ(order(path, {"second", "first", "data"}), "data " + first + "? " + second + "? ");
  EXPECT_EQ(order(path, {"second"}), "second? ");
  EXPECT_EQ(order(path, {"use", "nothing"}), "") << "defined here, and not there at all";
}

TEST_F(RealBindings, theLinkMayAskForAllAtOnce) {
  EXPECT_THAT(order(built({"-Wl,-z,now"}), {"second", "first", "data"}),
              testing::AnyOf("data first second ", "data second first "));
}

TEST_F(RealBindings, versionNeedsInTheLoadersOrder) {
  std::string library = scratch / "libp.so.1";
  std::string map =
      scratch.write("p.map", "V_1 { global: first; };\nV_2 { global: second; } V_1;\n");
  Ran ran =
      run({"gcc", "-shared", "-fPIC",
           scratch.write("p.c", "int first(void) { return 1; } int second(void) { return 2; }\n"),
           "-Wl,-soname,libp.so.1", "-Wl,--version-script=" + map, "-o", library});
  ASSERT_EQ(ran.status, 0) << ran.text;
  std::string path = built({library});
  MemoryFile file(slurp(path));
  auto needs = versionNeeds(file, path);
  ASSERT_TRUE(bool(needs));
  std::string out;
  for (const core::VersionNeed &need : *needs)
    if (need.file == "libp.so.1")
      out += need.node + " ";
  EXPECT_THAT(out, testing::AnyOf("V_1 V_2 ", "V_2 V_1 "));
  std::string text = run({"readelf", "-V", path}).text;
  bool isFirst = text.find("Name: V_1 ") < text.find("Name: V_2 ");
  EXPECT_EQ(out, isFirst ? "V_1 V_2 " : "V_2 V_1 ");
}

TEST_F(RealBindings, brokenFilesEndInOneError) {
  std::string bytes = slurp(built({}));
  for (size_t size : {size_t(0), size_t(4), size_t(64), size_t(200), bytes.size() / 2}) {
    MemoryFile file(bytes.substr(0, size));
    auto read = bindingOrder(file, "x.so", {"first"});
    EXPECT_FALSE(bool(read)) << size;
    llvm::consumeError(read.takeError());
  }
  // Every byte of the headers and of the tables they point to may have any value, and every number,
  // such as the index of a symbol.
  for (size_t at = 0; at + 4 <= bytes.size(); ++at) {
    if (at % 7 && at % 4)
      continue;
    std::string hostile = bytes;
    size_t width = at % 4 ? 1 : 4;
    hostile.replace(at, width, width, char(0xff));
    MemoryFile file(hostile);
    auto read = bindingOrder(file, "x.so", {"first"});
    if (!read)
      llvm::consumeError(read.takeError());
    auto needs = versionNeeds(file, "x.so");
    if (!needs)
      llvm::consumeError(needs.takeError());
  }
}
