// SPDX-License-Identifier: Apache-2.0
// What each remedy is proposed for, and what it says.
#include "tests/unit/policy/Processes.h"

using namespace cudacc;
using namespace cudacc::core;
using cudacc::test::Processes;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using Kind = policy::Remedy::Kind;

namespace {

struct RemedyCases : Processes {
  std::vector<std::string> texts(Kind kind) {
    std::vector<std::string> texts;
    for (const policy::Remedy &each : ways())
      if (each.kind == kind)
        texts.push_back(each.text);
    return texts;
  }
  std::vector<std::string> commands(Kind kind) {
    std::vector<std::string> commands;
    for (const policy::Remedy &each : ways())
      if (each.kind == kind)
        llvm::append_range(commands, each.commands);
    return commands;
  }
  /// What patchelf does to the file.
  std::string patched() {
    auto all = commands(Kind::Relink);
    EXPECT_LE(all.size(), 1u);
    return all.empty() ? "" : llvm::StringRef(all[0]).split(' ').second.rsplit(' ').first.str();
  }
  void found(const char *soname, const char *folder, const char *where) {
    policy::FoundCopy &copy = copies.emplace_back();
    copy.soname = soname;
    copy.path = std::string(folder) + "/" + soname;
    copy.where = where;
  }
};

} // namespace

TEST_F(RemedyCases, elementsThatLedToCudaGoFirst) {
  libraryPath = {"/a", "/b"};
  take("libcublas.so.12", "/a", "12.1", "LD_LIBRARY_PATH", "/a");
  take("libcublasLt.so.12", "/a", "12.1", "LD_LIBRARY_PATH", "/a");
  take("libother.so.1", "/b", "", "LD_LIBRARY_PATH", "/b");
  take("libcudart.so.12", "/c", "12.1", "RPATH /c", "/c");
  loaded[2].isCuda = false;
  EXPECT_THAT(texts(Kind::Undo), ElementsAre("take /a out of LD_LIBRARY_PATH",
                                             "take /a and /b out of LD_LIBRARY_PATH"));
}

TEST_F(RemedyCases, anEmptyElementIsBlamedForWhatItLedTo) {
  libraryPath = {""};
  take("libcublas.so.12", "/cwd", "12.1", "RPATH /cwd");
  EXPECT_THAT(texts(Kind::Undo), IsEmpty());
  loaded[0].because = "LD_LIBRARY_PATH";
  EXPECT_THAT(texts(Kind::Undo),
              Contains("take the empty element, which means the working directory, out of "
                       "LD_LIBRARY_PATH"));
}

TEST_F(RemedyCases, anElementAtWhichLoadingFailsIsTakenAway) {
  libraryPath = {"", "/bad", "/ba"};
  load.failure = "/bad/libx.so.1: invalid ELF header";
  EXPECT_THAT(texts(Kind::Undo), Contains("take /bad out of LD_LIBRARY_PATH"));
}

TEST_F(RemedyCases, whatThePreloadBroughtIsDropped) {
  std::vector<std::string> preload = {"/p/libcublas.so.12"};
  take("libcublas.so.12", "/p", "12.1", "LD_PRELOAD");
  process.preload = preload;
  loaded[0].broughtBy = "torch";
  EXPECT_THAT(texts(Kind::Undo), IsEmpty());
  loaded[0].broughtBy = "LD_PRELOAD";
  EXPECT_THAT(texts(Kind::Undo), ElementsAre("unset LD_PRELOAD, which loads /p/libcublas.so.12"));
  process.preload = {};
  EXPECT_THAT(texts(Kind::Undo), IsEmpty());
}

TEST_F(RemedyCases, withoutARuntimeNothingOfItIsChanged) {
  lacksFile("libcublas.so.12");
  toolkits = {{"/opt/x", {0, 0}}};
  policy::RemedyContext context;
  context.pip = "pip install";
  context.toolkits = toolkits;
  made().installed = nullptr;
  for (const policy::Remedy &each : policy::remediesFor(process, context))
    EXPECT_EQ(each.kind, Kind::Wheel);
  installed.line = {};
  EXPECT_THAT(texts(Kind::Rebuild), IsEmpty());
}

