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

/// A torch release, sorted by number. A sentinel row ends the table.
struct TorchRow {
  uint8_t major, minor, patch;
  /// Which of its lines PyPI has.
  uint8_t defaultLine;
  uint16_t firstLine;
  /// The machine whose wheel on PyPI has no CUDA (`aarch64`). May be empty.
  Text withoutCuda;
};
/// Sorted by CUDA version within a release.
struct TorchLineRow {
  uint8_t major, minor;
  /// `cu126`.
  Text tag;
  /// Toolkit release that it uses, or None.
  uint16_t release;
  /// Index of its pin set. None if unknown.
  uint16_t pinSet;
};
/// The pins of a torch build or of a run of a framework. A sentinel row ends the table.
struct PinSetRow {
  uint16_t firstPin;
};
/// Sorted by dist within a set. `floor` is None if there is no bound.
struct PinRow {
  uint16_t dist;
  VersionId floor;
  /// Of frameworks alone.
  Text spec;
  uint8_t floats, kind, confidence;
};

/// A name by which a framework can be required, sorted by name, then extras.
struct FrameworkNameRow {
  Text name, framework;
  /// A list of strings.
  uint16_t extras;
  /// 0: depends on the release.
  uint8_t major;
};
/// A version node of libstdc++ and the first gcc that has it, sorted by the bytes of the node.
struct NodeRow {
  Text node, gcc;
};
/// A name of CPython's stable ABI, sorted by its bytes, and the 3.X that added it.
struct LimitedApiRow {
  Text name;
  uint8_t minor;
};
/// A run of releases of a framework, sorted by framework, first release, major.
struct FrameworkRow {
  Text framework, first;
  /// A list of strings: releases whose metadata was read.
  uint16_t read;
  /// Specifier. None if there is no bound.
  Text torch;
  /// Toolkit release, or None.
  uint16_t release;
  uint16_t pinSet;
  uint8_t major, fromMinor, toMinor, kind, confidence, toolkitFloats, requiresCuda;
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
/// Sorted by the bytes of the symbol.
struct ReplacementRow {
  Text symbol, by;
};
/// Names that compilers generate, in the order of the data file.
struct GeneratedNameRow {
  Text begins, contains;
  uint8_t ofObject;
  Text means, because, fix, also;
};

struct DriverRow {
  uint8_t major;
  Text floor;
};
/// A version and the one that belongs to it, sorted by the first.
struct PairRow {
  uint8_t major, minor, otherMajor, otherMinor;

