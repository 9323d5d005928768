// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/archive/Deflated.h"
#include "driver/binary/archive/InflateStream.h"
#include "driver/binary/device/KeptParts.h"
#include "driver/core/Diagnostic.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <cstring>

namespace cudacc::binary {

/// Output is produced in whole blocks, of which the last few are kept.
static constexpr uint64_t BlockSize = 64 << 10, InputSize = 64 << 10;
/// Number of bytes that are read to recognise a member's type.
static constexpr uint64_t HeadSize = 1 << 10;
/// A restart point is a copy of the inflater's state including its window. It can be taken
/// anywhere, also within a deflate block that never ends.
static constexpr uint64_t MaxPoints = 64, LeastSpacing = 1 << 20;
/// Limit for inflating again what was not kept: so many times the size, plus a constant.
static constexpr uint64_t TimesAgain = 4, MostAgain = 64 << 20;
/// Small members may have any ratio; beyond this size, no library or header comes near this ratio.
static constexpr uint64_t DenseSize = 16 << 20, DenseRatio = 64;
static constexpr uint64_t LeastBudget = uint64_t(4) << 30, MostBudget = uint64_t(16) << 30;

namespace {
/// A position in the stream, with the bytes consumed and produced so far.
struct Place {
  std::unique_ptr<InflateStream> stream;
  uint64_t in = 0, out = 0;
  bool ended = false;

  static Place start() {
    Place place;
    place.stream = std::make_unique<InflateStream>();
    if (!place.stream->good())
      place.stream.reset();
    return place;
  }
  Place copy() const { return {stream->copy(), in, out, ended}; }
};

class Inflated final : public MemberFile {
public:
  Inflated(core::ReadableFile &wheel, uint64_t data, const WheelEntry &entry)
      : wheel(wheel), data(data), compressedSize(entry.compressedSize), length(entry.size),
        expectedCrc(entry.crc), name(entry.name), budget(entry.budget),
        spacing(std::max(LeastSpacing, llvm::alignTo(entry.size / MaxPoints + 1, BlockSize))),
        kept(entry.size) {}

  uint64_t size() const override { return length; }
  llvm::Expected<size_t> readAt(uint64_t offset, llvm::MutableArrayRef<char> out) override;
  llvm::Error verify() override;
  std::optional<llvm::ArrayRef<uint64_t>> staticCudart() const override {
    return verified ? kept.staticCudart() : std::nullopt;
  }
  uint64_t madeAgain() const override { return again; }

private:
  struct Block {
    uint64_t index = UINT64_MAX, used = 0;
    std::unique_ptr<char[]> data;
  };
  core::ReadableFile &wheel;
  uint64_t data, compressedSize, length;
  uint32_t expectedCrc;
  std::string name;
  /// Null, for no limit, if the entry does not come from readWheel.
  std::shared_ptr<InflateBudget> budget;
  uint64_t spacing;
  std::unique_ptr<char[]> input;
  /// The part of `input` that the current stream has not consumed yet.
  llvm::ArrayRef<char> ahead;
  Place current;
  /// Sorted by output position.
  std::vector<Place> points;
  std::array<Block, 8> blocks;
  uint64_t clock = 0;
  /// Output up to here was produced at least once; `crc` is its CRC.
  uint64_t frontier = 0;
  uint32_t crc = 0;
  /// The end was reached, and size and CRC are right.
  bool verified = false;
  KeptParts kept;
  /// Number of bytes that were produced more than once.
  uint64_t again = 0;

  /// What is wrong with the entry; null if nothing was found. Kept, so that later reads fail too.
  const char *damage = nullptr;
  core::Code code = core::Code::BrokenBinary;

