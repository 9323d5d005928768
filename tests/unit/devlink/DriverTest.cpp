// SPDX-License-Identifier: Apache-2.0
#include "FakeLibraries.h"
#include "plugins/devlink/linker/DriverLink.h"
#include "plugins/devlink/linker/Linker.h"
#include <cstring>
#include <gmock/gmock.h>

using namespace cudacc::devlink;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

namespace fakeDriver {
/// What the fake driver does, and what was done with it.
struct Behaviour {
  int version = 13000;
  int versionResult = 0, initResult = 0, contextResult = 0, createResult = 0, addResult = 0,
      completeResult = 0, destroyResult = 0;
  std::vector<std::string> calls;
  /// Of the last link, without the logs.
  std::vector<std::pair<int, uintptr_t>> options;
  std::vector<int> kinds;
};
static Behaviour now;

/// Like the driver, it keeps the pointers that it was given until it is destroyed, and writes
/// through them then too.
struct State {
  void **values;
  char *buffers[2];
  size_t written[2] = {};
  std::vector<const char *> names = {}, data = {};
  std::vector<size_t> sizes = {};
  char *cubin = nullptr;
  size_t cubinSize = 0;

  void log(int which, const std::string &text) {
    memcpy(buffers[which] + written[which], text.data(), text.size());
    written[which] += text.size();
    // An unsigned int in the slot of a pointer; the rest of it is not the driver's.
    uint32_t size = uint32_t(written[which]);
    memset(&values[1 + 2 * which], 0xee, sizeof(void *));
    memcpy(&values[1 + 2 * which], &size, sizeof size);
  }
};

static int errorName(int result, const char **name) {
  *name = result == 100 ? "CUDA_ERROR_NO_DEVICE" : "CUDA_ERROR_INVALID_IMAGE";
  return result < 0;
}
static int version(int *value) {
  *value = now.version;
  return now.versionResult;
}
static int init(unsigned) {
  now.calls.push_back("init");
  return now.initResult;
}
static int device(int *value, int) { return *value = 0; }
static int retain(struct CuContextObject **context, int) {
  now.calls.push_back("retain");
  static int object;
  *context = reinterpret_cast<CuContextObject *>(&object);
  return now.contextResult;
}
static int release(int) {
  now.calls.push_back("release");
  return 0;
}
static int setContext(struct CuContextObject *context) { return context ? 0 : 201; }
static int create(unsigned count, int *keys, void **values, State **state) {
  now.calls.push_back("create");
  now.options.clear();
  for (unsigned i = 4; i < count; ++i)
    now.options.emplace_back(keys[i], reinterpret_cast<uintptr_t>(values[i]));
  EXPECT_THAT(std::vector<int>(keys, keys + 4), ElementsAre(3, 4, 5, 6));
  for (int size : {1, 3})
    EXPECT_EQ(reinterpret_cast<uintptr_t>(values[size]), size_t(4) << 20);
  State made{values, {static_cast<char *>(values[0]), static_cast<char *>(values[2])}};
  made.log(1, now.createResult ? "create failed\n" : "");
  made.log(0, "created\n");
  // A pointer that is no state's: a failed call may leave anything.
  *state = now.createResult ? reinterpret_cast<State *>(8) : new State(std::move(made));
  return now.createResult;
}
static int addData(State *state, int kind, const void *data, size_t size, const char *name,
                   unsigned, int *, void **) {
  now.calls.push_back("add");
  now.kinds.push_back(kind);
  state->data.push_back(static_cast<const char *>(data));
  state->sizes.push_back(size);
  state->names.push_back(name);
  if (now.addResult)
    state->log(1, std::string("refused ") + name);
  return now.addResult;
}
static int complete(State *state, void **cubin, size_t *size) {
  now.calls.push_back("complete");
  state->log(0, "completed\n");
  if (now.completeResult) {
    state->log(1, "undefined reference\n");
    return now.completeResult;
  }
  std::string all;
  for (size_t i = 0; i < state->data.size(); ++i)
    all.append(state->data[i], state->sizes[i]).append(state->names[i]);
  state->cubin = static_cast<char *>(malloc(all.size()));
  memcpy(state->cubin, all.data(), all.size());
  *cubin = state->cubin;
  *size = state->cubinSize = all.size();
  return 0;
}
static int destroy(State *state) {
  now.calls.push_back("destroy");
  // LT-1, LT-2: it still writes to all that it was given.
  for (int which : {0, 1}) {
    memset(state->buffers[which], '#', size_t(4) << 20);
    state->values[1 + 2 * which] = reinterpret_cast<void *>(uintptr_t(4) << 20);
  }
  if (state->cubin)
    memset(state->cubin, '#', state->cubinSize);
  free(state->cubin);
  delete state;
  return now.destroyResult;
}

static DriverFunctions functions() {
  DriverFunctions all;
  all.errorName = errorName;
  all.setContext = setContext;
  all.create = reinterpret_cast<decltype(all.create)>(create);
  all.addData = reinterpret_cast<decltype(all.addData)>(addData);
  all.complete = reinterpret_cast<decltype(all.complete)>(complete);
  all.destroy = reinterpret_cast<decltype(all.destroy)>(destroy);
  return all;
}
} // namespace fakeDriver

