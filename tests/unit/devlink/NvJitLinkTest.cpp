// SPDX-License-Identifier: Apache-2.0
#include "FakeLibraries.h"
#include "plugins/devlink/linker/Linker.h"
#include <cstring>
#include <gmock/gmock.h>

using namespace cudacc::devlink;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

namespace fakeJit {
/// What the fake library does, and what was done with it.
struct Behaviour {
  unsigned major = 12, minor = 5;
  int versionResult = 0, createResult = 0, addResult = 0, completeResult = 0, getResult = 0;
  /// Of the error log, before any failure.
  std::string errors;
  size_t size = 0;
  std::vector<std::string> calls;
};
static Behaviour now;

/// It keeps pointers to what it is given, and reads it at the end.
struct Handle {
  std::vector<const char *> options, names, data;
  std::vector<size_t> sizes;
  std::string output;
};

static int version(unsigned *major, unsigned *minor) {
  now.calls.push_back("version");
  *major = now.major, *minor = now.minor;
  return now.versionResult;
}
static int create(Handle **handle, uint32_t count, const char *const *options) {
  now.calls.push_back("create");
  *handle = new Handle{{options, options + count}, {}, {}, {}, {}};
  // It is not to be destroyed by the caller.
  static std::unique_ptr<Handle> refused;
  if (now.createResult)
    refused.reset(*handle);
  return now.createResult;
}
static int destroy(Handle **handle) {
  now.calls.push_back("destroy");
  // A caller that still read something would read this.
  std::fill((*handle)->output.begin(), (*handle)->output.end(), '#');
  delete *handle;
  *handle = nullptr;
  return 0;
}
static int addData(Handle *handle, int kind, const void *data, size_t size, const char *name) {
  now.calls.push_back("add " + std::to_string(kind) + " " + name);
  handle->names.push_back(name);
  handle->data.push_back(static_cast<const char *>(data));
  handle->sizes.push_back(size);
  return handle->data.size() == 2 ? now.addResult : 0;
}
static int complete(Handle *handle) {
  now.calls.push_back("complete");
  for (const char *option : handle->options)
    handle->output.append(option).append(";");
  for (size_t i = 0; i < handle->data.size(); ++i)
    handle->output.append(handle->data[i], handle->sizes[i]);
  return now.completeResult;
}
static int outputSize(Handle *handle, size_t *size) {
  *size = now.size ? now.size : handle->output.size();
  return now.getResult;
}
static int output(Handle *handle, char *bytes) {
  memcpy(bytes, handle->output.data(), handle->output.size());
  return now.getResult;
}
static int ptxSize(Handle *handle, size_t *size) {
  *size = handle->output.size() + 1;
  return 0;
}
static int ptx(Handle *handle, char *text) {
  memcpy(text, handle->output.c_str(), handle->output.size() + 1);
  return 0;
}
static int errorLogSize(Handle *, size_t *size) {
  *size = now.errors.size() + 1;
  return 0;
}
static int errorLog(Handle *, char *log) {
  now.calls.push_back("log");
  memcpy(log, now.errors.c_str(), now.errors.size() + 1);
  return 0;
}
static int infoLogSize(Handle *, size_t *size) {
  *size = 5;
  return 0;
}
static int infoLog(Handle *, char *log) {
  memcpy(log, "info", 5);
  return 0;
}

static void addAll(FakeLibraries::Library &library, const std::string &prefix,
                   const std::string &suffix) {
  auto add = [&](const char *name, auto *function) {
    library.add(prefix + name + suffix, function);
  };
  add("Create", create);
  add("Destroy", destroy);
  add("AddData", addData);
  add("Complete", complete);
  add("GetLinkedCubinSize", outputSize);
  add("GetLinkedCubin", output);
  add("GetLinkedPtxSize", ptxSize);
  add("GetLinkedPtx", ptx);
  add("GetErrorLogSize", errorLogSize);
  add("GetErrorLog", errorLog);
  add("GetInfoLogSize", infoLogSize);
  add("GetInfoLog", infoLog);
}
} // namespace fakeJit

namespace {
class NvJitLink : public ::testing::Test {
protected:
  NvJitLink() {
    fakeJit::now = {};
    library().soname = "libnvJitLink.so.12";
    library().add("nvJitLinkVersion", fakeJit::version);
    fakeJit::addAll(library(), "__nvJitLink", "_12_4");
    fakeJit::addAll(library(), "__nvJitLink", "_12_5");
    job.library = "/w/libnvJitLink.so.12";
    job.inputs = {{JobInputKind::Cubin, "a.cubin", std::string_view("A\0B", 3)},
                  {JobInputKind::Ptx, "b.ptx", "text"}};
    job.links = {{{"-arch=sm_90", "-lineinfo"}, Emit::Cubin, {1, 0}}};
  }
  FakeLibraries::Library &library() { return fakes.libraries["/w/libnvJitLink.so.12"]; }
  Reply run() { return cudacc::devlink::link(job, fakes); }
  LinkResult only() {
    Reply reply = run();
    EXPECT_EQ(reply.opening, Opening::Ok) << reply.failure;
    EXPECT_EQ(reply.results.size(), 1u);
    return reply.results.empty() ? LinkResult() : reply.results[0];
  }

