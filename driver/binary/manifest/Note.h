// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Manifest.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::binary {

/// Note types (EN-5).
constexpr uint32_t ObjectNote = 0xC0DA0001, LinkNote = 0xC0DA0002, SummaryNote = 0xC0DA0003;
/// Bytes in front of a descriptor: header and owner (EN-3).
constexpr uint32_t NoteHeaderSize = 24;
/// Bytes reserved for the link record's descriptor (IP-1); multiples of 8.
constexpr uint32_t DefaultCapacity = 2048, MaxCapacity = 65528;

/// A whole note record. The descriptor is padded with NULs to a multiple of 8, at least 8 (EN-4).
std::string encodeRecord(uint32_t type, llvm::StringRef descriptor);
/// A record of JSON text: at least one NUL behind it (EN-6), NULs up to \p capacity where that is
/// more.
std::string encodeJsonRecord(uint32_t type, llvm::StringRef json, uint32_t capacity = 0);

/// Canonical JSON (MJ). What is empty or not set in the record has no key.
std::string toJson(const core::ObjectRecord &record);
std::string toJson(const core::LinkRecord &record);
/// Nothing when the text is not JSON of MJ within RD-6, is of another kind or schema, or a known
/// key has a value of another type; \p problem then says which. Unknown keys are ignored.
std::optional<core::ObjectRecord> parseObjectRecord(llvm::StringRef json, std::string &problem);
std::optional<core::LinkRecord> parseLinkRecord(llvm::StringRef json, std::string &problem);

/// The JSON of \p record within \p capacity (text and one NUL). What does not fit is left out in
/// the order of IP-3, with `trunc`; an error when even that is too long.
llvm::Expected<std::string> fitJson(core::LinkRecord record, uint32_t capacity);

/// The 32 bytes of a summary (docs/spec/manifest.md), own CRC included; `crcValid` is not looked
/// at.
std::string encodeSummary(const core::SummaryRecord &record);
/// Nothing when the descriptor is shorter than 32 bytes; a longer tail is ignored (EN-7).
std::optional<core::SummaryRecord> decodeSummary(llvm::StringRef descriptor);
/// CRC-32 of zlib over the JSON bytes.
uint32_t jsonCrc(llvm::StringRef json);

/// Contents of the note section that goes into the link (IP-1): an unsealed link record with
/// reserved capacity, and an unsealed summary. \p record holds every policy input (IP-6).
llvm::Expected<std::string> placeholder(const core::LinkRecord &record,
                                        const core::SummaryRecord &summary,
                                        uint32_t capacity = DefaultCapacity);

struct FoundRecord {
  uint32_t type = 0;
  /// Of the descriptor, in the searched bytes.
  uint64_t offset = 0;
  llvm::StringRef descriptor;
};

/// The search of RD-3: any byte position, whatever the alignment. At most 65,536 records (RD-6).
std::vector<FoundRecord> findRecords(llvm::StringRef bytes);
/// The JSON text of a descriptor (EN-6); nothing, with a \p problem, when it has no NUL or when
/// other bytes follow the first one.
std::optional<llvm::StringRef> jsonText(llvm::StringRef descriptor, std::string &problem);

/// The C header that puts \p record into a translation unit (EM-1). Any of gcc, clang, nvcc, in C89
/// to C++20; the device side sees only a struct tag, whose name carries `recordName`.
std::string recordHeader(const core::ObjectRecord &record);
/// 16 hex digits that name the record by content.
std::string recordName(const core::ObjectRecord &record);

} // namespace cudacc::binary
