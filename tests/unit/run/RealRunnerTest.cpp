// SPDX-License-Identifier: Apache-2.0
#include "driver/run/RealRunner.h"
#include "driver/core/Diagnostic.h"
#include "driver/run/Signals.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace cudacc;

static core::Command shell(const char *script) { return {"/bin/sh", {"sh", "-c", script}, {}, {}}; }

TEST(RealRunner, passesStatusAndSignalOn) {
  run::RealRunner runner;
  EXPECT_EQ(llvm::cantFail(runner.spawn(shell("exit 41"))).status, 41);
  core::ExitStatus ended = llvm::cantFail(runner.spawn(shell("kill -SEGV $$")));
  EXPECT_EQ(ended.signal, SIGSEGV);
}

TEST(RealRunner, saysWhatDoesNotExist) {
  run::RealRunner runner;
  std::string script = std::string(testing::TempDir()) + "/interpreted";
  auto messageOf = [&] {
    auto ended = runner.spawn({script, {"interpreted"}, {}, {}});
    return core::toFinding(ended.takeError()).message;
  };
  unlink(script.c_str());
  EXPECT_EQ(messageOf(), "cannot start " + script + ": No such file or directory");
  std::ofstream(script) << "#!/no/such/interpreter\n";
  chmod(script.c_str(), 0755);
  EXPECT_EQ(messageOf(), "cannot start " + script + ": its loader or interpreter does not exist");
  unlink(script.c_str());
}

TEST(RealRunner, setsAndUnsetsVariables) {
  setenv("CUDACC_TEST_A", "1", 1);
  core::Command command = shell("echo $CUDACC_TEST_A-$CUDACC_TEST_B; echo e >&2");
  command.unset = {"CUDACC_TEST_A"};
  command.set = {{"CUDACC_TEST_B", "2"}};
  run::RealRunner runner;
  auto answer = llvm::cantFail(runner.ask(command));
  EXPECT_EQ(answer.out, "-2\n");
  EXPECT_EQ(answer.err, "e\n");
}

// The output of a child is read to its end, because it would block otherwise.
TEST(RealRunner, keepsAsMuchOfAnAnswerAsIsAskedFor) {
  core::Command command = shell("head -c 3000000 /dev/zero; echo e >&2");
  run::RealRunner runner;
  size_t kept = llvm::cantFail(runner.ask(command)).out.size();
  EXPECT_GE(kept, size_t(1) << 20);
  EXPECT_LT(kept, 2'000'000u);
  command.outputLimit = 4'000'000;
  auto answer = llvm::cantFail(runner.ask(command));
  EXPECT_EQ(answer.out.size(), 3'000'000u);
  EXPECT_EQ(answer.err, "e\n");
}

TEST(RealRunner, killsWhatTakesTooLong) {
  core::Command command = shell("echo begun; exec sleep 100");
  command.mostSeconds = 1;
  run::RealRunner runner;
  auto answer = llvm::cantFail(runner.ask(command));
  EXPECT_EQ(answer.out, "begun\n");
  EXPECT_EQ(answer.ended.signal, SIGKILL);
  command = shell("echo done");
  command.mostSeconds = 100;
  EXPECT_EQ(llvm::cantFail(runner.ask(command)).out, "done\n");
}

TEST(RealRunner, givesInputToTheChild) {
  run::RealRunner runner;
  EXPECT_EQ(llvm::cantFail(runner.ask(shell("cat"))).out, "");
  core::Command command = shell("cat");
  command.input = std::string("a\0b", 3);
  EXPECT_EQ(llvm::cantFail(runner.ask(command)).out, command.input);
}

// Both sides write more than a pipe holds before the other one reads.
TEST(RealRunner, writesAndReadsAtTheSameTime) {
  core::Command command = shell("head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2; cat");
  command.input = std::string(5'000'000, 'x');
  command.outputLimit = SIZE_MAX;
  run::RealRunner runner;
  auto answer = llvm::cantFail(runner.ask(command));
  EXPECT_EQ(answer.out.size(), 8'000'000u);
  EXPECT_EQ(answer.err.size(), 3'000'000u);
}

// Neither SIGPIPE nor a wait without end.
TEST(RealRunner, aChildThatDoesNotReadItsInputEndsAsItDoes) {
  run::RealRunner runner;
  for (const char *script : {"exit 3", "exec <&-; sleep 0.1; exit 3", "head -c 9 >&2; exit 3"}) {
    core::Command command = shell(script);
    command.input = std::string(5'000'000, 'x');
    EXPECT_EQ(llvm::cantFail(runner.ask(command)).ended.status, 3) << script;
  }
}

TEST(RealRunner, aProgramThatIsNotThereIsOneError) {
  run::RealRunner runner;
  auto ended = runner.spawn({"/nonexistent", {"x"}, {}, {}});
  ASSERT_FALSE(bool(ended));
  EXPECT_EQ(core::toFinding(ended.takeError()).code, core::Code::SpawnFailed);
}

TEST(RealRunner, learnsTheStatusThoughChildrenWereIgnored) {
  signal(SIGCHLD, SIG_IGN);
  run::RealRunner runner;
  EXPECT_EQ(llvm::cantFail(runner.spawn(shell("exit 5"))).status, 5);
  signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(llvm::cantFail(runner.ask(shell("echo x"))).out, "x\n");
  signal(SIGCHLD, SIG_DFL);
}

// A SIGTERM that only cuda-cc gets is passed to the compiler, which can then remove its output.
TEST(RealRunner, passesSignalsToTheChild) {
  run::RealRunner runner;
  std::thread killer([] {
    usleep(200'000);
    kill(getpid(), SIGTERM);
  });
  core::ExitStatus ended = llvm::cantFail(runner.spawn(
      shell("trap 'exit 7' TERM; i=0; while [ $i -lt 50 ]; do sleep 0.1; i=$((i+1)); done")));
  killer.join();
  EXPECT_EQ(ended.status, 7);
}

TEST(RealRunner, aSignalForAChildThatEndedKeepsErrno) {
  run::SignalsPassed passed;
  pid_t child = fork();
  if (child == 0)
    _exit(0);
  waitpid(child, nullptr, 0);
  passed.begun(child);
  errno = 0;
  raise(SIGTERM);
  EXPECT_EQ(errno, 0);
}
