// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/elf/Bytes.h"
#include "driver/core/Diagnostic.h"
#include "driver/versions/Format.h"
#include "llvm/Support/Path.h"

namespace cudacc::binary {

/// No compiler makes longer names.
static constexpr uint64_t MaxString = 1 << 20;

llvm::StringRef Bytes::fileName() const { return llvm::sys::path::filename(name); }

llvm::Error Bytes::broken(const llvm::Twine &what, uint64_t offset) const {
  std::vector<core::Fact> facts{{"file", name.str()}};
  if (!member.empty())
    facts.push_back({"member", member.str()});
  facts.push_back({"offset", fmt::format("{:#x}", base + offset)});
  return core::makeError(core::Code::BrokenBinary, fmt::format("{}: {}", fileName(), what),
                         std::move(facts));
}

llvm::Error Bytes::limit(const llvm::Twine &what) const {
  return core::makeError(core::Code::LimitReached, fmt::format("{}: {}", fileName(), what),
                         {{"file", name.str()}});
}

llvm::Error Bytes::outside(uint64_t offset, const char *what) const {
  return broken(fmt::format("{} reaches beyond the end", what), offset);
}

std::string Bytes::where(uint64_t offset) const {
  return member.empty() ? fmt::format("{:#x}", offset) : fmt::format("{:#x} in {}", offset, member);
}

llvm::Error Bytes::readApart(uint64_t offset, llvm::MutableArrayRef<char> out, const char *what) {
  if (!holds(offset, out.size()))
    return outside(offset, what);
  auto got = file.readAt(base + offset, out);
  if (!got)
    return got.takeError();
  return *got == out.size() ? llvm::Error::success() : outside(offset + *got, what);
}

llvm::Expected<llvm::StringRef> Bytes::line(uint64_t index, const char *what) {
  Line &slot = lines[index % lines.size()];
  if (slot.index != index) {
    if (!slot.data)
      slot.data.reset(new char[LineSize]);
    slot.index = UINT64_MAX;
    auto got = file.readAt(base + index * LineSize, {slot.data.get(), LineSize});
    if (!got)
      return got.takeError();
    slot.index = index;
    slot.filled = *got;
  }
  uint64_t wanted = std::min(LineSize, length - index * LineSize);
  // The file shrank after its size was determined.
  if (slot.filled < wanted)
    return outside(index * LineSize + slot.filled, what);
  return llvm::StringRef(slot.data.get(), wanted);
}

llvm::Error Bytes::read(uint64_t offset, llvm::MutableArrayRef<char> out, const char *what) {
  if (!holds(offset, out.size()))
    return outside(offset, what);
  if (out.size() > LineSize)
    return readApart(offset, out, what);
  while (!out.empty()) {
    auto text = line(offset / LineSize, what);
    if (!text)
      return text.takeError();
    llvm::StringRef part = text->substr(offset % LineSize, out.size());
    std::memcpy(out.data(), part.data(), part.size());
    out = out.drop_front(part.size());
    offset += part.size();
  }
  return llvm::Error::success();
}

llvm::Expected<std::string> Bytes::bytes(uint64_t offset, uint64_t count, const char *what) {
  // Checked before the allocation, since \p count comes from the file.
  if (!holds(offset, count))
    return outside(offset, what);
  std::string out(count, '\0');
  if (llvm::Error error = read(offset, {out.data(), out.size()}, what))
    return error;
  return out;
}

llvm::Expected<std::string> Bytes::string(uint64_t offset, uint64_t end, const char *what) {
  std::string out;
  end = std::min(end, length);
  while (offset < end && out.size() <= MaxString) {
    auto text = line(offset / LineSize, what);
    if (!text)
      return text.takeError();
    llvm::StringRef part = text->substr(offset % LineSize, end - offset);
    size_t stop = part.find('\0');
    out += part.take_front(stop);
    if (stop != llvm::StringRef::npos)
      return out;
    offset += part.size();
  }
  return broken(fmt::format("{} does not end", what), offset);
}

} // namespace cudacc::binary
