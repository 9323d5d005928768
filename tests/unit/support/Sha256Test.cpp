// SPDX-License-Identifier: Apache-2.0
#include "driver/support/Sha256.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using cudacc::support::Sha256;

static std::string hex(const Sha256::Digest &digest) { return llvm::toHex(digest, true); }

// The examples of FIPS 180-4 and of NIST's test vectors.
TEST(Sha256, digestsOfKnownTexts) {
  EXPECT_EQ(hex(Sha256::of("")),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex(Sha256::of("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex(Sha256::of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex(Sha256::of(std::string(1000000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, theSizeOfThePiecesDoesNotMatter) {
  std::string text(1000, 'x');
  for (size_t step : {1, 7, 63, 64, 65, 128, 999}) {
    Sha256 hash;
    for (size_t at = 0; at < text.size(); at += step)
      hash.add(llvm::StringRef(text).substr(at, step));
    EXPECT_EQ(hash.finish(), Sha256::of(text)) << step;
  }
}

// Its bits are counted in more than 32 bits: 2^32 bits and one byte of zeros.
TEST(Sha256, filesOfHalfAGigabyteAndMore) {
  Sha256 hash;
  std::string piece(1 << 20, '\0');
  for (int i = 0; i != 512; ++i)
    hash.add(piece);
  hash.add(llvm::StringRef("\0", 1));
  EXPECT_EQ(hex(hash.finish()), "7c40fe5ce847740d0f0d0cdde3949d6585804cdec3ae61a15b923165699c8137");
}
