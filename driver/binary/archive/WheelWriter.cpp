// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/archive/WheelWriter.h"
#include "driver/binary/archive/Digest.h"
#include "driver/binary/archive/InflateStream.h"
#include "driver/binary/archive/WheelRecords.h"
#include "driver/binary/elf/MemoryFile.h"
#include "driver/core/Diagnostic.h"
#include "llvm/ADT/STLExtras.h"
#include <zlib.h>

namespace cudacc::binary {

/// From this size on, a local header has zip64 sizes: deflate may make a file a little larger.
static constexpr uint64_t LargeSize = 0xf0000000;
static constexpr uint64_t Most32 = UINT32_MAX, Most16 = UINT16_MAX;
static constexpr size_t PieceSize = 256 << 10, BufferSize = 1 << 20;
/// Versions needed to extract: 2.0 for deflate, 4.5 for zip64; made by: 3 is Unix.
static constexpr uint16_t NeedsDeflate = 20, NeedsZip64 = 45, MadeByUnix = 3 << 8 | NeedsZip64;
static constexpr uint16_t Zip64Field = 1;

template <typename T> static void append(std::string &out, const T &value) {
  out.append(reinterpret_cast<const char *>(&value), sizeof(T));
}

/// The zip64 extra field with these values; empty without values.
static std::string zip64Field(llvm::ArrayRef<uint64_t> values) {
  std::string out;
  if (values.empty())
    return out;
  append(out, Zip64Field);
  append(out, uint16_t(values.size() * sizeof(uint64_t)));
  for (uint64_t value : values)
    append(out, value);
  return out;
}

/// Fills in what records of both kinds have, and writes \p record with name and \p extra field.
template <typename Record, typename Entry>
static std::string recordText(Record record, const Entry &entry, const std::string &extra) {
  bool isAscii = llvm::all_of(entry.name, [](unsigned char c) { return c < 0x80; });
  record.signature = Record::Signature;
  record.flags = isAscii ? 0 : Utf8Flag;
  record.method = entry.method;
  record.time = uint16_t(entry.stamp);
  record.date = uint16_t(entry.stamp >> 16);
  record.crc = entry.crc;
  record.nameSize = uint16_t(entry.name.size());
  record.extraSize = uint16_t(extra.size());
  std::string out;
  append(out, record);
  return out + entry.name + extra;
}

class WheelWriter::Deflater {
public:
  Deflater() {
    // The level of zipfile and of auditwheel; raw, without zlib's header.
    good = deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK;
  }
  ~Deflater() { deflateEnd(&stream); }
  Deflater(const Deflater &) = delete;
  Deflater &operator=(const Deflater &) = delete;

  /// Whether zlib had the memory for its state.
  bool good = false;

  /// Passes what comes of \p in to \p take, all of it if this is the \p last piece.
  llvm::Error deflate(llvm::ArrayRef<char> in, bool last,
                      llvm::function_ref<llvm::Error(llvm::StringRef)> take) {
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(in.data()));
    stream.avail_in = in.size();
    do {
      stream.next_out = reinterpret_cast<Bytef *>(out.get());
      stream.avail_out = PieceSize;
      ::deflate(&stream, last ? Z_FINISH : Z_NO_FLUSH);
      if (llvm::Error error = take({out.get(), PieceSize - stream.avail_out}))
        return error;
    } while (stream.avail_out == 0);
    return llvm::Error::success();
  }

private:
  z_stream stream{};
  std::unique_ptr<char[]> out = std::make_unique<char[]>(PieceSize);
};

WheelWriter::WheelWriter(core::Files &files, std::string path)
    : files(files), path(std::move(path)) {}
WheelWriter::~WheelWriter() = default;

std::string WheelWriter::localHeader(const Written &entry) {
  LocalRecord record{};
  record.version = entry.isLarge ? NeedsZip64 : NeedsDeflate;
  record.size = entry.isLarge ? UINT32_MAX : uint32_t(entry.size);
  record.compressedSize = entry.isLarge ? UINT32_MAX : uint32_t(entry.compressedSize);
  return recordText(record, entry,
                    entry.isLarge ? zip64Field({entry.size, entry.compressedSize}) : "");
}

std::string WheelWriter::directoryRecord(const Written &entry) {
  std::vector<uint64_t> large;
  auto fit = [&](uint64_t value) {
    if (value < Most32)
      return uint32_t(value);
    large.push_back(value);
    return UINT32_MAX;
  };
  DirectoryRecord record{};
  record.madeBy = MadeByUnix;
  // In the order of the zip64 field.
  record.size = fit(entry.size);
  record.compressedSize = fit(entry.compressedSize);
  record.offset = fit(entry.offset);
  record.version = large.empty() && !entry.isLarge ? NeedsDeflate : NeedsZip64;
  record.externalAttributes = entry.attributes;
  return recordText(record, entry, zip64Field(large));
}