namespace {
class Driver : public ::testing::Test {
protected:
  Driver() {
    fakeDriver::now = {};
    job.backend = JobBackend::Driver;
    job.inputs = {{JobInputKind::Cubin, "a.cubin", std::string_view("A\0B", 3)},
                  {JobInputKind::Ptx, "b.ptx", "text"},
                  {JobInputKind::LtoIr, "c.ltoir", "ir"},
                  {JobInputKind::Fatbin, "d.fatbin", "fat"},
                  {JobInputKind::Object, "e.o", "object"},
                  {JobInputKind::Library, "f.a", "library"}};
    job.links = {{{"-arch=sm_90"}, Emit::Cubin, {1, 0}}};
    FakeLibraries::Library &library = fakes.libraries["libcuda.so.1"];
    library.add("cuGetErrorName", fakeDriver::errorName);
    library.add("cuDriverGetVersion", fakeDriver::version);
    library.add("cuInit", fakeDriver::init);
    library.add("cuDeviceGet", fakeDriver::device);
    library.add("cuDevicePrimaryCtxRetain", fakeDriver::retain);
    library.add("cuDevicePrimaryCtxRelease_v2", fakeDriver::release);
    library.add("cuCtxSetCurrent", fakeDriver::setContext);
    library.add("cuLinkCreate_v2", fakeDriver::create);
    library.add("cuLinkAddData_v2", fakeDriver::addData);
    library.add("cuLinkComplete", fakeDriver::complete);
    library.add("cuLinkDestroy", fakeDriver::destroy);
  }
  Reply run() { return cudacc::devlink::link(job, fakes); }
  LinkResult only() {
    Reply reply = run();
    EXPECT_EQ(reply.opening, Opening::Ok) << reply.failure;
    EXPECT_EQ(reply.results.size(), 1u);
    return reply.results.empty() ? LinkResult() : reply.results[0];
  }
  std::vector<std::pair<int, uintptr_t>> optionsFor(std::vector<std::string> options) {
    job.links[0].options = std::move(options);
    LinkResult result = only();
    EXPECT_TRUE(result.ok) << result.failure;
    return fakeDriver::now.options;
  }

  FakeLibraries fakes;
  Job job;
};

/// A link by itself, as the back end makes one.
class DriverLinkTest : public ::testing::Test {
protected:
  DriverLinkTest() { fakeDriver::now = {}; }
  std::unique_ptr<DriverLink> create() {
    return DriverLink::create(functions, reinterpret_cast<CuContext>(this), {{9, 90}}, result);
  }

  DriverFunctions functions = fakeDriver::functions();
  JobInput input = {JobInputKind::Ptx, "a.ptx", "text"};
  int result = -1;
};
} // namespace

// LT-5, LT-9, V-LT-05, V-LT-06: what the driver overwrites when it is destroyed was copied before.
TEST_F(Driver, linksInputsInTheOrderOfTheLink) {
  LinkResult result = only();
  EXPECT_TRUE(result.ok) << result.failure;
  EXPECT_EQ(result.output, std::string("text\0b.ptxA\0Ba.cubin", 20));
  EXPECT_EQ(result.infoLog, "created\ncompleted\n");
  EXPECT_EQ(result.errorLog, "");
  EXPECT_THAT(fakeDriver::now.calls, ElementsAre("init", "retain", "create", "add", "add",
                                                 "complete", "destroy", "release"));
}

