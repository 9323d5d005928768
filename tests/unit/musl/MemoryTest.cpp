// SPDX-License-Identifier: Apache-2.0
#include "driver/musl/Memory.h"
#include <cstdlib>
#include <cstring>
#include <gmock/gmock.h>
#include <memory>
#include <random>
#include <thread>
#include <vector>

namespace {

struct Block {
  char *begin;
  size_t size;
  char mark;

  bool holds() const {
    for (size_t at = 0; at < size; ++at)
      if (begin[at] != mark)
        return false;
    return true;
  }
};

/// Allocates, resizes and frees in every way; counts blocks that lost what was in them.
size_t exercise(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Block> sized, plain;
  size_t lost = 0;
  for (int round = 0; round < 30000; ++round) {
    size_t size = random() % (random() % 50 == 0 ? 100000 : 300);
    char mark = char(random());
    switch (random() % 6) {
    case 0:
    case 1:
      sized.push_back({static_cast<char *>(operator new(size)), size, mark});
      memset(sized.back().begin, mark, size);
      break;
    case 2:
      plain.push_back(
          {static_cast<char *>(random() % 2 ? malloc(size) : calloc(size, 1)), size, mark});
      memset(plain.back().begin, mark, size);
      break;
    case 3:
      if (!plain.empty()) {
        Block &block = plain[random() % plain.size()];
        size = std::max<size_t>(size, 1);
        size_t kept = std::min(size, block.size);
        block.begin = static_cast<char *>(realloc(block.begin, size));
        block.size = kept;
        lost += !block.holds();
        block.size = size;
        memset(block.begin, block.mark, size);
      }
      break;
    case 4:
      if (!sized.empty()) {
        std::swap(sized[random() % sized.size()], sized.back());
        lost += !sized.back().holds();
        operator delete(sized.back().begin, sized.back().size);
        sized.pop_back();
      }
      break;
    case 5:
      if (!plain.empty()) {
        std::swap(plain[random() % plain.size()], plain.back());
        lost += !plain.back().holds();
        free(plain.back().begin);
        plain.pop_back();
      }
      break;
    }
  }
  for (const Block &block : sized)
    lost += !block.holds();
  for (const Block &block : plain)
    lost += !block.holds();
  return lost;
}

TEST(Memory, blocksKeepWhatIsInThem) {
  EXPECT_EQ(exercise(1), 0u);
  // Large blocks from one mapping.
  cudacc::makeRoom(20000);
  EXPECT_EQ(exercise(2), 0u);
}

TEST(Memory, threadsHaveTheirOwn) {
  std::vector<size_t> lost(4);
  std::vector<std::thread> threads;
  for (unsigned each = 0; each < lost.size(); ++each)
    threads.emplace_back([&, each] { lost[each] = exercise(10 + each); });
  size_t own = exercise(3);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(own, 0u);
  EXPECT_THAT(lost, testing::Each(0u));
}

TEST(Memory, anotherThreadMayFree) {
  std::vector<std::unique_ptr<std::string>> made;
  for (int i = 0; i < 1000; ++i)
    made.push_back(std::make_unique<std::string>(50, char('a' + i % 20)));
  std::thread([&] { made.resize(500); }).join();
  for (int i = 0; i < 500; ++i)
    EXPECT_EQ(*made[i], std::string(50, char('a' + i % 20)));
}

TEST(Memory, alignment) {
  struct alignas(64) Line {
    char bytes[64];
  };
  std::vector<std::unique_ptr<Line>> lines;
  for (int i = 0; i < 5000; ++i) {
    lines.push_back(std::make_unique<Line>());
    EXPECT_EQ(reinterpret_cast<uintptr_t>(lines.back().get()) % 64, 0u);
  }
  EXPECT_EQ(calloc(SIZE_MAX / 2, 4), nullptr);
}

} // namespace
