// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

/// The form of the generated tables, seen by the look-ups only. Rows hold numbers and
/// indices, no pointers: the tables are read-only data without relocations, and a page of them
/// costs nothing until it is read. The generator (facts/generate) writes rows in the order said
/// here.
namespace cudacc::tables::rows {

/// Index of a string in the pool; see str().
using Text = uint16_t;
/// Index of a version. Indices are in the order of PEP 440: versions compare as their indices do.
using VersionId = uint16_t;
/// Where a list begins in the table of lists.
using List = uint16_t;
/// "none" in every index column.
inline constexpr uint16_t None = 0xffff;

/// A toolkit release, by number. Its components end where those of the next row begin; a last row
/// that is no release closes the table.
struct ReleaseRow {
  uint8_t major, minor, patch;
  uint16_t firstComponent;
};
/// By release, then dist.
struct ComponentRow {
  uint16_t dist;
  VersionId version;
};
/// A distribution, by name.
struct DistRow {
  Text name;
  /// As rows::Numbering.
  uint8_t numbering;
  /// Versions of its wheels, ascending; empty where it has no library.
  List wheels;
};
/// By dist, then version. The toolkit releases that have it: indices in releaseLists.
struct WheelRow {
  uint16_t dist;
  VersionId version;
  uint16_t firstRelease;
  uint8_t releaseCount;
};

/// A torch release, by number; closed by a last row as ReleaseRow.
struct TorchRow {
  uint8_t major, minor, patch;
  /// Position among its lines of the one PyPI has.
  uint8_t defaultLine;
  uint16_t firstLine;
  /// `aarch64`, where PyPI's wheel for it has no CUDA; may be empty.
  Text withoutCuda;
};
/// By CUDA version within a release.
struct TorchLineRow {
  uint8_t major, minor;
  /// `cu126`.
  Text tag;
  /// Toolkit release behind it, or None.
  uint16_t release;
  /// Index of its set of pins, or None: unknown.
  uint16_t pinSet;
};
/// Closed by a last row.
struct PinSetRow {
  uint16_t firstPin;
  uint8_t complete;
};
/// By dist within a set.
struct PinRow {
  uint16_t dist;
  VersionId floor;
  uint8_t floats, kind, confidence;
};

/// A name under which a framework is required, by name, then extras.
struct FrameworkNameRow {
  Text name, framework;
  /// Of texts.
  uint16_t extras;
  /// 0: of each release.
  uint8_t major;
};
/// A version node of libstdc++ and the first gcc that has it, by node in the order of the bytes.
struct NodeRow {
  Text node, gcc;
};
/// A name of CPython's stable ABI, by name in the order of the bytes: since 3.minor.
struct LimitedApiRow {
  Text name;
  uint8_t minor;
};
/// A run of releases of a framework, by framework, first release, CUDA major; closed by a last row.
struct FrameworkRow {
  Text framework, first;
  /// Of texts: releases whose metadata was read.
  uint16_t read;
  /// Specifier; None: no bound.
  Text torch;
  /// Toolkit release, or None.
  uint16_t release;
  uint16_t firstPin;
  uint8_t major, fromMinor, toMinor, kind, confidence, toolkitFloats, tells;
};
/// By dist within a run. No floor: no bound.
struct FrameworkPinRow {
  uint16_t dist;
  VersionId floor;
  Text spec;
  uint8_t floats, kind, confidence;
};

/// A shared library in a run of versions of a distribution, by soname, then major, dist, version.
struct LibraryRow {
  Text soname;
  /// None where the major has no wheel.
  uint16_t dist;
  /// Under site-packages; None: not known.
  Text folder;
  /// First and last version of the run; None: no bound.
  VersionId from, last;
  uint8_t major;
  /// 1: only where the version has the minor that the soname ends in.
  uint8_t ownMinor;
};
/// A name between `lib` and `.so` or `.a`, by name.
struct StemRow {
  Text stem;
  uint8_t archive, origin;
  /// A header that proves the library's headers, and its folder in a toolkit.
  Text header, include;
  /// What the names of its interface begin with, by blanks.
  Text begins;
};
/// By symbol, in the order of the bytes.
struct ReplacementRow {
  Text symbol, by;
};

/// What a library of a run of versions needs, by soname, dist, version.
struct CouplingRow {
  Text soname;
  uint16_t dist;
  VersionId from;
  uint16_t firstNeed;
  uint8_t needCount;
};
struct NeedRow {
  Text soname;
  uint8_t reach;
};

struct DriverRow {
  uint8_t major;
  Text floor;
};
struct PtxRow {
  uint8_t major, minor, ptxMajor, ptxMinor;
};
/// A function of nvJitLink, by name and major. First minor that exports it with a suffix, and
/// without one; 0xff: none does.
struct NvJitLinkRow {
  Text name;
  uint8_t major, suffixedSince, plainSince;
};

/// Bits of Side.
struct PartRow {
  Text name, group, library;
  uint8_t kind, sides;
};

/// What the Python code of a package opens first; \c from is None where any version does.
struct PreloadRow {
  List packages, files, opens;
  Text from, source;
  uint8_t dependents, isGlobal, isFallback, confidence;
};

/// By soname, dist, then from.
struct ShapeRow {
  Text soname;
  uint16_t dist;
  VersionId from, to;
  List nodes, needed, dlopens;
  /// Whole; None where it is empty.
  Text runpath, rpath;
  uint8_t hasRunpath, hasRpath;
};
/// By soname, dist, then from.
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

/// By ISA.
struct IsaRow {
  uint8_t major, minor, cudaMajor, cudaMinor;
};
/// By number, then suffix. lastMajor 0: no end.
struct ArchRow {
  uint16_t number;
  List family;
  char suffix;
  uint8_t firstMajor, firstMinor, lastMajor, lastMinor, ptxMajor, ptxMinor, ptxAtMost, embedded;
};
/// By line.
struct LtoIrRow {
  uint8_t major, minor, irMajor, irMinor;
};
/// By kind, producer, consumer.
struct PipeRow {
  uint8_t kind, producerMajor, producerMinor, consumerMajor, consumerMinor, takes;
};
/// By line and by driver.
struct DriverCudaRow {
  Text driver;
  uint8_t major, minor;
};

/// Index of a symbol's name. Indices are in the order of the names' bytes.
using NameId = uint16_t;
inline constexpr unsigned NamesPerBlock = 16;
/// Its entries begin at a byte of symbolEntries: nameCount names, ascending, then as many places in
/// symbolLists, two bytes each. Its versions end where those of the next row begin.
struct SymbolLibraryRow {
  uint32_t firstEntry;
  uint16_t nameCount, firstVersion;
  /// What names of its interface begin with; for libraries whose internal names were left out.
  Text words;
  uint8_t leftOut;
};
struct SymbolVersionRow {
  VersionId version;
  /// None: of the driver.
  uint16_t dist;
  Text soname;
  uint8_t major, cudaMajor, cudaMinor;
};
/// Versions of one soname in one major, by soname, then major; 0: every major.
struct SymbolSliceRow {
  Text soname;
  uint16_t library, first, count;
  uint8_t major;
};
/// By name.
struct DriverNameRow {
  NameId name;
  uint8_t major, minor, atMost;
};

/// Messages are texts: rows of fields, some of them lists of items, each ended by its character.
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
llvm::ArrayRef<PinRow> pinsOf(size_t pinSet);
llvm::ArrayRef<FrameworkNameRow> frameworkNames();
llvm::ArrayRef<FrameworkRow> frameworks();
llvm::ArrayRef<FrameworkPinRow> pinsOfFramework(size_t run);
llvm::ArrayRef<LibraryRow> libraries();
llvm::ArrayRef<StemRow> stems();
llvm::ArrayRef<ReplacementRow> replacements();
llvm::ArrayRef<NodeRow> libstdcxxNodes();
llvm::ArrayRef<LimitedApiRow> limitedApi();
llvm::ArrayRef<CouplingRow> couplings();
llvm::ArrayRef<NeedRow> needsOf(const CouplingRow &row);
llvm::ArrayRef<DriverRow> driverFloors();
llvm::ArrayRef<PtxRow> ptxVersions();
llvm::ArrayRef<NvJitLinkRow> nvJitLinkNames();
llvm::ArrayRef<PartRow> parts();
llvm::ArrayRef<PreloadRow> preloads();
llvm::ArrayRef<uint16_t> list(List list);
llvm::ArrayRef<ShapeRow> shapes();
llvm::ArrayRef<FloorRow> floors();
llvm::ArrayRef<IsaRow> isas();
llvm::ArrayRef<ArchRow> archs();
llvm::ArrayRef<LtoIrRow> ltoIrs();
llvm::ArrayRef<PipeRow> pipes();
llvm::ArrayRef<DriverCudaRow> driverCudas();
llvm::ArrayRef<SymbolLibraryRow> symbolLibraries();
llvm::ArrayRef<SymbolVersionRow> symbolVersions();
llvm::ArrayRef<SymbolSliceRow> symbolSlices();
llvm::ArrayRef<DriverNameRow> driverNames();
/// Names in blocks of NamesPerBlock, the first of each whole: length, text; the others: how much
/// they share with the one before, length of the rest, the rest. Numbers are LEB128.
llvm::StringRef symbolNames();
/// Where each block begins.
llvm::ArrayRef<uint32_t> symbolBlocks();
size_t symbolNameCount();
llvm::StringRef symbolEntries();
/// Lists of pairs of indices into a library's versions: count, then of each how far it begins
/// behind the end of the one before, and how much longer than one it is. LEB128.
llvm::StringRef symbolLists();
/// Per row id, family, source; lists of patterns, what, facts, causes, fixes.
llvm::StringRef messageTexts();

} // namespace cudacc::tables::rows
