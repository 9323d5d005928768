// SPDX-License-Identifier: Apache-2.0
#include "FakeLibraries.h"
#include "plugins/devlink/linker/Linker.h"
#include <cstring>
#include <gmock/gmock.h>

using namespace cudacc::devlink;
using ::testing::ElementsAre;

namespace fakeFatbin {
static std::string content;
static int createResult, addResult, getResult;
static size_t sizeToReport;
static unsigned open;

static const char *errorText(int result) { return result == 9 ? "invalid architecture" : nullptr; }
static int create(std::string **handle, const char **options, size_t count) {
  EXPECT_THAT(std::vector<std::string>(options, options + count),
              ElementsAre("-64", "-host=linux"));
  *handle = new std::string();
  if (createResult)
    delete *handle;
  else
    ++open;
  return createResult;
}
static int destroy(std::string **handle) {
  delete *handle;
  --open;
  return 0;
}
static int add(std::string &to, const char *kind, const void *code, size_t size, const char *arch,
               const char *name) {
  to.append(kind).append(" ").append(arch).append(" ").append(name).append(" ");
  to.append(static_cast<const char *>(code), size).append("\n");
  return addResult;
}
static int addCubin(std::string *to, const void *code, size_t size, const char *arch,
                    const char *name) {
  return add(*to, "cubin", code, size, arch, name);
}
static int addPtx(std::string *to, const char *code, size_t size, const char *arch,
                  const char *name, const char *) {
  EXPECT_EQ(code[size - 1], '\0');
  return add(*to, "ptx", code, size - 1, arch, name);
}
static int addLtoIr(std::string *to, const void *code, size_t size, const char *arch,
                    const char *name, const char *) {
  return add(*to, "ltoir", code, size, arch, name);
}
static int size(std::string *handle, size_t *bytes) {
  *bytes = sizeToReport ? sizeToReport : handle->size();
  return 0;
}
static int get(std::string *handle, void *to) {
  memcpy(to, handle->data(), handle->size());
  return getResult;
}
} // namespace fakeFatbin

namespace {
class NvFatbin : public ::testing::Test {
protected:
  NvFatbin() {
    using namespace fakeFatbin;
    createResult = addResult = getResult = 0;
    sizeToReport = 0;
    fakeFatbin::open = 0;
    FakeLibraries::Library &library = fakes.libraries["/w/libnvfatbin.so.12"];
    library.add("nvFatbinGetErrorString", errorText);
    library.add("nvFatbinCreate", fakeFatbin::create);
    library.add("nvFatbinDestroy", fakeFatbin::destroy);
    library.add("nvFatbinAddCubin", addCubin);
    library.add("nvFatbinAddPTX", addPtx);
    library.add("nvFatbinAddLTOIR", addLtoIr);
    library.add("nvFatbinSize", fakeFatbin::size);
    library.add("nvFatbinGet", fakeFatbin::get);
    job.packer = "/w/libnvfatbin.so.12";
    job.links = {{{"-lto", "-arch=sm_90a"}, Emit::Cubin, {}},
                 {{"-arch=compute_80"}, Emit::Ptx, {}},
                 {{"-arch=sm_100"}, Emit::LtoIr, {}}};
    reply.results.resize(3);
    reply.results[0].output = "CUBIN";
    reply.results[1].output = "PTX";
    reply.results[2].output = "IR";
  }
  ~NvFatbin() override { EXPECT_EQ(fakeFatbin::open, 0u); }

  FakeLibraries fakes;
  Job job;
  Reply reply;
};
} // namespace

TEST_F(NvFatbin, packsAnImageOfEachLink) {
  pack(job, fakes, reply);
  EXPECT_EQ(reply.fatbinFailure, "");
  EXPECT_EQ(reply.fatbin, "cubin 90a sm_90a CUBIN\nptx 80 sm_80 PTX\nltoir 100 sm_100 IR\n");
}

TEST_F(NvFatbin, anImageThatIsRefusedIsReported) {
  fakeFatbin::addResult = 9;
  pack(job, fakes, reply);
  EXPECT_EQ(reply.fatbinFailure, "nvFatbinAdd: invalid architecture (9)");
  EXPECT_EQ(reply.fatbin, "");
}

TEST_F(NvFatbin, whatCannotBeHadIsReported) {
  fakeFatbin::getResult = 1;
  pack(job, fakes, reply);
  EXPECT_EQ(reply.fatbinFailure, "nvFatbinGet: error 1");
  EXPECT_EQ(reply.fatbin, "");
  fakeFatbin::sizeToReport = SIZE_MAX;
  pack(job, fakes, reply);
  EXPECT_THAT(reply.fatbinFailure, ::testing::StartsWith("nvFatbinSize: "));
}

TEST_F(NvFatbin, aFailedCreateIsReported) {
  fakeFatbin::createResult = 8;
  pack(job, fakes, reply);
  EXPECT_EQ(reply.fatbinFailure, "nvFatbinCreate: error 8");
}

TEST_F(NvFatbin, aLibraryThatIsMissingOrOlderIsReported) {
  fakes.libraries["/w/libnvfatbin.so.12"].functions.erase("nvFatbinAddLTOIR");
  pack(job, fakes, reply);
  EXPECT_EQ(reply.fatbinFailure, "it lacks a function of nvFatbin 12.4");
  fakes.libraries.clear();
  pack(job, fakes, reply);
  EXPECT_EQ(reply.fatbinFailure, "/w/libnvfatbin.so.12: cannot open shared object file");
}
