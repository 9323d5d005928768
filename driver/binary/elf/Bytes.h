// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstring>
#include <memory>

namespace cudacc::binary {

/// A bounds-checked part of a file. It is read in aligned lines, a few of which are cached, so that
/// time and memory depend on what is read, not on the file's size. Offsets count from the beginning
/// of the part.
class Bytes {
public:
  /// \p base and \p size are within the file. \p name is used in messages and must outlive this
  /// object; \p member is the name if the part is an archive member, else empty.
  Bytes(core::ReadableFile &file, llvm::StringRef name, uint64_t base, uint64_t size,
        llvm::StringRef member = "")
      : file(file), name(name), member(member), base(base), length(size) {}

  uint64_t size() const { return length; }
  /// The last component of the file's path.
  llvm::StringRef fileName() const;
  /// Empty if the part is no archive member.
  llvm::StringRef memberName() const { return member; }
  bool holds(uint64_t offset, uint64_t count) const {
    return offset <= length && count <= length - offset;
  }
  /// A BrokenBinary error: "libx.so: \p what", and where.
  llvm::Error broken(const llvm::Twine &what, uint64_t offset) const;
  /// "0x2010", or "0x2010 in a.o" inside a member.
  std::string where(uint64_t offset) const;
  /// A LimitReached error.
  llvm::Error limit(const llvm::Twine &what) const;

  /// \p what names what is read, with its article: "the program headers".
  llvm::Error read(uint64_t offset, llvm::MutableArrayRef<char> out, const char *what);
  /// As `read`, bypassing the cached lines: for small, scattered pieces.
  llvm::Error readApart(uint64_t offset, llvm::MutableArrayRef<char> out, const char *what);
  llvm::Expected<std::string> bytes(uint64_t offset, uint64_t count, const char *what);
  template <typename T> llvm::Expected<T> get(uint64_t offset, const char *what) {
    T value;
    if (llvm::Error error = read(offset, {reinterpret_cast<char *>(&value), sizeof(T)}, what))
      return error;
    return value;
  }
  /// Calls \p visit with the index and value of each entry of a table until it returns an error.
  template <typename T>
  llvm::Error each(uint64_t offset, uint64_t count, const char *what,
                   llvm::function_ref<llvm::Error(uint64_t, const T &)> visit) {
    if (count > length / sizeof(T) || !holds(offset, count * sizeof(T)))
      return outside(offset, what);
    std::array<T, 4096 / sizeof(T)> some;
    for (uint64_t done = 0; done != count;) {
      uint64_t now = std::min<uint64_t>(count - done, some.size());
      if (llvm::Error error = read(offset + done * sizeof(T),
                                   {reinterpret_cast<char *>(some.data()), now * sizeof(T)}, what))
        return error;
      for (uint64_t i = 0; i != now; ++i)
        if (llvm::Error error = visit(done + i, some[i]))
          return error;
      done += now;
    }
    return llvm::Error::success();
  }
  /// The NUL-terminated string at \p offset; the NUL must be before \p end.
  llvm::Expected<std::string> string(uint64_t offset, uint64_t end, const char *what);

private:
  static constexpr uint64_t LineSize = 16 << 10;
  struct Line {
    uint64_t index = UINT64_MAX;
    size_t filled = 0;
    std::unique_ptr<char[]> data;
  };
  core::ReadableFile &file;
  llvm::StringRef name, member;
  uint64_t base, length;
  std::array<Line, 4> lines;

  llvm::Error outside(uint64_t offset, const char *what) const;
  llvm::Expected<llvm::StringRef> line(uint64_t index, const char *what);
};

} // namespace cudacc::binary
