#include "driver/elf/Deflated.h"
#include "driver/core/Diagnostic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <cstring>
#include <zlib.h>

namespace cudacc::elf {

/// Output is made in whole blocks, of which the latest are kept.
static constexpr uint64_t BlockSize = 64 << 10, InputSize = 32 << 10;
/// A restart point is a copy of zlib's state, 40 KiB with its window. Such a copy can be taken
/// anywhere, also inside a deflate block that never ends.
static constexpr uint64_t MaxPoints = 160, LeastSpacing = 1 << 20;
/// What is small may be as dense as it likes; beyond that no library, and no header, comes near.
static constexpr uint64_t DenseSize = 16 << 20, DenseRatio = 64;
static constexpr uint64_t LeastBudget = uint64_t(4) << 30, MostBudget = uint64_t(16) << 30;

namespace {
/// zlib's state points back to the z_stream, so it stays where it is.
struct Stream {
  z_stream z{};
  /// Bytes of input used, bytes of output made.
  uint64_t in = 0, out = 0;
  bool ended = false;

  Stream() = default;
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;
  ~Stream() { inflateEnd(&z); }

  static std::unique_ptr<Stream> start() {
    auto stream = std::make_unique<Stream>();
    return inflateInit2(&stream->z, -MAX_WBITS) == Z_OK ? std::move(stream) : nullptr;
  }
  std::unique_ptr<Stream> copy() {
    auto result = std::make_unique<Stream>();
    if (inflateCopy(&result->z, &z) != Z_OK)
      return nullptr;
    result->in = in;
    result->out = out;
    result->ended = ended;
    return result;
  }
};

class Inflated final : public core::ReadableFile {
public:
  Inflated(core::ReadableFile &wheel, uint64_t data, const WheelEntry &entry)
      : wheel(wheel), data(data), compressedSize(entry.compressedSize), length(entry.size),
        expectedCrc(entry.crc), name(entry.name), budget(entry.budget),
        spacing(std::max(LeastSpacing, llvm::alignTo(entry.size / MaxPoints + 1, BlockSize))),
        input(new char[InputSize]) {}

  uint64_t size() const override { return length; }
  llvm::Expected<size_t> readAt(uint64_t offset, llvm::MutableArrayRef<char> out) override;

private:
  struct Block {
    uint64_t index = UINT64_MAX, used = 0;
    std::unique_ptr<char[]> data;
  };
  core::ReadableFile &wheel;
  uint64_t data, compressedSize, length;
  uint32_t expectedCrc;
  std::string name;
  /// Null: without bound, of an entry that no wheel was read for.
  std::shared_ptr<InflateBudget> budget;
  uint64_t spacing;
  std::unique_ptr<char[]> input;
  std::unique_ptr<Stream> current;
  /// Ascending by output.
  std::vector<std::unique_ptr<Stream>> points;
  std::array<Block, 8> blocks;
  uint64_t clock = 0;
  /// Output up to here was made at least once, and has this CRC.
  uint64_t frontier = 0;
  uint32_t crc = 0;

  /// Why the entry is no good; null: nothing was found. It stays, so that no later read hides it.
  const char *damage = nullptr;
  core::Code code = core::Code::BrokenBinary;

