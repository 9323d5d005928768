// SPDX-License-Identifier: Apache-2.0
#include "plugins/devlink/RunLinker.h"
#include <csignal>
#include <gmock/gmock.h>
#include <list>

using namespace cudacc;
using namespace cudacc::devlink;

namespace {
/// A helper program that answers with what a test sets.
class FakeHelper final : public core::Runner {
public:
  Answer answer;
  /// What the images of the jobs are parts of.
  std::list<std::string> inputs;
  std::vector<Job> jobs;
  bool starts = true;

  llvm::Error exec(const core::Command &) override { return llvm::Error::success(); }
  llvm::Expected<core::ExitStatus> spawn(const core::Command &) override {
    return core::ExitStatus();
  }
  llvm::Expected<Answer> ask(const core::Command &command) override {
    EXPECT_EQ(command.program, "/opt/libexec/cuda-cc/devlink");
    inputs.push_back(command.input);
    std::optional<Job> job = decodeJob(inputs.back());
    EXPECT_TRUE(job);
    jobs.push_back(job.value_or(Job()));
    if (!starts)
      return core::makeError(core::Code::SpawnFailed, "cannot start devlink");
    return answer;
  }
};

class RunLinker : public ::testing::Test {
protected:
  RunLinker() {
    job.library = "/w/libnvJitLink.so.12";
    job.inputs = {{JobInputKind::Object, "a.o", "bytes"}};
    job.links = {{{"-arch=sm_90"}, Emit::Cubin, {0}}};
    reply.version = {12, 5};
    reply.results.resize(1);
    reply.results[0].output = "cubin";
    helper.answer.out = encode(reply);
    helper.answer.err = "one\ntwo\n";
  }
  llvm::Expected<Reply> run() {
    return runLinker(job, "/opt/libexec/cuda-cc/devlink", helper, printed);
  }
  core::Finding failure() {
    auto ended = run();
    EXPECT_FALSE(bool(ended));
    return core::toFinding(ended.takeError());
  }
  static std::vector<std::string> factsOf(const core::Finding &finding) {
    std::vector<std::string> facts;
    for (const core::Fact &fact : finding.facts)
      facts.push_back(fact.label + ": " + fact.text);
    return facts;
  }

  Job job;
  Reply reply;
  FakeHelper helper;
  std::string printed;
};
} // namespace

TEST_F(RunLinker, givesTheJobAndReadsTheReply) {
  Reply got = llvm::cantFail(run());
  EXPECT_EQ(got.results.at(0).output, "cubin");
  EXPECT_EQ(printed, "one\ntwo\n");
  EXPECT_EQ(encode(helper.jobs.at(0)), encode(job));
}

TEST_F(RunLinker, aSuccessWithErrorsPrintedIsAFailure) {
  reply.results[0].ok = true;
  reply.fatbin = "fatbin";
  helper.answer.out = encode(reply);
  for (const char *line :
       {"error   : Multiple definition of 'f'", "@E@error   : Multiple definition"}) {
    helper.answer.err = std::string("one\n") + line;
    Reply got = llvm::cantFail(run());
    EXPECT_FALSE(got.results.at(0).ok);
    EXPECT_EQ(got.results.at(0).output, "");
    EXPECT_EQ(got.results.at(0).failure, "success, with errors printed");
    EXPECT_EQ(got.fatbin, "");
  }
  helper.answer.err = "info: no error\nwarning : stack size\n";
  EXPECT_TRUE(llvm::cantFail(run()).results.at(0).ok);
}

TEST_F(RunLinker, aSignalIsNamedWithTheLibraryAndWhatItPrinted) {
  helper.answer.ended.signal = SIGSEGV;
  core::Finding finding = failure();
  EXPECT_EQ(finding.code, core::Code::LinkerDied);
  EXPECT_EQ(finding.message, "the device linker was ended by SIGSEGV");
  EXPECT_THAT(factsOf(finding), ::testing::ElementsAre("library: /w/libnvJitLink.so.12",
                                                       "printed: one", "printed: two"));
  EXPECT_EQ(printed, "one\ntwo\n");
  helper.answer.ended.signal = 45;
  EXPECT_EQ(failure().message, "the device linker was ended by signal 45");
}

TEST_F(RunLinker, anExitStatusIsAnError) {
  helper.answer.ended.status = 3;
  core::Finding finding = failure();
  EXPECT_EQ(finding.code, core::Code::LinkerDied);
  EXPECT_EQ(finding.message, "the device linker ended with exit status 3");
}

TEST_F(RunLinker, aReplyThatIsCutOffIsAnError) {
  for (size_t size : {size_t(0), size_t(40), helper.answer.out.size() - 1}) {
    helper.answer.out = encode(reply).substr(0, size);
    EXPECT_EQ(failure().message, "the device linker ended without an answer");
  }
}

TEST_F(RunLinker, aReplyForAnotherJobIsAnError) {
  reply.results.resize(2);
  helper.answer.out = encode(reply);
  EXPECT_EQ(failure().code, core::Code::LinkerDied);
}

TEST_F(RunLinker, aHelperThatCannotBeStartedIsItsOwnError) {
  helper.starts = false;
  EXPECT_EQ(failure().code, core::Code::SpawnFailed);
}

TEST_F(RunLinker, showsTheEndOfWhatWasPrinted) {
  helper.answer.ended.signal = SIGABRT;
  helper.answer.err = "1\n2\n3\n4\n5\n\n6\n7";
  EXPECT_THAT(factsOf(failure()),
              ::testing::ElementsAre("library: /w/libnvJitLink.so.12", "printed: 3", "printed: 4",
                                     "printed: 5", "printed: 6", "printed: 7"));
}

TEST_F(RunLinker, saysWhyALibraryIsUnusable) {
  reply.opening = Opening::NoContext;
  reply.failure = "cuInit: CUDA_ERROR_NO_DEVICE (100)";
  job.backend = JobBackend::Driver;
  job.library.clear();
  core::Finding finding = unusable(job, reply);
  EXPECT_EQ(finding.code, core::Code::LinkerUnusable);
  EXPECT_EQ(finding.message, "the driver cannot be used to link");
  EXPECT_THAT(factsOf(finding),
              ::testing::ElementsAre("library: libcuda.so.1",
                                     "reason: cuInit: CUDA_ERROR_NO_DEVICE (100)"));
  reply.opening = Opening::Ok;
  job.expected = {12, 6};
  EXPECT_EQ(factsOf(unusable(job, reply)).back(),
            "reason: it reports 12.5, and 12.6 was decided for");
}

TEST_F(RunLinker, saysWhyALinkWasRefused) {
  LinkResult result;
  result.failure = "nvJitLinkAddData: NVJITLINK_ERROR_PTX_COMPILE (4)";
  result.errorLog = "ptxas fatal\n";
  result.refused = 0;
  core::Finding finding = refusal(job, result, "undefined\n");
  EXPECT_EQ(finding.code, core::Code::LinkFailed);
  EXPECT_THAT(factsOf(finding),
              ::testing::ElementsAre("reason: nvJitLinkAddData: NVJITLINK_ERROR_PTX_COMPILE (4)",
                                     "input: a.o", "library: /w/libnvJitLink.so.12",
                                     "log: ptxas fatal", "printed: undefined"));
}
