// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/Reader.h"
#include "driver/binary/manifest/Note.h"
#include "driver/core/Diagnostic.h"
#include "driver/core/Files.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace cudacc::binary::test {

/// A file in memory that counts the bytes read from it.
class MemoryFile : public core::ReadableFile {
public:
  explicit MemoryFile(std::string content) : content(std::move(content)) {}
  uint64_t size() const override { return statedSize ? statedSize : content.size(); }
  llvm::Expected<size_t> readAt(uint64_t offset, llvm::MutableArrayRef<char> out) override;

  std::string content;
  /// A size that differs from the content's; 0: none.
  uint64_t statedSize = 0;
  uint64_t bytesRead = 0, calls = 0;
};

/// A temporary directory, removed at the end.
class Scratch {
public:
  Scratch();
  ~Scratch();
  std::string operator/(llvm::StringRef name) const { return path + "/" + name.str(); }
  /// Writes a file and returns its path.
  std::string write(llvm::StringRef name, llvm::StringRef content) const;
  std::string path;
};

std::string slurp(llvm::StringRef path);

struct Ran {
  int status = -1;
  /// stdout and stderr together.
  std::string text;
};
/// Runs a program with LC_ALL=C; returns its output.
Ran run(llvm::ArrayRef<std::string> argv);
/// What glibc's loader says of a library in a process of its own: "", its message, or "signal 7".
/// With a \p function, what a call of that returns.
std::string opened(const std::string &library, const std::string &function = "");
/// Path of a tool; empty if it is not installed.
std::string tool(llvm::StringRef name);

core::BinaryFacts readBytes(const std::string &content, NotePositions *positions = nullptr);
core::BinaryFacts readFile(llvm::StringRef path, NotePositions *positions = nullptr);
/// The message of a failed read; "" if it succeeded.
std::string readError(const std::string &content);

core::LinkRecord fullLink();
core::ObjectRecord fullObject();

} // namespace cudacc::binary::test

/// Skips the test if a tool is not installed.
#define NEED_TOOL(NAME)                                                                            \
  if (cudacc::binary::test::tool(NAME).empty())                                                    \
  GTEST_SKIP() << "no " << NAME