  llvm::Error broken(const char *what) {
    damage = what;
    return core::fail(code, name + ": " + what);
  }
  llvm::Error beyond(const char *what) {
    code = core::Code::LimitReached;
    return broken(what);
  }
  llvm::Expected<const char *> block(uint64_t index);
  /// Makes `current` the nearest stream in front of \p offset.
  llvm::Error seek(uint64_t offset);
  /// Inflates the next block, or what is left.
  llvm::Error advance();
  llvm::Error inflateInto(char *out, uint64_t count);
  llvm::Error refill();
  llvm::Error keep(const char *made, uint64_t count);
};
} // namespace

llvm::Error Inflated::refill() {
  Stream &stream = *current;
  uint64_t count = std::min(InputSize, compressedSize - stream.in);
  auto got = wheel.readAt(data + stream.in, {input.get(), count});
  if (!got)
    return got.takeError();
  if (*got != count)
    return broken("the wheel became shorter");
  stream.z.next_in = reinterpret_cast<Bytef *>(input.get());
  stream.z.avail_in = count;
  return llvm::Error::success();
}

llvm::Error Inflated::inflateInto(char *out, uint64_t count) {
  Stream &stream = *current;
  stream.z.next_out = reinterpret_cast<Bytef *>(out);
  stream.z.avail_out = count;
  while (stream.z.avail_out && !stream.ended) {
    if (!stream.z.avail_in)
      if (auto error = refill())
        return error;
    uint64_t had = stream.z.avail_in, room = stream.z.avail_out;
    int status = inflate(&stream.z, Z_NO_FLUSH);
    stream.in += had - stream.z.avail_in;
    stream.out += room - stream.z.avail_out;
    stream.ended = status == Z_STREAM_END;
    if (status != Z_OK && !stream.ended)
      return broken(status == Z_BUF_ERROR ? "its data end early" : "its data are damaged");
  }
  return stream.z.avail_out ? broken("it is shorter than its stated size") : llvm::Error::success();
}

llvm::Error Inflated::keep(const char *made, uint64_t count) {
  crc = crc32(crc, reinterpret_cast<const Bytef *>(made), count);
  frontier = current->out;
  if (frontier == length) {
    char more;
    if (auto error = inflateInto(&more, 1))
      llvm::consumeError(std::move(error));
    damage = nullptr;
    if (current->out != length || !current->ended)
      return broken("it is longer than its stated size");
    return crc == expectedCrc ? llvm::Error::success() : broken("its checksum is wrong");
  }
  if (frontier % spacing)
    return llvm::Error::success();
  if (auto point = current->copy())
    points.push_back(std::move(point));
  return llvm::Error::success();
}

llvm::Error Inflated::advance() {
  Block &victim =
      *llvm::min_element(blocks, [](const Block &a, const Block &b) { return a.used < b.used; });
  if (!victim.data)
    victim.data.reset(new char[BlockSize]);
  uint64_t begin = current->out, count = std::min(BlockSize, length - begin);
  victim.index = UINT64_MAX;
  if (begin >= DenseSize && begin / DenseRatio > current->in)
    return beyond("it unpacks to more than 16 MiB, and 64 times its size");
  // What is made again, for a reader that goes back, does not count: a library of 1 GB is easily
  // inflated ten times.
  if (budget && begin == frontier && !budget->take(count))
    return beyond("the wheel unpacks to more than 4 GiB, and 64 times its size or 16 GiB");
  if (auto error = inflateInto(victim.data.get(), count))
    return error;
  if (begin == frontier)
    if (auto error = keep(victim.data.get(), count))
      return error;
  victim.index = begin / BlockSize;
  victim.used = ++clock;
  return llvm::Error::success();
}

llvm::Error Inflated::seek(uint64_t offset) {
  auto next = llvm::upper_bound(points, offset,
                                [](uint64_t at, const auto &point) { return at < point->out; });
  Stream *point = next == points.begin() ? nullptr : std::prev(next)->get();
  if (current && current->out <= offset && (!point || point->out <= current->out))
    return llvm::Error::success();
  current = point ? point->copy() : Stream::start();
  if (!current)
    return core::fail(core::Code::LimitReached, name + ": no memory to inflate it");
  // What was read ahead belongs to the stream that is gone.
  current->z.avail_in = 0;
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
      current.reset();
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

InflateBudget::InflateBudget(uint64_t wheelSize)
    : size(std::clamp(wheelSize, LeastBudget / DenseRatio, MostBudget / DenseRatio) * DenseRatio) {}

bool InflateBudget::take(uint64_t count) { return used.fetch_add(count) + count <= size; }

std::unique_ptr<core::ReadableFile> inflated(core::ReadableFile &wheel, uint64_t data,
                                             const WheelEntry &entry) {
  return std::make_unique<Inflated>(wheel, data, entry);
}

} // namespace cudacc::elf