TEST_F(RemedyCases, theInstalledTorchIsNoOtherOne) {
  lacks("__nvJitLinkCreate_12_5", "libnvJitLink.so.12");
  file.needed = {"libnvJitLink.so.12", "libc10.so"};
  installed.torch = "2.6.0+cu124";
  EXPECT_THAT(texts(Kind::Framework), Not(Contains(testing::HasSubstr("2.6.0"))));
  EXPECT_THAT(texts(Kind::Framework), Contains("raise torch to 2.7.0 (CUDA 12.6)"));
  installed.torch.clear();
  EXPECT_THAT(texts(Kind::Framework), IsEmpty());
}

TEST_F(RemedyCases, aFileThatFitsIsNotPatched) {
  file.needed = {"libc.so.6"};
  EXPECT_EQ(patched(), "");
}

TEST_F(RemedyCases, needsOfTheEnvironmentAreAdded) {
  // A dependency loads one library of the environment and one of the system.
  for (const char *name : {"libcusparse.so.12", "libstdc++.so.6"})
    load.steps.emplace_back().name = name;
  EXPECT_THAT(patched(), StartsWith("--add-needed libcusparse.so.12 --force-rpath"));
  load.steps.clear();
  lacksFile("libcudart.so.12");
  EXPECT_THAT(patched(), StartsWith("--add-needed libcudart.so.12 --force-rpath"));
  lacksFile("libcublas.so.12");
  EXPECT_EQ(patched(), "");
}

TEST_F(RemedyCases, needsOfSymbolsAndVersionsAreAdded) {
  lacks("nvJitLinkCreate", "libnvJitLink.so.12");
  EXPECT_THAT(patched(), StartsWith("--add-needed libnvJitLink.so.12 --force-rpath"));
  file.needed = {"libnvJitLink.so.12"};
  EXPECT_THAT(patched(), StartsWith("--force-rpath"));
  // The driver is found by itself, and a symbol of no library of NVIDIA's is not looked up.
  file.needed.clear();
  lacks("cuInit", "libcuda.so.1");
  EXPECT_EQ(patched(), "");
  lacks("f", "libown.so.1");
  EXPECT_EQ(patched(), "");
  binding.symbol.clear();
  EXPECT_EQ(patched(), "--add-needed libown.so.1");
}

TEST_F(RemedyCases, aPathInNeededBecomesTheName) {
  file.needed = {"/build/lib/libcudart.so.12", "/build/lib/libown.so.1"};
  EXPECT_THAT(patched(), StartsWith("--replace-needed /build/lib/libcudart.so.12 libcudart.so.12 "
                                    "--force-rpath"));
}

TEST_F(RemedyCases, onlyTheGraftedNameThatIsMissingIsReplaced) {
  file.needed = {"libfoo-96c42e41.so.1", "libbar-96c42e41.so.1", "libbaz.so.1"};
  lacksFile("libfoo-96c42e41.so.1");
  EXPECT_EQ(patched(), "--replace-needed libfoo-96c42e41.so.1 libfoo.so.1");
  lacksFile("libbaz.so.1");
  EXPECT_EQ(patched(), "");
}

TEST_F(RemedyCases, aFolderStandsInTheSearchPathOnce) {
  TargetLibrary second = *installed.find("libcusparse.so.12");
  second.soname = "libcusparse2.so.12";
  second.path = llvm::StringRef(second.path).rsplit('/').first.str() + "/" + second.soname;
  installed.libraries.push_back(second);
  file.needed = {"libcusparse.so.12", "libcusparse2.so.12"};
  file.rpath = {"$ORIGIN/../nvidia/cusparse/lib"};
  file.hasRpath = true;
  EXPECT_EQ(patched(), "--force-rpath --set-rpath '$ORIGIN/../nvidia/cusparse/lib'");
}

