// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <gmock/gmock.h>
#include <random>
#include <string>

namespace {

/// Texts of few different bytes, so that nearly everything occurs in them.
class Bytes : public testing::Test {
protected:
  std::mt19937 random{1};

  size_t below(size_t limit) { return random() % limit; }
  std::string text(size_t limit) {
    std::string made(below(limit), 'a');
    for (char &byte : made)
      byte = below(20) == 0 ? char(0x80 + below(0x80)) : char('a' + below(3));
    return made;
  }
};

size_t offset(const void *found, const std::string &text) {
  return found ? static_cast<const char *>(found) - text.data() : std::string::npos;
}

TEST_F(Bytes, memchrFindsTheFirst) {
  for (int round = 0; round < 20000; ++round) {
    std::string in = text(100);
    char wanted = char('a' + below(4));
    size_t expected = 0;
    while (expected < in.size() && in[expected] != wanted)
      ++expected;
    // Only the low byte of the argument counts.
    EXPECT_EQ(offset(memchr(in.data(), wanted | 0x100, in.size()), in),
              expected == in.size() ? std::string::npos : expected);
  }
}

TEST_F(Bytes, memmemFindsTheFirst) {
  for (int round = 0; round < 20000; ++round) {
    std::string in = text(100), wanted = below(2) ? text(6) : text(40);
    if (in.size() > wanted.size() && below(2))
      wanted = in.substr(below(in.size() - wanted.size()), wanted.size());
    size_t expected = std::string::npos;
    for (size_t at = 0; at + wanted.size() <= in.size() && expected == std::string::npos; ++at)
      if (std::equal(wanted.begin(), wanted.end(), in.begin() + at))
        expected = at;
    EXPECT_EQ(offset(memmem(in.data(), in.size(), wanted.data(), wanted.size()), in), expected)
        << in << " " << wanted;
  }
}

TEST_F(Bytes, strlenCountsToTheFirstZero) {
  for (int round = 0; round < 20000; ++round) {
    std::string in = text(100) + std::string(1 + below(3), '\0') + text(20);
    size_t from = below(in.find('\0') + 1), expected = 0;
    while (in[from + expected])
      ++expected;
    EXPECT_EQ(strlen(in.data() + from), expected);
  }
}

TEST_F(Bytes, memcmpComparesUnsignedBytes) {
  for (int round = 0; round < 20000; ++round) {
    std::string left = text(100), right = left;
    if (!right.empty() && below(2))
      right[below(right.size())] = char(below(0x100));
    int expected = 0;
    for (size_t at = 0; at < left.size() && expected == 0; ++at)
      expected = static_cast<unsigned char>(left[at]) - static_cast<unsigned char>(right[at]);
    int given = memcmp(left.data(), right.data(), left.size());
    EXPECT_EQ(given < 0, expected < 0);
    EXPECT_EQ(given > 0, expected > 0);
  }
}

} // namespace