// V-LT-01
TEST_F(Driver, aSecondLinkInTheProcessGivesTheSame) {
  job.links.push_back(job.links[0]);
  Reply reply = run();
  ASSERT_EQ(reply.results.size(), 2u);
  EXPECT_TRUE(reply.results[1].ok);
  EXPECT_EQ(reply.results[0].output, reply.results[1].output);
  EXPECT_EQ(run().results.at(0).output, reply.results[0].output);
}

TEST_F(Driver, takesEveryKindButLtoIr) {
  job.links[0].inputs = {0, 1, 3, 4, 5};
  EXPECT_TRUE(only().ok);
  EXPECT_THAT(fakeDriver::now.kinds, ElementsAre(0, 1, 2, 3, 4));
  // LD-4
  job.links[0].inputs = {0, 2};
  LinkResult result = only();
  EXPECT_EQ(result.failure, "the driver's linker takes no LTO-IR");
  EXPECT_EQ(result.refused, 2u);
}

TEST_F(Driver, translatesOptions) {
  EXPECT_THAT(optionsFor({"-arch=sm_90"}), ElementsAre(Pair(9, 90u)));
  EXPECT_THAT(optionsFor({"-arch=sm_90a"}), ElementsAre(Pair(9, 0x10000u + 90)));
  EXPECT_THAT(optionsFor({"-arch=sm_100f"}), ElementsAre(Pair(9, 0x20000u + 100)));
  EXPECT_THAT(
      optionsFor({"-arch=sm_121a", "-maxrregcount=64", "-O0", "-g", "-lineinfo", "-verbose"}),
      ElementsAre(Pair(9, 0x10000u + 121), Pair(0, 64u), Pair(7, 0u), Pair(11, 1u), Pair(13, 1u),
                  Pair(12, 1u)));
}

TEST_F(Driver, refusesOptionsWithoutACounterpart) {
  for (const char *option :
       {"-lto", "-ptx", "-time", "-r", "-split-compile=4", "-Xptxas=-v", "-kernels-used=k",
        "-ftz=1", "-arch=compute_90", "-arch=sm_", "-arch=sm_9x",
        "-maxrregcount=", "-maxrregcount=many", "-Ofc=max", "-O", "-gx", ""}) {
    job.links[0].options = {"-arch=sm_90", option};
    LinkResult result = only();
    EXPECT_FALSE(result.ok);
    EXPECT_EQ(result.failure,
              std::string("the driver's linker has no counterpart of ").append(option));
  }
  EXPECT_THAT(fakeDriver::now.calls, Not(::testing::Contains("create")));
}

TEST_F(Driver, makesCubinsOnly) {
  job.links[0].emit = Emit::Ptx;
  EXPECT_EQ(only().failure, "the driver's linker makes cubins only");
}

TEST_F(Driver, reportsItsVersionWithoutADevice) {
  fakeDriver::now.version = 12040;
  job.links.clear();
  Reply reply = run();
  EXPECT_EQ(reply.opening, Opening::Ok);
  EXPECT_EQ(reply.version, (LibraryVersion{12, 4}));
  EXPECT_THAT(fakeDriver::now.calls, IsEmpty());
}

TEST_F(Driver, aVersionThatCannotBeHadIsReported) {
  fakeDriver::now.versionResult = 100;
  Reply reply = run();
  EXPECT_EQ(reply.opening, Opening::NoVersion);
  EXPECT_EQ(reply.failure, "cuDriverGetVersion: CUDA_ERROR_NO_DEVICE (100)");
  fakeDriver::now.versionResult = 0;
  fakeDriver::now.version = 0;
  EXPECT_EQ(run().opening, Opening::NoVersion);
}

TEST_F(Driver, linksNothingIfTheVersionIsAnother) {
  job.expected = {12, 9};
  EXPECT_FALSE(run().asExpected);
  EXPECT_THAT(fakeDriver::now.calls, IsEmpty());
}

// LD-10
TEST_F(Driver, withoutADeviceTheErrorIsNamed) {
  fakeDriver::now.initResult = 100;
  Reply reply = run();
  EXPECT_EQ(reply.opening, Opening::NoContext);
  EXPECT_EQ(reply.failure, "cuInit: CUDA_ERROR_NO_DEVICE (100)");
  fakeDriver::now.initResult = 0;
  fakeDriver::now.contextResult = 2;
  EXPECT_THAT(run().failure, HasSubstr("cuDevicePrimaryCtxRetain: "));
}