TEST_F(RemedyCases, relinkingAddsANameOnceAndKeepsThePathWithoutANewOne) {
  file.needed = {"libcudart.so.12"};
  file.runpath = {"/own"};
  file.hasRunpath = true;
  policy::Change change;
  change.needed = {"libcudart.so.12", "libcusparse.so.12"};
  BinaryFacts out = policy::relinked(file, change);
  EXPECT_THAT(out.needed, ElementsAre("libcusparse.so.12", "libcudart.so.12"));
  EXPECT_TRUE(out.hasRunpath);
  EXPECT_FALSE(out.hasRpath);
}

TEST_F(RemedyCases, torchIsImportedFirstIfItIsThereAndIsNot) {
  EXPECT_THAT(texts(Kind::Order), IsEmpty());
  installed.torch = "2.5.1+cu124";
  EXPECT_THAT(commands(Kind::Order), ElementsAre("python -c 'import torch, ext.native'"));
  before = {"torch"};
  EXPECT_THAT(texts(Kind::Order), ElementsAre("import ext.native before torch"));
}

TEST_F(RemedyCases, aFileWithoutAModuleIsNotImported) {
  installed.torch = "2.5.1+cu124";
  before = {"other"};
  policy::RemedyContext context;
  context.name = "native.so";
  std::vector<std::string> texts;
  for (const policy::Remedy &each : policy::remediesFor(made(), context)) {
    texts.push_back(each.text);
    EXPECT_THAT(each.commands, IsEmpty());
  }
  EXPECT_THAT(texts, ElementsAre("import native.so before other", "import torch before native.so"));
}

TEST_F(RemedyCases, aVariableLeadsToACopyFromElsewhere) {
  lacksFile("libcublas.so.12");
  libraryPath = {"/opt/lib", "/own"};
  found("libcublas.so.12", "/own", "LD_LIBRARY_PATH");
  found("libcublas.so.11", "/opt/11", "loader's cache");
  EXPECT_THAT(texts(Kind::Variable), IsEmpty());
  found("libcublas.so.12", "/opt/lib", "loader's cache");
  EXPECT_THAT(texts(Kind::Variable),
              ElementsAre("put its folder into LD_LIBRARY_PATH", "load it before everything else"));
  EXPECT_THAT(commands(Kind::Variable), ElementsAre("export LD_LIBRARY_PATH=/opt/lib:/own",
                                                    "export LD_PRELOAD=/opt/lib/libcublas.so.12"));
}

TEST_F(RemedyCases, aVariableHasTheFoldersOfAllThatIsNotLoaded) {
  lacksFile("libcublas.so.12");
  found("libcublas.so.12", "/opt/lib", "loader's cache");
  TargetLibrary pathless;
  pathless.soname = "libnvrtc.so.12";
  installed.libraries.push_back(pathless);
  TargetLibrary own;
  own.soname = "libcublas.so.12";
  own.path = "/env/libcublas.so.12";
  installed.libraries.push_back(own);
  file.needed = {"libcublas.so.12", "libcusparse.so.12", "libcudart.so.12", "libnvrtc.so.12"};
  load.steps.emplace_back().name = "libcudart.so.12";
  EXPECT_THAT(texts(Kind::Variable), Contains("put their folders into LD_LIBRARY_PATH"));
  std::string cusparse = std::string(test::site) + "/nvidia/cusparse/lib";
  EXPECT_THAT(commands(Kind::Variable), Contains("export LD_LIBRARY_PATH=/opt/lib:" + cusparse));
  copies[0].path = cusparse + "/libcublas.so.12";
  EXPECT_THAT(texts(Kind::Variable), Contains("put its folder into LD_LIBRARY_PATH"));
}

TEST_F(RemedyCases, aVariableLeadsToWhatIsOpenedAndNotFound) {
  found("libcufft.so.11", "/opt/lib", "loader's cache");
  load.notOpened = {{"libcufft.so.11", "some-package"}};
  EXPECT_THAT(texts(Kind::Variable), Not(IsEmpty()));
  load.notOpened[0].isBeside = true;
  EXPECT_THAT(texts(Kind::Variable), IsEmpty());
  // What the file itself lacks comes first.
  load.notOpened[0].isBeside = false;
  lacksFile("libcublas.so.12");
  EXPECT_THAT(texts(Kind::Variable), IsEmpty());
}
