// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/trace/TraceOutput.h"
#include "driver/report/json/Json.h"
#include "gmock/gmock.h"

namespace cudacc::test {

using namespace core;
using namespace commands;
using namespace rtld;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

static TracedRequest requestOf(std::string askedBy, LoadedBy by) {
  TracedRequest request;
  request.name = "libnvJitLink.so.12";
  request.askedBy = std::move(askedBy);
  request.by = by;
  return request;
}

static TracedCopy copyAt(std::string path, std::string version, bool loaded) {
  TracedCopy copy;
  copy.path = std::move(path);
  copy.soname = "libnvJitLink.so.12";
  copy.version = std::move(version);
  copy.loaded = loaded;
  return copy;
}

/// One process with one copy of one library.
static TraceReport traceOfOne() {
  TraceReport report;
  report.words = {"python"};
  report.allProcesses = 1;
  report.allObjects = 9;
  TracedProcess &process = report.processes.emplace_back();
  process.pid = 7;
  process.program = "/usr/bin/python3.11";
  process.words = {"python", "-c", "import torch"};
  process.compared = 3;
  TracedLibrary &library = process.libraries.emplace_back();
  library.name = "nvJitLink";
  library.copies = {copyAt("/site/nvidia/nvjitlink/lib/libnvJitLink.so.12", "12.4.127", true)};
  TracedRequest request =
      requestOf("/site/nvidia/cusparse/lib/libcusparse.so.12", LoadedBy::Runpath);
  request.element = "$ORIGIN/../../nvjitlink/lib";
  request.elementOf = request.askedBy;
  request.tried = {{LoadedBy::Runpath, "/site/nvidia/cusparse/lib/libnvJitLink.so.12"},
                   {LoadedBy::Runpath, library.copies[0].path}};
  library.copies[0].requests.push_back(request);
  return report;
}

TEST(TraceText, saysInTheFirstLineThatAllIsWell) {
  EXPECT_EQ(traceText(traceOfOne()),
            "1 CUDA library, one copy\n"
            "  libnvJitLink.so.12  12.4.127  loaded\n"
            "    /site/nvidia/nvjitlink/lib/libnvJitLink.so.12\n"
            "    asked by  .../cusparse/lib/libcusparse.so.12 (NEEDED): RUNPATH "
            "$ORIGIN/../../nvjitlink/lib\n"
            "              not in /site/nvidia/cusparse/lib\n"
            "  simulation  the same for all of 3 requests\n");
}

TEST(TraceText, saysWhatNobodyAskedForAndWhatNobodySaw) {
  TraceReport none;
  none.unknown = {"/bin/static NEEDs no library: a static program has no loader to ask"};
  EXPECT_THAT(traceText(none), StartsWith("nothing was seen\n  unknown  /bin/static"));
  TraceReport other;
  other.allProcesses = 3;
  other.allObjects = 37;
  EXPECT_EQ(traceText(other), "no CUDA library was requested (37 objects in 3 processes)\n");
}

// KC-1.
TEST(TraceText, aSymbolThatTheCopyLacksIsToldBeforeAllElse) {
  TraceReport report = traceOfOne();
  TracedProcess &process = report.processes[0];
  TracedLibrary &library = process.libraries[0];
  library.copies.push_back(copyAt("/new/libnvJitLink.so.12", "12.5.82", false));
  TracedRequest request = requestOf("/site/ext.so", LoadedBy::AlreadyLoaded);
  request.concluded = true;
  request.passed = "/new/libnvJitLink.so.12";
  TracedCopy &won = library.copies[0];
  won.requests.push_back(request);
  EXPECT_THAT(
      traceText(report),
      StartsWith("python3.11: libnvJitLink.so.12 12.4.127 was taken, 12.5.82 passed over\n"));
  won.missing = {{"/site/ext.so", "__nvJitLinkCreate_12_5", "libnvJitLink.so.12", {12, 5}},
                 {"/site/ext.so", "__nvJitLinkDestroy_12_5", "libnvJitLink.so.12", {12, 5}}};
  won.bindings = {{"/site/ext.so", "/new/libnvJitLink.so.12", {"nvJitLinkVersion"}}};
  process.closedAgain = {"/site/ext.so"};
  process.libraries.push_back({"cuda", {}, {requestOf("", LoadedBy::Root)}});
  process.libraries[1].notFound[0].by.reset();
  std::string text = traceText(report);
  EXPECT_THAT(text, StartsWith("python3.11: ext.so got libnvJitLink.so.12 12.4.127, which lacks "
                               "__nvJitLinkCreate_12_5 and 1 more\n  (and 1 more)\n"));
  for (const char *part :
       {"  libnvJitLink.so.12  12.5.82   passed over\n    /new/libnvJitLink.so.12\n",
        "/site/ext.so (NEEDED): one was loaded already; its own search leads to 12.5.82\n",
        "    symbols   1 of /site/ext.so (meant for 12.5.82)\n", "(first in CUDA 12.5), for",
        "which was closed again at once"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST(TraceText, twoCopiesInOneProcessAreTold) {
  TraceReport report = traceOfOne();
  report.processes[0].libraries[0].copies.push_back(copyAt("/b/libnvJitLink.so.12", "", true));
  EXPECT_THAT(traceText(report),
              StartsWith("python3.11: libnvJitLink.so.12 is in the process 2 times: 12.4.127, "
                         "unknown\n"));
}

TEST(TraceText, aNameThatWasOnlyTriedIsNoError) {
  TraceReport report = traceOfOne();
  TracedRequest request;
  request.name = "libcuda.so.1";
  request.byDlopen = true;
  request.tried = {{LoadedBy::Default, "/lib/libcuda.so.1"}};
  report.processes[0].libraries.push_back({"cuda", {}, {request}});
  std::string text = traceText(report, {true});
  EXPECT_THAT(text, StartsWith("python3.11: libcuda.so.1 was tried and not found\n"));
  report.processes[0].libraries[1].notFound[0].byDlopen = false;
  EXPECT_THAT(traceText(report), StartsWith("python3.11: libcuda.so.1 was not found\n"));
  EXPECT_THAT(traceText(report), HasSubstr("not in /lib\n"));
}

TEST(TraceText, differencesAndGapsAreTold) {
  TraceReport report = traceOfOne();
  TracedProcess &process = report.processes[0];
  process.differences = {{"libx.so", "/a/b/c/d.so", "/lib/libx.so", ""}};
  process.unknown = {"/gone.so was not found when the program had ended"};
  std::string text = traceText(report);
  EXPECT_THAT(text, StartsWith("python3.11: the loader did not behave as expected\n"));
  EXPECT_THAT(text, HasSubstr("differs in 1 of 3"));
  EXPECT_THAT(text, HasSubstr("the loader took /lib/libx.so, expected was nothing"));
  EXPECT_THAT(text, HasSubstr("  unknown     /gone.so was not found when the program had ended\n"));
}

TEST(TraceText, severalProcessesHaveHeadingsAndThoseAlikeOne) {
  TraceReport report = traceOfOne();
  for (uint64_t pid : {8, 9}) {
    report.processes.push_back(report.processes[0]);
    report.processes.back().pid = pid;
  }
  EXPECT_THAT(traceText(report),
              StartsWith("1 CUDA library in 3 processes, one copy each\n"
                         "process 7 and 2 alike: python -c import torch\n  libnvJitLink"));
  report.processes[2].libraries[0].copies[0].version = "12.5.82";
  std::string text = traceText(report);
  EXPECT_THAT(text, HasSubstr("process 7 and 1 alike: python"));
  EXPECT_THAT(text, HasSubstr("\nprocess 9: python"));
}

// Names of a program's files must not move the terminal's cursor.
TEST(TraceText, hostileNamesAreEscaped) {
  TraceReport report = traceOfOne();
  TracedProcess &process = report.processes[0];
  process.program = "/bin/\x1b[2Jx";
  process.libraries[0].copies[0].path = "/a\n\x1b]0;b/lib.so";
  process.libraries[0].copies[0].requests[0].askedBy = std::string("/\xff\xfe.so");
  process.libraries[0].notFound = {requestOf("/x\x07.so", LoadedBy::Root)};
  process.words = {"a\rb"};
  process.unknown = {"\x1b"};
  report.processes.push_back(process);
  std::string text = traceText(report);
  for (char c : {'\x1b', '\r', '\x07', '\xff'})
    EXPECT_EQ(text.find(c), std::string::npos) << int(c);
  EXPECT_TRUE(llvm::json::isUTF8(report::print(traceJson(report))));
}

TEST(TraceText, linesWithoutPathsFit) {
  TraceReport report = traceOfOne();
  TracedCopy &copy = report.processes[0].libraries[0].copies[0];
  for (int i = 0; i < 40; ++i) {
    copy.missing.push_back({"/e/ext.so", "__nvJitLinkSomething" + std::to_string(i), "", {}});
    copy.requests.push_back(
        requestOf("/e/ext" + std::to_string(i) + ".so", LoadedBy::AlreadyLoaded));
    copy.bindings.push_back({"/e/ext" + std::to_string(i) + ".so", "", {"a", "b"}});
  }
  std::string text = traceText(report);
  EXPECT_THAT(text, HasSubstr("and 35 more\n"));
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n');
  EXPECT_LT(lines.size(), 30u);
  for (llvm::StringRef line : lines) {
    EXPECT_LE(line.size(), 100u) << line.str();
    EXPECT_EQ(line, line.rtrim());
  }
}

TEST(TraceText, coloursAreForTerminals) {
  TraceReport report = traceOfOne();
  report.processes[0].libraries[0].copies[0].missing = {{"/e.so", "f", "", {}}};
  EXPECT_THAT(traceText(report), Not(HasSubstr("\x1b")));
  EXPECT_THAT(traceText(report, {true}), StartsWith("\x1b[1;31mpython3.11\x1b[0m: e.so got"));
}

TEST(TraceJson, leavesOutWhatIsNotKnown) {
  TraceReport report = traceOfOne();
  report.signal = 9;
  const llvm::json::Value value = traceJson(report);
  const llvm::json::Object &top = *value.getAsObject();
  EXPECT_FALSE(top.get("status"));
  EXPECT_EQ(top.getInteger("signal"), 9);
  const llvm::json::Object &copy =
      *(*(*(*top.getArray("processes"))[0].getAsObject()->getArray("libraries"))[0]
             .getAsObject()
             ->getArray("copies"))[0]
           .getAsObject();
  EXPECT_FALSE(copy.get("cuda"));
  EXPECT_EQ(copy.getString("version"), "12.4.127");
  const llvm::json::Object &request = *(*copy.getArray("requests"))[0].getAsObject();
  EXPECT_EQ(request.getString("by"), "runpath");
  EXPECT_EQ(request.getString("kind"), "needed");
  EXPECT_FALSE(request.get("passed"));
}

} // namespace cudacc::test
