// SPDX-License-Identifier: Apache-2.0
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include <gmock/gmock.h>

using testing::Contains;
using testing::Not;

namespace {

/// A program's output, as lines.
std::vector<std::string> linesOf(std::vector<llvm::StringRef> words) {
  llvm::SmallString<128> output, errors;
  EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("cudacc-moved", "out", output));
  EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("cudacc-moved", "err", errors));
  std::optional<llvm::StringRef> streams[] = {std::nullopt, output.str(), errors.str()};
  int status = llvm::sys::ExecuteAndWait(words[0], words, std::nullopt, streams, 60);
  auto printed = llvm::MemoryBuffer::getFile(output), said = llvm::MemoryBuffer::getFile(errors);
  EXPECT_EQ(status, 0) << (said ? (*said)->getBuffer().str() : "");
  std::vector<std::string> lines;
  for (llvm::StringRef line : llvm::split(printed ? (*printed)->getBuffer() : "", '\n'))
    lines.push_back(line.str());
  llvm::sys::fs::remove(output);
  llvm::sys::fs::remove(errors);
  return lines;
}

} // namespace

// F16: a row means the same in the data files and in a user's facts file.
TEST(MovedRows, ResolveAsBuiltInOnes) {
  auto builtIn = linesOf({CUDACC_RESOLVED_BUILT_IN});
  auto moved = linesOf({CUDACC_RESOLVED_MOVED, CUDACC_MOVED_ROWS});
  auto without = linesOf({CUDACC_RESOLVED_MOVED});
  for (const char *release : {"torch==2.15.0", "cuda==13.2.2", "jax[cuda12]==0.11.2",
                              "onnxruntime-gpu[cuda,cudnn]==1.28.0"}) {
    EXPECT_THAT(builtIn, Contains(release));
    EXPECT_THAT(without, Not(Contains(release))) << "it was not moved";
  }
  for (size_t i = 0; i < builtIn.size() && i < moved.size(); ++i)
    ASSERT_EQ(moved[i], builtIn[i]) << "in line " << i + 1;
  EXPECT_EQ(moved.size(), builtIn.size());
}
