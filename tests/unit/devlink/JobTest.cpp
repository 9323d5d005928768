// SPDX-License-Identifier: Apache-2.0
#include "plugins/devlink/Job.h"
#include <gmock/gmock.h>

using namespace cudacc::devlink;

static Job wholeJob() {
  Job job;
  job.backend = JobBackend::Driver;
  job.library = "/opt/libcuda.so.1";
  job.expected = {13, 0};
  job.entryPoints = {12, 5};
  job.inputs = {{JobInputKind::Ptx, "a.ptx", std::string_view("text\0more", 9)},
                {JobInputKind::Library, "liba.a(b.o)", ""}};
  job.links = {{{"-arch=sm_90", "-lto"}, Emit::Ptx, {1, 0}}, {{"-arch=sm_100"}, Emit::Cubin, {1}}};
  job.packer = "/opt/libnvfatbin.so.12";
  return job;
}

static Reply wholeReply() {
  LinkResult refused;
  refused.infoLog = "info";
  refused.errorLog = "error";
  refused.failure = "cuLinkAddData: CUDA_ERROR_INVALID_PTX (218)";
  refused.refused = 7;
  LinkResult linked;
  linked.ok = true;
  linked.output = std::string("\x7f"
                              "ELF\0\0",
                              6);
  linked.microseconds = 1'234'567'890'123;
  Reply reply;
  reply.version = {13, 1};
  reply.asExpected = false;
  reply.results = {refused, linked};
  reply.fatbin = "fatbin";
  reply.fatbinFailure = "not packed";
  reply.openMicroseconds = 9;
  return reply;
}

TEST(Job, comesBackAsItWas) {
  Job job = wholeJob();
  std::string bytes = encode(job);
  std::optional<Job> back = decodeJob(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(encode(*back), bytes);
  EXPECT_EQ(back->backend, JobBackend::Driver);
  EXPECT_EQ(back->library, job.library);
  EXPECT_EQ(back->expected, job.expected);
  EXPECT_EQ(back->entryPoints, job.entryPoints);
  ASSERT_EQ(back->inputs.size(), 2u);
  EXPECT_EQ(back->inputs[0].kind, JobInputKind::Ptx);
  EXPECT_EQ(back->inputs[0].bytes, job.inputs[0].bytes);
  EXPECT_EQ(back->inputs[1].name, "liba.a(b.o)");
  ASSERT_EQ(back->links.size(), 2u);
  EXPECT_EQ(back->links[0].options, job.links[0].options);
  EXPECT_EQ(back->links[0].emit, Emit::Ptx);
  EXPECT_EQ(back->links[0].inputs, job.links[0].inputs);
  EXPECT_EQ(back->packer, job.packer);
}

TEST(Job, anEmptyOneComesBack) {
  std::optional<Job> back = decodeJob(encode(Job()));
  ASSERT_TRUE(back);
  EXPECT_FALSE(back->expected);
  EXPECT_TRUE(back->links.empty());
  EXPECT_TRUE(decodeReply(encode(Reply())));
}

TEST(Reply, comesBackAsItWas) {
  Reply reply = wholeReply();
  std::optional<Reply> back = decodeReply(encode(reply));
  ASSERT_TRUE(back);
  EXPECT_EQ(encode(*back), encode(reply));
  EXPECT_EQ(back->version, reply.version);
  EXPECT_FALSE(back->asExpected);
  ASSERT_EQ(back->results.size(), 2u);
  EXPECT_EQ(back->results[0].failure, reply.results[0].failure);
  EXPECT_EQ(back->results[0].errorLog, "error");
  EXPECT_EQ(back->results[0].refused, 7u);
  EXPECT_TRUE(back->results[1].ok);
  EXPECT_EQ(back->results[1].output, reply.results[1].output);
  EXPECT_EQ(back->results[1].microseconds, 1'234'567'890'123u);
  EXPECT_FALSE(back->results[1].refused);
  EXPECT_EQ(back->fatbinFailure, "not packed");
}

TEST(Reply, saysWhyALibraryCannotBeUsed) {
  for (Opening opening : {Opening::NotOpened, Opening::TooOld, Opening::NoVersion,
                          Opening::Conflict, Opening::NoEntryPoints, Opening::NoContext}) {
    Reply reply;
    reply.opening = opening;
    reply.failure = "reason";
    std::optional<Reply> back = decodeReply(encode(reply));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->opening, opening);
    EXPECT_EQ(back->failure, "reason");
  }
}

TEST(Job, everyPartOfOneIsRefused) {
  std::string job = encode(wholeJob()), reply = encode(wholeReply());
  for (size_t size = 0; size < job.size(); ++size)
    EXPECT_FALSE(decodeJob(std::string_view(job).substr(0, size))) << size;
  for (size_t size = 0; size < reply.size(); ++size)
    EXPECT_FALSE(decodeReply(std::string_view(reply).substr(0, size))) << size;
}

TEST(Job, bytesBehindOneAreRefused) {
  std::string job = encode(wholeJob()), reply = encode(wholeReply());
  job.push_back('\0');
  reply.push_back('\0');
  EXPECT_FALSE(decodeJob(job));
  EXPECT_FALSE(decodeReply(reply));
}

TEST(Job, isNoReply) {
  EXPECT_FALSE(decodeJob(encode(wholeReply())));
  EXPECT_FALSE(decodeReply(encode(wholeJob())));
}

// A library that wrote into the stream, or another version of cuda-cc: each byte is changed to each
// of a few values. Nothing may be read beyond the end, or be allocated that the bytes do not pay
// for.
TEST(Job, changedBytesAreRefusedOrReadAsWhatTheySay) {
  std::string job = encode(wholeJob()), reply = encode(wholeReply());
  for (char value : {'\0', '\1', '\7', '\x7f', '\xff'}) {
    for (size_t at = 0; at < job.size(); ++at) {
      std::string changed = job;
      changed[at] = value;
      if (std::optional<Job> back = decodeJob(changed)) {
        EXPECT_EQ(encode(*back), changed) << at;
      }
    }
    for (size_t at = 0; at < reply.size(); ++at) {
      std::string changed = reply;
      changed[at] = value;
      if (std::optional<Reply> back = decodeReply(changed)) {
        EXPECT_EQ(encode(*back), changed) << at;
      }
    }
  }
}

TEST(Job, anInputThatIsNotThereIsRefused) {
  Job job = wholeJob();
  job.links[0].inputs = {2};
  EXPECT_FALSE(decodeJob(encode(job)));
}
