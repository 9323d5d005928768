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
/// Bytes before a descriptor: header and owner (EN-3).
constexpr uint32_t NoteHeaderSize = 24;
/// Bytes reserved for the link record's descriptor (IP-1); multiples of 8.
constexpr uint32_t DefaultCapacity = 2048, MaxCapacity = 65528;

/// A complete note record; the descriptor is NUL-padded to a multiple of 8, at least 8 (EN-4).
std::string encodeRecord(uint32_t type, llvm::StringRef descriptor);
/// A record whose descriptor is JSON text, followed by at least one NUL (EN-6) and padded with NULs
/// to \p capacity if that is larger.
std::string encodeJsonRecord(uint32_t type, llvm::StringRef json, uint32_t capacity = 0);

/// Canonical JSON (MJ). Empty or unset fields have no key.
std::string toJson(const core::ObjectRecord &record);
std::string toJson(const core::LinkRecord &record);
/// Return std::nullopt if the text is not MJ JSON within RD-6, is of another kind or schema, or has
/// a known key with a value of the wrong type; \p problem says which. Unknown keys are ignored.
std::optional<core::ObjectRecord> parseObjectRecord(llvm::StringRef json, std::string &problem);
std::optional<core::LinkRecord> parseLinkRecord(llvm::StringRef json, std::string &problem);

/// The JSON of \p record within \p capacity bytes (text and one NUL). If it does not fit, fields
/// are omitted in the order of IP-3 and `trunc` is set. Errors: still too long without them.
llvm::Expected<std::string> fitJson(core::LinkRecord record, uint32_t capacity);

/// The 32 bytes of a summary (docs/spec/manifest.md) with its CRC; `crcValid` is ignored.
std::string encodeSummary(const core::SummaryRecord &record);
/// Returns std::nullopt if \p descriptor has less than 32 bytes; a longer tail is ignored (EN-7).
std::optional<core::SummaryRecord> decodeSummary(llvm::StringRef descriptor);
/// CRC-32, as zlib computes it, of the JSON bytes.
uint32_t jsonCrc(llvm::StringRef json);

/// Contents of the note section that is linked in (IP-1): an unsealed link record with reserved
/// capacity, and an unsealed summary. \p record holds every policy input (IP-6).
llvm::Expected<std::string> placeholder(const core::LinkRecord &record,
                                        const core::SummaryRecord &summary,
                                        uint32_t capacity = DefaultCapacity);

struct FoundRecord {
  uint32_t type = 0;
  /// Offset of the descriptor in the searched bytes.
  uint64_t offset = 0;
  llvm::StringRef descriptor;
};

/// Searches as RD-3 says: at any byte offset, regardless of alignment. Stops after \p most records.
std::vector<FoundRecord> findRecords(llvm::StringRef bytes, size_t most = SIZE_MAX);
/// The JSON text of a descriptor (EN-6); std::nullopt, with \p problem set, if it has no NUL or if
/// other bytes follow the first NUL.
std::optional<llvm::StringRef> jsonText(llvm::StringRef descriptor, std::string &problem);

/// The C header that puts \p record into a translation unit (EM-1). Works with gcc, clang and nvcc,
/// from C89 to C++20. The device side sees only a struct tag, whose name contains `recordName`.
std::string recordHeader(const core::ObjectRecord &record);
/// 16 hex digits that identify the record by its content.
std::string recordName(const core::ObjectRecord &record);

} // namespace cudacc::binary
