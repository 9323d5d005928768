// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/archive/WheelRecords.h"
#include <cstring>
#include <string>
#include <vector>
#include <zlib.h>

namespace cudacc::binary::test {

/// Writes zip files, including invalid ones: every field can be changed before `str`.
class ZipWriter {
public:
  struct Entry {
    std::string name, data, extra;
    LocalRecord local{};
    DirectoryRecord directory{};
    /// The name in the local header; empty: the same.
    std::string localName;
  };
  std::vector<Entry> entries;
  /// Added to the correct value.
  EndRecord end{};
  /// The end is one of zip64, and the other one refers to it or, with `statesBoth`, says all
  /// itself.
  bool zip64 = false, statesBoth = false;
  /// What the record of zip64 says of its own place, added to the correct value.
  int64_t end64Moved = 0;
  std::string comment, between;

  static std::string deflated(const std::string &text, int level = 6) {
    z_stream stream{};
    deflateInit2(&stream, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(text.data()));
    stream.avail_in = text.size();
    stream.next_out = reinterpret_cast<Bytef *>(out.data());
    stream.avail_out = out.size();
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
  }

  Entry &add(const std::string &name, const std::string &text, uint16_t method = Deflated) {
    Entry &entry = entries.emplace_back();
    entry.name = name;
    entry.data = method == Deflated ? deflated(text) : text;
    DirectoryRecord &record = entry.directory;
    record.signature = DirectoryRecord::Signature;
    record.method = method;
    record.crc = crc32(0, reinterpret_cast<const Bytef *>(text.data()), text.size());
    record.size = text.size();
    record.compressedSize = entry.data.size();
    entry.local.signature = LocalRecord::Signature;
    entry.local.method = method;
    return entry;
  }

  /// Offsets, and CRCs and sizes of local headers, that an entry sets itself (other than 0) are
  /// kept.
  std::string str() {
    std::string out;
    for (Entry &entry : entries) {
      const std::string &name = entry.localName.empty() ? entry.name : entry.localName;
      if (!entry.directory.offset)
        entry.directory.offset = out.size();
      entry.local.nameSize = name.size();
      if (!entry.local.crc)
        entry.local.crc = entry.directory.crc;
      if (!entry.local.size)
        entry.local.size = entry.directory.size;
      if (!entry.local.compressedSize)
        entry.local.compressedSize = entry.directory.compressedSize;
      append(out, entry.local);
      out += name + entry.data;
    }
    uint64_t begin = out.size();
    for (Entry &entry : entries) {
      entry.directory.nameSize = entry.name.size();
      entry.directory.extraSize = entry.extra.size();
      append(out, entry.directory);
      out += entry.name + entry.extra;
    }
    uint64_t size = out.size() - begin;
    out += between;
    EndRecord last = end;
    if (zip64) {
      EndRecord64 record{EndRecord64::Signature, 44,   45,   45, 0, 0, entries.size(),
                         entries.size(),         size, begin};
      Locator64 locator{Locator64::Signature, 0, out.size() + end64Moved, 1};
      append(out, record);
      append(out, locator);
    }
    if (zip64 && !statesBoth) {
      last.entries = last.diskEntries = 0xffff;
      last.directoryOffset = last.directorySize = UINT32_MAX;
    } else {
      last.entries += entries.size();
      last.diskEntries = last.entries;
      last.directorySize += size;
      last.directoryOffset += begin;
    }
    last.signature = 0x06054b50;
    last.commentSize += comment.size();
    append(out, last);
    return out + comment;
  }

private:
  template <typename T> static void append(std::string &out, const T &value) {
    out.append(reinterpret_cast<const char *>(&value), sizeof(T));
  }
};

} // namespace cudacc::binary::test