TEST_F(Driver, withoutAFunctionItIsUnusable) {
  fakes.libraries["libcuda.so.1"].functions.erase("cuLinkCreate_v2");
  EXPECT_EQ(run().opening, Opening::NoEntryPoints);
  fakes.libraries["libcuda.so.1"].functions.erase("cuDriverGetVersion");
  EXPECT_EQ(run().opening, Opening::NoVersion);
}

// LT-7, V-LT-07
TEST_F(Driver, aFailedCreateLeavesTheLogAndNoState) {
  fakeDriver::now.createResult = 1;
  LinkResult result = only();
  EXPECT_EQ(result.failure, "cuLinkCreate: CUDA_ERROR_INVALID_IMAGE (1)");
  EXPECT_EQ(result.errorLog, "create failed\n");
  EXPECT_THAT(fakeDriver::now.calls, ElementsAre("init", "retain", "create", "release"));
}

TEST_F(Driver, aRefusedInputIsNamed) {
  fakeDriver::now.addResult = 218;
  LinkResult result = only();
  EXPECT_EQ(result.failure, "cuLinkAddData: CUDA_ERROR_INVALID_IMAGE (218)");
  EXPECT_EQ(result.refused, 1u);
  EXPECT_EQ(result.errorLog, "refused b.ptx");
  EXPECT_EQ(fakeDriver::now.calls.back(), "release");
}

// V-LT-02
TEST_F(Driver, aFailedLinkKeepsItsLogs) {
  fakeDriver::now.completeResult = 209;
  LinkResult result = only();
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.failure, "cuLinkComplete: CUDA_ERROR_INVALID_IMAGE (209)");
  EXPECT_EQ(result.errorLog, "undefined reference\n");
  EXPECT_EQ(result.infoLog, "created\ncompleted\n");
  EXPECT_EQ(result.output, "");
}

// LT-10
TEST_F(Driver, aFailureOfDestroyChangesNoResult) {
  fakeDriver::now.destroyResult = 201;
  LinkResult result = only();
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.errorLog, "cuLinkDestroy: CUDA_ERROR_INVALID_IMAGE (201)\n");
}

// LT-6, V-LT-02, V-LT-03
TEST_F(DriverLinkTest, logsCanBeReadAtAnyTime) {
  std::unique_ptr<DriverLink> link = create();
  EXPECT_EQ(result, 0);
  EXPECT_EQ(link->infoLog(), "created\n");
  EXPECT_EQ(link->errorLog(), "");
  EXPECT_EQ(link->add(input), 0);
  std::string cubin;
  EXPECT_EQ(link->complete(cubin), 0);
  EXPECT_EQ(link->infoLog(), "created\ncompleted\n");
  link->close();
  EXPECT_EQ(link->infoLog(), "created\ncompleted\n");
  EXPECT_EQ(link->errorLog(), "");
  EXPECT_EQ(cubin, std::string("text\0a.ptx", 10));
  link->close();
  EXPECT_EQ(link->infoLog(), "created\ncompleted\n");
  EXPECT_THAT(fakeDriver::now.calls, ElementsAre("create", "add", "complete", "destroy"));
}

// V-LT-04
TEST_F(DriverLinkTest, logsThatNothingWasWrittenToAreEmpty) {
  functions.create = [](unsigned, int *, void **, CuLinkState *) { return 1; };
  std::unique_ptr<DriverLink> link = create();
  EXPECT_EQ(link->infoLog(), "");
  EXPECT_EQ(link->errorLog(), "");
  link->close();
  EXPECT_EQ(link->errorLog(), "");
}

// V-LT-03
TEST_F(DriverLinkTest, withoutCloseTheStateIsDestroyedAllTheSame) {
  create();
  EXPECT_THAT(fakeDriver::now.calls, ElementsAre("create", "destroy"));
  create()->close();
  EXPECT_THAT(fakeDriver::now.calls, ElementsAre("create", "destroy", "create", "destroy"));
}

// LT-4, V-LT-09; that the state is the last member is checked where they are private.
TEST_F(DriverLinkTest, cannotBeCopiedOrMoved) {
  static_assert(!std::is_copy_constructible_v<DriverLink> &&
                !std::is_move_constructible_v<DriverLink> &&
                !std::is_copy_assignable_v<DriverLink> && !std::is_move_assignable_v<DriverLink>);
}