llvm::Error WheelWriter::flush() {
  if (buffer.empty())
    return llvm::Error::success();
  if (llvm::Error error = files.append(path, buffer))
    return error;
  flushed += buffer.size();
  buffer.clear();
  return llvm::Error::success();
}

llvm::Error WheelWriter::write(llvm::StringRef bytes) {
  buffer += bytes;
  return buffer.size() < BufferSize ? llvm::Error::success() : flush();
}

/// Calls \p take with the bytes of the file, a piece at a time, and whether it is the last one.
static llvm::Error
eachPiece(core::ReadableFile &file,
          llvm::function_ref<llvm::Error(llvm::ArrayRef<char> piece, bool last)> take) {
  auto piece = std::make_unique<char[]>(PieceSize);
  for (uint64_t at = 0;;) {
    size_t count = std::min<uint64_t>(PieceSize, file.size() - at);
    auto got = file.readAt(at, {piece.get(), count});
    if (!got)
      return got.takeError();
    if (*got != count)
      return core::makeError(core::Code::UnreadableFile, "a file became shorter");
    at += count;
    bool last = at == file.size();
    if (llvm::Error error = take({piece.get(), count}, last))
      return error;
    if (last)
      return llvm::Error::success();
  }
}

llvm::Error WheelWriter::copy(core::ReadableFile &wheel, const WheelEntry &entry,
                              const WheelEntry &like) {
  auto data = openCompressed(wheel, entry);
  if (!data)
    return data.takeError();
  Written written{entry.name, entry.size,      entry.compressedSize, size(),
                  entry.crc,  like.attributes, like.stamp,           entry.method};
  written.isLarge = std::max(entry.size, entry.compressedSize) >= LargeSize;
  if (llvm::Error error = write(localHeader(written)))
    return error;
  entries.push_back(std::move(written));
  return eachPiece(**data, [&](llvm::ArrayRef<char> piece, bool) {
    return write({piece.data(), piece.size()});
  });
}

llvm::Expected<std::string> WheelWriter::add(llvm::StringRef name, core::ReadableFile &content,
                                             const WheelEntry &like) {
  Written written{name.str(), content.size(), 0, size(), 0, like.attributes, like.stamp, Deflated};
  written.isLarge = content.size() >= LargeSize;
  Deflater deflater;
  if (!deflater.good)
    return core::makeError(core::Code::LimitReached, path + ": no memory to compress it");
  // Sizes and CRC are filled in below, once they are known.
  if (llvm::Error error = write(localHeader(written)))
    return error;
  RecordDigest digest;
  auto take = [&](llvm::StringRef bytes) {
    written.compressedSize += bytes.size();
    return write(bytes);
  };
  llvm::Error error = eachPiece(content, [&](llvm::ArrayRef<char> piece, bool last) {
    digest.add(piece);
    written.crc = crcOf(written.crc, piece);
    return deflater.deflate(piece, last, take);
  });
  if (error)
    return error;
  std::string header = localHeader(written);
  if (written.offset >= flushed)
    buffer.replace(written.offset - flushed, header.size(), header);
  else if (llvm::Error failed = files.patch(path, written.offset, header))
    return failed;
  entries.push_back(std::move(written));
  return digest.str();
}

llvm::Expected<std::string> WheelWriter::add(llvm::StringRef name, llvm::StringRef content,
                                             const WheelEntry &like) {
  MemoryFile file(content.str());
  return add(name, file, like);
}

llvm::Error WheelWriter::finish() {
  uint64_t begin = size();
  for (const Written &entry : entries)
    if (llvm::Error error = write(directoryRecord(entry)))
      return error;
  uint64_t length = size() - begin, count = entries.size();
  std::string out;
  if (begin >= Most32 || length >= Most32 || count >= Most16) {
    append(out, EndRecord64{EndRecord64::Signature, sizeof(EndRecord64) - 12, MadeByUnix,
                            NeedsZip64, 0, 0, count, count, length, begin});
    append(out, Locator64{Locator64::Signature, 0, begin + length, 1});
  }
  EndRecord end{};
  end.signature = EndRecord::Signature;
  end.diskEntries = end.entries = uint16_t(std::min(count, Most16));
  end.directorySize = uint32_t(std::min(length, Most32));
  end.directoryOffset = uint32_t(std::min(begin, Most32));
  append(out, end);
  if (llvm::Error error = write(out))
    return error;
  return flush();
}

} // namespace cudacc::binary