  FakeLibraries fakes;
  Job job;
};
} // namespace

// LT-12, LT-13: the output, read from the inputs and options at the end, is a copy.
TEST_F(NvJitLink, linksInputsInTheOrderOfTheLink) {
  LinkResult result = only();
  EXPECT_TRUE(result.ok) << result.failure;
  EXPECT_EQ(result.output, std::string("-arch=sm_90;-lineinfo;text\0A\0B", 30));
  EXPECT_EQ(result.infoLog, "info");
  EXPECT_EQ(result.errorLog, "");
  EXPECT_THAT(fakeJit::now.calls, ElementsAre("version", "create", "add 2 b.ptx", "add 1 a.cubin",
                                              "complete", "log", "destroy"));
}

TEST_F(NvJitLink, callsTheNewestEntryPoints) {
  only();
  EXPECT_THAT(fakes.asked, Contains("__nvJitLinkCreate_12_5"));
  EXPECT_THAT(fakes.asked, Not(Contains("__nvJitLinkCreate_12_4")));
}

TEST_F(NvJitLink, callsTheEntryPointsThatAreAskedFor) {
  job.entryPoints = {12, 4};
  only();
  EXPECT_THAT(fakes.asked, Contains("__nvJitLinkCreate_12_4"));
  EXPECT_THAT(fakes.asked, Not(Contains("__nvJitLinkCreate_12_5")));
}

TEST_F(NvJitLink, callsThoseWithoutSuffixIfOneIsMissing) {
  library().functions.erase("__nvJitLinkGetInfoLog_12_5");
  fakeJit::addAll(library(), "nvJitLink", "");
  EXPECT_TRUE(only().ok);
  EXPECT_THAT(fakes.asked, Contains("nvJitLinkGetInfoLog"));
}

TEST_F(NvJitLink, withoutAFunctionItIsUnusable) {
  library().functions.erase("__nvJitLinkGetInfoLog_12_5");
  Reply reply = run();
  EXPECT_EQ(reply.opening, Opening::NoEntryPoints);
  EXPECT_THAT(reply.failure, ::testing::HasSubstr("_12_5"));
  EXPECT_THAT(reply.results, IsEmpty());
}

// V-PB-01
TEST_F(NvJitLink, aLibraryThatDoesNotOpenIsReported) {
  fakes.libraries.clear();
  Reply reply = run();
  EXPECT_EQ(reply.opening, Opening::NotOpened);
  EXPECT_EQ(reply.failure, "/w/libnvJitLink.so.12: cannot open shared object file");
}

// PB-1
TEST_F(NvJitLink, isOpenedByItsSonameIfNoPathIsGiven) {
  job.library.clear();
  job.expected = {13, 1};
  run();
  EXPECT_THAT(fakes.opened, ElementsAre("libnvJitLink.so.13"));
}

// PB-2, V-PB-02
TEST_F(NvJitLink, withoutAVersionFunctionNothingIsCalled) {
  library().functions.erase("nvJitLinkVersion");
  Reply reply = run();
  EXPECT_EQ(reply.opening, Opening::TooOld);
  EXPECT_EQ(reply.failure, "it has no nvJitLinkVersion: older than 12.3");
  EXPECT_THAT(fakeJit::now.calls, IsEmpty());
  EXPECT_THAT(fakes.asked, ElementsAre("nvJitLinkVersion"));
}

// V-PB-03
TEST_F(NvJitLink, withoutLinksTheVersionIsAllThatIsAsked) {
  fakeJit::now.minor = 3;
  job.links.clear();
  Reply reply = run();
  EXPECT_EQ(reply.opening, Opening::Ok);
  EXPECT_EQ(reply.version, (LibraryVersion{12, 3}));
  EXPECT_TRUE(reply.asExpected);
  EXPECT_THAT(fakeJit::now.calls, ElementsAre("version"));
}

// PB-3, V-PB-04
TEST_F(NvJitLink, aVersionFunctionThatFailsIsReported) {
  fakeJit::now.versionResult = 6;
  Reply reply = run();
  EXPECT_EQ(reply.opening, Opening::NoVersion);
  EXPECT_EQ(reply.failure, "nvJitLinkVersion: NVJITLINK_ERROR_INTERNAL (6)");
  EXPECT_THAT(fakeJit::now.calls, ElementsAre("version"));
}

// PB-3, V-PB-05
TEST_F(NvJitLink, aVersionOfAnotherMajorThanTheSonameIsAConflict) {
  fakeJit::now.major = 13, fakeJit::now.minor = 0;
  Reply reply = run();
  EXPECT_EQ(reply.opening, Opening::Conflict);
  EXPECT_EQ(reply.failure, "libnvJitLink.so.12 reports version 13.0");
  EXPECT_EQ(reply.version, (LibraryVersion{13, 0}));
  EXPECT_THAT(fakeJit::now.calls, ElementsAre("version"));
  // A SONAME that is not NVIDIA's says nothing.
  library().soname = "";
  library().add("nvJitLinkVersion", fakeJit::version);
  fakeJit::addAll(library(), "nvJitLink", "");
  EXPECT_EQ(run().opening, Opening::Ok);
}

