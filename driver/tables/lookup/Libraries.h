// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/Version.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <tuple>
#include <vector>

namespace cudacc::tables {

enum class LibraryOrigin : uint8_t {
  /// A part of the CUDA toolkit.
  Toolkit,
  /// Installed with the driver: libcuda.so.1, libnvidia-ml.so.1.
  Driver,
  /// Other NVIDIA libraries, released separately: cuDNN, NCCL, cuTENSOR.
  Other,
};

/// An NVIDIA library, by the part of its name between `lib` and `.so` or `.a`.
struct KnownLibrary {
  /// `cublasLt`, `cudart_static`.
  llvm::StringRef name;
  bool archive = false;
  LibraryOrigin origin = LibraryOrigin::Other;
};

/// The library that `-lNAME` names; std::nullopt if it is not NVIDIA's. Case-sensitive.
std::optional<KnownLibrary> libraryByLinkName(llvm::StringRef name);
/// All link names of that origin, sorted.
std::vector<llvm::StringRef> linkNames();

/// Whether a name looks like one from the interface of `-lNAME` (`cudaMalloc` of cudart): it starts
/// with the library's prefix, followed by a capital. False if the tables have no prefix for it.
bool isInFashionOf(llvm::StringRef linkName, llvm::StringRef symbol);

/// A header whose presence shows that a library's headers are installed (`cusolverDn.h`), and the
/// folder of a full toolkit that contains it (`include`). Empty if not known.
struct HeaderProbe {
  llvm::StringRef file, toolkitFolder;
};
HeaderProbe headerOf(llvm::StringRef linkName);
/// By the last component of a path: `libcusparse.so`, `libcusparse.so.12`,
/// `libcusparse.so.12.5.1.3`, `libcudart_static.a`. SONAMEs work, too.
std::optional<KnownLibrary> libraryByFileName(llvm::StringRef file);
/// As libraryByFileName(), without those installed with the driver.
inline std::optional<KnownLibrary> runtimeLibrary(llvm::StringRef file) {
  auto known = libraryByFileName(file);
  return known && known->origin != LibraryOrigin::Driver ? known : std::nullopt;
}
/// Whether the file name is that of a library installed with the driver.
inline bool isDriverLibrary(llvm::StringRef file) {
  auto known = libraryByFileName(file);
  return known && known->origin == LibraryOrigin::Driver;
}

/// CUDA majors whose toolkit or wheels have a library with that SONAME, ascending: 12 and 13 for
/// libcusparse.so.12, only 12 for libcudart.so.12. Empty if the SONAME is not known.
llvm::SmallVector<unsigned, 3> majorsOf(llvm::StringRef soname);
/// Whether the tables say which libraries a CUDA major has; if not, one that majorsOf() leaves out
/// may be in it.
bool knowsLibrariesOf(unsigned major);
/// SONAMEs to which `-lNAME` can resolve in a CUDA major, sorted: libcusolver.so.11 for `cusolver`
/// in CUDA 12. There are several if the SONAME changed within the major.
llvm::SmallVector<llvm::StringRef, 2> sonamesOf(llvm::StringRef linkName, unsigned major);
/// The distribution that contains a SONAME in a CUDA major. Empty if no wheel does.
llvm::StringRef distOf(llvm::StringRef soname, unsigned major);
/// Versions of the distribution that the tables know, ascending. Empty if none has a library of
/// CUDA's.
std::vector<versions::Version> versionsOf(llvm::StringRef dist);

/// SONAMEs in that version of the distribution, sorted.
llvm::SmallVector<llvm::StringRef, 12> sonamesOf(llvm::StringRef dist,
                                                 const versions::Version &version);
/// The directory of the library in that version of the distribution, relative to site-packages
/// (`nvidia/cublas/lib`). Empty if not known. A version newer than the last one read counts as that
/// one.
llvm::StringRef folderOf(llvm::StringRef soname, llvm::StringRef dist,
                         const versions::Version &version);

/// The dynamic section of an NVIDIA library (versioned_symbols).
struct LibraryShape {
  /// Version nodes it defines. May be empty although there is a DT_VERSYM (SY-17).
  llvm::SmallVector<llvm::StringRef, 2> nodes;
  /// NVIDIA libraries in NEEDED, in that order; libc and other system libraries are left out.
  llvm::SmallVector<llvm::StringRef, 4> needed;
  /// Library names among its strings, which it may open; some are not SONAMEs (LS-5).
  llvm::SmallVector<llvm::StringRef, 4> dlopens;
  /// Elements, split at colons, with `$ORIGIN` unexpanded. For empty elements see LS-15.
  llvm::SmallVector<llvm::StringRef, 4> runpath, rpath;
  bool hasRunpath = false, hasRpath = false;
  /// The version lies in a range of versions that were read. If false, it is newer than all of them
  /// or lies between two that differ, and the shape is that of the older one.
  bool exact = false;

  static constexpr auto columns = std::tuple(
      &LibraryShape::nodes, &LibraryShape::needed, &LibraryShape::dlopens, &LibraryShape::runpath,
      &LibraryShape::rpath, &LibraryShape::hasRunpath, &LibraryShape::hasRpath);
};

/// std::nullopt if no version up to this one was read. A `.postN` counts as the version without it,
/// unless it has its own row.
std::optional<LibraryShape> shapeOf(llvm::StringRef soname, llvm::StringRef dist,
                                    const versions::Version &version);

/// `needed` of its shape. These libraries are coupled by minor: an older copy may lack symbols that
/// it imports (cuSPARSE and cuSOLVER with nvJitLink, cuBLAS with cuBLASLt).
llvm::SmallVector<llvm::StringRef, 4> neededBy(llvm::StringRef soname, llvm::StringRef dist,
                                               const versions::Version &version);

} // namespace cudacc::tables