  versions::CudaVersion first() const { return {major, minor}; }
  versions::CudaVersion second() const { return {otherMajor, otherMinor}; }
};

/// `sides` has bits of Side.
struct PartRow {
  Text name, group, library;
  uint8_t kind, sides;
};

/// What is opened by name. \c from and \c before are None: all versions up to, or from, the other.
struct OpenRow {
  List packages, files, opens;
  /// \c raises is None if what opens goes on without the library.
  Text from, before, raises;
  uint8_t dependents, isGlobal, when, where, missing, confidence;
};

/// Versions of a library that the releases \c from to \c to of a package refuse. \c major is 0 for
/// builds of all CUDA lines.
struct VersionRuleRow {
  List packages, files;
  Text from, to, library, least, raises;
  uint8_t major, minor, confidence;
};

/// Sorted by SONAME, dist, then from.
struct ShapeRow {
  Text soname;
  uint16_t dist;
  VersionId from, to;
  List nodes, needed, dlopens;
  /// The unsplit string. None if it is empty.
  Text runpath, rpath;
  uint8_t hasRunpath, hasRpath;
};
/// Sorted by SONAME, dist, then from.
struct FloorRow {
  Text soname;
  uint16_t dist;
  VersionId from, to;
  Text needs;
  uint16_t needsDist;
  VersionId least;
  List deciding, missingLater;
  /// Pairs of versions.
  List notInLater;
  uint8_t reach, confidence, sameWheel, oldestOpened;
};

/// Sorted by number, then suffix. lastMajor 0: still supported.
struct ArchRow {
  uint16_t number;
  List family;
  char suffix;
  uint8_t firstMajor, firstMinor, lastMajor, lastMinor, ptxMajor, ptxMinor, ptxAtMost, embedded;
};
/// Sorted by kind, producer, consumer.
struct PipeRow {
  uint8_t kind, producerMajor, producerMinor, consumerMajor, consumerMinor, takes;
};
/// Sorted by line, which is also by driver.
struct DriverCudaRow {
  Text driver;
  uint8_t major, minor;
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
/// How the exports of a library for aarch64 differ from those for x86-64, sorted by SONAME, dist,
/// then from. Only of libraries of which a version differs. `lacks` and `more` are lists of NameId.
struct DifferenceRow {
  Text soname;
  uint16_t dist;
  VersionId from, to;
  List lacks, more;
  /// C++ names and others outside of the interface differ, too.
  uint8_t leftOut;
};
/// Sorted by name.
struct DriverNameRow {
  NameId name;
  uint8_t major, minor, atMost;
};

/// Messages are text: rows of fields, some of which are lists of items, each with an end character.
inline constexpr char RowEnd = '\035', FieldEnd = '\036', ItemEnd = '\037';

llvm::StringRef str(Text text);
llvm::StringRef versionText(VersionId version);

llvm::ArrayRef<ReleaseRow> releases();
llvm::ArrayRef<ComponentRow> componentsOf(size_t release);
llvm::ArrayRef<DistRow> dists();
llvm::ArrayRef<WheelRow> wheels();
llvm::ArrayRef<uint8_t> releaseLists();
llvm::ArrayRef<TorchRow> torchReleases();
llvm::ArrayRef<TorchLineRow> linesOf(size_t torch);
llvm::ArrayRef<PinSetRow> pinSets();
llvm::ArrayRef<PinRow> pinRowsOf(size_t pinSet);
llvm::ArrayRef<FrameworkNameRow> frameworkNames();
llvm::ArrayRef<FrameworkRow> frameworks();
llvm::ArrayRef<LibraryRow> libraries();
llvm::ArrayRef<StemRow> stems();
llvm::ArrayRef<ReplacementRow> replacements();
llvm::ArrayRef<GeneratedNameRow> generatedNames();
llvm::ArrayRef<NodeRow> libstdcxxNodes();
llvm::ArrayRef<LimitedApiRow> limitedApi();
llvm::ArrayRef<DriverRow> driverFloors();
/// By CUDA line the PTX ISA that it writes.
llvm::ArrayRef<PairRow> ptxVersions();
llvm::ArrayRef<PartRow> parts();
llvm::ArrayRef<OpenRow> opens();
llvm::ArrayRef<VersionRuleRow> versionRules();
llvm::ArrayRef<uint16_t> list(List list);
llvm::ArrayRef<ShapeRow> shapes();
llvm::ArrayRef<FloorRow> floors();
/// By PTX ISA the CUDA version that translates it.
llvm::ArrayRef<PairRow> isas();
llvm::ArrayRef<ArchRow> archs();
/// By CUDA line.
llvm::ArrayRef<PairRow> ltoIrs();
llvm::ArrayRef<PipeRow> pipes();
llvm::ArrayRef<DriverCudaRow> driverCudas();
llvm::ArrayRef<SymbolLibraryRow> symbolLibraries();
llvm::ArrayRef<SymbolVersionRow> symbolVersions();
llvm::ArrayRef<SymbolSliceRow> symbolSlices();
llvm::ArrayRef<DifferenceRow> differences();
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
/// For each row id, family, source; then lists of patterns, what, facts, causes, fixes.
llvm::StringRef messageTexts();
/// A line for each part: name, component of the archives, distribution for CUDA 11, 12 and 13 (`-`:
/// none), 1 if every toolkit has it.
llvm::StringRef toolkitParts();
/// A line for each wheel: distribution, version, machine, sha256, bytes, bytes unpacked.
llvm::StringRef toolkitWheels();
/// A line for each archive, by release: release, component, version, machine (`x86_64`, `sbsa`),
/// sha256, bytes, bytes unpacked (0: not known).
llvm::StringRef archives();
/// Release of the data that the tables were generated from: `2026.11.0`.
llvm::StringRef dataRelease();

} // namespace cudacc::tables::rows