TEST_F(NvJitLink, linksNothingIfTheVersionIsAnother) {
  job.expected = {12, 6};
  Reply reply = run();
  EXPECT_EQ(reply.opening, Opening::Ok);
  EXPECT_FALSE(reply.asExpected);
  EXPECT_EQ(reply.version, (LibraryVersion{12, 5}));
  EXPECT_THAT(reply.results, IsEmpty());
  EXPECT_THAT(fakeJit::now.calls, ElementsAre("version"));
  job.expected = {12, 5};
  EXPECT_TRUE(only().ok);
}

// V-LT-07: the log is in the result; the handle is left alone.
TEST_F(NvJitLink, aRefusedOptionIsReportedWithTheLog) {
  fakeJit::now.createResult = 1;
  fakeJit::now.errors = "unrecognized option: -lineinfo\n";
  LinkResult result = only();
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.failure, "nvJitLinkCreate: NVJITLINK_ERROR_UNRECOGNIZED_OPTION (1)");
  EXPECT_EQ(result.errorLog, "unrecognized option: -lineinfo\n");
  EXPECT_THAT(fakeJit::now.calls, ElementsAre("version", "create", "log"));
}

TEST_F(NvJitLink, aRefusedInputIsNamed) {
  fakeJit::now.addResult = 4;
  fakeJit::now.errors = "ERROR: bad PTX\n";
  LinkResult result = only();
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.failure, "nvJitLinkAddData: NVJITLINK_ERROR_PTX_COMPILE (4)");
  EXPECT_EQ(result.refused, 0u);
  EXPECT_EQ(result.errorLog, "ERROR: bad PTX\n");
  EXPECT_THAT(fakeJit::now.calls, Not(Contains("complete")));
  EXPECT_EQ(fakeJit::now.calls.back(), "destroy");
}

// V-LT-02
TEST_F(NvJitLink, aFailedLinkKeepsItsLogs) {
  fakeJit::now.completeResult = 99;
  fakeJit::now.errors = "error   : Undefined reference to 'f' in 'a.o'\n";
  LinkResult result = only();
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.failure, "nvJitLinkComplete: error 99");
  EXPECT_EQ(result.errorLog, fakeJit::now.errors);
  EXPECT_EQ(result.infoLog, "info");
  EXPECT_EQ(result.output, "");
  EXPECT_FALSE(result.refused);
}

TEST_F(NvJitLink, anErrorInTheLogOfASuccessIsAFailure) {
  fakeJit::now.errors = "note\nerror   : Undefined reference to 'f' in 'a.o'\n";
  EXPECT_EQ(only().failure, "nvJitLinkComplete: success, with errors in its log");
  fakeJit::now.errors = "warning : no error here\n";
  EXPECT_TRUE(only().ok);
}

TEST_F(NvJitLink, anImpossibleSizeIsAFailure) {
  fakeJit::now.size = SIZE_MAX;
  EXPECT_EQ(only().failure, "nvJitLinkGetLinkedCubin: NVJITLINK_ERROR_INTERNAL (6)");
}

TEST_F(NvJitLink, anOutputThatCannotBeHadIsAFailure) {
  fakeJit::now.getResult = 3;
  LinkResult result = only();
  EXPECT_EQ(result.failure, "nvJitLinkGetLinkedCubin: NVJITLINK_ERROR_INVALID_INPUT (3)");
  EXPECT_FALSE(result.ok);
}

TEST_F(NvJitLink, writesPtxWithoutItsNul) {
  job.links[0].emit = Emit::Ptx;
  job.links[0].inputs = {1};
  EXPECT_EQ(only().output, "-arch=sm_90;-lineinfo;text");
}

// PB-6
TEST_F(NvJitLink, writesLtoIrIfTheLibraryCan) {
  job.links[0].emit = Emit::LtoIr;
  EXPECT_EQ(only().failure, "it has no nvJitLinkGetLinkedLTOIR");
  library().add("__nvJitLinkGetLinkedLTOIRSize_12_5", fakeJit::outputSize);
  library().add("__nvJitLinkGetLinkedLTOIR_12_5", fakeJit::output);
  EXPECT_TRUE(only().ok);
}

// A failed link does not keep the others from being done.
TEST_F(NvJitLink, doesEveryLinkOfTheJob) {
  job.links.push_back(job.links[0]);
  job.links[0].emit = Emit::LtoIr;
  Reply reply = run();
  ASSERT_EQ(reply.results.size(), 2u);
  EXPECT_FALSE(reply.results[0].ok);
  EXPECT_TRUE(reply.results[1].ok);
  EXPECT_EQ(std::count(fakeJit::now.calls.begin(), fakeJit::now.calls.end(), "destroy"), 2);
}
