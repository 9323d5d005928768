// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/Parallel.h"
#include <algorithm>
#include <atomic>
#include <pthread.h>
#include <thread>

namespace cudacc::pipeline {

/// Starting a thread costs as much as reading a small file.
static constexpr size_t leastPerThread = 2;
static constexpr unsigned mostThreads = 32;

unsigned threadsFor(size_t count) {
  if (count < 2 * leastPerThread)
    return 1;
  unsigned cores = std::max(std::thread::hardware_concurrency(), 1u);
  return std::min({cores, mostThreads, unsigned(std::min<size_t>(count / leastPerThread, ~0u))});
}

namespace {
struct Work {
  size_t count;
  llvm::function_ref<void(size_t, unsigned)> each;
  std::atomic<size_t> next = 0;
};

struct Worker {
  Work *work;
  unsigned number;
  pthread_t thread;
};
} // namespace

static void *loop(void *data) {
  const auto &[work, number, thread] = *static_cast<const Worker *>(data);
  for (size_t index; (index = work->next++) < work->count;)
    work->each(index, number);
  return nullptr;
}

void inParallel(size_t count, llvm::function_ref<void(size_t, unsigned)> work) {
  Work all{count, work};
  Worker workers[mostThreads];
  workers[0] = {&all, 0, pthread_self()};
  unsigned started = 1;
  // Where the system has no room for another thread, those that there are do all. std::thread would
  // end the program.
  for (; started < threadsFor(count); ++started) {
    workers[started] = {&all, started, {}};
    if (pthread_create(&workers[started].thread, nullptr, loop, &workers[started]) != 0)
      break;
  }
  loop(&workers[0]);
  for (unsigned i = 1; i < started; ++i)
    pthread_join(workers[i].thread, nullptr);
}

} // namespace cudacc::pipeline