  llvm::Error broken(const char *what) {
    damage = what;
    return core::makeError(code, fmt::format("{}: {}", name, what));
  }
  llvm::Error beyond(const char *what) {
    code = core::Code::LimitReached;
    return broken(what);
  }
  llvm::Expected<const char *> block(uint64_t index);
  /// Reads from the first bytes, for a member of which perhaps nothing else is read.
  llvm::Expected<size_t> peek(uint64_t offset, llvm::MutableArrayRef<char> out);
  /// Sets `current` to the nearest position at or before \p offset.
  llvm::Error seek(uint64_t offset);
  /// Inflates the next block, or the rest if that is shorter.
  llvm::Error advance();
  /// Reads \p readSize bytes of input at a time.
  llvm::Error inflateInto(llvm::MutableArrayRef<char> out, uint64_t readSize = InputSize);
  llvm::Error refill(uint64_t size);
  llvm::Error keep(llvm::ArrayRef<char> made);
};
} // namespace

llvm::Error Inflated::refill(uint64_t size) {
  uint64_t count = std::min(size, compressedSize - current.in);
  if (!input)
    input.reset(new char[InputSize]);
  auto got = wheel.readAt(data + current.in, {input.get(), count});
  if (!got)
    return got.takeError();
  if (*got != count)
    return broken("the wheel became shorter");
  ahead = {input.get(), count};
  return llvm::Error::success();
}

llvm::Error Inflated::inflateInto(llvm::MutableArrayRef<char> out, uint64_t readSize) {
  while (!out.empty() && !current.ended) {
    bool last = current.in + ahead.size() == compressedSize;
    if (ahead.empty() && !last) {
      if (auto error = refill(readSize))
        return error;
      last = current.in + ahead.size() == compressedSize;
    }
    uint64_t had = ahead.size(), room = out.size();
    auto status = current.stream->inflate(ahead, out);
    current.in += had - ahead.size();
    current.out += room - out.size();
    current.ended = status == InflateStream::Status::ExitStatus;
    if (status == InflateStream::Status::Damaged)
      return broken("its data are damaged");
    if (!current.ended && last && had == ahead.size() && room == out.size())
      return broken("its data end early");
  }
  return out.empty() ? llvm::Error::success() : broken("it is shorter than its stated size");
}

llvm::Error Inflated::keep(llvm::ArrayRef<char> made) {
  crc = crcOf(crc, made);
  kept.see({made.data(), made.size()});
  frontier = current.out;
  if (frontier == length) {
    char more;
    if (auto error = inflateInto({&more, 1}))
      llvm::consumeError(std::move(error));
    damage = nullptr;
    if (current.out != length || !current.ended)
      return broken("it is longer than its stated size");
    if (crc != expectedCrc)
      return broken("its checksum is wrong");
    verified = true;
    return llvm::Error::success();
  }
  if (frontier % spacing)
    return llvm::Error::success();
  if (Place point = current.copy(); point.stream)
    points.push_back(std::move(point));
  return llvm::Error::success();
}

llvm::Error Inflated::advance() {
  Block &victim =
      *llvm::min_element(blocks, [](const Block &a, const Block &b) { return a.used < b.used; });
  uint64_t begin = current.out, count = std::min(BlockSize, length - begin);
  if (!victim.data)
    victim.data.reset(new char[std::min(BlockSize, length)]);
  victim.index = UINT64_MAX;
  if (begin >= DenseSize && begin / DenseRatio > current.in)
    return beyond("it unpacks to more than 16 MiB, and 64 times its size");
  if (budget && begin == frontier && !budget->take(count))
    return beyond("the wheel unpacks to more than 4 GiB, and 64 times its size or 16 GiB");
  if (begin != frontier) {
    again += count;
    if (again > MostAgain + length * TimesAgain)
      return beyond("reading it goes back too often");
  }
  if (auto error = inflateInto({victim.data.get(), count}))
    return error;
  if (begin == frontier)
    if (auto error = keep({victim.data.get(), count}))
      return error;
  victim.index = begin / BlockSize;
  victim.used = ++clock;
  return llvm::Error::success();
}

llvm::Error Inflated::seek(uint64_t offset) {
  auto next = llvm::upper_bound(points, offset,
                                [](uint64_t at, const Place &point) { return at < point.out; });
  const Place *point = next == points.begin() ? nullptr : &*std::prev(next);
  if (current.stream && current.out <= offset && (!point || point->out <= current.out))
    return llvm::Error::success();
  current = point ? point->copy() : Place::start();
  if (!current.stream)
    return core::makeError(core::Code::LimitReached, name + ": no memory to inflate it");
  // The input read ahead belongs to the previous stream.
  ahead = {};
  return llvm::Error::success();
}

llvm::Expected<const char *> Inflated::block(uint64_t index) {
  for (;;) {
    for (Block &block : blocks)
      if (block.index == index) {
        block.used = ++clock;
        return block.data.get();
      }
    if (auto error = seek(index * BlockSize))
      return error;
    if (auto error = advance()) {
      current = Place();
      return error;
    }
  }
}

llvm::Expected<size_t> Inflated::readAt(uint64_t offset, llvm::MutableArrayRef<char> out) {
  if (damage)
    return broken(damage);
  if (offset >= length)
    return 0;
  out = out.take_front(length - offset);
  if (kept.read(offset, out))
    return out.size();
  if (!frontier && offset + out.size() <= HeadSize && length > HeadSize)
    return peek(offset, out);
  for (size_t done = 0; done != out.size();) {
    uint64_t at = offset + done, into = at % BlockSize;
    auto made = block(at / BlockSize);
    if (!made)
      return made.takeError();
    size_t count = std::min<uint64_t>(BlockSize - into, out.size() - done);
    std::memcpy(out.data() + done, *made + into, count);
    done += count;
  }
  return out.size();
}

llvm::Error Inflated::verify() {
  if (damage)
    return broken(damage);
  while (!verified) {
    llvm::Error error = seek(frontier);
    if (!error)
      error = advance();
    if (error) {
      current = Place();
      return error;
    }
  }
  return llvm::Error::success();
}

/// A wheel has thousands of members of which only the first bytes matter.
llvm::Expected<size_t> Inflated::peek(uint64_t offset, llvm::MutableArrayRef<char> out) {
  current = Place::start();
  if (!current.stream)
    return core::makeError(core::Code::LimitReached, name + ": no memory to inflate it");
  char head[HeadSize];
  // As much input is enough, as text deflates to a quarter; if not, the loop reads on.
  auto error = inflateInto({head, offset + out.size()}, HeadSize);
  current = Place();
  ahead = {};
  if (error)
    return error;
  std::memcpy(out.data(), head + offset, out.size());
  return out.size();
}

InflateBudget::InflateBudget(uint64_t wheelSize)
    : size(std::clamp(wheelSize, LeastBudget / DenseRatio, MostBudget / DenseRatio) * DenseRatio) {}

bool InflateBudget::take(uint64_t count) { return used.fetch_add(count) + count <= size; }

std::unique_ptr<MemberFile> inflated(core::ReadableFile &wheel, uint64_t data,
                                     const WheelEntry &entry) {
  return std::make_unique<Inflated>(wheel, data, entry);
}

} // namespace cudacc::binary
