// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/CudaVersion.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

/// The format of the generated tables, used only by the look-ups. Rows hold numbers and indices, no
/// pointers, so that the tables are read-only data without relocations and are paged in on demand.
/// The generator (tables/generate) writes the rows in the order stated here.
namespace cudacc::tables::rows {

/// Where a string begins in the pool, in units; see str().
using Text = uint16_t;
inline constexpr size_t TextUnit = 4;
/// Index of a version. Versions compare as their indices do, in the order of PEP 440.
using VersionId = uint16_t;
/// Index of the first element of a list in the table of lists.
using List = uint16_t;
/// "none" in all index columns.
inline constexpr uint16_t None = 0xffff;

/// A toolkit release, sorted by number. Its components end where those of the next row begin; a
/// sentinel row ends the table.
struct ReleaseRow {
  uint8_t major, minor, patch;
  uint16_t firstComponent;
};
/// Sorted by release, then dist.
struct ComponentRow {
  uint16_t dist;
  VersionId version;
};
/// A distribution, sorted by name.
struct DistRow {
  Text name;
  /// A rows::Numbering.
  uint8_t numbering;
  /// Versions of its wheels, ascending. Empty if it has no library.
  List wheels;
};
/// Sorted by dist, then version. The toolkit releases that contain it are a range of releaseLists.
struct WheelRow {
  uint16_t dist;
  VersionId version;
  uint16_t firstRelease;
  uint8_t releaseCount;
};

/// The pins of a torch build. A sentinel row ends the table.
struct PinSetRow {
  uint16_t firstPin;
};
/// Sorted by dist within a set. `floor` is None if there is no bound.
struct PinRow {
  uint16_t dist;
  VersionId floor;
  uint8_t floats, kind, confidence;
};

/// A library in a range of a distribution's versions, sorted by SONAME, major, dist, version.
struct LibraryRow {
  Text soname;
  /// None if there is no wheel for the major.
  uint16_t dist;
  /// Below site-packages. None if not known.
  Text folder;
  /// First and last version of the range. None: no bound.
  VersionId from, last;
  uint8_t major;
  /// 1: only in versions whose minor is the one at the end of the SONAME.
  uint8_t ownMinor;
};
/// The part of a library name between `lib` and `.so` or `.a`, sorted.
struct StemRow {
  Text stem;
  uint8_t archive, origin;
  /// A header that identifies the library's headers, and its folder in a toolkit.
  Text header, include;
  /// Prefixes of the names in its interface, separated by spaces.
  Text begins;
};
/// Index of a symbol's name. Indices are in the order of the names' bytes.
using NameId = uint16_t;
inline constexpr unsigned NamesPerBlock = 16;
/// A library's entries in symbolEntries start at byte firstEntry: nameCount names, ascending, then
/// as many positions in symbolLists, two bytes each. Its versions end where the next row's begin.
struct SymbolLibraryRow {
  uint32_t firstEntry;
  uint16_t nameCount, firstVersion;
  /// Prefixes of the names in its interface, for libraries whose internal names were left out.
  Text words;
  uint8_t leftOut;
};
struct SymbolVersionRow {
  VersionId version;
  /// None for the driver.
  uint16_t dist;
  Text soname;
  uint8_t major, cudaMajor, cudaMinor;
};
/// Versions of one SONAME in one major, sorted by SONAME, then major. Major 0: every major.
struct SymbolSliceRow {
  Text soname;
  uint16_t library, first, count;
  uint8_t major;
};
/// Sorted by name.
struct DriverNameRow {
  NameId name;
  uint8_t major, minor, atMost;
};

llvm::StringRef str(Text text);
llvm::StringRef versionText(VersionId version);

llvm::ArrayRef<ReleaseRow> releases();
llvm::ArrayRef<ComponentRow> componentsOf(size_t release);
llvm::ArrayRef<DistRow> dists();
llvm::ArrayRef<WheelRow> wheels();
llvm::ArrayRef<uint8_t> releaseLists();
llvm::ArrayRef<PinSetRow> pinSets();
llvm::ArrayRef<PinRow> pinRowsOf(size_t pinSet);
llvm::ArrayRef<LibraryRow> libraries();
llvm::ArrayRef<StemRow> stems();
llvm::ArrayRef<uint16_t> list(List list);
llvm::ArrayRef<SymbolLibraryRow> symbolLibraries();
llvm::ArrayRef<SymbolVersionRow> symbolVersions();
llvm::ArrayRef<SymbolSliceRow> symbolSlices();
llvm::ArrayRef<DriverNameRow> driverNames();
/// Names in blocks of NamesPerBlock. The first name of a block is complete: length, text. The
/// others are: length of the prefix shared with the previous name, length of the rest, the rest.
/// Numbers are LEB128.
llvm::StringRef symbolNames();
/// Start of each block.
llvm::ArrayRef<uint32_t> symbolBlocks();
size_t symbolNameCount();
llvm::StringRef symbolEntries();
/// Lists of ranges of a library's versions: the number of ranges, then for each one its distance
/// from the end of the previous range and its length minus one. LEB128.
llvm::StringRef symbolLists();
/// Release of the data that the tables were generated from: `2026.11.0`.
llvm::StringRef dataRelease();

} // namespace cudacc::tables::rows
