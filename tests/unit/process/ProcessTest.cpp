// SPDX-License-Identifier: Apache-2.0
#include "driver/process/Process.h"
#include "tests/unit/loader/FakeTree.h"
#include "llvm/BinaryFormat/ELF.h"
#include <gmock/gmock.h>

using namespace cudacc;
using versions::Exported;

namespace {
/// Files that define these symbols, and bind all that they import.
struct Definitions : test::FakeTree {
  std::map<std::string, std::string> defined;

  Definitions() { add(situation.interpreter); }
  Exported exported(llvm::StringRef path, llvm::StringRef symbol, llvm::StringRef) override {
    return defined[path.str()] == symbol ? Exported::Yes : Exported::No;
  }
  std::optional<std::vector<loader::Bound>>
  order(llvm::StringRef, llvm::ArrayRef<llvm::StringRef> symbols) override {
    std::vector<loader::Bound> bound;
    for (llvm::StringRef symbol : symbols)
      bound.push_back({symbol.str(), false});
    return bound;
  }
};
} // namespace

TEST(Process, whatAProgramStartedWithServesWhatItOpens) {
  Definitions tree;
  core::BinaryFacts &program = tree.add("/bin/program");
  program.needed = {"/l/libp.so"};
  tree.add("/l/libp.so");
  for (const char *path : {"/l/plugin.so", "/l/other.so"})
    tree.add(path).imports = {{"ofProgram", "", "", false}};
  tree.defined["/l/libp.so"] = "ofProgram";
  process::Process process(tree, llvm::ELF::EM_X86_64, "/");
  EXPECT_TRUE(process.start("program", "/bin/program", program, false).ok());
  EXPECT_TRUE(process.open("/l/plugin.so", false, "").ok());
  tree.defined.clear();
  EXPECT_FALSE(process.open("/l/other.so", false, "").ok());
}

TEST(Process, needsAreThoseThatTokensLeadTo) {
  Definitions tree;
  core::BinaryFacts &program = tree.add("/bin/program");
  tree.add("/l/libp.so");
  core::BinaryFacts &plugin = tree.add("/l/plugin.so");
  plugin.needed = {"$ORIGIN/libp.so"};
  plugin.imports = {{"ofNeeded", "", "", false}};
  tree.defined["/l/libp.so"] = "ofNeeded";
  process::Process process(tree, llvm::ELF::EM_X86_64, "/");
  EXPECT_TRUE(process.start("program", "/bin/program", program, false).ok());
  EXPECT_TRUE(process.open("/l/plugin.so", false, "").ok());
}

TEST(Process, aLoadThatFailsLeavesNames) {
  Definitions tree;
  core::BinaryFacts &program = tree.add("/bin/program");
  tree.add("/l/libp.so");
  tree.add("/l/plugin.so").needed = {"libp.so", "libnone.so"};
  tree.add("/l/lacking.so").imports = {{"nowhere", "", "", false}};
  tree.kept.back().needed = {"/l/./libp.so"};
  process::Process process(tree, llvm::ELF::EM_X86_64, "/");
  EXPECT_TRUE(process.start("program", "/bin/program", program, false).ok());
  EXPECT_TRUE(process.open("/l/libp.so", false, "").ok());
  EXPECT_FALSE(process.open("/l/plugin.so", false, "").load.ok());
  EXPECT_TRUE(process.open("/l/lacking.so", false, "").binding);
  ASSERT_THAT(process.situation().present, testing::SizeIs(1));
  EXPECT_THAT(process.situation().present.front().names,
              testing::ElementsAre("/l/libp.so", "libp.so", "/l/./libp.so"));
}
