// SPDX-License-Identifier: Apache-2.0
#include "Traced.h"
#include "plugins/rtld/Names.h"
#include "gmock/gmock.h"

namespace cudacc::test {

using core::LoadedBy;
using rtld::TracedCopy;
using rtld::TracedProcess;
using rtld::TracedRequest;

/// Of the single process.
static TracedProcess onlyProcess(Traced &traced) {
  rtld::TraceReport report = traced.trace();
  EXPECT_EQ(report.processes.size(), 1u);
  return report.processes.empty() ? TracedProcess() : report.processes[0];
}

static const rtld::TracedLibrary *libraryOf(const TracedProcess &process, llvm::StringRef name) {
  for (const rtld::TracedLibrary &library : process.libraries)
    if (library.name == name)
      return &library;
  return nullptr;
}

// KC-1, LS-0a, LS-20.
TEST(TraceReplay, twoMinorsShowBothCopiesAndWhyOneWasTaken) {
  MixedMinors mixed;
  TracedProcess process = onlyProcess(mixed);
  ASSERT_EQ(process.libraries.size(), 2u);
  const rtld::TracedLibrary *library = libraryOf(process, "nvJitLink");
  ASSERT_TRUE(library);
  ASSERT_EQ(library->copies.size(), 2u);
  const TracedCopy &won = library->copies[0], &passed = library->copies[1];
  EXPECT_TRUE(won.loaded);
  EXPECT_EQ(won.path, MixedMinors::theirs);
  EXPECT_EQ(won.version, "12.4.127");
  EXPECT_FALSE(passed.loaded);
  EXPECT_EQ(passed.path, MixedMinors::newer);
  EXPECT_EQ(passed.version, "12.5.82");
  EXPECT_TRUE(passed.requests.empty());

  ASSERT_EQ(won.requests.size(), 2u);
  const TracedRequest &first = won.requests[0], &second = won.requests[1];
  EXPECT_EQ(first.askedBy, MixedMinors::sparse);
  EXPECT_EQ(first.by, LoadedBy::Runpath);
  EXPECT_EQ(first.element, "$ORIGIN/../../nvjitlink/lib");
  EXPECT_FALSE(first.concluded);
  EXPECT_EQ(first.passed, "");
  ASSERT_EQ(first.tried.size(), 2u)
      << "the folder for a kind of processor is not a search of its own";
  EXPECT_EQ(first.tried[0].path, "/site/nvidia/cusparse/lib/libnvJitLink.so.12");
  EXPECT_EQ(second.askedBy, "/site/ext.so");
  EXPECT_EQ(second.by, LoadedBy::AlreadyLoaded);
  EXPECT_TRUE(second.concluded);
  EXPECT_EQ(second.passed, MixedMinors::newer);

  ASSERT_EQ(won.missing.size(), 1u) << "a weak import and libc's are nobody's trouble";
  EXPECT_EQ(won.missing[0].symbol, "__nvJitLinkCreate_12_5");
  EXPECT_EQ(won.missing[0].importer, "/site/ext.so");
  EXPECT_EQ(won.missing[0].first, (versions::CudaVersion{12, 5}));
  EXPECT_THAT(process.closedAgain, testing::ElementsAre("/site/ext.so"));

  ASSERT_EQ(won.bindings.size(), 2u);
  EXPECT_EQ(won.bindings[0].passed, "");
  EXPECT_EQ(won.bindings[1].from, "/site/ext.so");
  EXPECT_EQ(won.bindings[1].passed, MixedMinors::newer);
  EXPECT_THAT(won.bindings[1].symbols, testing::ElementsAre("nvJitLinkVersion"));
}

TEST(TraceReplay, theSimulationSaysTheSame) {
  MixedMinors mixed;
  TracedProcess process = onlyProcess(mixed);
  EXPECT_TRUE(process.differences.empty());
  EXPECT_EQ(process.compared, 4u);
  EXPECT_TRUE(process.unknown.empty()) << process.unknown[0];
}

TEST(TraceReplay, aFileThatChangedBehindTheProgramIsADifference) {
  MixedMinors mixed;
  mixed.add("/site/nvidia/cusparse/lib/libnvJitLink.so.12");
  TracedProcess process = onlyProcess(mixed);
  ASSERT_EQ(process.differences.size(), 1u);
  EXPECT_EQ(process.differences[0].name, "libnvJitLink.so.12");
  EXPECT_EQ(process.differences[0].loader, MixedMinors::theirs);
  EXPECT_EQ(process.differences[0].simulation, "/site/nvidia/cusparse/lib/libnvJitLink.so.12");
  // The loader's result is used: its flag, without a search path element.
  const TracedRequest &request = libraryOf(process, "nvJitLink")->copies[0].requests[0];
  EXPECT_EQ(request.by, LoadedBy::Runpath);
  EXPECT_EQ(request.element, "");
}

TEST(TraceReplay, aFileThatIsGoneIsNotCompared) {
  MixedMinors mixed;
  mixed.files.erase(MixedMinors::theirs);
  mixed.files.erase("/site/ext.so");
  TracedProcess process = onlyProcess(mixed);
  EXPECT_TRUE(process.differences.empty());
  EXPECT_THAT(process.unknown,
              testing::Contains("/site/ext.so was not found when the program had ended"));
}

// AV-U04: the exports of a library are unknown.
TEST(TraceReplay, anExportListThatIsNotToBeHadSaysNothingIsMissing) {
  MixedMinors mixed;
  mixed.symbols.clear();
  TracedProcess process = onlyProcess(mixed);
  EXPECT_TRUE(libraryOf(process, "nvJitLink")->copies[0].missing.empty());
}

TEST(TraceReplay, anOlderCopyOnTheLibraryPathWins) {
  Traced traced;
  traced.add("/old/libnvJitLink.so.12");
  traced.add("/site/lib/libnvJitLink.so.12");
  traced.add("/site/ext.so", {{"libnvJitLink.so.12"}, {}, "$ORIGIN/lib", ""});
  traced.written.line("S 7 1 /bin/python /work /old 1  python")
      .line("O 7 1 0 ")
      .line("R 7")
      .line("Q 7 1 1 /site/ext.so")
      .line("A 7 1")
      .line("O 7 2 0 /site/ext.so")
      .line("Q 7 2 1 libnvJitLink.so.12")
      .line("Q 7 2 2 /old/libnvJitLink.so.12")
      .line("O 7 3 0 /old/libnvJitLink.so.12")
      .line("A 7 0");
  TracedProcess process = onlyProcess(traced);
  ASSERT_EQ(process.libraries.size(), 1u);
  const TracedRequest &request = process.libraries[0].copies[0].requests[0];
  EXPECT_EQ(request.by, LoadedBy::LibraryPath);
  EXPECT_EQ(request.element, "/old");
  EXPECT_TRUE(process.differences.empty());
  EXPECT_EQ(process.libraryPath, "/old");
}

TEST(TraceReplay, relativePathsAreToldAsTheyLie) {
  Traced traced;
  traced.add("/opt/app/lib/libcusparse.so.12", {{"libnvJitLink.so.12"}, {}, {}, {}});
  traced.add("/opt/app/lib/libnvJitLink.so.12");
  traced.written.line("S 7 1 /bin/python /opt/app lib 1  python")
      .line("O 7 1 0 ")
      .line("R 7")
      .line("Q 7 1 1 lib/libcusparse.so.12")
      .line("A 7 1")
      .line("O 7 2 0 lib/libcusparse.so.12")
      .line("Q 7 2 1 libnvJitLink.so.12")
      .line("Q 7 2 2 lib/libnvJitLink.so.12")
      .line("O 7 3 0 lib/libnvJitLink.so.12")
      .line("A 7 0")
      .line("B 7 2 3 3 nvJitLinkVersion");
  TracedProcess process = onlyProcess(traced);
  EXPECT_TRUE(process.differences.empty());
  EXPECT_THAT(process.unknown, testing::IsEmpty());
  EXPECT_EQ(process.compared, 2u);
  const TracedCopy &copy = libraryOf(process, "nvJitLink")->copies.at(0);
  EXPECT_EQ(copy.path, "/opt/app/lib/libnvJitLink.so.12");
  EXPECT_EQ(copy.requests.at(0).askedBy, "/opt/app/lib/libcusparse.so.12");
  EXPECT_EQ(copy.requests[0].tried.at(0).path, copy.path);
  EXPECT_EQ(copy.bindings.at(0).from, "/opt/app/lib/libcusparse.so.12");
  EXPECT_EQ(traced.trace("cusparse").processes.at(0).libraries.at(0).name, "nvJitLink");
}

// LS-21, LS-45: a program may load a second copy by its path.
TEST(TraceReplay, twoCopiesInOneProcessAreBothLoaded) {
  Traced traced;
  traced.add("/a/libnvJitLink.so.12");
  traced.add("/b/libnvJitLink-1a2b3c4d.so.12");
  traced.written.line("S 7 1 /bin/python /a  0  python").line("O 7 1 0 ").line("R 7");
  for (const char *path : {"libnvJitLink.so.12", "/b/libnvJitLink-1a2b3c4d.so.12"})
    traced.written.line(std::string("Q 7 1 1 ") + (path[0] == '/' ? path : "./libnvJitLink.so.12"))
        .line("A 7 1")
        .line(std::string("O 7 ") + (path[0] == '/' ? "3 0 " : "2 0 ") +
              (path[0] == '/' ? path : "./libnvJitLink.so.12"))
        .line("A 7 0");
  TracedProcess process = onlyProcess(traced);
  ASSERT_EQ(process.libraries.size(), 1u);
  EXPECT_EQ(process.libraries[0].loaded(), 2u);
  EXPECT_EQ(process.libraries[0].copies[0].path, "/a/libnvJitLink.so.12");
  EXPECT_TRUE(process.libraries[0].copies[0].requests[0].byDlopen);
  EXPECT_TRUE(process.differences.empty());
}

TEST(TraceReplay, whatIsNotFoundSaysWhereItWasSearched) {
  Traced traced;
  traced.add("/site/ext.so", {{"libcudart.so.12"}, {}, "$ORIGIN/lib", ""});
  traced.written.line("S 7 1 /bin/python /work  0  python")
      .line("O 7 1 0 ")
      .line("R 7")
      .line("Q 7 1 1 /site/ext.so")
      .line("A 7 1")
      .line("O 7 2 0 /site/ext.so")
      .line("Q 7 2 1 libcudart.so.12")
      .line("Q 7 2 4 /site/lib/libcudart.so.12")
      .line("Q 7 2 64 /lib/libcudart.so.12")
      .line("A 7 0")
      .line("C 7 2");
  TracedProcess process = onlyProcess(traced);
  ASSERT_EQ(process.libraries.size(), 1u);
  EXPECT_TRUE(process.libraries[0].copies.empty());
  ASSERT_EQ(process.libraries[0].notFound.size(), 1u);
  const TracedRequest &request = process.libraries[0].notFound[0];
  EXPECT_FALSE(request.by);
  EXPECT_FALSE(request.byDlopen);
  EXPECT_EQ(request.tried.size(), 2u);
  EXPECT_TRUE(process.differences.empty());
}

// LS-22: another path to the same file is not a second copy, and the loader does not map it again.
TEST(TraceReplay, theSameFileByAnotherPathIsTheSameCopy) {
  Traced traced;
  traced.add("/a/libnvJitLink.so.12", {{}, {}, {}, ""});
  traced.link("/b/libnvJitLink.so.12", "/a/libnvJitLink.so.12");
  traced.written.line("S 7 1 /bin/python /work  0  python")
      .line("O 7 1 0 ")
      .line("R 7")
      .line("Q 7 1 1 /a/libnvJitLink.so.12")
      .line("A 7 1")
      .line("O 7 2 0 /a/libnvJitLink.so.12")
      .line("A 7 0")
      .line("Q 7 1 1 /b/libnvJitLink.so.12");
  TracedProcess process = onlyProcess(traced);
  ASSERT_EQ(process.libraries.size(), 1u);
  ASSERT_EQ(process.libraries[0].copies.size(), 1u);
  const TracedCopy &copy = process.libraries[0].copies[0];
  ASSERT_EQ(copy.requests.size(), 2u);
  EXPECT_EQ(copy.requests[1].by, LoadedBy::SameFile);
  EXPECT_TRUE(process.libraries[0].notFound.empty());
  EXPECT_TRUE(process.differences.empty());
}

TEST(TraceReplay, aProgramThatLacksALibraryNeverRuns) {
  Traced traced;
  core::BinaryFacts &program = traced.add("/bin/app", {{"libcudart.so.12"}, {}, {}, ""});
  program.kind = core::BinaryKind::Executable;
  program.machine = 62;
  traced.written.line("S 7 1 /bin/app /work  0  app")
      .line("O 7 1 0 ")
      .line("O 7 2 0 /lib64/ld-linux-x86-64.so.2")
      .line("Q 7 1 1 libcudart.so.12");
  TracedProcess process = onlyProcess(traced);
  EXPECT_TRUE(process.neverStarted);
  ASSERT_EQ(process.libraries.size(), 1u);
  EXPECT_FALSE(process.libraries[0].notFound.at(0).byDlopen);
  EXPECT_TRUE(process.differences.empty());
}

TEST(TraceReplay, preloadsAndNamespacesAreSaidNotCompared) {
  Traced traced;
  traced.add("/pre/libcudart.so.12");
  traced.add("/apart/libnvJitLink.so.12");
  traced.written.line("S 7 1 /bin/python /work  0 /pre/libcudart.so.12 python")
      .line("O 7 1 0 ")
      .line("Q 7 1 1 /pre/libcudart.so.12")
      .line("O 7 2 0 /pre/libcudart.so.12")
      .line("R 7")
      .line("Q 7 1 1 /apart/libnvJitLink.so.12")
      .line("A 7 1")
      .line("O 7 3 1 /apart/libnvJitLink.so.12")
      .line("A 7 0");
  TracedProcess process = onlyProcess(traced);
  EXPECT_EQ(process.compared, 0u);
  EXPECT_THAT(process.unknown,
              testing::ElementsAre("the start was not simulated: LD_PRELOAD is set",
                                   "namespaces of dlmopen are not simulated"));
  EXPECT_EQ(process.libraries.size(), 2u);
}

TEST(TraceReplay, processesWithoutNvidiasLibrariesAreOnlyCounted) {
  MixedMinors mixed;
  mixed.written.line("S 9 7 /bin/true /work  0  true").line("O 9 1 0 ").line("R 9");
  rtld::TraceReport report = mixed.trace();
  EXPECT_EQ(report.processes.size(), 1u);
  EXPECT_EQ(report.allProcesses, 2u);
  EXPECT_EQ(report.allObjects, 8u);
}

// Records that no loader would write still give an answer.
TEST(TraceReplay, nonsenseIsSurvived) {
  for (const char *line : {"O 7 7 0 /bin/python", "O 7 6 9 libcudart.so.12", "B 7 99 98 3 x",
                           "Q 7 77 1 libcudart.so.12", "Q 7 1 4 libcudart.so.12", "C 7 1",
                           "O 7 1 0 libcudart.so.12", "Q 7 1 1 ", "R 7"}) {
    MixedMinors mixed;
    mixed.written.line(line).line(line).line("Q 7 1 1 libcudart.so.12");
    EXPECT_EQ(mixed.trace().processes.size(), 1u) << line;
  }
}

TEST(TraceReplay, whatNoProgramDoesEndsAllTheSame) {
  MixedMinors mixed;
  Written written(4 << 20);
  written.line("S 7 1 /bin/python /work  0  python").line("O 7 1 0 ").line("R 7");
  for (int i = 2; i < 4000; ++i)
    written.line("Q 7 1 1 /site/ext.so")
        .line("O 7 " + std::to_string(i) + " 0 /site/ext.so")
        .line("A 7 0");
  written.line("Q 7 1 1 libcudart.so.12");
  mixed.written = written;
  TracedProcess process = onlyProcess(mixed);
  EXPECT_THAT(process.unknown,
              testing::Contains("too many loads: the last ones were not simulated"));
  EXPECT_EQ(process.objects, 3999u);
}

TEST(TraceReplay, namesAreRecognisedAsTheyAreAndAsTheyAreGrafted) {
  EXPECT_EQ(rtld::libraryName("/x/libnvJitLink.so.12"), "nvJitLink");
  EXPECT_EQ(rtld::libraryName("libcudart-96c42e41.so.13"), "cudart");
  EXPECT_EQ(rtld::libraryName("libcudart-96c42e4.so.13"), "");
  EXPECT_EQ(rtld::libraryName("libcudart_static.a"), "");
  EXPECT_EQ(rtld::libraryName("libc.so.6"), "");
  EXPECT_EQ(rtld::libraryName(""), "");
}

} // namespace cudacc::test
