// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/Parallel.h"
#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

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

void inParallel(size_t count, llvm::function_ref<void(size_t, unsigned)> work) {
  std::atomic<size_t> next = 0;
  auto loop = [&](unsigned thread) {
    for (size_t index; (index = next++) < count;)
      work(index, thread);
  };
  std::vector<std::thread> others;
  others.reserve(mostThreads);
  for (unsigned thread = 1; thread < threadsFor(count); ++thread)
    others.emplace_back(loop, thread);
  loop(0);
  for (std::thread &other : others)
    other.join();
}

} // namespace cudacc::pipeline
